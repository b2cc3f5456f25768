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

// answerTime is how long hob waits for the answer to a question of its own about a chore.
const answerTime = 10 * time.Minute

// retracted is the answer to "never mind" where hob has asked what a chore lacks.
const retracted = "Never mind, then: nothing was done."

// ownReply is a turn before the open one, of the same person, to whose words hob has replied without a model.
type ownReply struct {
	words     string
	at        time.Time // when they were said
	reply     string
	choices   []event.Choice // for this and the next see [choreContext]
	elsewhere time.Time
}

// keptAsIs is the answer to a no where hob has done one thing and asked whether another was meant.
const keptAsIs = "Then it stays as it is."

// asked returns those of the choices that hob has asked about.
func asked(choices []event.Choice) []event.Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c event.Choice) bool { return !c.Asked })
}

// ownReplies returns the turns before the open one that may lead to it, the newest last: with nothing between them, and each soon
// after the one before.
func (tr *transcript) ownReplies() (all []ownReply) {
	next := tr.current()
	for i := len(tr.turns) - 2; i >= 0; i-- {
		t := tr.turns[i]
		if !strings.ContainsAny(t.ownReply, "?？") || !tr.leadsTo(t, next) {
			break
		}
		all = append(all, ownReply{TypedWords(t.input), t.saidAt, t.ownReply, tr.offered(i), tr.elsewhere(i)})
		next = t
	}
	slices.Reverse(all)
	return all
}

// leadsTo reports whether the turn after another may answer it: it is of the same person, soon after, with nothing between them.
func (tr *transcript) leadsTo(t, next *turn) bool {
	return isSamePerson(t.input, next.input) && next.saidAt.Sub(t.saidAt) <= answerTime && !tr.isParkedBetween(t.seq, next.seq)
}

// isParkedBetween reports whether a turn waits that was begun between two: what is said behind it is about that one.
func (tr *transcript) isParkedBetween(from, to int64) bool {
	return slices.ContainsFunc(tr.parked, func(p *turn) bool { return p.seq > from && p.seq < to })
}

// elsewhere returns when the conversation was about another thing than reminders, where that is what it was about last before turn i: it did
// something else, or hob asked. The zero time means that it was not.
func (tr *transcript) elsewhere(i int) time.Time {
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

// offered returns the choices of the turn before turn i, which that may name.
func (tr *transcript) offered(i int) []event.Choice {
	if i == 0 || !tr.leadsTo(tr.turns[i-1], tr.turns[i]) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(tr.turns[i-1].choices), isNoOffer)
}

// isNoOffer reports whether a choice is a story's, or has somebody else's words.
func isNoOffer(c event.Choice) bool { return c.Pick != "" || !c.Trusted }

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
	r := p.resolve(ctx, sentences.Loosely(last.words), last.at)
	if asks(r) {
		return r
	}
	if r = p.doubt(ctx, r, last.elsewhere); asks(r) {
		return r
	}
	if r := p.picked(ctx, last.words, last.choices, last.at); asks(r) {
		return r
	}
	if r := p.complete(ctx, p.question(ctx, replies[:n]), last.words, last.at); asks(r) {
		return r
	}
	return intents.Reading{}
}

// complete returns the reading of a chore with an answer to its question, given at a time. The zero Reading means that it is no answer.
// "No, on Monday" answers when, too.
func (p *player) complete(ctx context.Context, question intents.Reading, answer string, at time.Time) intents.Reading {
	sentences := question.Complete(answer)
	if question.AsksWhen() {
		sentences = append(sentences, question.Complete(p.c.cfg.Chores.Sentences.Read(answer).NewTime())...)
	}
	for _, words := range sentences {
		r := p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(words), question.SaidAt(at))
		if question.IsCompletedBy(r) {
			if r.AsksWhen() { // that time cannot be
				question.Ask = r.Ask
				return question
			}
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

// doubt asks whether a reminder is meant, where words are about one of just now, and the conversation was about another thing since it was.
func (p *player) doubt(ctx context.Context, r intents.Reading, elsewhere time.Time) intents.Reading {
	if doubt := p.c.cfg.Chores.Doubt; doubt != nil && r.Near && !elsewhere.IsZero() {
		return doubt(tools.WithCaller(ctx, p.ch.caller), r, elsewhere)
	}
	return r
}

// picked returns what the words choose of what the last answer offered, or the zero Reading.
func (p *player) picked(ctx context.Context, words string, choices []event.Choice, at time.Time) intents.Reading {
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

// readChoice returns what the text of a choice says: a call of a tool, a row of the table of commands, or a sentence.
func (p *player) readChoice(ctx context.Context, text string, at time.Time) intents.Reading {
	if !tools.IsCommand(text) {
		return p.resolve(ctx, p.c.cfg.Chores.Sentences.Read(text), at)
	}
	r := intents.Reading{Acts: true, Score: 1, Lang: p.lang}
	tool, args, err := p.ch.parseCommand(text)
	if tool != nil && err == nil {
		r.Kind, r.Call = tool.Name(), llm.Call{Name: tool.Name(), Args: args}
	} else if tool == nil {
		name, rest, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
		args, _ := json.Marshal(map[string]string{"": rest}) // it has no value that fails
		r.Kind, r.Call, r.Command = name, llm.Call{Name: name, Args: args}, true
	}
	return r
}

// answered returns the reading of the chore that hob has asked about with the words as the answer, or the zero Reading. What it names
// must be there where a model could be asked instead.
func (p *player) answered(ctx context.Context, words string, question intents.Reading, around choreContext) intents.Reading {
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
