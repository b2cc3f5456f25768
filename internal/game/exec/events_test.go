package exec_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// With events an answer has a session's tool event of its call, too.
func TestToolEvent(t *testing.T) {
	g := open(t, fixture(t, "w3"), "en")
	g.g.Events = true
	now := noon()
	g.g.Now = func() time.Time { now = now.Add(3 * time.Millisecond); return now }
	a := g.one(`{"id":7,"tool":"move_to_zone","args":{"to_zone_id":"zone_600_0_0", "session_id":"s1"}}`)
	sum := sha256.Sum256([]byte(`{"session_id":"s1","to_zone_id":"zone_600_0_0"}`))
	want := doc{
		"tool_name": "move_to_zone", "ok": true, "summary": a.Text, "payload": a.Result, "call_id": number("7"),
		"status": "applied", "error_code": "", "args_hash": hex.EncodeToString(sum[:]), "duration_ms": number("3"),
	}
	if diff := cmp.Diff(want, a.Event); diff != "" {
		t.Error(diff)
	}
	changed := map[string]string{}
	for _, o := range a.Patch {
		changed[o.Path] = string(o.Value)
	}
	if changed["/state/actors/player_001/place"] != `"zone_600_0_0"` || changed["/state/world/minute"] == "" {
		t.Errorf("patch %v", changed)
	}
	a = g.one(`{"id":"x","tool":"move_to_zone"}`)
	empty := sha256.Sum256([]byte(`{}`))
	if a.Event["ok"] != false || a.Event["error_code"] != "INVALID_ARGS" || a.Event["args_hash"] != hex.EncodeToString(empty[:]) ||
		len(a.Patch) != 0 || !strings.Contains(a.line, `"state_patch":[]`) {
		t.Errorf("refused: %s", a.line)
	}
	g.g.Events = false
	if a := g.one(call("move_to_zone", trip("zone_0_0_0"))); a.Event != nil || strings.Contains(a.line, "state_patch") {
		t.Errorf("without events: %s", a.line)
	}
}

// wild returns a line of one call or a few, of which about half can be done.
func wild(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	object := func() string {
		return pick("obj_box", "obj_key", "obj_tag", "obj_knife", "m/a~1p", "$0.createdId", "obj_none")
	}
	where := func() string {
		return pick("loc_hall", "loc_yard", "loc_attic", "area_001", "area_002", "zone_600_0_0", "char_ann", "pc_001", "obj_box",
			"obj_knife")
	}
	actor := func() string { return pick("char_ann", "pc_001", "player_001", "char_bo", "nobody") }
	one := func() string {
		switch r.IntN(10) {
		case 0:
			return rum(where())
		case 1:
			return call("move_object", `{"objectId":"`+object()+`","targetId":"`+where()+`"}`)
		case 2:
			return call("delete_object", `{"objectId":"`+object()+`"}`)
		case 3:
			return call("set_attribute", attribute(pick("player", "location", "object"), pick(actor(), where(), object()),
				pick("a/b", "c~d", "e"), pick(`"1"`, `"2"`)))
		case 4:
			return call("hp_delta", `{"target_character_id":"`+actor()+`","delta":`+strconv.Itoa(r.IntN(9)-4)+`,"cause":"x"}`)
		case 5:
			return call("move_player", `{"playerId":"`+actor()+`","targetLocationId":"`+where()+`"}`)
		case 6:
			return call("map_generate", `{"parent_area_id":`+pick("null",
				`"`+where()+`"`)+`,"theme":"X","constraints":{"size":2,"seed":"s"}}`)
		case 7:
			return call(pick("advance_time", "rest"), pick(`{"minutes":90,"reason":"x"}`, `{"kind":"short"}`))
		case 8:
			return call("encounter_"+pick("start", "end"),
				pick(`{"participants":["char_ann","char_bo"]}`, `{"participants":["pc_001","pc_002"]}`, `{}`))
		}
		return call("move_to_zone", trip(pick("zone_600_0_0", "zone_0_0_0", "zone_120_-80_0")))
	}
	if r.IntN(3) > 0 {
		return one()
	}
	return `{"batch":[` + one() + `,` + one() + `,` + one() + `]}`
}

// A state with the patches of the calls since applied to it (RFC 6902) is the state now.
func TestStatePatch(t *testing.T) {
	book := book(t)
	changed, refused := 0, 0
	for i, world := range []string{"w1", "w2", "w3"} {
		data := edited(t, fixture(t, world), func(d doc) {
			allow(book.Names()...)(d)
			if list, ok := d["objects"].([]any); ok {
				in(list, "obj_map")["id"] = "m/a~1p"
			}
		})
		g := openBy(t, book, data, "en")
		g.g.Events = true
		r := rand.New(rand.NewPCG(uint64(i), 1))
		state := any(g.state("hob"))
		for range 150 {
			line := wild(r)
			for _, a := range g.send(line) {
				next, err := apply(state, a.Patch)
				if err != nil {
					t.Fatalf("%s: %v", a.line, err)
				}
				state = next
				if len(a.Patch) > 0 {
					changed++
				}
				if a.Status != "applied" {
					refused++
				}
			}
			if now := any(g.state("hob")); encode(t, now) != encode(t, state) {
				t.Fatalf("%s (-want +got):\n%s", line, cmp.Diff(now, state))
			}
		}
	}
	if t.Logf("%d changed something, %d were refused", changed, refused); changed < 100 || refused < 100 {
		t.Errorf("%d changed something, %d were refused: too few", changed, refused)
	}
}

// A patch is what the standard says: each of these changes what it names, or is refused.
func TestApply(t *testing.T) {
	for _, c := range []struct{ patch, want string }{
		{`{"op":"add","path":"/a/b","value":1}`, `{"a":{"b":1,"x":[1,2]}}`},
		{`{"op":"add","path":"/a/x/1","value":9}`, `{"a":{"x":[1,9,2]}}`},
		{`{"op":"add","path":"/a/x/-","value":9}`, `{"a":{"x":[1,2,9]}}`},
		{`{"op":"replace","path":"/a/x","value":null}`, `{"a":{"x":null}}`},
		{`{"op":"remove","path":"/a/x/0"}`, `{"a":{"x":[2]}}`},
		{`{"op":"add","path":"/p~1q~0","value":{}}`, `{"a":{"x":[1,2]},"p/q~":{}}`},
		{`{"op":"add","path":"/no/b","value":1}`, ``},
		{`{"op":"replace","path":"/b","value":1}`, ``},
		{`{"op":"remove","path":"/b"}`, ``},
		{`{"op":"add","path":"a","value":1}`, ``},
		{`{"op":"add","path":"/a/x/4","value":1}`, ``},
	} {
		var op operation
		d := decode(t, []byte(c.patch)).(doc)
		op.Op, op.Path = d["op"].(string), d["path"].(string)
		if v, ok := d["value"]; ok {
			op.Value = []byte(encode(t, v))
		}
		got, err := apply(decode(t, []byte(`{"a":{"x":[1,2]}}`)), []operation{op})
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: %v", c.patch, got)
			}
			continue
		}
		if err != nil || !cmp.Equal(got, decode(t, []byte(c.want))) {
			t.Errorf("%s: %v, %v", c.patch, got, err)
		}
	}
}
