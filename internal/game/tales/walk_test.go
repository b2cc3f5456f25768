package tales_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// walker plays a script of testdata: a call or something that must hold on each line, # begins a comment. Ids are the same in
// every language, so that one script serves all. What is asked about is named by its key in the words of the tale.
type walker struct {
	t     *testing.T
	lang  string
	words map[string]string
	start tales.Start
	seed  string
	tale  tales.Tale
	book  *rules.Book
	s     *eventlog.Log
	told  strings.Builder // what players were told so far
	turns int
	where string
}

func walk(t *testing.T, tale tales.Tale, script, lang string) *walker {
	t.Helper()
	w := &walker{
		t: t, lang: lang, words: wordsOf(t, tale.ID, lang), tale: tale, book: book(t), seed: script,
		start: tales.Start{Session: "s1", Lang: lang},
	}
	text, err := os.ReadFile("testdata/" + script + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	no := 0
	for line := range strings.Lines(string(text)) {
		no++
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			w.where = fmt.Sprintf("%s.txt:%d, %s: %s", script, no, lang, strings.TrimSpace(line))
			w.line(append(fields, "", ""))
		}
	}
	return w
}

// line does what a line says.
func (w *walker) line(f []string) {
	w.t.Helper()
	switch f[0] {
	case "seed":
		w.seed = f[1]
		return
	case "trade":
		w.start.Trade = f[1]
		return
	}
	w.begin()
	holds := func(c string, want bool) {
		w.t.Helper()
		if w.s.World().Holds(world.Condition(c)) != want {
			w.t.Fatalf("%s: it does not hold, after\n%s", w.where, w.told.String())
		}
	}
	switch f[0] {
	case "has":
		holds("has "+f[1], true)
	case "lacks":
		holds("has "+f[1], false)
	case "knows":
		holds("knows "+f[1], true)
	case "unknown":
		holds("knows "+f[1], false)
	case "dead":
		holds("dead "+f[1], true)
	case "hidden", "light":
		if w.s.World().Thing(f[1]).Hidden != (f[0] == "hidden") {
			w.t.Fatalf("%s: it is not so, after\n%s", w.where, w.told.String())
		}
	case "closed", "known":
		there, back := w.s.World().Link(f[1], f[2]), w.s.World().Link(f[2], f[1])
		if there.Hidden != (f[0] == "closed") || back.Hidden != there.Hidden {
			w.t.Fatalf("%s: it is not so, after\n%s", w.where, w.told.String())
		}
	case "met":
		q := w.s.World().Quest(f[1])
		if !slices.Contains(q.Met, w.words[f[1]+"."+f[2]]) {
			w.t.Fatalf("%s: met are %q", w.where, q.Met)
		}
	case "ends":
		if self := w.s.World().Self(); !self.Ended || self.EndedReason != f[1] {
			w.t.Fatalf("%s: ended %v, %q, after\n%s", w.where, self.Ended, self.EndedReason, w.told.String())
		}
	case "not":
		w.play(f[1:], false)
	default:
		w.play(f, true)
	}
}

func (w *walker) begin() {
	w.t.Helper()
	if w.s != nil {
		return
	}
	first, counts, err := w.tale.Begin(w.book, w.start)
	if err != nil {
		w.t.Fatal(err)
	}
	at := func() time.Time { return time.Unix(0, 0) }
	w.s, err = eventlog.Create(w.t.Context(), eventlog.NewMemoryStorage(),
		eventlog.Beginning{ID: "c", Seed: game.SeedOf(w.seed), World: first, Counts: counts}, game.Options(w.book, at))
	if err != nil {
		w.t.Fatal(err)
	}
	w.told.WriteString(w.tale.Opening(w.lang, game.SeedOf(w.seed)))
	w.scene()
}

// call returns the call that a line means.
func (w *walker) call(f []string) rules.Call {
	args := rules.NewObj()
	done := func(tool string) rules.Call { return rules.Call{Tool: tool, Args: args.Bytes()} }
	switch f[0] {
	case "go":
		args.Text("player_id", "pc_001").Text("target_location_id", f[1])
		return done("move_player")
	case "take":
		args.Text("object_id", f[1]).Text("target_id", "pc_001")
		return done("move_object")
	case "give", "put":
		args.Text("object_id", f[1]).Text("target_id", f[2])
		return done("move_object")
	case "open":
		args.Text("object_id", f[1]).Text("state", "open").Text("actor_id", "pc_001")
		return done("set_container")
	case "opendoor":
		args.Text("from", f[1]).Text("to", f[2]).Text("state", "open")
		return done("set_link")
	case "greet":
		args.Text("npc_id", f[1])
		return done("talk")
	case "ask":
		topic := w.words[f[1]+"."+f[2]+".topic"]
		if topic == "" {
			topic = w.words[f[1]+"."+f[2]+".keys"]
		}
		args.Text("npc_id", f[1]).Text("topic", topic)
		return done("talk")
	case "attack":
		args.Text("attacker_id", "pc_001").Text("target_id", f[1]).Text("weapon_id", f[2])
		return done("attack")
	case "rest":
		args.Text("kind", f[1])
		return done("rest")
	case "search":
		args.Text("actor_id", "pc_001").Text("skill", cmp.Or(f[2], "wits")).Text("find", f[1])
		return done("skill_check")
	case "look":
		if f[1] != "" {
			args.Text("target_id", f[1])
		}
		return done("look")
	}
	w.t.Fatalf("%s: nobody knows how to do that", w.where)
	return rules.Call{}
}

