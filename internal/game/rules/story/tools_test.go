package story_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

func TestLook(t *testing.T) {
	b := crypt(t)
	b.ok(`{"place":{"id":"area_007","name":"Flooded Crypt","description":"Knee-deep water.","situation":"It rises."},`+
		`"exits":[{"to_area_id":"area_008","name":"Ossuary","direction":"n","door":"locked"},{"to_area_id":"area_003","name":"Stairs","direction":"u","door":""}],`+
		`"actors":[{"id":"npc_004","name":"Brother Osric","state":"alive"}],`+
		`"objects":[{"id":"obj_022","name":"altar","contents":[{"id":"obj_025","name":"silver bowl"}]},`+
		`{"id":"obj_029","name":"iron chest","contents":[{"id":"obj_033","name":"lid"}]}]}`,
		"Flooded Crypt\nKnee-deep water.\nIt rises.\nExits: north — Ossuary (locked); up — Stairs.\nHere: Brother Osric.\n"+
			"In sight: altar (silver bowl); iron chest (lid).", "look", `{}`)
	b.ok(`{"object":{"id":"obj_029","name":"iron chest","description":"","closed":true,"locked":false},"contents":[{"id":"obj_033","name":"lid"}]}`,
		"iron chest\nlid", "look", `{"target_id":"obj_029"}`)
	b.ok(`{"actor":{"id":"npc_004","name":"Brother Osric","description":"","state":"alive"},"objects":[{"id":"obj_002","name":"bag"}]}`,
		"Brother Osric\nCarries: bag.", "look", `{"target_id":" npc_004"}`)
	b.ok(`{"actor":{"id":"pc_001","name":"Jack","description":"","state":"alive"},"objects":[{"id":"obj_001","name":"knife","qty":2}]}`,
		"Jack\nCarries: knife ×2.", "look", `{"target_id":"pc_001"}`)
	for _, id := range []string{"obj_025", "obj_002", "obj_001", "area_007"} {
		if o := b.Call("look", `{"target_id":"`+id+`"}`); !o.OK() || strings.Contains(string(o.Result), "Secret") {
			t.Errorf("%s: %s (%s)", id, o.Result, b.Text(o))
		}
	}
	for _, id := range []string{"obj_030", "obj_032", "obj_003", "obj_031", "pc_002", "area_008", "area_009", "nothing"} {
		b.no("not_visible", id, "look", `{"target_id":"`+id+`"}`)
	}
	set(t, &world.Self{}, &world.Actor{ID: "a"}).no("entity_not_found", "nobody who could", "look", `{}`)
	set(t, &world.Self{}).no("entity_not_found", "nobody who could", "look", `{}`)
}

func TestNothingIsInACircle(t *testing.T) {
	b := set(t, &world.Self{Active: "a"}, &world.Place{ID: "p", Name: "P"}, &world.Actor{ID: "a", Name: "A", Place: "p"},
		&world.Thing{ID: "p", Name: "same id", Parent: "p"}, &world.Thing{ID: "a", Name: "same id", Parent: "a"},
		&world.Thing{ID: "x", Parent: "y"}, &world.Thing{ID: "y", Parent: "x"})
	b.ok(`{"place":{"id":"p","name":"P","description":"","situation":""},"exits":[],"actors":[],"objects":[{"id":"p","name":"same id"}]}`,
		"P\nIn sight: same id.", "look", `{}`)
}

