package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
)

// answerTime is how long hob waits for the answer to a question of its own about a chore.
const answerTime = 10 * time.Minute

// retracted is the answer to "never mind" where hob has asked what a chore lacks.
const retracted = "Never mind, then: nothing was done."

// ownReply is a turn before the open one, of the same person, to whose words hob has replied without a model.
type ownReply struct {
	words string
	at    time.Time // when they were said
	reply string
}

// ownReplies returns the turns before the open one that may lead to it, the newest last: with nothing between them, and each soon
// after the one before.
func (tr *transcript) ownReplies() (all []ownReply) {
	next := tr.current()
	for i := len(tr.turns) - 2; i >= 0; i-- {
		t := tr.turns[i]
		isBetween := func(p *turn) bool { return p.seq > t.seq && p.seq < next.seq }
		if !strings.ContainsAny(t.ownReply, "?？") || !isSamePerson(t.input, next.input) ||
			next.saidAt.Sub(t.saidAt) > answerTime || slices.ContainsFunc(tr.parked, isBetween) {
			break
		}
		all = append(all, ownReply{TypedWords(t.input), t.saidAt, t.ownReply})
		next = t
	}
	slices.Reverse(all)
	return all
}

// isSamePerson reports whether two inputs are of one person.
func isSamePerson(a, b event.Said) bool {
	return a.From == b.From && a.Principal.Platform == b.Principal.Platform
}

// question returns the reading of a chore to which the last reply asks for what it lacks. The zero Reading means that it does not. What
// the chore has until then may be an answer, too.
func (p *player) question(ctx context.Context, replies []ownReply) intents.Reading {
	n := len(replies) - 1
	if n < 0 {
		return intents.Reading{}
	}
	last, sentences := replies[n], p.c.cfg.Chores.Sentences
	asks := func(r intents.Reading) bool {
		return r.Ask != "" && sentences.Translate(r.Lang, r.Ask, r.Speakers()...) == last.reply
	}
	if r := p.resolve(ctx, sentences.Loosely(last.words), last.at); asks(r) {
		return r
	}
	if r := p.complete(ctx, p.question(ctx, replies[:n]), last.words, last.at); asks(r) {
		return r
	}
	return intents.Reading{}
}

// complete returns the reading of a chore with an answer to its question, given at a time. The zero Reading means that it is no answer.
func (p *player) complete(ctx context.Context, question intents.Reading, answer string, at time.Time) intents.Reading {
	for _, words := range question.Complete(answer) {
		r := p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(words), question.SaidAt(at))
		if question.IsCompletedBy(r) {
			r.Score = min(r.Score, question.Score)
			return r
		}
	}
	return intents.Reading{}
}

// retract returns the answer to who takes back what hob has asked about.
func (p *player) retract(question intents.Reading) intents.Reading {
	return intents.Reading{Kind: choreStop, Answer: p.c.translate(question.Lang, choreStop, retracted), Lang: question.Lang}
}

// answered returns the reading of the chore that hob has asked about with the words as the answer, or the zero Reading. What it names
// must be there where a model could be asked instead.
func (p *player) answered(ctx context.Context, words string, around choreContext) intents.Reading {
	chores := p.c.cfg.Chores
	question := p.question(ctx, around.replies)
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
