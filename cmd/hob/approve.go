package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

func approveCommand(a *program) *cobra.Command {
	var deny, always bool
	cmd := &cobra.Command{
		Use: "approve [ID]", Short: "what waits for a yes, and answer it",
		Args: cobra.MaximumNArgs(1),
		RunE: a.besideServer(func(ctx context.Context, s *app.Environment, args []string) error {
			all, err := s.Questions(ctx)
			if err != nil {
				return err
			}
			if len(args) == 0 && (deny || always) {
				return exit.Errorf(exit.Usage, "say to which: hob approve ID, of those that hob approve lists")
			}
			if len(args) == 0 {
				return a.printResult(result{value: append([]commands.Question{}, all...), text: questionsText(all, s.Clock()())})
			}
			w, err := findQuestion(all, args[0])
			if err != nil {
				return err
			}
			answer := session.Answer{Chat: w.Chat, ID: w.ID, Allow: !deny, By: "owner", Principal: app.LocalOwner()}
			if always {
				if answer.Grants = w.Grants; len(w.Grants) == 0 {
					return exit.Errorf(exit.Usage, "%s offers nothing to be allowed for good: leave --always out", w.ShortID())
				}
			}
			return a.decide(ctx, s, w, answer)
		}),
	}
	cmd.Flags().BoolVar(&deny, "deny", false, "say no")
	cmd.Flags().BoolVar(&always, "always", false, "also allow for good what the question offers")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value, or what happens as JSON Lines")
	exclude(cmd, "deny", "always")
	return cmd
}

// findQuestion returns the question whose id begins with prefix.
func findQuestion(all []commands.Question, prefix string) (commands.Question, error) {
	q, found := commands.FindQuestion(all, prefix)
	switch {
	case found == 0:
		return q, exit.Errorf(exit.Usage, "nothing waits under %q: hob approve lists what does", prefix)
	case found > 1:
		return q, exit.Errorf(exit.Usage, "%q is the beginning of several: give more of the id", prefix)
	}
	return q, nil
}

// questionsText lists the open questions for a person.
func questionsText(all []commands.Question, now time.Time) string {
	var list []string
	for _, w := range all {
		text := fmt.Sprintf("%s  %s in %s, until %s\n", w.ShortID(), w.Tool, w.Chat, formatTime(w.Expires, now.Location()))
		for line := range strings.Lines(w.Text) {
			text += fmt.Sprintf("  %s\n", display.Clean(strings.TrimRight(line, "\n")))
		}
		for _, g := range w.Grants {
			text += fmt.Sprintf("  --always would allow %s for good\n", display.Clean(g.String()))
		}
		if now.After(w.Expires) {
			text += "  It has expired: only a no is taken.\n"
		}
		list = append(list, text)
	}
	return cmp.Or(strings.Join(list, "\n"), "Nothing waits for an answer.\n")
}

// decide sends an answer to the running hob. If none runs, this process plays the rest of the turn.
func (a *program) decide(ctx context.Context, s *app.Environment, w commands.Question, answer session.Answer) error {
	err := api.NewClient(s.SocketPath()).Decide(ctx, api.DecideRequest{Chat: answer.Chat, ID: answer.ID, Allow: answer.Allow, Grants: answer.Grants})
	if errors.Is(err, api.ErrNotRunning) {
		return a.answerHere(ctx, s, w, answer)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(event.Decided{ID: w.ID, CallID: w.CallID, Allow: answer.Allow, By: answer.By, Grants: answer.Grants})
	}
	_, err = fmt.Fprintln(a.out, commands.DescribeDecision(w, answer.Allow))
	return err
}

// answerHere records an answer and shows the rest of the turn, all in this process.
func (a *program) answerHere(ctx context.Context, s *app.Environment, w commands.Question, answer session.Answer) error {
	h, err := a.Open(ctx, s, app.NewModel(s), "hob approve")
	if err != nil {
		return err
	}
	c := &client.Client{Backend: client.InProcess{App: h}, Here: h, Chat: w.Chat, Wait: a.modelWait()}
	decide := func(ctx context.Context) error { return c.Decide(ctx, answer) }
	end, err := c.GoOn(ctx, w.Chat, w.Turn, decide, client.NewView(a.terminal(), a.json))
	return closeAfterTurn(c, end, err)
}
