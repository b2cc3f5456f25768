package parser_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"hob/internal/game"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/rules/checks"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/people"
	"hob/internal/game/rules/story"
	"hob/internal/game/rules/things"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

// full reports whether the long sweeps are wanted.
func full() bool { return os.Getenv("HOB_TEST_FULL") != "" }

// book returns the rules, with a tool to talk to people.
func book(t testing.TB) *rules.Book {
	t.Helper()
	b := game.Rules()
	if b.Tool("talk") == nil {
		var err error
		talk := rules.Tool{
			Name: "talk",
			Params: []rules.Param{
				{Name: "npc_id", Type: rules.ID, Need: true}, {Name: "topic", Type: rules.Text}, {Name: "actor_id", Type: rules.ID},
			},
			Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				if s.World.Actor(a.Text("npc_id")) == nil {
					return rules.Refuse(rules.EntityNotFound, "actor_not_found", a.Text("npc_id"))
				}
				return rules.Accept(nil, "story.quiet")
			},
		}
		b, err = rules.New(checks.Family(), land.Family(), people.Family(), story.Family(), things.Family(), travel.Family(),
			rules.Family{Tools: []rules.Tool{talk}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// set returns a world of records.
func set(t testing.TB, records ...world.Record) *world.World {
	t.Helper()
	w := world.Empty()
	put(t, w, records...)
	return w
}

// put puts records into a world, in place of those with the same ids.
func put(t testing.TB, w *world.World, records ...world.Record) {
	t.Helper()
	for _, r := range records {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
}

// house is a world with a bit of everything. Its names are in the language, by id.
//
//	attic (u, closed)   yard (n)   vault (e, hidden)
//	                    hall       kitchen (w) - garden
//	                    cellar (d, locked: key)
func house(t testing.TB, lang string) *world.World {
	t.Helper()
	n := names(lang)
	way := func(from, to, dir, door, lock string, hidden bool) *world.Link {
		return &world.Link{From: from, To: to, Dir: dir, Door: door, Lock: lock, Hidden: hidden}
	}
	w := set(t,
		&world.Self{Lang: lang, AllowAll: true, Active: "pc", Party: []string{"pc", "anna"}, ClockSet: true, Session: "s1"},
		way("hall", "yard", "n", "", "", false), way("yard", "hall", "s", "", "", false),
		way("hall", "attic", "u", "closed", "", false), way("attic", "hall", "d", "closed", "", false),
		way("hall", "cellar", "d", "locked", "key", false), way("cellar", "hall", "u", "locked", "key", false),
		way("hall", "kitchen", "w", "", "", false), way("kitchen", "hall", "e", "", "", false),
		way("kitchen", "garden", "w", "", "", false), way("garden", "kitchen", "e", "", "", false),
		way("hall", "vault", "e", "", "", true), way("vault", "hall", "w", "", "", false),
		&world.Actor{ID: "pc", Role: "pc", Name: n["pc"], Place: "hall", HP: world.Known(12), State: world.Alive},
		&world.Actor{ID: "anna", Role: "pc", Name: n["anna"], Place: "hall", HP: world.Known(12), State: world.Alive},
		&world.Actor{ID: "guard", Role: "npc", Name: n["guard"], Place: "hall", HP: world.Known(6), State: world.Alive},
		&world.Actor{ID: "miller", Role: "npc", Name: n["miller"], Place: "hall", HP: world.Known(4), State: world.Alive},
	)
	for i, id := range []string{"hall", "yard", "attic", "cellar", "kitchen", "garden", "vault"} {
		put(t, w, &world.Place{ID: id, Order: int64(i), Name: n[id], Desc: n[id+".desc"], Visited: strings.Contains("hall kitchen garden", id)})
	}
	for i, thing := range []*world.Thing{
		{ID: "brass", Parent: "hall"}, {ID: "lamp2", Parent: "hall"}, {ID: "rope", Parent: "hall"}, {ID: "table", Parent: "hall", Fixed: true},
		{ID: "chest", Parent: "hall", Container: true, Closed: true, Fixed: true}, {ID: "ring", Parent: "hall", Hidden: true},
		{ID: "coin", Parent: "hall", Qty: 5}, {ID: "basket", Parent: "hall", Container: true}, {ID: "apple", Parent: "basket", Rel: world.In},
		{ID: "gem", Parent: "chest", Rel: world.In}, {ID: "key", Parent: "pc"}, {ID: "sword", Parent: "pc", Stats: map[string]int64{"damage": 6}},
		{ID: "cloak", Parent: "pc"}, {ID: "letter", Parent: "pc"}, {ID: "hat", Parent: "pc", Rel: world.Worn}, {ID: "spear", Parent: "guard"},
	} {
		thing.Order, thing.Name = int64(i), n[thing.ID]
		put(t, w, thing)
	}
	return w
}

// names returns what is called what in the house.
func names(lang string) map[string]string {
	list := map[string]string{
		"en": "pc Mara;anna Anna;guard Osric;miller the old Miller;hall Hall;hall.desc A clock ticks.;yard Yard;attic Attic;cellar Dark Cellar;" +
			"kitchen Kitchen;garden Garden;vault Vault;brass brass lamp;lamp2 oil lamp;rope rope;table Table;chest oak chest;ring ruby ring;" +
			"coin coin;basket basket;apple apple;gem gem;key iron key;sword sword;cloak cloak;letter letter;hat hat;spear spear",
		"ru": "pc Мара;anna Анна;guard Осрик;miller старый мельник;hall Зал;hall.desc Тикают часы.;yard Двор;attic Чердак;cellar Тёмный погреб;" +
			"kitchen Кухня;garden Сад;vault Тайник;brass латунная лампа;lamp2 масляная лампа;rope верёвка;table стол;chest дубовый сундук;" +
			"ring рубиновое кольцо;coin монета;basket корзина;apple яблоко;gem самоцвет;key железный ключ;sword меч;cloak плащ;" +
			"letter письмо;hat шляпа;spear копьё",
		"zh": "pc 玛拉;anna 安娜;guard 奥斯里克;miller 老磨坊主;hall 大厅;hall.desc 时钟滴答作响。;yard 院子;attic 阁楼;cellar 阴暗地窖;kitchen 厨房;" +
			"garden 花园;vault 密室;brass 铜灯;lamp2 油灯;rope 绳子;table 桌子;chest 橡木箱;ring 红宝石戒指;coin 金币;basket 篮子;apple 苹果;" +
			"gem 宝石;key 铁钥匙;sword 长剑;cloak 斗篷;letter 信;hat 帽子;spear 长矛",
	}
	all := map[string]string{}
	for one := range strings.SplitSeq(list[lang], ";") {
		id, name, _ := strings.Cut(one, " ")
		all[id] = name
	}
	return all
}

// comes writes what words come to in one line: calls with the values of their arguments.
func comes(m parser.Meaning, ok bool) string {
	switch {
	case !ok:
		return "-"
	case m.Problem != "":
		return "! " + strings.ReplaceAll(m.Problem, "\n", " / ")
	case m.Pick > 0:
		return "pick " + string(rune('0'+m.Pick))
	case m.Show != "":
		return "show " + string(m.Show)
	}
	calls := make([]string, 0, len(m.Calls))
	if m.Before != "" {
		calls = append(calls, "done: "+strings.ReplaceAll(m.Before, "\n", " / "))
	}
	for _, c := range m.Calls {
		calls = append(calls, c.Tool+" "+string(c.Args))
	}
	if m.After != "" {
		calls = append(calls, "done: "+m.After)
	}
	if m.Then != nil {
		calls = append(calls, comes(*m.Then, true))
	}
	return strings.Join(calls, " + ")
}

// read reads words like a player's: what they come to is tried on a copy of the world.
func read(t testing.TB, w *world.World, b *rules.Book, lang string, o parser.Options, words string) (parser.Meaning, bool) {
	t.Helper()
	o.Try = func(calls []rules.Call) parser.Tried {
		tried := parser.Tried{World: w.Clone()}
		for _, outcome := range turn(t, tried.World, b, calls).Outcomes {
			tried.Ends = tried.Ends || !outcome.OK()
		}
		return tried
	}
	return o.Read(w, b, lang, w.Actor("pc"), words)
}
