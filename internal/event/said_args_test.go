package event_test

import (
	"encoding/json"
	"testing"

	"hob/internal/event"
)

// A person reads of a chore what they have said. The arguments of a model are shown as they are.
func TestCalled_SaidArgs(t *testing.T) {
	t.Parallel()
	const args = `{"at":"2026-11-26T15:00:00Z","text":"bins","other":"2026-11-26T03:00:00Z","lang":"de"}`
	for _, row := range []struct{ id, args, want string }{
		{"chore-7", args, `{"at":"2026-11-26T15:00:00Z","text":"bins"}`},
		{"chore-7", `{"lang":"de"}`, `{}`},
		{"chore-7", `{"path":"a","content":{"lang":"de"}}`, `{"path":"a","content":{"lang":"de"}}`},
		{"chore-7", `no`, `no`},
		{"chore-7", `{"a":`, `{"a":`},
		{"1", args, args},
	} {
		if got := string(event.Called{ID: row.id, Args: json.RawMessage(row.args)}.SaidArgs()); got != row.want {
			t.Errorf("%s %s: %s, want %s", row.id, row.args, got, row.want)
		}
	}
}
