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
func commandTurn(result event.Returned, text string) []event.Event {
	var all []event.Event
	for i, b := range []event.Body{
		event.Said{InputID: "1", From: "owner", Text: "/weather Oslo", Command: true}, event.Generated{Class: "command"},
		event.Called{ID: "c", Tool: "weather", Args: json.RawMessage(`{"city":"Oslo"}`)}, result, event.Replied{Text: text}, event.Ended{Reason: event.Done},
	} {
		all = append(all, event.Event{Seq: int64(7 + i), Turn: 7, Chat: "main", Body: b})
	}
	return all
}

// What a command comes to is shown once, to the letter.
func TestPrinter_ACommand(t *testing.T) {
	text := "rain *all* day\x1b[2J <a:b>\n# no heading"
	shown := "rain *all* day␛[2J <a:b>\n# no heading\n"
	for _, c := range []struct {
		name   string
		result event.Returned
		want   string
	}{
		{"done", event.Returned{ID: "c", Tool: "weather", OK: true, Text: text}, shown},
		{"failed", event.Returned{ID: "c", Tool: "weather", Text: text, Error: &event.Error{Message: "no"}, Data: map[string]string{"hint": "set x"}},
			"· set x\n" + shown},
	} {
		for _, look := range []Look{{}, {Width: 60, Height: 20, Live: true}} {
			out := &strings.Builder{}
			p := NewPrinter(out, look)
			for _, e := range commandTurn(c.result, text) {
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
