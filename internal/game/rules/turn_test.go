package rules_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Each call here is wrong in every way that is still judged after the one that it is refused for.
func TestTurn_Order(t *testing.T) {
	for _, test := range []struct {
		name, tool, args string
		self             world.Self
		state            string // of Ann
		repeated         bool
		want             verdict
	}{
		{"the allowlist first", "act", `{"actor_id":"bo","x":1}`, world.Self{Active: "ann", Allow: []string{"note"}, Ended: true}, world.Dead, true,
			verdict{rules.Rejected, "tool_not_allowed", "TOOL_NOT_ALLOWED", "tool_not_allowed"}},
		{"there is no such tool", "fly", `{"actor_id":"bo","x":1}`, world.Self{Active: "ann", AllowAll: true, Ended: true}, world.Dead, true,
			verdict{rules.Rejected, "tool_not_allowed", "TOOL_NOT_ALLOWED", "tool_not_allowed"}},
		{"the campaign has ended", "act", `{"actor_id":"bo","x":1}`, world.Self{Active: "ann", Ended: true, EndedReason: "party_dead"}, world.Dead, true,
			verdict{rules.Failed, "invalid_args", "INVALID_ARGS", "campaign_ended"}},
		{"refused before", "act", `{"actor_id":"bo","x":1}`, active(), world.Dead, true,
			verdict{rules.Rejected, "repeat_illegal_request", "RATE_LIMITED", "repeat_illegal_request"}},
		{"who acts", "act", `{"actor_id":"bo","x":1}`, active(), world.Dead, false,
			verdict{rules.Rejected, "actor_context_mismatch", "ACTOR_MISMATCH", "actor_context_mismatch"}},
		{"in which state", "act", `{"actor_id":"ann","x":1}`, active(), world.Dead, false,
			verdict{rules.Rejected, "actor_state_restricted", "ACTOR_STATE_RESTRICTED", "actor_state_restricted"}},
		{"no object", "act", `7`, active(), world.Dead, false,
			verdict{rules.Rejected, "actor_state_restricted", "ACTOR_STATE_RESTRICTED", "actor_state_restricted"}},
		{"a state there is not", "act", `{"x":1}`, active(), "asleep", false,
			verdict{rules.Rejected, "invalid_actor_state", "ACTOR_STATE_RESTRICTED", "invalid_actor_state"}},
		{"the arguments", "act", `{"x":1}`, active(), world.Alive, false,
			verdict{rules.Failed, "invalid_args", "INVALID_ARGS", "invalid_args"}},
		{"and then it runs", "act", `{}`, active(), "", false, verdict{Status: rules.Applied}},
		{"a narrator's tool asks for nobody's state", "note", `{}`, active(), world.Dead, false, verdict{Status: rules.Applied}},
		{"a reading one, too", "look", `{}`, active(), world.Dead, false, verdict{Status: rules.Applied}},
		{"and none at all", "look", ``, active(), world.Dead, false, verdict{Status: rules.Applied}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := house(t, test.self)
			state(t, w, "ann", test.state)
			turn := turn(t, w)
			turn.Limits.Repeated = func(string, []byte) bool { return test.repeated }
			hash := w.Hash()
			o := call(turn, test.tool, test.args)
			if diff := cmp.Diff(test.want, judged(o)); diff != "" {
				t.Error(diff)
			}
			if !o.OK() {
				kept(t, turn, hash)
			}
		})
	}
}

func TestTurn_EachState(t *testing.T) {
	restricted := verdict{rules.Rejected, "actor_state_restricted", "ACTOR_STATE_RESTRICTED", "actor_state_restricted"}
	for is, want := range map[string]verdict{
		"": {Status: rules.Applied}, world.Alive: {Status: rules.Applied}, world.Dying: restricted, world.Unconscious: restricted,
		world.Restrained: restricted, world.Dead: restricted,
	} {
		w := house(t, active())
		state(t, w, "ann", is)
		if diff := cmp.Diff(want, judged(call(turn(t, w), "act", `{"to_id":"bo"}`))); diff != "" {
			t.Errorf("%s:\n%s", is, diff)
		}
		if is == world.Dying {
			want = verdict{Status: rules.Applied} // what the dying may do
		}
		if diff := cmp.Diff(want, judged(call(turn(t, w), "act", `{"to_id":"ann"}`))); diff != "" {
			t.Errorf("%s:\n%s", is, diff)
		}
	}
}

