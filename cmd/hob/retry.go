package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/store"
)

func retryCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "retry [ID]", Short: "try again what was parked",
		Long: "retry goes on with a turn that was parked: after crashes, after a day without a model, or with Ctrl-C. Without an ID it\n" +
			"goes on with the only one, and lists them where there are several. hob stop CHAT ends one that goes on.",
		Example: "  hob retry         the only one, or a list\n  hob retry 17      that one",
		Args:    wants(0, 1, "hob retry takes the ID of one turn: hob retry without one lists them"),
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.beside(ctx)
			if err != nil {
				return err
			}
			id := int64(0)
			if len(args) == 1 {
				if id, err = strconv.ParseInt(args[0], 10, 64); err != nil || id < 1 {
					return exit.Errorf(exit.Usage, "%q is no ID of a turn: hob retry lists them", args[0])
				}
			}
			a.wait.program = asJSON
			return a.retry(ctx, s, id, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what happens as JSON Lines; of several, the list as one JSON value")
	a.waitFlag(cmd)
	return cmd
}

// retry goes on with a parked turn and shows it to its end, or lists those that there are.
func (a *program) retry(ctx context.Context, s *app.Environment, id int64, asJSON bool) error {
	all, err := parkedTurns(ctx, s)
	if err != nil {
		return err
	}
	stays := slices.DeleteFunc(slices.Clone(all), session.Parked.Waits)
	i := slices.IndexFunc(all, func(p session.Parked) bool { return p.ID == id })
	switch {
	case id > 0 && i < 0:
		return exit.Errorf(exit.Usage, "turn %d is not parked: hob retry lists those that are", id)
	case id == 0 && len(stays) == 1:
		i = slices.IndexFunc(all, func(p session.Parked) bool { return p.ID == stays[0].ID })
	case id == 0 && asJSON:
		return a.printJSON(append([]session.Parked{}, all...))
	case id == 0:
		for _, p := range all {
			fmt.Fprintf(a.stdout, "%-5d %s\n", p.ID, display.Clean(parkedWords(p)))
		}
		if len(all) == 0 {
			fmt.Fprintln(a.stdout, "Nothing is parked.")
		}
		return nil
	}
	h, err := a.reach(ctx, s, app.NewModel(s), "hob retry")
	if err != nil {
		return err
	}
	h.chat = all[i].Chat
	end, err := h.again(ctx, all[i], a.view(asJSON))
	return closing(h, end, err)
}

// again goes on with a parked turn and shows it to its end.
func (h *conversation) again(ctx context.Context, p session.Parked, v view) (event.Ended, error) {
	ctx, asking, leave := h.interruptible(ctx, p.Chat)
	defer leave()
	before, err := h.Last(ctx, p.Chat)
	if err != nil {
		return event.Ended{}, err
	}
	if err := h.Retry(ctx, p.Chat, p.ID); err != nil {
		return event.Ended{}, err
	}
	return h.show(ctx, asking, followed{chat: p.Chat, said: p.ID, after: before}, v)
}

// retryHere goes on with a turn that was parked in the chat of the prompt, which shows it, or lists those that there are.
func (a *program) retryHere(ctx context.Context, h *conversation, chat event.Chat, id string) error {
	all, err := h.Parked(ctx, chat)
	if err != nil {
		return err
	}
	stays := slices.DeleteFunc(slices.Clone(all), session.Parked.Waits)
	if id == "" && len(stays) == 1 {
		id = strconv.FormatInt(stays[0].ID, 10)
	}
	if id != "" {
		turn, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is no ID of a turn: /retry lists them", id)
		}
		return h.Retry(ctx, chat, turn)
	}
	for _, p := range all {
		fmt.Fprintf(a.stdout, "%-5d %s\n", p.ID, display.Clean(parkedWords(p)))
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "Nothing is parked.")
	}
	return nil
}

// parkedWords says which turn it is, since when it stands still, and why.
func parkedWords(p session.Parked) string {
	why := map[event.ParkReason]string{
		event.ParkedForModel: "waits for the model", event.ParkedTooLong: "parked: the model was away for a day",
		event.ParkedBroken: "parked: it may have ended hob, or the model's server", event.ParkedByPerson: "parked by its person",
	}[p.Reason]
	text := []rune(display.Beginning(p.Text))
	if len(text) > 60 {
		text = append(text[:59], '…')
	}
	return fmt.Sprintf("%s: %q, %s, since %s", p.Chat, string(text), why, p.Since.Local().Format("2006-01-02 15:04"))
}

// parkedTurns returns the turns of all chats that wait for the model or are parked, oldest first. Looking makes no journal.
func parkedTurns(ctx context.Context, s *app.Environment) ([]session.Parked, error) {
	if !s.HasJournal() {
		return nil, nil
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return nil, err
	}
	all, err := parkedIn(ctx, db)
	return all, closeAll(err, db.Close())
}

func parkedIn(ctx context.Context, db *store.DB) ([]session.Parked, error) {
	chats, err := db.Chats(ctx)
	if err != nil {
		return nil, err
	}
	var all []session.Parked
	for _, c := range chats {
		some, err := session.ParkedIn(ctx, db, c.Chat, c.Open)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b session.Parked) int { return int(a.ID - b.ID) })
	return all, nil
}

// atWork returns the turns of a chat that are open and neither wait for the model nor are parked.
func atWork(c store.ChatInfo, parked []session.Parked) (open []int64) {
	for _, turn := range c.Open {
		if !slices.ContainsFunc(parked, func(p session.Parked) bool { return p.ID == turn }) {
			open = append(open, turn)
		}
	}
	return open
}
