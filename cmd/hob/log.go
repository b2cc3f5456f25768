package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/surface/cli"
)

// followEvery is how often `hob log --follow` looks for what another hob has journaled.
const followEvery = 250 * time.Millisecond

func logCommand(a *program) *cobra.Command {
	var asJSON, follow bool
	var search string
	cmd := &cobra.Command{
		Use: "log [CHAT]", Short: "print what happened", Args: cobra.MaximumNArgs(1),
		Example: "  hob log\n  hob log main --follow\n  hob log main --json\n  hob log main --search \"oak table\"",
		RunE: asRunE(func(ctx context.Context, args []string) error {
			chat := first(args)
			ctx, stop := client.UntilInterrupted(ctx)
			defer stop()
			if search != "" {
				return a.searchLog(ctx, event.Chat(cmp.Or(chat, "main")), search, asJSON)
			}
			return a.log(ctx, event.Chat(chat), asJSON, follow)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	cmd.Flags().StringVar(&search, "search", "", "print only what holds these words, newest first; without CHAT in main")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on printing what happens")
	cmd.MarkFlagsMutuallyExclusive("search", "follow")
	return cmd
}

// log prints the events of a chat, or of all.
func (a *program) log(ctx context.Context, chat event.Chat, asJSON, follow bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	since := func(after int64) iter.Seq2[event.Event, error] {
		if chat == "" {
			return db.Since(ctx, "", after)
		}
		return db.Chat(ctx, chat, after)
	}
	show := a.newEventPrinter(asJSON)
	last := int64(0)
	for {
		for e, err := range since(last) {
			if err != nil && ctx.Err() != nil {
				return nil // an interrupt is how following ends
			}
			if err != nil {
				return err
			}
			if err := show(e); err != nil {
				return err
			}
			last = e.Seq
		}
		if !follow {
			break
		}
		if retry.Wait(ctx, followEvery) != nil {
			return nil
		}
	}
	if last == 0 {
		where := "any chat"
		if chat != "" {
			where = string(chat)
		}
		fmt.Fprintf(a.Stderr, "hob: nothing has happened in %s yet\n", where)
	}
	return nil
}

// maxFound is how much a search of the journal prints.
const maxFound = 50

// searchLog prints the events of a chat that hold the words.
func (a *program) searchLog(ctx context.Context, chat event.Chat, words string, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	events, err := db.Search(ctx, chat, words, maxFound)
	if err != nil {
		return err
	}
	for _, e := range events {
		if asJSON {
			if err := cli.NewJSONLines(a.stdout).Event(e); err != nil {
				return err
			}
			continue
		}
		who, text, _ := app.DescribeEvent(e, words)
		fmt.Fprintf(a.stdout, "%s  %-20s %s\n", e.Time.Local().Format("2006-01-02 15:04"), who, text)
	}
	if len(events) == 0 {
		fmt.Fprintf(a.Stderr, "hob: nothing in %s holds %q\n", chat, words)
	}
	return nil
}

// newEventPrinter returns a function that prints events of any chat, with the day and the chat where they change.
func (a *program) newEventPrinter(asJSON bool) func(event.Event) error {
	if asJSON {
		return cli.NewJSONLines(a.stdout).Event
	}
	look := cli.Look{Said: true}
	if cli.IsTerminal(a.stdout) {
		look = a.terminal().Look()
		look.Live, look.Said = false, true
	}
	printer := cli.NewPrinter(a.stdout, look)
	gap := ""
	return func(e event.Event) error {
		if _, ok := e.Body.(event.Said); ok {
			if _, err := fmt.Fprintf(a.stdout, "%s%s  %s\n", gap, e.Time.Local().Format("2006-01-02 15:04"), e.Chat); err != nil {
				return err
			}
			gap = "\n"
		}
		return printer.Event(e)
	}
}
