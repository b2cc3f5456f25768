package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hob/internal/agent/claims"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
	"hob/internal/tools"
)

// ask plays [Ask]: it asks the model and goes on with the calls or the words of the reply.
func (a *Agent) ask(ctx context.Context, t Turn, emit Emit) (Turn, Phase, error) {
	r, err := a.chat(ctx, t.withStageOptions(), emit)
	switch {
	case t.Stage != nil && errors.Is(err, errTime): // the stage never saw the whole reply, so none of it counts
		last := t.newGenerated(r, "")
		e := outOfTimeEnding()
		e.Last = &last
		return t.WithEnding(e), Finish, nil
	case err != nil:
		return t.EndOrFail(r.shown, err)
	case t.state.rules.WordsOnly:
		return t.keepServerCount(r).WithEnding(t.onlyWords(r)), Finish, nil
	case t.isPromptCut(r):
		next, shorter, err := a.shortenCutPrompt(ctx, t, r, emit)
		if err != nil {
			return t.EndOrFail("", err)
		} else if shorter {
			return next, Resume, nil
		}
		t = next
	}
	switch read := r.reading; {
	case len(read.Calls) > 0:
		return a.recordCalls(t, r, emit)
	case read.Class == toolcall.Text,
		read.Class == toolcall.Truncated && read.Text != "" && read.Raw == "": // a text was cut off, not a call
		return t.takeWords(r, emit)
	}
	t.state.reply = r
	return t, Recover, nil
}

// recordCalls records a reply with calls and goes on from it. Calls that do not fit get their error
// results in the same write, because their mistakes are known only here: a crash would lose them.
func (a *Agent) recordCalls(t Turn, r reply, emit Emit) (Turn, Phase, error) {
	generated := t.newGenerated(r, r.reading.Text)
	if t.state.rules.CallsOnly { // no check has seen the words beside the calls
		generated.Message.Text, generated.Raw = "", cmp.Or(r.reading.Raw, r.reading.Text)
	}
	class := toolcall.Malformed
	var called, answered []event.Body
	normalize := t.normalizer()
	for i, c := range r.reading.Calls {
		c.Call = normalize(c.Call)
		generated.Message.Calls = append(generated.Message.Calls, c.Call)
		repairs := append([]string{}, c.Repairs...) // never nil: the journal has a list even if it is empty
		called = append(called, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args, Repairs: repairs})
		if bad, ok := t.findMistake(c, i); ok {
			answered = append(answered, a.sanitize(bad))
			continue
		}
		class = toolcall.Calls
	}
	generated.Class = string(class)
	t, err := t.keepServerCount(r).Emit(emit, append(append([]event.Body{generated}, called...), answered...)...)
	if err != nil {
		return t, End, err
	}
	return t.goOnFromCalls(r, class == toolcall.Calls)
}

// goOnFromCalls goes on from recorded calls; anyFits says that at least one of them fits.
func (t Turn) goOnFromCalls(r reply, anyFits bool) (Turn, Phase, error) {
	if anyFits {
		t.state.lostPart = r.reading.Reason
	}
	ending := func(cause Cause, reason event.Reason, words string) Turn {
		words = strings.TrimSpace(t.examine(r.reading.Text).withNotes() + "\n\n" + words)
		return t.WithEnding(Ending{Cause: cause, Reason: reason, Reply: event.Replied{Text: words}})
	}
	switch why := t.Progress.WhyCallsOff(); {
	case why != "": // the model has read that calls are refused and calls all the same: hob ends the turn
		return ending(Overcalls, reasonOf(why), budgetWords(why)+t.lastResult()), RunCalls, nil
	// This comes before the limits. A crash between the last reply that may be wasted and the end
	// of the turn gives the model one more reply, and its calls need results too.
	case anyFits:
		return t.refreshTools(), RunCalls, nil
	case t.Progress.failures.unfit >= maxUnfit+maxStructured || t.Progress.Wasted >= maxWasted:
		return ending(Misfit, event.NoModel, misfitWords), Finish, nil
	}
	return t, Resume, nil
}

