package session_test

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// Until the words of a person say their language hob speaks that of their app. In a group each has another.
func TestChat_SpeaksLanguageOfApp(t *testing.T) {
	const group = event.Chat("telegram/-1001234567890")
	for _, c := range []struct {
		chat      event.Chat
		app, said string
		want      string
	}{
		{"main", "de", "", "Es gibt keinen Befehl /mdoel: /help zeigt alle."},
		{"main", "", "", `there is no command "mdoel"; /help lists the commands, /tools the tools`},
		{"main", "de", "какое сегодня число", "Команды /mdoel нет: /help покажет все."},
		{group, "de", "", `there is no command "mdoel"; /help lists the commands, /tools the tools`},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := choring(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("I cannot."), llm.Say("I cannot.")), map[string]int{})
			submit := func(in session.Input) {
				in.Chat, in.From, in.Principal, in.AppLang = c.chat, "ana", owner, c.app
				if _, err := h.Submit(t.Context(), in); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			if c.said != "" {
				submit(session.Input{ID: "1", Text: c.said, Typed: true})
			}
			submit(session.Input{ID: "2", Text: "/mdoel", Command: true})
			said := h.replies(c.chat)
			if !slices.Contains(slices.Collect(maps.Values(said)), c.want+" (done)") {
				t.Errorf("%s, %q, %q: %v, want %q", c.chat, c.app, c.said, said, c.want)
			}
		})
	}
}