// turn-engine-19: execution.actor_id > actor_id > selected.active_actor_id; not in party -> 400
func TestConformance_TurnEngine19(t *testing.T) {
	for _, test := range []struct {
		name, execution, args, active string
		want                          string // who acted
		code                          rules.Code
	}{
		{"execution before all", "bo", `{}`, "ann", "bo", ""},
		{"execution names the same", "bo", `{"actor_id":" bo "}`, "ann", "bo", ""},
		{"execution against the argument", "bo", `{"actor_id":"ann"}`, "ann", "bo", rules.ActorMismatch},
		{"the argument where nobody is active", "", `{"actorId":"bo"}`, "", "bo", ""},
		{"the argument against the active one", "", `{"actor_id":"bo"}`, "ann", "ann", rules.ActorMismatch},
		{"the active one", "", `{}`, "ann", "ann", ""},
		{"nobody", "", `{}`, "", "", rules.InvalidArgs},
		{"nobody who is there", "zz", `{"actor_id":"zz"}`, "ann", "zz", rules.EntityNotFound},
		{"nobody of the party", "cat", `{}`, "ann", "cat", rules.InvalidArgs},
		{"blank", "", `{"actor_id":" "}`, "ann", "ann", rules.ArgsRejected},
		{"a number", "", `{"actor_id":7}`, "ann", "ann", rules.ArgsRejected},
		{"null is none", "", `{"actor_id":null}`, "ann", "ann", ""},
	} {
		t.Run("turn-engine-19/"+test.name, func(t *testing.T) {
			turn := turn(t, house(t, world.Self{Active: test.active, AllowAll: true}))
			o := turn.Do(context.Background(), rules.Call{Tool: "act", Args: json.RawMessage(test.args), Actor: test.execution}, nil)
			if o.Actor != test.want || o.Code != test.code {
				t.Errorf("%q acted, code %q", o.Actor, o.Code)
			}
			if test.code == rules.ArgsRejected && judged(o) != (verdict{rules.Rejected, "invalid_args", "INVALID_ARGS", "invalid_args"}) {
				t.Errorf("a bad actor_id is %+v", judged(o))
			}
			if acted := turn.World.Actor("bo").Desc != ""; acted != (test.code == "" && test.want == "bo") {
				t.Errorf("Bo acted: %v", acted)
			}
		})
	}
	turn := turn(t, house(t, world.Self{Active: "cat", AllowAll: true, Party: []string{}}))
	if o := call(turn, "act", `{}`); !o.OK() || o.Actor != "cat" {
		t.Errorf("where there is no party, %q may not act: %v", o.Actor, o.Say)
	}
}

func TestTurn_AllowList(t *testing.T) {
	for _, test := range []struct {
		self world.Self
		tool string
		want bool
	}{
		{world.Self{}, "note", true},
		{world.Self{Shape: "000"}, "note", true},
		{world.Self{Shape: "002"}, "note", false},
		{world.Self{Shape: "002"}, "move", true},
		{world.Self{Shape: "002"}, "hp_delta", true},
		{world.Self{Shape: "002"}, "map_generate", true},
		{world.Self{Shape: "002", Allow: []string{}}, "move", false},
		{world.Self{Shape: "002", AllowAll: true}, "note", true},
		{world.Self{Allow: []string{"note"}}, "note", true},
		{world.Self{Allow: []string{"note"}}, "act", false},
		{world.Self{Allow: []string{}}, "note", false},
	} {
		if got := rules.Allowed(&test.self, test.tool); got != test.want {
			t.Errorf("%s is allowed: %v, with %v of %q", test.tool, got, test.self.Allow, test.self.Shape)
		}
	}
	w := house(t, world.Self{Lang: "ru", Allow: []string{"act"}})
	turn := turn(t, w)
	if o := call(turn, "note", `{}`); !strings.Contains(turn.Book.Text("ru", o.Say), "не найден или отключен") {
		t.Errorf("it says %s", turn.Book.Text("ru", o.Say))
	}
}