func TestAdvanceTime(t *testing.T) {
	b := crypt(t, &world.Clock{ID: "c1", Order: 5, Name: "Alarm", Segments: 4, Filled: 2, Visible: true, PerMinutes: 60,
		Since: 2740, OnFull: "Guards."},
		&world.Clock{ID: "c2", Order: 6, Name: "Secret clock", Segments: 4, PerMinutes: 60, Since: 2740})
	b.ok(`{"clock":"0001-01-02 23:40","daypart":"night","minutes":120,"expired":[{"actor_id":"pc_001","name":"poisoned"}],`+
		`"ticked":[{"clock_id":"c1","by":2,"full":true},{"clock_id":"c2","by":2,"full":false}]}`,
		"Minutes passed: 120. It is now 0001-01-02 23:40. Jack: “poisoned” is over. The clock “Alarm” is full. Guards.",
		"advance_time", `{"minutes":120,"reason":"rest"}`)
	for _, args := range []string{`{}`, `{"minutes":0}`, `{"minutes":10081}`, `{"minutes":1.5}`, `{"minutes":"5"}`} {
		b.no("invalid_args", "minutes", "advance_time", args)
	}
	set(t, &world.Self{}).no("no_clock", "no clock", "advance_time", `{"minutes":5}`)
	set(t, &world.Self{ClockSet: true, Minute: 1<<63 - 5}).no("no_clock", "calendar", "advance_time", `{"minutes":10}`)
}

func TestClock(t *testing.T) {
	b := set(t, &world.Self{Minute: 30})
	b.ok(`{"clock":{"id":"clock_001","name":"Tide","filled":0,"segments":6,"closed":false}}`, "The clock “Tide” begins: 0 of 6.",
		"clock", `{"action":"create","name":" Tide ","on_full":"It floods.","per_minutes":10,"on_fail":true}`)
	rulestest.Same(t, b.World.Clock("clock_001"), &world.Clock{
		ID: "clock_001", Order: 1001, Name: "Tide", Segments: 6, Visible: true, OnFull: "It floods.", PerMinutes: 10, Since: 30,
		OnFail: true,
	})
	b.ok(`{"clock":{"id":"clock_001","name":"Tide","filled":1,"segments":6,"closed":false}}`, "The clock “Tide”: 1 of 6.",
		"clock", `{"action":"tick","id":"clock_001"}`)
	b.ok(`{"clock":{"id":"clock_001","name":"Tide","filled":5,"segments":6,"closed":false}}`, "The clock “Tide”: 5 of 6.",
		"clock", `{"action":"set","name":"Tide","n":5}`)
	b.ok(`{"clock":{"id":"clock_001","name":"Tide","filled":6,"segments":6,"closed":false},"full":true}`,
		"The clock “Tide” is full. It floods.",
		"clock", `{"action":"tick","id":"Tide","n":9223372036854775807}`)
	b.no("clock_full", "full already", "clock", `{"action":"tick","id":"clock_001"}`)
	b.ok(`{"clock":{"id":"clock_001","name":"Tide","filled":6,"segments":6,"closed":true},"full":true}`,
		"The clock “Tide” is closed.", "clock", `{"action":"close","id":"clock_001"}`)
	b.no("clock_closed", "Tide", "clock", `{"action":"tick","id":"clock_001"}`)
	b.ok(`{"clock":{"id":"clock_002","name":"Plot","filled":0,"segments":4,"closed":false}}`, "Noted.", "clock",
		`{"action":"create","name":"Plot","segments":4,"visible":false}`)
	b.ok(`{"clock":{"id":"clock_002","name":"Plot","filled":4,"segments":4,"closed":false},"full":true}`, "Noted.", "clock",
		`{"action":"set","id":"clock_002","n":4}`)
	for args, want := range map[string][2]string{
		`{"action":"create"}`: {"invalid_args", "80"},
		`{"action":"create","name":"` + strings.Repeat("x", 81) + `"}`:                {"invalid_args", "80"},
		`{"action":"create","name":"x","on_full":"` + strings.Repeat("x", 301) + `"}`: {"invalid_args", "300"},
		`{"action":"create","name":"x","segments":5}`:                                 {"invalid_args", "4, 6, 8, 10 or 12"},
		`{"action":"create","name":"x","segments":14}`:                                {"invalid_args", "12"},
		`{"action":"tick","id":"nothing"}`:                                            {"entity_not_found", "nothing"},
		`{"action":"tick","name":"Tide"}`:                                             {"entity_not_found", "Tide"},
		`{"action":"tick"}`:                                                           {"entity_not_found", "clock"},
		`{"action":"tick","id":"clock_002","n":0}`:                                    {"invalid_args", "1 or more"},
		`{"action":"set","id":"clock_002"}`:                                           {"invalid_args", "4"},
		`{"action":"set","id":"clock_002","n":5}`:                                     {"invalid_args", "4"},
		`{"action":"wind","id":"clock_002"}`:                                          {"invalid_args", "close"},
	} {
		b.no(want[0], want[1], "clock", args)
	}
}

