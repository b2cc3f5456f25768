// Package eval measures models.
//
// [Try] measures how a model calls tools, and can keep its profile. [Stories] measures how it runs
// a story. [ParseLines] shows how hob reads what a model writes. Each returns or writes the values
// that its command prints as JSON; progress for people goes to a writer.
package eval

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/modeleval"
	"hob/internal/llm/profile"
	"hob/internal/model"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/tools/files/blobs"
)

// TryOptions is the options of `hob model try`.
type TryOptions struct {
	Runs    int // how often each check is made; 0 is once
	Replay  int // how many of the last turns to replay
	Chat    string
	Dry     bool   // the profile is not kept
	Version string // of hob
}

// TryReport is what `hob model try --json` prints.
type TryReport struct {
	modeleval.Card
	Kept   string                 `json:"kept,omitempty"` // the profile's file
	Replay []modeleval.Comparison `json:"replay,omitempty"`

	Hob      string            `json:"hob"`    // its version
	Ollama   string            `json:"ollama"` // likewise
	Facts    model.Description `json:"facts"`  // as they were before
	Runs     int               `json:"runs"`   // of each check
	Requests int               `json:"requests"`
	Calls    int               `json:"calls"`
}

// Try measures a model and keeps its profile. It writes results to progress, and a lack of turns to
// replay to warnings.
func Try(ctx context.Context, s *app.Environment, name string, flags TryOptions, progress, warnings io.Writer) (TryReport, error) {
	s.Ollama.Model = name
	e := app.NewModel(s)
	client, err := e.Ready(ctx)
	if err != nil {
		return TryReport{}, err
	}
	var turns []modeleval.RecordedTurn
	if flags.Replay > 0 { // first: its failure should not cost minutes
		if turns, err = recordedTurns(ctx, s, e, event.Chat(flags.Chat), flags.Replay, warnings); err != nil {
			return TryReport{}, err
		}
	}
	facts, err := e.Describe(ctx, name)
	if err != nil {
		return TryReport{}, err
	}
	found := e.State()
	known := modeleval.Subject{
		Model: name, Runs: flags.Runs, Profile: found.Profile, Tools: found.Facts.KeepsTools(), Thinking: found.Facts.Thinking, Context: client.Context, Now: time.Now,
	}
	card, err := modeleval.Run(ctx, e, known, func(c modeleval.Check) {
		fmt.Fprintln(progress, display.Clean(formatCheck(c)))
	})
	if err != nil {
		return TryReport{}, err
	}
	out := TryReport{Card: card, Hob: flags.Version, Ollama: found.Facts.Version, Facts: facts, Runs: max(flags.Runs, 1)}
	for _, c := range card.Checks {
		out.Requests, out.Calls = out.Requests+c.Requests, out.Calls+c.Calls
	}
	fmt.Fprintf(progress, "\n%s: %s\n", name, display.Clean(card.Verdict))
	if card.Mode != "" && !flags.Dry {
		if err := profile.Save(s.MeasuredProfilesPath(), card.Profile, name, time.Now(), card.Lines()); err != nil {
			return TryReport{}, exit.Errorf(exit.Failed, "%v", err)
		}
		out.Kept = s.MeasuredProfilesPath()
		fmt.Fprintf(progress, "its profile is in %s; use it: hob model use %s\n", s.MeasuredProfilesPath(), name)
	}
	if len(turns) > 0 && card.Mode != "" {
		if out.Replay, err = replayTurns(ctx, e, card.Profile, turns, progress); err != nil {
			return TryReport{}, err
		}
	}
	return out, nil
}

// nameWidth is the room for the name of a check: that of the longest, in a mode that is no native one.
const nameWidth = len("argument transformation (schema)")

// formatCheck returns a check in one line.
func formatCheck(c modeleval.Check) string {
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
	line := fmt.Sprintf("%s %-*s %5.1f s", mark, nameWidth, name, float64(c.TookMS)/1000)
	if c.Runs > 1 {
		line += fmt.Sprintf("  %d of %d", c.Passed, c.Runs)
	}
	if c.Note != "" {
		line += "  " + c.Note
	}
	return line
}

// replayTurns replays recorded turns with the model and compares them.
func replayTurns(ctx context.Context, e *model.Model, p llm.Profile, turns []modeleval.RecordedTurn, progress io.Writer) ([]modeleval.Comparison, error) {
	tally := map[modeleval.Outcome]int{}
	all, err := modeleval.Replay(ctx, e, p, turns, func(c modeleval.Comparison) {
		tally[c.Outcome]++
		line := fmt.Sprintf("%-9s %s", c.Outcome, display.FirstLine(c.UserText))
		if c.Why != "" {
			line += " (" + c.Why + ")"
		}
		fmt.Fprintln(progress, display.Clean(line))
	})
	if err == nil {
		fmt.Fprintf(progress, "%s: %d the same, %d different, %d worse\n", display.Count(len(turns), "turn"),
			tally[modeleval.Same], tally[modeleval.Different], tally[modeleval.Worse])
	}
	return all, err
}

// recordedTurns reads the last turns of a chat with an answer, oldest first.
func recordedTurns(ctx context.Context, s *app.Environment, e *model.Model, chat event.Chat, most int, warnings io.Writer) ([]modeleval.RecordedTurn, error) {
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	outputs, err := blobs.New(blobs.Config{Dir: s.OutputsDir()})
	if err != nil {
		return nil, err
	}
	set, err := s.DefaultTools(e.Share, outputs, app.JournalTools(db), s.NewShell(), nil)
	if err != nil {
		return nil, err
	}
	turns, err := readTurns(ctx, db, chat)
	if err != nil {
		return nil, err
	}
	turns = turns[max(0, len(turns)-most):]
	for i := range turns {
		turns[i].System, turns[i].Tools = session.System, set.ToSchema()
	}
	if len(turns) == 0 {
		fmt.Fprintf(warnings, "hob: there are no turns in %s to play again\n", chat)
	}
	return turns, nil
}

// historyTurns is how many earlier turns the prompt of a replayed turn contains.
const historyTurns = 3

// readTurns returns the turns of a chat that ended with an answer.
func readTurns(ctx context.Context, db *store.DB, chat event.Chat) ([]modeleval.RecordedTurn, error) {
	var turns []modeleval.RecordedTurn
	var before [][]llm.Message
	open := map[int64][]llm.Message{}
	for e, err := range db.Chat(ctx, chat, 0) {
		if err != nil {
			return nil, err
		}
		if ended, ok := e.Body.(event.Ended); ok {
			if ended.Reason == event.Done && len(open[e.Turn]) > 1 {
				turns = append(turns, modeleval.RecordedTurn{History: slices.Concat(before...), Turn: open[e.Turn]})
			}
			before = append(before, open[e.Turn])
			before = before[max(0, len(before)-historyTurns):]
			delete(open, e.Turn)
			continue
		}
		if _, nudge := e.Body.(event.Nudged); nudge {
			continue // a hint to one model may not fit another
		}
		if m, ok := event.Message(e.Body); ok {
			open[e.Turn] = append(open[e.Turn], m)
		}
	}
	return turns, nil
}
