package gamemaster_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"hob/internal/event"
	"hob/internal/llm"
)

// gives is a model that goes to the green and gives Mr. Voss the spoon, and tells it in these words.
func gives(words string) llm.Model {
	return speaking(func(req llm.Request) llm.Step {
		switch {
		case asksToTell(req):
			return llm.Say(words)
		case results(req) == 0:
			return llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`),
				called(2, "move_object", `{"object_id":"obj_spoon_001","target_id":"npc_voss"}`))
		}
		return llm.Say("Done.")
	})
}

// A narration is read sentence by sentence. At the first wrong one the engine's words complete it; a gift that it leaves out is told
// below it, and nothing more.
func TestANarrationIsCompleted(t *testing.T) {
	const gift = "You give the pear-wood spoon to Mr. Voss."
	for name, c := range map[string]struct{ words, begins, has, never string }{
		"whole":       {"The wind turns. You put the spoon into Mr. Voss's hand.", "The wind turns. You put the spoon into Mr. Voss's hand.", "", gift},
		"no gift":     {"The wind turns. You wait.", "The wind turns. You wait.\n\n" + gift, "", "You go to The Green."},
		"broken off":  {"The wind turns. You find a golden crown. You put it on.", "The wind turns.\n\n", gift, "crown"},
		"wrong first": {"You find a golden crown. The wind turns.", "You go to The Green.", gift, "crown"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, plan{model: gives(c.words)})
				h.began("cosy")
				got := h.say("I make the thin man on the grass a present of my favourite wooden thing")
				text := got.reply.Text
				if !strings.HasPrefix(text, c.begins) || !strings.Contains(text, c.has) || strings.Contains(text, c.never) {
					t.Errorf("got %q", text)
				}
				shown := ""
				for _, b := range got.bodies {
					if d, ok := b.(event.Delta); ok {
						if shown += d.Text; d.Restart {
							t.Error("what was shown was taken back")
						}
					}
				}
				if !strings.HasPrefix(text, shown) {
					t.Errorf("shown %q of %q", shown, text)
				}
			})
		})
	}
}

// What asks a model for other words is in the language of the story, the mistakes in it, too.
func TestARewriteIsAskedForInTheStorysLanguage(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "[note: what you said does not agree with what is so: ", "ru": "[note: в рассказе есть то, чего не было: ", "zh": "[note: 你讲的与事实不符：",
	} {
		t.Run(lang, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wrong := map[string]string{"en": "You find a golden crown.", "ru": "Вы берёте чугунную печь.", "zh": "你拿起奥达的字条。"}[lang]
				var notes []string
				h := newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
					if last := newest(req); strings.HasPrefix(last, "[note: ") {
						notes = append(notes, last)
					}
					if asksToTell(req) || results(req) > 0 {
						return llm.Say(wrong)
					}
					return llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`))
				})})
				h.say("/game new cosy " + lang)
				h.say(linesIn(lang)[0])
				if len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
					t.Errorf("the notes are %q", notes)
				}
			})
		})
	}
}

// Players read in words of the story's language why a turn came to what it did: what was tried, the throw, the difficulty and where that came from.
// A theft has its difficulty from the tale. No name of a tool is in it, nor an argument.
func TestWhyIsPlain(t *testing.T) {
	for lang, c := range map[string]struct{ steal, why, want, about string }{
		"en": {"steal the tape from Voss", "why", "Difficulty 14: the tale says how hard this is.", "It was about: brass tape."},
		"ru": {"украсть рулетку у Фосса", "почему", "Сложность 14: так сказано в самой истории.", "Речь шла вот о чём: медная рулетка."},
		"zh": {"偷福斯先生的卷尺", "为什么", "难度 14：故事里写明了这有多难。", "对象是：铜卷尺。"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			h.began("cosy " + lang)
			h.say(map[string]string{"en": "go to the green", "ru": "идти на лужайку", "zh": "去草坪"}[lang])
			h.say(c.steal)
			got := h.say(c.why).reply.Text
			if !strings.Contains(got, c.want) || !strings.Contains(got, c.about) || !strings.Contains(got, "1d20") || strings.Contains(got, "_") || lang != "en" && strings.Contains(got, "finesse") {
				t.Errorf("%s: %s", c.why, got)
			}
		})
	}
}

// A theft that fails is told once: that it takes a check is no answer to somebody whose check has just failed.
func TestAFailedCheckIsNoMissingCheck(t *testing.T) {
	for lang, c := range map[string]struct{ green, steal, never string }{
		"en": {"go to the green", "steal the tape from Voss", "check first"},
		"ru": {"идти на лужайку", "украсть рулетку у Фосса", "сначала нужна проверка"},
		"zh": {"去草坪", "偷福斯先生的卷尺", "需要先做检定"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			h.began("cosy " + lang)
			h.say(c.green)
			if got := h.say(c.steal).reply.Text; !strings.Contains(got, "1/6") || strings.Contains(got, c.never) {
				t.Errorf("%s: %s", c.steal, got)
			}
		})
	}
}

// What is asked ends where another command begins.
func TestAQuestionEndsAtTheNextCommand(t *testing.T) {
	for name, lines := range map[string][]string{
		"en": {"go to the green", "go to Marta", "ask Marta about the oven, then go to the mill"},
		"ru": {"идти на лужайку", "идти к Марте", "спросить Марту о печи, потом идти на мельницу"},
		"zh": {"去草坪", "去找玛尔塔", "问玛尔塔烤炉的事，然后去磨坊"}, "zh with somebody": {"去草坪", "去找玛尔塔", "跟玛尔塔打招呼，然后去磨坊"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			h.began("cosy " + name[:2])
			for _, line := range lines {
				h.say(line)
			}
			if w := h.log("cosy").World(); w.Actor("pc_001").Place != "area_mill" {
				t.Errorf("%q ends at %s", lines[2], w.Actor("pc_001").Place)
			}
		})
	}
}

// Whoever is asked by name answers, and nobody else does who has something to say about them.
func TestNobodyAnswersForSomebodyElse(t *testing.T) {
	for lang, c := range map[string]struct{ ask, hester string }{
		"en": {"ask Crane about his boots", "Hester"}, "ru": {"спросить Крейна о сапогах", "Эстер"}, "zh": {"问克莱恩靴子的事", "海丝特"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			h.began("mystery " + lang)
			if got := h.say(c.ask).reply.Text; strings.Contains(got, c.hester) {
				t.Errorf("%s: %s", c.ask, got)
			}
		})
	}
}

// Several looks in one line are no turn, and each is told once.
func TestLooksAreToldOnce(t *testing.T) {
	for lang, words := range map[string]string{
		"en": "look at the oven, look inside and read the note", "ru": "осмотри печь, загляни внутрь и прочти записку", "zh": "看烤炉，看里面，再看字条",
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		w, before := h.log("cosy").World(), h.log("cosy").Head()
		got := h.say(words).reply.Text
		for _, id := range []string{"obj_oven", "obj_note"} {
			if strings.Count(got, w.Thing(id).Desc[:20]) != 1 {
				t.Errorf("%s: %s", words, got)
			}
		}
		if h.log("cosy").Head() != before {
			t.Errorf("%s is a turn", words)
		}
	}
}
