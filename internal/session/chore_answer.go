package session

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

// answerTime is how long hob waits for the answer to its own question about a chore.
const answerTime = 10 * time.Minute

// retracted is the reply to "never mind" after hob asked for a missing detail.
const retracted = "Never mind, then: nothing was done."

// ownReply is an earlier turn of the same person that hob answered without a model.
type ownReply struct {
	words         string
	at            time.Time // when the person said them
	reply         string
	choices       []event.Choice // see [choreContext], as for the next field
	leftReminders time.Time
}

// keptAsIs is the reply to a no after hob did one thing and asked whether the person meant another.
const keptAsIs = "Then it stays as it is."

// askedChoices returns the choices about which hob asked.
func askedChoices(choices []event.Choice) []event.Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c event.Choice) bool { return !c.Asked })
}

// ownReplies returns the exchange that may lead to the open turn, oldest first: questions of hob,
// each soon after the last one, with nothing in between.
func (tr *transcript) ownReplies() (all []ownReply) {
	next := tr.current()
	for i := len(tr.turns) - 2; i >= 0; i-- {
		t := tr.turns[i]
		if !strings.ContainsAny(t.ownReply, "?？") || !tr.leadsTo(t, next) {
			break
		}
		all = append(all, ownReply{TypedWords(t.input), t.saidAt, t.ownReply, tr.offeredChoices(i), tr.leftReminders(i)})
		next = t
	}
	slices.Reverse(all)
	return all
}

// leadsTo reports whether next may answer t: the same person said it soon after, and no turn was
// parked in between.
func (tr *transcript) leadsTo(t, next *turn) bool {
	return isSamePerson(t.input, next.input) && next.saidAt.Sub(t.saidAt) <= answerTime && !tr.isParkedBetween(t.seq, next.seq)
}

// isParkedBetween reports whether a turn that began between two others is parked. What the person
// says next may be about that one.
func (tr *transcript) isParkedBetween(from, to int64) bool {
	return slices.ContainsFunc(tr.parked, func(p *turn) bool { return p.seq > from && p.seq < to })
}

// leftReminders returns when the conversation left the topic of reminders: the time of the newest turn
// before turn i, if that turn did something else or asked a question. Otherwise it returns the zero
// time.
func (tr *transcript) leftReminders(i int) time.Time {
	isOfReminders := func(c callRecord) bool { return strings.HasPrefix(c.called.Tool, "remind") }
	for _, t := range slices.Backward(tr.turns[:i]) {
		switch calls := slices.Collect(maps.Values(t.calls)); {
		case slices.ContainsFunc(calls, isOfReminders):
			return time.Time{}
		case len(calls) > 0 || t.started[choreID(t.seq)] || strings.ContainsAny(t.ownReply, "?？"):
			return t.saidAt
		}
	}
	return time.Time{}
}

// offeredChoices returns the choices offered just before turn i, to which that turn may refer.
func (tr *transcript) offeredChoices(i int) []event.Choice {
	if i == 0 || !tr.leadsTo(tr.turns[i-1], tr.turns[i]) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(tr.turns[i-1].choices), isNoOffer)
}

// isNoOffer reports whether a choice belongs to a story, or is not in hob's own words.
func isNoOffer(c event.Choice) bool { return c.Pick != "" || !c.Trusted }

// isSamePerson reports whether one person sent both inputs.
func isSamePerson(a, b event.Said) bool {
	return a.From == b.From && a.Principal.Platform == b.Principal.Platform
}