// A tool that panics, and one that changes the world and then does not end well, leave nothing; what was before stays.
func TestConformance_TurnEngine07(t *testing.T) {
	for _, how := range []string{"panic", "nil", "code", "silent", "created"} {
		t.Run("turn-engine-07/"+how, func(t *testing.T) {
			turn := turn(t, house(t, active()))
			first := call(turn, "make", `{"name":"A"}`)
			turn.Limits.Creates = 1
			hash, events := turn.World.Hash(), len(turn.Events)
			o := call(turn, "break", `{"how":"`+how+`"}`)
			want := map[string]string{"code": "INVALID_ARGS", "created": "RATE_LIMITED"}[how]
			if want == "" {
				want = "INTERNAL_ERROR"
			}
			if o.ErrorCode() != want || o.OK() || o.Changed || o.Created != "" {
				t.Errorf("the outcome is %+v", o)
			}
			if turn.World.Hash() != hash || len(turn.Events) != events || len(turn.Rolls)+len(turn.Notes) != 0 {
				t.Error("something is left of it")
			}
			turn.Limits.Creates = 0
			after := call(turn, "make", `{"name":"B"}`)
			if first.Created != "obj_008" || after.Created != "obj_009" {
				t.Errorf("before and after it %s and %s were created", first.Created, after.Created)
			}
			want = "applied error applied"
			if got := join(turn.Outcomes); got != want && how != "created" {
				t.Errorf("the outcomes are %s", got)
			}
		})
	}
	turn := turn(t, house(t, active()))
	o := call(turn, "break", `{}`)
	if !o.OK() || !o.Changed || turn.World.Thing("box").Name != "Broken" || len(turn.Rolls) != 1 || len(turn.Notes) != 1 {
		t.Errorf("what ends well is not kept: %+v", o)
	}
	if err := turn.World.Revert(turn.Events); err != nil || turn.World.Hash() != house(t, active()).Hash() {
		t.Errorf("the events of a turn do not take it back: %v", err)
	}
}

func join(outcomes []rules.Outcome) string {
	list := make([]string, len(outcomes))
	for i, o := range outcomes {
		list[i] = string(o.Status)
	}
	return strings.Join(list, " ")
}

// N counts all calls of the batch, those that create nothing and those that fail among them.
func TestConformance_TurnEngine08(t *testing.T) {
	for _, test := range []struct{ name, args, want string }{
		{"the first that creates", `{"thing_id":"$1.createdId"}`, "obj_008"},
		{"within a text", `{"thing_id":"a $1.createdId, b $4.createdId"}`, "a obj_008, b obj_009"},
		{"one that created nothing", `{"thing_id":"$0.createdId"}`, "$0.createdId"},
		{"one that failed", `{"thing_id":"$2.createdId"}`, "$2.createdId"},
		{"itself", `{"thing_id":"$5.createdId"}`, "$5.createdId"},
		{"one that comes later", `{"thing_id":"$6.createdId"}`, "$6.createdId"},
		{"two digits", `{"thing_id":"$14.createdId"}`, "$14.createdId"},
		{"no number", `{"thing_id":"$.createdId $x.createdId"}`, "$.createdId $x.createdId"},
	} {
		t.Run("turn-engine-08/"+test.name, func(t *testing.T) {
			turn := turn(t, house(t, active()))
			list := turn.Batch(context.Background(), []rules.Call{
				{ID: "c0", Tool: "note", Args: json.RawMessage(`{}`)}, {ID: "c1", Tool: "make", Args: json.RawMessage(`{"name":"A"}`)},
				{ID: "c2", Tool: "break", Args: json.RawMessage(`{"how":"created","x":1}`)}, {ID: "c3", Tool: "fly"},
				{ID: "c4", Tool: "make", Args: json.RawMessage(`{"name":"B"}`)}, {ID: "c5", Tool: "note", Args: json.RawMessage(test.args)},
				{ID: "c6", Tool: "make", Args: json.RawMessage(`{}`)},
			})
			if got := join(list); got != "applied applied error rejected applied applied applied" {
				t.Errorf("the outcomes are %s", got)
			}
			if got := list[5].Say.Args[0]; got != test.want || list[5].Call.ID != "c5" {
				t.Errorf("the argument of call %s is %q, want %q", list[5].Call.ID, got, test.want)
			}
			again := turn.Batch(context.Background(), []rules.Call{{Tool: "note", Args: json.RawMessage(`{"thing_id":"$1.createdId"}`)}})
			if got := again[0].Say.Args[0]; got != "$1.createdId" {
				t.Errorf("another batch is reached: %q", got)
			}
		})
	}
}

