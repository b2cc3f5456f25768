package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/profile"
	"hob/internal/llm/trial"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/tools/files"
)

func tryCommand(a *program) *cobra.Command {
	var t tryFlags
	cmd := &cobra.Command{
		Use: "try NAME", Short: "measure how a model calls tools, and keep what that says of it", Args: oneName,
		Long: "try puts a battery of small tasks to the model: one call, several, none, two steps, an error to recover from, odd\n" +
			"letters, nested arguments, a long result, a denial, the context, the speed. It takes a minute or a few. What it finds\n" +
			"becomes the model's profile. With --replay it also plays your last turns again: recorded results are given, nothing is done.",
		Example: "  hob model try qwen3:4b\n  hob model try qwen3:14b --replay 20",
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			ctx, stop := untilInterrupted(ctx)
			defer stop()
			return a.try(ctx, s, args[0], t)
		}),
	}
	cmd.Flags().IntVar(&t.replay, "replay", 0, "play the last N turns again and compare")
	cmd.Flags().StringVar(&t.chat, "chat", "main", "the chat whose turns --replay plays")
	cmd.Flags().BoolVar(&t.dry, "dry-run", false, "keep nothing of what is found")
	cmd.Flags().BoolVar(&t.json, "json", false, "print one JSON value")
	return cmd
}

type tryFlags struct {
	replay    int
	chat      string
	dry, json bool
}

// tried is what `hob model try --json` prints.
type tried struct {
	Model           string      `json:"model"`
	Mode            llm.Mode    `json:"mode"`
	Checks          []tryCheck  `json:"checks"`
	PromptPerSecond float64     `json:"prompt_per_second"`
	EvalPerSecond   float64     `json:"eval_per_second"`
	Context         int         `json:"context"`
	Verdict         string      `json:"verdict"`
	Kept            string      `json:"kept,omitempty"` // the file that the profile was written to
	Replay          []tryReplay `json:"replay,omitempty"`
}

type tryCheck struct {
	Name    string   `json:"name"`
	Pass    bool     `json:"pass"`
	Skipped bool     `json:"skipped,omitempty"`
	Note    string   `json:"note,omitempty"`
	Mode    llm.Mode `json:"mode,omitempty"`
	TookMS  int64    `json:"took_ms"`
}

type tryReplay struct {
	Words   string        `json:"words"`
	Outcome trial.Outcome `json:"outcome"`
	Why     string        `json:"why,omitempty"`
}

// try measures a model and keeps its profile.
func (a *program) try(ctx context.Context, s *app.Environment, name string, flags tryFlags) error {
	s.Ollama.Model = name
	e := app.NewModel(s)
	client, err := e.Ready(ctx)
	if err != nil {
		return err
	}
	var turns []trial.Recorded
	if flags.replay > 0 { // before the trial: that it cannot be done should not cost minutes
		if turns, err = a.recorded(ctx, s, e, event.Chat(flags.chat), flags.replay); err != nil {
			return err
		}
	}
	known := trial.Known{
		Model: name, Profile: e.Profile, Tools: e.Facts.Tools, Thinking: e.Facts.Thinking, Context: client.Context, Now: time.Now,
	}
	card, err := trial.Run(ctx, e, known, func(c trial.Check) {
		if !flags.json {
			fmt.Fprintln(a.stdout, display.Clean(checkLine(c)))
		}
	})
	if err != nil {
		return err
	}
	out := tried{
		Model: name, Mode: card.Mode, Checks: []tryCheck{}, PromptPerSecond: card.PromptPerSecond, EvalPerSecond: card.EvalPerSecond,
		Context: card.Context, Verdict: card.Verdict,
	}
	for _, c := range card.Checks {
		out.Checks = append(out.Checks, tryCheck{c.Name, c.Pass, c.Skipped, c.Note, c.Mode, c.Took.Milliseconds()})
	}
	if !flags.json {
		fmt.Fprintf(a.stdout, "\n%s: %s\n", name, display.Clean(card.Verdict))
	}
	if card.Mode != "" && !flags.dry {
		if err := profile.Save(s.TrialsPath(), card.Profile, name, time.Now(), card.Lines()); err != nil {
			return exit.Errorf(exit.Failed, "%v", err)
		}
		out.Kept = s.TrialsPath()
		if !flags.json {
			fmt.Fprintf(a.stdout, "its profile is in %s; use it: hob model use %s\n", s.TrialsPath(), name)
		}
	}
	if len(turns) > 0 && card.Mode != "" {
		if out.Replay, err = a.replay(ctx, e, card.Profile, turns, flags.json); err != nil {
			return err
		}
	}
	if flags.json {
		if err := a.printJSON(out); err != nil {
			return err
		}
	}
	if card.Mode == "" {
		return a.noUse(flags.json)
	}
	return nil
}

