// Package intents understands chores without a model: sentence templates, one file a language, become calls of tools.
//
//	file          sentences/en.toml: kinds of chores, each with its sentences, such as "note [down] {text}"
//	go generate   compiles the files into sentences.bin, which the program holds; nothing is parsed at its start
//	Read          matches what a person wrote against all sentences: the whole text or nothing
//
// # Certain or not
//
// A [Reading] is certain, or it is none. What a sentence leaves to a person's words (a slot) must not hold what could turn
// its meaning: a negation, a condition, somebody else's words, a second chore. Where two readings differ and neither
// is nearer to the words, there is none. What is no reading goes to the model.
//
// Loosely is for where there is no model: it also forgives letters that are wrong or missing, and words that carry no
// meaning. Guess asks a classifier of which kind a text most likely is. Such a reading has a [Reading.Score] below 1, and who acts on it asks first.
//
// # The files, in reading order
//
//	intents.go                the Reading, and how the best of all parses is chosen
//	kinds.go                  the table of chores: which tool, which arguments
//	language.go               a language as it lies in the compiled file; compile.go writes that, of programs of grammar.go
//	fold.go, traditional.go   a text without what writers do differently, and its clauses
//	match.go                  a text is held against the programs of all sentences
//	slots.go                  the table of the types of slots; numbers.go and items.go fill some of them
//	words.go, times.go        a text is held against lists of words, and asked for words of time
//	guard.go, edges.go        the doubts: what in a reading could turn its meaning, and what a slot has swallowed
//	asides.go, talk.go        politeness, and the story or the reason around an order
//	mentioned.go              an order about what is named before it
//	plain.go, orders.go       words and orders as sentences have them
//	several.go, leftout.go    several chores in a message, and words that say nothing
//	reading.go                a parse becomes a Reading; calculate.go reckons
//	remind.go, later.go       who says when, and the reminder once its time is read; leftover.go is about what is left of its words,
//	                          event.go and appointment.go about what it counts from
//	answer.go, pick.go        a question that is answered, and one of several things that is chosen
//	following.go, suggest.go  what is said right after a chore, and what was no chore
//	likely.go, examples.go    what was learned from the sentences of people, and how; the classifier is in classify
//	own.go, translate.go      an owner's sentences, and tools' answers in other languages
//
// The package runs nothing. It knows no file, no chat and no level: who calls it says whose words these are, looks
// whether what a slot names exists, and makes the calls, through policy, like any other.
package intents

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"hob/internal/llm"
)

//go:generate go run ./gen

//go:embed sentences.bin
var compiled string

// Reading is what a text means.
type Reading struct {
	Kind string // such as "list_add", or the name of an owner's sentence; "" is no reading
	// Call is the call of a tool that it becomes, without an ID. Its Name is "" where it becomes none.
	Call llm.Call
	// Parts are the readings of a message that is several chores, in order. It has no Call then, and its Kind is theirs with a "+" between.
	Parts []Reading
	// Command reports that Call is a row of the table of commands, such as undo, and no tool.
	Command bool
	// Acts reports that the call changes something.
	Acts bool
	// Many reports that the call deletes or empties more than one thing, or one that it has to find: it needs a yes even where it is certain.
	Many bool
	// Ask is the question where one thing is missing; there is no call then. With a call it is about that, which is not made.
	Ask string
	// Fails reports that Ask asks nothing, and says what is not there.
	Fails bool
	// Meant is what a yes to Ask makes of the reading: "did you mean shopping?" Nil where no yes answers it.
	Meant *Reading
	// Unnamed is the call, but for its list, where the words name none. Without a Call it asks, unless there is one list alone; with one, which
	// is about shopping, another list may be meant.
	Unnamed llm.Call
	// Bare reports that Unnamed may be meant, or nothing: "add milk", where there is one list, and "I bought milk", where milk stands open on
	// one.
	Bare bool
	// Answer is what is said where the kind has no call, or before the result of one; "" is nothing.
	Answer string
	// Score is 1 where all words fit, and less where some were forgiven.
	Score float64
	Paths []string // arguments that name files or folders which must be there
	// Asks reports that it is a question about something that may not be where the call looks for it.
	Asks bool
	// Near reports that it is about a reminder of just now, such as "done": without one it means nothing.
	Near bool
	// Everyday reports that it is a reminder that counts from what as a rule stands in no calendar, such as dinner, or that a film starts: where it does not, it is none.
	Everyday bool
	// Retracts reports that it takes back what was just asked for: "never mind".
	Retracts bool
	Lang     string // "en", "de" ...; "own" of an owner's sentence

	may    []language // those that it may be of
	input  string     // its text, without the mark at its end
	others []Reading  // the same in other languages whose words these are, too

	from  *parse    // of a reading that has a call or asks, see [Reading.Complete]
	lacks string    // the slot that an answer fills in, "" where the parse says it
	timed time.Time // when its words of time were said, where it lacks something else
	vain  bool      // it asks when, for its words are of a time that cannot be
}

