package gamemaster_test

import (
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
)

// TestToolsByTheirNamesInAGroup has somebody who plays nobody, and somebody who plays one of several, call the game's own tools as
// commands: they may look. Whoever runs the group may do anything.
func TestToolsByTheirNamesInAGroup(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	writing := []string{
		"/move_player pc_001 area_green", "/hp_delta pc_001 -3 spite", "/create_object Bomb pc_001", "/set_active_actor pc_002",
		"/create_character Zed", "/safety line_add x", "/set_attribute actor pc_001 mood silly", "/delete_object obj_note",
		"/Move_Player pc_001 area_green", "/move_player\npc_001 area_green",
	}
	before := h.log("cosy").StateHash()
	for user, no := range map[string]string{"zoe": "/join", "bo": "who runs this group"} {
		for _, words := range writing {
			h.hears(user, words, no)
		}
		h.hears(user, "/scene", "SCENE")
	}
	if h.log("cosy").StateHash() != before {
		t.Error("the world is another one")
	}
	h.hears("bo", "/talk npc_voss") // what is spoken stays everybody's who plays
	h.group(true)
	h.hears("ana", "/move_player pc_001 area_green")
	if h.place("pc_001") != "area_green" {
		t.Error("whoever runs the group cannot move anybody")
	}
	h.legal("cosy")
}

// TestNoModelSaysWhoPlays has a model try to have players' characters leave, be somebody's, or act: that is for people to say.
func TestNoModelSaysWhoPlays(t *testing.T) {
	for _, c := range []struct {
		call llm.Call
		ok   bool
	}{
		{called(1, "party", `{"action":"leave","actor_id":"pc_001"}`), false},
		{called(1, "party", `{"action":"leave","actorId":"pc_001"}`), false},
		{called(1, "set_active_actor", `{"actor_id":"pc_001"}`), false},
		{called(1, "create_character", `{"name":"Zed","user_id":"ana"}`), false},
		{called(1, "call_tool", `{"name":"party","args":{"action":"leave","actor_id":"pc_001"}}`), false},
		{called(1, "create_character", `{"name":"Zed"}`), true},
		{called(1, "party", `{"action":"join","actor_id":"npc_voss"}`), true},
	} {
		t.Run(c.call.Name+string(c.call.Args), func(t *testing.T) {
			h := newHouse(t, plan{model: calls(false, c.call)()})
			h.began("cosy")
			h.free("cosy")
			got := h.say("I hum and think about nothing in particular")
			party := h.log("cosy").World().Self().Party
			for _, b := range got.bodies {
				if r, ok := b.(event.Returned); ok && (r.OK != c.ok || !r.OK && !strings.Contains(r.Text, "people")) {
					t.Errorf("%s %s: %v: %s", r.Tool, c.call.Args, r.OK, r.Text)
				}
			}
			if len(party) == 0 || party[0] != "pc_001" || !c.ok && len(party) != 1 {
				t.Errorf("the party is %v", party)
			}
			h.legal("cosy")
		})
	}
}

// TestRetryIsOnesOwn has the turn of another not be played once more as one's own, and a round be played as the round that it was.
func TestRetryIsOnesOwn(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.hears("bo", "take note", "note")
	h.hears("bo", "/retry", "who runs this group")
	h.group(true)
	h.hears("ana", "/retry", "Bo's turn")
	if at := h.log("cosy").World().Thing("obj_note").Parent; at != "pc_002" {
		t.Errorf("the note is with %s", at)
	}
	h.hears("bo", "/retry", "You take Oda's note")
	h.hears("ana", "/mode round")
	h.hears("ana", "go to the green", "Waiting for")
	h.hears("bo", "check wits", "The Green")
	h.hears("bo", "/retry", "The Green")
	if h.place("pc_001") != "area_green" {
		t.Error("what the others wanted is lost")
	}
	h.legal("cosy")
}

// TestWhichStoryAGroupHas has somebody of a group look for the household's other stories, open one, and put another in the place of the
// group's own: that is for who runs it. What the group has is everybody's to go on with.
func TestWhichStoryAGroupHas(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.say("/game new mystery name=secret-plans")
	h.chat = "telegram/-5"
	h.group(true)
	h.standing.Level = event.User
	if got := h.hears("zoe", "/game", "/game new cosy"); strings.Contains(got.reply.Text, "secret-plans") || len(got.choices) != 3 {
		t.Errorf("%s %v", got.reply.Text, got.choices)
	}
	h.hears("zoe", "/game open secret-plans", "there is no story")
	h.hears("zoe", "/game new cosy", "The Ember Supper") // the group has none yet
	h.hears("zoe", "/game new dungeon", "who runs this group")
	if got := h.hears("zoe", "/game", "/game open cosy"); strings.Contains(got.reply.Text, "/game new") || len(got.choices) != 1 {
		t.Errorf("%s %v", got.reply.Text, got.choices)
	}
	h.hears("zoe", "look", "The Singing Kettle")
	h.hears("bo", "/pause", "rests")
	h.hears("bo", "/game new dungeon", "who runs this group")
	h.hears("bo", "/game open secret-plans", "there is no story")
	h.hears("bo", "/game open cosy", "The Singing Kettle")
	h.group(true)
	h.hears("ana", "/game open secret-plans", "The Taproom")
	h.hears("ana", "/game new cosy ru name=supper")
	h.standing.Level = event.User
	h.hears("zoe", "/game new dungeon", "тот, кто ведёт эту группу")
	delete(h.shelf.logs, "supper") // then the group has none
	h.hears("zoe", "/game new dungeon", "Rain Under Stone")
}
