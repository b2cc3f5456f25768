package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
)

func allowCommand(a *program) *cobra.Command {
	var as, name string
	var remove bool
	cmd := a.withResult(&cobra.Command{
		Use: "allow [ID]", Short: "who may talk to hob over Telegram",
		Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		if len(args) == 0 {
			if remove || as != "" || name != "" {
				return result{}, exit.Errorf(exit.Usage, "say whom: hob allow ID, of those that hob allow lists")
			}
			return listPeople(ctx, s)
		}
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || id == 0 {
			return result{}, exit.Errorf(exit.Usage, "%q is no number of a person or group: names can be taken by others, so only the number counts; hob pair "+
				"needs none", args[0])
		}
		if remove {
			return forgetPerson(ctx, s, id)
		}
		if as, err = a.confirmOwner(ctx, s, id, as); err != nil {
			return result{}, err
		}
		return allowPerson(ctx, s, event.Person{Platform: chat.Platform, ID: id, Name: name, By: "owner"}, as)
	})
	cmd.Flags().StringVar(&as, "as", "", "what they may do: owner, admin or user")
	cmd.Flags().StringVar(&name, "name", "", "what you call them, for the list")
	cmd.Flags().BoolVar(&remove, "remove", false, "let them in no longer")
	exclude(cmd, "as", "remove")
	return cmd
}

// confirmOwner asks whether the first person added becomes the owner, and returns the chosen level.
func (a *program) confirmOwner(ctx context.Context, s *app.Environment, id int64, as string) (string, error) {
	if as != "" || id < 0 {
		return as, nil
	}
	level, err := app.ReadJournal(ctx, s, func(db *store.DB) (event.Level, error) { return app.ChooseLevel(ctx, db, chat.Platform, "") })
	if err != nil || s.HasJournal() && level != event.Owner {
		return "", err
	}
	if t := a.terminal(); t.IsInteractive() {
		w := wordsIn(t.Language())
		fmt.Fprintln(a.Stderr, w.Text("owner.none"))
		if yes, err := t.Confirm(ctx, w.Text("owner.ask", strconv.FormatInt(id, 10))); err != nil || yes {
			return "owner", err
		}
	}
	return "", exit.Errorf(exit.Usage, "nobody is let in: hob allow %d --as owner makes the owner, --as user somebody who may ask and look", id)
}

// moveGroupLast moves the id of a group behind all flags and a "--". It is negative, so it looks
// like a flag.
func moveGroupLast(args []string) []string {
	if !slices.Contains(args, "allow") || slices.Contains(args, "--") {
		return args
	}
	isGroup := func(arg string) bool {
		n, err := strconv.ParseInt(arg, 10, 64)
		return err == nil && n < 0
	}
	i := slices.IndexFunc(args, isGroup)
	if i < 0 {
		return args
	}
	return slices.Concat(args[:i], args[i+1:], []string{"--", args[i]})
}

func listPeople(ctx context.Context, s *app.Environment) (result, error) {
	all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Person, error) { return db.People().People(ctx, chat.Platform) })
	t := newTable("ID", "NAME", "AS", "SINCE", "BY").in(s.Zone())
	for _, p := range all {
		t.add(p.ID, p.Name, role(p), p.Since, p.By)
	}
	return result{value: append([]event.Person{}, all...), text: t.text("Nobody may talk to hob over Telegram: hob pair lets you in.\n")}, err
}

// role returns a person's level as --as spells it.
func role(p event.Person) string {
	switch {
	case p.ID < 0:
		return "group"
	case p.Level == event.BotAdmin:
		return "admin"
	}
	return p.Level.String()
}

func allowPerson(ctx context.Context, s *app.Environment, p event.Person, as string) (result, error) {
	p, err := s.AddPerson(ctx, p, as)
	text := fmt.Sprintf("%d may talk to hob, as %s. hob allow %d --remove ends that.\n", p.ID, describeLevel(wordsIn(""), p.Level), p.ID)
	if p.ID < 0 {
		text = fmt.Sprintf("In group %d hob answers whoever mentions it. hob allow %d --remove ends that.\n", p.ID, p.ID)
	}
	return result{value: p, text: text}, err
}

func forgetPerson(ctx context.Context, s *app.Environment, id int64) (result, error) {
	known, err := app.ReadJournal(ctx, s, func(db *store.DB) (bool, error) {
		return db.People().ForgetPerson(app.WithOwnersCause(ctx, "allow"), chat.Platform, id)
	})
	if err == nil && !known {
		err = exit.Errorf(exit.Usage, "%d was not let in: hob allow lists who is", id)
	}
	if err != nil {
		return result{}, err
	}
	text := fmt.Sprintf("%d is let in no longer.\n", id)
	open, err := s.OpenTurns(ctx)
	for _, c := range open {
		if name := fmt.Sprintf("%s/%d", chat.Platform, id); strings.HasPrefix(string(c.Chat)+"/", name+"/") {
			text += fmt.Sprintf("What was asked for in %s before that goes on: hob stop %s ends it.\n", c.Chat, c.Chat)
		}
	}
	return result{value: map[string]int64{"removed": id}, text: text, failure: err}, nil
}
