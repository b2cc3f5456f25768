package agent

import (
	"slices"
	"strings"

	"hob/internal/agent/claims"
	"hob/internal/event"
)

// answer is words of the model for a person, and what is not so in them.
type answer struct {
	text       string
	lies       []string // see [Turn.findUntrue]
	ungrounded []string // see [Turn.findUngrounded]
}

// examine returns the words of a text with what is not so in them.
func (t Turn) examine(text string) answer {
	return answer{text, t.findUntrue(text), t.findUngrounded(text)}
}

// marked returns the words with notes for the person: on what they say was done and was not, and on what no result has.
func (a answer) marked() string {
	if len(a.lies) > 0 {
		a.text += "\n\n[hob: " + strings.Join(joinNothing(a.lies), "; ") + ".]"
	}
	if len(a.ungrounded) > 0 {
		a.text += "\n\n[hob: in no result: " + strings.Join(a.ungrounded, ", ") + ".]"
	}
	return a.text
}

// answerCheck is a reason for which an answer is not the last word. Its note has the section of notes.md that is called like why.
type answerCheck struct {
	why     event.Why
	setback string                                              // what a person reads while the model is asked again; "": nothing
	find    func(Turn, answer) (forNote []string, objects bool) // forNote is what [newNudge] puts into the note
}

// answerChecks are in their order: the first that objects is the one that counts. Of an announcement a person reads nothing: what was
// announced comes next.
func answerChecks() []answerCheck {
	return []answerCheck{
		{event.ForScript, "it answers in another script", func(t Turn, a answer) ([]string, bool) {
			asked, answered := t.otherScript(a.text)
			return []string{"asked", asked, "answered", answered}, answered != ""
		}},
		{event.ForAnnounced, "", func(t Turn, a answer) ([]string, bool) {
			return nil, len(t.Tools) > 0 && claims.Announces(a.text)
		}},
		{event.ForClaimed, "it says so, but no tool has done it", func(t Turn, a answer) ([]string, bool) {
			return []string{"lies", strings.Join(a.lies, "; ")}, len(t.Tools) > 0 && len(a.lies) > 0
		}},
		{event.ForOverlooked, "it overlooked a line of a result", func(t Turn, a answer) ([]string, bool) {
			word, tool := t.overlooked(a.text)
			return []string{"word", word, "tool", tool}, word != ""
		}},
		{event.ForUngrounded, "it says what no result says", func(_ Turn, a answer) ([]string, bool) {
			return []string{"names", strings.Join(a.ungrounded, ", ")}, len(a.ungrounded) > 0 && len(a.lies) == 0
		}},
	}
}

// isObjection reports whether a note of that kind is of one of [answerChecks].
func isObjection(why event.Why) bool {
	return slices.ContainsFunc(answerChecks(), func(c answerCheck) bool { return c.why == why })
}

// objection is the note that the model reads when its answer cannot be the end, once for each reason, and what a person reads then.
func (t Turn) objection(a answer) []event.Body {
	if t.Progress.WhyCallsOff() != "" {
		return nil
	}
	for _, c := range answerChecks() {
		if t.Progress.CountNudges(c.why) > 0 {
			continue
		}
		if forNote, objects := c.find(t, a); objects {
			bodies := []event.Body{newNudge(c.why, string(c.why), forNote...)}
			if c.setback != "" {
				bodies = append(bodies, event.Noted{Text: c.setback + ": asking again"})
			}
			return bodies
		}
	}
	return nil
}
