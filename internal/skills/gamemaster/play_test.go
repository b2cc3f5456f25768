package gamemaster_test

import (
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
)

// TestAStoryWithoutAModel plays with plain commands alone.
func TestAStoryWithoutAModel(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	got := h.began("cosy")
	if len(got.choices) == 0 {
		t.Fatal("nothing can be picked")
	}
	got = h.sayAs("ana", got.choices[0].Text, got.choices[0].Pick)
	if !strings.Contains(got.reply.Text, "The Green") || got.ended.Reason != event.Done {
		t.Errorf("%s: %s", got.ended.Reason, got.reply.Text)
	}
	if place := h.log("cosy").World().Actor("pc_001").Place; place != "area_green" {
		t.Errorf("the hero is at %s", place)
	}
	if got = h.say("undo"); !strings.Contains(got.reply.Text, "taken back") {
		t.Error(got.reply.Text)
	}
	if got = h.say("recite a poem about the sea"); !strings.Contains(got.reply.Text, "storyteller") {
		t.Error(got.reply.Text)
	}
}

// TestPlainWordsWithoutAModel says what people say to a game that nobody tells.
func TestPlainWordsWithoutAModel(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	for _, test := range [][2]string{
		{"read the note", "no match will do"}, {"look at the oven", "cast with a wreath"}, {"green", "You go to The Green"},
		{"talk to the agent", "Ah. The heir."}, {"talk to him", "Ask about: the teahouse"}, {"ask him about the tape", "Nine years"},
		{"ask him about the tape", "Nine years"}, {"ask him about fish", "(the teahouse, the tape,"}, {"back", "The Singing Kettle — "},
		{"/mode round", "All say what they want to do"}, {"/mode initiative", "in order"}, {"/mode free", "Whoever speaks first"},
	} {
		if got := h.say(test[0]); !strings.Contains(got.reply.Text, test[1]) {
			t.Errorf("%q: %s", test[0], got.reply.Text)
		}
	}
	if turns := h.log("cosy").Turns(); turns != 7 {
		t.Errorf("%d turns: to look, and to hear again what was said, is none", turns)
	}
}

// TestAModelTellsAStory has a model call tools, and tell what came of them.
func TestAModelTellsAStory(t *testing.T) {
	model := llm.NewScript(
		llm.Do(llm.CallOf(1, "move_player", map[string]any{"player_id": "pc_001", "target_location_id": "area_green"})),
		llm.Say("Frost crunches under your boots as you step out onto the green. Mr. Voss looks up."),
	)
	h := newHouse(t, plan{model: model})
	h.began("cosy")
	got := h.say("I stroll over to the green, whistling, to see who is about")
	if want := "Frost crunches"; !strings.Contains(got.reply.Text, want) {
		t.Errorf("told: %s", got.reply.Text)
	}
	if place := h.log("cosy").World().Actor("pc_001").Place; place != "area_green" {
		t.Errorf("the hero is at %s", place)
	}
	t.Log(got.reply.Text, got.reply.Receipt, got.choices)
	for i, r := range model.Requests() {
		t.Logf("request %d: %d tools, last: %s", i, len(r.Tools), r.Messages[len(r.Messages)-1].Text)
	}
}

// TestJoinInAMap has others join a world that no tale says heroes for.
func TestJoinInAMap(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.standing.Scope = "group"
	h.began("map")
	for _, user := range []string{"bo", "cy"} {
		if got := h.sayAs(user, "/join "+strings.ToUpper(user), ""); !strings.Contains(got.reply.Text, "You are "+strings.ToUpper(user)) {
			t.Errorf("%s: %s", user, got.reply.Text)
		}
	}
	w := h.log("map").World()
	if party := w.Self().Party; len(party) != 3 || w.Actor(party[2]).Owner != "cy" || w.Actor(party[2]).Place != w.Actor(party[0]).Place {
		t.Errorf("the party is %v", party)
	}
}

// TestAToolOfTheGameAsACommand has a person's call of a tool be a whole turn: what follows from a turn by itself follows from it.
func TestAToolOfTheGameAsACommand(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.say("/move_player pc_001 area_green")
	s := h.log("cosy")
	parts, err := s.Parts(t.Context(), s.Head())
	if err != nil || len(parts) != 1 || !strings.HasSuffix(parts[0].Request, "!") || s.World().Actor("pc_001").Place != "area_green" {
		t.Errorf("%v: %+v", err, parts)
	}
}

// TestAMapSaysWhoIsWho has the names of the party below a picture, and those of places in it.
func TestAMapSaysWhoIsWho(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.standing.Platform = "telegram"
	h.began("cosy zh")
	hero := h.log("cosy").World().Actor("pc_001").Name
	got := h.say("地图")
	if len(got.reply.Files) != 1 || got.reply.Files[0].Caption != string([]rune(hero)[:1])+" "+hero {
		t.Errorf("%+v", got.reply.Files)
	}
}

// Words that a model says in place of calls are the telling, if they hold: it is asked once. A line that only says that nothing is to be
// called, and words that do not hold, are not told: then it is asked to tell.
func TestWordsInPlaceOfCallsAreTold(t *testing.T) {
	const told = "You turn once about the room, a hand on nobody's shoulder, and the chairs look on. It ends where it began."
	for name, c := range map[string]struct {
		first, want string
		requests    int
	}{
		"a telling":     {told, "the chairs look on", 1},
		"a short line":  {"Done.", "The dust settles.", 2},
		"an invention":  {"You dance, and under the last chair you find a golden crown, which you put on your head at once.", "The dust settles.", 2},
		"nothing at it": {"", "The dust settles.", 3},
	} {
		t.Run(name, func(t *testing.T) {
			model := llm.NewScript(llm.Say(c.first), llm.Say("The dust settles."), llm.Say("The dust settles."))
			h := newHouse(t, plan{model: model})
			h.began("cosy")
			got := h.say("I dance a waltz with nobody at all")
			if !strings.Contains(got.reply.Text, c.want) || strings.Contains(got.reply.Text, "crown") || h.log("cosy").Turns() != 1 {
				t.Errorf("%d turns, told: %s", h.log("cosy").Turns(), got.reply.Text)
			}
			if n := len(model.Requests()); n > c.requests {
				t.Errorf("%d requests", n)
			}
		})
	}
}
