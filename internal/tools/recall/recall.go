// Package recall has the tools of what is known: recall finds facts, and what was said and done earlier in a conversation; remember keeps
// a fact, and forget removes one. What facts are, and who may know them, is said in package memory.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

// Bounds of recall.
const (
	defaultRecall = 5
	maxRecall     = 20
	maxQuery      = 1000 // bytes
	maxSnippet    = 300  // bytes
	maxFacts      = 5
)

// History is what happened in a chat, to be searched.
type History interface {
	// Search returns the events of exactly that chat whose text has the words, or most of them, at most limit of them and the best
	// first. [HitOf] makes a Hit of an event, [TextOf] is the text.
	Search(ctx context.Context, chat event.Chat, words string, limit int) ([]Hit, error)
}

// Hit is an event in which a search found its words.
type Hit struct {
	Seq  int64
	Time time.Time // shown in its own zone
	Kind string    // said, replied, called, returned, noted, summary
	Text string    // the words and a little around them; of it 300 bytes are shown, as one line
	By   string    // who it is of: the id of the input that was said, or the tool that was called or has returned

	Label event.Label // of what it says
}

// OnlyFacts stands before a query that is about facts alone: a person who asks what is known has said it themselves.
const OnlyFacts = "facts: "

const saidKind = "said" // of a [Hit]

// HitOf returns e as a search for words shows it, and whether there is anything to show.
func HitOf(e event.Event, words string) (Hit, bool) {
	text, ok := event.Readable(e.Body)
	if !ok {
		return Hit{}, false
	}
	f := Hit{Seq: e.Seq, Time: e.Time, Text: Snippet(text, words)}
	switch b := e.Body.(type) {
	case event.Said:
		f.Kind, f.By, f.Label = saidKind, b.InputID, b.Origin()
	case event.Called:
		f.Kind, f.By, f.Label = "called", b.Tool, b.Label
	case event.Returned:
		f.Kind, f.By, f.Label = "returned", b.Tool, b.Label
	case event.Noted:
		f.Kind, f.Label = "noted", b.Label
	case event.Replied:
		f.Kind, f.Label = "replied", b.Label
	}
	return f, true
}

// TextOf returns the text by which an event is found, "" for one that is not: what a search asked and answered is an echo.
func TextOf(e event.Event) string {
	by := ""
	switch b := e.Body.(type) {
	case event.Called:
		by = b.Tool
	case event.Returned:
		by = b.Tool
	}
	if tools.NameToday(by) == Name { // in an old journal it has its old name
		return ""
	}
	text, _ := event.Readable(e.Body)
	return text
}

type recallArgs struct {
	Query string `json:"query"`
	Max   int    `json:"max_results,omitempty" quiet:"true"`
}

// recallData is the Data of recall.
type recallData struct {
	Facts []fact     `json:"facts"`
	Found []recalled `json:"found"`
}

type fact struct {
	ID   int64     `json:"id"`
	Key  string    `json:"key,omitempty"`
	Text string    `json:"text"`
	Time time.Time `json:"time"`
}

type recalled struct {
	Seq  int64     `json:"seq"`
	Time time.Time `json:"time"`
	Kind string    `json:"kind"`
	By   string    `json:"by,omitempty"` // a tool
	Text string    `json:"text"`
}

// New returns recall: it finds what is known of the person and the house, and words in what was said and done before in the chat that
// calls it, also where the model is no longer told of it. No other chat can be searched.
//
// zone is that of the times in its answer. What the search itself asked and answered is not found, nor the words of the person that it is called for.
func New(h History, f Facts, zone func() *time.Location) tools.Tool {
	return tools.New(tools.Def{
		Name:         Name,
		Description:  "Find facts, and what was said in this chat.",
		Capabilities: tools.Reads | tools.Private,
		Command:      "recall <query:string...>",
		Examples:     []string{"recall the name of the plumber"},
	}, recall{h, f, zone}.search)
}

// Name is the tool's name.
const Name = "recall"

type recall struct {
	history History
	facts   Facts
	zone    func() *time.Location
}