func TestQuest(t *testing.T) {
	b := set(t, &world.Self{}, &world.Actor{ID: "npc"}, &world.Quest{ID: "q", Title: "Offer", State: world.Offered})
	b.ok(`{"quest":{"id":"quest_001","title":"Bell","state":"active","objectives":[{"text":"enter","done":false},{"text":"find","done":false}]}}`,
		"New quest: “Bell”.", "quest", `{"action":"add","title":"Bell","objectives":["enter"," find","Enter",""],"giver":"npc"}`)
	b.ok(`{"quest":{"id":"quest_001","title":"Bell","state":"active","objectives":[{"text":"enter","done":true},{"text":"find","done":false}]}}`,
		"The quest “Bell”: 1 of 2 done.", "quest", `{"action":"update","id":"quest_001","objective":"ENTER"}`)
	b.ok(`{"quest":{"id":"quest_001","title":"Bell","state":"active","objectives":[{"text":"enter","done":true},{"text":"find","done":false},{"text":"flee","done":false}]}}`,
		"The quest “Bell”: 1 of 3 done.", "quest", `{"action":"update","title":"bell","objective":"flee"}`)
	b.ok(`{"quest":{"id":"quest_001","title":"Bell","state":"done","objectives":[{"text":"enter","done":true},{"text":"find","done":true},{"text":"flee","done":true}]}}`,
		"The quest “Bell” is complete.", "quest", `{"action":"complete","id":"quest_001"}`)
	b.ok(`{"quest":{"id":"q","title":"Offer","state":"active","objectives":[{"text":"look","done":true}]}}`,
		"The quest “Offer”: 1 of 1 done.", "quest", `{"action":"update","id":"q","objective":"look","done":true}`)
	b.ok(`{"quest":{"id":"q","title":"Offer","state":"failed","objectives":[{"text":"look","done":true}]}}`,
		"The quest “Offer” has failed.", "quest", `{"action":"fail","id":"q"}`)
	for args, want := range map[string][2]string{
		`{"action":"add"}`: {"invalid_args", "120"}, `{"action":"add","title":"x","giver":"nobody"}`: {"entity_not_found",
			"nobody"},
		`{"action":"add","title":"x","objectives":["` + strings.Repeat("x", 201) + `"]}`: {"invalid_args", "200"},
		`{"action":"update","id":"nothing","objective":"x"}`:                             {"entity_not_found", "nothing"},
		`{"action":"complete","id":"q"}`:                                                 {"quest_over", "Offer"},
	} {
		b.no(want[0], want[1], "quest", args)
	}
	b.Call("quest", `{"action":"add","title":"Long"}`)
	b.no("invalid_args", "objective", "quest", `{"action":"update","title":"Long"}`)
	for i := range 20 {
		b.Call("quest", fmt.Sprintf(`{"action":"update","title":"Long","objective":"step %d"}`, i))
	}
	b.no("invalid_args", "20", "quest", `{"action":"update","title":"Long","objective":"one more"}`)
}

