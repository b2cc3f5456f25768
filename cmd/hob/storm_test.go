package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/sandbox"
	"hob/internal/surface/telegram/telegramtest"
)

// TestStorm has people say messages that each ask for one effect, while hob is killed, the model's server is killed and started
// again, and 40 % of Telegram's calls fail in spells: 500 messages over 50 chats with 60 and 20 kills with HOB_TEST_FULL,
// else a fifth of that. Every message is answered exactly once, or the copies say that they may be copies; every effect is there
// once, or the answer says that it was interrupted; nothing is given up. When something is killed is counted by what hob
// has asked the model and not by time.
func TestStorm(t *testing.T) {
	notShort(t)
	chats, kills, modelKills := 10, 12, 4
	if os.Getenv("HOB_TEST_FULL") != "" {
		chats, kills, modelKills = 50, 60, 20
	}
	s := newStorm(t, chats, 10)
	var speakers sync.WaitGroup
	for n := range s.chats {
		speakers.Go(func() { s.speak(n, rand.New(rand.NewPCG(s.seed, uint64(n)))) })
	}
	s.rage(kills, modelKills)
	s.bot.Heal(nil)
	s.wait("all is answered", func() bool { return allAnswered(s.chats, s.messages) })
	speakers.Wait()
	s.daemon.stop()
	s.inspect()
	if s.kills != kills || s.modelKills != modelKills {
		t.Errorf("hob was killed %d times of %d, the model's server %d times of %d", s.kills, kills, s.modelKills, modelKills)
	}
	if t.Failed() {
		text := s.log.String()
		t.Log(text[max(0, len(text)-8000):])
	}
}

// storm is a daemon that has a hard time.
type storm struct {
	t        *testing.T
	h        *house
	bot      *telegramtest.Server
	model    *stormModel
	chats    []*telegramtest.Chat
	messages int // in each chat
	seed     uint64
	random   *rand.Rand
	walls    bool
	daemon   *served
	log      strings.Builder // what the daemons said that were killed

	kills, modelKills int
}

// rage kills the daemon and the model's server that often, in an order that is drawn.
func (s *storm) rage(kills, modelKills int) {
	var acts []func()
	for n := range modelKills {
		acts = append(acts, func() { s.killModel(n) })
		if returnOf(n) == withHob {
			kills-- // it kills hob, too
		}
	}
	for n := range kills {
		acts = append(acts, func() { s.killHob(n) })
	}
	s.random.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	for n, act := range acts {
		switch n % 8 {
		case 0:
			s.bot.Heal(stormFaults(s.seed<<32 + uint64(n)))
		case 4:
			s.bot.Heal(nil)
		}
		next := s.model.count() + 1 + s.random.IntN(8)
		s.h.until("the model is asked", func() bool { return s.model.count() >= next || s.calm() })
		act()
	}
}

func newStorm(t *testing.T, chats, messages int) *storm {
	t.Helper()
	seed := testSeed(t)
	s := &storm{
		t: t, bot: telegramtest.New(telegramtest.Options{Keep: 100_000}), model: newStormModel(t), messages: messages,
		seed: seed, random: rand.New(rand.NewPCG(seed, 1<<40)), walls: sandbox.New(sandbox.Config{}).Tier(t.Context()) <= sandbox.T2,
	}
	web := httptest.NewServer(s.bot)
	t.Cleanup(web.Close)
	s.model.walls = s.walls
	s.h = floodHouse(t, "http://"+s.model.address, web.URL, s.bot.Token(), chats)
	for n := range chats {
		s.chats = append(s.chats, s.bot.Private(s.bot.User(floodPerson(n), fmt.Sprint("p", n))))
	}
	s.daemon = s.h.serve()
	return s
}

// stormFaults is how 40 % of all calls fail.
func stormFaults(seed uint64) *telegramtest.Chaos {
	c := &telegramtest.Chaos{Seed: seed}
	for _, f := range []telegramtest.Fault{
		{Kind: telegramtest.DropBefore}, {Kind: telegramtest.DropAfter}, {Kind: telegramtest.BadGateway}, {Kind: telegramtest.BadGatewayAfter},
		{Kind: telegramtest.Internal}, {Kind: telegramtest.Half}, {Kind: telegramtest.TooMany, RetryAfter: time.Second},
		{Kind: telegramtest.Slow, Delay: 300 * time.Millisecond},
	} {
		c.Rates = append(c.Rates, telegramtest.Rate{Fault: f, P: 0.05})
	}
	return c
}

// speak says all messages of a chat, in bursts; each burst begins when something was answered to the one before.
func (s *storm) speak(n int, random *rand.Rand) {
	chat, person := s.chats[n], &telegramtest.User{ID: floodPerson(n), Name: fmt.Sprint("p", n)}
	for said := 0; said < s.messages; {
		before := newestWords(chat).ID
		for range min(1+random.IntN(3), s.messages-said) {
			chat.Say(person, "please "+token(n, said))
			said++
		}
		s.wait(fmt.Sprintf("chat %d hears something", n), func() bool { return newestWords(chat).ID > before })
	}
}