// noUse is how the trial of a model ends that makes no call in any mode.
func (a *program) noUse(quiet bool) error {
	if quiet {
		return exit.Silently(exit.Failed)
	}
	return exit.Errorf(exit.Failed, "it called no tool in any of the three ways there are, so nothing of it was kept: try another model")
}

// checkLine is a check in one line.
func checkLine(c trial.Check) string {
	mark := "✗"
	switch {
	case c.Pass:
		mark = "✓"
	case c.Skipped:
		mark = "-"
	}
	name := c.Name
	if c.Mode != "" && c.Mode != llm.NativeMode {
		name += " (" + string(c.Mode) + ")"
	}
	line := fmt.Sprintf("%s %-22s %5.1f s", mark, name, c.Took.Seconds())
	if c.Note != "" {
		line += "  " + c.Note
	}
	return line
}

// replay plays recorded turns with the model and says how they compare.
func (a *program) replay(ctx context.Context, e *app.Model, p llm.Profile, turns []trial.Recorded, quiet bool) ([]tryReplay, error) {
	var all []tryReplay
	tally := map[trial.Outcome]int{}
	_, err := trial.Replay(ctx, e, p, turns, func(c trial.Compared) {
		all = append(all, tryReplay{c.Words, c.Outcome, c.Why})
		tally[c.Outcome]++
		if !quiet {
			line := fmt.Sprintf("%-9s %s", c.Outcome, firstOf(c.Words))
			if c.Why != "" {
				line += " (" + c.Why + ")"
			}
			fmt.Fprintln(a.stdout, display.Clean(line))
		}
	})
	if err == nil && !quiet {
		fmt.Fprintf(a.stdout, "%s: %d the same, %d different, %d worse\n", display.Count(len(turns), "turn"),
			tally[trial.Same], tally[trial.Different], tally[trial.Worse])
	}
	return all, err
}

// recorded reads the last turns of a chat that came to an answer, oldest first.
func (a *program) recorded(ctx context.Context, s *app.Environment, e *app.Model, chat event.Chat, most int) ([]trial.Recorded, error) {
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	outputs, err := files.NewOutputs(files.OutputsConfig{Dir: s.OutputsDir()})
	if err != nil {
		return nil, err
	}
	kit, err := s.DefaultTools(e.Share, outputs, app.JournalTools{DB: db}, s.NewShell(), nil)
	if err != nil {
		return nil, err
	}
	turns, err := readTurns(ctx, db, chat)
	if err != nil {
		return nil, err
	}
	turns = turns[max(0, len(turns)-most):]
	for i := range turns {
		turns[i].System, turns[i].Tools = session.System, kit.ToSchema()
	}
	if len(turns) == 0 {
		fmt.Fprintf(a.Stderr, "hob: there are no turns in %s to play again\n", chat)
	}
	return turns, nil
}

// turnsBefore is how many turns before its own a model is shown when a turn is played again.
const turnsBefore = 3

// readTurns returns the turns of a chat that ended with an answer.
func readTurns(ctx context.Context, db *store.DB, chat event.Chat) ([]trial.Recorded, error) {
	var turns []trial.Recorded
	var before [][]llm.Message
	open := map[int64][]llm.Message{}
	for e, err := range db.Chat(ctx, chat, 0) {
		if err != nil {
			return nil, err
		}
		if ended, ok := e.Body.(event.Ended); ok {
			if ended.Reason == event.Done && len(open[e.Turn]) > 1 {
				turns = append(turns, trial.Recorded{History: slices.Concat(before...), Turn: open[e.Turn]})
			}
			before = append(before, open[e.Turn])
			before = before[max(0, len(before)-turnsBefore):]
			delete(open, e.Turn)
			continue
		}
		if _, nudge := e.Body.(event.Nudged); nudge {
			continue // what one model had to be told need not be told to another
		}
		if m, ok := event.Message(e.Body); ok {
			open[e.Turn] = append(open[e.Turn], m)
		}
	}
	return turns, nil
}
