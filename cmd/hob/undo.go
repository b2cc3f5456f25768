package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
)

func undoCommand(a *program) *cobra.Command {
	var u commands.UndoRequest
	var list bool
	var since, chat string
	most := 20
	cmd := a.withResult(&cobra.Command{
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
	}, func(ctx context.Context, s *app.Environment, args []string) (_ result, err error) {
		u.Chat = event.Chat(chat)
		if u.Numbers, err = readNumbers(args); err != nil {
			return result{}, err
		}
		if since != "" {
			if u.Since, err = readSpan(since); err != nil {
				return result{}, err
			}
		}
		if len(args) > 0 && (list || u.Turn || since != "" || chat != "") {
			return result{}, exit.Errorf(exit.Usage, "numbers say it all: leave --list, --turn, --since and --chat out")
		}
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		if list {
			return a.listChanges(ctx, s, u.Chat, most)
		}
		done, err := client.Undo(ctx, a.Loader, s, u)
		return undoResult(s, u, done, err), nil
	})
	cmd.Flags().BoolVar(&u.Turn, "turn", false, "take back all that the last turn changed")
	cmd.Flags().StringVar(&since, "since", "", "take back all that was changed in this time, such as 1h")
	cmd.Flags().StringVar(&chat, "chat", "", "only what this chat changed")
	cmd.Flags().BoolVar(&list, "list", false, "list the changes, the newest first")
	cmd.Flags().IntVarP(&most, "number", "n", most, "with --list: how many; 0 is all")
	cmd.Flags().BoolVar(&u.Force, "force", false, "take back also what was changed since; what is there now is kept")
	cmd.Flags().BoolVar(&u.DryRun, "dry-run", false, "only say what would happen")
	cmd.MarkFlagsMutuallyExclusive("turn", "since", "list")
	return cmd
}

// readNumbers reads the numbers of changes.
func readNumbers(words []string) ([]int64, error) {
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

// listChanges returns the newest changes. Looking takes no lock, and makes no journal.
func (a *program) listChanges(ctx context.Context, s *app.Environment, chat event.Chat, most int) (result, error) {
	all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Change, error) { return db.Changes(store.Limits{}).List(ctx, 0) })
	if err != nil {
		return result{}, err
	}
	var shown []event.Change
	calls := map[int64]bool{}
	list := changeList{Changes: []listedChange{}}
	for _, c := range all {
		if chat != "" && c.Chat != chat {
			continue
		}
		if calls[c.GroupID()] = true; most > 0 && len(calls) > most {
			break
		}
		shown = append(shown, c)
		list.Changes = append(list.Changes, listedChange{c, c.Verb(), c.InForce() && !c.Lost})
	}
	if len(shown) == 0 {
		fmt.Fprintln(a.Stderr, "hob: the agent has changed no files yet")
	}
	return result{value: list, text: changesTable(s, all, shown).text("")}, nil
}

// changeList is what `hob undo --list --json` prints.
type changeList struct {
	Changes []listedChange `json:"changes"`
}

type listedChange struct {
	event.Change
	Did      string `json:"did"`      // created, changed, deleted
	Undoable bool   `json:"undoable"` // as far as is known without looking at the file
}
