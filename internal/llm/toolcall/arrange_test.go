package toolcall

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

func TestArrange(t *testing.T) {
	for name, c := range map[string]struct {
		layout llm.Layout
		change func(*llm.Request) // of the request before
		want   func(*llm.Request) // and after
	}{
		"as it is":        {llm.Layout{}, nil, func(*llm.Request) {}},
		"after the words": {llm.Layout{EndsWithUser: true}, nil, closed},
		"after a result":  {llm.Layout{EndsWithUser: true}, func(r *llm.Request) { r.Messages = r.Messages[:6] }, closed},
		"after a person": {llm.Layout{EndsWithUser: true}, func(r *llm.Request) { r.Messages = r.Messages[:1] },
			func(r *llm.Request) {}},
		"without tools": {llm.Layout{EndsWithUser: true}, func(r *llm.Request) { r.Tools = nil }, func(*llm.Request) {}},
		"system text": {llm.Layout{SystemInUser: true}, nil, func(r *llm.Request) {
			r.System, r.Messages[0].Text = "", "You are hob.\n\nWhat is in a and b?"
		}},
		"system text before other words": {llm.Layout{SystemInUser: true}, func(r *llm.Request) { r.Messages = r.Messages[6:] },
			func(r *llm.Request) {
				r.System, r.Messages = "", append([]llm.Message{{Role: llm.UserRole, Text: "You are hob."}}, r.Messages...)
			}},
		"no system text": {llm.Layout{SystemInUser: true}, func(r *llm.Request) { r.System = "" }, func(*llm.Request) {}},
		"calls alone":    {llm.Layout{CallsAlone: true}, nil, func(r *llm.Request) { r.Messages[1].Text = "" }},
	} {
		before, want := talk(), talk()
		for _, r := range []*llm.Request{&before, &want} {
			if c.change != nil {
				c.change(r)
			}
		}
		kept := before
		kept.Messages = append([]llm.Message{}, before.Messages...)
		c.want(&want)
		if diff := cmp.Diff(want, Arrange(before, c.layout)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(kept, before); diff != "" {
			t.Errorf("%s: the request was changed (-want +got):\n%s", name, diff)
		}
	}
}

// closed ends a request with the message that asks the model to go on.
func closed(r *llm.Request) {
	r.Messages = append(r.Messages, llm.Message{Role: llm.UserRole, Text: "Go on: use the result above. Call the next tool, or answer.", Note: true})
}
