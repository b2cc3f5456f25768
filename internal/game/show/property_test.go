package show_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
	"pgregory.net/rapid"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
)

// inject is what a name has in it that tries to stand on a line of its own.
const inject = "INJECTED"

// word draws a name that may be anything.
func word(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{
		"", "lamp", "Hall", "サンセット", "一间很长很长的房间的名字一间很长很长的房间的名字一间很长很长的房间的名字", "Старая мельница у реки", "x\n" + inject,
		"x\r\n" + inject,
		"x\u2028" + inject, "\x1b[31mred", "\u202egnol\u2066", "\u0000", strings.Repeat("y\u0301\u0301\u0301", 200),
		"*bold* _it_ [x](y) `z`",
		"[object:o1:x]", "{0} {1}", "مرحبا", " ", "\u200b\u200b", strings.Repeat("long ", 300), "🎲🎲", "x\v" + inject,
		"a\u0085" + inject,
	}).Draw(t, label)
}

// secret draws a text that must not be shown; each has a mark in it.
func secret(t *rapid.T, label string) string {
	return "XSECRET" + rapid.SampledFrom([]string{"", " key", "\n" + inject, " 钥匙", strings.Repeat(" long", 400)}).Draw(t, label)
}

// random makes a world of anything.
func random(t *rapid.T) []world.Record {
	n := func(max int) int { return rapid.IntRange(0, max).Draw(t, "n") }
	flag := func() bool { return n(3) == 0 }
	id := func(kind string, max int) string { return fmt.Sprintf("%s%d", kind, n(max)) }
	number := func() world.Number { return world.Number{Known: !flag(), N: rapid.Int64().Draw(t, "number")} }
	state := func() string {
		return rapid.SampledFrom([]string{"", world.Alive, world.Dying, world.Dead, "odd\n" + inject}).Draw(t, "state")
	}
	var list []world.Record
	for i := range 5 {
		p := &world.Place{ID: fmt.Sprintf("p%d", i), Name: word(t, "place"), Desc: word(t, "desc"), Situation: word(t, "now"),
			Attrs: map[string]string{word(t, "key"): word(t, "value")}, Visited: flag(), Overland: flag(),
			Pos: &world.Point{X: int64(i) * 1e5}}
		if p.Secret = flag() && i > 0; p.Secret && !p.Visited {
			p.Name, p.Desc = secret(t, "place"), secret(t, "desc")
		}
		list = append(list, p)
	}
	for range n(12) {
		l := &world.Link{From: id("p", 4), To: id("p", 5), Dir: rapid.SampledFrom([]string{"", "n", "e", "u", "d",
			"odd"}).Draw(t, "dir"),
			Door: rapid.SampledFrom([]string{"", "open", "closed", "locked", "odd"}).Draw(t, "door"), Blocked: word(t, "blocked")}
		if l.Hidden = flag(); l.Hidden {
			l.Blocked = secret(t, "blocked")
		}
		list = append(list, l)
	}
	for i := range 4 {
		list = append(list, &world.Actor{ID: fmt.Sprintf("a%d", i), Name: word(t, "actor"), Desc: word(t, "desc"),
			Place: id("p", 0), HP: number(),
			HPMax: number(), State: state(), Stats: map[string]int64{word(t, "stat"): -1, "wits": 2}, Attitude: int64(n(6) - 3),
			Conditions: map[string]int64{word(t, "condition"): rapid.Int64().Draw(t, "until")},
			Rounds:     map[string]int64{word(t, "round"): 2},
			Secret:     secret(t, "guilt"), Wants: secret(t, "wish"), Talk: []world.Talk{{Text: secret(t, "talk")}}})
	}
	parents := rapid.SampledFrom([]string{"p0", "p1", "a0", "a1", "o0", "o1", "o2"})
	for i := range n(10) {
		o := &world.Thing{ID: fmt.Sprintf("o%d", i), Name: word(t, "thing"), Parent: parents.Draw(t, "parent"),
			Closed: flag(), Locked: flag(),
			Qty: rapid.Int64().Draw(t, "qty"), Rel: rapid.SampledFrom([]string{"", world.Worn, world.On, world.In}).Draw(t,
				"rel")}
		if o.Hidden = flag(); o.Hidden {
			o.Name, o.Desc = secret(t, "thing"), secret(t, "desc")
		}
		list = append(list, o)
	}
	for i := range n(3) {
		c := &world.Clock{ID: fmt.Sprintf("c%d", i), Name: word(t, "clock"), Segments: 4, Filled: int64(n(3)),
			Visible: flag(), Closed: flag(),
			OnFull: secret(t, "on full")}
		if !c.Visible {
			c.Name = secret(t, "clock")
		}
		q := &world.Quest{ID: fmt.Sprintf("q%d", i), Title: word(t, "quest"), Objectives: []string{word(t, "objective")},
			State: rapid.SampledFrom([]string{world.Offered, world.Active, world.Done, world.Failed}).Draw(t, "state")}
		if q.State == world.Offered {
			q.Title, q.Objectives = secret(t, "quest"), []string{secret(t, "objective")}
		}
		list = append(list, c, q, &world.Fact{ID: fmt.Sprintf("f%d", i), Text: secret(t, "fact"), Secret: true},
			&world.Lore{ID: fmt.Sprintf("l%d", i), Text: secret(t, "lore"), Secret: true, Constant: true})
	}
	self := &world.Self{Title: word(t, "title"), ClockSet: flag(), Minute: rapid.Int64().Draw(t, "minute"), Active: id("a", 4),
		Party: []string{"a0", "a1", "a9"}[:n(3)], GoalText: word(t, "goal")}
	if flag() {
		list = append(list, &world.Encounter{Round: 1, Turn: rapid.Int64Range(-1, 3).Draw(t, "turn"), Actors: []string{"a0",
			"a1", "a9"}})
	}
	return append(list, self)
}

