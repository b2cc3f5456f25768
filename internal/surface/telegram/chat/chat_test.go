package chat_test

import (
	"testing"

	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
)

// An address and the name of its chat say the same.
func TestAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := chat.Address{Chat: rapid.Int64().Draw(t, "chat"), Topic: rapid.Int64Range(-3, 9).Draw(t, "topic")}
		if got, ok := chat.ParseAddress(a.Name()); !ok || got != a {
			t.Fatalf("%q is %+v, %t", a.Name(), got, ok)
		}
	})
	for _, name := range []event.Chat{"", "cli", "telegram", "telegram/", "telegram/x", "telegram/7/", "telegram/7/x", "telegram/07", "telegram/7/0",
		"telegram/7/1/2", "telegram/+7", "cli/7"} {
		if a, ok := chat.ParseAddress(name); ok {
			t.Errorf("%q is %+v", name, a)
		}
	}
}

// The data of a choice's button is read as it was written, and nothing else is.
func TestChoiceRefs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := chat.ChoiceRef{Seq: rapid.Int64Min(1).Draw(t, "seq"), At: rapid.IntRange(0, 100).Draw(t, "at")}
		if got, ok := chat.ParseChoiceRef(r.Data()); !ok || got != r || len(r.Data()) > 64 {
			t.Fatalf("%q is %+v, %t", r.Data(), got, ok)
		}
	})
	for _, data := range []string{"", "c:", "c:1", "c:1:", "c:1:-1", "c:0:0", "c:-1:0", "c:01:0", "c:1:00", "c:Z:0", "b:1:0", "c:1:0:0"} {
		if r, ok := chat.ParseChoiceRef(data); ok {
			t.Errorf("%q is %+v", data, r)
		}
	}
}

// So is that of a button about a turn, which only a button of its kind has.
func TestTurnData(t *testing.T) {
	if turn, ok := chat.ParseTurnData(chat.PressRetry, chat.TurnData(chat.PressRetry, 1<<62)); !ok || turn != 1<<62 {
		t.Errorf("it is %d, %t", turn, ok)
	}
	for _, data := range []string{"", "r:", "r:!", "c:1", "u:1", "1"} {
		if turn, ok := chat.ParseTurnData(chat.PressRetry, data); ok {
			t.Errorf("%q is %d", data, turn)
		}
	}
}
