package gamemaster_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/llm"
	"hob/internal/skills/gamemaster"
)

// imported is a house with a story that was imported from a save of one of the three systems, open in the chat.
func imported(t *testing.T, model llm.Model, save, lang string) *house {
	t.Helper()
	h := newHouse(t, plan{model: model})
	data, err := os.ReadFile(filepath.Join("..", "..", "game", "testdata", save+".json"))
	if err != nil {
		t.Fatal(err)
	}
	book := game.Rules()
	err = h.shelf.Add(t.Context(), gamemaster.Campaign{ID: save, Title: save}, func(log eventlog.Storage) error {
		_, _, err := game.Read(t.Context(), data, log, game.Import{ID: save, Lang: lang, Party: true, Opt: game.Options(book, at0)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := h.say("/game open " + save); got.ended.Reason != event.Done {
		t.Fatalf("%s: %s", got.ended.Reason, got.reply.Text)
	}
	return h
}

// told are the tools that a request has, those that find others left out.
func told(r llm.Request) (names []string) {
	for _, d := range r.Tools {
		if !slices.Contains([]string{"find_tool", "call_tool", "use_skill"}, d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// sceneOf is the last message of a request, which has the scene.
func sceneOf(r llm.Request) string { return r.Messages[len(r.Messages)-1].Text }

func toolCall(name, args string) llm.Call {
	return llm.Call{ID: "c1", Name: name, Args: json.RawMessage(args)}
}

// The heroes of a save of system 000 are its party: they stand in the scene, act by plain words, and are taken over by name.
func TestImported_Heroes(t *testing.T) {
	model := llm.NewScript(llm.Say("Nothing."), llm.Say("Nothing happens."))
	h := imported(t, model, "w1", "en")
	if got := h.say("look"); !strings.Contains(got.reply.Text, "Hall") || strings.Contains(got.reply.Text, "nobody") {
		t.Errorf("look: %s", got.reply.Text)
	}
	if got := h.say("go to Yard"); got.ended.Reason != event.Done || h.log("w1").World().Actor("char_ann").Place != "loc_yard" {
		t.Errorf("go to Yard: %s", got.reply.Text)
	}
	if got := h.say("/join Bo"); !strings.Contains(got.reply.Text, "You are Bo") {
		t.Errorf("/join Bo: %s", got.reply.Text)
	}
	w := h.log("w1").World()
	if bo := w.Actor("char_bo"); bo.Owner != "ana" || bo.Name != "Bo" || w.Actor("pc_001") != nil || len(w.Self().Party) != 2 {
		t.Errorf("%+v, the party is %v", bo, w.Self().Party)
	}
	if got := h.sayAs("ben", "/join Ann", ""); !strings.Contains(got.reply.Text, "You are Ann") {
		t.Errorf("/join Ann: %s", got.reply.Text)
	}
	if got := h.sayAs("eve", "/join Eve", ""); !strings.Contains(got.reply.Text, "You are Eve") || h.log("w1").World().Actor("pc_001") == nil {
		t.Errorf("/join Eve: %s", got.reply.Text)
	}
	h.say("hum a tune of your own making")
	if r := model.Requests(); len(r) == 0 || strings.Contains(sceneOf(r[0]), "AT nowhere") {
		t.Errorf("%d requests; the scene: %s", len(r), sceneOf(r[0]))
	}
}

// What a model is told of is the story's own, in a stable order; what is switched off is neither told nor found, and the list changes
// once.
func TestImported_Tools(t *testing.T) {
	for save, want := range map[string][]string{
		"w1": {"move_object", "move_player", "set_attribute", "delete_attribute", "create_object", "delete_object", "talk", "skill_check", "attack",
			"set_link", "hp_delta", "advance_time"},
		"w2": {"hp_delta", "map_generate", "move"},
		"w3": {"generate_zone", "move_to_zone", "get_player_state", "move_object", "talk", "skill_check", "attack", "set_attribute",
			"create_object", "hp_delta", "npc_remember", "advance_time"},
	} {
		model := llm.NewScript(slices.Repeat([]llm.Step{llm.Say("So.")}, 12)...)
		h := imported(t, model, save, "en")
		h.say("hum a tune of your own making")
		h.say("think about the weather of old")
		all := model.Requests()
		for i, r := range all {
			if diff := cmp.Diff(want, told(r)); diff != "" {
				t.Errorf("%s, request %d (-want +got):\n%s", save, i, diff)
			}
		}
		h.say("/allow -hp_delta")
		h.say("hum another tune, a slow one")
		h.say("hum a third tune, a sad one")
		without := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return name == "hp_delta" })
		for i, r := range model.Requests()[len(all):] {
			if diff := cmp.Diff(without, told(r)); diff != "" {
				t.Errorf("%s, request %d after /allow (-want +got):\n%s", save, i, diff)
			}
		}
		lists := 0
		for e, err := range h.journal.Since(t.Context(), "", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := e.Body.(event.Opened); ok {
				lists++
			}
		}
		if lists != 2 {
			t.Errorf("%s: the list was set %d times", save, lists)
		}
	}
}

// A campaign of system 002 has choices that its allowlist lets happen, and its model is told that nothing else works.
func TestImported_Allowlist(t *testing.T) {
	model := llm.NewScript(llm.Do(toolCall("find_tool", `{"query":"attack"}`)), llm.Say("So."), llm.Say("So it is."))
	h := imported(t, model, "w2", "en")
	got := h.say("/choices")
	if !strings.Contains(got.reply.Text, "Court") {
		t.Errorf("choices: %s", got.reply.Text)
	}
	i := slices.IndexFunc(got.choices, func(c event.Choice) bool { return strings.Contains(c.Label, "Court") })
	if i < 0 {
		t.Fatalf("there is no choice: %+v", got.choices)
	}
	if got := h.sayAs("ana", got.choices[i].Text, got.choices[i].Pick); h.log("w2").World().Actor("pc_001").Place != "area_002" {
		t.Errorf("the choice: %s", got.reply.Text)
	}
	h.say("hum a tune of your own making")
	r := model.Requests()
	if len(r) == 0 || !strings.Contains(sceneOf(r[0]), "ONLY THESE TOOLS WORK in this story: hp_delta, map_generate, move") {
		t.Errorf("the scene: %s", sceneOf(r[0]))
	}
	for _, m := range r[1].Messages {
		if m.ToolName == "find_tool" && strings.Contains(m.Text, `"attack"`) {
			t.Errorf("find_tool tells of what is not allowed: %s", m.Text)
		}
	}
}

// The zones of a session of system 003 stand in the scene, in what is seen and in the choices, and its model goes there.
func TestImported_Zones(t *testing.T) {
	model := llm.NewScript(llm.Do(toolCall("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`)), llm.Say("You are at East Post."))
	h := imported(t, model, "w3", "en")
	if got := h.say("look"); !strings.Contains(got.reply.Text, "East Post") || !strings.Contains(got.reply.Text, "600 m") {
		t.Errorf("look: %s", got.reply.Text)
	}
	if got := h.say("/choices"); !slices.ContainsFunc(got.choices, func(c event.Choice) bool { return strings.Contains(c.Label, "Rubble") }) {
		t.Errorf("choices: %+v", got.choices)
	}
	h.say("I feel like seeing the sunrise from the post in the east")
	r := model.Requests()
	if len(r) == 0 || !strings.Contains(sceneOf(r[0]), "ZONES ") || !strings.Contains(sceneOf(r[0]), "zone_600_0_0 East Post (600 m)") {
		t.Errorf("the scene: %s", sceneOf(r[0]))
	}
	if at := h.log("w3").World().Actor("player_001").Place; at != "zone_600_0_0" {
		t.Errorf("the player is at %s", at)
	}
}

// A reply says in the story's language what came to nothing, unless the model made up for it.
func TestAReplySaysWhatFailed(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "That did not work: Somebody or something that was meant is not there.", "ru": "Не вышло: Того, о ком", "zh": "没有成功：所指的人或物不存在。",
	} {
		model := llm.NewScript(llm.Do(toolCall("move_object", `{"object_id":"obj_none","target_id":"loc_hall"}`)), llm.Say("So."), llm.Say("So."), llm.Say("So."))
		h := imported(t, model, "w1", lang)
		if got := h.say("Ann plays with a toy that nobody has ever seen"); !strings.Contains(got.reply.Text, want) {
			t.Errorf("%s: %s", lang, got.reply.Text)
		}
	}
}
