package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/daemon"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/store"
	"hob/internal/surface/http/api"
	"hob/internal/surface/telegram/chat"
)

func pairCommand(a *program) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use: "pair", Short: "let a person in over Telegram, with a code", Args: cobra.NoArgs,
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, _ []string) error {
			return a.pair(ctx, s, as)
		}),
	}
	cmd.Flags().StringVar(&as, "as", "", "what they may do: owner, admin or user")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	return cmd
}

// pair makes a code and shows it. At a terminal it waits until somebody uses the code.
func (a *program) pair(ctx context.Context, s *app.Environment, as string) error {
	ctx, leave := client.UntilInterrupted(ctx)
	defer leave()
	if err := s.MakeState(); err != nil {
		return err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	err = a.invite(ctx, s, db, as)
	return cmp.Or(err, db.Close())
}

func (a *program) invite(ctx context.Context, s *app.Environment, db *store.DB, as string) error {
	before, err := db.People().People(ctx, chat.Platform)
	if err != nil {
		return err
	}
	bot, err := db.Settings().Get(ctx, daemon.BotNameKey)
	if err != nil {
		return err
	}
	p, err := app.NewPairing(ctx, db, chat.Platform, as, bot)
	if err != nil {
		return err
	}
	if problem := explainUnread(ctx, s); problem != "" { // first, so that nobody sends a code that no bot reads
		fmt.Fprintf(a.Stderr, "hob: %s\n", problem)
	}
	if a.json {
		err = a.printJSON(p)
	} else {
		a.printPairing(p, bot)
	}
	if a.json || !a.terminal().IsInteractive() {
		return err
	}
	w := wordsIn(a.terminal().Language())
	fmt.Fprintln(a.Stderr, w.Text("pair.wait"))
	in, err := app.AwaitPairing(ctx, db, chat.Platform, before)
	if ctx.Err() != nil {
		return nil //nolint:nilerr // an interrupt ends the wait
	}
	if err == nil {
		_, err = fmt.Fprintln(a.out, w.Text("pair.in", display.Clean(in.Name), strconv.FormatInt(in.ID, 10), describeLevel(w, in.Level)))
	}
	return err
}

func (a *program) printPairing(p app.Pairing, bot string) {
	w := wordsIn(a.terminal().Language())
	to := w.Text("pair.bot")
	if bot != "" {
		to = "@" + bot
	}
	fmt.Fprintf(a.out, "%s\n\n    %s\n\n", w.Text("pair.send", to), p.Code)
	if p.Link != "" {
		fmt.Fprintln(a.out, w.Text("pair.open", p.Link))
	}
	fmt.Fprintln(a.out, w.Text("pair.level", describeLevel(w, p.Level)))
}

// describeLevel describes a level for people.
func describeLevel(w phrases.Words, l event.Level) string {
	if text, ok := w.Find("level." + l.String()); ok {
		return text
	}
	return w.Text("level.user")
}

// explainUnread returns why no bot would read the code, and what to do about it, or "".
func explainUnread(ctx context.Context, s *app.Environment) string {
	ctx, cancel := context.WithTimeout(ctx, commands.StatusTimeout)
	defer cancel()
	st, err := api.NewClient(s.SocketPath()).Status(ctx)
	serves := err == nil && st.Serves == app.DaemonCommand
	token, bad := s.BotToken()
	switch {
	case serves && strings.HasPrefix(st.Telegram, "@"):
		return ""
	case serves:
		return "hob serve runs, but not with Telegram: " + display.Clean(st.Telegram)
	case bad != nil:
		return bad.Error()
	case token == "":
		return "there is no bot yet: make one with BotFather, give its token to hob setup, or name a file with it in [telegram] token_file, and start hob serve"
	}
	return "nobody reads what the bot is sent yet: start hob serve in another terminal, with the state in " + s.StateDir
}
