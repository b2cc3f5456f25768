package gamemaster_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// setting is what the table has set in a world.
type setting struct {
	Mode          string
	Lines, Veils  []string
	Attack        bool
	Teller, Waits int64
	Party         []string
}

func (h *house) setting() setting {
	h.t.Helper()
	s := h.log("cosy").World().Self()
	return setting{s.TurnMode, s.Lines, s.Veils, rules.Allowed(s, "attack"), s.Rules["no_teller"], s.Rules["round_minutes"], s.Party}
}

// Undo, redo and going back to a moment are about what happened in the story; what the table has set stays as it is.
func TestUndoLeavesWhatTheTableHasSet(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Level = event.GroupAdmin
	h.hears("ana", "/save here", "here")
	h.hears("ana", "go to the green", "The Green")
	for _, words := range []string{"/lines spiders", "/veils blood", "/allow -attack", "/teller off", "/mode round 15"} {
		h.say(words)
	}
	h.sayAs("cy", "/join Cy", "")
	h.hears("bo", "/leave")
	want := setting{"round", []string{"spiders"}, []string{"blood"}, false, 1, 15, []string{"pc_001", "pc_003"}}
	steps := []struct{ words, told, robin string }{
		{"/undo", "taken back: 1", "area_teahouse"}, {"/undo", "nothing to take back", "area_teahouse"},
		{"/redo", "done again: 1", "area_green"}, {"/redo", "nothing to do again", "area_green"}, {"/load here", "Back at", "area_teahouse"},
		{"/redo 9", "done again: 1", "area_green"}, {"/undo 9", "taken back: 1", "area_teahouse"},
	}
	for _, step := range steps {
		h.hears("ana", step.words, step.told)
		if diff := cmp.Diff(want, h.setting()); diff != "" || h.place("pc_001") != step.robin {
			t.Errorf("%s: Robin is at %s (-want +got)\n%s", step.words, h.place("pc_001"), diff)
		}
		h.legal("cosy")
	}
	h.say("/x knives")
	h.say("/mode free")
	h.hears("ana", "/redo", "done again: 1") // what was set since does not keep it from that
	want.Lines, want.Mode, want.Waits = []string{"spiders", "knives"}, "free", 0
	if diff := cmp.Diff(want, h.setting()); diff != "" || h.place("pc_001") != "area_green" {
		t.Errorf("Robin is at %s (-want +got)\n%s", h.place("pc_001"), diff)
	}
	h.hears("bo", "go to the green", "/join")
	h.legal("cosy")
}

// A hero who joined after the moment that is gone back to is what they were when they joined, where the party is.
func TestAHeroWhoJoinedStays(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.group(true)
	h.began("cosy")
	h.hears("ana", "go to the green", "The Green")
	h.hears("bo", "/join Bo, gardener", "You are Bo")
	h.free("cosy")
	joined := heroOf(h.log("cosy").World(), "pc_002")
	h.hears("bo", "go to the school")
	if o := (rules.Call{Tool: "hp_delta", Args: []byte(`{"target_character_id":"pc_002","delta":-2,"cause":"a fall"}`)}); true {
		if p, err := h.log("cosy").Play(t.Context(), eventlog.Request{ID: "hurt", Actor: "pc_002", Calls: []rules.Call{o}}); err != nil || !p.Outcomes[0].OK() {
			t.Fatal(err, p.Outcomes)
		}
	}
	since := heroOf(h.log("cosy").World(), "pc_002")
	if cmp.Diff(joined, since) == "" {
		t.Fatal("nothing has become of Bo")
	}
	h.hears("ana", "/undo 2", "taken back: 2")
	if diff := cmp.Diff(joined, heroOf(h.log("cosy").World(), "pc_002")); diff != "" {
		t.Errorf("where he joined (-want +got)\n%s", diff)
	}
	h.hears("ana", "/undo", "taken back: 1")
	joined.Place = "area_teahouse"
	if diff := cmp.Diff(joined, heroOf(h.log("cosy").World(), "pc_002")); diff != "" || h.place("pc_001") != "area_teahouse" {
		t.Errorf("before he joined (-want +got)\n%s", diff)
	}
	h.legal("cosy")
	h.hears("bo", "/join Boris", "You are Bo already")
	h.hears("ana", "/redo 3", "done again: 3")
	if diff := cmp.Diff(since, heroOf(h.log("cosy").World(), "pc_002")); diff != "" {
		t.Errorf("once all is done again (-want +got)\n%s", diff)
	}
	h.hears("bo", "/leave")
	h.hears("ana", "/undo 3", "taken back: 3")
	h.hears("bo", "go to the green", "/join")
	h.hears("ana", "/redo 3", "done again")
	h.hears("bo", "go to the green", "/join")
	h.legal("cosy")
}

// hero is what becomes of somebody.
type hero struct {
	Name, Owner, Place, HP string
	Has                    []string
}

