package gamemaster_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// After six hours of silence what happened is told first, once; before that it is not.
func TestARecapAfterALongSilence(t *testing.T) {
	var passed atomic.Int64 // hours
	h := newHouse(t, plan{noModel: true, now: func() time.Time { return at0().Add(time.Duration(passed.Load()) * time.Hour) }})
	h.began("cosy")
	for i, step := range []struct {
		hours int64
		words string
		recap bool
	}{
		{0, "go to the green", false}, {5, "go to Ferry Lane", false}, {6, "go to the green", true}, {0, "go to Ferry Lane", false}, {48, "go to the green", true},
	} {
		passed.Add(step.hours)
		got := h.say(step.words).reply.Text
		before, after, told := strings.Cut(got, " → ") // of the place where they have come
		if !told || strings.Contains(before, "So far") != step.recap || strings.Contains(after, "So far") {
			t.Errorf("%d, %s: %s", i+1, step.words, got)
		}
	}
}

// A party is told who did what; alone one needs no name.
func TestWhoIsTold(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.standing.Scope = "group"
	h.began("cosy")
	if got := h.say("go to Oda's Orchard").reply.Text; !strings.HasPrefix(got, "You go to Oda's Orchard.") {
		t.Error(got)
	}
	h.sayAs("ben", "/join Ben", "")
	if got := h.sayAs("ben", "go to The Singing Kettle", "").reply.Text; !strings.HasPrefix(got, "Ben — ") {
		t.Error(got)
	}
	h.say("/mode round")
	h.say("go to The Schoolhouse")
	got := h.sayAs("ben", "go to the green", "").reply.Text
	for _, want := range []string{"Robin — ", "The Schoolhouse — Master Pike", "\n\nBen — ", "The Green — Mr. Voss"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// Where a party takes turns, one follows the other, and it is said whose turn it is; who only looks takes none. A choice that is picked
// in a round is what somebody wants to do.
func TestWhoIsNext(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.standing.Scope = "group"
	h.began("cosy")
	h.sayAs("ben", "/join Ben", "")
	h.say("/mode initiative")
	for _, step := range []struct{ user, words, want string }{
		{"ben", "go to the green", "It is Robin's turn."}, {"ana", "go to the green", "It is Ben's turn now."}, {"ana", "go to Ferry Lane", "It is Ben's turn."},
		{"ana", "look", "The Green"}, {"ana", "look at the long table", "table"}, {"ben", "look at Oda's note", "My dear"},
		{"ben", "go to the green", "It is Robin's turn now."},
		{"ana", "/mode round", "at once"}, {"ana", "2", "Waiting for: Ben"}, {"ben", "look at the long table", "table"}, {"ben", "talk to Mr Voss", "The Schoolhouse — Master Pike"},
	} {
		if got := h.sayAs(step.user, step.words, "").reply.Text; !strings.Contains(got, step.want) {
			t.Errorf("%s: %s: %s", step.user, step.words, got)
		}
	}
}

// Several turns are taken back in plain words, too.
func TestUndoSeveral(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.say("go to the green")
	h.say("go to Ferry Lane")
	for _, step := range []struct{ words, want string }{{"undo 2", "taken back: 2"}, {"redo 2", "done again: 2"}, {"Undo!", "taken back: 1"}} {
		if got := h.say(step.words).reply.Text; !strings.Contains(got, step.want) {
			t.Errorf("%s: %s", step.words, got)
		}
	}
}
