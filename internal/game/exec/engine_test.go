package exec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/game"
	"hob/internal/game/eventlog"
)

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The cases of the turn engine that need no loop. 13 (preview), 17 (requests) and 19 (who acts) are TestPreview, TestRequests and
// TestWhoActs.
func TestTurnEngine(t *testing.T) {
	t.Run("turn-engine-13", TestPreview)
	t.Run("turn-engine-17", TestRequests)
	t.Run("turn-engine-19", TestWhoActs)
	t.Run("turn-engine-20", ended)
	t.Run("turn-engine-22", repeated)
	t.Run("turn-engine-25", milestones)
	t.Run("turn-engine-26", migrated)
}

// A campaign that has ended refuses all that would change it, says why, and logs nothing; one that was saved so, too.
func ended(t *testing.T) {
	over := edited(t, fixture(t, "w2"), func(d doc) {
		d["lifecycle"] = doc{"ended": true, "reason": "goal_achieved", "ended_at": "2026-01-14T16:00:00+00:00"}
	})
	for _, lang := range []string{"en", "ru", "zh"} {
		g := open(t, over, lang)
		before, hash := g.state("002"), g.hash()
		for _, line := range []string{hit("1", "-1"), call("move", `{"to_area_id":"area_002"}`), call("move", `{}`)} {
			a := g.one(line)
			if got := (verdict{a.Status, a.Reason, a.Detail, a.ErrorCode}); got != failed("campaign_ended") || !strings.Contains(a.Text,
				"goal_achieved") || a.Hash != hash {
				t.Errorf("%s", a.line)
			}
		}
		same(g, before, g.state("002"))
		if g.g.Log.Turns() != 0 {
			t.Errorf("%d turns were logged", g.g.Log.Turns())
		}
	}
}

// A call that was refused in three turns running is refused before it is executed the fourth time, where the limits of play hold.
func repeated(t *testing.T) {
	g := open(t, fixture(t, "w2"), "en")
	ask := func(args string) (reason, detail string) {
		p, err := g.g.Log.Play(t.Context(), requestOf("move", args))
		if err != nil {
			t.Fatal(err)
		}
		return p.Outcomes[0].Reason(), string(p.Outcomes[0].Status) + " " + p.Outcomes[0].Detail()
	}
	const bad, other = `{"to_area_id":"area_009"}`, `{"to_area_id":"area_008"}`
	for i := range 3 {
		if reason, detail := ask(bad); reason != "invalid_args" || detail != "error entity_not_found" {
			t.Errorf("time %d: %s, %s", i+1, reason, detail)
		}
	}
	hash := g.hash()
	for i := range 2 {
		if reason, detail := ask(strings.Replace(bad, ":", " : ", 1)); reason != "repeat_illegal_request" ||
			detail != "rejected repeat_illegal_request" || g.hash() != hash {
			t.Errorf("time %d: %s, %s", i+4, reason, detail)
		}
	}
	if _, detail := ask(other); detail != "error entity_not_found" {
		t.Errorf("another call: %s", detail)
	}
	if _, detail := ask(bad); detail != "error entity_not_found" {
		t.Errorf("after a turn without it: %s", detail)
	}
}

// The milestone advances every six turns, or when the pressure is high enough.
func milestones(t *testing.T) {
	is := func(g *tale, name, turn, pressure string) {
		t.Helper()
		m := at(g.state("002"), "milestone")
		if m["current"] != name || m["last_advanced_turn"] != number(turn) || m["pressure"] != number(pressure) {
			t.Errorf("milestone %v", m)
		}
	}
	g := open(t, fixture(t, "w2"), "en")
	for range 5 {
		g.one(hit("1", "-1"))
	}
	is(g, "intro", "0", "0")
	g.one(hit("1", "-1"))
	is(g, "milestone_1", "6", "0")
	for range 6 {
		g.one(hit("1", "1"))
	}
	is(g, "milestone_2", "12", "0")
	if g.raw(`{"undo":7}`); g.g.Log.Head() != 5 {
		t.Errorf("head %d", g.g.Log.Head())
	}
	is(g, "intro", "0", "0")
	g = open(t, edited(t, fixture(t, "w2"), func(d doc) { at(d, "milestone")["pressure"] = 2 }), "en")
	g.one(hit("1", "-1"))
	is(g, "milestone_1", "1", "0")
}

// A save's connections are rebuilt from its areas when it is written; positions that are not on the map are kept with a warning;
// of a save that has only connections the areas get theirs from them.
func migrated(t *testing.T) {
	g := open(t, edited(t, fixture(t, "w2"), func(d doc) {
		at(d, "map")["connections"] = []any{}
		at(d, "actors", "pc_002")["position"] = "area_777"
	}), "en")
	d := g.state("002")
	link := doc{"from_area_id": "area_001", "to_area_id": "area_002"}
	same(g, []any{link}, at(d, "map")["connections"])
	same(g, "area_777", at(d, "actors", "pc_002")["position"])
	if !strings.Contains(strings.Join(g.warnings, "\n"), "area_777") {
		t.Errorf("warnings %q", g.warnings)
	}
	old := open(t, edited(t, fixture(t, "w2"), func(d doc) {
		for _, area := range []string{"area_001", "area_002"} {
			delete(at(d, "map", "areas", area), "reachable_area_ids")
		}
	}), "en")
	same(old, []any{"area_002"}, at(old.state("002"), "map", "areas", "area_001")["reachable_area_ids"])
	same(old, []any{}, at(old.state("002"), "map", "areas", "area_002")["reachable_area_ids"])
	if a := old.one(call("move", `{"to_area_id":"area_002"}`)); a.Status != "applied" {
		t.Errorf("%s", a.line)
	}
}

// Hob's own forms are worlds, too: the log with its history and its dice, and the state.
func TestOwnWorlds(t *testing.T) {
	g := open(t, fixture(t, "w1"), "ru")
	g.send(rum("loc_hall"), call("roll_dice", `{"expr":"3d6"}`), rum("loc_yard"))
	var log strings.Builder
	if err := g.g.Log.Export(t.Context(), &log); err != nil {
		t.Fatal(err)
	}
	again := open(t, []byte(log.String()), "")
	if again.hash() != g.hash() || again.g.Log.Turns() != 3 {
		t.Errorf("from the log: %d turns", again.g.Log.Turns())
	}
	next := call("roll_dice", `{"expr":"3d6"}`)
	if a, b := g.one(next), again.one(next); encode(t, a.Result) != encode(t, b.Result) {
		t.Errorf("other dice: %s %s", a.line, b.line)
	}
	im := game.Import{Seed: "x", Opt: game.Options(g.g.Book, noon)}
	if _, _, err := game.Read(t.Context(), []byte(log.String()), eventlog.NewMemoryStorage(), im); err == nil {
		t.Error("a log with a seed of its own took another")
	}
	if _, _, err := game.Read(t.Context(), []byte(strings.Replace(log.String(), "Rum", "Gin", 1)), eventlog.NewMemoryStorage(),
		game.Import{Opt: im.Opt}); err == nil {
		t.Error("a damaged log was read")
	}
}
