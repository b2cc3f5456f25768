package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/backup"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/cli"
)

func journalCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "journal", Short: "what is wrong with the journal, and what can be read of it", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return exit.Errorf(exit.Usage, "say what to do with the journal: hob journal check or dump")
		},
	}
	check := a.withResult(&cobra.Command{
		Use: "check", Short: "read all of it: its pages, its events, the record of calls", Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		found, err := backup.CheckJournal(ctx, s)
		return result{value: found, text: checkText(found), failure: failUnless(found.OK)}, err
	})
	dump := &cobra.Command{
		Use: "dump [CHAT]", Short: "print its events as JSON Lines, as far as they can be read", Args: cobra.MaximumNArgs(1),
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
			ctx, stop := client.UntilInterrupted(ctx)
			defer stop()
			return a.dumpJournal(ctx, s, event.Chat(first(args)))
		}),
	}
	cmd.AddCommand(check, dump)
	return cmd
}

// checkText renders the findings of a check for a person.
func checkText(found backup.JournalCheck) (text string) {
	if !found.There {
		return fmt.Sprintf("There is no journal %s yet.\n", found.Path)
	}
	for _, p := range found.Problems {
		text += display.Clean(p.What) + "\n"
		if p.Do != "" {
			text += "  do: " + display.Clean(p.Do) + "\n"
		}
	}
	if found.OK {
		text += fmt.Sprintf("%s is whole: %s, %s, %s.\n", found.Path, display.Count(found.Chats, "chat"), display.Count(found.Events, "event"),
			display.Count(found.Calls, "recorded call"))
	}
	return text
}

// dumpJournal prints the events of a chat, or of all. If the journal is damaged, it prints the
// events that can be salvaged from a copy.
func (a *program) dumpJournal(ctx context.Context, s *app.Environment, chat event.Chat) error {
	if !s.HasJournal() {
		return exit.Errorf(exit.Failed, "there is no journal %s", s.JournalPath())
	}
	last, err := a.dumpWhole(ctx, s, chat)
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	fmt.Fprintf(a.Stderr, "hob: the journal is damaged: what follows is what can be read of it\n")
	dir, err := os.MkdirTemp("", "hob-journal-")
	if err != nil {
		return err
	}
	lost, lines := 0, cli.NewJSONLines(a.stdout)
	for e, err := range store.Salvage(ctx, s.JournalPath(), chat, dir) {
		switch {
		case err != nil && (e.Seq == 0 || ctx.Err() != nil):
			return errors.Join(err, os.RemoveAll(dir))
		case err != nil:
			lost++
		case e.Seq > last:
			if err := lines.Event(e); err != nil {
				return errors.Join(err, os.RemoveAll(dir))
			}
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return exit.Errorf(exit.Failed, "%s cannot be read; a backup may have them: hob restore", display.Count(lost, "event"))
}

// dumpWhole prints events until one cannot be read, and returns the number of the last one printed.
func (a *program) dumpWhole(ctx context.Context, s *app.Environment, chat event.Chat) (last int64, err error) {
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return 0, err
	}
	events, lines := db.Since(ctx, "", 0), cli.NewJSONLines(a.stdout)
	if chat != "" {
		events = db.Chat(ctx, chat, 0)
	}
	for e, err := range events {
		if err == nil {
			err = lines.Event(e)
		}
		if err != nil {
			return last, cmp.Or(err, db.Close())
		}
		last = e.Seq
	}
	return last, db.Close()
}
