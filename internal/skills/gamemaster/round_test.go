package gamemaster_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
)

// pressed is what comes of a press of a choice, and of handing it in where it may be.
func (h *house) pressed(user string, c event.Choice) (gamemaster.PickResult, said) {
	h.t.Helper()
	p := h.master.AnswerPick(h.t.Context(), tools.Caller{Chat: h.chat, User: user, Principal: h.standing}, c)
	if p.No {
		return p, said{}
	}
	h.inputs++
	got, err := h.submit(h.t.Context(), inputOf(h, user, c))
	if err != nil {
		h.t.Fatal(err)
	}
	return p, got
}

// choice is the choice with that label.
func choice(t *testing.T, all []event.Choice, label string) event.Choice {
	t.Helper()
	for _, c := range all {
		if c.Label == label {
			return c
		}
	}
	t.Fatalf("%q is not offered: %v", label, all)
	return event.Choice{}
}

// threeInARound is a house on Telegram in which Ana, Bo and Cy play in rounds.
func threeInARound(t *testing.T) (*house, []event.Choice) {
	t.Helper()
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Platform, h.standing.Level = "telegram", event.GroupAdmin
	h.sayAs("cy", "/join Cy", "")
	return h, h.say("/mode round").choices
}

// What is offered in a round can be picked by all until it is played, and a plan can be changed until then.
func TestARoundKeepsItsChoices(t *testing.T) {
	h, first := threeInARound(t)
	green, orchard := choice(t, first, "Go to The Green"), choice(t, first, "Go to Oda's Orchard")
	for _, c := range []struct {
		user string
		pick event.Choice
		want gamemaster.PickResult
		told string
	}{
		{"dora", green, gamemaster.PickResult{Say: "You do not play anybody here yet: /join and a name, such as /join Mara.", No: true}, ""},
		{"ana", green, gamemaster.PickResult{Remains: true}, "Robin is in. Waiting for: Bo, Cy."},
		{"ana", green, gamemaster.PickResult{Say: "That is your plan already: Go to The Green.", No: true}, ""},
		{"ana", orchard, gamemaster.PickResult{Say: "Your plan is now: Go to Oda's Orchard.", Remains: true}, "Robin is in. Waiting for: Bo, Cy."},
		{"ana", green, gamemaster.PickResult{Say: "Your plan is now: Go to The Green.", Remains: true}, "Robin is in. Waiting for: Bo, Cy."},
		{"bo", choice(t, first, "🎒"), gamemaster.PickResult{Remains: true}, ""},
		{"bo", orchard, gamemaster.PickResult{Remains: true}, "Bo is in. Waiting for: Cy."},
		{"cy", orchard, gamemaster.PickResult{}, "Cy"},
		{"cy", green, gamemaster.PickResult{Say: "That moment has passed.", No: true}, ""},
	} {
		got, came := h.pressed(c.user, c.pick)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got)\n%s", c.user, c.pick.Label, diff)
		}
		if !strings.Contains(came.reply.Text, c.told) {
			t.Errorf("%s: %s: %q", c.user, c.pick.Label, came.reply.Text)
		}
	}
	if got := []string{h.place("pc_001"), h.place("pc_002"), h.place("pc_003")}; cmp.Diff(got, []string{"area_green", "area_orchard", "area_orchard"}) != "" {
		t.Errorf("they are at %v", got)
	}
	h.legal("cosy")
}

// Who does not wait for the rest ends this round, and no later one.
func TestGoingOnIsForOneRound(t *testing.T) {
	h, first := threeInARound(t)
	_, came := h.pressed("ana", choice(t, first, "Go to The Green"))
	on := choice(t, came.choices, "▶ Go on without the others")
	if p, _ := h.pressed("bo", on); cmp.Diff(p, gamemaster.PickResult{}) != "" {
		t.Errorf("%+v", p)
	}
	h.hears("bo", "go to the green", "Bo is in")
	h.hears("bo", "why", "move") // a plan is not what happened
	before := h.log("cosy")
	h.inputs++
	late, err := h.submit(t.Context(), inputOf(h, "cy", on)) // it was handed in before the round had ended
	if err != nil || !strings.Contains(late.reply.Text, "That moment has passed") || h.log("cosy").Turns() != before.Turns() {
		t.Errorf("%v: %q", err, late.reply.Text)
	}
}

// What somebody means by unclear words in a round is what they do in it, also after a restart.
func TestAPlanIsWhatWasMeant(t *testing.T) {
	h, _ := threeInARound(t)
	h.free("cosy")
	r := eventlog.Request{ID: "made", Actor: "pc_001"}
	for _, name := range []string{"brass lantern", "iron lantern"} {
		r.Calls = append(r.Calls, rules.Call{Tool: "create_object", Args: fmt.Appendf(nil, `{"name":%q,"connection_id":"area_teahouse"}`, name)})
	}
	if _, err := h.log("cosy").Play(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	which := h.hears("bo", "take lantern", "iron lantern")
	if p, got := h.pressed("bo", choice(t, which.choices, "iron lantern")); !p.Remains || !strings.Contains(got.reply.Text, "Bo is in") {
		t.Errorf("%+v: %q", p, got.reply.Text)
	}
	h.hears("cy", "take lantern", "iron lantern")
	h.hears("cy", "1", "Cy is in")
	h.Close()
	again := newHouse(t, plan{noModel: true, shelf: h.shelf, journal: h.journal})
	again.standing, again.inputs = h.standing, h.inputs
	again.hears("ana", "go to the green")
	w, got := again.log("cosy").World(), map[string]string{}
	for _, o := range w.Things() {
		if strings.HasSuffix(o.Name, "lantern") {
			got[o.Name] = o.Parent
		}
	}
	if diff := cmp.Diff(map[string]string{"brass lantern": "pc_003", "iron lantern": "pc_002"}, got); diff != "" {
		t.Error(diff)
	}
}

// Below each answer on Telegram is what can be done next: a press has taken away what was there.
func TestEveryAnswerHasChoices(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Platform = "telegram"
	for _, words := range []string{
		"/undo 9", "/undo", "/undo", "/redo", "/redo 5", "/mode", "/mode odd", "/allow", "/allow -attack", "/rules", "/fair", "/save", "/save here", "/load",
		"/lines", "/lines spiders", "/x", "/retry", "/next", "/export", "/join", "/teller", "look", "map", "xyzzy", "go to the green", "// hm",
	} {
		for _, user := range []string{"ana", "bo", "dora"} {
			got := h.sayAs(user, words, "")
			if len(got.reply.Choices) < 5 || got.reply.Choices[len(got.reply.Choices)-1].Label != "⋯" {
				t.Errorf("%s: %s: %q has the choices %v", user, words, got.reply.Text, got.reply.Choices)
			}
		}
	}
	h.standing.Level = event.GroupAdmin
	if got := h.say("/pause"); len(got.choices) > 0 {
		t.Errorf("a story that rests offers %v", got.choices)
	}
}

func inputOf(h *house, user string, c event.Choice) session.Input {
	return session.Input{Chat: h.chat, ID: fmt.Sprint("press-", h.inputs), From: user, Text: c.Text, Pick: c.Pick, Principal: h.standing}
}
