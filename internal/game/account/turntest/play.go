package turntest

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// Played are turns of real play in one language, each with a true story behind it.
type Played struct {
	account.Turn
	What string // the tool
}

// Play plays n turns of a campaign: some of what is offered, some of everything else, all through a saga.
func Play(t testing.TB, book *rules.Book, lang string, seed int64, n int) (list []Played) {
	t.Helper()
	word := lang + strconv.FormatInt(seed, 10)
	w, counts := Mill(t, lang), rules.Counts{}
	if seed%2 == 0 {
		w, counts = generated(t, book, lang, word, seed)
	}
	b := eventlog.Beginning{ID: "c", Seed: game.SeedOf(word), World: w, Counts: counts}
	s, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), b, game.Options(book, func() time.Time { return time.Unix(0, 0) }))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(uint64(seed), 9))
	for range n {
		before := s.World().Clone()
		c := deed(s.World(), book, lang, random)
		var calls []rules.Call
		if c.Tool != "" {
			calls = append(calls, c)
		}
		p, err := s.Play(t.Context(), eventlog.Request{Calls: calls, Counts: true})
		if err != nil {
			t.Fatal(err)
		}
		if p.Ended || s.World().Self().Ended {
			break
		}
		list = append(list, Played{account.Turn{Book: book, Lang: lang, Before: before, After: s.World().Clone(), Actor: "pc_001",
			Outcomes: p.Outcomes, Rolls: p.Rolls, Events: p.Events}, c.Tool})
	}
	return list
}

// generated is a new campaign with people and things in it.
func generated(t testing.TB, book *rules.Book, lang, word string, seed int64) (*world.World, rules.Counts) {
	t.Helper()
	theme := strings.Split(In(lang, "Crypt,Forest,Town,Ship", "Склеп,Лес,Город,Корабль", "墓,林,城,船"), ",")[seed/2%4]
	w, counts, err := game.Begin(t.Context(), book, game.Start{Lang: lang, Size: 6, Theme: theme, Seed: game.SeedOf(word)})
	if err != nil {
		t.Fatal(err)
	}
	at := w.Actor("pc_001").Place
	s := func(en, ru, zh string) string { return In(lang, en, ru, zh) }
	for _, r := range []world.Record{
		&world.Actor{ID: "npc_001", Order: 201, Role: "npc", Name: s("Widow Aldith", "Вдова Альдита", "寡妇阿尔迪丝"), Place: at, HP: world.Known(5), HPMax: world.Known(9)},
		&world.Actor{ID: "npc_002", Order: 202, Role: "monster", Name: s("grey wolf", "Серый волк", "灰狼"), Place: at, HP: world.Known(9), HPMax: world.Known(9)},
		&world.Actor{ID: "npc_003", Order: 203, Role: "npc", Name: s("Ferryman Ned", "Паромщик Нед", "船夫奈德"), Place: at, State: world.Dead, HP: world.Known(0)},
		&world.Thing{ID: "obj_901", Order: 204, Name: s("copper bell", "медный колокольчик", "铜铃"), Parent: at},
		&world.Thing{ID: "obj_902", Order: 205, Name: s("walking stick", "дорожная трость", "手杖"), Parent: "pc_001"},
		&world.Thing{ID: "obj_903", Order: 206, Name: s("wicker basket", "плетёная корзина", "柳条篮"), Parent: at, Container: true},
		&world.Thing{ID: "obj_904", Order: 207, Name: s("blue feather", "синее перо", "蓝羽毛"), Parent: "npc_001"},
		&world.Thing{ID: "obj_905", Order: 208, Name: s("tin whistle", "жестяной свисток", "锡哨"), Parent: at},
	} {
		if err := w.Apply(world.Event{New: r}); err != nil {
			t.Fatal(err)
		}
	}
	return w, counts
}

// deed returns something to do: one of what is offered, or with what and whom there is; now and then nothing.
func deed(w *world.World, book *rules.Book, lang string, random *rand.Rand) rules.Call {
	hero := w.Actor("pc_001")
	one := func(list ...string) string { return list[random.IntN(len(list))] }
	var things, people []string
	for _, x := range w.Things() {
		if kind, id := w.Holder(x.ID); !x.Hidden && (kind == world.PlaceKind && id == hero.Place || kind == world.ActorKind && w.Actor(id).Place == hero.Place) {
			things = append(things, x.ID)
		}
	}
	for _, a := range w.Occupants(hero.Place) {
		if a.ID != hero.ID {
			people = append(people, a.ID)
		}
	}
	people = append(people, "pc_001")
	if len(things) == 0 {
		things = []string{"obj_902"}
	}
	make := func(tool string, args *rules.Obj) rules.Call { return rules.Call{Tool: tool, Args: args.Bytes()} }
	move := func(to string) rules.Call {
		return make("move_object", rules.NewObj().Text("object_id", one(things...)).Text("target_id", to))
	}
	switch n := random.IntN(20); {
	case n < 3:
		return move("pc_001")
	case n < 5:
		return move(hero.Place)
	case n < 7:
		return move(one(people...))
	case n < 8:
		return move(one(things...))
	case n < 10:
		return make("skill_check", rules.NewObj().Text("actor_id", "pc_001").Text("skill", one("force", "wits")).Text("difficulty", one("easy", "medium")))
	case n < 12:
		return make("attack", rules.NewObj().Text("attacker_id", "pc_001").Text("target_id", one(people...)))
	case n < 13:
		return make("attack", rules.NewObj().Text("attacker_id", one(people...)).Text("target_id", "pc_001"))
	case n < 15:
		return make("hp_delta", rules.NewObj().Text("target_character_id", one(append(people, "pc_001")...)).Int("delta", random.Int64N(9)-3).Text("cause", "x"))
	case n < 16:
		return rules.Call{}
	}
	if list := story.Choices(w, book, lang, hero); len(list) > 0 {
		c := list[random.IntN(len(list))]
		return rules.Call{Tool: c.Tool, Args: c.Args.Bytes()}
	}
	return rules.Call{}
}