func TestLore(t *testing.T) {
	b := set(t, &world.Self{})
	b.ok(`{"lore_id":"lore_001"}`, "Noted: bell, Saint Orm.", "lore_add",
		`{"keys":["bell"," Saint Orm","bell",""],"text":" It hums. ","priority":2}`)
	rulestest.Same(t, b.World.Lore("lore_001"), &world.Lore{ID: "lore_001", Order: 1001, Keys: []string{"bell", "Saint Orm"},
		Text: "It hums.", Priority: 2})
	b.ok(`{"lore_id":"lore_002"}`, "Noted.", "lore_add", `{"keys":["bell"],"text":"Secret.","secret":true,"constant":true}`)
	b.ok(`{"lore_id":"lore_003"}`, "Noted: bell.", "lore_add",
		`{"keys":["bell"],"text":"It is old.","priority":3,"constant":true}`)
	b.ok(`{"entries":[{"lore_id":"lore_003","keys":["bell"],"text":"It is old."},{"lore_id":"lore_001","keys":["bell","Saint Orm"],"text":"It hums."}]}`,
		"It is old.\nIt hums.", "lore_search", `{"query":"What of the Bells?"}`)
	b.ok(`{"entries":[{"lore_id":"lore_001","keys":["bell","Saint Orm"],"text":"It hums."}]}`, "It hums.", "lore_search",
		`{"query":"orm"}`)
	b.ok(`{"entries":[{"lore_id":"lore_003","keys":["bell"],"text":"It is old."}]}`, "It is old.", "lore_search",
		`{"query":"OLD"}`)
	b.ok(`{"entries":[]}`, "Nothing is written down about “Secret”.", "lore_search", `{"query":"Secret"}`)
	many := `"` + strings.Join(strings.Split("abcdefghijklm", ""), `","`) + `"`
	for _, args := range []string{
		`{"keys":[],"text":"x"}`, `{"keys":["?!"],"text":"x"}`, `{"keys":["` + strings.Repeat("x", 61) + `"],"text":"x"}`,
		`{"keys":[` + many + `],"text":"x"}`,
		`{"keys":["a"],"text":"` + strings.Repeat("x", 601) + `"}`, `{"keys":["a"],"text":"x","secondary":[` + many + `]}`,
		`{"keys":["a"],"text":" "}`,
	} {
		b.no("invalid_args", "", "lore_add", args)
	}
}

func TestLoreComesUp(t *testing.T) {
	for _, c := range []struct {
		keys  string
		words string
		up    bool
	}{
		{"bell", "Ring the BELL!", true}, {"bell", "two bells", true}, {"bell", "his belly", false}, {"art", "a part of it",
			false},
		{"box", "boxes", true}, {"art", "the article", false}, {"Saint Orm", "of saint orm.", true}, {"Saint Orm",
			"Orm, a saint", false},
		{"Saint Orm", "saint, Orm", true}, {"42", "room 42", true}, {"4", "room 42", false}, {"", "anything", false}, {"?!",
			"what?!", false},
		{"колокол", "Где колокола?", true}, {"колокол", "под колоколами", true}, {"колокол", "колокольчикам", false}, {"башня",
			"у башни", true},
		{"башня", "за башнями", true}, {"Ведьма", "к ведьме", true}, {"маг", "магов", true}, {"маг", "магический", false},
		{"рог", "порог", false},
		{"Старая башня", "в старой башне", true}, {"Старая башня", "старый дом у башни", false}, {"король", "короля", true},
		{"герой", "герб", false}, {"герой", "героям", true}, {"Зелёный", "зелёного", true}, {"ель", "ели", false},
		{"钟", "那口钟在哪里", true}, {"圣奥姆", "圣奥姆的钟", true}, {"圣奥姆", "奥姆", false}, {"Orm 的钟", "orm 的钟", true},
	} {
		b := set(t, &world.Self{}, &world.Lore{ID: "l", Keys: []string{c.keys}})
		if got := len(story.ActiveLore(b.World, c.words, 3)) == 1; got != c.up {
			t.Errorf("the key %q in %q: %v", c.keys, c.words, got)
		}
	}
	for _, c := range []struct {
		logic, words string
		up           bool
	}{
		{"", "bell", false}, {"", "bell tower", true}, {"any", "bell crypt", true}, {"all", "bell crypt", false}, {"all",
			"bell crypt towers", true},
		{"none", "bell", true}, {"none", "bell tower", false}, {"any", "tower", false},
	} {
		l := &world.Lore{ID: "l", Keys: []string{"bell"}, Secondary: []string{"tower", "crypt"}, Logic: c.logic}
		if got := len(story.ActiveLore(set(t, &world.Self{}, l).World, c.words, 3)) == 1; got != c.up {
			t.Errorf("%s %q: %v", c.logic, c.words, got)
		}
	}
	b := set(t, &world.Self{})
	for i := range 5 {
		b.Put(&world.Lore{ID: fmt.Sprint(i), Order: int64(i), Constant: true, Priority: []int64{0, -1 << 63, 1<<63 - 1, 0, 5}[i]})
	}
	var ids []string
	for _, l := range story.ActiveLore(b.World, "", 4) {
		ids = append(ids, l.ID)
	}
	rulestest.Same(t, ids, []string{"2", "4", "0", "3"})
}

