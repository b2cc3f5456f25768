package exec_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/exec"
)

// hall is a campaign.json with one area in use.
const hall = `{"id":"c","selected":{"party_character_ids":["pc"],"active_actor_id":"pc"},
 "map":{"areas":{"b":{"id":"b","name":"B","reachable_area_ids":[]},"a":{"id":"a","name":"A","reachable_area_ids":["b"]}},"connections":[]},
 "actors":{"pc":{"position":"a","hp":10,"character_state":"alive","inventory":{},"meta":{}}}}`

// reply is what the tests look at of an answer.
type reply struct {
	Status string            `json:"status"`
	Detail string            `json:"detail"`
	Hash   string            `json:"state_hash"`
	Patch  []json.RawMessage `json:"state_patch"`
	State  json.RawMessage   `json:"state"`
}

// played plays lines on a world and returns the answers.
func played(t *testing.T, world string, lines ...string) (list []reply) {
	t.Helper()
	book := game.Rules()
	now := func() time.Time { return time.Unix(1_700_000_000, 0) }
	s, _, err := game.Read(t.Context(), []byte(world), eventlog.NewMemoryStorage(), game.Import{Opt: game.Options(book, now)})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	g := exec.Game{Log: s, Book: book, Lang: "en", Events: true, Now: now}
	if err := g.Run(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(&out); d.More(); {
		var r reply
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

const (
	aHit  = `{"tool":"hp_delta","args":{"target_character_id":"pc","delta":-1,"cause":""}}`
	aMiss = `{"tool":"hp_delta","args":{"target_character_id":"nobody","delta":-1,"cause":""}}`
)

// Each call of a batch answers with the state after it: one that is refused has the state that was there, and no patch, even where it is
// the last one and the turn brings a milestone.
func TestBatchStates(t *testing.T) {
	single := played(t, hall, aMiss, aHit, aHit)
	before, one, two := single[0].Hash, single[1].Hash, single[2].Hash
	batch := played(t, hall, `{"request_id":"r","batch":[`+strings.Join([]string{aMiss, aHit, aMiss, aHit, aMiss}, ",")+`]}`)
	again := played(t, hall, `{"request_id":"r","batch":[`+strings.Join([]string{aMiss, aHit, aMiss, aHit, aMiss}, ",")+`]}`,
		`{"request_id":"r","batch":[`+strings.Join([]string{aMiss, aHit, aMiss, aHit, aMiss}, ",")+`]}`)
	var hashes []string
	for _, r := range batch {
		hashes = append(hashes, r.Hash)
	}
	if diff := cmp.Diff([]string{before, one, one, two, two}, hashes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(again[:5], again[5:]); diff != "" {
		t.Errorf("told again: %s", diff)
	}
	soon := strings.Replace(hall, `"map"`, `"milestone":{"current":"intro","turn_trigger_interval":1},"map"`, 1)
	ends := played(t, soon, `{"batch":[`+aHit+`,`+aMiss+`]}`, aMiss)
	if len(ends[0].Patch) != 3 || len(ends[1].Patch) != 0 || ends[0].Hash != ends[2].Hash || ends[1].Hash != ends[2].Hash {
		t.Errorf("%d and %d changes", len(ends[0].Patch), len(ends[1].Patch))
	}
}

// A member of another type than it should have is no reason to stop.
func TestOddMembers(t *testing.T) {
	got := played(t, hall, `{"id":1,"tool":5}`, `{"tool":"move","args":{"to_area_id":"b"},"reason":7,"request_id":1,"actor_id":" pc "}`,
		`{"tool":"move","args":{"to_area_id":"a"},"request_id":1}`, `{"tool":"move","args":{"to_area_id":"a"},"actor_id":[1]}`)
	var list []string
	for _, r := range got {
		list = append(list, r.Status+" "+r.Detail)
	}
	if diff := cmp.Diff([]string{
		"rejected tool_not_allowed", "applied ", "error request_conflict", "error entity_not_found",
	}, list); diff != "" {
		t.Error(diff)
	}
}

// A campaign.json that says nothing of the rule has its program's: nobody goes on with no aHit points. It is written as it was.
func TestRuleOfCampaignFile(t *testing.T) {
	got := played(t, hall, `{"state":"002"}`, strings.Replace(aHit, "-1", "-10", 1), aHit, `{"undo":1}`, `{"state":"002"}`)
	if got[2].Detail != "campaign_ended" {
		t.Errorf("the party is dead, and %q", got[2].Detail)
	}
	if diff := cmp.Diff(string(got[0].State), string(got[4].State)); diff != "" || bytes.Contains(got[0].State, []byte("hp_zero")) {
		t.Errorf("%s: %s", got[0].State, diff)
	}
}

// Areas say where one comes from them in the order of the ids, as a campaign.json has them.
func TestReachableSorted(t *testing.T) {
	got := played(t, hall, `{"tool":"map_generate","args":{"parent_area_id":"a","constraints":{"size":3,"hub":true}}}`, `{"state":"002"}`)
	var save struct {
		Map struct {
			Areas map[string]struct {
				To []string `json:"reachable_area_ids"`
			} `json:"areas"`
		} `json:"map"`
	}
	if err := json.Unmarshal(got[1].State, &save); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"a": {"area_001", "area_002", "area_003", "b"}, "b": {}}
	for _, id := range []string{"a", "b"} {
		if diff := cmp.Diff(want[id], save.Map.Areas[id].To); diff != "" {
			t.Error(id, diff)
		}
	}
	for id, a := range save.Map.Areas {
		for i := 1; i < len(a.To); i++ {
			if a.To[i-1] >= a.To[i] {
				t.Errorf("%s: %v", id, a.To)
			}
		}
	}
}

// map_generate needs no actor where nobody is active: the narrator draws. Its seed may be blank, its size may not be null.
func TestMapOfNarrator(t *testing.T) {
	house := `{"locations":[{"id":"hall","name":"Hall","connections":[]}],"players":[],"objects":[]}`
	got := played(t, house, `{"tool":"map_generate","args":{"parent_area_id":"hall","constraints":{"size":2,"seed":""}}}`,
		`{"tool":"map_generate","args":{"parent_area_id":null,"constraints":{"size":null}}}`, `{"tool":"move","args":{"to_area_id":"hall"}}`)
	var list []string
	for _, r := range got {
		list = append(list, r.Status+" "+r.Detail)
	}
	if diff := cmp.Diff([]string{"applied ", "error invalid_args", "error invalid_args"}, list); diff != "" {
		t.Error(diff)
	}
}

// What was refused, and what only looked, leaves the save as it was, its times included.
func TestSaveUntouched(t *testing.T) {
	save := `{"session_id":"s","player_static_data":{"player_id":"p","name":"P"},"player_runtime_data":{"session_id":"s",
	 "current_position":{"x":0,"y":0,"z":0,"zone_id":"z"},"updated_at":"2024-01-01T00:00:00Z"},
	 "area_snapshot":{"zones":[{"zone_id":"z","name":"Z","x":0,"y":0,"z":0}]}}`
	got := played(t, save, `{"state":"003"}`, `{"tool":"get_player_state","args":{"session_id":"s"}}`, `{"tool":"move","args":{}}`, `{"state":"003"}`)
	if diff := cmp.Diff(string(got[0].State), string(got[3].State)); diff != "" {
		t.Error(diff)
	}
}
