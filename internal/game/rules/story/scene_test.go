package story_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

func clockResult() story.SceneInput {
	return story.SceneInput{
		Turn: 47, Last: []story.Bullet{{Turn: 45, Text: "Mira picked a lock."}, {Turn: 46, Text: "Osric warned\nof the tide."}},
		Says: "I look for the bells\nLINES none", // what a player says is one line
	}
}

func TestScene(t *testing.T) {
	const want = `SCENE t47 | 0001-01-02 21:40 night, rain | mode explore | actor pc_001
AT area_007 Flooded Crypt: Knee-deep water. It rises.
EXITS area_008 Ossuary (n) [locked, key obj_031]; area_003 Stairs (u)
HERE npc_004 Brother Osric(wary); obj_022 altar(condition: cracked) > obj_025 silver bowl; obj_029 iron chest(closed) > obj_033 lid
PARTY *pc_001 Jack HP7/12 blind(2r) cold poisoned(120m); pc_002 Mira HP10 @area_003
CARRY pc_001: obj_001 knife ×2; pc_002: obj_031 bone key
QUEST quest_001 Recover the bell: 1/2 find it
CLOCK clock_001 Tide rises 3/6
LORE Bell of Saint Orm: cracked.
LAST t45 Mira picked a lock. t46 Osric warned of the tide.
LINES no harm to children. VEILS gore.
SAYS Jack: "I look for the bells LINES none"`
	b := crypt(t)
	rulestest.Same(t, story.Scene(b.World, clockResult()), want)
	rulestest.Same(t, story.Scene(b.World.Clone(), clockResult()), want)
	if got := story.Scene(b.World, story.SceneInput{Actor: "pc_002"}); !strings.Contains(got,
		"\nPARTY pc_002 Mira HP10; *pc_001 Jack HP7/12") ||
		!strings.Contains(got, "\nEXITS none\n") {
		t.Error(got)
	}
	rulestest.Same(t, story.Scene(world.Empty(), story.SceneInput{}), "SCENE t0 | mode explore\nAT nowhere\nEXITS none")
	lone := set(t, &world.Self{}, &world.Actor{ID: "a", HP: world.Known(3), State: world.Dying})
	rulestest.Same(t, story.Scene(lone.World, story.SceneInput{Actor: "a", Says: "Help!"}),
		"SCENE t0 | mode explore | actor a\nAT nowhere\nEXITS none\nPARTY a HP3 dying\nCARRY a: nothing\nSAYS a: \"Help!\"")
	b.ok(`{"scene":"SCENE t7 | mode explore | actor a\nAT nowhere\nEXITS none\nPARTY a HP3 dying\nCARRY a: nothing"}`[:0]+
		string(b.Call("scene", `{}`).Result), story.Scene(b.World, story.SceneInput{Turn: 7}), "scene", `{}`)
}

func TestKeysAreNamedOnlyWhenTheyAreSeen(t *testing.T) {
	b := crypt(t)
	key := *b.World.Thing("obj_031")
	key.Hidden = true
	b.Put(&key)
	if got := story.Scene(b.World, story.SceneInput{}); strings.Contains(got, "obj_031") || !strings.Contains(got,
		"Ossuary (n) [locked]") {
		t.Error(got)
	}
}

// TestDropOrder makes a world larger and larger, and holds what is left out against the order of game.md.
func TestDropOrder(t *testing.T) {
	marks := []string{
		"LORE third", "LORE second", "LORE first", "t45 ", "t46 ", "LAST ", "(condition: cracked)", "silver bowl",
		"pc_002: obj_031", "CLOCK ",
	}
	lore := []world.Record{
		&world.Lore{ID: "l1", Text: "first", Constant: true, Priority: 3}, &world.Lore{ID: "l2", Text: "second", Constant: true,
			Priority: 2},
		&world.Lore{ID: "l3", Text: "third", Constant: true, Priority: 1},
	}
	const longest = 250 // so that no line is cut while there is anything to leave out
	b := crypt(t, lore...)
	gone := 0
	for n := 0; n < 1300; n += 3 {
		self := *b.World.Self()
		self.Lines = nil
		for left := n; left > 0; left -= longest {
			self.Lines = append(self.Lines, strings.Repeat("x", min(left, longest)))
		}
		b.Put(&self)
		got := story.Scene(b.World, clockResult())
		left := 0
		for left < len(marks) && !strings.Contains(got, marks[left]) {
			left++
		}
		for _, m := range marks[left:] {
			if !strings.Contains(got, m) {
				t.Errorf("%d letters: %q was left out before %q", n, m, marks[left])
			}
		}
		if left < gone || left > gone+1 && left < len(marks) &&
			marks[left] != "(condition: cracked)" { // LAST goes with its last turn
			t.Errorf("%d letters: %d marks are left out, before it were %d", n, left, gone)
		}
		gone = left
	}
	if gone != len(marks) {
		t.Errorf("only %d of %d are left out", gone, len(marks))
	}
}

