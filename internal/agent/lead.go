package agent

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Lead is what leads a chat while a skill of that kind is open, such as the master of a game: it answers what needs no model,
// says what a model has to know at the moment, and holds the model's words against what is so. All of it may be asked again
// after a crash, with the same [tools.Caller]; what it has done is not to be done twice.
type Lead interface {
	// Direct answers what a person said without a model, or says that it cannot. An error is told to the person.
	Direct(ctx context.Context, words string) (tools.Result, bool, error)
	// Tail is what the model is told with the newest words, in this turn alone. An error ends the turn with its sentence.
	Tail(ctx context.Context) (string, error)
	// Check says what is wrong with the words that would end the turn, each a sentence for the model; nothing is.
	Check(ctx context.Context, draft string) []string
	// Fallback is what is said where the model does not find the words.
	Fallback(ctx context.Context) (string, error)
}

// led is the turn as its lead begins it. Over says that the turn has ended: it was answered without a model.
func (a *Agent) led(ctx context.Context, t Turn, emit Emit) (next Turn, words string, over bool, err error) {
	if t.Lead == nil || t.tailed {
		return t, "", false, nil
	}
	if !t.answered() {
		res, ok, err := t.Lead.Direct(ctx, t.Words)
		if err != nil && ctx.Err() != nil {
			words, err = a.ended(ctx, t, "", err, emit)
			return t, words, true, err
		}
		if err != nil {
			words, err = t.finish(event.Done, sentenceOf(err), emit)
			return t, words, true, err
		}
		if ok {
			words, err = a.direct(t, res, emit)
			return t, words, true, err
		}
	}
	if t.tail, err = t.Lead.Tail(ctx); err != nil && ctx.Err() != nil {
		words, err = a.ended(ctx, t, "", err, emit)
		return t, words, true, err
	} else if err != nil {
		words, err = t.finish(event.Broken, sentenceOf(err), emit)
		return t, words, true, err
	}
	t.tailed = true
	return t, "", false, nil
}

// direct ends a turn with what its lead answered.
func (a *Agent) direct(t Turn, res tools.Result, emit Emit) (string, error) {
	r := event.Returned{OK: true, Text: res.Text, Effects: res.Effects, Files: res.Files, Choices: res.Choices, Label: res.Label}
	if a.sieve != nil {
		r = a.sieve.Sift(r)
	}
	if strings.TrimSpace(r.Text) == "" {
		r.Text = "Done."
	}
	said := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: r.Text}, Class: classDirect}
	return r.Text, emit(said, event.Replied{Text: r.Text, Label: r.Label, Effects: r.Effects, Files: r.Files, Choices: r.Choices},
		event.Ended{Reason: event.Done, Calls: t.Spent.Calls})
}

// checked is what the lead makes of the words that would end the turn: they stand, or the model is told once what is wrong
// with them unless it is the last time, or others take their place.
func (t Turn) checked(ctx context.Context, text string, last bool) (words string, nudge *event.Nudged) {
	if t.Lead == nil {
		return text, nil
	}
	problems := t.Lead.Check(ctx, text)
	if len(problems) == 0 {
		return text, nil
	}
	if !last && !t.Spent.wasTold(event.ForUntrue) && t.Spent.refusing() == "" {
		return text, &event.Nudged{Why: event.ForUntrue, Text: fmt.Sprintf("%swhat you said does not agree with what is so: %s. Say it again without that, and nothing else.]",
			nudgeMark, strings.Join(problems, "; "))}
	}
	return t.fallback(ctx, text), nil
}

// fallback is what the lead says in the model's place, or words where it says nothing.
func (t Turn) fallback(ctx context.Context, words string) string {
	if t.Lead == nil {
		return words
	}
	if other, err := t.Lead.Fallback(ctx); err == nil && strings.TrimSpace(other) != "" {
		return other
	}
	return words
}

// withTail is the conversation with what the lead has to say below the newest words.
func (t Turn) withTail(messages []llm.Message) []llm.Message {
	if t.tail == "" {
		return messages
	}
	for i := len(messages) - 1; i >= t.Begin; i-- {
		if m := messages[i]; m.Role == llm.UserRole && !m.Note {
			m.Text += "\n\n" + t.tail
			return append(append(messages[:i:i], m), messages[i+1:]...)
		}
	}
	return messages
}

func sentenceOf(err error) string { return strings.TrimSpace(err.Error()) }
