package game_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// full reports whether the long sweeps are wanted.
func full() bool { return os.Getenv("HOB_TEST_FULL") != "" }

// noon is when everything happens.
func noon() time.Time { return time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC) }

func book(t testing.TB) *rules.Book {
	t.Helper()
	b := game.Rules()
	return b
}

// begin begins a campaign in a log that is empty: a new one, or one of the samples of the seeds' saves, with every tool allowed.
func begin(t testing.TB, book *rules.Book, log eventlog.Storage, what string, seed int64) *eventlog.Log {
	t.Helper()
	opt := game.Options(book, noon)
	word := what + strconv.FormatInt(seed, 10)
	if what == "new" {
		start := game.Start{Session: "s1", Title: "Test", Lang: rules.Langs()[seed%3], Size: 6, Seed: game.SeedOf(word), Free: true}
		w, counts, err := game.Begin(t.Context(), book, start)
		if err != nil {
			t.Fatal(err)
		}
		s, err := eventlog.Create(t.Context(), log, eventlog.Beginning{ID: "c", Seed: start.Seed, World: w, Counts: counts}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if what == "tale" {
		return beginTale(t, book, log, rules.Langs()[seed%3], word, strangers()...)
	}
	data, err := os.ReadFile("testdata/" + what + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	doc["allowlist"] = book.Names()
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	s, _, err := game.Read(t.Context(), data, log, game.Import{Seed: word, Opt: opt})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// generator makes calls of all tools: some that can be done, and some that cannot.
type generator struct {
	*rand.Rand
	book *rules.Book
	w    *world.World
}

func newGenerator(book *rules.Book, s *eventlog.Log, seed int64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 8)), book: book, w: s.World()}
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// one returns one of the ids, or one that there is not.
func (g *generator) one(ids []string) string {
	if len(ids) == 0 || g.IntN(16) == 0 {
		return g.pick("ghost", "area_999", " ", "$0.createdId", "$9.createdId", "obj_999_abcd", "Ж\"\\")
	}
	return ids[g.IntN(len(ids))]
}

// ids returns the ids that the world has of what a parameter is called by.
func (g *generator) ids(tool, name string) (list []string) {
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	actors, places, things := has("actor", "character", "player", "npc", "attacker", "help", "giver", "particip", "surprise",
		"witness"),
		has("area", "place", "zone", "location", "from", "link") || name == "to", has("object", "weapon", "key")
	if any := has("target", "about", "entity", "connection"); any && !actors && !places || tool == "attack" && name == "target_id" {
		actors, places, things = true, tool != "attack" && tool != "opposed_check", tool != "attack" && tool != "opposed_check"
	}
	if actors {
		for _, a := range g.w.Actors() {
			list = append(list, a.ID)
		}
	}
	if places {
		for _, p := range g.w.Places() {
			list = append(list, p.ID)
		}
	}
	if things {
		for _, t := range g.w.Things() {
			list = append(list, t.ID)
		}
	}
	if name == "id" {
		for _, q := range g.w.Quests() {
			list = append(list, q.ID)
		}
		for _, c := range g.w.Clocks() {
			list = append(list, c.ID)
		}
	}
	return list
}

// call returns a call. About half of them have something wrong with them.
func (g *generator) call() rules.Call {
	names := g.book.Names()
	t := g.book.Tool(names[g.IntN(len(names))])
	args := rules.NewObj()
	broken := -1
	if g.IntN(4) == 0 {
		broken = g.IntN(len(t.Params) + 1)
	}
	for i := range t.Params {
		p := &t.Params[i]
		switch {
		case i == broken:
			if wrong := g.pick("", "null", `""`, "5", "-1", "1.5", "true", "[]", `{}`, `"x"`, "99999999999", `[null]`); wrong != "" {
				args.Raw(p.Name, []byte(wrong))
			}
		case p.Need || g.IntN(3) > 0:
			args.Raw(p.Name, g.value(t.Name, p))
		}
	}
	if t.Session && !g.book.Tool(t.Name).Params[0].Need && g.IntN(8) > 0 {
		args.Text("session_id", g.w.Self().Session)
	}
	if broken == len(t.Params) {
		args.Text(g.pick("unknown", "session_id", "actor_id"), g.pick("x", "", "pc_001"))
	}
	c := rules.Call{Tool: t.Name, Args: args.Bytes()}
	switch g.IntN(40) {
	case 0:
		c.Args = json.RawMessage(g.pick(`[]`, `"text"`, `not JSON`, ``, `null`))
	case 1:
		c.Tool = g.pick("", "fly", "MOVE")
	case 2, 3, 4:
		c.Actor = g.one(g.ids("", "actor"))
	}
	return c
}

// value returns an argument that may well fit.
func (g *generator) value(tool string, p *rules.Param) []byte {
	text := func(s string) []byte { return world.AppendString(nil, s) }
	switch name := p.Name; {
	case name == "session_id":
		return text(g.w.Self().Session)
	case len(p.Enum) > 0:
		return text(g.pick(p.Enum...))
	case name == "entity_type":
		return text(g.pick("player", "object", "location", "actor", "place"))
	case name == "expr":
		return text(g.pick("1d20", "4d6kh3+2", "2d6e6", "d%", "1d", "1001d6", "(1d4,2)"))
	case name == "skill", name == "target_skill":
		return text(g.pick("force", "wits", "lore", "cooking"))
	case name == "parent_area_id":
		if g.IntN(3) == 0 {
			return []byte("null")
		}
		return text(g.one(g.ids(tool, name)))
	case name == "constraints":
		return fmt.Appendf(nil, `{"size":%d,"seed":%q,"locks":true,"hub":%v}`, 1+g.IntN(6), g.pick("a", "b", "c"), g.IntN(2) == 0)
	case name == "topic":
		return text(g.pick("bell", "колокола", "钟声", "old key", "crypt", "weather"))
	case name == "attributes":
		return []byte(g.pick(`"{\"a\":\"b\"}"`, `{"a":1,"b":"c"}`, `"good"`, `"{a"`))
	case name == "stats":
		return []byte(g.pick(`{"force":2}`, `{"wits":-1,"lore":3}`))
	case name == "attribute_name":
		return text(g.pick("condition", "health", "mood", "hp"))
	case name == "value":
		return []byte(g.pick(`"wet"`, `"dry"`, "3", "false"))
	}
	switch p.Type {
	case rules.Int:
		return strconv.AppendInt(nil, g.number(tool, p), 10)
	case rules.Flag:
		return strconv.AppendBool(nil, g.IntN(2) == 0)
	case rules.List:
		list := []string{}
		for ids := g.ids(tool, p.Name); len(list) < 1+g.IntN(4); {
			if ids == nil {
				ids = []string{"bell", "tide", "crypt"}
			}
			list = append(list, g.one(ids))
		}
		return world.AppendStrings(nil, list)
	case rules.ID:
		if ids := g.ids(tool, p.Name); ids != nil {
			return text(g.one(ids))
		}
	case rules.Object, rules.JSON:
		return []byte(`{}`)
	}
	return text(g.pick("bell", "колокол", "钟声", "old key", strings.Repeat("long ", 120)))
}

// number returns a whole number.
func (g *generator) number(tool string, p *rules.Param) int64 {
	if p.Max != 0 {
		return p.Min + g.Int64N(min(p.Max-p.Min, 400)+1)
	}
	if tool == "hp_delta" {
		return g.Int64N(9) - 3 // more is healed than hurt, or soon nobody acts any more
	}
	return g.Int64N(12) - 2
}

// request returns a request of one call, or of a few.
func (g *generator) request() eventlog.Request {
	r := eventlog.Request{Calls: []rules.Call{g.call()}}
	for g.IntN(8) == 0 {
		r.Calls = append(r.Calls, g.call())
	}
	return r
}

// request returns a request of one call.
func request(tool, args string) eventlog.Request {
	return eventlog.Request{Calls: []rules.Call{{Tool: tool, Args: json.RawMessage(args)}}}
}