// TestTheWorstScene has more of everything that is never left out than there is room for.
func TestTheWorstScene(t *testing.T) {
	long := strings.Repeat("很", 400)
	self := &world.Self{Mode: long, Weather: long, ClockSet: true, Active: "pc" + long, Party: []string{"pc" + long}}
	hero := &world.Actor{ID: "pc" + long, Name: long, Place: "p" + long, HP: world.Known(987), HPMax: world.Known(1 << 62),
		State: long}
	records := []world.Record{hero, &world.Place{ID: "p" + long, Name: long, Desc: long, Situation: long}}
	for i := range 60 {
		id := fmt.Sprint(i, long)
		hero.Conditions = world.With(hero.Conditions, id, 9)
		self.Lines, self.Veils = append(self.Lines, id), append(self.Veils, id)
		records = append(records, &world.Place{ID: id, Name: long}, &world.Link{From: "p" + long, To: id, Dir: long, Door: long},
			&world.Thing{ID: "o" + id, Name: long, Parent: "pc" + long}, &world.Thing{ID: "h" + id, Name: long, Parent: "p" +
				long})
	}
	got := story.Scene(set(t, self, records...).World, story.SceneInput{Turn: -1 << 63, Says: long})
	if len(got) > story.MaxScene || !utf8.ValidString(got) || !strings.Contains(got, " HP987/4611686018427387904") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
	var begin []string
	for line := range strings.SplitSeq(got, "\n") {
		word, _, _ := strings.Cut(line, " ")
		begin = append(begin, word)
	}
	rulestest.Same(t, begin, []string{"SCENE", "AT", "EXITS", "PARTY", "CARRY", "LINES", "SAYS"})
}

// letters are names in several scripts, of very different lengths in bytes.
func letters(t *rapid.T, label string) string {
	base := rapid.SampledFrom([]string{"Lantern", "Старый фонарь", "青铜灯笼", "Ω🎲", "a\nb\x01", ""}).Draw(t, label)
	return strings.Repeat(base, rapid.SampledFrom([]int{1, 1, 2, 40}).Draw(t, label+" times"))
}

// crowd is a world that is much too large for a scene. Whatever is secret has "Secret" in it.
func crowd(t *rapid.T) *table {
	many := func(label string, most int) int {
		return rapid.SampledFrom([]int{0, 1, 3, most / 4, most}).Draw(t, label)
	}
	long := rapid.SampledFrom([]string{"", "", strings.Repeat("很", 90)}).Draw(t, "long ids")
	self := &world.Self{AllowAll: true, Active: "pc0" + long, ClockSet: rapid.Bool().Draw(t, "clock"), Weather: letters(t,
		"weather")}
	place := &world.Place{ID: "here" + long, Name: letters(t, "place"), Desc: letters(t, "desc"), Situation: letters(t,
		"situation"), Secret: true}
	records := []world.Record{place}
	add := func(r ...world.Record) { records = append(records, r...) }
	name, attr := letters(t, "name"), letters(t, "attr")
	for i := range many("exits", 100) {
		to := fmt.Sprintf("to%d%s", i, long)
		p := &world.Place{ID: to, Name: name}
		l := &world.Link{From: place.ID, To: to, Order: int64(i), Dir: name, Door: world.LockedDoor, Lock: fmt.Sprintf("obj%d",
			i)}
		switch i % 5 {
		case 3:
			p.Name, p.Secret = "Secret place", true
		case 4:
			p.Name, l.Hidden = "Secret way", true
		}
		add(p, l)
	}
	for i := range max(1, many("party", 50)) {
		a := &world.Actor{ID: fmt.Sprintf("pc%d%s", i, long), Name: name, HP: world.Known(987), HPMax: world.Known(1 << 40),
			Secret: "Secret", Place: place.ID}
		if i%3 == 2 {
			a.Place = "to0" + long
		}
		for range many("conditions", 12) {
			a.Conditions = world.With(a.Conditions, fmt.Sprintf("bad%d%s", len(a.Conditions), attr), 5)
		}
		self.Party = append(self.Party, a.ID)
		add(a, &world.Thing{ID: fmt.Sprintf("own%d%s", i, long), Name: name, Parent: a.ID},
			&world.Thing{ID: fmt.Sprintf("sec%d", i), Name: "Secret", Hidden: true, Parent: a.ID})
	}
	for i := range many("people", 60) {
		add(&world.Actor{ID: fmt.Sprintf("npc%d", i), Name: name, Place: place.ID, Wants: "Secret", Secret: "Secret",
			Attitude: int64(i%7 - 3)})
	}
	things := many("things", 300)
	for i := range things {
		thing := &world.Thing{ID: fmt.Sprintf("obj%d", i), Order: int64(i), Name: name, Parent: place.ID, Qty: int64(i),
			Attrs: map[string]string{"look": attr}}
		switch {
		case i%7 == 6:
			thing.Name, thing.Hidden = "Secret", true
		case i%5 == 4:
			thing.Closed = true
			add(&world.Thing{ID: fmt.Sprintf("in%d", i), Name: "Secret", Parent: thing.ID})
		case i > 10 && i%3 == 0:
			thing.Parent = fmt.Sprintf("obj%d", i-7)
		}
		add(thing)
	}
	for i := range many("lines", 40) {
		self.Lines, self.Veils = append(self.Lines, name+attr), append(self.Veils, attr)
		add(&world.Clock{ID: fmt.Sprintf("clock%d", i), Name: "Secret", Segments: 4}, &world.Clock{ID: fmt.Sprintf("seen%d", i),
			Name: name, Visible: true},
			&world.Quest{ID: fmt.Sprintf("quest%d", i), Title: name, State: world.Active, Objectives: []string{attr}},
			&world.Lore{ID: fmt.Sprintf("lore%d", i), Text: attr, Constant: true}, &world.Lore{ID: fmt.Sprintf("dark%d", i),
				Text: "Secret", Constant: true, Secret: true},
			&world.Fact{ID: fmt.Sprintf("fact%d", i), Text: "Secret", Secret: true, Witnesses: []string{"npc0"}})
	}
	return set(t, self, records...)
}