// Lore stays up and rests by what was said in the turns before: b for words that bring it up, . for others, the newest last.
func TestLoreStaysAndRests(t *testing.T) {
	for _, c := range []struct {
		sticky, cooldown int64
		said, up         string // by turn
	}{
		{0, 0, "b.bb.", "b.bb."},
		{2, 0, "b....b.", "bbb..bb"},
		{2, 0, "bb...", "bbb.."}, // it is not stretched by being named again
		{0, 2, "bbbbbbb", "b..b..b"},
		{1, 2, "bbbbb.b", "bb..bb."},
		{1, 2, "b......b", "bb.....b"},
		{-3, -1, "bb.", "bb."},
	} {
		w := set(t, &world.Self{}, &world.Lore{ID: "l", Keys: []string{"bell"}, Sticky: c.sticky, Cooldown: c.cooldown},
			&world.Lore{ID: "s", Keys: []string{"bell"}, Sticky: 9, Secret: true}).World
		var recent []string
		got := ""
		for _, r := range c.said {
			words := "a lamp"
			if r == 'b' {
				words = "the bell"
			}
			if len(story.ActiveLore(w, words, 3, recent...)) > 0 {
				got += "b"
			} else {
				got += "."
			}
			scene := story.Scene(w, story.SceneInput{Says: words, Recent: recent})
			rulestest.Same(t, strings.Contains(scene, "LORE"), strings.HasSuffix(got, "b"))
			recent = append([]string{words}, recent...)
		}
		if got != c.up {
			t.Errorf("sticky %d, cooldown %d: %s is %s, not %s", c.sticky, c.cooldown, c.said, got, c.up)
		}
	}
}

// With as many turns as Reach says the same lore is up as with all of them, as long as it does not stay and rest for longer.
func TestReach(t *testing.T) {
	plain := set(t, &world.Self{}, &world.Lore{ID: "l", Keys: []string{"bell"}}, &world.Lore{ID: "s", Sticky: 1, Secret: true}).World
	rulestest.Same(t, story.LoreReach(plain, 40), 0)
	w := set(t, &world.Self{}, &world.Lore{ID: "l", Keys: []string{"bell"}, Sticky: 1, Cooldown: 3}).World
	for depth, want := range map[int64]int{-1: 16, 0: 16, 1: 17, 15: 31, 16: 16, 17: 17, 1<<63 - 1: 31} {
		rulestest.Same(t, story.LoreReach(w, depth), want)
	}
	var recent []string
	up := ""
	for depth := int64(1); depth <= 60; depth++ { // named each turn: up for two, at rest for three
		reach := min(story.LoreReach(w, depth), len(recent))
		if len(story.ActiveLore(w, "bell", 1, recent[:reach]...)) > 0 {
			up += "b"
		} else {
			up += "."
		}
		recent = append([]string{"bell"}, recent...)
	}
	rulestest.Same(t, up[:31], strings.Repeat("bb...", 7)[:31])
	if strings.Contains(up, "bbbbb") || strings.Contains(up, "......") {
		t.Errorf("what rests begins anew each turn: %s", up)
	}
}

