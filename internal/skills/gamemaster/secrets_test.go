package gamemaster_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/llm"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
)

// secrets are what of a world nobody at the table knows, by where it stands.
func secrets(w *world.World) map[string]string {
	all := map[string]string{}
	add := func(where, text string) {
		if len(text) >= 8 { // shorter ones may stand in any text
			all[where] = text
		}
	}
	for _, a := range w.Actors() {
		add(a.ID+" secret", a.Secret)
		for i, t := range a.Talk {
			if !t.Said {
				add(fmt.Sprint(a.ID, " talk ", i), t.Text)
			}
		}
	}
	for _, f := range w.Facts() {
		if f.Secret {
			add(f.ID, f.Text)
		}
	}
	for _, l := range w.LoreList() {
		if l.Secret {
			add(l.ID, l.Text)
		}
	}
	for _, t := range w.Things() {
		if t.Hidden {
			add(t.ID, t.Name)
			add(t.ID+" desc", t.Desc)
		}
	}
	for _, p := range w.Places() {
		if p.Secret && !p.Visited {
			add(p.ID, p.Name)
			add(p.ID+" desc", p.Desc)
		}
	}
	for _, c := range w.Clocks() {
		if !c.Visible {
			add(c.ID, c.Name)
		}
	}
	return all
}

// everything is all that a model is sent.
func everything(req llm.Request) string {
	raw, err := json.Marshal(req)
	if err != nil {
		panic(err)
	}
	text := string(raw)
	for _, m := range req.Messages {
		text += "\n" + m.Text
	}
	return text
}

// prober calls tools at random, with ids that there are and with ids of what is hidden.
type prober struct {
	random *rand.Rand
	book   *rules.Book
	world  func() *world.World
}

func (p *prober) id() string {
	w := p.world()
	var ids []string
	for _, a := range w.Actors() {
		ids = append(ids, a.ID)
	}
	for _, t := range w.Things() {
		ids = append(ids, t.ID)
	}
	for _, x := range w.Places() {
		ids = append(ids, x.ID)
	}
	for _, f := range w.Facts() {
		ids = append(ids, f.ID)
	}
	for _, q := range w.Quests() {
		ids = append(ids, q.ID)
	}
	return ids[p.random.IntN(len(ids))]
}

func (p *prober) call(n int) llm.Call {
	names := p.book.Names()
	t := p.book.Tool(names[p.random.IntN(len(names))])
	args := map[string]any{}
	for i := range t.Params {
		one := &t.Params[i]
		if one.Name == "session_id" || !one.Need && p.random.IntN(3) == 0 {
			continue
		}
		switch {
		case len(one.Enum) > 0:
			args[one.Name] = one.Enum[p.random.IntN(len(one.Enum))]
		case one.Type == rules.Int:
			args[one.Name] = p.random.IntN(12)
		case one.Type == rules.Flag:
			args[one.Name] = p.random.IntN(2) == 0
		case one.Type == rules.List:
			args[one.Name] = []string{p.id()}
		case one.Type == rules.Object:
			args[one.Name] = map[string]any{"theme": "old"}
		case strings.Contains(one.Name, "query") || strings.Contains(one.Name, "text"):
			args[one.Name] = []string{"bell", "secret", "queen", "key", "lamp", "name", "reveal everything"}[p.random.IntN(7)]
		default:
			args[one.Name] = p.id()
		}
	}
	switch t.Name {
	case "hp_delta", "attack", "delete_object", "encounter_start": // the story is to go on
		t = p.book.Tool("look")
		args = map[string]any{"target_id": p.id()}
	case "map_render":
		args["reveal"] = true
	}
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	if p.random.IntN(2) == 0 {
		raw = []byte(fmt.Sprintf(`{"name":%q,"arguments":%s,"args":%s}`, t.Name, raw, raw))
		return llm.Call{ID: fmt.Sprint("c", n), Name: "call_tool", Args: raw}
	}
	return llm.Call{ID: fmt.Sprint("c", n), Name: t.Name, Args: raw}
}

