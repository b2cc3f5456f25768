package gamemaster_test

import (
	"strings"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// reads says words and reports what of an answer is missing in it.
func (h *house) reads(words string, want ...string) string {
	h.t.Helper()
	got := h.say(words).reply.Text
	for _, text := range want {
		if !strings.Contains(got, text) {
			h.t.Errorf("%q: %q is not in %q", words, text, got)
		}
	}
	return got
}

// Commands of one sentence are one turn, each in the world that the one before it made; what cannot be done is told below what was.
func TestSequence(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.reads("go to the orchard, open the birdhouse and take all", "You go to Oda's Orchard", "lift the little roof", "The key is cold")
	h.reads("go home and take the moon", "The Singing Kettle — ", "There is no “moon” here")
	h.reads("take the note and juggle knives", "Did you mean: “take the note”?")
	if len(h.log("cosy").World().Contents("pc_001")) != 2 {
		t.Error("half of a sentence was done")
	}
	h.reads("undo")
	if h.place("pc_001") != "area_orchard" {
		t.Error("undo does not take the turn back, and no more")
	}
}

// What is read or looked at between other commands is shown, also where it was left behind.
func TestLooksInASequence(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.reads("look at the oven, take the note, read it and go to the green", "A live ember of its own fire", "only fire of our own fire", "You go to The Green")
}

// A journey stops where the clock that ends the story comes to its end: nobody walks on through the flood.
func TestAJourneyStops(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.say("go to the green")
	h.say("go to ferry lane")
	h.say("go to the landing")
	_, err := h.log("cosy").Play(t.Context(), eventlog.Request{ID: "late", Table: true, Open: true, Edit: func(w *world.World, _ rules.Counts) ([]world.Event, error) {
		next := *w.Clock("clock_dusk")
		next.Filled, next.Since = next.Segments-1, w.Self().Minute-24 // six minutes are left
		return []world.Event{{Old: w.Clock("clock_dusk"), New: &next}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := h.reads("go home", "Six strokes over an unlit table")
	if strings.Contains(got, "by way of Ferry Lane, The Green") || h.place("pc_001") != "area_green" {
		t.Errorf("at %s: %s", h.place("pc_001"), got)
	}
	h.reads("look", "A square of frosty grass")
	h.reads("go north", "has come to its end")
}

// What somebody holds is stolen with a check, as the tale says how hard that is; nobody answers a theft as if it were a question.
func TestTheft(t *testing.T) {
	for _, c := range [][2]string{{"en", "steal the tape from Voss"}, {"ru", "укради рулетку у Фосса"}, {"zh", "偷卷尺"}} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + c[0])
		h.say(map[string]string{"en": "go to the green", "ru": "идти на лужайку", "zh": "去草坪"}[c[0]])
		got := h.reads(c[1])
		taken := h.log("cosy").World().Thing("obj_tape").Parent == "pc_001"
		if len(h.log("cosy").World().Actor("pc_001").Tried)+map[bool]int{true: 1}[taken] == 0 {
			t.Errorf("%s: %s", c[1], got)
		}
	}
}

// A check that failed is told as such, and a second try by why there is none. Neither is told as if nobody could do it.
func TestAFailedCheckIsTold(t *testing.T) {
	for lang, c := range map[string]struct{ walk, steal, never, again string }{
		"en": {"go to the green", "steal the tape from Voss", "That cannot be done", "That has just been tried."},
		"ru": {"идти на лужайку", "украсть рулетку у Фосса", "Так не получится", "Это только что пробовали."},
		"zh": {"去草坪", "偷卷尺", "这办不到", "这个刚刚试过了。"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		h.say(c.walk)
		got := h.say(c.steal).reply.Text
		if h.log("cosy").World().Thing("obj_tape").Parent == "pc_001" {
			t.Fatalf("%s: the check is to fail: %s", lang, got)
		}
		again := h.say(c.steal).reply.Text
		if strings.Contains(got+again, c.never) || !strings.HasPrefix(again, c.again) || strings.Contains(again, "\n") {
			t.Errorf("%s: %s\n%s", lang, got, again)
		}
	}
}

// A wait that would end the story is no turn: one that does not is offered in its place, and one to the end, which is no longer than that.
func TestATooLongWait(t *testing.T) {
	for lang, c := range map[string]struct{ wait, asks string }{
		"en": {"wait 9 hours", "1. wait until 2:00, 2. let it end"},
		"ru": {"ждать 9 часов", "1. ждать до 2:00, 2. пусть кончается"},
		"zh": {"等9个小时", "1. 等到2:00、2. 由它结束"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("mystery " + lang)
		h.reads(c.wait, c.asks)
		h.reads("2", "2:30")
		if self := h.log("mystery").World().Self(); !self.Ended || self.Minute%(24*60) != 2*60+30 {
			t.Errorf("%s: who waits to the end of the clock has ended %v, at minute %d", lang, self.Ended, self.Minute%(24*60))
		}
	}
}

// What somebody hears without an answer does not keep a player from going on.
func TestToldAndGone(t *testing.T) {
	for lang, c := range map[string][3]string{
		"en": {"go to the green", "tell Voss about the dragon, and go home", "Mr. Voss listens"},
		"ru": {"идти на лужайку", "рассказать Фоссу про дракона, и идти домой", "Господин Фосс слушает"},
		"zh": {"去草坪", "告诉福斯龙的事，然后回家", "福斯先生"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		h.say(c[0])
		if got := h.say(c[1]).reply.Text; !strings.HasPrefix(got, c[2]) || h.place("pc_001") != "area_teahouse" {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Words that were heard before are heard again also where more is commanded behind the question, and the question is no turn.
func TestKnownWordsInASequence(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.say("go to the green")
	h.reads("ask Voss about the tape", "Nine years")
	h.reads("ask Voss about the tape and go to the mill", "Nine years", "Ways lead to")
	h.reads("ask Voss about the tape, ask him about the teahouse", "Nine years", "If there is no supper")
	h.reads("ask Voss about the tape, then go home", "Nine years", "The Singing Kettle — ")
}

// What is open already is no reason not to take what is in it, and nothing else.
func TestOpenAlreadyAndTaken(t *testing.T) {
	for lang, c := range map[string][4]string{
		"en": {"go to the guardroom", "open the crate", "open the crate and take all", "spear"},
		"ru": {"иди в караульню", "открой ящик", "открой ящик и возьми всё", "копьё"},
		"zh": {"去卫兵室", "打开箱子", "打开箱子，全部拿走", "长矛"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("dungeon " + lang)
		for _, words := range append([]string{"d", "s"}, c[:2]...) {
			h.say(words)
		}
		got := h.say(c[2]).reply.Text
		if w := h.log("dungeon").World(); w.Thing("obj_bandages").Parent != "pc_001" || w.Thing("obj_spear").Parent == "pc_001" {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Who is with two people is asked whom they would hit: nobody answers for the other.
func TestNobodyAnswersForAnother(t *testing.T) {
	for lang, c := range map[string][2]string{"en": {"hit them", "Hester Vane, Mr. Crane."}, "ru": {"поцеловать их", "Эстер Вейн, Господин Крейн."}, "zh": {"威胁他们", "海丝特·维恩、克莱恩先生。"}} {
		h := newHouse(t, plan{noModel: true})
		h.began("mystery " + lang)
		h.reads(c[0], c[1])
	}
}

// The hour and the day are said as people say them.
func TestWhatTimeItIs(t *testing.T) {
	for lang, c := range map[string][2]string{
		"en": {"what time is it?", "14:00, afternoon, 31 October 812"},
		"ru": {"который час?", "14:00, день, 31 октября 812 года"},
		"zh": {"几点了？", "812年10月31日，下午，14:00"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		h.reads(c[0], c[1])
	}
}

// Eight commands in a line are one turn, and a fire is lit without a word of what is put where.
func TestAFireAndALongLine(t *testing.T) {
	for lang, c := range map[string][4]string{
		"en": {"open birdhouse, take key, go home, unlock trapdoor, go down, take pot and open tin and take letters", "light the fire", "You have nothing", "make a fire"},
		"ru": {"открой скворечник, возьми ключ, иди домой, открой люк, иди вниз, возьми горшок, открой жестянку и возьми письма", "разожги огонь", "нечем", "разведи огонь"},
		"zh": {"打开鸟屋，拿钥匙，回家，打开活板门，下去，拿火种罐，打开饼干盒，拿信", "生火", "点火的东西", "点火"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		for _, words := range []string{"n", c[0]} {
			h.say(words)
		}
		if w := h.log("cosy").World(); w.Thing("obj_letters").Parent != "pc_001" || w.Thing("obj_pot").Parent != "pc_001" {
			t.Errorf("%s: the letters are in %s", lang, w.Thing("obj_letters").Parent)
		}
		h.say("u")
		h.reads(c[1], c[2])
		h.reads(c[3], c[2])
	}
}

// What is not understood is said in three ways, however often something else was understood between.
func TestWaysOfNotUnderstanding(t *testing.T) {
	for lang, look := range map[string]string{"en": "look", "ru": "осмотреться", "zh": "看"} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		first := map[string]bool{}
		for range 3 {
			line, _, _ := strings.Cut(h.say("frobnicate").reply.Text, "\n")
			first[line] = true
			h.say(look)
		}
		if len(first) != 3 {
			t.Errorf("%s: %v", lang, first)
		}
	}
}

// Whom a player has just accused, or shown something, is him from then on, though nothing came of it.
func TestHeIsWhoWasAccused(t *testing.T) {
	for lang, c := range map[string][4]string{
		"en": {"talk to Hester", "accuse Crane", "ask him about the lens", "Mr. Crane: “A pretty thing"},
		"ru": {"поговори с Эстер", "обвини Крейна", "спроси его о линзе", "Господин Крейн: «Говорят"},
		"zh": {"跟海丝特说话", "指控克莱恩", "问他透镜的事", "克莱恩先生：“听说"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("mystery " + lang)
		h.say(c[0])
		h.say(c[1])
		h.reads(c[2], c[3])
	}
}

// What is shown to somebody is no look at them.
func TestShownAndNotLookedAt(t *testing.T) {
	for lang, c := range map[string][3]string{
		"en": {"go to the parlour", "show the bag to the constable", "The island's constable"},
		"ru": {"иди в гостиную", "покажи саквояж констеблю", "Здешний констебль"},
		"zh": {"去小客厅", "把药箱给警官看", "岛上的警官"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("mystery " + lang)
		h.say(c[0])
		if got := h.say(c[1]).reply.Text; strings.Contains(got, c[2]) || !strings.HasPrefix(got, h.log("mystery").World().Beat("npc_ferris.shown").Texts[0]) {
			t.Errorf("%s: %s", lang, got)
		}
	}
}
