package gamemaster_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/llm"
)

// Before stories were bound, a model won a tale in its first turn by saying so, took what is hidden three places away, and made a sword.
// By their own names or through call_tool: each is refused, changes nothing, and the model hears what to do instead.
func TestAModelCannotCheat(t *testing.T) {
	for _, c := range []struct{ says, tool, args, instead string }{
		{"I hereby declare that supper is wonderfully saved", "quest", `{"action":"complete","id":"quest_supper"}`, "follows from what the players do"},
		{"I summon the ember by magic into my hand", "move_object", `{"object_id":"obj_ember","target_id":"pc_001"}`, "use what the scene shows"},
		{"The loaf lies on the long table, I say", "move_object", `{"object_id":"obj_loaf","target_id":"obj_table"}`, "use what the scene shows"},
		{"I find a legendary sword", "create_object", `{"name":"legendary sword","connection_id":"pc_001"}`, `call skill_check with act "create_object" and target "pc_001" first`},
	} {
		for _, call := range []llm.Call{
			called(1, c.tool, c.args), called(1, "call_tool", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.args)),
		} {
			t.Run(call.Name+" "+c.says, func(t *testing.T) {
				h := newHouse(t, plan{model: once(call)})
				h.began("cosy")
				before := h.log("cosy").World()
				got := h.say(c.says)
				after := h.log("cosy").World()
				r := got.returned()[0]
				if r.OK || !strings.Contains(r.Text, c.instead) {
					t.Errorf("%v: %s", r.OK, r.Text)
				}
				if after.Self().Ended || len(after.Quest("quest_supper").Met) > 0 || len(after.Things()) != len(before.Things()) ||
					after.Thing("obj_ember").Parent != "npc_ilse" || after.Thing("obj_loaf").Parent != "npc_marta" {
					t.Error("the story is cheated")
				}
				if strings.Contains(got.reply.Text, "skill_check") || strings.Contains(got.reply.Text, "Ilse") {
					t.Errorf("the players read: %s", got.reply.Text)
				}
				h.legal("cosy")
			})
		}
	}
}

// A person who calls a tool by its name is held to the same.
func TestAPlayerCannotCheat(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.hears("ana", "/quest complete quest_supper")
	h.hears("ana", "/move_object obj_ember pc_001", "within reach")
	h.hears("ana", `/create_object "sword" pc_001`, "skill_check")
	if w := h.log("cosy").World(); w.Self().Ended || len(w.Contents("pc_001")) != 1 {
		t.Errorf("Robin carries %d things", len(w.Contents("pc_001")))
	}
}

// Who would sleep or wait the story away is asked first, and may.
func TestWaitingEndsTheStoryAfterAQuestion(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.hears("ana", "wait 2 hours", "4/8")
	h.hears("ana", "sleep", "By then “The bell at six” would be over, and the story with it. You choose: 1. wait until 17:30, 2. let it end.")
	h.hears("ana", "1", "7/8")
	h.hears("ana", "wait until nine", "1. let it end")
	if h.log("cosy").World().Self().Ended {
		t.Fatal("it is over")
	}
	h.hears("ana", "1")
	if self := h.log("cosy").World().Self(); !self.Ended || self.EndedReason != "quest_failed" {
		t.Errorf("who waits to the end has %+v", self)
	}
}

// A clock that is of a thing is told where the party has the thing, or it lies in sight.
func TestAClockOfAThing(t *testing.T) {
	const hour = "wait 60 minutes"
	h := newHouse(t, plan{noModel: true})
	h.began("dungeon")
	h.hears("ana", hour, "Lamp oil 1/6")
	h.hears("ana", "drop the oil lamp")
	h.hears("ana", "quests", "Lamp oil")
	h.hears("ana", "go down")
	for _, words := range []string{hour, "quests"} {
		if got := strings.ToLower(h.say(words).reply.Text); strings.Contains(got, "lamp") {
			t.Errorf("%q where the lamp is not: %s", words, got)
		}
	}
	if c := h.log("dungeon").World().Clock("clock_lamp"); c.Filled != 2 {
		t.Errorf("the lamp has burnt %d hours", c.Filled)
	}
}

// A check that names its act opens the way to it, whatever difficulty the model has in mind.
func TestACheckNamesItsAct(t *testing.T) {
	var h *house
	said := ""
	h = newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
		switch n := results(req); {
		case asksToTell(req):
			return llm.Say("")
		case n == 0:
			return llm.Do(called(1, "skill_check", `{"actor_id":"pc_001","skill":"charm","difficulty":"trivial","act":"create_object","target":"pc_001"}`))
		case n == 1:
			said = req.Messages[len(req.Messages)-1].Text
			return llm.Do(called(2, "create_object", `{"name":"hairpin","connection_id":"pc_001"}`))
		}
		return llm.Say("Done.")
	})})
	h.began("cosy")
	got := h.say("I look whether there is a hairpin in my pocket")
	all := got.returned()
	won := strings.Contains(said, "success")
	if len(all) != 2 || !all[0].OK || all[1].OK != won || !strings.Contains(said, "15") {
		t.Errorf("%q: %+v", said, all)
	}
}

// A campaign of before, whose log says nothing, is bound from its next turn, and what was played in it stays as it was.
func TestACampaignOfBeforeIsBound(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.integrity("cosy", "")
	if !h.log("cosy").World().Self().IsBound() {
		t.Fatal("it is free")
	}
	h.hears("ana", "/move_object obj_ember pc_001", "within reach")
	h.free("cosy")
	h.hears("ana", "/move_object obj_ember pc_001", "ember")
	h.integrity("cosy", "")
	h.hears("ana", "/move_object obj_loaf pc_001", "within reach")
	if h.log("cosy").World().Thing("obj_ember").Parent != "pc_001" {
		t.Error("what was played is another")
	}
	h.legal("cosy")
}