// IsOfSeveral reports whether the words are of more than one language: In chooses.
func (r Reading) IsOfSeveral() bool { return len(r.others) > 1 }

// In returns the reading in a language, where the words may be of that: "timer 10 min" is English as well as German.
func (r Reading) In(lang string) Reading {
	i := slices.IndexFunc(r.others, func(o Reading) bool { return o.Lang == lang })
	if i < 0 {
		return r
	}
	o := r.others[i]
	o.others = r.others
	return o
}

// Sentences are all sentences that are understood. They do not change, and are safe for concurrent use.
type Sentences struct {
	langs func() []language // decoded when they are first needed
	own   []kind

	last atomic.Pointer[lastReading]
}

// lastReading is what was read last. A message is read when it comes, and again when its turn begins.
type lastReading struct {
	text    string
	reading Reading
}

// Default returns the sentences that come with hob.
func Default() *Sentences {
	return &Sentences{langs: builtin}
}

// Help returns what may be said, with the examples that may be said to hob, in a language; in English where there is none of that name.
func (s *Sentences) Help(lang string, may func(example string) bool) string {
	l, help := languageNamed(s.langs(), lang), ""
	for line := range strings.Lines(l.section("help")) {
		all, separator := examplesIn(line)
		some := slices.DeleteFunc(slices.Clone(all), func(example string) bool { return !may(example) })
		switch {
		case len(some) == len(all):
			help += line
		case len(some) > 0:
			help += "- " + strings.Join(some, separator) + "\n"
		}
	}
	return help
}

// Read returns what a text means for certain.
func (s *Sentences) Read(text string) Reading {
	if l := s.last.Load(); l != nil && l.text == text {
		return l.reading
	}
	r := s.ReadIn("", text)
	s.last.Store(&lastReading{text, r})
	return r
}

// ReadIn is Read in one language alone.
func (s *Sentences) ReadIn(lang, text string) Reading {
	r := s.read(text, lang, false)
	if r.At(anyDay()).Kind == "" && !s.isCondition(text) { // it is none, or has words of time that cannot be read
		if several := s.several(text, lang); several.Kind != "" {
			return several
		}
		if several := s.eachNumber(text, lang); several.Kind != "" {
			return several
		}
		if short := s.withoutEmpty(text, lang); short.Kind != "" {
			return short
		}
		if plain := s.inPlain(text, lang); plain.Kind != "" {
			return plain
		}
	}
	return r
}

// Loosely is Read that forgives what is spelled wrongly and words that say nothing.
func (s *Sentences) Loosely(text string) Reading {
	if r := s.Read(text); r.Kind != "" {
		return r
	}
	return s.read(text, "", true)
}

// read reads a text in a language, or in all that it may be of.
func (s *Sentences) read(text, lang string, loose bool) Reading {
	t := fold(text)
	if t.norm == "" || len(t.norm) > longest || strings.ContainsAny(strings.TrimSpace(text), "\n\r") {
		return Reading{}
	}
	var best []parse
	var may []language
	for _, l := range s.langs() {
		if lang == l.name || lang == "" && l.mayBe(t) {
			may = append(may, l)
			best = append(best, l.parsesSpoken(t, loose)...)
		}
	}
	// Each language has an owner's sentences, and most have the word timer. What makes a reading doubtful in one of those that it may be of
	// makes it so in all.
	best = slices.DeleteFunc(best, func(p parse) bool {
		return slices.ContainsFunc(may, func(l language) bool {
			return p.isOwn() && !l.isCertain(p.text, p.slots) || l.tellsOfTimer(p.text, p) || p.takesAway() && l.isCondition(t)
		})
	})
	if slices.ContainsFunc(may, func(l language) bool { return l.startsWith("scorn", t.norm) }) {
		return Reading{}
	}
	return s.choose(best).ofInput(text, may)
}

