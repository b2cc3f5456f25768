package gamemaster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// returned are what came of the calls of a turn, by tool, in their order.
func (s said) returned() (all []event.Returned) {
	for _, b := range s.bodies {
		if r, ok := b.(event.Returned); ok {
			all = append(all, r)
		}
	}
	return all
}

// played is the data of what came of a call of the game's, as the local API has it.
type played struct {
	Result map[string]any `json:"result"`
	Text   string         `json:"text"`
	Game   struct {
		Campaign string `json:"campaign"`
		Turn     int64  `json:"turn"`
		Status   string `json:"status"`
		Reason   string `json:"reason"`
		Detail   string `json:"detail"`
		Code     string `json:"error_code"`
	} `json:"game"`
	Patch []map[string]any `json:"state_patch"`
}

func dataOf(t *testing.T, r event.Returned) (p played) {
	t.Helper()
	raw, err := json.Marshal(r.Data)
	if err != nil || json.Unmarshal(raw, &p) != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return p
}

// once is a model that makes these calls in one reply, and tells.
func once(all ...llm.Call) llm.Model { return calls(false, all...)() }

// The rows of the turn engine as a story plays them.
func TestTurnEngineRows(t *testing.T) {
	t.Run("turn-engine-04", func(t *testing.T) {
		h := newHouse(t, plan{model: once(
			called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`),
			called(2, "move_player", `{"player_id":"pc_001","target_location_id":"area_bakery"}`)), // which only the green leads to
		})
		h.began("cosy")
		got := h.say("I whistle a tune and feel restless")
		if h.place("pc_001") != "area_bakery" || len(got.returned()) != 2 || h.log("cosy").Turns() != 1 {
			t.Errorf("at %s after %d turns: %+v", h.place("pc_001"), h.log("cosy").Turns(), got.returned())
		}
	})
	t.Run("turn-engine-05", func(t *testing.T) {
		model := llm.NewScript(
			llm.Do(called(1, "summon_dragon", `{}`), called(2, "attack", `{"attacker_id":"pc_001","target_id":"npc_voss"}`), called(3, "skill_check", `{"actor_id":"pc_001","skill":"wits","difficulty":"easy"}`)),
			llm.Do(called(4, "advance_time", `{"minutes":5}`)), llm.Say("Done."), llm.Say("A while passes."))
		h := newHouse(t, plan{model: model, policy: policy.Policy{Disabled: map[string]bool{"skill_check": true}}})
		h.began("cosy")
		h.say("/allow -attack")
		got := h.say("I do this and that, and more")
		ok := map[string]bool{}
		for _, r := range got.returned() {
			ok[r.Tool] = r.OK
		}
		if diff := cmp.Diff(map[string]bool{"summon_dragon": false, "attack": false, "skill_check": false, "advance_time": true}, ok); diff != "" {
			t.Error(diff)
		}
		seen := 0
		for _, m := range model.Requests()[1].Messages {
			if m.Role == llm.ToolRole && strings.Contains(m.Text, "error") {
				seen++
			}
		}
		if seen != 3 || !strings.Contains(got.reply.Text, "A while passes") {
			t.Errorf("the model saw %d failures; %s", seen, got.reply.Text)
		}
	})
	t.Run("turn-engine-08", func(t *testing.T) {
		model := llm.NewScript(
			llm.Do(called(1, "look", `{}`), called(2, "create_object", `{"name":"a paper boat","connection_id":"pc_001"}`),
				called(3, "set_attribute", `{"entity_type":"object","entity_id":"$1.createdId","attribute_name":"colour","value":"blue"}`),
				called(5, "look", `{"target_id":"$1.createdId"}`)),
			llm.Do(called(4, "set_attribute", `{"entity_type":"object","entity_id":"$1.createdId","attribute_name":"colour","value":"red"}`)),
			llm.Say("Done."), llm.Say("You fold a paper boat."))
		h := newHouse(t, plan{model: model})
		h.began("cosy")
		h.free("cosy")
		got := h.say("I fold a boat out of paper and then paint it")
		all := got.returned()
		if len(all) != 5 || !all[1].OK || !all[2].OK || !all[3].OK || all[4].OK {
			t.Fatalf("%+v", all)
		}
		if !strings.Contains(all[4].Text, "$1.createdId") {
			t.Errorf("an earlier reply's: %s", all[4].Text)
		}
	})
	t.Run("turn-engine-16", func(t *testing.T) {
		h := newHouse(t, plan{model: once(called(1, "skill_check", `{"actor_id":"pc_001","skill":"wits","difficulty":"easy"}`))})
		h.began("cosy")
		r := h.say("I think hard about it all").returned()[0]
		p := dataOf(t, r)
		if r.ID == "" || r.Tool != "skill_check" || !r.OK || p.Text == "" || p.Game.Status != "applied" || p.Game.Campaign != "cosy" || p.Game.Turn != 1 || len(p.Result) == 0 {
			t.Errorf("%+v: %+v", r, p)
		}
	})
	t.Run("turn-engine-22", func(t *testing.T) {
		h := newHouse(t, plan{model: once(called(1, "move_object", `{"object_id":"obj_none","target_id":"pc_001"}`))})
		h.began("cosy")
		var codes []string
		for i := range 4 {
			p := dataOf(t, h.say(fmt.Sprint("I reach out once more, ", i)).returned()[0])
			codes = append(codes, p.Game.Status+" "+p.Game.Reason)
		}
		if codes[3] != "rejected repeat_illegal_request" || codes[2] == codes[3] {
			t.Error(codes)
		}
	})
	t.Run("turn-engine-23", func(t *testing.T) {
		model := llm.NewScript(llm.Say("Done."), llm.Say("You walk to the bakery. “I am rich,” says nobody."), llm.Say("You go over to the bakery and sit down."))
		h := newHouse(t, plan{model: model})
		h.began("cosy")
		got := h.say("I dream of bread and butter")
		if n := len(model.Requests()); n != 3 || strings.Contains(got.reply.Text, "akery") || h.place("pc_001") != "area_teahouse" {
			t.Errorf("after %d requests: %s", n, got.reply.Text)
		}
		parts, err := h.log("cosy").Parts(t.Context(), h.log("cosy").Head())
		if err != nil || strings.Contains(fmt.Sprintf("%+v", parts), "bakery") {
			t.Errorf("lies are in the log: %v %+v", err, parts)
		}
	})
}

// zoneReply is what a model writes when it is asked for zones.
func zoneReply(x, y int, more string) string {
	return fmt.Sprintf(`{"zones":[{"name":"Ash Hill","x":%d,"y":%d,"description":"A bare hill.","tags":["hill"],"size":"small"%s}]}`, x, y, more)
}

// The rows of generate_zone, from what a model calls in a chat to what the story's log has.
func TestGenerateZoneRows(t *testing.T) {
	const ask = `{"world_prompt":"a hill"%s}`
	for i, c := range []struct {
		id, args, says string
		fails          error
		code           string // "" for applied
		made           int    // zones
		asked          bool   // the model that writes was asked
		retry          bool
	}{
		{id: "generate_zone-01", args: fmt.Sprintf(ask, ""), says: zoneReply(12, -8, ""), made: 1, asked: true},
		{id: "generate_zone-02", args: `{"world_prompt":"  "}`, code: "INVALID_ARGS"},
		{id: "generate_zone-02", args: `{}`, code: "INVALID_ARGS"},
		{id: "generate_zone-05", args: fmt.Sprintf(ask, `,"count":-5`), says: zoneReply(12, -8, ""), made: 1, asked: true},
		{id: "generate_zone-07", args: fmt.Sprintf(ask, `,"count":"abc"`), code: "INVALID_ARGS"},
		{id: "generate_zone-07", args: fmt.Sprintf(ask, `,"count":1.5`), code: "INVALID_ARGS"},
		{id: "generate_zone-08", args: fmt.Sprintf(ask, ""), says: "not json", code: "INVALID_AI_JSON", asked: true},
		{id: "generate_zone-08", args: fmt.Sprintf(ask, ""), says: "", code: "INVALID_AI_JSON", asked: true},
		{id: "generate_zone-10", args: fmt.Sprintf(ask, `,"count":2`), says: zoneReply(12, -8, ""), made: 1, asked: true},
		{id: "generate_zone-11", args: fmt.Sprintf(ask, ""), says: `{"map":` + zoneReply(12, -8, "") + `}`, made: 1, asked: true},
		{id: "generate_zone-13", args: fmt.Sprintf(ask, ""), says: `{"zones":[{"name":"Ash Hill","y":2,"description":"bare"}]}`, code: "INVALID_AI_JSON", asked: true},
		{id: "generate_zone-14", args: fmt.Sprintf(ask, ""), says: zoneReply(90_000, 0, ""), code: "INVALID_AI_JSON", asked: true},
		{id: "generate_zone-23", args: fmt.Sprintf(ask, ""), fails: context.DeadlineExceeded, code: "AI_TIMEOUT", asked: true, retry: true},
		{id: "generate_zone-23", args: fmt.Sprintf(ask, ""), fails: &llm.Error{Kind: llm.Silent, Message: "nothing came"}, code: "AI_TIMEOUT", asked: true, retry: true},
		{id: "no answer", args: fmt.Sprintf(ask, ""), fails: &llm.Error{Kind: llm.Unreachable, Message: "nobody is there"}, code: "INTERNAL_ERROR", asked: true},
		{id: "SESSION_MISMATCH", args: fmt.Sprintf(ask, `,"session_id":"another"`), code: "SESSION_MISMATCH"},
		{id: "session_id", args: fmt.Sprintf(ask, `,"session_id":"cosy"`), says: zoneReply(12, -8, ""), made: 1, asked: true},
	} {
		for k, through := range []string{"generate_zone", "call_tool"} {
			if i%2 != k && os.Getenv("HOB_TEST_FULL") == "" {
				continue
			}
			t.Run(c.id+"/"+through, func(t *testing.T) {
				prompts := 0
				author := func(context.Context, string) (string, error) {
					prompts++
					return c.says, c.fails
				}
				call := called(1, "generate_zone", c.args)
				if through == "call_tool" {
					call = called(1, "call_tool", `{"name":"generate_zone","arguments":`+c.args+`}`)
				}
				h := newHouse(t, plan{model: once(call), author: author})
				h.began("cosy")
				h.free("cosy")
				before := len(h.log("cosy").World().Places())
				got := h.say("I look out over the land")
				r := got.returned()[0]
				p := dataOf(t, r)
				if p.Game.Code != c.code || r.OK != (c.code == "") || (prompts > 0) != c.asked {
					t.Errorf("%q after %d prompts: %s", p.Game.Code, prompts, r.Text)
				}
				if after := len(h.log("cosy").World().Places()); c.made == 0 && (after != before || h.changed("cosy", 0) != "") || c.made > 0 && (after == before || len(p.Patch) == 0) {
					t.Errorf("%d places became %d", before, after)
				}
				if e := r.Error; c.code != "" && (e == nil || e.Retryable != c.retry) {
					t.Errorf("%+v", e)
				}
				h.legal("cosy")
			})
		}
	}
}

// A tool of the game in a chat that no story is bound to is refused, and says what to do.
func TestNoStoryIsBound(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	args := map[string]string{"look": `{}`, "generate_zone": `{"world_prompt":"x"}`}
	for _, tool := range h.master.Skill().Tools {
		if args[tool.Name()] == "" {
			continue
		}
		ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "nowhere", User: "ana", Principal: h.standing})
		_, err := tools.Call(ctx, tool, json.RawMessage(args[tool.Name()]))
		var bad *tools.Error
		if !errors.As(err, &bad) || !strings.Contains(bad.Suggestion, "/game") {
			t.Errorf("%s: %v", tool.Name(), err)
		}
	}
}
