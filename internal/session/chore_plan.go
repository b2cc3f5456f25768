package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/tools"
)

// chorePlan is what a turn does if its words are a chore. The zero plan means that they are none.
type chorePlan struct {
	answer    string                        // instead of calls
	calls     []llm.Call                    // none if there is an answer
	tools     []tools.Tool                  // the called tools
	unsure    bool                          // see [policy.Call]
	translate func(llm.Call, string) string // translates a result into the language of the words
}

// planChore returns the plan for the words of the turn as a chore, and runs a row of the command
// table. If calls were made before a crash, it goes on with those, whatever the words would mean
// now.
func (p *player) planChore(ctx context.Context) (chorePlan, error) {
	if TypedWords(p.input) == "" || !p.c.cfg.Chores.areRead() {
		return chorePlan{}, nil
	}
	var made []llm.Call // before a crash
	var around choreContext
	started, answered := false, false
	err := p.c.access(ctx, func() {
		cur := p.c.tr.current()
		made, around, started = cur.choreCalls(), p.c.tr.lookBack(), cur.started[choreID(p.seq)]
		answered = slices.ContainsFunc(cur.messages, func(m llm.Message) bool { return m.Role == llm.AssistantRole })
	})
	if err != nil || answered && len(made) == 0 {
		return chorePlan{}, err // the turn already went to the model
	}
	r := p.readChore(ctx, around)
	if len(made) > 0 && (r.Ask != "" || !slices.EqualFunc(r.Chores(), made, isCallOf)) {
		// The reading differs from the journaled calls, so its certainty is unknown: have the gate
		// ask.
		r = madeBefore(made, r.Lang)
	}
	translate := func(text string) string { return p.translate(r.Lang, text, r.Speakers()...) }
	switch {
	case r.Kind == "" && len(made) == 0 && started:
		const text = "hob was cut short while doing that: look at what it did before you repeat it."
		return chorePlan{answer: translate(text)}, nil
	// A question about a call may reveal names, so it goes only to a person who may make the call.
	case r.Ask != "" && (r.Call.Name == "" || has(p.chooser.callableTools(), r.Call.Name)):
		answer := translate(r.Ask)
		if r.Fails {
			p.refusal = answer
		}
		return chorePlan{answer: answer}, nil
	case len(r.Chores()) == 0:
		return chorePlan{answer: r.Answer}, nil
	case r.Command && r.Ask == "":
		answer, err := p.runCommandChore(ctx, started, r)
		return chorePlan{answer: translate(answer)}, err
	case r.Command:
		return chorePlan{}, nil
	}
	return p.planCalls(r), nil
}

// planCalls returns the plan of a reading with calls, or the zero plan if one of their tools does
// not exist.
func (p *player) planCalls(r intents.Reading) chorePlan {
	plan, parts := chorePlan{unsure: r.Acts && (r.Score < 1 || r.Many)}, map[string]intents.Reading{}
	for i, part := range r.Chores() {
		tool := tools.Find(p.chooser.existingTools(), part.Call.Name)
		if tool == nil {
			return chorePlan{}
		}
		if part.Call.ID = choreID(p.seq); i > 0 {
			part.Call.ID += "-" + strconv.Itoa(i+1)
		}
		parts[part.Call.ID] = part
		plan.calls, plan.tools = append(plan.calls, part.Call), append(plan.tools, tool)
	}
	plan.translate = func(call llm.Call, text string) string {
		return p.translate(parts[call.ID].Lang, text, parts[call.ID].Speakers()...)
	}
	return plan
}

// isCallOf reports whether a reading leads to this call.
func isCallOf(r intents.Reading, call llm.Call) bool {
	return r.Call.Name == call.Name && string(r.Call.Args) == string(call.Args)
}

// madeBefore returns a reading for calls that were made before a crash.
func madeBefore(made []llm.Call, lang string) intents.Reading {
	r := intents.Reading{Acts: true, Lang: lang}
	for _, call := range made {
		r.Parts = append(r.Parts, intents.Reading{Call: call, Acts: true, Lang: lang})
	}
	return r
}

// prepareChore makes the calls of a chore the turn's command.
func (p *player) prepareChore(ctx context.Context, chore chorePlan) error {
	p.turn.Budget = p.c.cfg.Budget
	p.turn.Command, p.turn.Tools, p.turn.Translate = chore.calls, chore.tools, chore.translate
	p.gate.command, p.gate.unsure = true, chore.unsure
	_, err := p.fillHistory(ctx, llm.KeepNone)
	return err
}

// commandLine returns a chore as a line of the command table, such as "tools disable fetch".
func commandLine(r intents.Reading) string {
	return strings.TrimSpace(r.Call.Name + " " + r.CommandArgs())
}

// stopChore reports whether the words stopped a turn, which submit has already done.
func (p *player) stopChore(ctx context.Context) (answer string, err error) {
	err = p.c.access(ctx, func() {
		answer = "No turn is running."
		if slices.ContainsFunc(p.c.tr.turns, func(t *turn) bool { return t.stoppedAt > p.seq }) {
			answer = "Stopped."
		}
	})
	return answer, err
}

// runCommandChore runs a row of the command table, or a command of the chat itself. If it would
// change several things, or if the words were uncertain, it returns the command for the person to
// repeat. A command that a crash interrupted is reported and not run again.
func (p *player) runCommandChore(ctx context.Context, started bool, r intents.Reading) (string, error) {
	switch {
	case r.Acts && r.Many:
		var args struct{ Last int }
		_ = json.Unmarshal(r.Call.Args, &args) // hob wrote the arguments itself
		if args.Last == 0 {
			return "That takes back all that was done yesterday. To do it say: /" + commandLine(r), nil
		}
		return fmt.Sprintf("That takes back %d changes. To do it say: /%s", args.Last, commandLine(r)), nil
	case r.Acts && r.Score < 1:
		return "Do you mean /" + commandLine(r) + "? Then say that.", nil
	case started:
		return "hob was cut short while doing /" + commandLine(r) + ": look at what it did before you repeat it.", nil
	case r.Call.Name == choreStop:
		return p.stopChore(ctx)
	case r.Call.Name == choreNew:
		err := p.c.doInTurn(ctx, func(ctx context.Context) error { return p.c.forget(ctx, p.seq) })
		return "A new conversation begins.", err
	}
	if r.Acts {
		if err := p.emit(context.WithoutCancel(ctx), []event.Body{event.Started{CallID: choreID(p.seq)}}); err != nil {
			return "", err
		}
	}
	answer, err := p.c.cfg.Chores.Run(ctx, r)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if bad := (*event.Error)(nil); errors.As(err, &bad) && bad.Suggestion != "" {
		return bad.Message + ": " + bad.Suggestion, nil
	}
	if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	return cmp.Or(answer, "Done."), nil
}
