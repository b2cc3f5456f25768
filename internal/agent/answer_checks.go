package agent

import (
	"slices"
	"strings"

	"hob/internal/agent/claims"
	"hob/internal/event"
)

// answer is a reply in words, with the mistakes that hob found in it.
type answer struct {
	text       string
	lies       []string // see [Turn.findUntrue]
	ungrounded []string // see [Turn.findUngrounded]
}

// examine returns text with the mistakes in it.
func (t Turn) examine(text string) answer {
	return answer{text, t.findUntrue(text), t.findUngrounded(text)}
}

// withNotes returns the text with notes for the person: one on false claims of action, one on facts
// that no result has.
func (a answer) withNotes() string {
	if len(a.lies) > 0 {
		a.text += "\n\n[hob: " + strings.Join(joinNothing(a.lies), "; ") + ".]"
	}
	if len(a.ungrounded) > 0 {
		a.text += "\n\n[hob: in no result: " + strings.Join(a.ungrounded, ", ") + ".]"
	}
	return a.text
}

// answerCheck is one reason to reject an answer. Its nudge is the section of nudges.md named like
// why.
type answerCheck struct {
	why     event.Why
	setback string                                            // shown to the person while the model is asked again; "": nothing
	find    func(Turn, answer) (pairs []string, objects bool) // pairs fill in the nudge, see [newNudge]
}

// answerChecks lists the checks. The first that objects counts. For an announcement the person is
// shown nothing, because the announced action follows.
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
			word, tool := t.findOverlooked(a.text)
			return []string{"word", word, "tool", tool}, word != ""
		}},
		{event.ForUngrounded, "it says what no result says", func(_ Turn, a answer) ([]string, bool) {
			return []string{"names", strings.Join(a.ungrounded, ", ")}, len(a.ungrounded) > 0 && len(a.lies) == 0
		}},
	}
}

// isObjection reports whether a nudge of this kind comes from one of [answerChecks].
func isObjection(why event.Why) bool {
	return slices.ContainsFunc(answerChecks(), func(c answerCheck) bool { return c.why == why })
}

// objection returns the nudge about the answer, and the status line for the person. It
// returns nil if no check objects, or if the check has objected in this turn before.
func (t Turn) objection(a answer) []event.Body {
	if t.Progress.WhyCallsOff() != "" {
		return nil
	}
	for _, c := range answerChecks() {
		if t.Progress.CountNudges(c.why) > 0 {
			continue
		}
		if pairs, objects := c.find(t, a); objects {
			bodies := []event.Body{newNudge(c.why, string(c.why), pairs...)}
			if c.setback != "" {
				bodies = append(bodies, event.Noted{Text: c.setback + ": asking again"})
			}
			return bodies
		}
	}
	return nil
}
