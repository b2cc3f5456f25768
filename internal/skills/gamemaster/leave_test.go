package gamemaster_test

import (
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
)

// Who has agreed that one turn is taken back has not agreed to three, and a vote for three is one for three.
func TestVotesAreForSoManyTurns(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Platform = "telegram"
	h.sayAs("cy", "/join Cy", "")
	for _, to := range []string{"green", "school", "green"} {
		h.hears("ana", "go to the "+to)
	}
	h.hears("bo", "/undo", "take the last turn back: 1 of 2")
	up := h.hears("cy", "/undo 3", "take the last 3 turns back: 1 of 2").choices
	if got := h.place("pc_001"); got != "area_green" {
		t.Fatalf("Robin is at %s", got)
	}
	if p, got := h.pressed("ana", choice(t, up, "👍 Undo 3")); p.No || !strings.Contains(got.reply.Text, "taken back: 3") {
		t.Errorf("%+v: %q", p, got.reply.Text)
	}
	h.legal("cosy")
}

// Who plays nobody does not end a round of others, and does not bring back what they have undone.
func TestStrangersMoveNoStory(t *testing.T) {
	h, first := threeInARound(t)
	h.standing.Level = event.User
	_, came := h.pressed("ana", choice(t, first, "Go to The Green"))
	if p, _ := h.pressed("dora", choice(t, came.choices, "▶ Go on without the others")); !p.No || !strings.Contains(p.Say, "/join") {
		t.Errorf("%+v", p)
	}
	h.hears("dora", "/next", "/join")
	if h.place("pc_001") != "area_teahouse" {
		t.Error("Dora has ended the round")
	}
	h.hears("bo", "/next", "Green")
	h.standing.Level = event.GroupAdmin
	h.hears("ana", "/undo", "taken back")
	h.standing.Level = event.User
	h.hears("dora", "/redo", "/join")
	if h.place("pc_001") != "area_teahouse" {
		t.Error("Dora has had it done again")
	}
	h.hears("bo", "/redo", "done again")
	h.legal("cosy")
}

// Who has left the party does not act in the round by what they had said before, and is not waited for.
func TestWhoHasLeftHasNoPlan(t *testing.T) {
	h, first := threeInARound(t)
	h.pressed("bo", choice(t, first, "Go to Oda's Orchard"))
	h.hears("bo", "/leave")
	h.hears("ana", "/next", "no round")
	h.hears("ana", "go to the green", "Waiting for: Cy.")
	h.hears("cy", "go to the green", "Cy")
	if got := []string{h.place("pc_001"), h.place("pc_002")}; got[0] != "area_green" || got[1] != "area_teahouse" {
		t.Errorf("Robin and Bo are at %v", got)
	}
	h.legal("cosy")
}

// Who plays somebody does not get somebody else of the party as well, such as a companion.
func TestJoiningTwice(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.free("cosy")
	r := eventlog.Request{ID: "along", Actor: "pc_001", Calls: []rules.Call{{Tool: "party", Args: []byte(`{"action":"join","actor_id":"npc_voss"}`)}}}
	if p, err := h.log("cosy").Play(t.Context(), r); err != nil || !p.Outcomes[0].OK() {
		t.Fatal(err, p.Outcomes)
	}
	s := h.log("cosy")
	made := eventlog.Request{ID: "made", Calls: []rules.Call{{Tool: "create_character", Args: []byte(`{"name":"Cy","user_id":"cy"}`)}}}
	if p, err := s.Play(t.Context(), made); err != nil || !p.Outcomes[0].OK() {
		t.Fatal(err, p.Outcomes)
	}
	h.hears("cy", "/join Cyril", "You are Cy already")
	if got := h.log("cosy").World().Actor("npc_voss"); got.Owner != "" {
		t.Errorf("%s is %s's", got.Name, got.Owner)
	}
}

// What is picked is what was offered, whatever it is called: a thing can have the name of a command.
func TestAPickIsNoCommand(t *testing.T) {
	for _, name := range []string{"/undo lantern", "//old lantern", "((old lantern))"} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy")
		h.free("cosy")
		r := eventlog.Request{ID: "made", Actor: "pc_001"}
		for _, name := range []string{name, "iron lantern"} {
			args := rules.NewObj().Text("name", name).Text("connection_id", "area_teahouse").Bytes()
			r.Calls = append(r.Calls, rules.Call{Tool: "create_object", Args: args})
		}
		p, err := h.log("cosy").Play(t.Context(), r)
		if err != nil || !p.Outcomes[0].OK() {
			t.Fatal(err, p.Outcomes)
		}
		which := h.hears("ana", "take lantern", "iron lantern")
		if _, got := h.pressed("ana", choice(t, which.choices, name)); h.log("cosy").World().Thing(p.Outcomes[0].Created).Parent != "pc_001" {
			t.Errorf("%q, picked, comes to %q", name, got.reply.Text)
		}
	}
}

// Who names somebody else does not leave the party by it, and a story that all have left says how to play it.
func TestWhoLeaves(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.hears("bo", "/leave Robin", "You play Bo")
	h.hears("bo", "party", "Bo:", "Robin:")
	h.hears("bo", "/leave bo", "leaves the party")
	h.hears("ana", "/leave", "nobody is left")
	for _, words := range []string{"look", "go north", "dance a waltz"} {
		h.hears("ana", words, "/join Mara")
	}
	h.hears("ana", "/join Mara", "You are Mara")
}
