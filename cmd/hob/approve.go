package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/store"
	local "hob/internal/surface/http"
)

// shortID is how many characters of a question's id are shown, and enough to name it.
const shortID = 6

// waiting is a question that nobody has answered.
type waiting struct {
	Chat event.Chat `json:"chat"`
	Turn int64      `json:"turn"`
	event.Asked
}

func approveCommand(a *program) *cobra.Command {
	var deny, always, asJSON bool
	cmd := &cobra.Command{
		Use: "approve [ID]", Short: "what waits for a yes, and answer it",
		Long: "approve lists what the agent asks for and nobody has answered. With the beginning of an id it says yes, to exactly\n" +
			"what the list shows and once; --always also allows what the question offers for good; --deny says no. Where no hob\n" +
			"runs, the turn that asked goes on here.",
		Example: "  hob approve               what waits\n" +
			"  hob approve 3fJk0a        yes, this once\n" +
			"  hob approve 3fJk0a --deny no",
		Args: cobra.MaximumNArgs(1),
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.beside(ctx)
			if err != nil {
				return err
			}
			all, err := waitingQuestions(ctx, s)
			if err != nil {
				return err
			}
			if len(args) == 0 && (deny || always) {
				return exit.Errorf(exit.Usage, "say to which: hob approve ID, of those that hob approve lists")
			}
			if len(args) == 0 {
				return a.listWaiting(all, asJSON)
			}
			w, err := pick(all, args[0])
			if err != nil {
				return err
			}
			answer := session.Answer{Chat: w.Chat, ID: w.ID, Allow: !deny, By: "owner", Standing: app.LocalOwner()}
			if always {
				if answer.Grants = w.Grants; len(w.Grants) == 0 {
					return exit.Errorf(exit.Usage, "%s offers nothing to be allowed for good: leave --always out", w.ID[:shortID])
				}
			}
			return a.decide(ctx, s, w, answer, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&deny, "deny", false, "say no")
	cmd.Flags().BoolVar(&always, "always", false, "also allow for good what the question offers")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value, or what happens as JSON Lines")
	cmd.MarkFlagsMutuallyExclusive("deny", "always")
	return cmd
}

// pick returns the question whose id begins so.
func pick(all []waiting, prefix string) (waiting, error) {
	var found []waiting
	for _, w := range all {
		if prefix != "" && strings.HasPrefix(w.ID, prefix) {
			found = append(found, w)
		}
	}
	switch {
	case len(found) == 0:
		return waiting{}, exit.Errorf(exit.Usage, "nothing waits under %q: hob approve lists what does", prefix)
	case len(found) > 1:
		return waiting{}, exit.Errorf(exit.Usage, "%q is the beginning of several: give more of the id", prefix)
	}
	return found[0], nil
}

// waitingQuestions returns the questions that nobody has answered, oldest first. Looking makes no journal.
func waitingQuestions(ctx context.Context, s *app.Environment) ([]waiting, error) {
	open, err := openTurns(ctx, s)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return nil, err
	}
	var all []waiting
	for _, c := range open {
		some, err := waitingIn(ctx, db, c)
		if err != nil {
			return nil, closeAll(err, db.Close())
		}
		all = append(all, some...)
	}
	return all, db.Close()
}

func waitingIn(ctx context.Context, db *store.DB, c store.ChatInfo) ([]waiting, error) {
	var all []waiting
	over := map[string]bool{}
	told := map[string]bool{}
	for e, err := range db.Chat(ctx, c.Chat, c.Open[0]-1) {
		if err != nil {
			return nil, err
		}
		switch b := e.Body.(type) {
		case event.Asked:
			if !told[b.ID] && slices.Contains(c.Open, e.Turn) {
				all = append(all, waiting{c.Chat, e.Turn, b})
			}
			told[b.ID] = true
		case event.Decided:
			over[b.ID] = true
		}
	}
	var left []waiting
	for _, w := range all {
		if !over[w.ID] {
			left = append(left, w)
		}
	}
	return left, nil
}

func (a *program) listWaiting(all []waiting, asJSON bool) error {
	if asJSON {
		return a.printJSON(append([]waiting{}, all...))
	}
	for i, w := range all {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		fmt.Fprintf(a.stdout, "%s  %s in %s, until %s\n", w.ID[:shortID], w.Tool, w.Chat, w.Expires.Local().Format("2006-01-02 15:04"))
		for line := range strings.Lines(w.Text) {
			fmt.Fprintf(a.stdout, "  %s\n", display.Clean(strings.TrimRight(line, "\n")))
		}
		for _, g := range w.Grants {
			fmt.Fprintf(a.stdout, "  --always would allow %s for good\n", display.Clean(g.String()))
		}
		if time.Now().After(w.Expires) {
			fmt.Fprintln(a.stdout, "  It has expired: only a no is taken.")
		}
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "Nothing waits for an answer.")
	}
	return nil
}

// decide hands an answer to the running hob; where none runs, the turn goes on here.
func (a *program) decide(ctx context.Context, s *app.Environment, w waiting, answer session.Answer, asJSON bool) error {
	err := local.NewClient(s.SocketPath()).Decide(ctx, answer)
	if errors.Is(err, local.ErrNobody) {
		return a.goOn(ctx, s, w, answer, asJSON)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(event.Decided{ID: w.ID, CallID: w.CallID, Allow: answer.Allow, By: answer.By, Grants: answer.Grants})
	}
	words := "Allowed"
	if !answer.Allow {
		words = "Denied"
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s in %s.\n", words, w.Tool, w.Chat)
	return err
}

// goOn answers in this process, and shows what becomes of the turn.
func (a *program) goOn(ctx context.Context, s *app.Environment, w waiting, answer session.Answer, asJSON bool) error {
	h, err := a.Open(ctx, s, app.NewModel(s), "hob approve")
	if err != nil {
		return err
	}
	c := &conversation{talk: inProcess{h}, here: h, chat: w.Chat, wait: a.modelWait()}
	end, err := c.resume(ctx, w, answer, a.view(asJSON))
	return closing(c, end, err)
}

// resume answers a question and shows its turn to the end.
func (h *conversation) resume(ctx context.Context, w waiting, answer session.Answer, v view) (event.Ended, error) {
	ctx, asking, leave := h.interruptible(ctx, w.Chat)
	defer leave()
	before, err := h.Last(ctx, w.Chat)
	if err != nil {
		return event.Ended{}, err
	}
	if err := h.Decide(ctx, answer); err != nil {
		return event.Ended{}, err
	}
	return h.show(ctx, asking, followed{chat: w.Chat, said: w.Turn, after: before}, v)
}