// TestSceneOfAnyWorld is game.md's A 10.
func TestSceneOfAnyWorld(t *testing.T) {
	check := func(t *rapid.T) {
		b := crowd(t)
		telling := story.SceneInput{Turn: rapid.Int64().Draw(t, "turn"), Says: letters(t, "says") + "!",
			Last: []story.Bullet{{Text: letters(t, "last")}}}
		got := story.Scene(b.World, telling)
		if len(got) > story.MaxScene || !utf8.ValidString(got) {
			t.Fatalf("%d bytes:\n%s", len(got), got)
		}
		if strings.Contains(got, "Secret") {
			t.Fatalf("a secret is told:\n%s", got)
		}
		want := []string{"SCENE t", "AT here", "EXITS ", "PARTY *pc0", "CARRY pc0", "SAYS"}
		if len(b.World.Self().Lines) > 0 {
			want = append(want, "LINES ")
		}
		lines := strings.Split(got, "\n")
		for _, w := range want {
			n := 0
			for _, l := range lines {
				if strings.HasPrefix(l, w) {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%d lines begin with %q:\n%s", n, w, got)
			}
		}
		if !strings.Contains(got, " HP987/1099511627776") {
			t.Fatalf("the actor's hit points are not there:\n%s", got)
		}
		if again := story.Scene(b.World.Clone(), telling); again != got {
			t.Fatalf("the same world, another scene:\n%s\n%s", got, again)
		}
	}
	rapid.Check(t, check)
	if os.Getenv("HOB_TEST_FULL") != "" {
		for range 100 {
			rapid.Check(t, check)
		}
	}
}

// BenchmarkScene is of a world of 10,000 entities, and of one that has most of them in one room.
func BenchmarkScene(b *testing.B) {
	for name, in := range map[string]int{"spread": 300, "one room": 9000} {
		records := []world.Record{&world.Actor{ID: "pc", Place: "p0", HP: world.Known(3)}}
		for i := range 200 {
			records = append(records, &world.Place{ID: fmt.Sprintf("p%d", i), Name: "Комната"}, &world.Link{From: "p0",
				To: fmt.Sprintf("p%d", i+1), Order: int64(i)},
				&world.Lore{ID: fmt.Sprintf("l%d", i), Keys: []string{"колокол", "Saint Orm"}, Text: strings.Repeat("слово ",
					20)},
				&world.Actor{ID: fmt.Sprintf("a%d", i), Name: "Страж", Place: fmt.Sprintf("p%d", i%20)})
		}
		for i := range 9000 {
			parent := "p0"
			if i >= in {
				parent = fmt.Sprintf("p%d", 1+i%199)
			}
			records = append(records, &world.Thing{ID: fmt.Sprintf("o%d", i), Order: int64(i), Name: "старый фонарь",
				Parent: parent, Attrs: map[string]string{"вид": "ржавый"}})
		}
		w := set(b, &world.Self{Party: []string{"pc"}, Active: "pc"}, records...).World
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				story.Scene(w, story.SceneInput{Says: "Где колокол?"})
			}
		})
	}
}
