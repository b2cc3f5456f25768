package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	local "hob/internal/surface/http"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

// undoing is what `hob undo` is asked for.
type undoing struct {
	numbers []int64 // of changes; none: what turn and since say, or the last change
	turn    bool
	last    int // so many of the last changes; 0 and 1: the last
	since   time.Duration
	chat    event.Chat // "" is all
	how     changes.Options
	by      tools.Caller // who asks; the zero Caller is the owner, at home
}

func undoCommand(a *program) *cobra.Command {
	var u undoing
	var asJSON, list bool
	var since, chat string
	most := 20
	cmd := &cobra.Command{
		Use: "undo [NUMBER ...]", Short: "take back what the agent changed in files",
		Long: "undo takes back what the last tool changed: a write, an edit or a deletion of a file, or all that a command did\n" +
			"in the workspace. With numbers it takes back those changes; --list shows them. Taking back is a change too: its\n" +
			"number makes the first one again.\n" +
			"A file that was changed since is left alone, unless --force says otherwise; then what is there now is kept.\n" +
			"Either all of what was asked for is taken back or nothing.\n" +
			"Of commands, files of up to 1 MiB come back; what cannot is said in the command's result. What hob sandbox run\n" +
			"did, and what a command did before hob was killed, is not remembered.",
		Example: "  hob undo                  the last change\n" +
			"  hob undo --turn           all that the last turn changed\n" +
			"  hob undo --since 1h       all of the last hour; also 30m, 2d\n" +
			"  hob undo --list           what there is to take back\n" +
			"  hob undo 12 9 --dry-run   say what would happen",
		RunE: does(func(ctx context.Context, args []string) (err error) {
			u.chat = event.Chat(chat)
			if u.numbers, err = numbers(args); err != nil {
				return err
			}
			if since != "" {
				if u.since, err = readSpan(since); err != nil {
					return err
				}
			}
			if len(args) > 0 && (list || u.turn || since != "" || chat != "") {
				return exit.Errorf(exit.Usage, "numbers say it all: leave --list, --turn, --since and --chat out")
			}
			s, err := a.Load()
			if err != nil {
				return err
			}
			ctx, stop := untilInterrupted(ctx)
			defer stop()
			if list {
				return a.listChanges(ctx, s, u.chat, most, asJSON)
			}
			return a.undo(ctx, s, u, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&u.turn, "turn", false, "take back all that the last turn changed")
	cmd.Flags().StringVar(&since, "since", "", "take back all that was changed in this time, such as 1h")
	cmd.Flags().StringVar(&chat, "chat", "", "only what this chat changed")
	cmd.Flags().BoolVar(&list, "list", false, "list the changes, the newest first")
	cmd.Flags().IntVarP(&most, "number", "n", most, "with --list: how many; 0 is all")
	cmd.Flags().BoolVar(&u.how.Force, "force", false, "take back also what was changed since; what is there now is kept")
	cmd.Flags().BoolVar(&u.how.DryRun, "dry-run", false, "only say what would happen")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.MarkFlagsMutuallyExclusive("turn", "since", "list")
	return cmd
}

func numbers(words []string) ([]int64, error) {
	var list []int64
	for _, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || n <= 0 {
			return nil, exit.Errorf(exit.Usage, "%q is no number of a change: hob undo --list shows them", w)
		}
		list = append(list, n)
	}
	return list, nil
}

// readSpan reads a time such as 90m, 1h30m or 2d.
func readSpan(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return 0, exit.Errorf(exit.Usage, "--since %s: say how long ago, such as 30m, 1h or 2d", text)
	}
	return d, nil
}

// undo has the running hob take changes back, or does so as the only hob that works on the state.
func (a *program) undo(ctx context.Context, s *app.Environment, u undoing, asJSON bool) error {
	done, err := distant{Client: local.NewClient(s.SocketPath())}.takeBack(ctx, u)
	if !errors.Is(err, local.ErrNobody) && !errors.Is(err, local.ErrGone) {
		return a.tellUndone(s, u, done, err, asJSON)
	}
	lock, err := a.TakeState(ctx, s, "hob undo")
	if err != nil {
		return err
	}
	err = a.undoAlone(ctx, s, u, asJSON)
	return closeAll(err, lock.Release())
}

func (a *program) undoAlone(ctx context.Context, s *app.Environment, u undoing, asJSON bool) error {
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	done, err := takeBack(ctx, s, db, u)
	return a.tellUndone(s, u, done, closeAll(err, db.Close()), asJSON)
}

func (a *program) tellUndone(s *app.Environment, u undoing, done []changes.Undone, err error, asJSON bool) error {
	if asJSON {
		return a.undoneJSON(u, done, err)
	}
	return a.undone(s, u, done, err)
}

// errNothing says that there is nothing to take back.
var errNothing = errors.New("there is nothing to take back")

// takeBack does what is asked for.
func takeBack(ctx context.Context, s *app.Environment, db *store.DB, u undoing) ([]changes.Undone, error) {
	files, err := s.OpenFiles(nil, nil, app.JournalTools{DB: db}, s.NewShell().Walls)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	kept := db.Changes(store.Limits{})
	all, err := kept.List(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := files.Changes().Reconcile(ctx, all); err != nil {
		return nil, err
	}
	if all, err = kept.List(ctx, 0); err != nil {
		return nil, err
	}
	chosen := u.choose(all)
	if len(chosen) == 0 {
		return nil, errNothing
	}
	if u.by.User == "" {
		u.by = tools.Caller{User: "owner", Standing: app.LocalOwner()}
	}
	u.by.Chat = u.chat
	ctx = tools.WithCaller(ctx, u.by)
	done, err := files.Changes().Undo(ctx, all, chosen, u.how)
	if err != nil || u.how.DryRun {
		return done, err
	}
	return done, kept.Prune(ctx)
}

// choose returns the numbers of the changes that are meant.
func (u undoing) choose(all []event.Change) []int64 {
	switch {
	case len(u.numbers) > 0:
		return changes.Together(all, u.numbers)
	case u.turn:
		return changes.LastTurn(all, u.chat)
	case u.since > 0:
		return changes.Since(all, u.chat, time.Now().Add(-u.since))
	}
	return lastChanges(all, u.chat, max(u.last, 1))
}

// lastChanges returns the numbers of the newest n changes of a chat, with all that their calls changed.
func lastChanges(all []event.Change, chat event.Chat, n int) []int64 {
	var chosen []int64
	for left := slices.Clone(all); n > 0; n-- {
		some := changes.Last(left, chat)
		if len(some) == 0 {
			break
		}
		chosen = append(chosen, some...)
		left = slices.DeleteFunc(left, func(c event.Change) bool { return slices.Contains(some, c.ID) })
	}
	return chosen
}

// undoHelp is what /help says of undoing.
const undoHelp = `  /undo   take back what the last turn changed in files; /undo N takes back change N
`

// undoLine does what a line such as "/undo 12" says, and reports whether it is one.
func (a *program) undoLine(ctx context.Context, s *app.Environment, h talk, chat event.Chat, line string) (bool, error) {
	words := strings.Fields(line)
	if words[0] != "/undo" {
		return false, nil
	}
	u := undoing{turn: true, chat: chat}
	for _, w := range words[1:] {
		if w == "--force" {
			u.how.Force = true
			continue
		}
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || n <= 0 {
			return true, fmt.Errorf("%s is no number of a change: /undo takes back the last turn, /undo 12 change 12", w)
		}
		u.numbers = append(u.numbers, n)
	}
	done, err := h.takeBack(ctx, u)
	return true, a.undone(s, u, done, err)
}

// listChanges prints the newest changes. Looking takes no lock, and makes no journal.
func (a *program) listChanges(ctx context.Context, s *app.Environment, chat event.Chat, most int, asJSON bool) error {
	all := []event.Change{}
	if _, err := os.Stat(s.JournalPath()); err == nil {
		db, err := s.OpenJournal(ctx)
		if err != nil {
			return err
		}
		all, err = db.Changes(store.Limits{}).List(ctx, 0)
		if err := closeAll(err, db.Close()); err != nil {
			return err
		}
	}
	var shown []event.Change
	calls := map[int64]bool{}
	for _, c := range all {
		if chat != "" && c.Chat != chat {
			continue
		}
		if calls[c.Whole()] = true; most > 0 && len(calls) > most {
			break
		}
		shown = append(shown, c)
	}
	if asJSON {
		return a.changesJSON(shown)
	}
	return a.changesTable(s, all, shown)
}
