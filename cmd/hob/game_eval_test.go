package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/eval"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/store"
)

const (
	frost = "Frost crunches under your boots as you step out onto the green. Mr. Voss looks up."
	quiet = "The afternoon is quiet. What do you do?"
	sword = "Mr. Voss drops dead and you pocket the goat bell."
)

// sloppy is a model that plays seven lines: one well, one with a call that does not fit, one in words alone that have to be written
// again, one in which it makes up a sword and twice tells of a death, two with a call of which nothing comes, and one in words.
func sloppy(r ollamafake.Request) ollamafake.Step {
	last := r.Messages[len(r.Messages)-1]
	message := "" // that which the turn is about
	for _, m := range r.Messages {
		if m.Role == "user" && strings.Contains(m.Content, "SCENE") {
			message = m.Content
		}
	}
	said := llm.Words(message)
	lies := strings.HasPrefix(said, "I lean") || strings.HasPrefix(said, "I draw")
	switch {
	case last.Role == "tool":
		return ollamafake.Say("Done.")
	case strings.HasPrefix(last.Content, "Tell what just happened") && lies:
		return ollamafake.Say(sword)
	case strings.HasPrefix(last.Content, "Tell what just happened") && strings.HasPrefix(said, "Before"):
		return ollamafake.Say(frost)
	case strings.HasPrefix(last.Content, "Tell what just happened"):
		return ollamafake.Say(quiet)
	case last.Content != message && strings.HasPrefix(said, "I draw"):
		return ollamafake.Say(sword)
	case last.Content != message:
		return ollamafake.Say(quiet)
	case strings.HasPrefix(said, "Before"):
		return toGreen()
	case strings.HasPrefix(said, "While"):
		return ollamafake.CallTool("move_player", map[string]string{"player_id": "pc_001", "target_location_id": "area_moon"})
	case strings.HasPrefix(said, "I flap"), strings.HasPrefix(said, "So who"): // where the hero is already
		return toGreen()
	case strings.HasPrefix(said, "I draw"):
		return ollamafake.CallTool("create_object", map[string]string{"name": "silver sword", "connection_id": "pc_001"})
	}
	return ollamafake.Say("I lean on the counter.")
}

// toGreen takes the hero of the first tale to the green.
func toGreen() ollamafake.Step {
	return ollamafake.CallTool("move_player", map[string]string{"player_id": "pc_001", "target_location_id": "area_green"})
}

// evaluates runs hob game eval --json and returns what it prints, with the figures of a clock left out.
func evaluates(t *testing.T, h *house, args ...string) eval.StoryReport {
	t.Helper()
	cmd := h.command(append([]string{"game", "eval", "--json", "--model", "tiny:1b"}, args...)...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure.String())
	}
	var got eval.StoryReport
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return got
}

// TestGameEval measures a model that is good at some things, and touches nothing of the household's.
func TestGameEval(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(ollamafake.Choose(sloppy)))
	h := newHouse(t, fake.URL())
	got := evaluates(t, h, "--tale", "cosy", "--turns", "7")
	if len(got.Turns) != 7 {
		t.Fatalf("%d turns", len(got.Turns))
	}
	type brief struct {
		Line, Tools                     string
		Changed, Right, Still, Fallback bool
		Flagged, Rewrites               int
		Plan, Tell                      int
	}
	var turns []brief
	for _, turn := range got.Turns {
		var tools []string
		for _, c := range turn.Calls {
			if !c.Applied {
				c.Tool += "!"
			}
			tools = append(tools, c.Tool)
		}
		turns = append(turns, brief{
			Line: turn.Line, Tools: strings.Join(tools, " "), Changed: turn.Changed, Right: turn.Right, Still: turn.Still, Fallback: turn.Fallback,
			Flagged: turn.Flagged, Rewrites: turn.Rewrites, Plan: turn.Plan.Requests, Tell: turn.Narrate.Requests,
		})
	}
	want := []brief{
		{Line: "two", Tools: "move_player", Changed: true, Right: true, Plan: 2, Tell: 1},
		{Line: "try", Tools: "move_player!", Still: true, Plan: 2, Tell: 1},
		{Line: "talk", Still: true, Flagged: 2, Rewrites: 1, Plan: 1, Tell: 2},
		{Line: "lie", Tools: "create_object!", Right: true, Flagged: 3, Rewrites: 1, Fallback: true, Plan: 2, Tell: 2},
		{Line: "cannot", Tools: "move_player", Right: true, Plan: 2, Tell: 1},
		{Line: "vague", Right: true, Plan: 1, Tell: 1},
		{Line: "ask", Tools: "move_player", Still: true, Plan: 2, Tell: 1},
	}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("the turns (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(got.Turns[0].Reply, frost) || strings.Contains(got.Turns[3].Reply, "dead") || got.Turns[2].Reply != quiet {
		t.Errorf("told: %q, %q, %q", got.Turns[0].Reply, got.Turns[2].Reply, got.Turns[3].Reply)
	}
	total := eval.Total{
		Turns: 7, Right: 4, Calls: 5, Applied: 3, Still: 3, Flagged: 5, Rewrites: 2, Fallbacks: 1,
		Plan: eval.Tokens{Requests: 12}, Narrate: eval.Tokens{Requests: 9},
	}
	figures := cmpopts.IgnoreFields(eval.Total{}, "MedianSeconds", "WorstSeconds")
	if diff := cmp.Diff(total, got.Total, figures, cmpopts.IgnoreFields(eval.Tokens{}, "Prompt", "Eval")); diff != "" {
		t.Errorf("the sum (-want +got):\n%s", diff)
	}
	for _, u := range []eval.Tokens{got.Total.Plan, got.Total.Narrate} {
		if u.Prompt < 600*u.Requests || u.Eval < u.Requests {
			t.Errorf("tokens of a stage: %+v", u)
		}
	}
	if got.Model != "tiny:1b" || got.Lang != "en" || got.Total.WorstSeconds < got.Total.MedianSeconds {
		t.Errorf("%+v", got)
	}
	untouched(t, h)
}

