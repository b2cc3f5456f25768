package notes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/skills/pages"
	"hob/internal/tools"
)

const (
	maxShown = 20  // notes in one result
	maxLine  = 300 // bytes of a note where several are shown
)

// sort puts the newest note first; of a day, and without one, that which stands last on its page.
func (s *allNotes) sort() {
	sort.SliceStable(s.notes, func(i, j int) bool {
		n, m := s.notes[i], s.notes[j]
		return cmp.Or(cmp.Compare(m.date, n.date), cmp.Compare(n.topic, m.topic), cmp.Compare(m.lines.First, n.lines.First)) < 0
	})
}

type findIn struct {
	Query string `json:"query,omitempty" jsonschema:"a few words"`
	Topic string `json:"topic,omitempty"`
}

func (b *notebook) find(ctx context.Context, in findIn) (tools.Result, error) {
	s, err := b.read(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	words := wordsOf(in.Query)
	heading, found := s.look(words, in.Topic)
	var out strings.Builder
	out.WriteString(heading + "\n")
	from := s.labelOf() // what is not there says something of all pages, and so do their names
	if len(found) > 0 && len(words)+len(strings.TrimSpace(in.Topic)) > 0 {
		from = s.labelOf(topicsOf(found)...)
	}
	line := maxLine
	if len(found) == 1 {
		line = maxText
	}
	for i, n := range found {
		if i == maxShown {
			fmt.Fprintf(&out, "and %d older; ask with other words or a topic\n", len(found)-i)
			break
		}
		out.WriteString(n.render(line) + "\n")
	}
	if len(s.broken) > 0 {
		from = s.labelOf()
		fmt.Fprintf(&out, "not read: %s\n", strings.Join(s.broken, "; "))
	}
	from.Private = true
	return tools.Result{Text: strings.TrimSpace(out.String()), Label: from}, nil
}

// look returns the notes that have all of the words, in a topic where one is named, and a line that says what they are. Where
// there are none it looks in the other topics too, then for those that have the most of the words.
func (s *allNotes) look(words []string, topic string) (heading string, found []note) {
	all := func(n note) bool { return n.score(words) == len(words) }
	in, named := topicName(topic), strings.TrimSpace(topic) != ""
	switch {
	case len(s.notes) == 0:
		return "there are no notes yet", nil
	case named:
		found = s.filter(func(n note) bool { return n.topic == in && all(n) })
		if len(found) > 0 {
			return display.Count(len(found), "note") + " in " + in + ", the newest first:", found
		}
		if len(words) == 0 {
			return "there is nothing in the topic " + in + "; topics: " + s.topicList(), nil
		}
		if found = s.filter(all); len(found) > 0 {
			return "nothing in the topic " + in + ", but in others:", found
		}
	case len(words) == 0:
		return display.Count(len(s.notes), "note") + ", the newest first; topics: " + s.topicList(), s.notes
	default:
		if found = s.filter(all); len(found) > 0 {
			return display.Count(len(found), "note") + ", the newest first:", found
		}
	}
	best := 0
	for _, n := range s.notes {
		best = max(best, n.score(words))
	}
	if best*2 < len(words) || best == 0 {
		return "no note has these words; topics: " + s.topicList(), nil
	}
	return "no note has all of these words; the nearest are:", s.filter(func(n note) bool { return n.score(words) == best })
}

// Holding returns how many words of a query the best of all notes has, and how many there are.
func Holding(ctx context.Context, f pages.Files, query string) (most, of int, err error) {
	b, words := &notebook{Folder: pages.Folder{Files: f, Dir: folder}}, wordsOf(query)
	s, err := b.read(ctx)
	if err != nil {
		return 0, len(words), err
	}
	for _, n := range s.notes {
		most = max(most, n.score(words))
	}
	return most, len(words), nil
}

func (s *allNotes) filter(fit func(note) bool) (found []note) {
	for _, n := range s.notes {
		if fit(n) {
			found = append(found, n)
		}
	}
	return found
}

func topicsOf(all []note) (topics []string) {
	for _, n := range all {
		topics = append(topics, n.topic)
	}
	return topics
}

// wordsOf returns what is looked for: the words of a query, and in place of those that are Chinese, Japanese or Korean,
// which are written together, the pairs of neighbouring letters.
func wordsOf(query string) (words []string) {
	for _, word := range strings.Fields(pages.Fold(pages.Tidy(query))) {
		for run, together := range pages.Runs(word) {
			letters := []rune(run)
			if !together || len(letters) < 3 {
				words = append(words, run)
				continue
			}
			for i := range len(letters) - 1 {
				words = append(words, string(letters[i:i+2]))
			}
		}
	}
	return words
}

// score is how many of the words are in the note or in the name of its topic, in whatever form.
func (n note) score(words []string) (score int) {
	text := pages.Fold(n.text + " " + n.date + " " + n.topic)
	for _, word := range words {
		if strings.Contains(text, word) || pages.HasForm(text, word) {
			score++
		}
	}
	return score
}

type removeIn struct {
	Note  string `json:"note" jsonschema:"its #number or words"`
	Topic string `json:"topic,omitempty"`
}

func (b *notebook) remove(ctx context.Context, in removeIn) (tools.Result, error) {
	s, err := b.read(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	meant := s.candidates(in.Note)
	if strings.TrimSpace(in.Topic) != "" {
		if there := slices.DeleteFunc(slices.Clone(meant), func(n note) bool { return n.topic != topicName(in.Topic) }); len(there) > 0 {
			meant = there
		} else if len(meant) > 0 {
			return s.ambiguousError("it is not in the topic "+topicName(in.Topic)+", but this is elsewhere", meant)
		}
	}
	switch {
	case len(meant) == 0:
		return tools.Result{Label: s.labelOf()}, tools.Missing(event.CodeInvalidValue, "no note has that number or all of these words; nothing was removed").
			Suggest("look with note_find and give the #number")
	case slices.ContainsFunc(meant, func(n note) bool { return !n.same(meant[0]) }):
		return s.ambiguousError(fmt.Sprintf("%d notes could be meant", len(meant)), meant)
	}
	gone := meant[0]
	res, err := b.Change(ctx, gone.file, "note_remove", func(page string) (string, error) {
		now := parse(gone.topic, page)
		for i := len(now) - 1; i >= 0; i-- {
			if now[i].same(gone) {
				return pages.Drop(page, now[i].lines), nil
			}
		}
		return "", errors.New("somebody else has removed it meanwhile")
	})
	res.Label = res.Label.Join(s.labelOf(gone.topic))
	if err != nil {
		return res, err
	}
	res.Text = "removed: " + gone.render(maxLine)
	return res, nil
}

// candidates returns the notes that somebody may mean. Those that say just that are meant before those that say it among other
// things; a number may also be words of a note.
func (s *allNotes) candidates(ref string) []note {
	ref = pages.Tidy(ref)
	bare, hashed := strings.CutPrefix(strings.Trim(ref, "[]()."), "#")
	if number, _, found := strings.Cut(bare, " "); hashed && found {
		bare = number // a line of note_find as a whole
	}
	if hashed && utf8.RuneCountInString(bare) == 4 {
		if byNumber := s.filter(func(n note) bool { return n.number() == bare }); len(byNumber) > 0 {
			return byNumber
		}
	}
	words := wordsOf(ref)
	if len(words) == 0 {
		return nil
	}
	said := s.filter(func(n note) bool { return pages.Fold(n.text) == pages.Fold(ref) })
	if len(said) == 0 && strings.Trim(bare, "0123456789") == "" { // a digit stands in each date
		said = s.filter(func(n note) bool { return slices.Contains(strings.Fields(n.text), bare) })
	} else if len(said) == 0 {
		said = s.filter(func(n note) bool { return n.score(words) == len(words) })
	}
	for _, n := range s.notes {
		if n.number() == bare && !slices.ContainsFunc(said, n.same) {
			said = append(said, n)
		}
	}
	return said
}

// ambiguousError is the error that names the notes which could be meant.
func (s *allNotes) ambiguousError(why string, meant []note) (tools.Result, error) {
	lines := lists.Map(meant[:min(len(meant), 10)], func(n note) string { return n.render(100) })
	return tools.Result{Label: s.labelOf(topicsOf(meant)...)}, tools.Invalid(event.CodeInvalidValue, "%s; nothing was removed: %s", why, strings.Join(lines, "; ")).
		Suggest("give the #number of one")
}
