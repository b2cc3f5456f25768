package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/surface/telegram/telegramtest"
)

// told says something to hob in private and looks for words in the answer.
func (p *parlour) told(c *telegramtest.Chat, words string, want ...string) telegramtest.Message {
	p.t.Helper()
	m := p.answer(c, words, func() { c.Say(p.people["ada"], words) })
	p.t.Logf("%s\n%s\n%s\n\n", words, m.Text, strings.Join(keysOf(m), "\n"))
	for _, w := range want {
		if !strings.Contains(m.Text, w) {
			p.t.Errorf("%s: %q is not in\n%s", words, w, m.Text)
		}
	}
	return m
}

// begun begins a tale in private.
func (p *parlour) begun(tale string) *telegramtest.Chat {
	p.t.Helper()
	c := p.bot.Private(p.people["ada"])
	c.Say(p.people["ada"], "/game new "+tale)
	p.wait("the story begins", func() bool { return len(offering(c).Buttons) > 0 })
	return c
}

// What people can do with a story beside playing it, and a chore between two sittings of it: what the model is told of one has nothing of
// the other.
func TestStory_BesideThePlay(t *testing.T) {
	fake := newFakeOllama(t)
	p := newParlour(t, fake.URL, "")
	p.daemon = p.serve()
	c := p.begun("cosy")
	p.told(c, "go to Oda's Orchard", "You go to Oda's Orchard")
	p.told(c, "/why", "1. Robin was moved from")
	p.told(c, "/save orchard", "orchard")
	p.told(c, "open birdhouse", "lift the little roof")
	p.told(c, "/load", "orchard")
	p.told(c, "/load orchard", "birdhouse (closed)")
	p.told(c, "/sheet", "HP 10/10", "pear-wood spoon")
	p.told(c, "/quest", "The Ember Supper")
	p.told(c, "/fair", "sealed")
	p.told(c, "/rules", "d20")
	p.told(c, "/lines harm to animals")
	p.exported(c, p.told(c, "/export", "hob game import"))
	id := int64(0)
	m := p.answer(c, "/x", func() { id = c.Say(p.people["ada"], "/x spiders") })
	if !strings.Contains(m.Text, "Cut.") {
		t.Errorf("/x: %s", m.Text)
	}
	p.wait("the command is gone", func() bool { return slices.Contains(c.Deleted(), id) })
	p.told(c, "/lines", "spiders", "harm to animals")

	if len(fake.requests) > 0 {
		t.Errorf("a model was asked %d times for plain commands", len(fake.requests))
	}
	p.told(c, "I hum the tune of the lighthouse")
	p.asked(fake, []string{"SCENE", "Oda's Orchard", "the tune of the lighthouse"}, []string{"buy milk"})
	p.told(c, "/pause", "rests")
	p.told(c, "write list.txt buy milk", "That is all.")
	p.asked(fake, []string{"buy milk"}, []string{"SCENE", "Orchard", "tune of the lighthouse", "move_player", "spiders"})
	if text, err := os.ReadFile(p.path("list.txt")); err != nil || string(text) != "buy milk\n" {
		t.Errorf("the chore: %q, %v", text, err)
	}
	c.Say(p.people["ada"], "/game open cosy")
	p.wait("the story goes on", func() bool {
		return strings.Contains(newestWords(c).Text, "Oda's Orchard") && settled(c)
	})
	p.told(c, "I hum another tune")
	p.asked(fake, []string{"SCENE", "Oda's Orchard", "another tune"}, []string{"milk", "list.txt"})
	p.daemon.stop()
	p.toldOnce(c, 2)
}

// asked looks what models were told since it looked last.
func (p *parlour) asked(fake *fakeOllama, all, none []string) {
	p.t.Helper()
	fake.mu.Lock()
	requests := slices.Clone(fake.requests)
	fake.mu.Unlock()
	fake.forget()
	if len(requests) == 0 {
		p.t.Error("no model was asked")
	}
	for i, r := range requests {
		for _, w := range all {
			if !strings.Contains(r, w) {
				p.t.Errorf("request %d says nothing of %q:\n%s", i+1, w, r)
			}
		}
		for _, w := range none {
			if strings.Contains(r, w) {
				p.t.Errorf("request %d says %q:\n%s", i+1, w, r)
			}
		}
	}
}

// exported looks that the export that came with a message can be read.
func (p *parlour) exported(c *telegramtest.Chat, m telegramtest.Message) {
	p.t.Helper()
	newest := func() telegramtest.Message { all := c.FromBot(); return all[len(all)-1] }
	p.wait("the file is there", func() bool { return newest().ID > m.ID })
	if sent := newest(); sent.File != nil {
		path := filepath.Join(p.t.TempDir(), sent.File.Name)
		if err := os.WriteFile(path, sent.File.Data, 0o600); err != nil {
			p.t.Fatal(err)
		}
		p.hob("game", "import", path, "--name", "again")
		if out := p.hob("game", "verify", "-c", "again"); !strings.Contains(out, "the log is whole") {
			p.t.Errorf("the import: %s", out)
		}
		return
	}
	p.t.Error("no file came")
}

// A hob that is killed in a story goes on with it: what was offered before can be picked, and nothing is played or told twice.
func TestStory_GoesOnAfterAKill(t *testing.T) {
	p := newParlour(t, nowhereToAsk, noTeller)
	p.daemon = p.serve()
	c := p.begun("cosy")
	p.told(c, "go to the green", "The Green")
	before := offering(c)
	_ = p.daemon.cmd.Process.Signal(syscall.SIGKILL)
	_ = p.daemon.cmd.Wait()
	c.Say(p.people["ada"], "while hob is away")
	p.daemon = p.serve()
	p.wait("what was said meanwhile is answered", func() bool { return newestWords(c).ID > before.ID && settled(c) })
	label := before.Buttons[0][0].Text
	m, toast := p.press(c, p.people["ada"], before, label)
	if toast != "" || !strings.Contains(m.Text, "Mr. Voss") {
		t.Errorf("%s: %q, %s", label, toast, m.Text)
	}
	p.told(c, "undo", "taken back")
	id := c.Press(p.people["ada"], before.ID, buttonOf(before, label))
	p.presses = append(p.presses, id)
	p.wait("the same press again is answered", func() bool { cb, _ := p.bot.Callback(id); return cb.Answered })
	p.daemon.stop()
	p.campaign("cosy", func(s *eventlog.Log) {
		if n := len(s.Path()); n != 1 || s.Turns() != 2 {
			t.Errorf("%d turns, %d on the way", s.Turns(), n)
		}
	})
	p.toldOnce(c, 1)
}
