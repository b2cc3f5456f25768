package exec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lair is a state of hob's own with a hostile rat, an innkeeper who knows something, and a quest that ends the story.
const lair = `{"format":"hob-state","version":1,"seed":"","counts":{},"state":{"actors":{` +
	`"npc":{"id":"npc","name":"Osric","place":"inn","role":"npc","talk":[{"gives":"key","keys":["key"],"reveals":"where","text":"Here.","topic":"the key"}]},` +
	`"pc":{"hp":20,"hp_max":20,"id":"pc","name":"Mara","place":"inn","role":"pc"},` +
	`"rat":{"hp":5,"id":"rat","name":"Rat","place":"inn","role":"monster"}},"clocks":{},"encounters":{},` +
	`"facts":{"where":{"id":"where","secret":true,"text":"It is below."}},"links":{},"lore":{},"objects":{"key":{"id":"key","parent":"npc"}},` +
	`"places":{"inn":{"id":"inn","name":"Inn"}},` +
	`"quests":{"q":{"ends":true,"id":"q","objectives":["know","have"],"state":"active","title":"The key","when":{"have":"has key","know":"knows where"}}},` +
	`"world":{"active":"pc","allow_all":true,"party":["pc"],"rules":{"strike_back":1}}}}`

// What follows from a turn by itself has no line of its own: it is told with the last call that did something, and its changes
// are in that call's patch.
func TestFollowed(t *testing.T) {
	g := open(t, []byte(strings.Replace(lair, `"reveals":"where",`, "", 1)), "en") // so that it does not end at once
	g.g.Events = true
	list := g.send(`{"batch":[` + call("talk", `{"npc_id":"npc","topic":"key"}`) + "," + call("look", `{}`) + "," + call("talk",
		`{"npc_id":"nobody"}`) + "]}")
	if len(list) != 3 || strings.Contains(list[0].line, "followed") || !strings.Contains(list[1].line,
		`"followed":[{"tool":"attack","args":{"attacker_id":"rat","target_id":"pc"},"text":"Rat `) ||
		strings.Contains(list[2].line, "followed") || list[1].Hash != g.hash() || list[0].Hash == g.hash() {
		t.Errorf("%s\n%s\n%s", list[0].line, list[1].line, list[2].line)
	}
	patched := map[string]bool{}
	for _, o := range list[1].Patch {
		patched[o.Path] = true
	}
	if !patched["/state/world/pace"] || !patched["/state/quests/q/met"] {
		t.Errorf("%v", list[1].Patch)
	}
	lines := g.raw(`{"preview":[` + call("talk", `{"npc_id":"npc"}`) + `,` + call("skill_check",
		`{"actor_id":"pc","skill":"wits","dc":5}`) + `]}`)
	if len(lines) != 1 || strings.Count(lines[0], `"followed"`) != 1 {
		t.Errorf("%s", lines)
	}
	a := g.one(call("attack", `{"attacker_id":"pc","target_id":"rat"}`))
	if a.Status != "applied" || !strings.Contains(a.line, `"followed":[{"tool":"attack"`) {
		t.Errorf("%s", a.line)
	}
}

// A state of hob's own keeps all that a story needs to play itself; the older saves have no place for it.
func TestStateOfAStory(t *testing.T) {
	g := open(t, []byte(lair), "en")
	before := g.state("hob")
	want := decode(t, []byte(lair)).(doc)["state"].(doc)
	if diff := cmp.Diff(at(want, "actors", "npc"), at(before, "state", "actors", "npc")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(at(want, "quests", "q"), at(before, "state", "quests", "q")); diff != "" {
		t.Error(diff)
	}
	for _, shape := range []string{"000", "002", "003"} {
		if text := encode(t, g.state(shape)); strings.Contains(text, "Here.") || strings.Contains(text, "knows where") {
			t.Errorf("%s: %s", shape, text)
		}
	}
	g.one(call("talk", `{"npc_id":"npc","topic":"key"}`))
	if self := at(g.state("hob"), "state", "world"); self["ended"] != true || self["ended_reason"] != "goal" ||
		self["goal_status"] != "done" {
		t.Errorf("%v", self)
	}
	if a := g.one(call("talk", `{"npc_id":"npc"}`)); a.Detail != "campaign_ended" || !strings.Contains(a.Text,
		"goal is reached") {
		t.Errorf("%s", a.line)
	}
}