// choose returns the reading of the parse that follows the words most closely. Where two of them mean different
// things there is none.
func (s *Sentences) choose(all []parse) Reading {
	all = slices.DeleteFunc(slices.Clone(all), func(p parse) bool { return !p.saysWhen() || p.isForSelf() || p.isTooLong() || s.isOfAChore(p) })
	if len(all) == 0 {
		return Reading{}
	}
	slices.SortStableFunc(all, func(a, b parse) int {
		c := b.compare(a)
		switch {
		case c != 0 || a.kind != b.kind:
			return c
		case a.isOwn():
			return b.things() - a.things()
		}
		return len(b.leading()) - len(a.leading())
	})
	all, retracts := retracting(withoutGreetings(all))
	first, others := all[0].reading(s.own), []Reading(nil)
	first.Retracts = first.Retracts || retracts
	for _, p := range all[1:] {
		if p.compare(all[0]) != 0 {
			break
		}
		if p.isOwn() && p.kind == all[0].kind && p.things() < all[0].things() {
			continue // each language has the sentence, and this one does not know the words between the things
		}
		if p.kind == all[0].kind && all[0].isLaterWith(p) {
			continue
		}
		r := p.reading(s.own)
		r.Retracts = r.Retracts || retracts
		if r.Kind != first.Kind || string(r.Call.Args) != string(first.Call.Args) {
			if r.Kind != calculation || first.Kind != calculation {
				return Reading{}
			}
			first, r = all[0].asking(), p.asking() // 1,000 is a thousand in English, and one in German
		}
		others = append(others, r)
	}
	first.others = append(others, first)
	return first.In("en")
}

// isOfAChore reports whether what a reminder is of, which stands before the order, is a chore to be done now: "put milk on the list, remind me
// tomorrow".
func (s *Sentences) isOfAChore(p parse) bool {
	return slices.ContainsFunc(p.slots, func(of slot) bool {
		return (of.name == "what" && p.kind == "remind/that" || of.name == "event") && s.read(p.text.original(of.from, of.to), p.lang.name, false).Call.Name != ""
	})
}

// Nearest returns the one of some names that another is most likely a slip of: a letter away, or two from a long one. "" is none, as for
// a short name, which may well be meant.
func Nearest(name string, names []string) (nearest string) {
	best := 3
	for _, n := range names {
		wrong, letters := distance(strings.ToLower(name), strings.ToLower(n), best), utf8.RuneCountInString(n)
		if letters >= 6 && wrong > 0 && wrong < best && (wrong == 1 || letters >= 8) {
			nearest, best = n, wrong
		}
	}
	return nearest
}

// retracting leaves out the parses that only take back, where the words also stop what runs or undo, and reports whether there were
// both: "cancel that".
func retracting(all []parse) (kept []parse, both bool) {
	takesBack := func(p parse) bool { return kindOf(p.kind).retracts }
	if !slices.ContainsFunc(all, func(p parse) bool { return p.compare(all[0]) == 0 && takesBack(p) }) {
		return all, false
	}
	kept = slices.DeleteFunc(slices.Clone(all), takesBack)
	if len(kept) == 0 || kept[0].forgiven != all[0].forgiven || !slices.Contains([]string{"stop", "undo"}, kindOf(kept[0].kind).tool) {
		return all, false
	}
	return kept, true
}

// withoutGreetings leaves out the parses that only greet, where the words are of another kind as closely: "你好吗".
func withoutGreetings(all []parse) []parse {
	greets := func(p parse) bool { return p.kind == greeting }
	if slices.ContainsFunc(all, func(p parse) bool { return p.compare(all[0]) == 0 && !greets(p) }) {
		return slices.DeleteFunc(all, greets)
	}
	return all
}

// MarshalJSON writes a reading as hob intent --jsonl prints it.
func (r Reading) MarshalJSON() ([]byte, error) {
	type call struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	calls := []call{}
	for _, part := range r.Chores() {
		calls = append(calls, call{part.Call.Name, part.Call.Args})
	}
	return json.Marshal(struct {
		Intent string  `json:"intent"`
		Calls  []call  `json:"calls"`
		Score  float64 `json:"score"`
		Ask    string  `json:"ask"`
	}{r.Kind, calls, r.Score, r.Ask})
}