// findMistake returns the error result of the nth call of a reply, counted from 0, if the call
// cannot run as written.
func (t Turn) findMistake(c toolcall.Call, n int) (event.Returned, bool) {
	var e *tools.Error
	switch {
	case t.Progress.WhyCallsOff() != "":
		return event.Returned{}, false // the refusal of all calls follows
	case n > 0 && t.Profile.OneCall:
		e = tools.Failed("not run: one call at a time").Suggest("look at the result of the first, then call this again")
	case c.Valid():
		return event.Returned{}, false
	default:
		code, kind := string(c.Problems[0].Kind), event.TypeValidation
		if t.tool(c.Name) == nil {
			if no := t.whyDenied(c.Name); no != nil {
				return deniedResult(c.Call, no), true
			}
			code, kind = event.CodeToolNotFound, event.TypeNotFound
		}
		e = &tools.Error{Type: kind, Code: code, Message: listProblems(c)}
	}
	r := errorResult(c.Call, byCheck, e)
	if !c.Valid() {
		afterThis := t.Progress.failures // as the next request will see it
		afterThis.unfit++
		afterThis.doubtful = afterThis.doubtful || c.Asked()
		r.Text = t.state.offer.Correction(t.form(afterThis), c, afterThis.unfit)
	}
	return r, true
}

// listProblems lists the problems of a call in one sentence.
func listProblems(c toolcall.Call) string {
	text := c.Problems[0].String()
	for _, p := range c.Problems[1:] {
		text += "; " + p.String()
	}
	return text
}

// normalizer returns a function that gives each call a new ID if it has none or one that the
// conversation or the turn already used: some servers repeat IDs, and a call parsed from text has
// none. Missing arguments, and arguments that are not JSON, become an empty object: such a call
// never runs, and the journal takes only JSON.
func (t Turn) normalizer() func(llm.Call) llm.Call {
	seen := map[string]bool{}
	for _, m := range t.History {
		for _, c := range m.Calls {
			seen[c.ID] = true
		}
	}
	for _, p := range t.Progress.answered {
		seen[p.ref.ID] = true
	}
	return func(c llm.Call) llm.Call {
		id := cmp.Or(c.ID, "call")
		c.ID = id
		for n := 2; seen[c.ID]; n++ {
			c.ID = fmt.Sprintf("%s#%d", id, n)
		}
		seen[c.ID] = true
		if !json.Valid(c.Args) {
			c.Args = []byte("{}")
		}
		return c
	}
}

// takeWords goes on from a reply in words. It is the answer, unless one of [answerChecks] objects.
// Then the model is asked again, once; if the next answer has the same fault, it carries a note for
// the person.
func (t Turn) takeWords(r reply, emit Emit) (Turn, Phase, error) {
	text := strings.TrimSpace(r.reading.Text)
	if clean := t.cleanWords(text); t.Stage == nil && clean != text {
		if err := r.takeBack(emit); err != nil {
			return t, End, err
		}
		text = clean
	}
	generated := t.newGenerated(r, text)
	t = t.keepServerCount(r)
	e := Ending{Reply: event.Replied{Text: text}, Last: &generated}
	if r.truncated {
		e.Cause = Cut
	}
	if t.state.rules.CallsOnly {
		return t.WithEnding(e), Finish, nil
	}
	a := t.examine(text)
	if objection := t.objection(a); len(objection) > 0 && !r.truncated {
		if err := r.takeBack(emit); err != nil {
			return t, End, err
		}
		t, err := t.Emit(emit, append([]event.Body{generated}, objection...)...)
		return t, Resume, err
	}
	switch {
	case r.truncated:
		a.text += "\n\n[The reply was cut off here: it reached its limit of tokens.]"
		a.lies = t.findUntrue(a.text)
	case len(a.lies)+len(a.ungrounded) == 0 && t.Progress.CountNudges(event.ForAnnounced) > 0 && claims.Announces(text):
		a.text += "\n\n[hob: the model only said so and did nothing.]"
	}
	e.Reply.Text = a.withNotes()
	return t.WithEnding(e), Finish, nil
}

// maxOnlyWords limits, in bytes, a reply for which only words were asked. A longer one has missed
// the point.
const maxOnlyWords = 16 << 10

// onlyWords returns the ending for a reply for which only words were asked. Calls in it are
// ignored.
func (t Turn) onlyWords(r reply) Ending {
	text := strings.TrimSpace(r.reading.Text)
	last := t.newGenerated(r, text)
	e := Ending{Reply: event.Replied{Text: text}, Last: &last}
	unreadable := r.reading.Class != toolcall.Text && len(r.reading.Calls) == 0
	if r.err != nil || r.truncated || text == "" || len(text) > maxOnlyWords || unreadable {
		e.Cause, e.Reply.Text = Unusable, failureWords(r)
	} else {
		e.Reply.Text = answer{text: text, ungrounded: t.findUngrounded(text)}.withNotes()
	}
	return e
}

// keepServerCount stores the server's token count of the prompt. The count excludes the reply, and
// it is not comparable in another mode, whose prompt differs.
func (t Turn) keepServerCount(r reply) Turn {
	if n := r.usage.PromptTokens; n > 0 && t.mode() == t.Profile.Mode {
		t.state.counted = counted{messages: len(t.History), tokens: n}
	}
	return t
}
