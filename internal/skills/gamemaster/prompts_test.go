package gamemaster_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/game/account"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/golden"
	"hob/internal/llm"
)

var update = flag.Bool("update", false, "write the prompts to testdata/prompts, and the stories to docs/examples")

// The most that a prompt of a story may weigh: what each request begins with (system text, the skill's words, schemas), and what asks to
// tell a turn. See [account.Weight].
const (
	mostFixed = 1800
	mostTell  = 700
)

// stages are the turns whose prompts are kept: somebody comes to where somebody else is, dances, greets them, and shrugs.
func stages(tale string) (place, npc string) {
	switch tale {
	case "mystery":
		return "area_parlour", "npc_ferris"
	case "dungeon":
		return "area_stair", "npc_sable"
	}
	return "area_green", "npc_voss"
}

// linesIn is what the player says in the turns of [stages].
func linesIn(lang string) []string {
	return map[string][]string{
		"en": {"I wander off to see who is there", "I dance a waltz with nobody", "I bow low, waiting to be spoken to", "I shrug at that"},
		"ru": {"Брожу взглянуть, кто там есть", "Кружусь в вальсе сам с собой", "Склоняюсь в поклоне, ожидая слова", "Пожимаю плечами"},
		"zh": {"我信步过去看看那边有谁", "我独自跳起华尔兹", "我深深鞠躬，等人先开口", "我耸耸肩"},
	}[lang]
}

func tellings(lang string) []string {
	return map[string][]string{
		"en": {"The wind turns.", "Nobody joins in.", "It stays quiet for a while.", "So it goes."},
		"ru": {"Ветер меняется.", "Никто не подхватывает.", "Какое-то время тихо.", "Что ж."},
		"zh": {"风向变了。", "没有人应和。", "一时很安静。", "就这样吧。"},
	}[lang]
}

// The prompt of each stage of a turn, for each tale and language: the storyteller's own text, the scene with the world's date and no other,
// and of a turn what happened, the new place, and how people look, what they want and how they sound. All of it is bounded.
func TestPrompts(t *testing.T) {
	for _, tale := range tales.All() {
		for _, lang := range rules.Langs() {
			t.Run(tale.ID+" "+lang, func(t *testing.T) {
				var requests []llm.Request
				place, npc := stages(tale.ID)
				turn := 0
				h := newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
					requests = append(requests, req)
					switch {
					case asksToTell(req):
						return llm.Say(tellings(lang)[turn])
					case results(req) == 0 && turn == 0:
						return llm.Do(llm.CallOf(1, "move_player", map[string]any{"player_id": "pc_001", "target_location_id": place}))
					case results(req) == 0 && turn == 2:
						return llm.Do(llm.CallOf(2, "talk", map[string]any{"npc_id": npc}))
					}
					return llm.Say("OK.")
				})})
				h.say("/game new " + tale.ID + " " + lang)
				var b strings.Builder
				for i, line := range linesIn(lang) {
					turn, requests = i, nil
					h.say(line)
					if len(requests) == 0 {
						t.Fatalf("%q needs no model", line)
					}
					first, last := requests[0], requests[len(requests)-1]
					if i == 0 {
						b.WriteString("== system\n" + first.System + "== tools\n" + schemas(t, first) + "\n")
					}
					plan, tell := newest(first), newest(last)
					fmt.Fprintf(&b, "== %q: what is to happen\n%s\n== %q: what is told\n%s\n", line, plan, line, tell)
					checkWeight(t, first, tell)
					if strings.Contains(plan+tell, "2026") {
						t.Error("the day of today stands in a story")
					}
				}
				golden.Check(t, *update, filepath.Join("testdata", "prompts", tale.ID+"."+lang+".txt"), b.String())
			})
		}
	}
}

// schemas are the tools of a request, as a server reads them.
func schemas(t *testing.T, req llm.Request) string {
	t.Helper()
	raw, err := json.Marshal(req.Tools)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// newest is the newest message of a request.
func newest(req llm.Request) string { return req.Messages[len(req.Messages)-1].Text }

func checkWeight(t *testing.T, req llm.Request, tell string) {
	t.Helper()
	skill := ""
	for _, m := range req.Messages {
		if _, after, ok := strings.Cut(m.Text, "[The skill "); ok {
			skill, _, _ = strings.Cut(after, "[End of the skill")
		}
	}
	fixed, told := account.Weight(req.System)+account.Weight(schemas(t, req))+account.Weight(skill), account.Weight(tell)
	t.Logf("fixed %d of %d, told %d of %d", fixed, mostFixed, told, mostTell)
	if fixed > mostFixed || told > mostTell {
		t.Errorf("the fixed part weighs %d, the telling %d", fixed, told)
	}
}