// play plays a call, which must be applied or refused, and looks at the scene after it.
func (w *walker) play(f []string, want bool) {
	w.t.Helper()
	call := w.call(f)
	p, err := w.s.Play(w.t.Context(), eventlog.Request{Calls: []rules.Call{call}})
	if err != nil {
		w.t.Fatal(err)
	}
	o := p.Outcomes[0]
	text := w.book.Text(w.lang, o.Say)
	if o.OK() != want || want && o.Code != "" {
		w.t.Fatalf("%s: %s %s: %s", w.where, o.Status, o.Code, text)
	}
	for _, o := range p.Outcomes {
		fmt.Fprintf(&w.told, "%s\n", w.book.Text(w.lang, o.Say))
	}
	if call.Tool != "look" {
		w.turns++
	}
	if breaches := w.s.World().Validate(); len(breaches) > 0 {
		w.t.Fatalf("%s: %q", w.where, breaches)
	}
	w.scene()
}

// scene looks that the scene block has nothing in it that nobody was told: no secret, nothing hidden, no words that were not
// said.
func (w *walker) scene() {
	w.t.Helper()
	past, err := w.s.Recent(w.t.Context(), 3)
	if err != nil {
		w.t.Fatal(err)
	}
	now := w.s.World()
	block := story.Scene(now, story.SceneInput{Turn: w.s.Head(), Last: story.Bullets(w.book, w.lang, past, 0)})
	if len(block) > story.MaxScene {
		w.t.Fatalf("%s: a scene of %d bytes", w.where, len(block))
	}
	low, told := strings.ToLower(block), strings.ToLower(w.told.String())
	for _, secret := range secrets(now) {
		if secret = strings.ToLower(secret); strings.Contains(low, secret) && !strings.Contains(told, secret) {
			w.t.Fatalf("%s: the scene has %q in it:\n%s", w.where, secret, block)
		}
	}
}

// secrets returns what is not to be told yet.
func secrets(w *world.World) (list []string) {
	for _, a := range w.Actors() {
		if a.Secret != "" {
			list = append(list, a.Secret)
		}
		for _, t := range a.Talk {
			if t.Said {
				continue
			}
			list = append(list, t.Text)
			if t.Topic == "" && len(t.Keys) > 0 {
				list = append(list, t.Keys...)
			}
		}
	}
	for _, f := range w.Facts() {
		if f.Secret {
			list = append(list, f.ID, f.Text)
		}
	}
	for _, t := range w.Things() {
		if t.Hidden || shut(w, t) {
			list = append(list, t.ID, t.Name, t.Desc)
		}
	}
	return list
}

// shut reports whether an object is within something that is closed.
func shut(w *world.World, t *world.Thing) bool {
	for box := w.Thing(t.Parent); box != nil; box = w.Thing(box.Parent) {
		if box.Closed || box.Locked || box.Hidden {
			return true
		}
	}
	return false
}

// Each tale comes to its end with the engine alone, in every language, in a number of turns that is an evening's; and to its bad
// end where nobody does anything about it.
func TestWalk(t *testing.T) {
	for _, tale := range tales.All() {
		for _, lang := range rules.Langs() {
			t.Run(tale.ID+" "+lang, func(t *testing.T) {
				w := walk(t, tale, tale.ID, lang)
				if w.turns < 20 || w.turns > 60 {
					t.Errorf("%d turns", w.turns)
				}
				for _, q := range w.s.World().Quests() {
					if q.Ends && q.State != world.Done {
						t.Errorf("%s is %s", q.ID, q.State)
					}
				}
				if r, err := w.s.Verify(t.Context(), nil); err != nil || len(r.Problems) > 0 {
					t.Errorf("verify: %v %v", r.Problems, err)
				}
				walk(t, tale, tale.ID+"_lost", lang)
			})
		}
	}
}

// Other ways than the shortest: who remembers instead of what is locked up, a fight instead of a detour, and what is found by searching.
func TestOtherWays(t *testing.T) {
	for _, lang := range rules.Langs() {
		cosy, _ := tales.ByID("cosy")
		walk(t, cosy, "cosy_friends", lang)
		dungeon, _ := tales.ByID("dungeon")
		walk(t, dungeon, "dungeon_fight", lang)
		for _, tale := range tales.All() {
			walk(t, tale, tale.ID+"_search", lang)
		}
	}
}