func heroOf(w *world.World, id string) hero {
	a := w.Actor(id)
	if a == nil {
		return hero{}
	}
	got := hero{Name: a.Name, Owner: a.Owner, Place: a.Place, HP: a.HP.String()}
	for _, o := range w.Things() {
		if o.Parent == id {
			got.Has = append(got.Has, o.ID)
		}
	}
	slices.Sort(got.Has)
	return got
}

// After an undo the same act throws the same, whatever the table has set before it or since.
func TestDiceAfterWhatTheTableHasSet(t *testing.T) {
	thrown := regexp.MustCompile(`🎲[^·]*|wits \d+`)
	h := grouped(t, plan{noModel: true}, "")
	h.free("cosy")
	h.standing.Level = event.GroupAdmin
	throw := func() string {
		h.t.Helper()
		got := h.say("check wits")
		for _, e := range got.reply.Effects {
			return thrown.FindString(e.Target)
		}
		t.Fatalf("nothing was thrown: %+v", got.reply)
		return ""
	}
	first, second := throw(), throw()
	for _, words := range []string{"", "/lines a", "/teller off", "/x b", "/allow -attack"} {
		h.hears("ana", "/undo 2", "2")
		if words != "" {
			h.say(words)
		}
		if got := throw(); got != first {
			t.Errorf("after %q the first throw is %q, and was %q", words, got, first)
		}
		h.say("/veils " + words + " too")
		if got := throw(); got != second {
			t.Errorf("after %q the second throw is %q, and was %q", words, got, second)
		}
	}
	h.legal("cosy")
}

// A line outlasts a crash in the middle of an undo: it is one line of the log.
func TestALineIsNeverOffForAMoment(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Level = event.GroupAdmin
	h.hears("ana", "go to the green", "The Green")
	h.say("/lines spiders")
	before := h.log("cosy").Lines()
	h.hears("ana", "/undo", "taken back")
	if after := h.log("cosy").Lines(); after != before+1 {
		t.Errorf("an undo is %d lines of the log", after-before)
	}
	if got := h.log("cosy").World().Self().Lines; !slices.Equal(got, []string{"spiders"}) {
		t.Errorf("the lines are %v", got)
	}
}

// Votes outlast the process, and end with the turn that they are about.
func TestVotesOutlastTheProcess(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.sayAs("cy", "/join Cy", "")
	h.hears("ana", "go to the green", "The Green")
	h.hears("bo", "/undo", "1 of 2")
	h.Close()
	again := newHouse(t, plan{noModel: true, shelf: h.shelf, journal: h.journal})
	again.standing, again.inputs = h.standing, h.inputs
	again.hears("bo", "/undo", "1 of 2")
	up := again.hears("bo", "/undo", "1 of 2").choices
	if again.hears("ana", "go to the school", "Schoolhouse"); again.place("pc_001") != "area_school" {
		t.Error("a vote keeps people from playing")
	}
	again.inputs++
	late, err := again.submit(t.Context(), inputOf(again, "cy", choice(t, up, "👍 Undo")))
	if err != nil || !strings.Contains(late.reply.Text, "That moment has passed") {
		t.Errorf("%v: %q", err, late.reply.Text)
	}
	again.hears("cy", "/undo", "1 of 2")
	again.sayAs("ana", "/lines spiders", "")
	again.hears("bo", "/undo", "taken back: 1")
	if again.place("pc_001") != "area_green" {
		t.Errorf("Robin is at %s", again.place("pc_001"))
	}
	again.hears("bo", "/undo", "1 of 2")
	again.hears("bo", "/redo", "done again: 1")
	again.legal("cosy")
}

// A turn that is played once more is one of the story, though what the table has set meanwhile came along with the moment before it.
func TestRetryBehindWhatTheTableHasSet(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.hears("ana", "take note", "You take")
	h.hears("ana", "/lines spiders", "spiders")
	h.hears("ana", "why", "passed to") // what was set is not what happened
	if got := h.say("recap").reply.Text; strings.Contains(got, "spiders") || !strings.Contains(got, "note") {
		t.Errorf("recap: %q", got)
	}
	h.hears("ana", "/retry", "You take")
	h.hears("ana", "why", "passed to")
	h.hears("ana", "/undo", "taken back: 1")
	if at := h.log("cosy").World().Thing("obj_note").Parent; at != "area_teahouse" {
		t.Errorf("the note is with %s", at)
	}
	if lines := h.setting().Lines; len(lines) != 1 {
		t.Errorf("the lines are %q", lines)
	}
	h.hears("ana", "/redo", "done again: 1")
	h.legal("cosy")
}

// What is said again is what was done last, whatever somebody has commanded in between.
func TestAgainIsOfTheStory(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.hears("ana", "go to Oda's Orchard", "Orchard")
	for _, words := range []string{"/undo", "undo", "Undo 2", "/lines spiders", "// hm", "/save here"} {
		h.say(words)
		if words == "undo" {
			h.hears("ana", "redo")
		}
	}
	h.hears("ana", "again", "You go to Oda's Orchard")
	h.hears("ana", "back", "The Singing Kettle — ")
	h.hears("ana", "g", "Oda's Orchard — ")
}
