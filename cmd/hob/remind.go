package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/store"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

func remindCommand(a *program) *cobra.Command {
	var chat, missed string
	cmd := &cobra.Command{
		Use: "remind [flags] WORDS ...", Short: "remind you later, once or again and again", Args: checkArgs(1, -1, "say when and what: hob remind tomorrow at 8 call Ana"),
		RunE: asRunE(func(ctx context.Context, args []string) error {
			line := "/remind "
			switch missed {
			case "":
			case "late", "skip", "once":
				line += "missed=" + missed + " "
			default:
				return exit.Errorf(exit.Usage, "--missed %s: it is late, skip or once", missed)
			}
			return a.remind(ctx, line+strings.Join(args, " "), chat)
		}),
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "print it as JSON")
	cmd.Flags().StringVar(&chat, "chat", "main", "chat in which it is told")
	cmd.Flags().StringVar(&missed, "missed", "", "what to do with times at which hob does not run: late, skip or once")
	return cmd
}

func remindersCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reminders [ID [CHANGE ...]]", Short: "list reminders, or change one",
		RunE: a.besideServer(func(ctx context.Context, s *app.Environment, args []string) error {
			if len(args) == 0 {
				return a.listReminders(ctx, s)
			}
			return a.remind(ctx, "/reminder "+strings.Join(args, " "), "main")
		}),
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "print them as JSON")
	cmd.AddCommand(importReminders(a), exportReminders(a))
	return cmd
}

func importReminders(a *program) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "make reminders of a calendar, an .ics file", Args: checkArgs(1, 1, "say which file: hob reminders import holidays.ics"),
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			defer file.Close()
			all, problems, err := s.ReadCalendar(file, filepath.Base(args[0]))
			if err != nil {
				return err
			}
			for _, p := range problems {
				fmt.Fprintf(a.Stderr, "hob: line %d: %s\n", p.Line, display.OneLine(p.Text))
			}
			if len(all) == 0 {
				return exit.Errorf(exit.Failed, "%s has nothing that is still to come", args[0])
			}
			found := fmt.Sprintf("%s has %s to come, the first on %s", args[0], display.Count(len(all), "event"), firstDue(all).Format("2 Jan 2006"))
			if !yes {
				if !a.terminal().IsInteractive() {
					return exit.Errorf(exit.Denied, "%s, and nobody is here to be asked: --yes makes reminders of them", found)
				}
				if yes, err := a.terminal().Confirm(ctx, found+". Make reminders of them?"); err != nil || !yes {
					return exit.Errorf(exit.Denied, "nothing was made")
				}
			}
			if err := s.EditJournal(ctx, func(db *store.DB) error { return app.AddReminders(ctx, db, "main", all) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s made: hob reminders lists them\n", display.Count(len(all), "reminder"))
			return err
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "make them without a question")
	return cmd
}

// firstDue returns the earliest due time of some reminders.
func firstDue(all []event.Reminder) time.Time {
	return slices.MinFunc(all, func(a, b event.Reminder) int { return a.Due.Compare(b.Due) }).Due
}

func exportReminders(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "export", Short: "print the reminders as a calendar, for other programs", Args: cobra.NoArgs,
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, _ []string) error {
			return s.WithJournal(ctx, func(db *store.DB) error {
				all, err := db.Reminders().Open(ctx)
				if err != nil {
					return err
				}
				return app.WriteCalendar(a.stdout, all)
			})
		}),
	}
}

// listReminders prints the coming reminders. It plays no turn, so the chat does not change.
func (a *program) listReminders(ctx context.Context, s *app.Environment) error {
	caller, err := s.OpenToolCaller(ctx)
	if err != nil {
		return err
	}
	done, err := caller.Call(ctx, app.Invocation{
		Tool: "reminders", Caller: tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner()},
	})
	if err = cmp.Or(err, caller.Close()); err != nil {
		return err
	}
	if a.json && done.Refusal == nil {
		return cli.WriteJSON(a.stdout, done.Result.Data)
	}
	return a.printInvoked(done)
}

// remind plays a turn that calls one tool of the reminders, and prints only its result.
func (a *program) remind(ctx context.Context, line, chat string) error {
	s, err := client.LoadBeside(ctx, a.Loader)
	if err != nil {
		return err
	}
	h, err := client.Reach(ctx, a.Loader, s, app.NewModel(s), "hob remind", a.modelWait())
	if err != nil {
		return err
	}
	v := &resultView{View: client.NewView(a.terminal(), true)}
	_, err = h.Turn(ctx, &client.Question{Chat: chat, ID: rand.Text(), Text: line, Command: true}, v)
	if !a.json && v.result != nil {
		a.sayWhoReminds(ctx, h, event.Chat(chat), line, *v.result)
	}
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return v.print(a)
}

// sayWhoReminds warns that a new reminder needs a hob that runs, if only this short-lived process
// does. It speaks the language of the request, or else of the chat: "on Friday" may be the answer
// to a question.
func (a *program) sayWhoReminds(ctx context.Context, h *client.Client, chat event.Chat, words string, r event.Returned) {
	if h.Serves == "" && h.Here != nil && slices.ContainsFunc(r.Effects, event.Effect.IsNewReminder) {
		sentences := intents.Default()
		const text = "hob: the reminder comes while hob serve runs or a prompt is open"
		fmt.Fprintln(a.Stderr, sentences.Translate(cmp.Or(sentences.LanguageOf(words), h.Here.Sessions.Language(ctx, chat)), text, intents.HobsOwn))
	}
}

// lastReminder is a view that keeps the newest result that made a reminder.
type lastReminder struct {
	client.View
	made event.Returned
}

// Event implements [client.View].
func (v *lastReminder) Event(e event.Event, own bool) error {
	if r, ok := e.Body.(event.Returned); ok && own && slices.ContainsFunc(r.Effects, event.Effect.IsNewReminder) {
		v.made = r
	}
	return v.View.Event(e, own)
}

// resultView keeps the result of the only call of a turn, and shows nothing.
type resultView struct {
	client.View
	result *event.Returned
	reply  event.Replied
}

// Event implements [client.View].
func (v *resultView) Event(e event.Event, own bool) error {
	switch b := e.Body.(type) {
	case event.Returned:
		if own {
			v.result = &b
		}
	case event.Replied:
		v.reply = b
	}
	return nil
}

// print prints the result. An ambiguous time is an error of usage.
func (v *resultView) print(a *program) error {
	switch r := v.result; {
	case r == nil && v.reply.Refused: // the text fits no call
		return exit.Errorf(exit.Usage, "%s", v.reply.Text)
	case r == nil:
		return exit.Errorf(exit.Failed, "%s", v.reply.Text)
	case !r.OK && a.json && r.Error != nil && r.Error.Type == event.TypeValidation:
		if err := cli.WriteJSON(a.stdout, map[string]string{"unclear": r.Error.Message}); err != nil {
			return err
		}
		return exit.Silently(exit.Usage)
	case !r.OK && r.Error != nil:
		text := inShell(r.Error.Sentence())
		if r.Error.Type == event.TypeValidation {
			return exit.Errorf(exit.Usage, "%s", text)
		}
		return exit.Errorf(exit.Failed, "%s", text)
	case !r.OK:
		return exit.Errorf(exit.Failed, "%s", r.Text)
	case a.json:
		return cli.WriteJSON(a.stdout, r.Data)
	default:
		_, err := fmt.Fprintln(a.out, r.Text)
		return err
	}
}
