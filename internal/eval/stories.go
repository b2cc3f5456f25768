package eval

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/scenes"
	"hob/internal/game/tales"
)

// StoryOptions is the options of `hob game eval`.
type StoryOptions struct {
	Tale, Lang string // "" tale is all
	Turns      int    // of each tale; 0 is all
}

// scenes returns the scenes to play.
func (e StoryOptions) scenes() (all []scenes.Scene, err error) {
	if e.Turns < 0 {
		return nil, exit.Errorf(exit.Usage, "--turns %d: 1 or more, or 0 for all", e.Turns)
	}
	if _, ok := tales.ByID(e.Tale); !ok && e.Tale != "" {
		return nil, exit.Errorf(exit.Usage, "hob has no lines to say in a tale %q: it has them for cosy, mystery and dungeon, which come with it",
			display.Clean(e.Tale))
	}
	for _, t := range tales.All() {
		if e.Tale != "" && t.ID != e.Tale {
			continue
		}
		list, err := scenes.ForTale(t.ID, e.Lang)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%v", err)
		}
		if e.Turns > 0 {
			list = list[:min(e.Turns, len(list))]
		}
		all = append(all, list...)
	}
	return all, nil
}

// Stories plays the scenes with the model. It writes the result of each scene and the total to
// progress.
func Stories(ctx context.Context, s *app.Environment, e StoryOptions, progress io.Writer) (StoryReport, error) {
	scenes, err := e.scenes()
	if err != nil {
		return StoryReport{}, err
	}
	model := app.NewModel(s)
	if _, err := model.Ready(ctx); err != nil {
		return StoryReport{}, err
	}
	r := &storyRun{env: s, model: model, now: time.Now}
	out := StoryReport{Model: model.ActiveName(), Lang: e.Lang, Turns: []StoryTurn{}}
	tale := ""
	for _, scene := range scenes {
		if scene.Tale != tale {
			tale = scene.Tale
			fmt.Fprintf(progress, "%s (%s)\n", tale, e.Lang)
		}
		t, err := r.playScene(ctx, scene, e.Lang)
		if err != nil {
			return out, err
		}
		out.Turns = append(out.Turns, t)
		fmt.Fprintln(progress, display.Clean(t.format()))
	}
	out.Total = sumTurns(out.Turns)
	for _, line := range out.formatTotal() {
		fmt.Fprintln(progress, display.Clean(line))
	}
	return out, nil
}

// format returns the turn in one line.
func (t StoryTurn) format() string {
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

// formatTotal returns the total in a few lines.
func (e StoryReport) formatTotal() []string {
	t := e.Total
	return []string{
		"",
		fmt.Sprintf("%s: %d of %s as they should be", e.Model, t.Right, display.Count(t.Turns, "turn")),
		fmt.Sprintf("calls: %d of %d fit and were applied; %s left all as it was where something should have changed; %s could not be read",
			t.Applied, t.Calls, display.Count(t.Still, "turn"), display.Count(t.Unreadable, "reply")),
		fmt.Sprintf("words: %d did not agree with what happened; %d of %s told in the engine's own, after %s", t.Flagged, t.Fallbacks,
			display.Count(t.Turns, "turn"), display.Count(t.Rewrites, "rewrite")),
		fmt.Sprintf("tokens: %s; %s", t.Plan.format("calling"), t.Narrate.format("telling")),
		fmt.Sprintf("seconds a turn: %.1f in the middle, %.1f at worst", t.MedianSeconds, t.WorstSeconds),
	}
}

func (u Tokens) format(stage string) string {
	return fmt.Sprintf("%s %d read and %d written in %s", stage, u.Prompt, u.Eval, display.Count(u.Requests, "request"))
}