// wait waits until something has happened on Telegram.
func (s *storm) wait(what string, is func() bool) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.bot.Wait(ctx, is); err != nil {
		s.t.Errorf("waiting until %s: %v", what, err)
	}
}

// killHob kills the daemon where it is in the middle of something, and starts it again.
func (s *storm) killHob(n int) {
	s.t.Helper()
	moments := []instant{beforeReply, inReply, afterCall, inCommand}
	telegram := []telegramtest.Fault{
		{Method: "sendMessage", Kind: telegramtest.HangBefore}, {Method: "sendMessage", Kind: telegramtest.HangAfter},
		{Method: "getUpdates", Kind: telegramtest.HangAfter},
	}
	var release func()
	if n %= len(moments) + len(telegram); n < len(moments) {
		release = s.reach(moments[n])
	} else {
		f := telegram[n-len(moments)]
		hangs := func() int {
			return len(slices.DeleteFunc(s.bot.Calls(f.Method), func(c telegramtest.Call) bool { return c.Fault != f.Kind || !c.Done }))
		}
		before := hangs()
		s.bot.Fail(f)
		s.h.until("a call hangs", func() bool { return hangs() > before || s.calm() })
	}
	s.restart()
	if release != nil {
		release()
	}
}

// restart kills the daemon and starts another one.
func (s *storm) restart() {
	s.t.Helper()
	killDaemon(s.t, s.daemon.cmd)
	s.kills++
	s.log.WriteString(s.daemon.said())
	s.daemon = s.h.serve()
}

// What has to happen before the model's server is started again.
const (
	atOnce = iota
	onceTold
	withHob
)

// returnOf is that of the n-th kill: over nine of them each comes with each moment.
func returnOf(n int) int { return (n + n/3) % 3 }

// killModel kills the model's server where it is in the middle of something, and starts it again.
func (s *storm) killModel(n int) {
	s.t.Helper()
	release := s.reach([]instant{beforeReply, inReply, inCommand}[n%3])
	s.model.stop()
	s.modelKills++
	before := s.notices()
	release()
	switch returnOf(n) {
	case onceTold:
		s.h.until("somebody is told that the model is away", func() bool { return s.notices() > before || s.calm() })
	case withHob:
		s.restart()
	}
	s.model.start(s.t)
}

// calm reports whether all is answered: nothing will happen any more.
func (s *storm) calm() bool { return allAnswered(s.chats, s.messages) }

// notices counts what stands in chats and is no answer.
func (s *storm) notices() (n int) {
	for _, chat := range s.chats {
		for _, m := range chat.FromBot() {
			if len(tokens.FindAllString(m.Text, -1)) == 0 {
				n++
			}
		}
	}
	return n
}

// reach waits until a request is at a moment, and returns what lets it go on.
func (s *storm) reach(at instant) (release func()) {
	s.t.Helper()
	if at == inCommand && !s.walls {
		at = afterCall
	}
	w := s.model.arm(at)
	begun := func() bool { return at != inCommand || s.h.exists(w.begun()) }
	s.h.until("the model is asked", func() bool { return w.is() && begun() || s.calm() })
	return func() {
		s.model.disarm(w)
		if at == inCommand && w.is() {
			s.h.make(w.begun() + ".go")
		}
	}
}

// inspect looks at what people see, and at what was done.
func (s *storm) inspect() {
	s.t.Helper()
	copies, done, interrupted := 0, 0, 0
	for n, chat := range s.chats {
		copies += inspectFlood(s.t, chat, n, s.messages)
		file, err := os.ReadFile(s.h.path(effectsOf(n)))
		if err != nil && !os.IsNotExist(err) {
			s.t.Fatal(err)
		}
		lines := strings.Fields(string(file))
		for k := range s.messages {
			text := ""
			for _, m := range answers(chat) {
				if strings.Contains(m.Text, token(n, k)) {
					text = m.Text
					break
				}
			}
			times := len(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l != effectOf(token(n, k)) }))
			switch {
			case times > 1:
				s.t.Errorf("chat %d: the effect of %s was done %d times", n, token(n, k), times)
			case times == 1:
				done++
			case strings.Contains(text, "interrupted"):
				interrupted++
			default:
				s.t.Errorf("chat %d: the effect of %s was not done, and nobody was told: %q", n, token(n, k), text)
			}
		}
	}
	if out := s.h.hob("audit", "verify"); !strings.Contains(out, "whole") {
		s.t.Errorf("the record of calls: %s", out)
	}
	failed := 0
	for _, n := range s.bot.Faults() {
		failed += n
	}
	s.t.Logf("figure: storm: %d messages, %d chats, hob killed %d times, the model's server %d times, %d of %d calls of Telegram failed: "+
		"%d effects done, %d told as interrupted, %d replies came again and say so", len(s.chats)*s.messages, len(s.chats), s.kills, s.modelKills,
		failed, len(s.bot.Calls()), done, interrupted, copies)
}

// effectsOf is the file in which the effects of a chat stand.
func effectsOf(chat int) string { return fmt.Sprintf("effects-%d.txt", chat) }