// untouched checks that a household has no chat, no story and no file.
func untouched(t *testing.T, h *house) {
	t.Helper()
	h.look(func(db *store.DB) {
		if chats, err := db.Chats(t.Context()); err != nil || len(chats) > 0 {
			t.Errorf("chats: %v, %v", chats, err)
		}
		if list, err := db.Campaigns().List(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("stories: %v, %v", list, err)
		}
	})
	if _, err := os.Stat(filepath.Join(h.state, "workspace")); !os.IsNotExist(err) {
		t.Errorf("there is a workspace: %v", err)
	}
}

// TestGameEval_TellsPeople prints a line a turn, and what it comes to.
func TestGameEval_TellsPeople(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(ollamafake.Choose(sloppy)))
	h := newHouse(t, fake.URL())
	raw, err := h.command("game", "eval", "--model", "tiny:1b", "--tale", "cosy", "--turns", "7").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	for _, want := range []string{
		"cosy (en)\n✓ two ", " s  move_player\n", "✗ try ", "  move_player (", "), nothing changed\n",
		"no call, nothing changed, its words did not agree with what happened\n", "told in the engine's words\n",
		"\ntiny:1b: 4 of 7 turns as they should be\n", "calls: 3 of 5 fit and were applied; 3 turns left all as it was",
		"words: 5 did not agree with what happened; 1 of 7 turns told in the engine's own, after 2 rewrites\n", " in 12 requests; telling ",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("there is no %q in:\n%s", want, raw)
		}
	}
}

// TestGameEval_OfGarbage measures models that are of no use: each line is told in the engine's words all the same.
func TestGameEval_OfGarbage(t *testing.T) {
	for name, step := range map[string]ollamafake.Step{
		"half a call": ollamafake.Say(`<tool_call>{"name": "move_player", "arguments": {"player_id": "pc_0`),
		"nothing":     ollamafake.Empty(),
		"no tool":     ollamafake.CallTool("summon_dragon", map[string]string{"size": "large"}),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(step)).URL())
			got := evaluates(t, h, "--tale", "dungeon", "--turns", "1")
			if sum := got.Total; sum.Applied != 0 || sum.Right != 0 || sum.Still != 1 || sum.Fallbacks != 1 {
				t.Errorf("%+v", sum)
			}
			if name != "no tool" && got.Total.Unreadable == 0 {
				t.Error("every reply could be read")
			}
			if turn := got.Turns[0]; turn.Reason == "" || turn.Reply == "" || strings.Contains(turn.Reply, "tool_call") {
				t.Errorf("%s: %q", turn.Reason, turn.Reply)
			}
		})
	}
}

// TestGameEval_WithoutAModel says so and ends with 3, before the first line and between two.
func TestGameEval_WithoutAModel(t *testing.T) {
	newHouse(t, "http://127.0.0.1:1").bad(exit.Model, "Ollama does not answer at http://127.0.0.1:1", "game", "eval", "--model", "tiny:1b")
	gone := ollamafake.Forever(ollamafake.Error(404, "model 'tiny:1b' not found"))
	fake := ollamafake.New(t, ollamafake.Config{}, toGreen(), gone) // it goes before it has told the first line
	newHouse(t, fake.URL()).bad(exit.Model, "hob model pull tiny:1b", "game", "eval", "--model", "tiny:1b", "--tale", "cosy", "--turns", "1")
	fake = ollamafake.New(t, ollamafake.Config{}, ollamafake.Say("Hm."), ollamafake.Say(quiet), gone)
	h := newHouse(t, fake.URL())
	h.bad(exit.Model, "hob model pull other:7b", "game", "eval", "--model", "other:7b")
	h.bad(exit.Model, "hob model pull tiny:1b", "game", "eval", "--model", "tiny:1b", "--tale", "mystery")
	h.bad(exit.Usage, `hob has no lines to say in a tale "map": it has them for cosy, mystery and dungeon`, "game", "eval", "--tale", "map")
	h.bad(exit.Usage, `there are no texts in "de"`, "game", "eval", "--lang", "de")
	h.bad(exit.Usage, "--turns -1: 1 or more", "game", "eval", "--turns", "-1")
	untouched(t, h)
}
