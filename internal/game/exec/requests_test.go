package exec_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// turn-engine-17: a request that came before is answered as it was then and runs nothing; one of another body is a conflict.
func TestRequests(t *testing.T) {
	g := open(t, fixture(t, "w2"), "en")
	g.g.Events = true
	first := strings.Replace(hit("1", "-1"), `{`, `{"request_id":"r1",`, 1)
	batch := `{"request_id":17,"batch":[` + hit("2", "-1") + `,` + hit("3", `"x"`) + `]}`
	was := g.raw(first, batch)
	hash, turns := g.hash(), g.g.Log.Turns()
	g.send(hit("4", "-1"))
	after := g.hash()
	again := g.raw(strings.Replace(first, `-1`, ` -1 `, 1), batch)
	if diff := cmp.Diff(was, again); diff != "" || len(was) != 3 {
		t.Errorf("another answer:\n%s", diff)
	}
	other := g.send(strings.Replace(first, "-1", "-2", 1), strings.Replace(batch, "-1", "-2", 1))
	for _, a := range other {
		if got := (verdict{a.Status, a.Reason, a.Detail, a.ErrorCode}); got != failed("request_conflict") || a.Hash != after ||
			a.Text == "" {
			t.Errorf("another body: %s", a.line)
		}
	}
	if len(other) != 3 || g.hash() != after || after == hash || g.g.Log.Turns() != turns+1 {
		t.Errorf("%d answers, %d turns", len(other), g.g.Log.Turns())
	}
	zones := open(t, fixture(t, "w3"), "en")
	ask := func(session string) string {
		return `{"request_id":"z","tool":"get_player_state","args":{"session_id":"` + session + `"}}`
	}
	answers := zones.raw(ask("s1"), ask("s2"))
	if len(answers) != 2 || !strings.Contains(answers[1], `"result":{"ok":false,"error_code":"INVALID_ARGS","message":"`) {
		t.Errorf("a tool of system 003 whose request id is taken: %s", answers)
	}
	moves := []string{`{"undo":1,"request_id":"r2"}`, `{"undo":1,"request_id":"r2"}`, `{"redo":1,"request_id":"r2"}`,
		`{"undo":1,"request_id":"r1"}`}
	want := []string{`{"undone":1}`, `{"undone":1}`, `{"redone":0,"detail":"request_conflict"}`,
		`{"undone":0,"detail":"request_conflict"}`}
	if diff := cmp.Diff(want, g.raw(moves...)); diff != "" || g.hash() != hash {
		t.Errorf("moves:\n%s", diff)
	}
}

// turn-engine-13: a preview shows what would be, and changes nothing until it is committed.
func TestPreview(t *testing.T) {
	g := open(t, fixture(t, "w1"), "en")
	preview := `{"preview":[` + rum("loc_hall") + `,` + call("move_object", `{"objectId":"obj_key","targetId":"$0.createdId"}`) +
		`,` +
		call("set_attribute", attribute("player", "char_ann", "health", `"hurt"`)) + `,` + call("delete_object",
		`{"objectId":"obj_map"}`) + `]}`
	hash := g.hash()
	shown := decode(t, []byte(g.raw(preview)[0])).(doc)
	calls := shown["preview"].([]any)
	if g.hash() != hash || g.g.Log.Turns() != 0 || len(calls) != 4 || calls[0].(doc)["status"] != "applied" {
		t.Fatalf("preview: %v", shown)
	}
	id := calls[0].(doc)["created_id"].(string)
	diff := shown["diff"].([]any)
	part := func(kind, id, field string) doc {
		for _, d := range diff {
			if d := d.(doc); d["kind"] == kind && d["id"] == id && d["field"] == field {
				return d
			}
		}
		return doc{}
	}
	same(g, "obj_box", part("object", "obj_key", "parent")["old"])
	same(g, id, part("object", "obj_key", "parent")["new"])
	same(g, doc{"health": "hurt"}, part("actor", "char_ann", "attrs")["new"])
	if added, removed := part("object", id, ""), part("object", "obj_map", ""); added["old"] != nil ||
		added["new"].(doc)["name"] != "Rum" ||
		removed["new"] != nil || removed["old"].(doc)["name"] != "Map" || len(diff) != 4 {
		t.Errorf("diff: %v", diff)
	}
	if got := g.raw(`{"drop":true}`); !slices.Equal(got, []string{`{"dropped":true,"state_hash":"` + hash + `"}`}) ||
		g.g.Log.Turns() != 0 {
		t.Errorf("drop: %q", got)
	}
	g.raw(preview)
	after := calls[3].(doc)["state_hash"].(string)
	if got := g.raw(`{"commit":true}`); !slices.Equal(got, []string{`{"committed":true,"state_hash":"` + after + `"}`}) ||
		g.hash() != after {
		t.Errorf("commit: %q", got)
	}
	if in(g.state("000")["objects"], "obj_key")["connectionId"] != id || g.g.Log.Turns() != 1 {
		t.Errorf("after the commit: %v", g.state("000")["objects"])
	}
	for _, lines := range [][]string{{`{"commit":true}`}, {`{"drop":true}`}, {preview, rum("loc_hall"), `{"commit":true}`}} {
		if err := g.g.Run(t.Context(), strings.NewReader(strings.Join(lines, "\n")), io.Discard); !isLine(err, len(lines)) {
			t.Errorf("%q: %v", lines, err)
		}
	}
}

// turn-engine-19: execution.actor_id goes before actor_id, and that before the world's active actor.
func TestWhoActs(t *testing.T) {
	g := open(t, fixture(t, "w2"), "en")
	const to = `"args":{"to_area_id":"area_002"}`
	for _, c := range []struct{ line, want, who string }{
		{`{"tool":"move",` + to + `,"actor_id":"zz","execution":{"actor_id":"pc_002"}}`, "applied", "pc_002"},
		{`{"tool":"move",` + to + `,"actor_id":" pc_002 "}`, "applied", "pc_002"},
		{`{"tool":"move",` + to + `,"actor_id":null,"execution":{}}`, "applied", "pc_001"},
		{`{"batch":[{"tool":"move",` + to + `}],"execution":{"actor_id":"pc_002"}}`, "applied", "pc_002"},
		{`{"tool":"move",` + to + `,"actor_id":"char_999"}`, "error entity_not_found", "char_999"},
		{`{"tool":"move",` + to + `,"actor_id":5}`, "error entity_not_found", "5"},
	} {
		if a := g.one(c.line); strings.TrimSpace(a.Status+" "+a.Detail) != c.want || a.Actor != c.who {
			t.Errorf("%s", a.line)
		}
		g.raw(`{"undo":9}`)
	}
	stranger := edited(t, fixture(t, "w2"), func(d doc) { at(d, "selected")["party_character_ids"] = []any{"pc_001"} })
	if a := open(t, stranger, "en").one(`{"tool":"move",` + to + `,"actor_id":"pc_002"}`); a.Status != "error" ||
		a.Reason != "invalid_args" {
		t.Errorf("not in the party: %s", a.line)
	}
}
