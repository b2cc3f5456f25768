package memory

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"hob/internal/event"
)

// maxIndexed is how many bytes of the text of an event it is found by.
const maxIndexed = 32 << 10

// Texts is an index of what was said and done in chats.
type Texts interface {
	// Update brings the index up to the newest event. terms returns what an event is found by.
	Update(ctx context.Context, terms func(event.Event) []string) error
	// Indexed returns the number of the newest event in the index.
	Indexed(ctx context.Context) (int64, error)
	// Since yields the events of exactly that chat behind one that have a text, the oldest first.
	Since(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	// Holding is [Index.Holding] for the events of exactly that chat in the index.
	Holding(ctx context.Context, chat event.Chat, words [][]string, limit int) ([]int64, error)
	ByNumber(ctx context.Context, seqs []int64) ([]event.Event, error)
}

// Past finds what was said and done in a chat as facts are found: by the forms of its words, the best first. It knows nothing of who
// may know it, but never mixes chats.
type Past struct {
	texts Texts
	text  func(event.Event) string
	read  func() *reader
}

// NewPast returns the past in an index. text returns the words of an event, "" for one that is not to be found.
func NewPast(texts Texts, text func(event.Event) string) *Past {
	return &Past{texts, text, sync.OnceValue(newReader)}
}

// readTerms returns a function that returns what an event is found by, for one goroutine.
func (p *Past) readTerms() func(event.Event) []string {
	read := p.read().forMany()
	return func(e event.Event) []string {
		text := p.text(e)
		if len(text) > maxIndexed {
			text = strings.ToValidUTF8(text[:maxIndexed], "")
		}
		return read.terms(text, "")
	}
}

// Update brings the index up to the newest event, so that the next search does not have to.
func (p *Past) Update(ctx context.Context) error { return p.texts.Update(ctx, p.readTerms()) }

// Search returns up to most events of exactly that chat that have words of a text, the best first and of those that fit alike the
// newest. What has half of the words that the best has, or fewer, is left out.
func (p *Past) Search(ctx context.Context, chat event.Chat, text string, most int) ([]event.Event, error) {
	words := p.read().words(text)
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 || most <= 0 {
		return nil, nil
	}
	terms := p.readTerms()
	behind, err := p.behind(ctx, chat, terms)
	if err != nil {
		return nil, err
	}
	candidates, all, err := p.read().candidates(words, func(words [][]string) ([]int64, error) {
		ids, err := p.texts.Holding(ctx, chat, words, perWord)
		return append(behind.holding(words), ids...), err
	})
	if err != nil {
		return nil, err
	}
	events, err := p.texts.ByNumber(ctx, candidates)
	if err != nil {
		return nil, err
	}
	type hit struct {
		event.Event
		match
	}
	var found []hit
	best := 0.0
	for _, e := range events {
		one := hit{e, score(terms(e), all)}
		found, best = append(found, one), max(best, one.words)
	}
	found = slices.DeleteFunc(found, func(h hit) bool { return h.words*2 <= best })
	slices.SortFunc(found, func(a, b hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Seq, a.Seq)) })
	events = events[:0]
	for _, h := range found[:min(len(found), most)] {
		events = append(events, h.Event)
	}
	return events, nil
}

// unindexed is the terms of events that are not in the index, the newest first.
type unindexed []struct {
	seq   int64
	terms []string
}

// behind updates the index, and returns what is not in it all the same, such as on a full disk.
func (p *Past) behind(ctx context.Context, chat event.Chat, terms func(event.Event) []string) (rest unindexed, err error) {
	if failed := p.texts.Update(ctx, terms); failed == nil || ctx.Err() != nil {
		return nil, failed
	}
	after, err := p.texts.Indexed(ctx)
	if err != nil {
		return nil, err
	}
	for e, err := range p.texts.Since(ctx, chat, after) {
		if err != nil {
			return nil, err
		}
		rest = append(rest, struct {
			seq   int64
			terms []string
		}{e.Seq, terms(e)})
	}
	slices.Reverse(rest)
	return rest, nil
}

// holding returns the newest that have all of some words, as [Texts] does.
func (u unindexed) holding(words [][]string) (ids []int64) {
	has := func(terms []string, form string) bool {
		start, isPrefix := strings.CutSuffix(form, "*")
		i, found := slices.BinarySearch(terms, start)
		return found || isPrefix && i < len(terms) && strings.HasPrefix(terms[i], start)
	}
	for _, one := range u {
		lacks := func(forms []string) bool {
			return !slices.ContainsFunc(forms, func(form string) bool { return has(one.terms, form) })
		}
		if slices.ContainsFunc(words, lacks) {
			continue
		}
		if ids = append(ids, one.seq); len(ids) == perWord {
			break
		}
	}
	return ids
}

// Forms returns the words of a text with the beginnings that their other forms share, to show where a text has them.
func (p *Past) Forms(text string) string {
	forms := strings.Fields(text)
	for _, w := range p.read().words(text) {
		shortest := slices.MinFunc(w.forms, func(a, b string) int { return utf8.RuneCountInString(a) - utf8.RuneCountInString(b) })
		if !slices.Contains(forms, shortest) {
			forms = append(forms, shortest)
		}
	}
	return strings.Join(forms, " ")
}
