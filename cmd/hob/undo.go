package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/lists"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/undo"
)

func undoCommand(a *program) *cobra.Command {
	var u commands.UndoRequest
	var list, yes bool
	var cmd *cobra.Command
	var since, chat string
	most := 20
	cmd = a.withResult(&cobra.Command{
		Use: "undo [NUMBER ...]", Short: "take back what was changed",
	}, func(ctx context.Context, s *app.Environment, args []string) (_ result, err error) {
		u.Chat = event.Chat(chat)
		if slices.Equal(args, []string{"list"}) { // as at the prompt
			args, list = nil, true
		}
		if u.Numbers, err = readNumbers(args); err != nil {
			return result{}, err
		}
		if since != "" {
			if u.Since, err = readSpan(since); err != nil {
				return result{}, err
			}
		}
		if len(args) > 0 && (list || u.Turn || since != "" || chat != "" || u.Last != 0) {
			return result{}, exit.Errorf(exit.Usage, "numbers say it all: leave --list, --turn, --last, --since and --chat out")
		}
		if u.Last < 0 || u.Last > commands.MaxUndo || u.Last == 0 && cmd.Flags().Changed("last") {
			return result{}, exit.Errorf(exit.Usage, "--last %d: it is 1 to %d", u.Last, commands.MaxUndo)
		}
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		if list {
			return a.listChanges(ctx, s, u.Chat, most)
		}
		u.NoAsking = true
		done, err := client.Undo(ctx, a.Loader, s, u)
		for _, left := range done.Remains {
			fmt.Fprintf(a.Stderr, "hob: this remains, because nothing takes it back: %s\n", a.terminal().Clean(left))
		}
		if err == nil && len(done.Rights) > 0 && !u.DryRun {
			done, err = a.undoRights(ctx, s, done, yes)
		}
		return undoResult(s, u, done, err), nil
	})
	cmd.Flags().IntVar(&u.Last, "last", 0, "take back that many changes, the newest first")
	cmd.Flags().BoolVar(&yes, "yes", false, "take back what would ask, without asking")
	cmd.Flags().BoolVar(&u.Turn, "turn", false, "take back all that the last turn changed")
	cmd.Flags().StringVar(&since, "since", "", "take back all that was changed in this time, such as 1h")
	cmd.Flags().StringVar(&chat, "chat", "", "only what this chat changed")
	cmd.Flags().BoolVar(&list, "list", false, "list the changes, the newest first")
	cmd.Flags().IntVarP(&most, "number", "n", most, "with --list: how many; 0 is all")
	cmd.Flags().BoolVar(&u.Force, "force", false, "take back also what was changed since; what is there now is kept")
	cmd.Flags().BoolVar(&u.DryRun, "dry-run", false, "only say what would happen")
	exclude(cmd, "list", "turn", "last", "since")
	exclude(cmd, "turn", "last", "since")
	exclude(cmd, "last", "since")
	return cmd
}

// readNumbers parses the numbers of changes.
func readNumbers(words []string) ([]int64, error) {
	var list []int64
	for _, w := range words {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "#"), 10, 64)
		if err != nil || n <= 0 {
			return nil, exit.Errorf(exit.Usage, "%q is no number of a change: hob undo --list shows them", w)
		}
		list = append(list, n)
	}
	return list, nil
}

// readSpan parses the span of a flag --since.
func readSpan(text string) (time.Duration, error) {
	d, err := commands.ParseSpan(text)
	if err != nil {
		err = exit.Errorf(exit.Usage, "--%v", err)
	}
	return d, err
}

// undoRights takes back changes that affect rights. It does so as a tool call, because every call
// that changes rights asks the owner first.
func (a *program) undoRights(ctx context.Context, s *app.Environment, asked commands.UndoReport, yes bool) (done commands.UndoReport, err error) {
	numbers, rights, _ := strings.Cut(asked.Question(), " ")
	args, err := json.Marshal(map[string]string{"changes": numbers, "rights": rights})
	if err != nil {
		return done, err
	}
	caller, err := s.OpenToolCaller(ctx)
	if err != nil {
		return done, err
	}
	out, err := caller.Call(ctx, app.Invocation{
		Tool: undo.ToolName, Args: args, Yes: yes, Ask: a.askToRun,
		Caller: tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner()},
	})
	if err = cmp.Or(err, caller.Close()); err != nil {
		return done, err
	}
	if out.Denied {
		return done, exit.Errorf(exit.Denied, "nothing was taken back, because nobody said yes: %s; add --yes if it shall be", rights)
	}
	if out.Refusal != nil {
		return done, exit.Errorf(exit.Failed, "%s", out.Refusal.Sentence())
	}
	raw, err := json.Marshal(out.Result.Data)
	if err == nil {
		err = json.Unmarshal(raw, &done)
	}
	return done, err
}

// listChanges returns the newest changes. It takes no lock and creates no journal.
func (a *program) listChanges(ctx context.Context, s *app.Environment, chat event.Chat, most int) (result, error) {
	list := changeList{Changes: []listedChange{}}
	calls, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]commands.ListedChange, error) {
		shown, calls, err := s.Changes(db).List(ctx, tools.Caller{User: "owner", Principal: app.LocalOwner()}, chat, most)
		list.Changes = lists.Map(shown, func(c event.Change) listedChange { return listedChange{c, c.Verb(), c.InForce() && !c.Lost} })
		return calls, err
	})
	if err == nil && len(calls) == 0 {
		fmt.Fprintln(a.Stderr, "hob: nothing was changed yet")
	}
	return result{value: list, text: changesTable(calls, s.Zone()).text("")}, err
}

// changeList is what `hob undo --list --json` prints.
type changeList struct {
	Changes []listedChange `json:"changes"`
}

type listedChange struct {
	event.Change
	Did      string `json:"did"`      // created, changed, deleted
	Undoable bool   `json:"undoable"` // as far as the journal says; the file may have changed since
}
