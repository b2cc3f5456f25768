package outbound

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

func TestChoicesAreRows(t *testing.T) {
	choice := func(label string, beside bool) event.Choice {
		return event.Choice{Label: label, Text: label, Beside: beside}
	}
	var wide, long []event.Choice
	for i := range 20 {
		wide = append(wide, choice(fmt.Sprint(i), true))
		long = append(long, choice(fmt.Sprint(i), false), choice(fmt.Sprint("+", i), true))
	}
	for _, c := range []struct {
		name    string
		choices []event.Choice
		want    []string
	}{
		{"none", nil, nil},
		{"a row each", []event.Choice{choice("north", false), choice("south", false)}, []string{"north", "south"}},
		{"beside", []event.Choice{choice("talk", false), choice("🎒", false), choice("🗺", true), choice("↩", true), choice("wait", false)},
			[]string{"talk", "🎒 | 🗺 | ↩", "wait"}},
		{"the first is beside nothing", []event.Choice{choice("a", true), choice("b", true)}, []string{"a | b"}},
		{"a row is full", wide, []string{"0 | 1 | 2 | 3 | 4 | 5 | 6 | 7", "8 | 9 | 10 | 11 | 12 | 13 | 14 | 15", "16 | 17 | 18 | 19"}},
		{"there are too many rows", long, []string{"0 | +0", "1 | +1", "2 | +2", "3 | +3", "4 | +4", "5 | +5", "6 | +6", "7 | +7"}},
		{"long", []event.Choice{choice(strings.Repeat("漢", 80), false), choice(" ", false), choice(strings.Repeat("x", 64), false)},
			[]string{strings.Repeat("漢", 63) + "…", "·", strings.Repeat("x", 64)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, row := range choiceButtons(numberChoices(1<<62, c.choices)) {
				var texts []string
				for _, k := range row {
					texts = append(texts, k.Text)
					if n := len(k.Data); n > 64 {
						t.Errorf("the data of %q has %d bytes", k.Text, n)
					}
				}
				got = append(got, strings.Join(texts, " | "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Below the receipt of a turn that has changed something stands a way back, where no choices are. It is the same after a restart.
func TestAReceiptHasAWayBack(t *testing.T) {
	wrote := []event.Effect{{Kind: "wrote", Target: "a", Change: 41}}
	read := []event.Effect{{Kind: "fetched", Target: "example.org"}}
	offers := []event.Choice{{Label: "north", Text: "north"}}
	for _, c := range []struct {
		name string
		all  []event.Body
		want []string
	}{
		{"a change", []event.Body{event.Returned{ID: "1", Effects: wrote}, event.Replied{Text: "it is done"}}, []string{"Undo"}},
		{"a change without a model", []event.Body{event.Replied{Text: "it is done", Effects: wrote}}, []string{"Undo"}},
		{"no change", []event.Body{event.Returned{ID: "1", Effects: read}, event.Replied{Text: "it says"}}, nil},
		{"choices", []event.Body{event.Returned{ID: "1", Effects: wrote, Choices: offers}, event.Replied{Text: "where to?"}}, []string{"north"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				w.senders.Wake(adasChat)
				turn := w.log.Say(adasChat, "1")
				for _, b := range append(c.all, event.Ended{Reason: event.Done}) {
					after(time.Second)
					w.stop()
					w.start()
					w.log.Add(adasChat, turn, b)
				}
				after(time.Second)
				var got []string
				for _, m := range w.chat.FromBot() {
					for _, b := range slices.Concat(m.Buttons...) {
						got = append(got, b.Text)
						if b.Text == "Undo" && b.Data != chat.TurnData(chat.PressUndo, turn) {
							t.Errorf("its data is %q", b.Data)
						}
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
