package narration_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hob/internal/game"
	"hob/internal/game/world"
)

// writer writes true and false narrations of turns.
type writer struct {
	t     testing.TB
	list  map[string][]string
	lang  string
	count *rand.Rand
	*score
	wrong []string // what the checker was wrong about
}

// told are the words that fill a pattern.
type told struct{ o, p, a, c, n, t, d string }

func (w *writer) fill(kind string, x told) []string {
	var all []string
	for _, p := range w.list[w.lang+" "+kind] {
		s := strings.NewReplacer("{o}", x.o, "{O}", bent(x.o), "{p}", x.p, "{P}", bent(x.p), "{a}", x.a, "{c}", x.c, "{C}", bent(x.c),
			"{n}", x.n, "{t}", x.t, "{d}", x.d).Replace(p)
		r, n := utf8.DecodeRuneInString(s)
		all = append(all, string(unicode.ToUpper(r))+s[n:])
	}
	return all
}

// bent puts a Russian name of the tests into the accusative.
func bent(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		switch {
		case strings.HasSuffix(w, "ая"):
			words[i] = strings.TrimSuffix(w, "ая") + "ую"
		case strings.HasSuffix(w, "а"):
			words[i] = strings.TrimSuffix(w, "а") + "у"
		case strings.HasSuffix(w, "я") && utf8.RuneCountInString(w) > 2:
			words[i] = strings.TrimSuffix(w, "я") + "ю"
		}
		if !strings.HasSuffix(w, "ая") && !strings.HasSuffix(w, ":") && !strings.HasSuffix(w, "ый") && !strings.HasSuffix(w, "ой") {
			break
		}
	}
	return strings.Join(words, " ")
}

// try has the checker read a narration, with a sentence of air before it or behind it.
func (w *writer) try(turn played, kind, text string) {
	air := w.list[w.lang+" air"]
	words := []string{text, air[w.count.IntN(len(air))]}
	if w.count.IntN(2) == 0 {
		slices.Reverse(words)
	}
	flags := turn.Check(strings.Join(words, " "))
	w.add(kind, flags)
	if (len(flags) > 0) == (kind == "true") {
		w.wrong = append(w.wrong, kind+" after "+turn.what+": "+strings.Join(words, " "))
		if len(flags) > 0 {
			w.wrong = append(w.wrong, "    "+flags[0].Kind+" "+flags[0].Problem)
		}
	}
}

// some tries a few of the patterns.
func (w *writer) some(turn played, kind, pattern string, x told) {
	all := w.fill(pattern, x)
	if len(all) > 0 {
		w.try(turn, kind, all[w.count.IntN(len(all))])
	}
}

func (w *writer) thing(turn played, id string) string {
	if x := turn.After.Thing(id); x != nil && w.lang == "en" {
		return "the " + x.Name
	} else if x != nil {
		return x.Name
	}
	return ""
}

func (w *writer) person(turn played, id string) string {
	a := turn.After.Actor(id)
	if w.lang == "en" && a.Name != "" && a.Name[0] >= 'a' {
		return "the " + a.Name
	}
	return a.Name
}

// truths writes what happened.
func (w *writer) truths(turn played) {
	w.try(turn, "true", turn.Tell())
	w.try(turn, "true", "")
	for _, e := range turn.Events {
		switch is := e.New.(type) {
		case *world.Thing:
			was, ok := e.Old.(*world.Thing)
			if !ok || was.Parent == is.Parent {
				continue
			}
			w.transfer(turn, was, is)
		case *world.Actor:
			was := e.Old.(*world.Actor)
			w.changed(turn, was, is)
		}
	}
	for i := range turn.Outcomes {
		if o := &turn.Outcomes[i]; o.OK() && o.Call.Tool == "skill_check" {
			for range 3 {
				w.some(turn, "true", "check", told{t: o.Say.Args[2], d: o.Say.Args[3]})
			}
		}
	}
}

func (w *writer) transfer(turn played, was, is *world.Thing) {
	x := told{o: w.thing(turn, is.ID)}
	to, from := turn.After.Actor(is.Parent), turn.Before.Actor(was.Parent)
	for range 2 {
		switch {
		case is.Parent == "pc_001" && from != nil:
			x.a = w.person(turn, from.ID)
			w.some(turn, "true", "get", x)
		case is.Parent == "pc_001":
			w.some(turn, "true", "take", x)
		case was.Parent == "pc_001" && to != nil:
			x.a = w.person(turn, to.ID)
			w.some(turn, "true", "give", x)
		case was.Parent == "pc_001" && turn.After.Thing(is.Parent) != nil:
			x.c = w.thing(turn, is.Parent)
			w.some(turn, "true", "put", x)
		case was.Parent == "pc_001":
			w.some(turn, "true", "drop", x)
		}
	}
}

