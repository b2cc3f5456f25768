package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/tales"
	"hob/internal/game/trial"
)

// evaluation is what `hob game eval` is asked for.
type evaluation struct {
	tale, lang string // "" tale is all
	turns      int    // of each tale; 0 is all
	json       bool
}

func gameEvalCommand(a *program) *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use: "eval", Short: "measure how a model runs a story", Args: cobra.NoArgs,
		Long: "eval says to a model what players really say, thirty lines in the three tales that come with hob: two things at once, an attempt,\n" +
			"a lie about what is there, something impossible, a question to somebody. Each is one turn of a story that begins anew, with the\n" +
			"same dice. It counts what the model called and whether that was right, how often its words did not agree with what happened,\n" +
			"tokens and time. Nothing of it is kept: no story, no chat and no file of yours is touched.\n\n" +
			"--json prints model, lang, turns and their total. A turn has its tale, line and words; the reply, the reason that it ended with, and\n" +
			"the calls (tool, args, applied, and the code why not); changed: what was called changed the world or threw dice; right: by a tool that\n" +
			"is right there, or nothing changed where that is right; still: nothing changed though something should; problems: what was wrong with\n" +
			"its words; flagged and rewrites: how often that was so, and how often they were written again; fallback: told in the engine's own words;\n" +
			"unreadable: replies that were neither words nor a call; requests, prompt and eval tokens of plan, in which it calls, and of tell, in\n" +
			"which it tells what happened; seconds. In the total these are sums, with median_seconds and worst_seconds.",
		Example: "  hob game eval --model qwen3:8b\n  hob game eval --model qwen3:4b --tale dungeon --lang ru --turns 3",
		RunE: does(func(ctx context.Context, _ []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			ctx, stop := untilInterrupted(ctx)
			defer stop()
			return a.evaluate(ctx, s, e)
		}),
	}
	cmd.Flags().StringVar(&e.tale, "tale", "", "one tale: cosy, mystery or dungeon (all of them)")
	cmd.Flags().StringVar(&e.lang, "lang", "en", "language of the tales: en, ru or zh")
	cmd.Flags().IntVar(&e.turns, "turns", 0, "the first N lines of each tale (all)")
	cmd.Flags().BoolVar(&e.json, "json", false, "print one JSON value")
	return cmd
}

// scenes returns what is to be said.
func (e evaluation) scenes() (all []trial.Scene, err error) {
	if e.turns < 0 {
		return nil, exit.Errorf(exit.Usage, "--turns %d: 1 or more, or 0 for all", e.turns)
	}
	if _, ok := tales.ByID(e.tale); !ok && e.tale != "" {
		return nil, exit.Errorf(exit.Usage, "hob has no lines to say in a tale %q: it has them for cosy, mystery and dungeon, which come with it",
			display.Clean(e.tale))
	}
	for _, t := range tales.All() {
		if e.tale != "" && t.ID != e.tale {
			continue
		}
		list, err := trial.Scenes(t.ID, e.lang)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%v", err)
		}
		if e.turns > 0 {
			list = list[:min(e.turns, len(list))]
		}
		all = append(all, list...)
	}
	return all, nil
}

// evaluate plays the scenes and says what came of them, each as it ends.
func (a *program) evaluate(ctx context.Context, s *app.Environment, e evaluation) error {
	scenes, err := e.scenes()
	if err != nil {
		return err
	}
	model := app.NewModel(s)
	if _, err := model.Ready(ctx); err != nil {
		return err
	}
	r, err := newAudition(s, model, time.Now)
	if err != nil {
		return err
	}
	out := evaluated{Model: model.Chosen(), Lang: e.lang, Turns: []evaluatedTurn{}}
	tale := ""
	for _, scene := range scenes {
		if scene.Tale != tale && !e.json {
			tale = scene.Tale
			fmt.Fprintf(a.stdout, "%s (%s)\n", tale, e.lang)
		}
		t, err := r.play(ctx, scene, e.lang)
		if err != nil {
			return err
		}
		out.Turns = append(out.Turns, t)
		if !e.json {
			fmt.Fprintln(a.stdout, display.Clean(t.line()))
		}
	}
	out.Total = totalOf(out.Turns)
	if e.json {
		return a.printJSON(out)
	}
	for _, line := range out.lines() {
		fmt.Fprintln(a.stdout, display.Clean(line))
	}
	return nil
}

// line is a turn in one line.
func (t evaluatedTurn) line() string {
	mark := "✗"
	if t.Right {
		mark = "✓"
	}
	notes := []string{}
	for _, c := range t.Calls {
		if !c.Applied {
			c.Tool += " (" + c.Code + ")"
		}
		notes = append(notes, c.Tool)
	}
	if len(t.Calls) == 0 {
		notes = append(notes, "no call")
	}
	for _, n := range []struct {
		is   bool
		says string
	}{
		{t.Requests == 0, "no model was asked"}, {t.Unreadable > 0, display.Count(t.Unreadable, "reply") + " could not be read"},
		{t.Still, "nothing changed"}, {t.Flagged > 0, "its words did not agree with what happened"},
		{t.Fallback, "told in the engine's words"}, {t.Reason != "done", "ended: " + t.Reason},
	} {
		if n.is {
			notes = append(notes, n.says)
		}
	}
	return fmt.Sprintf("%s %-8s %6.1f s  %s", mark, t.Line, t.Seconds, strings.Join(notes, ", "))
}

// lines is the whole in a few lines.
func (e evaluated) lines() []string {
	t := e.Total
	return []string{
		"",
		fmt.Sprintf("%s: %d of %s as they should be", e.Model, t.Right, display.Count(t.Turns, "turn")),
		fmt.Sprintf("calls: %d of %d fit and were applied; %s left all as it was where something should have changed; %s could not be read",
			t.Applied, t.Calls, display.Count(t.Still, "turn"), display.Count(t.Unreadable, "reply")),
		fmt.Sprintf("words: %d did not agree with what happened; %d of %s told in the engine's own, after %s", t.Flagged, t.Fallbacks,
			display.Count(t.Turns, "turn"), display.Count(t.Rewrites, "rewrite")),
		fmt.Sprintf("tokens: %s; %s", t.Plan.words("calling"), t.Tell.words("telling")),
		fmt.Sprintf("seconds a turn: %.1f in the middle, %.1f at worst", t.MedianSeconds, t.WorstSeconds),
	}
}

func (u evaluatedTokens) words(stage string) string {
	return fmt.Sprintf("%s %d read and %d written in %s", stage, u.Prompt, u.Eval, display.Count(u.Requests, "request"))
}