func (r recall) search(ctx context.Context, in recallArgs) (tools.Result, error) {
	words := strings.Fields(in.Query)
	in.Max = cmp.Or(in.Max, defaultRecall)
	switch {
	case len(words) == 0:
		return tools.Result{}, tools.Invalid(event.CodeRequiredField, "query: must hold a word")
	case len(in.Query) > maxQuery:
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "query: must have at most %d bytes", maxQuery)
	case in.Max < 1 || in.Max > maxRecall:
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "max_results: must be 1 to %d, not %d", maxRecall, in.Max)
	}
	if tools.CallerFrom(ctx).Chat == "" {
		return tools.Result{}, tools.Missing(event.CodeExecutionFailed, "there is no chat to search: the call comes from none")
	}
	if about, ok := strings.CutPrefix(in.Query, OnlyFacts); ok {
		return r.facts.about(ctx, about)
	}
	known, err := r.facts.search(ctx, in.Query)
	if err != nil {
		return tools.Result{}, err
	}
	found, err := r.find(ctx, strings.Join(words, " "), in.Max)
	if err != nil {
		return tools.Result{}, err
	}
	d := recallData{Facts: []fact{}, Found: []recalled{}}
	from := event.Label{Private: true, Source: "chat"}
	var b strings.Builder
	zone := r.zone()
	for _, f := range known {
		fmt.Fprintf(&b, "%s known: #%d %s\n", f.Time.In(zone).Format("2006-01-02 15:04"), f.ID, oneLine(f.Text))
		d.Facts = append(d.Facts, fact{f.ID, f.Key, f.Text, f.Time})
	}
	for _, f := range found {
		one := recalled{Seq: f.Seq, Time: f.Time, Kind: f.Kind, Text: oneLine(f.Text)}
		one.Text = one.Text[:display.CutAt(one.Text, maxSnippet)]
		from.Untrusted = from.Untrusted || f.Label.Untrusted
		who := f.Kind
		if f.Kind != saidKind {
			if one.By = f.By; one.By != "" {
				who = oneLine(f.By) + " " + f.Kind
			}
		}
		fmt.Fprintf(&b, "%s %s: %s\n", f.Time.In(zone).Format("2006-01-02 15:04"), who, one.Text)
		d.Found = append(d.Found, one)
	}
	if len(found)+len(known) == 0 {
		fmt.Fprintf(&b, "nothing earlier in this chat holds %s; try fewer or other words\n", allOf(words))
	}
	return tools.Result{Text: strings.TrimSuffix(b.String(), "\n"), Data: d, Label: from}, nil
}

// find returns the events that have the words, without those of the request that it is called for.
func (r recall) find(ctx context.Context, words string, most int) ([]Hit, error) {
	caller := tools.CallerFrom(ctx)
	found, err := r.history.Search(ctx, caller.Chat, words, most+1)
	if ctx.Err() != nil {
		return nil, tools.EndedError(ctx, Name, "")
	}
	if err != nil {
		return nil, tools.Failed("what was said earlier could not be searched: %s", display.Reason(err))
	}
	found = slices.DeleteFunc(found, func(f Hit) bool { return f.Kind == saidKind && f.By != "" && f.By == caller.RequestID })
	return found[:min(most, len(found))], nil
}

func allOf(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = display.Quote(word)
	}
	return strings.Join(quoted, " and ")
}

// oneLine makes a text one line without control characters, so that it cannot pass for another result.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return display.Join(text)
}

// Snippet returns the part of text that holds the most of words, with a little around it: one line of at most 300
// bytes, with dots where it is cut. Case does not matter. Where text holds none of them it is the beginning.
func Snippet(text, words string) string {
	const dots = "..."
	line := oneLine(text)
	if len(line) <= maxSnippet {
		return line
	}
	room := maxSnippet - 2*len(dots)
	folded := event.Fold(line)
	at := densest(folded, strings.Fields(event.Fold(words)), room)
	// The n-th rune of the fold is the n-th of the line.
	from := 0
	for range utf8.RuneCountInString(folded[:at]) {
		_, n := utf8.DecodeRuneInString(line[from:])
		from += n
	}
	from = max(0, min(from-room/5, len(line)-room))
	to := from + room
	for from > 0 && !utf8.RuneStart(line[from]) {
		from++
	}
	to = display.CutAt(line, to)
	before, after := "", ""
	if from > 0 {
		before = dots
	}
	if to < len(line) {
		after = dots
	}
	return before + line[from:to] + after
}

// densest returns where in text the first stretch begins, of about room bytes, in which the most of words begin.
func densest(text string, words []string, room int) int {
	type hit struct{ at, word int }
	var hits []hit
	for i, word := range words {
		const most = 1000 // of one word
		for at, n := 0, 0; n < most; n++ {
			next := strings.Index(text[at:], word)
			if next < 0 {
				break
			}
			hits = append(hits, hit{at + next, i})
			at += next + len(word)
		}
	}
	sort.Slice(hits, func(i, j int) bool { return hits[i].at < hits[j].at })
	seen := make([]int, len(words))
	best, most, distinct, first := 0, 0, 0, 0
	for _, h := range hits {
		if seen[h.word]++; seen[h.word] == 1 {
			distinct++
		}
		for hits[first].at < h.at-room*3/5 {
			if seen[hits[first].word]--; seen[hits[first].word] == 0 {
				distinct--
			}
			first++
		}
		if distinct > most {
			most, best = distinct, hits[first].at
		}
	}
	return best
}
