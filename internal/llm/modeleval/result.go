package modeleval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/llm"
)

// The least that a machine has to give. Below 4,096 tokens a head, a question and one result of a tool do not fit together. Three
// tokens a second is half of what people read; at twenty, a first prompt of 1,500 tokens takes more than a minute.
const (
	leastContext = 4096
	leastEval    = 3.0
	leastPrompt  = 20.0
)

// checkMachine makes the checks of what is under the model. tokens is the context that the server gives.
func (b *battery) checkMachine(ctx context.Context) (checks []Check, tokens int, err error) {
	began := b.now()
	size := Check{Name: "effective context"}
	if b.subject.Context == nil {
		size.Skipped, size.Note = true, "nobody asked the server"
	} else {
		limited, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		tokens, err = b.subject.Context(limited)
		if ctx.Err() != nil {
			return nil, 0, fmt.Errorf("try model: %w", context.Cause(ctx))
		}
		wanted := max(leastContext, b.subject.Profile.NumCtx)
		switch {
		case err != nil:
			tokens, size.Skipped, size.Note = 0, true, oneLine(err.Error())
		case tokens <= 0:
			tokens, size.Skipped, size.Note = 0, true, "the server does not say"
		case tokens < wanted:
			size.Note = fmt.Sprintf("%d tokens, and %d are wanted", tokens, wanted)
		default:
			size.Pass, size.Note = true, fmt.Sprintf("%d tokens", tokens)
		}
	}
	size.TookMS = b.now().Sub(began).Milliseconds()
	b.onCheck(size)

	speed := Check{Name: "speed"}
	prompt, eval := b.meter.promptPerSecond(), b.meter.evalPerSecond()
	speed.Note = fmt.Sprintf("reads %.0f and writes %.1f tokens a second", prompt, eval)
	switch {
	case eval == 0:
		speed.Skipped, speed.Note = true, "the server does not say"
	case eval < leastEval || prompt > 0 && prompt < leastPrompt:
		speed.Note += fmt.Sprintf("; %.0f and %.0f are wanted", leastPrompt, leastEval)
	default:
		speed.Pass = true
	}
	b.onCheck(speed)
	return []Check{size, speed}, tokens, nil
}

// profileOf is the profile that the round makes of what was known. Habits are only added: that a model did well once
// does not prove that it has lost one. The context stays as it is, because what a server gives today depends on what else
// it runs; and so does the number of tools, because who uses the model has to choose which it can do without.
func (r *round) profileOf(known Subject) llm.Profile {
	p := known.Profile
	p.Mode = r.mode
	if known.Thinking {
		p.Think = r.think
	}
	p.OneCall = !r.find(parallelCalls).Pass
	p.Quirks = append([]llm.Quirk(nil), p.Quirks...)
	add := func(q llm.Quirk, has bool) {
		if has && !p.Has(q) {
			p.Quirks = append(p.Quirks, q)
		}
	}
	add(llm.OverCalls, !r.find(noneNeeded).Pass)
	add(llm.StrictPromotion, r.promoted)
	add(llm.FlatArguments, !r.find(nestedObject).Pass)
	return p
}

// verdict is the card in one line.
func verdict(best, other *round, all []Check) string {
	if best.slow {
		return "not for hob: one call took longer than " + checkTime.String()
	}
	if !best.works {
		return "not for hob: it never made a call that could be run"
	}
	n, of := tally(all)
	word := "not for hob"
	switch {
	case 5*n >= 4*of:
		word = "good"
	case 2*n >= of:
		word = "usable"
	}
	text := fmt.Sprintf("%s: %d of %d", word, n, of)
	switch best.mode {
	case llm.PromptMode:
		text += " with tools told in the prompt"
	case llm.SchemaMode:
		text += " with calls bound by a schema"
	}
	if other != nil {
		ways := map[llm.Mode]string{llm.NativeMode: "natively", llm.PromptMode: "told in the prompt"}
		otherPassed, otherMade := tally(other.checks)
		passed, made := tally(best.checks[:best.behaviour])
		text += fmt.Sprintf(" (%s it passed %d of %d of behaviour, this way %d of %d)", ways[other.mode], otherPassed, otherMade, passed, made)
	}
	var failed []string
	for _, c := range all {
		if !c.Pass && !c.Skipped {
			failed = append(failed, c.Name)
		}
	}
	if len(failed) > 0 {
		text += ", not " + strings.Join(failed, ", ")
	}
	return text
}

// Lines is the card as people read it, one line a check, for a terminal and for the comments of a profile.
func (c Card) Lines() []string {
	lines := []string{c.Verdict}
	for _, check := range c.Checks {
		state := "failed"
		switch {
		case check.Pass:
			state = "passed"
		case check.Skipped:
			state = "skipped"
		}
		line := fmt.Sprintf("%s: %s", check.Name, state)
		if check.Runs > 1 {
			line += fmt.Sprintf(" (%d of %d)", check.Passed, check.Runs)
		}
		if took := check.took(); took > 0 {
			line += fmt.Sprintf(" in %v", took.Round(100*time.Millisecond))
		}
		if check.Note != "" {
			line += ": " + check.Note
		}
		lines = append(lines, line)
	}
	return lines
}