func TestTurn_CreationLimit(t *testing.T) {
	turn := turn(t, house(t, active()))
	turn.Limits.Creates = 2
	for i, want := range []verdict{
		{Status: rules.Applied}, {Status: rules.Applied}, {rules.Rejected, "rate_limited", "RATE_LIMITED", "rate_limited"},
	} {
		size := turn.World.Size()
		o := call(turn, "make", `{"name":"A"}`)
		if diff := cmp.Diff(want, judged(o)); diff != "" {
			t.Errorf("call %d:\n%s", i, diff)
		}
		if made := turn.World.Size() - size; made > 0 != o.OK() {
			t.Errorf("call %d made %d things", i, made)
		}
	}
	if o := call(turn, "note", `{}`); !o.OK() {
		t.Error("what creates nothing is limited, too")
	}
}

// Seed 003's tools are bound to a session, and answer in its envelope even where they fail.
func TestTurn_Session(t *testing.T) {
	fail := func(code, message string) string {
		return `{"ok":false,"error_code":"` + code + `","message":"` + message + `"}`
	}
	for _, test := range []struct{ name, tool, bound, args, want, result string }{
		{"the right one", "bound", "s1", `{"session_id":" s1 "}`, "", `{"actor":"ann"}`},
		{"another", "bound", "s1", `{"sessionId":"s2"}`, "session_mismatch",
			fail("SESSION_MISMATCH", `The session \"s2\" is not that of this campaign.`)},
		{"none given", "bound", "s1", `{}`, "invalid_args", fail("INVALID_ARGS", `The argument \"session_id\" is needed and must not be blank.`)},
		{"null", "bound", "s1", `{"session_id":null}`, "invalid_args",
			fail("INVALID_ARGS", `The argument \"session_id\" is needed and must not be blank.`)},
		{"blank", "bound", "s1", `{"session_id":" "}`, "invalid_args",
			fail("INVALID_ARGS", `The argument \"session_id\" is needed and must not be blank.`)},
		{"a number", "bound", "s1", `{"session_id":1}`, "invalid_args", fail("INVALID_ARGS", `The argument \"session_id\" must be a string.`)},
		{"none bound", "bound", "", `{"session_id":"s1"}`, "invalid_args", fail("INVALID_ARGS", "This campaign is bound to no session.")},
		{"no object", "bound", "s1", `not JSON`, "invalid_args", fail("INVALID_ARGS", "The arguments of bound must be one JSON object.")},
		{"of any other tool when given", "note", "s1", `{"session_id":"s2"}`, "session_mismatch", ""},
		{"of any other tool when right", "note", "s1", `{"session_id":"s1"}`, "", ""},
		{"of any other tool when not given", "note", "s1", `{}`, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := house(t, world.Self{Active: "ann", Session: test.bound})
			turn, hash := turn(t, w), w.Hash()
			o := call(turn, test.tool, test.args)
			if o.Detail() != test.want || string(o.Result) != test.result {
				t.Errorf("detail %q, result %s", o.Detail(), o.Result)
			}
			if !o.OK() {
				kept(t, turn, hash)
			}
		})
	}
	dead := house(t, world.Self{Active: "ann", Session: "s1"})
	state(t, dead, "ann", world.Dead)
	o := call(turn(t, dead), "bound", `{"session_id":"s1"}`)
	if want := fail("ACTOR_STATE_RESTRICTED", `The actor \"ann\" cannot do that: dead.`); string(o.Result) != want {
		t.Errorf("somebody who is dead: %s", o.Result)
	}
}
