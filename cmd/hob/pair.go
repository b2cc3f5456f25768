package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/daemon"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	local "hob/internal/surface/http"
	"hob/internal/surface/telegram/chat"
)

// A pairing code is good for so long, and for so many wrong codes.
const (
	pairingTime  = 10 * time.Minute
	pairingTries = 5
)

// pairingLook is how often a terminal that waits looks whether somebody has given the code.
const pairingLook = time.Second

// pairing is what `hob pair --json` prints.
type pairing struct {
	Code    string      `json:"code"`
	Link    string      `json:"link,omitempty"` // opens the chat with the bot and gives it the code
	Level   event.Level `json:"level"`
	Expires time.Time   `json:"expires"`
}

func pairCommand(a *program) *cobra.Command {
	var as string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "pair", Short: "let a person in over Telegram, with a code", Args: cobra.NoArgs,
		Long: "pair shows a code that is good for ten minutes and for one person. Whoever sends it to the bot may talk to hob from\n" +
			"then on. The first who is let in is the owner; later ones may ask, read and fetch, and nothing more, unless --as says\n" +
			"so. hob allow lists who is in, and lets people in by their number.",
		Example: "  hob pair             the first time: you\n  hob pair --as user   somebody of your household",
		RunE: does(func(ctx context.Context, _ []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			return a.pair(ctx, s, as, asJSON)
		}),
	}
	cmd.Flags().StringVar(&as, "as", "", "what they may do: owner, admin or user")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// pair makes a code, shows it, and at a terminal waits for whoever gives it.
func (a *program) pair(ctx context.Context, s *app.Environment, as string, asJSON bool) error {
	ctx, leave := client.UntilInterrupted(ctx)
	defer leave()
	if err := s.MakeState(); err != nil {
		return err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	err = a.invite(ctx, s, db, as, asJSON)
	return closeAll(err, db.Close())
}

func (a *program) invite(ctx context.Context, s *app.Environment, db *store.DB, as string, asJSON bool) error {
	level, err := levelAs(ctx, db, as)
	if err != nil {
		return err
	}
	before, err := db.People().People(ctx, chat.Platform)
	if err != nil {
		return err
	}
	code, err := pairingCode(rand.Reader)
	if err != nil {
		return err
	}
	in := event.Invite{Platform: chat.Platform, Level: level, Expires: time.Now().Add(pairingTime), Tries: pairingTries}
	if err := db.People().AddInvite(ctx, in, code); err != nil {
		return err
	}
	p := pairing{Code: event.ShowCode(code), Level: level, Expires: in.Expires.UTC().Truncate(time.Second)}
	bot, err := db.Settings().Get(ctx, daemon.BotNameKey)
	if err != nil {
		return err
	}
	if bot != "" {
		p.Link = "https://t.me/" + bot + "?start=" + code
	}
	if asJSON {
		err = a.printJSON(p)
	} else {
		a.showPairing(p, bot)
	}
	if problem := unread(ctx, s); problem != "" {
		fmt.Fprintf(a.Stderr, "hob: %s\n", problem)
	}
	if asJSON {
		return err
	}
	if !isTerminal(a.stdin) || !isTerminal(a.stdout) {
		return nil
	}
	return a.awaitPairing(ctx, db, before)
}

func (a *program) showPairing(p pairing, bot string) {
	to := "your bot"
	if bot != "" {
		to = "@" + bot
	}
	fmt.Fprintf(a.stdout, "Send this to %s on Telegram, within ten minutes:\n\n    %s\n\n", to, p.Code)
	if p.Link != "" {
		fmt.Fprintf(a.stdout, "or open %s\n", p.Link)
	}
	fmt.Fprintf(a.stdout, "Whoever sends it becomes %s.\n", mayDo(p.Level))
}

// unread says what keeps a code from being read, and what to do about it; "" nothing does.
func unread(ctx context.Context, s *app.Environment) string {
	ctx, cancel := context.WithTimeout(ctx, commands.StatusFor)
	defer cancel()
	st, err := local.NewClient(s.SocketPath()).Status(ctx)
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
		return "there is no bot yet: make one with BotFather, put its token into a file for you alone, name that in [telegram] token_file, and start hob serve"
	}
	return "nobody reads what the bot is sent: start hob serve, with the state in " + s.StateDir
}

// awaitPairing waits until somebody has given the code, or it is good no more.
func (a *program) awaitPairing(ctx context.Context, db *store.DB, before []event.Person) error {
	look := time.NewTicker(pairingLook)
	defer look.Stop()
	fmt.Fprintln(a.Stderr, "Waiting for it; Ctrl-C leaves, and the code stays good.")
	for {
		_, there, err := db.People().Invited(ctx, chat.Platform)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if !there {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
	}
	now, err := db.People().People(ctx, chat.Platform)
	if err != nil {
		return err
	}
	for _, p := range now {
		if !known(before, p) {
			_, err := fmt.Fprintf(a.stdout, "%s (%d) is in, as %s.\n", display.Clean(p.Name), p.ID, mayDo(p.Level))
			return err
		}
	}
	return errors.New("nobody has given the code in time, or too many wrong ones were given: hob pair makes another")
}

// known reports whether a person was let in by then, just so.
func known(before []event.Person, p event.Person) bool {
	for _, b := range before {
		if b.ID == p.ID && b.Since.Equal(p.Since) {
			return true
		}
	}
	return false
}

// pairingCode returns 40 random bits as a code.
func pairingCode(random io.Reader) (string, error) {
	var raw [event.CodeLen]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	for i, b := range raw {
		raw[i] = event.CodeLetters[int(b)%len(event.CodeLetters)] // there are 32 of them: all come as often
	}
	return string(raw[:]), nil
}

// levelAs is the level that a person is let in with: the first is the owner, who is asked for everything.
func levelAs(ctx context.Context, db *store.DB, as string) (event.Level, error) {
	switch as {
	case "owner":
		return event.Owner, nil
	case "admin":
		return event.BotAdmin, nil
	case "user":
		return event.User, nil
	case "":
	default:
		return event.User, exit.Errorf(exit.Usage, "there is no %q: it is owner, admin or user", as)
	}
	all, err := db.People().People(ctx, chat.Platform)
	if err != nil {
		return event.User, err
	}
	for _, p := range all {
		if p.Level == event.Owner {
			return event.User, nil
		}
	}
	return event.Owner, nil
}

// mayDo is a level as people are told of it.
func mayDo(l event.Level) string {
	switch l {
	case event.Owner:
		return "owner (may do everything)"
	case event.BotAdmin:
		return "admin (may do everything but switch tools)"
	}
	return "user (may ask, read the workspace and fetch pages)"
}
