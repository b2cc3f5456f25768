package store_test

import (
	"slices"
	"testing"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func fact(subject event.Subject, text, terms string) event.Fact {
	return event.Fact{Subject: subject, State: event.FactKept, Text: text, Terms: terms}
}

// Facts are found by their terms, on their subjects, and only those that are known.
func TestFacts(t *testing.T) {
	db := openMemory(t)
	facts := db.Facts()
	waiting := fact("group/1", "the key is with Eve", "key eve")
	waiting.State = event.FactWaiting
	kept, numbers, err := facts.Edit(t.Context(), event.Cause{Chat: "main", Turn: 7, Tool: "remember"}, []event.Fact{
		fact("house", "the key is with Ann", "key ann"), fact("person/owner", "my key has a red tag", "key red tag"), waiting,
	})
	if err != nil || len(kept) != 3 || len(numbers) != 3 {
		t.Fatal(kept, numbers, err)
	}
	for _, c := range []struct {
		subjects []event.Subject
		words    [][]string
		want     []int64
	}{
		{[]event.Subject{"house"}, [][]string{{"key"}}, []int64{kept[0].ID}},
		{[]event.Subject{"house", "person/owner"}, [][]string{{"key"}}, []int64{kept[1].ID, kept[0].ID}},
		{[]event.Subject{"house", "person/owner"}, [][]string{{"re*", "none"}, {"key"}}, []int64{kept[1].ID}},
		{[]event.Subject{"house"}, [][]string{{"key"}, {"red"}}, nil},
		{[]event.Subject{"group/1"}, [][]string{{"key"}}, nil},
		{[]event.Subject{"house"}, [][]string{{`a"b OR key`}}, nil},
		{[]event.Subject{"person/other"}, [][]string{{"key"}}, nil},
		{nil, [][]string{{"key"}}, nil},
	} {
		if got, err := facts.Holding(t.Context(), c.subjects, c.words, 9); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Holding(%v, %v) = %v, %v, want %v", c.subjects, c.words, got, err, c.want)
		}
	}
	for subject, want := range map[event.Subject]bool{"house": true, "group/1": false, "person/other": false} {
		if got, err := facts.Known(t.Context(), "person/nobody", subject); err != nil || got != want {
			t.Errorf("Known(%s) = %v, %v, want %v", subject, got, err, want)
		}
	}
	if got, err := facts.Facts(t.Context(), event.FactWaiting); err != nil || len(got) != 1 || cmp.Diff(kept[2], got[0]) != "" {
		t.Errorf("waiting are %v, %v", got, err)
	}
}

// A fact that was changed or forgotten is found as it is now, its changes say what it was, and each of them can be set back.
func TestFactsAreTakenBack(t *testing.T) {
	db := openMemory(t)
	facts, log := db.Facts(), db.Changes(store.Limits{})
	edit := func(keep []event.Fact, remove ...int64) event.Fact {
		t.Helper()
		kept, _, err := facts.Edit(t.Context(), event.Cause{Chat: "main", Tool: "remember"}, keep, remove...)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) == 0 {
			return event.Fact{}
		}
		return kept[0]
	}
	holds := func(term string, want ...int64) {
		t.Helper()
		if got, err := facts.Holding(t.Context(), []event.Subject{"house"}, [][]string{{term}}, 9); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is in %v, %v, want %v", term, got, err, want)
		}
	}
	first := edit([]event.Fact{fact("house", "the bin is emptied on Monday", "bin monday")})
	second := first
	second.Text, second.Terms = "the bin is emptied on Friday", "bin friday"
	edit([]event.Fact{second})
	if _, numbers, err := facts.Edit(t.Context(), event.Cause{}, []event.Fact{second}); err != nil || numbers != nil {
		t.Errorf("the same again is change %v, %v", numbers, err)
	}
	holds("monday")
	holds("friday", first.ID)
	edit(nil, first.ID)
	holds("friday")

	history, err := facts.History(t.Context(), first.ID)
	if err != nil || len(history) != 3 {
		t.Fatal(history, err)
	}
	if diff := cmp.Diff([]event.Fact{second, first, {}}, []event.Fact{history[0].Was, history[1].Was, history[2].Was}); diff != "" {
		t.Errorf("the history (-want +got)\n%s", diff)
	}
	for _, was := range []event.Fact{second, first} { // the newest first
		change := history[0]
		if was.Text == first.Text {
			change = history[1]
		}
		image, err := log.Image(t.Context(), change.Before.Sum)
		if err != nil {
			t.Fatal(err)
		}
		by := event.Change{Cause: event.Cause{Tool: "undo", Undoes: change.ID}, Path: change.Path, Before: change.After}
		made, err := log.SetRow(t.Context(), by, image)
		if err != nil || made.ID == 0 || !made.After.Same(change.Before) {
			t.Fatalf("%+v, %v", made, err)
		}
		got, known, err := facts.Fact(t.Context(), first.ID)
		if diff := cmp.Diff(was, got); diff != "" || !known || err != nil {
			t.Errorf("%v, %v (-want +got)\n%s", known, err, diff)
		}
	}
	holds("monday", first.ID)
	_, err = log.SetRow(t.Context(), event.Change{Path: history[0].Path, Before: history[0].After}, nil)
	if diff := cmp.Diff(store.ErrRowChanged, err, cmpopts.EquateErrors()); diff != "" {
		t.Error("a row that is not what it was: ", err)
	}
	holds("monday", first.ID)
}
