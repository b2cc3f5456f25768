package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// The owner switches every tool from a phone, the game's too. Every surface shows its state. While a
// tool is off no model is told of it, and each call of it is refused, whoever makes it.
func TestSwitch_ToolsOfStories(t *testing.T) {
	fake := newFakeOllama(t)
	p := newParlour(t, fake.URL, "")
	p.daemon = p.serve()
	c := p.bot.Private(p.people["ada"])
	labels := func(m telegramtest.Message) (all []string) {
		for _, row := range m.Buttons {
			for _, b := range row {
				all = append(all, b.Text)
			}
		}
		return all
	}
	press := func(m telegramtest.Message, label string) telegramtest.Message {
		t.Helper()
		if _, toast := p.press(c, p.people["ada"], m, label); toast != "" {
			t.Fatalf("%s: %s", label, toast)
		}
		now, _ := c.Message(m.ID)
		return now
	}

	// On a phone the buttons come in pages. The tools of stories are on the last ones.
	list := p.told(c, "/tools", "ENABLED", "page 1 of")
	if !slices.Contains(labels(list), "fetch: ENABLED") || !slices.Contains(labels(list), "note_add: ENABLED") {
		t.Errorf("a tool has no button: %v", labels(list))
	}
	for pages := 1; !slices.Contains(labels(list), "move_player: ENABLED"); pages++ {
		next := slices.IndexFunc(labels(list), func(label string) bool { return strings.HasSuffix(label, "→") })
		if len(labels(list)) > 30 || next < 0 || pages > 10 {
			t.Fatalf("page %d has %d buttons, and not that of move_player: %v", pages, len(labels(list)), labels(list))
		}
		list = press(list, labels(list)[next])
	}
	list = press(list, "move_player: ENABLED")
	if !slices.Contains(labels(list), "move_player: DISABLED") || !strings.Contains(list.Text, "for stories") {
		t.Errorf("the page is %s %v", list.Text, labels(list))
	}

	// The terminal and the API show the same.
	if out := p.hob("game", "tools"); !strings.Contains(out, "\nmove_player ") || strings.Count(out, " DISABLED  ") != 1 || strings.Count(out, " ENABLED  ") < 40 {
		t.Error(out)
	}
	if out := p.hob("game", "tools", "move_player", "--json"); !strings.Contains(out, `"state":"DISABLED"`) {
		t.Error(out)
	}
	var answer struct {
		Data struct {
			Tools    []struct{ State string }
			Switches []struct {
				Tool string
				On   bool
			}
		}
	}
	status, got := p.post("command", `{"name":"tools"}`)
	raw, err := json.Marshal(got)
	if err != nil || status != 200 || json.Unmarshal(raw, &answer) != nil {
		t.Fatal(status, got)
	}
	states := map[string]bool{}
	for _, s := range answer.Data.Switches {
		states[s.Tool] = s.On
	}
	if off, there := states["move_player"]; off || !there || !states["attack"] || !states["fetch"] || len(states) < 60 || answer.Data.Tools[0].State != "ENABLED" {
		t.Errorf("%s", raw)
	}

	// Nobody moves: by plain words, a command, a model's call or the shell.
	p.say("ada", "/game@hob_bot new cosy")
	p.wait("the story begins", func() bool { return len(offering(p.group).Buttons) > 0 })
	args := `{"player_id":"pc_001","target_location_id":"loc_orchard"}`
	for _, act := range [][2]string{{"at", "go to Oda's Orchard"}, {"cmd", "/move_player player_id=pc_001 target_location_id=loc_orchard"}} {
		if got := p.line("ada", act[0], act[1]); !strings.Contains(got, "switched off") {
			t.Errorf("%s: %s", act[1], got)
		}
	}
	fake.forget()
	p.line("ada", "at", "I hum the tune of the lighthouse")
	p.asked(fake, []string{"SCENE", `"name":"attack","description"`}, []string{`"name":"move_player","description"`})
	cmd := p.command("ask", "--json", "call move_player "+args)
	out, err := cmd.Output()
	if bad := (*exec.ExitError)(nil); !errors.As(err, &bad) || !strings.Contains(string(out), `"error":{"type":"disabled","code":"tool_disabled"`) {
		t.Errorf("%s, %v", out, err)
	}
	refused := 0
	p.look(func(db *store.DB) {
		for e, err := range db.Chat(t.Context(), parlourChat, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := e.Body.(event.Returned); ok && r.Tool == "move_player" && r.Error != nil && r.Error.Code == event.CodeToolDisabled {
				refused++
			}
		}
	})
	if refused != 2 {
		t.Errorf("%d calls were refused because the tool is off", refused)
	}
	cmd = p.command("game", "do", "move_player", args, "--json")
	out, err = cmd.Output()
	if bad := (*exec.ExitError)(nil); !errors.As(err, &bad) || !strings.Contains(string(out), `"code":"tool_disabled"`) {
		t.Errorf("%s, %v", out, err)
	}
	cmd = p.command("game", "do", "move_player", args)
	out, err = cmd.CombinedOutput()
	if bad := (*exec.ExitError)(nil); !errors.As(err, &bad) || bad.ExitCode() != exit.Denied || !strings.Contains(string(out), "hob tool enable move_player") {
		t.Errorf("%s, %v", out, err)
	}

	// Switched on again, it works.
	if out := p.hob("tool", "enable", "move_player"); out != "move_player: ENABLED\n" {
		t.Error(out)
	}
	if got := p.line("ada", "at", "go to Oda's Orchard"); !strings.Contains(got, "You go to Oda's Orchard") {
		t.Error(got)
	}
	p.daemon.stop()
}
