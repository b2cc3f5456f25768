package account

import (
	"slices"
	"strings"

	"hob/internal/game/spelling"
	"hob/internal/lists"
)

// Facts returns what happened in the turn's language, a sentence for each thing: first the dice and the calls that were
// refused, then the changes in their order. Nothing hidden, secret or out of sight is in it. The hero is "you".
func (t Turn) Facts() []string {
	list := lists.Map(t.Digest().gather(plainly).clean(), func(s Sentence) string { return s.Text })
	return list
}

// Sentences returns all that the engine says of the turn, as [Turn.Facts] does, but also what must not be told.
func (d *Digest) Sentences() (list []string) {
	for _, s := range d.gather(plainly).list {
		list = append(list, s.Text)
	}
	return list
}

// manner is the style in which facts are told.
type manner int

const (
	plainly  manner = iota // in the engine's plain words, with numbers
	voiced                 // in the tale's own words, or in phrases that change
	summedUp               // voiced, but shorter: who spoke of what, but not what they said
)

// facts collects the sentences of a turn.
type facts struct {
	*Digest
	manner
	list  []Sentence
	steps []string // the names of the places that the hero went to
	doors []string // the doors that were told, by the ids on both sides
}

// Sentence is a fact with the key of its words. Beat is what the tale itself says instead.
type Sentence struct {
	Key, Text, Beat string
	loose           bool // the beat does not name what it is about
}

// Kind is the first part of a sentence's key.
func (s Sentence) Kind() string {
	kind, _, _ := strings.Cut(s.Key, ".")
	return kind
}

// IsFall reports whether a sentence says that somebody is dead or dying.
func (s Sentence) IsFall() bool { return strings.HasPrefix(s.Key, "state.d") }

// gather writes the facts of a turn: of its calls (outcomes.go), of what changed (changes.go), and of the time that
// passed.
func (d *Digest) gather(m manner) *facts {
	f := &facts{Digest: d, manner: m}
	for i := range f.Outcomes {
		f.outcome(&f.Outcomes[i], &f.results[i])
	}
	for _, e := range f.Events {
		f.event(e)
	}
	f.time()
	return f
}

// clean returns each fact once, without those that must not be told.
func (f *facts) clean() (list []Sentence) {
	for _, s := range f.list {
		s.Beat = spelling.Line(s.Beat, longestBeat)
		if s.Text = spelling.Line(s.Text, 400); s.Text != "" && !slices.Contains(list, s) && !f.hushed(s.Text+" "+s.Beat) {
			list = append(list, s)
		}
	}
	return list
}

// longestBeat is how many characters of the tale's words for a moment are told.
const longestBeat = 800

// you reports whether an actor is the hero.
func (f *facts) you(actor string) bool { return f.hero != nil && f.hero.ID == actor }

// add adds a sentence whose first name is that of an actor.
func (f *facts) add(key, actor string, more ...string) {
	if you := key + ".you"; f.you(actor) && len(f.phrases(you)) > 0 {
		key = you
	}
	f.put(key, append([]string{f.actorName(actor)}, more...)...)
}

// put adds a sentence as it is.
func (f *facts) put(key string, args ...string) {
	f.list = append(f.list, Sentence{Key: key, Text: f.say(key, args...)})
}

// last is the newest sentence.
func (f *facts) last() *Sentence { return &f.list[len(f.list)-1] }

// beat tells the newest sentence in the tale's own words, if it has words for one of these moments.
func (f *facts) beat(ids ...string) {
	s := f.last()
	s.Beat = f.After.TextOf(f.start(ids[0]), f.Recent, ids...)
	s.loose = strings.HasSuffix(ids[len(ids)-1], ".given") && f.After.Beat(ids[0]) == nil
}

// either returns one of two texts.
func either(first bool, one, two string) string {
	if first {
		return one
	}
	return two
}
