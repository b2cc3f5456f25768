package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/tales"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// noTeller is a configuration of a hob whose stories no model tells.
const noTeller = "[game]\nmodel = false\n"

// taps begins a story by the buttons of the wizard and returns how many they were.
func (p *parlour) taps(who string, labels ...string) int {
	p.t.Helper()
	m := p.say(who, "/game@hob_bot new")
	for _, label := range labels {
		p.t.Log(m.Text, keysOf(m))
		var toast string
		if m, toast = p.press(p.group, p.people[who], m, label); toast != "" {
			p.t.Fatalf("%s: %s", label, toast)
		}
	}
	p.t.Log(m.Text, keysOf(m))
	return len(labels)
}

// edited waits until the one picture of a chat was changed in place.
func (p *parlour) edited(c *telegramtest.Chat) {
	p.t.Helper()
	pictures := 0
	for _, m := range c.FromBot() {
		if m.File == nil {
			continue
		}
		pictures++
		p.wait("the map is drawn anew", func() bool { _, _, edits, _ := c.Picture(m.ID); return edits > 0 })
	}
	if pictures != 1 {
		p.t.Errorf("%d pictures", pictures)
	}
}

// Three people play a story in a group, to its end, and no model is asked.
func TestStory_ThreeInAGroup(t *testing.T) {
	p := newParlour(t, nowhereToAsk, noTeller)
	p.daemon = p.serve()
	if n := p.taps("ada", "✚ The Ember Supper", "English", "The cook", "whoever speaks first", "the same"); n > 6 {
		t.Errorf("%d taps", n)
	}
	p.played("party.txt")
	if p.counted < 60 {
		t.Errorf("%d turns", p.counted)
	}
	p.edited(p.group)
	p.daemon.stop()
	p.campaign("cosy", func(s *eventlog.Log) {
		if self := s.World().Self(); !self.Ended || self.EndedReason != "goal" {
			t.Errorf("ended %v, %q", self.Ended, self.EndedReason)
		}
	})
	if out := p.hob("game", "verify", "-c", "cosy"); !strings.Contains(out, "the log is whole") {
		t.Errorf("verify: %s", out)
	}
	p.toldOnce(p.group, 1)
}

// A round whose time is up while hob is away goes on when it is back, and its reply is told.
func TestStory_ARoundGoesOnByItself(t *testing.T) {
	p := newParlour(t, nowhereToAsk, noTeller)
	p.daemon = p.serve()
	p.say("ada", "/game@hob_bot new cosy")
	p.wait("the story begins", func() bool { return len(offering(p.group).Buttons) > 0 })
	p.say("bob", "/join@hob_bot Bo")
	p.say("ada", "/mode@hob_bot round 30")
	p.daemon.stop()
	said, _ := p.turns(parlourChat)
	p.look(func(db *store.DB) {
		book := game.Rules()
		long := func() time.Time { return time.Now().Add(-time.Hour) }
		s, err := eventlog.Load(t.Context(), campaigns.New(db).Log("cosy"), game.Options(book, long))
		if err != nil {
			t.Fatal(err)
		}
		plan := eventlog.Request{ID: fmt.Sprintf("%s/%d/intent", parlourChat, slices.Max(slices.Collect(maps.Keys(said)))), User: "77", Input: "go to the green", Open: true}
		if _, err := s.Play(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
	})
	before := newestWords(p.group).ID
	p.daemon = p.serve()
	p.wait("the round goes on", func() bool { return newestWords(p.group).ID > before && settled(p.group) })
	if m := newestWords(p.group); !strings.Contains(m.Text, "Time is up, without a word from: Bo.") || !strings.Contains(m.Text, "You go to The Green") {
		t.Errorf("it is told as %q", m.Text)
	}
	p.daemon.stop()
	p.toldOnce(p.group, 1)
}

// Who begins a story is asked in the language of their app, else in that of the chat's story, and a story of which they do not say
// in which language it is to be told is told in theirs.
func TestStory_TheMenuSpeaksTheirLanguage(t *testing.T) {
	p := newParlour(t, nowhereToAsk, noTeller)
	for name, lang := range map[string]string{"bob": "ru", "cem": "zh-hans", "dan": "de"} {
		p.people[name].Lang = lang
	}
	p.daemon = p.serve()
	for _, c := range []struct{ who, want string }{
		{"ada", "Begin one: & Ember Supper & [✚ a map nobody has drawn]"}, {"bob", "Начните новую: & Ужин"}, {"cem", "开始一个： & [✚ 一张还没有人画过的地图]"},
		{"dan", "Beginne eine:"},
	} {
		p.reads(c.who, p.hears(c.who, "/game@hob_bot"), c.want)
	}
	p.reads("cem", p.hears("cem", "/join@hob_bot"), "这里没有故事")
	labels := []string{"✚ " + taleOf(t, "cosy").Title("ru"), "Русский", taleOf(t, "cosy").Trades("ru")[0].Name, "по очереди", "как повезёт"}
	m := p.hears("bob", "/game@hob_bot new")
	for _, label := range labels {
		p.presses = append(p.presses, p.group.Press(p.people["bob"], m.ID, buttonOf(m, label)))
		p.wait(label+" is answered", func() bool { now, _ := p.group.Message(m.ID); return now.Edits > m.Edits })
		m, _ = p.group.Message(m.ID)
	}
	p.wait("the story begins", func() bool { return strings.Contains(newestWords(p.group).Text, "Выходы") })
	p.reads("bob", p.hears("bob", "/mode@hob_bot"), "Герои ходят по очереди")
	p.reads("dan", p.hears("dan", "/game@hob_bot"), "Продолжить историю:") // it has one, and they do not run it
	if m := p.hears("cem", "/game@hob_bot"); len(keysOf(m)) != 1 {
		t.Errorf("cem may press %v", keysOf(m))
	} else {
		p.reads("cem", m, "继续一个故事： & [▶ "+taleOf(t, "cosy").Title("ru")+"]")
	}
	p.reads("cem", p.hears("cem", "/game@hob_bot new"), "这由管理这个群的人决定。")
	p.people["ada"].Lang = "zh-hans" // who runs the group may have it play another
	p.hears("ada", "/game@hob_bot new mystery name=light")
	p.wait("another story begins", func() bool { return strings.Contains(newestWords(p.group).Text, taleOf(t, "mystery").Title("zh")) })
	p.daemon.stop()
	for id, lang := range map[string]string{"cosy": "ru", "light": "zh"} {
		p.campaign(id, func(s *eventlog.Log) {
			if got := s.World().Self().Lang; got != lang {
				t.Errorf("%s is told in %s", id, got)
			}
		})
	}
}

func taleOf(t *testing.T, id string) tales.Tale {
	t.Helper()
	tale, ok := tales.ByID(id)
	if !ok {
		t.Fatal(id)
	}
	return tale
}

// hears says something and returns the next message: menus keep their buttons.
func (p *parlour) hears(who, words string) telegramtest.Message {
	p.t.Helper()
	before := newestWords(p.group).ID
	p.group.Say(p.people[who], words)
	p.wait(words+" is answered", func() bool { return newestWords(p.group).ID > before })
	return newestWords(p.group)
}

// reads looks for words in a message and on its buttons.
func (p *parlour) reads(who string, m telegramtest.Message, want string) {
	p.t.Helper()
	got := m.Text + "\n" + strings.Join(keysOf(m), "\n")
	for _, w := range strings.Split(want, " & ") {
		if !strings.Contains(got, w) {
			p.t.Errorf("%s reads %q, which lacks %q", who, got, w)
		}
	}
}
