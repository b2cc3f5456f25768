package intents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"hob/internal/lazyregexp"
)

// A question is answered with the thing alone: "remind me to call mum", "When?", "tomorrow at 8". How a chore and an answer become one
// sentence stands in the file of each language, with the kind of chore:
//
//	complete = ["add {items} to {list}", "add {items} to the {list} list"]
//
// What the person has filled in already stands in its slots, {said} is all of their words, {time} is a time, and the answer stands in the
// one slot that is left.

// longestAnswer is how many words an answer has at most. What is longer is another matter.
const longestAnswer = 20

// sentenceEnd is the end of a sentence with another one behind it. "8 a.m. tomorrow" and "am 3. Mai" have none.
var sentenceEnd = lazyregexp.New(`(?:\p{L}{2,}\.|[!?;])(?: |\p{Han})`)

// defaults are what arguments are where their slot is not there.
var defaults = lazyregexp.New(`\|[^}]*`)

// Complete returns the sentences that the words of a reading which asks may become with an answer to its question, the likeliest first.
// There are none where the answer is a question, a negation or prose. Whoever reads one of them asks [Reading.IsCompletedBy].
func (r Reading) Complete(answer string) (sentences []string) {
	t := fold(answer)
	if r.Ask == "" || r.Call.Name != "" || r.from == nil || !r.from.lang.isAnswer(t) {
		return nil
	}
	answer = t.original(0, len(t.norm))
	for form := range strings.SplitSeq(r.from.lang.section("complete."+r.Kind), "\n") {
		if left := r.left(form); left != "" {
			fill := append(r.from.words(), left, answer, "{said}", r.input)
			sentences = append(sentences, strings.NewReplacer(fill...).Replace(form))
		}
	}
	return sentences
}

// MeantBy returns what was meant where an answer says yes to "did you mean", the zero Reading where it says no, and false where it says
// neither.
func (r Reading) MeantBy(answer string) (Reading, bool) {
	t := fold(answer)
	says := func(list string) bool {
		return r.Meant != nil && !t.asks && slices.ContainsFunc(r.may, func(l language) bool { return l.has(list, strings.ReplaceAll(t.norm, ",", "")) })
	}
	if says("yes") {
		return *r.Meant, true
	}
	return Reading{}, says("no")
}

// isAnswer reports whether a text may fill in one thing.
func (l *language) isAnswer(t folded) bool {
	if t.norm == "" || t.asks || l.ends("asks", t.norm) || l.startsWith("stalls", t.norm) ||
		strings.ContainsAny(t.text, "\n\r") || sentenceEnd().MatchString(t.norm) {
		return false
	}
	words := (&matcher{folded: t, lang: l}).wordsIn(0, len(t.norm))
	return len(words) <= longestAnswer && !slices.ContainsFunc(words, func(w foundWord) bool { return l.negates(w.text) })
}

// left returns the one slot of a form that an answer fills in, "" where the form is for another question: it does not keep what the
// person has said, or lacks another thing.
func (r Reading) left(form string) (left string) {
	args := kindOf(r.from.kind).args
	if !strings.Contains(form, "{said}") {
		for _, s := range r.from.slots {
			if strings.Contains(args, "{"+s.name) && !strings.Contains(form, "{"+s.name+"}") && !r.from.isNumber(s) {
				return ""
			}
		}
	}
	for _, slot := range slotName().FindAllString(form, -1) {
		switch {
		case slot == "{said}" || slices.Contains(r.from.words(), slot) && slot != r.lacks:
		case left != "" || r.lacks != "" && slot != r.lacks:
			return ""
		default:
			left = slot
		}
	}
	return left
}

// words returns the slots of a parse with the person's words in them, each in braces and before its words.
func (p parse) words() (all []string) {
	for _, s := range p.slots {
		all = append(all, "{"+s.name+"}", strings.Trim(p.text.original(s.from, s.to), " ,:"))
	}
	return all
}

// isNumber reports whether a slot has a number alone, such as 90 in "set timer 90": no name.
func (p parse) isNumber(s slot) bool {
	words := p.text.norm[s.from:s.to]
	return len(numberShape().FindString(words)) == len(words)
}

// IsCompletedBy reports whether another reading is that of the chore of r with what it lacks, and with all that r has.
func (r Reading) IsCompletedBy(other Reading) bool {
	if r.from != nil && other.Kind == r.Kind && r.lacks == lacksTime && other.vain {
		return strings.HasSuffix(strings.TrimSpace(other.input), strings.TrimSpace(r.input)) // it says when, and that cannot be
	}
	if r.from == nil || other.Kind != r.Kind || other.Asks || other.Ask != "" && (other.lacks != lacksText || r.lacks != "") {
		return false
	}
	if other.Ask != "" {
		return true // "remind me" has a time now, and still no text
	}
	var has, gets map[string]any
	if json.Unmarshal(r.from.arguments(defaults().ReplaceAllString(kindOf(r.from.kind).args, "")), &has) != nil || json.Unmarshal(other.Call.Args, &gets) != nil {
		return false
	}
	if other.Call.Name == remindTool {
		title, _ := has["title"].(string)
		before, _ := has["text"].(string)
		text, _ := gets["text"].(string)
		return r.lacks != lacksTime || len(strings.TrimSpace(strings.TrimPrefix(text, title))) <= len(before) // it says when, and no more
	}
	return holdsAll(gets, has)
}

// Covers reports whether a chore that only looks names nothing but what r names, too: "the shopping list" shows it, and says which.
func (r Reading) Covers(other Reading) bool {
	var all, part map[string]any
	if other.Acts || other.Ask != "" || json.Unmarshal(r.Call.Args, &all) != nil || json.Unmarshal(other.Call.Args, &part) != nil {
		return false
	}
	return len(part) > 0 && holdsAll(all, part)
}

// AsksWhen reports whether a reading asks for a time. Then words that only greet or correct may be one: "morgen", "no, on Monday".
func (r Reading) AsksWhen() bool { return r.lacks == lacksTime }

// IsGreeting reports whether words only greet.
func (r Reading) IsGreeting() bool { return r.Kind == greeting }

// NewTime returns the words of time to which a reading moves a reminder of just now, "" where it moves none.
func (r Reading) NewTime() string {
	var in struct{ Change string }
	if !r.Near || r.Call.Name != changeTool || json.Unmarshal(r.Call.Args, &in) != nil || in.Change == "done" || in.Change == "cancel" {
		return ""
	}
	return in.Change
}

// About returns a reading that cancels a reminder without saying which as one of a reminder that was just made.
func (r Reading) About(id int64) Reading {
	if r.Call.Name == changeTool && string(r.Call.Args) == `{"only":"reminders","change":"cancel"}` {
		r.Call.Args = fmt.Appendf(nil, `{"id":%d,"change":"cancel"}`, id)
	}
	return r
}

// holdsAll reports whether some arguments are among others.
func holdsAll(all, part map[string]any) bool {
	for name, value := range part {
		if !reflect.DeepEqual(value, all[name]) {
			return false
		}
	}
	return true
}

// What a reminder lacks: the slot of the forms that its answer fills in.
const (
	lacksTime = "{time}"
	lacksText = "{text}"
)

// SaidAt returns when the words of time of the completed sentence were said: with the answer, unless the question has them.
func (r Reading) SaidAt(answer time.Time) time.Time { return cmp.Or(r.timed, answer) }

// lacking returns a question in place of a reading, which an answer in that slot completes.
func (r Reading) lacking(slot, question string) Reading {
	r.lacks = slot
	return r.asking(question)
}
