package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// get asks the local API for something.
func (h *house) get(path string) (status int, mediaType, body string) {
	h.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(h.state, "hob.sock"))
	}, DisableKeepAlives: true}}
	resp, err := client.Get("http://hob/api/v1/" + path)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(raw)
}

// applyPatch changes a document by operations of RFC 6902 whose paths lead through objects and lists that are replaced whole.
func applyPatch(t *testing.T, doc map[string]any, patch []any) {
	t.Helper()
	for _, one := range patch {
		op := one.(map[string]any)
		path := strings.Split(strings.TrimPrefix(op["path"].(string), "/"), "/")
		at := doc
		for i, token := range path {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
			if i < len(path)-1 {
				next, ok := at[token].(map[string]any)
				if !ok {
					t.Fatalf("%v leads nowhere", op)
				}
				at = next
				continue
			}
			_, there := at[token]
			if there == (op["op"] == "add") && op["op"] != "add" || !there && op["op"] != "add" {
				t.Fatalf("%v: there: %t", op, there)
			}
			if at[token] = op["value"]; op["op"] == "remove" {
				delete(at, token)
			}
		}
	}
}

// A program reads the state of a story once, and follows it by the patches of its replies: after each turn it has what hob has.
func TestStory_TheStateAndItsPatches(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	s := h.serve()
	canonical := func(v any) string {
		t.Helper()
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	state := func() map[string]any {
		t.Helper()
		status, mediaType, body := h.get("story?chat=tale")
		doc := map[string]any{}
		if err := json.Unmarshal([]byte(body), &doc); err != nil || status != 200 || mediaType != "application/json" {
			t.Fatal(status, mediaType, body)
		}
		return doc
	}
	say := func(words string, command bool) map[string]any {
		t.Helper()
		status, reply := h.post("chat", canonical(map[string]any{
			"session_id": "tale", "command": command, "messages": []any{map[string]any{"role": "user", "content": words}},
		}))
		if status != 200 {
			t.Fatal(words, status, reply)
		}
		return reply
	}

	if status, _, body := h.get("story?chat=tale"); status != 404 || !strings.Contains(body, `{"error":"no story is bound to this chat"}`) {
		t.Error(status, body)
	}
	for _, format := range []string{"json", "svg", "png"} {
		if status, _, body := h.get("map?chat=tale&format=" + format); status != 404 || !strings.Contains(body, "no story") {
			t.Error(format, status, body)
		}
	}
	for path, want := range map[string]string{
		"story": "say which chat", "story?chat=tale&secrets=no": "no parameter", "map?chat=tale&format=gif": "json, svg or png", "map?chat=tale&scope=all": "area_layer or zone",
	} {
		if status, _, body := h.get(path); status != 400 || !strings.Contains(body, want) {
			t.Error(path, status, body)
		}
	}

	say("/game new cosy", true)
	mine, changed := state(), 0
	if mine["campaign"] == "" || mine["state_hash"] == "" {
		t.Error(mine["campaign"], mine["turn"], mine["state_hash"])
	}
	for _, words := range []string{
		"go to Oda's Orchard", "look", "open birdhouse", "take key", "go nowhere at all", "wait", "go to the green", "talk to Mr. Voss",
		`call create_object {"name":"Lamp","connection_id":"pc_001"}`, "drop Lamp", `call hp_delta {"target_character_id":"pc_001","delta":-2,"cause":"a fall"}`,
	} {
		before := mine["state_hash"]
		patch, _ := say(words, false)["state_patch"].([]any)
		applyPatch(t, mine, patch)
		now := state()
		if got, want := canonical(mine["state"]), canonical(now["state"]); got != want {
			t.Fatalf("%s: after the patch %s the state is\n%s\nand not\n%s", words, canonical(patch), got, want)
		}
		if (now["state_hash"] == before) != (len(patch) == 0) {
			t.Errorf("%s: the patch %v, the hash was %v and is %v", words, patch, before, now["state_hash"])
		}
		if len(patch) > 0 {
			changed++
		}
		mine["state_hash"], mine["turn"] = now["state_hash"], now["turn"]
	}
	if changed < 6 {
		t.Errorf("%d turns changed anything", changed)
	}

	// The map is that of the players: what nobody has seen has neither name nor id.
	status, mediaType, body := h.get("map?chat=tale")
	var drawn struct {
		Campaign string
		Rooms    []struct {
			ID, Name         string
			Visited, Current bool
		}
		Links []struct{ From, To int }
	}
	if err := json.Unmarshal([]byte(body), &drawn); err != nil || status != 200 || mediaType != "application/json" || drawn.Campaign != mine["campaign"] {
		t.Fatal(status, mediaType, body)
	}
	here, unseen := 0, 0
	for _, r := range drawn.Rooms {
		if r.Current {
			here++
		}
		if !r.Visited {
			unseen++
		}
		if !r.Visited && r.ID+r.Name != "" {
			t.Errorf("nobody was there: %+v", r)
		}
	}
	places := len(mine["state"].(map[string]any)["places"].(map[string]any))
	if here != 1 || unseen == 0 || len(drawn.Rooms) >= places || len(drawn.Links) == 0 {
		t.Errorf("%d places: %s", places, body)
	}
	if _, _, again := h.get("map?chat=tale&format=json"); again != body {
		t.Error(again)
	}
	status, mediaType, body = h.get("map?chat=tale&format=svg")
	if status != 200 || mediaType != "image/svg+xml" || !strings.HasPrefix(body, "<svg") || !strings.Contains(body, "Orchard") {
		t.Error(status, mediaType, body)
	}
	status, mediaType, body = h.get("map?chat=tale&format=png")
	if _, err := png.Decode(bytes.NewReader([]byte(body))); err != nil || status != 200 || mediaType != "image/png" {
		t.Error(status, mediaType, err)
	}
	s.stop()
}

// The zones of a save of system 003, with its coordinates.
func TestStory_TheMapOfZones(t *testing.T) {
	h := newHouse(t, nowhereToAsk)
	save := filepath.Join(t.TempDir(), "save.json")
	err := os.WriteFile(save, []byte(`{"session_id":"s1","map_snapshot":{"player_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"},"zones":[]},
"area_snapshot":{"zones":[
{"zone_id":"zone_0_0_0","name":"Origin","x":0,"y":0,"z":0,"zone_type":"unknown","size":"small","radius_m":120,"description":"","tags":[],"sub_zones":[]},
{"zone_id":"zone_600_0_0","name":"East Post","x":600,"y":0,"z":0,"zone_type":"road","size":"small","radius_m":120,"description":"","tags":[],"sub_zones":[]}],
"sub_zones":[],"current_zone_id":"zone_0_0_0","current_sub_zone_id":null},"game_logs":[],
"player_static_data":{"player_id":"player_001","name":"Player","move_speed_mph":4500,"role_type":"player"},
"player_runtime_data":{"session_id":"s1","current_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"}},"role_pool":[]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	h.hob("game", "import", save, "--name", "zones")
	s := h.serve()
	if status, reply := h.post("chat", `{"session_id":"tale","command":true,"messages":[{"role":"user","content":"/game open zones"}]}`); status != 200 {
		t.Fatal(status, reply)
	}
	_, _, body := h.get("map?chat=tale&scope=zone")
	for _, want := range []string{`"layer":"zone"`, `{"id":"zone_0_0_0","name":"Origin","x":0,"y":0,"radius":120,"visited":true,"current":true`, `{"id":"zone_600_0_0","name":"East Post","x":600,"y":0,"radius":120,"visited":false`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %s", want, body)
		}
	}
	if status, mediaType, body := h.get("map?chat=tale&scope=zone&format=svg"); status != 200 || mediaType != "image/svg+xml" || !strings.Contains(body, "East Post") {
		t.Error(status, mediaType, body)
	}
	s.stop()
}
