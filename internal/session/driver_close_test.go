package session_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
)

// foreign is a story that a stranger wrote.
type foreign struct {
	*saga
	asked func(ctx context.Context) // where its words come from
}

func (f foreign) Label(ctx context.Context) (event.Label, error) {
	f.asked(ctx)
	return event.Label{Untrusted: true, Source: "story:mill"}, nil
}

// A story that somebody leaves just as a turn of it begins stays left, however that turn ends.
func TestALeadThatIsClosedAsATurnBegins(t *testing.T) {
	for _, words := range []string{"walk to a", "/go a"} {
		synctest.Test(t, func(t *testing.T) {
			var h *house
			closes := true
			f := foreign{newSaga(), func(ctx context.Context) {
				if closes {
					if err := h.CloseSkill(context.WithoutCancel(ctx), h.request("saga")); err != nil {
						t.Error(err)
					}
				}
				closes = false
			}}
			skill := f.skill()
			begin := skill.Begin
			skill.Driver = f
			skill.Begin = func(ctx context.Context) (skills.Skill, error) {
				s, err := begin(ctx)
				s.Driver = f
				return s, err
			}
			h = skilled(t, storetest.NewMemory(time.Now), llm.NewScript(says(4)...), []skills.Skill{skill})
			if err := h.OpenSkill(t.Context(), h.request("saga")); err != nil {
				t.Fatal(err)
			}
			in := session.Input{Chat: "main", ID: "1", From: "ana", Text: words, Principal: owner,
				Command: words[0] == '/'}
			seq, err := h.Submit(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			bodies := h.watch(seq, false)
			if leads, err := h.HasDriver(t.Context(), "main"); err != nil || leads || closes {
				t.Errorf("%s: it leads again: %v, %v: %s", words, leads, err, types(bodies))
			}
		})
	}
}
