package http

import (
	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/surface/http/api"
)

// The stages of a turn.
const (
	simulation = iota
	narration
	rewrite
	summarizing
	stages
)

// ledger is a fold over the events of a turn: it adds up the usage of each stage.
type ledger struct {
	turn  int64
	stage int // that the turn is in
	usage [stages]api.Stage
	uses  []price.Use
}

// add folds an event in, and reports whether the turn has ended.
func (l *ledger) add(e event.Event) (over bool) {
	if e.Turn != l.turn {
		return false
	}
	switch b := e.Body.(type) {
	case event.Joined:
		l.stage = simulation
	case event.Nudged:
		switch b.Why {
		case event.ForNarration:
			l.stage = narration
		case event.ForUntrue:
			l.stage = rewrite
		}
	case event.Generated:
		l.addReply(b)
	case event.Ended:
		return true
	}
	return false
}

// addReply adds a request to the model.
func (l *ledger) addReply(b event.Generated) {
	stage, answered := l.stage, 1
	switch b.Class {
	case "command", "direct": // no model was asked
		return
	case "stopped", "incomplete", "transport", "context", "failed": // the model gave no answer
		answered = 0
	case "narration":
		stage = narration
	case "rewrite":
		stage = rewrite
	case "summary":
		stage = summarizing
	}
	s := &l.usage[stage]
	s.Requests += answered
	s.PromptTokens += b.Usage.PromptTokens
	s.EvalTokens += b.Usage.EvalTokens
	s.DurationMS += b.DurationMS
	if b.Usage.PromptTokens != 0 || b.Usage.EvalTokens != 0 {
		l.uses = append(l.uses, price.Use{Model: b.Usage.Model, Prompt: b.Usage.PromptTokens, Eval: b.Usage.EvalTokens})
	}
}

// complete adds the stages and the cost to a usage.
func (l *ledger) complete(u api.Usage, prices price.Table) api.Usage {
	u.Stages = []api.Stage{}
	for i, name := range [stages]string{"simulation", "narration", "rewrite", "summary"} {
		if s := l.usage[i]; s != (api.Stage{}) {
			s.Stage = name
			u.Stages = append(u.Stages, s)
		}
	}
	if cost, ok := prices.Of(l.uses...); ok {
		u.Cost = &cost
	}
	return u
}