// A model that calls everything with everything reads no secret before somebody may know it.
func TestNoSecretReachesAModel(t *testing.T) {
	for i, tale := range []string{"cosy", "mystery", "dungeon"} {
		for k, lang := range rules.Langs() {
			if os.Getenv("HOB_TEST_FULL") == "" {
				if i != k {
					continue
				}
				t.Run(tale+" "+lang, func(t *testing.T) { probe(t, tale, lang, 1, 14) })
				continue
			}
			for seed := range uint64(12) {
				t.Run(fmt.Sprint(tale, " ", lang, " ", seed), func(t *testing.T) { probe(t, tale, lang, seed, 60) })
			}
		}
	}
}

func probe(t *testing.T, tale, lang string, seed uint64, turns int) {
	book := game.Rules()
	var h *house
	p := &prober{random: rand.New(rand.NewPCG(seed, uint64(len(tale)+len(lang)*7+int(lang[0])))), book: book, world: func() *world.World { return h.log(tale).World() }}
	n, applied := 0, map[string]int{}
	var hidden map[string]string
	leaked := map[string]bool{}
	model := speaking(func(req llm.Request) llm.Step {
		now := secrets(p.world()) // what was revealed meanwhile is none any more
		sent := everything(req)
		for where, text := range hidden {
			if now[where] == text && strings.Contains(sent, text) && !leaked[where] {
				leaked[where] = true
				at := strings.Index(sent, text)
				t.Errorf("%s is in a request: ...%s", where, sent[max(0, at-300):min(len(sent), at+len(text)+50)])
			}
		}
		if asksToTell(req) {
			return llm.Say("All is quiet.")
		}
		if results(req) >= 9 {
			return llm.Say("Done.")
		}
		var all []llm.Call
		for range 3 {
			n++
			all = append(all, p.call(n))
		}
		return llm.Do(all...)
	})
	h = newHouse(t, plan{model: model})
	h.say("/game new " + tale + " " + lang)
	hidden = secrets(h.log(tale).World())
	if len(hidden) < 10 {
		t.Fatalf("there are but %d secrets", len(hidden))
	}
	for i := range turns {
		got := h.say([]string{"Hm, I think of nothing, " + fmt.Sprint(i), "look", "/why"}[i%3])
		for _, b := range got.bodies {
			if r, ok := b.(event.Returned); ok && r.OK {
				applied[r.Tool]++
			}
		}
		if h.log(tale).World().Self().Ended {
			h.say("/undo")
		}
	}
	h.legal(tale)
	if len(applied) < 5 {
		t.Errorf("only these did anything: %v", applied)
	}
}

// Nobody at a table is shown a map with all that is hidden, however it is asked for.
func TestAMapTellsNoSecret(t *testing.T) {
	for _, args := range []string{`{"format":"text","reveal":true}`, `{"reveal":true,"format":"svg"}`, `{"format":"text","reveal":"true"}`} {
		model := llm.NewScript(llm.Do(called(1, "map_render", args)), llm.Say("Done."), llm.Say("All is quiet."))
		h := newHouse(t, plan{model: model})
		h.began("dungeon")
		got := h.say("I think of maps and such")
		names := []string{}
		for _, p := range h.log("dungeon").World().Places() {
			if !p.Visited {
				names = append(names, p.Name)
			}
		}
		for _, r := range got.returned() {
			raw, err := json.Marshal(r.Data)
			for _, name := range names[3:] {
				if err != nil || strings.Contains(string(raw), name) {
					t.Errorf("%s: what programs read shows %s: %v", args, name, err)
				}
			}
		}
		for _, m := range model.Requests()[1].Messages {
			for _, name := range names[3:] {
				if m.Role == llm.ToolRole && strings.Contains(m.Text, name) {
					t.Errorf("%s shows %s:\n%s", args, name, m.Text)
				}
			}
		}
	}
}

// The skill's schemas name neither the session nor what shows a map with its secrets.
func TestWhatModelsAreToldOfTools(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	for _, tool := range h.master.Skill().Tools {
		raw := tools.DefOf(tool).Description
		if s, ok := tool.(interface{ ModelSchema() json.RawMessage }); ok {
			raw += string(s.ModelSchema())
		}
		for _, name := range []string{"session_id", "sessionId", "reveal"} {
			if strings.Contains(raw, `"`+name+`"`) {
				t.Errorf("%s tells of %s", tool.Name(), name)
			}
		}
	}
	if slices.ContainsFunc(h.master.Skill().Tools, func(t tools.Tool) bool { return t.Name() == gamemaster.MenuTool }) {
		t.Error("too many tools, or one that is people's")
	}
}
