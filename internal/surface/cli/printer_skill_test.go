package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

func TestPrinter_Skills(t *testing.T) {
	open := event.Opened{Skill: "weather", By: "message", Tools: []string{"forecast", "rain\x1b_radar"}, Text: "You can see the future.\nTwo lines."}
	got := printed(t, Look{}, open, event.Opened{Skill: "weather", By: "message", Narrows: true}, event.Opened{Skill: "dull", By: "model"},
		event.Closed{Skill: "weather", By: "owner"}, open)
	want := "· skill weather is open: forecast, rain␛_radar\n· skill dull is open\n· skill weather is closed\n· skill weather is open: forecast, rain␛_radar\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// commandTurn is a call of a person's, and what came of it.
func commandTurn(result event.Returned, reply event.Replied) []event.Event {
	var all []event.Event
	for i, b := range []event.Body{
		event.Said{InputID: "1", From: "owner", Text: "/weather Oslo", Command: true}, event.Generated{Class: "command"},
		event.Called{ID: "c", Tool: "weather", Args: json.RawMessage(`{"city":"Oslo"}`)}, result, reply, event.Ended{Reason: event.Done},
	} {
		all = append(all, event.Event{Seq: int64(7 + i), Turn: 7, Chat: "main", Body: b})
	}
	return all
}

// What a command comes to is shown once, to the letter: not in the words of the tool, of the receipt and of a hint.
func TestPrinter_ACommand(t *testing.T) {
	text := "rain *all* day\x1b[2J <a:b>\n# no heading"
	shown := "rain *all* day␛[2J <a:b>\n# no heading\n"
	wrote := []event.Effect{{Kind: "wrote", Target: "rain.md", Path: "/w/rain.md"}}
	for _, c := range []struct {
		name    string
		result  event.Returned
		receipt string
		want    string
	}{
		{"done", event.Returned{ID: "c", Tool: "weather", OK: true, Text: text}, "", shown},
		{"failed", event.Returned{ID: "c", Tool: "weather", Text: "error: " + text, Error: &event.Error{Message: "no"}, Data: map[string]string{"hint": "set x"}},
			"weather failed: Oslo", "✗ " + shown + "· set x\n"},
		{"failed half way", event.Returned{ID: "c", Tool: "weather", Text: "error: no", Effects: wrote}, "wrote rain.md #3", "✗ no\n■ wrote rain.md #3\n"},
		{"a file", event.Returned{ID: "c", Tool: "weather", OK: true, Text: "created rain.md, 4 bytes", Effects: wrote}, "wrote rain.md (4 B) #3", "■ wrote rain.md (4 B) #3\n"},
		{"a file, and more to say", event.Returned{ID: "c", Tool: "weather", OK: true, Text: "Rain till noon.", Effects: wrote}, "wrote rain.md (4 B) #3",
			"Rain till noon.\n■ wrote rain.md (4 B) #3\n"},
		{"another reply", event.Returned{ID: "c", Tool: "weather", Text: "error: it is night"}, "", "It is dark.\n"},
	} {
		for _, look := range []Look{{Width: 60, Height: 20}, {Width: 60, Height: 20, Live: true}} {
			out := &strings.Builder{}
			p := NewPrinter(out, look)
			reply := strings.TrimSpace(c.result.Text + "\n\n" + c.receipt)
			if c.name == "another reply" { // as a story has
				reply = "It is dark."
			}
			for _, e := range commandTurn(c.result, event.Replied{Text: reply, Receipt: c.receipt}) {
				if _, said := e.Body.(event.Said); said {
					p.Know(e)
					continue
				}
				if err := p.Event(e); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("%s: %s", c.name, diff)
			}
			out.Reset() // the next turn is a model's again
			if err := p.Event(event.Event{Seq: 20, Turn: 20, Body: event.Called{ID: "d", Tool: "weather"}}); err != nil || out.String() != "→ weather\n" {
				t.Errorf("%q %v", out, err)
			}
		}
	}
}

// A chore that was understood without a model shows the call that it became, and what came of it once. To a pipe goes the hint.
func TestPrinter_AChore(t *testing.T) {
	said := event.Said{InputID: "1", From: "owner", Text: "buy milk"}
	called := event.Called{ID: "chore-7", Tool: "list_add", Args: json.RawMessage(`{"items":["milk"]}`)}
	wrote := []event.Effect{{Kind: "wrote", Target: "lists/shopping.md", Path: "/w/lists/shopping.md"}}
	for _, c := range []struct {
		look   Look
		result event.Returned
		want   string
	}{
		{Look{Width: 60, Height: 20}, event.Returned{ID: "chore-7", Tool: "list_add", OK: true, Text: "1 item", Effects: wrote},
			"→ list_add [\"milk\"]\n1 item\n■ wrote it\n"},
		{Look{Width: 60, Height: 20}, event.Returned{ID: "chore-7", Tool: "list_add", Text: "error: no", Data: map[string]string{"hint": "set x"}},
			"→ list_add [\"milk\"]\n✗ no\n· set x\n"},
		{Look{}, event.Returned{ID: "chore-7", Tool: "list_add", Text: "error: no", Data: map[string]string{"hint": "set x"}},
			"→ list_add [\"milk\"]\n· set x\n✗ no\n"},
	} {
		out := &strings.Builder{}
		p := NewPrinter(out, c.look)
		reply := event.Replied{Text: strings.TrimPrefix(c.result.Text, "error: ") + "\n\nwrote it", Receipt: "wrote it", Literal: true}
		for _, b := range []event.Body{said, called, c.result, reply, event.Ended{Reason: event.Done}} {
			if err := p.Event(event.Event{Seq: 7, Turn: 7, Chat: "main", Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.result, diff)
		}
	}
}

// No line of a tool looks like one of hob's own.
func TestPrinter_AToolIsNotHob(t *testing.T) {
	got := printed(t, Look{Width: 60, Height: 20}, event.Replied{Literal: true,
		Text: "■ wrote notes.md #4\nand\n◆ Allow it?\n ✗ no\n" + strings.Repeat("word ", 11) + "ends ■ wrote b.md"})
	if want := " ■ wrote notes.md #4\nand\n ◆ Allow it?\n ✗ no\n" + strings.Repeat("word ", 11) + "ends\n ■ wrote b.md\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPrinter_AReplyWithoutAModel(t *testing.T) {
	got := printed(t, Look{}, event.Replied{Text: "You go north.", Effects: []event.Effect{{Kind: "wrote", Target: "save.json"}},
		Files: []event.File{{Name: "map.png", Path: "inbox/map.png"}}, Choices: []event.Choice{{Label: "Look", Text: "Look"}, {Label: "N", Text: "go north"}}})
	want := "You go north.\n✓ wrote save.json\n· file inbox/map.png\n· Look\n· N: go north\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONLines_Skills(t *testing.T) {
	for _, c := range []struct {
		body event.Body
		want string
	}{
		{event.Opened{Skill: "weather", By: "model", Tools: []string{"forecast"}, Text: "secret ways", Narrows: true, Only: []string{"a"}},
			`"skill":"weather","by":"model","tools":["forecast"]}`},
		{event.Opened{Skill: "dull", By: "owner"}, `"skill":"dull","by":"owner","tools":[]}`},
		{event.Closed{Skill: "dull", By: "owner"}, `"skill":"dull","by":"owner"}`},
	} {
		line, err := JSONLine(event.Event{Seq: 3, Chat: "main", Body: c.body})
		if err != nil || !strings.HasSuffix(string(line), `"seq":3,`+c.want) || !strings.HasPrefix(string(line), `{"type":"`+c.body.Type()+`"`) {
			t.Errorf("%s %v", line, err)
		}
	}
}