func TestRecap(t *testing.T) {
	b := set(t, &world.Self{})
	b.ok(`{"bullets":[]}`, "Nothing has happened yet.", "recap", `{}`)
	asked := 0
	applied := func(tool string, changed bool, says string) rules.Outcome {
		return rules.Outcome{Call: rules.Call{Tool: tool}, Status: rules.Applied, Changed: changed,
			Say: rules.Sentence{Key: "look.text", Args: []string{says}}}
	}
	b.Turn.Services.Recent = func(n int) []rules.PastTurn {
		asked = n
		return []rules.PastTurn{
			{Turn: 3, Outcomes: []rules.Outcome{applied("skill_check", false, "Ann fails."), applied("look", false, "A hall.")}},
			{Turn: 2, Outcomes: []rules.Outcome{{Call: rules.Call{Tool: "move"}, Status: rules.Rejected, Changed: true},
				applied("look", false, "A hall.")}},
			{Turn: 1, Outcomes: []rules.Outcome{applied("move", true, "Ann\n goes."), applied("move", true, "Ann goes."),
				applied("quest", true, "A quest.")}},
		}
	}
	b.ok(`{"bullets":[{"turn":1,"text":"Ann goes. A quest."},{"turn":3,"text":"Ann fails."}]}`,
		"• Ann goes. A quest.\n• Ann fails.", "recap", `{}`)
	rulestest.Same(t, asked, 10)
	b.ok(`{"bullets":[{"turn":3,"text":"Ann fails."}]}`, "• Ann fails.", "recap", `{"since":1}`)
	rulestest.Same(t, asked, 50)
	b.Call("recap", `{"turns":3,"since":1}`)
	rulestest.Same(t, asked, 3)
	b.no("invalid_args", "50", "recap", `{"turns":51}`)
	b.no("invalid_args", "turns", "recap", `{"turns":0}`)
}

func TestSafety(t *testing.T) {
	b := set(t, &world.Self{})
	b.ok(`{"lines":[],"veils":[]}`, "Lines: —. Veils: —.", "safety", `{"action":"show","text":"not kept"}`)
	b.ok(`{"lines":["spiders"],"veils":[]}`, "Lines: spiders. Veils: —.", "safety", `{"action":"line_add","text":" spiders "}`)
	b.ok(`{"lines":["spiders"],"veils":["gore"]}`, "Lines: spiders. Veils: gore.", "safety",
		`{"action":"veil_add","text":"gore"}`)
	b.ok(`{"lines":["spiders","harm"],"veils":["gore"]}`, "Lines: spiders; harm. Veils: gore.", "safety",
		`{"action":"xcard","text":"harm"}`)
	b.ok(`{"lines":["spiders","harm"],"veils":["gore"]}`, "Lines: spiders; harm. Veils: gore.", "safety", `{"action":"xcard"}`)
	b.no("invalid_args", "text", "safety", `{"action":"line_add"}`)
	b.no("invalid_args", "120", "safety", `{"action":"line_add","text":"`+strings.Repeat("x", 121)+`"}`)
	for i := range 37 {
		b.Call("safety", fmt.Sprintf(`{"action":"veil_add","text":"%d"}`, i))
	}
	b.no("invalid_args", "40", "safety", `{"action":"line_add","text":"one more"}`)
	if o := b.Call("safety", `{"action":"line_add","text":"harm"}`); !o.OK() || o.Changed {
		t.Error("what is a line already is refused, or changes the world")
	}
}
