package prompt

import (
	"context"
	"errors"
	"strings"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/phrases"
	"hob/internal/session"
	"hob/internal/surface/cli"
	"hob/internal/surface/cli/live"
)

// ask asks the person a question that is still open. An answer from elsewhere ends it here.
func (t *talk) ask(ctx context.Context, e event.Event, q event.Asked) {
	hob, _ := t.hob()
	if waits, err := hob.IsAsking(ctx, e.Chat, q.ID); err != nil || !waits {
		return
	}
	w := cli.Words(q.Lang)
	answers := []string{"yes", "no"}
	if len(q.Grants) > 0 {
		answers = []string{"yes", "always", "no"}
	}
	means := map[string]string{"yes": w.Text("allow.once"), "always": w.Text("allow.always", cli.GrantTexts(w, q.Grants))}
	asked := lists.Map(answers, func(a string) live.Answer { return live.Answer{Words: cli.Answers(w, a), Means: means[a]} })
	answer := t.screen.Ask(live.Question{Text: w.Text("allow"), Answers: asked, Help: explain(w, q), Lang: q.Lang})
	asking, answered := context.WithCancel(ctx)
	go func() {
		for later, err := range hob.Follow(asking, e.Chat, e.Seq) {
			d, isDecision := later.Body.(event.Decided)
			_, isEnd := later.Body.(event.Ended)
			if err != nil || isDecision && d.ID == q.ID || isEnd && later.Turn == e.Turn {
				answered()
				return
			}
		}
	}()
	go func() {
		defer answered()
		i, err := answer(asking)
		if errors.Is(err, cli.ErrInterrupted) {
			_, _ = hob.Stop(ctx, e.Chat) // as at any other interrupt
		}
		if err != nil {
			return
		}
		d := session.Answer{Chat: e.Chat, ID: q.ID, Allow: answers[i] != "no", By: "owner", Principal: app.LocalOwner()}
		if answers[i] == "always" {
			d.Grants = q.Grants
		}
		_ = hob.Decide(ctx, d) // it fails if another answer came first, or if the turn was stopped
	}()
}

// explain says what an answer to a question means.
func explain(w phrases.Words, q event.Asked) string {
	lines := []string{w.Text("explain.call", q.Tool), w.Text("explain.yes"), w.Text("explain.no")}
	if len(q.Grants) > 0 {
		lines = append(lines, w.Text("explain.always"))
	}
	return "· " + strings.Join(append(lines, w.Text("explain.stop")), "\n· ")
}