// askedChore returns the incomplete chore whose missing detail the last reply asked for, or the zero
// Reading. That chore may itself have come from an answer to an earlier question.
func (p *player) askedChore(ctx context.Context, replies []ownReply) intents.Reading {
	n := len(replies) - 1
	if n < 0 {
		return intents.Reading{}
	}
	last, sentences := replies[n], p.c.cfg.Chores.Sentences
	asks := func(r intents.Reading) bool {
		return r.Ask != "" && sentences.Translate(r.Lang, r.Ask, r.Speakers()...) == last.reply
	}
	r := p.resolve(ctx, sentences.Loosely(last.words), last.at)
	if asks(r) {
		return r
	}
	if r = p.confirm(ctx, r, last.leftReminders); asks(r) {
		return r
	}
	if r := p.pickChoices(ctx, last.words, last.choices, last.at); asks(r) {
		return r
	}
	if r := p.complete(ctx, p.askedChore(ctx, replies[:n]), last.words, last.at); asks(r) {
		return r
	}
	return intents.Reading{}
}

// complete returns question completed by an answer that was given at a time, or the zero Reading if
// answer does not fit. "No, on Monday" also answers when.
func (p *player) complete(ctx context.Context, question intents.Reading, answer string, at time.Time) intents.Reading {
	sentences := question.Complete(answer)
	if question.AsksWhen() {
		sentences = append(sentences, question.Complete(p.c.cfg.Chores.Sentences.Read(answer).NewTime())...)
	}
	for _, words := range sentences {
		r := p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(words), question.SaidAt(at))
		if question.IsCompletedBy(r) {
			if r.AsksWhen() { // the time in the answer is impossible
				question.Ask = r.Ask
				return question
			}
			r.Score = min(r.Score, question.Score)
			return r
		}
	}
	return intents.Reading{}
}

// retract returns the reply that drops a question of hob.
func (p *player) retract(question intents.Reading) intents.Reading {
	return intents.Reading{Kind: choreStop, Answer: p.translate(question.Lang, retracted, choreStop), Lang: question.Lang}
}

// confirm asks which reminder is meant, if the words refer to a recent one and the conversation was
// about something else since.
func (p *player) confirm(ctx context.Context, r intents.Reading, leftReminders time.Time) intents.Reading {
	if confirm := p.c.cfg.Chores.Confirm; confirm != nil && r.Near && !leftReminders.IsZero() {
		return confirm(ctx, r, leftReminders)
	}
	return r
}

// pickChoices returns the chore that the words pick from the offered choices, or the zero Reading.
func (p *player) pickChoices(ctx context.Context, words string, choices []event.Choice, at time.Time) intents.Reading {
	labels := lists.Map(choices, func(c event.Choice) string { return c.Label })
	var all []intents.Reading
	for _, i := range p.c.cfg.Chores.Sentences.Pick(words, labels) {
		r := p.readChoice(ctx, choices[i].Text, at)
		if r.Kind == "" {
			return r
		}
		all = append(all, r)
	}
	return intents.Join(all)
}

// readChoice reads the text of a choice: a call of a tool, a row of the command table, or a
// sentence.
func (p *player) readChoice(ctx context.Context, text string, at time.Time) intents.Reading {
	if !tools.IsCommand(text) {
		return p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(text), at)
	}
	r := intents.Reading{Acts: true, Score: 1, Lang: p.lang}
	if tool, args, err := p.chooser.parseCommand(text); tool != nil && err == nil {
		r.Kind, r.Call = tool.Name(), llm.Call{Name: tool.Name(), Args: args}
	} else if tool == nil {
		name, rest, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
		args, _ := json.Marshal(map[string]string{"": rest}) // a map of strings always has a JSON form
		r.Kind, r.Call, r.Command = name, llm.Call{Name: name, Args: args}, true
	}
	return r
}

// applyAnswer returns the chore that the words complete as the answer to question, or the zero
// Reading. If a model is available, the chore counts only if all things that it names exist.
func (p *player) applyAnswer(ctx context.Context, words string, question intents.Reading, around choreContext) intents.Reading {
	chores := p.c.cfg.Chores
	r := p.complete(ctx, question, words, around.at)
	if meant, ok := question.MeantBy(words); ok && meant.Kind == "" {
		return p.retract(question)
	} else if ok {
		r = meant
	}
	if r.Call.Name != "" && !chores.Exists(ctx, p.c.name, r) && (chores.Always || chores.HasModel(ctx)) {
		return intents.Reading{}
	}
	return r
}
