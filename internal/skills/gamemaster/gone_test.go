package gamemaster_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// TestAStoryThatIsGone has a campaign be removed while a chat is bound to it, in the process that played it and in another: the chat says
// so, has no story from then on, and begins another.
func TestAStoryThatIsGone(t *testing.T) {
	gone := map[string]string{"осмотреться": "Истории «cosy» больше нет.", "看看": "故事“cosy”已经不在了。"}
	for _, words := range []string{"look", "осмотреться", "看看", "check wits", "/undo", "/game", "/game new dungeon", "dungeon", "/move_player pc_001 area_green"} {
		for _, anew := range []bool{false, true} {
			t.Run(fmt.Sprint(words, " ", anew), func(t *testing.T) {
				h := newHouse(t, plan{noModel: true})
				h.began("cosy")
				h.say("check wits")
				delete(h.shelf.logs, "cosy")
				if anew {
					again := newHouse(t, plan{noModel: true, shelf: h.shelf, journal: h.journal})
					again.inputs = h.inputs
					h = again
				}
				got := h.say(words)
				switch {
				case strings.Contains(words, "dungeon"):
					if !strings.Contains(got.reply.Text, "Rain Under Stone") {
						t.Errorf("%q", got.reply.Text)
					}
				case words == "/game":
					if !strings.Contains(got.reply.Text, "/game new cosy") {
						t.Errorf("%q", got.reply.Text)
					}
				case tools.IsCommand(words) && words != "/undo":
					if !strings.Contains(got.reply.Text, "no story is bound") {
						t.Errorf("%q", got.reply.Text)
					}
				case !strings.HasPrefix(got.reply.Text, cmp.Or(gone[words], "The story “cosy” is not there any more.")) || !strings.Contains(got.reply.Text, "/game close"):
					t.Errorf("%q", got.reply.Text)
				}
				if !strings.Contains(words, "dungeon") {
					h.hears("ana", "/game new dungeon", "Rain Under Stone")
				}
				h.hears("ana", "look", "The Rim")
				h.legal("dungeon")
			})
		}
	}
}

// TestAnotherStoryOfTheSameName has a campaign be removed and another come under its name: the one that is there is played.
func TestAnotherStoryOfTheSameName(t *testing.T) {
	for _, played := range []int{0, 1, 5} {
		other := newHouse(t, plan{noModel: true})
		other.began("mystery")
		for range played {
			other.say("check wits")
		}
		h := newHouse(t, plan{noModel: true})
		h.began("cosy")
		h.say("check wits")
		h.shelf.logs["cosy"] = other.shelf.logs["mystery"]
		h.hears("ana", "look", "The Taproom")
		h.hears("ana", "check wits", "wits")
		if n := h.log("cosy").Turns(); n != int64(played+1) {
			t.Errorf("it has %d turns after %d", n, played+1)
		}
		h.legal("cosy")
	}
}

// TestWordsOfOneStoryAreNotForAnother has a question that was asked in one story not be answered in the next.
func TestWordsOfOneStoryAreNotForAnother(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.free("cosy")
	h.say(`/create_object "red key" area_teahouse`)
	h.say(`/create_object "blue key" area_teahouse`)
	h.hears("ana", "take key", "Which do you mean")
	h.say("/game new dungeon")
	h.say("check wits")
	h.say("check wits")
	h.say("check wits") // the heads have the same number
	h.hears("ana", "1", "The Stairhead")
}

// TestToSpeakOfGamesIsNotToPlay has the skill be opened by words that want a story, and not by those that are about such games. Where it was
// opened and nobody names a story it says how to be rid of it.
func TestToSpeakOfGamesIsNotToPlay(t *testing.T) {
	for words, opens := range map[string]bool{
		"what is a good rpg for my son's birthday?": false, "who was the dungeon master in that film?": false, "Что такое ролевая игра?": false,
		"跑团是什么意思": false, "let's play a story": true, "сыграем в ролевую": true, "我们来跑团吧": true,
	} {
		h := newHouse(t, plan{model: llm.NewScript(llm.Say("It is a game."), llm.Say("Hello."))})
		got := h.say(words)
		if led := strings.Contains(got.reply.Text, "/game new cosy"); led != opens || led != strings.Contains(got.reply.Text, "/game close") {
			t.Errorf("%q: %q", words, got.reply.Text)
		}
		if opens {
			if got = h.say("/game close"); got.ended.Reason != event.Done {
				t.Error(got.reply.Text)
			}
			h.hears("ana", "hi", "It is a game.")
		}
	}
}

// TestNoStoryToClose closes a story where none is open: it is no failure, and names no skill.
func TestNoStoryToClose(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	want := "There is no story here that /game close could be for: /game begins one."
	if got := h.say("/game close"); got.reply.Text != want || got.ended.Reason != event.Done {
		t.Errorf("%q, %s", got.reply.Text, got.ended.Reason)
	}
}

// TestAButtonIsForItsMoment has the buttons that take back and that go on be pressed once more when the moment has passed: nothing is done.
func TestAButtonIsForItsMoment(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.group(true)
	h.standing.Platform = "telegram"
	press := func(user string, all []event.Choice, label string) said {
		t.Helper()
		i := slices.IndexFunc(all, func(c event.Choice) bool { return strings.HasPrefix(c.Label, label) })
		if i < 0 {
			t.Fatalf("there is no %s among %v", label, all)
		}
		why := h.master.AnswerPick(t.Context(), tools.Caller{Chat: h.chat, User: user, Principal: h.standing}, all[i])
		got := h.sayAs(user, all[i].Text, all[i].Pick)
		if passed := strings.Contains(got.reply.Text, "moment has passed"); passed != why.No {
			t.Errorf("%s: %+v, and then %q", label, why, got.reply.Text)
		}
		return got
	}
	h.say("go to the green")
	last := h.say("go to the bakery").choices
	press("ana", last, "↩")
	if got := press("bo", last, "↩"); h.place("pc_001") != "area_green" {
		t.Errorf("it was taken back twice: %s", got.reply.Text)
	}
	press("bo", last, "🗺") // who only looks may
	h.say("/mode round")
	last = h.say("go to the bakery").choices
	h.sayAs("bo", "check wits", "")
	h.say("check lore")
	turns := h.log("cosy").Turns()
	if press("bo", last, "▶"); h.log("cosy").Turns() != turns {
		t.Error("the next round was played without the rest")
	}
}

// TestAStoryThatGoesInTheMiddleOfATurn has a campaign be removed while a model plays a turn of it: what nobody can check is not told.
func TestAStoryThatGoesInTheMiddleOfATurn(t *testing.T) {
	for _, when := range []string{"before it calls", "before it tells"} {
		t.Run(when, func(t *testing.T) {
			var h *house
			h = newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
				if asksToTell(req) == (when == "before it tells") || results(req) > 0 {
					h.shelf.mu.Lock()
					delete(h.shelf.logs, "cosy")
					h.shelf.mu.Unlock()
				}
				if results(req) == 0 && !asksToTell(req) {
					return llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`))
				}
				return llm.Say("You win a crown of gold.")
			})})
			h.began("cosy")
			got := h.say("I hum and think about nothing in particular")
			if strings.Contains(got.reply.Text, "crown") || strings.TrimSpace(got.reply.Text) == "" {
				t.Errorf("%s: %q", got.ended.Reason, got.reply.Text)
			}
			h.hears("ana", "look", "not there any more")
			h.hears("ana", "/game new dungeon", "Rain Under Stone")
		})
	}
}
