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
	"hob/internal/exit"
	"hob/internal/retry"
	"hob/internal/store"
	"hob/internal/surface/cli"
)

// followEvery is how often `hob log --follow` looks for events of another process.
const followEvery = 250 * time.Millisecond

// recentTurns is how many turns `hob log` shows a person who gives no number.
const recentTurns = 20

// logOptions says which part of the journal is printed.
type logOptions struct {
	chat   event.Chat // "" is all
	turns  int        // the last of them; 0: all
	since  time.Time  // zero: from the beginning
	follow bool
}

func logCommand(a *program) *cobra.Command {
	var o logOptions
	var search, since, chat string
	cmd := &cobra.Command{
		Use: "log [CHAT]", Short: "print what happened", Args: cobra.MaximumNArgs(1),
	}
	cmd.RunE = a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
		if len(args) > 0 && chat != "" && chat != args[0] {
			return exit.Errorf(exit.Usage, "two chats are named, %s and %s: one at a time, or none for all", args[0], chat)
		}
		o.chat = event.Chat(cmp.Or(first(args), chat))
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		db, err := s.OpenJournal(ctx)
		if err != nil {
			return err
		}
		defer db.Close()
		if search != "" {
			return a.searchLog(ctx, db, s.Zone(), cmp.Or(o.chat, "main"), search)
		}
		if since != "" {
			if o.since, err = readSince(since, s.Clock()()); err != nil {
				return err
			}
		}
		byDefault := !cmd.Flags().Changed("number") && since == ""
		if byDefault && !a.json && cli.IsTerminal(a.stdout) {
			o.turns = recentTurns
		}
		if o.turns < 0 {
			return exit.Errorf(exit.Usage, "-n %d: say how many turns, or 0 for all", o.turns)
		}
		return a.log(ctx, db, s.Zone(), o, byDefault)
	})
	cmd.Flags().BoolVar(&a.json, "json", false, "print JSON Lines")
	cmd.Flags().StringVar(&search, "search", "", "print only what holds these words, newest first; without CHAT in main")
	cmd.Flags().BoolVarP(&o.follow, "follow", "f", false, "go on printing what happens")
	cmd.Flags().IntVarP(&o.turns, "number", "n", 0, "only the last turns, so many; 0 is all")
	cmd.Flags().StringVar(&since, "since", "", "only what happened since: a span such as 30m, 2h or 3d, a day such as 2026-01-31, or a time such as 2026-01-31T18:00")
	cmd.Flags().StringVar(&chat, "chat", "", "only this chat, as CHAT says it")
	exclude(cmd, "search", "follow", "number", "since")
	return cmd
}

// readSince parses a point in the past: a span before now, or a day or time in the zone of now.
func readSince(text string, now time.Time) (time.Time, error) {
	if d, err := readSpan(text); err == nil {
		return now.Add(-d), nil
	}
	for _, form := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", time.RFC3339} {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, exit.Errorf(exit.Usage, "--since %s: say how long ago, such as 30m, 2h or 3d, or a day such as 2026-01-31", text)
}

// log prints the events of a chat, or of all. If byDefault leaves some out, it prints a hint.
func (a *program) log(ctx context.Context, db *store.DB, zone *time.Location, o logOptions, byDefault bool) error {
	since := func(after int64) iter.Seq2[event.Event, error] {
		if o.chat == "" {
			return db.Since(ctx, "", after)
		}
		return db.Chat(ctx, o.chat, after)
	}
	show := a.newEventPrinter(zone)
	last, turns, err := firstTurn(since, o)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if left := turns - o.turns; byDefault && o.turns > 0 && left > 0 {
		fmt.Fprintf(a.Stderr, "hob: these are the last %d of %d turns: -n 0 shows all, hob log --help how to choose\n", o.turns, turns)
	}
	none := true
	for {
		for e, err := range since(last) {
			if err != nil && ctx.Err() != nil {
				return nil // following ends with an interrupt
			}
			if err != nil {
				return err
			}
			if err := show(e); err != nil {
				return err
			}
			last, none = e.Seq, false
		}
		if !o.follow {
			break
		}
		if retry.Wait(ctx, followEvery) != nil {
			return nil
		}
	}
	if none {
		where, when := "any chat", "yet"
		if o.chat != "" {
			where = string(o.chat)
		}
		if !o.since.IsZero() {
			when = "since then"
		}
		fmt.Fprintf(a.Stderr, "hob: nothing has happened in %s %s\n", where, when)
	}
	return nil
}

// firstTurn returns the sequence number after which to print, and the number of turns in the chosen
// period.
func firstTurn(since func(int64) iter.Seq2[event.Event, error], o logOptions) (after int64, turns int, err error) {
	if o.turns == 0 && o.since.IsZero() {
		return 0, 0, nil
	}
	var starts []int64 // sequence number before each of the last turns
	before, begun := int64(0), o.since.IsZero()
	for e, err := range since(0) {
		if err != nil {
			return 0, 0, err
		}
		if !begun && !e.Time.Before(o.since) {
			after, begun = before, true
		}
		if _, ok := e.Body.(event.Said); ok && begun {
			turns++
			if starts = append(starts, before); o.turns > 0 && len(starts) > o.turns {
				starts = starts[1:]
			}
		}
		before = e.Seq
	}
	switch {
	case !begun:
		return before, 0, nil
	case o.turns > 0 && turns > o.turns:
		return starts[0], turns, nil
	}
	return after, turns, nil
}

// maxFound limits how many events a search prints.
const maxFound = 50

// searchLog prints the events of a chat that match the words.
func (a *program) searchLog(ctx context.Context, db *store.DB, zone *time.Location, chat event.Chat, words string) error {
	events, err := db.Search(ctx, chat, words, maxFound)
	if err != nil {
		return err
	}
	for _, e := range events {
		if a.json {
			if err := cli.NewJSONLines(a.stdout).Event(e); err != nil {
				return err
			}
			continue
		}
		who, text, _ := app.DescribeEvent(e, words)
		fmt.Fprintf(a.out, "%s  %-20s %s\n", formatTime(e.Time, zone), who, text)
	}
	if len(events) == 0 {
		fmt.Fprintf(a.Stderr, "hob: nothing in %s holds %q\n", chat, words)
	}
	return nil
}

// newEventPrinter returns a function that prints events of any chat. A new day or chat gets a
// heading.
func (a *program) newEventPrinter(zone *time.Location) func(event.Event) error {
	if a.json {
		return cli.NewJSONLines(a.stdout).Event
	}
	look := cli.Look{Said: true, Zone: zone}
	if cli.IsTerminal(a.stdout) {
		look = a.terminal().Look()
		look.Live, look.Said, look.Zone = false, true, zone
	}
	printer := cli.NewPrinter(a.stdout, look)
	gap := ""
	return func(e event.Event) error {
		if _, ok := e.Body.(event.Said); ok {
			if _, err := fmt.Fprintf(a.stdout, "%s%s  %s\n", gap, formatTime(e.Time, zone), e.Chat); err != nil {
				return err
			}
			gap = "\n"
		}
		return printer.Event(e)
	}
}