func (w *writer) changed(turn played, was, is *world.Actor) {
	for range 2 {
		if is.ID == "pc_001" && was.Place != is.Place {
			w.some(turn, "true", "move", told{p: turn.After.Place(is.Place).Name})
		}
		lost := told{n: strconv.FormatInt(was.HP.N-is.HP.N, 10), a: w.person(turn, is.ID)}
		switch {
		case is.HP.N >= was.HP.N:
		case is.ID == "pc_001":
			w.some(turn, "true", "hurt", lost)
			w.some(turn, "true", "harm", lost)
		default:
			w.some(turn, "true", "numberother", lost)
		}
		if is.ID != "pc_001" && was.State != is.State && (is.State == world.Dying || is.State == world.Dead) {
			w.some(turn, "true", "die", told{a: w.person(turn, is.ID)})
		}
	}
}

// lies writes what did not happen.
func (w *writer) lies(turn played) {
	moved, hurt := map[string]bool{}, map[string]bool{}
	for _, e := range turn.Events {
		if kind, key := e.Subject(); kind == world.ThingKind {
			moved[key] = true
		}
		if is, ok := e.New.(*world.Actor); ok {
			was := e.Old.(*world.Actor)
			moved[is.ID] = was.Place != is.Place
			hurt[is.ID] = was.HP.N > is.HP.N
		}
	}
	w.itemLies(turn, moved)
	w.placeLies(turn, moved["pc_001"])
	w.bodyLies(turn, hurt)
	for i := range turn.Outcomes {
		if o := &turn.Outcomes[i]; o.OK() && o.Call.Tool == "skill_check" {
			n, _ := strconv.Atoi(o.Say.Args[2])
			w.some(turn, "number", "check", told{t: strconv.Itoa(n + 1 + w.count.IntN(4)), d: o.Say.Args[3]})
			w.some(turn, "number", "check", told{t: strconv.Itoa(n + 30), d: o.Say.Args[3]})
		}
	}
}

func (w *writer) itemLies(turn played, moved map[string]bool) {
	for _, x := range turn.After.Things() {
		if moved[x.ID] || x.Parent == "pc_001" || x.Hidden || w.count.IntN(4) > 0 {
			continue
		}
		w.some(turn, "item", []string{"take", "drop"}[w.count.IntN(2)], told{o: w.thing(turn, x.ID)})
		w.some(turn, "item", "give", told{o: w.thing(turn, x.ID), a: w.person(turn, "npc_001")})
	}
	none := strings.Split(in(w.lang, "a silver sword,an emerald ring,a sealed letter,a golden crown,a healing draught in a vial",
		"серебряный меч,изумрудное кольцо,запечатанное письмо,золотая корона", "银剑,翡翠戒指,一封信,一顶王冠,一瓶毒药水"), ",")
	w.some(turn, "item", "take", told{o: none[w.count.IntN(len(none))]})
}

func (w *writer) placeLies(turn played, moved bool) {
	places := turn.After.Places()
	p := places[w.count.IntN(len(places))]
	if p.ID == turn.After.Actor("pc_001").Place || p.ID == turn.Before.Actor("pc_001").Place || p.Secret {
		return
	}
	kind := "move"
	if moved {
		kind = "place"
	}
	w.some(turn, kind, "move", told{p: p.Name})
}

func (w *writer) bodyLies(turn played, hurt map[string]bool) {
	if hurt["pc_001"] {
		w.some(turn, "hp", "hurt", told{n: strconv.Itoa(20 + w.count.IntN(9))})
	} else {
		w.some(turn, "hp", "hurt", told{n: strconv.Itoa(13 + w.count.IntN(9))})
		if a := turn.After.Actor("pc_001"); a.HP.N == a.HPMax.N && turn.Before.Actor("pc_001").HP == a.HP {
			w.some(turn, "hp", "harm", told{})
		}
	}
	for _, a := range turn.After.Occupants(turn.After.Actor("pc_001").Place) {
		x := told{a: w.person(turn, a.ID), n: strconv.Itoa(30 + w.count.IntN(9))}
		was := turn.Before.Actor(a.ID)
		switch {
		case a.ID == "pc_001" || was == nil:
		case a.State == world.Dead && was.State == world.Dead:
			w.some(turn, "speech", "speak", x)
		case a.HP.N > 0 && !hurt[a.ID]:
			w.some(turn, "death", "die", x)
			if a.HP == a.HPMax && was.HP == a.HP {
				w.some(turn, "hp", "harmother", x)
			}
			w.some(turn, "hp", "numberother", x)
		}
	}
}

// corpus makes narrations of logs of real play in a language, and has the checker read them.
func corpus(t testing.TB, lang string) *writer {
	t.Helper()
	book, err := game.Rules()
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{t: t, list: patterns(t), lang: lang, count: rand.New(rand.NewPCG(5, uint64(len(lang)))), score: newScore()}
	for seed := range int64(campaigns()) {
		for _, turn := range play(t, book, lang, seed, 20) {
			w.truths(turn)
			w.lies(turn)
		}
	}
	return w
}