// clear fails where a text has something secret in it, or anything that could hurt where it is shown. The map breaks long lines
// by itself.
func clear(t tester, what, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if what != "map" && strings.HasPrefix(strings.TrimLeft(line, " "), inject) {
			t.Fatalf("%s: a name broke the line:\n%s", what, text)
		}
	}
	bad := func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) || r == utf8.RuneError }
	if i := strings.IndexFunc(text, bad); i >= 0 || strings.Contains(text, "XSECRET") || !utf8.ValidString(text) {
		t.Fatalf("%s shows %q at %d", what, text, i)
	}
}

// columns counts how many columns of a terminal a line takes, by the tables of another library.
func columns(s string) (n int) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case width.LookupRune(r).Kind() == width.EastAsianWide || width.LookupRune(r).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// calls draws what was called in a turn, with secrets of the world wherever a text can be.
func calls(t *rapid.T, list []world.Record) (all []rules.Outcome) {
	texts := []string{"lamp", "a\n" + inject, "{0}", "\u202e"}
	for _, r := range list {
		switch r := r.(type) {
		case *world.Actor:
			texts = append(texts, r.Secret, r.Wants, "I know: "+r.Talk[0].Text)
		case *world.Thing:
			texts = append(texts, r.Name, "the "+r.Name+"!")
		case *world.Place:
			texts = append(texts, r.Name, r.Desc)
		case *world.Clock:
			texts = append(texts, r.Name, r.OnFull)
		case *world.Quest:
			texts = append(texts, r.Title, r.Objectives[0])
		case *world.Lore:
			texts = append(texts, r.Text)
		case *world.Fact:
			texts = append(texts, r.Text)
		}
	}
	text := rapid.SampledFrom(texts)
	tools := rapid.SampledFrom([]string{"move_object", "clock", "quest", "lore_add", "skill_check", "a\n" + inject})
	for range rapid.IntRange(0, 4).Draw(t, "calls") {
		args, err := json.Marshal(map[string]any{"text": text.Draw(t, "text"), "object_id": text.Draw(t, "id"),
			"keys":  []string{text.Draw(t, "key")},
			"wants": "XSECRET new", text.Draw(t, "name"): nil, "inner": map[string]any{"secret": "XSECRET"}})
		if err != nil {
			t.Fatal(err)
		}
		args = []byte(strings.ReplaceAll(string(args), `:null`, `:1`))
		if strings.Contains(string(args), `XSECRET":1`) || strings.Contains(string(args), `:1,"XSECRET`) {
			args = []byte(`{}`)
		}
		o := rules.Outcome{Call: rules.Call{Tool: tools.Draw(t, "tool"), Args: args}, Status: rules.Applied,
			Result: json.RawMessage(`{}`)}
		if rapid.Bool().Draw(t, "refused") {
			o.Status, o.Code = rules.Failed, rules.InvalidArgs
			o.Say = rules.Sentence{Key: rapid.SampledFrom([]string{"look.text", "clock.already", "no key"}).Draw(t, "key"),
				Args: []string{text.Draw(t, "arg")}}
		}
		all = append(all, o)
	}
	return all
}

