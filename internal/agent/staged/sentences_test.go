package staged_test

import (
	"context"
	"strings"
	"testing"

	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
)

// streams is a reply that comes in pieces of a few bytes. It records how much of it came before nobody wanted more.
func streams(text string, came *int) llm.Step {
	return func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		for _, r := range text {
			if ctx.Err() != nil {
				return nil, &llm.Error{Kind: llm.Cancelled, Message: "cancelled", Err: ctx.Err()}
			}
			*came += len(string(r))
			onDelta(llm.Delta{Text: string(r)})
		}
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
	}
}

// A sentence is shown once it and its quotation are complete and checked. At the first that is not so the narration ends, the driver
// completes what was shown, and nobody takes it back.
func TestSentencesAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		shown      []string
		cut        bool
	}{
		"all of it": {"It is quiet. Mr. Voss nods. You wait", "It is quiet. Mr. Voss nods. You wait",
			[]string{"It is quiet.", " Mr. Voss nods."}, false},
		"quotations": {"“Go. Now!” he says. «Да. Нет.» «Да», — и тишина. You go. On", "“Go. Now!” he says. «Да. Нет.» «Да», — и тишина. You go. On",
			[]string{"“Go. Now!”", " he says.", " «Да. Нет.»", " «Да», — и тишина.", " You go."}, false},
		"Chinese": {"天黑了。“谁？”他问。你等着。", "天黑了。“谁？”他问。你等着。", []string{"天黑了。“谁？”", "他问。"}, false},
		"wrong in the middle": {"It is quiet. A dragon comes! You run for your life, and so on.", "It is quiet. And so it was.",
			[]string{"It is quiet."}, true},
		"wrong at the end":        {"It is quiet. A dragon comes", "It is quiet. And so it was.", []string{"It is quiet."}, false},
		"wrong within quotations": {"It is quiet. \"Look. A dragon!\" he says. Oh.", "It is quiet. And so it was.", []string{"It is quiet."}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, came := newTale(), 0
			s.narration.Shown = func(words string) string { return words }
			got, bodies := agenttest.Play(t, t.Context(), llm.NewScript(llm.Say("ok"), streams(c.text, &came)), s.turn("look"))
			if got != c.want+"\n\nAt home" {
				t.Errorf("got %q, want %q", got, c.want)
			}
			var shown []string
			for _, d := range agenttest.Of[event.Delta](bodies) {
				if d.Text != "" {
					shown = append(shown, d.Text)
				}
				if d.Restart {
					t.Error("what was shown was taken back")
				}
			}
			if strings.Join(shown, "|") != strings.Join(c.shown, "|") {
				t.Errorf("shown %q, want %q", shown, c.shown)
			}
			if c.cut != (came < len(c.text)) {
				t.Errorf("%d of %d bytes came", came, len(c.text))
			}
		})
	}
}

// Where the first sentence is wrong nothing was shown, and the model narrates again.
func TestAWrongBeginningIsToldAgain(t *testing.T) {
	s, came := newTale(), 0
	s.narration.Rewrites = 1
	s.narration.Shown = func(words string) string { return words }
	script := llm.NewScript(llm.Say("ok"), streams("A dragon! It roars.", &came), streams("It is quiet. You wait.", &came))
	got, bodies := agenttest.Play(t, t.Context(), script, s.turn("look"))
	if got != "It is quiet. You wait.\n\nAt home" || classes(bodies) != "draft narration rewrite" {
		t.Errorf("%q by %s", got, classes(bodies))
	}
}
