package app

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"
	"hob/internal/tools"
)

// What is said to be done and stands on no list may be a reminder that has rung here, if that is the only one.
func TestChores_DoneWith(t *testing.T) {
	db, err := store.OpenMemory(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, r := range []event.Reminder{
		{Chat: "main", Text: "the soup", Unseen: 1}, {Chat: "main", Text: "call Ana", Unseen: 1}, {Chat: "main", Text: "call Ben", Unseen: 1}, {Chat: "main", Text: "the rent"},
		{Chat: "other", Text: "the bins", Unseen: 1},
	} {
		r.State, r.Due, r.When = event.ReminderOpen, time.Now(), event.When{Zone: "UTC", Start: "2026-11-25T08:00:00"}
		if _, err := db.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	c := chores{app: &App{Journal: db}}
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
	for args, want := range map[string]string{
		`{"items":["Soup"]}`: `{"change":"done","id":1}`, `{"items":["soup"],"open":true}`: "", `{"items":["call"]}`: "", `{"items":["rent"]}`: "", `{"items":["bins"]}`: "",
		`{"items":["soup","milk"]}`: "",
		`{"items":["na"]}`:          "", `{"items":["ana"]}`: `{"change":"done","id":2}`, `{"items":["ou"]}`: "",
	} {
		if got := c.doneWith(ctx, llm.Call{Name: "list_tick", Args: []byte(args)}); string(got.Args) != want {
			t.Errorf("%s: %s, want %q", args, got.Args, want)
		}
	}
}