// TestNothingHidden shows random worlds with hidden things and secrets, and names that may be anything.
func TestNothingHidden(t *testing.T) {
	b := book(t)
	rapid.Check(t, func(t *rapid.T) {
		list := random(t)
		w := set(t, list...)
		before := set(t, list...)
		for _, r := range list {
			if rapid.IntRange(0, 2).Draw(t, "gone") == 0 && r.Kind() != world.SelfKind && before.Record(r.Kind(),
				r.Key()) != nil {
				if err := before.Apply(world.Event{Old: before.Record(r.Kind(), r.Key())}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, a := range before.Actors() {
			hurt := *a
			hurt.HP, hurt.State, hurt.Rounds = world.Known(1), "", nil
			put(t, before, &hurt)
		}
		lang := rapid.SampledFrom(rules.Langs()).Draw(t, "lang")
		actor := fmt.Sprintf("a%d", rapid.IntRange(0, 4).Draw(t, "actor"))
		outcomes := calls(t, list)
		line := show.EngineLine(show.EngineTurn{Before: before, After: w, Actor: actor, Outcomes: outcomes, Lang: lang,
			Rolls: []rules.Roll{{Expr: word(t, "expr")}}})
		if utf8.RuneCountInString(line) > 110 || strings.Contains(line, "\n") {
			t.Fatalf("the line %q", line)
		}
		parts := []eventlog.Part{{Turn: 1, Outcomes: outcomes, Rolls: []rules.Roll{{Expr: word(t, "expr"), Why: word(t, "why")}},
			Spans: []eventlog.Span{{Rolls: rapid.IntRange(-1, 3).Draw(t, "rolls")}}, State: word(t, "state")}}
		plan := show.Map(w, lang, actor, 80)
		for line := range strings.SplitSeq(plan, "\n") {
			if columns(line) > 80 {
				t.Fatalf("%d columns: %s", columns(line), line)
			}
		}
		for what, text := range map[string]string{
			"look": show.Look(w, b, lang, actor), "sheet": show.Sheet(w, lang, actor), "inventory": show.Inventory(w, lang,
				actor),
			"party": show.Party(w, lang), "quests": show.Quests(w, lang), "map": plan, "line": line, "why": show.Why(w, b,
				lang, parts),
			"markup": strings.ReplaceAll(show.Markup(w, "[object:o0:][object:o1:][place:p1:][location:p2:][npc:a0:]"), "[", ""),
		} {
			clear(t, what, text)
			if text == "" && what != "line" && what != "markup" {
				t.Fatalf("%s is empty", what)
			}
		}
		if again := set(t, list...); show.Look(again, b, lang, actor) != show.Look(w, b, lang, actor) ||
			show.Why(again, b, lang, parts) != show.Why(w, b, lang, parts) {
			t.Fatal("the same world is shown otherwise")
		}
	})
}

// TestQuietCalls runs the tools that keep secrets, and shows what they did.
func TestQuietCalls(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		w := mill(t, lang)
		turn := &rules.Turn{Unbound: true, Book: b, World: w, Number: 3, Services: rules.Services{Counts: &rules.Counts{}}}
		before := w.Clone()
		for tool, args := range map[string]string{
			"lore_add":   `{"keys":["XSECRET bell"],"text":"XSECRET lore","secondary":["XSECRET"],"secret":true}`,
			"npc_create": `{"name":"Osric","secret":"XSECRET sin","wants":"XSECRET wish"}`,
			"npc_update": `{"npc_id":"npc_001","wants":"XSECRET wish"}`,
			"clock":      `{"action":"create","name":"XSECRET plot","visible":false,"on_full":"XSECRET end"}`,
		} {
			if o := turn.Do(context.Background(), rules.Call{Tool: tool, Args: json.RawMessage(args)}, nil); !o.OK() {
				t.Errorf("%s: %s", tool, b.Text("en", o.Say))
			}
		}
		for range 5 { // the last time it is full
			turn.Do(context.Background(), rules.Call{Tool: "clock",
				Args: json.RawMessage(`{"action":"tick","name":"XSECRET plot"}`)}, nil)
		}
		line := show.EngineLine(show.EngineTurn{Before: before, After: w, Outcomes: turn.Outcomes, Lang: lang})
		for what, text := range map[string]string{"why": show.Why(w, b, lang, []eventlog.Part{{Turn: 3, Outcomes: turn.Outcomes}}), "line": line} {
			clear(t, what, text)
		}
	}
}

// TestSecretNames looks that each text that is in the golden files has no secret of its world.
func TestSecretNames(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		w := mill(t, lang)
		for what, text := range map[string]string{"look": show.Look(w, b, lang, ""), "sheet": show.Sheet(w, lang, "npc_001"),
			"inventory": show.Inventory(w, lang, ""), "party": show.Party(w, lang), "quests": show.Quests(w, lang),
			"map": show.Map(w, lang, "", 80), "turns": turns(t, lang, false), "why": show.Why(w, b, lang, parts())} {
			if strings.Contains(text, "Secret") {
				t.Errorf("%s: %s shows a secret:\n%s", lang, what, text)
			}
		}
	}
}

func FuzzMarkup(f *testing.F) {
	for _, s := range []string{"[object:obj_001:x]", "[[place:area_005:]", "]:[", "[npc::]", "[object:a\x80:b\x80]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w := mill(t, "en")
		got := show.Markup(w, s)
		if strings.Contains(got, "Secret") && !strings.Contains(s, "Secret") || !strings.ContainsRune(s,
			'[') && got != s || len(got) > len(s)+200 {
			t.Errorf("%q is rendered as %q", s, got)
		}
	})
}
