package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// How many people press how often.
const (
	pressers   = 50
	pressesOf1 = 20
)

// Fifty people press what they like, all at once, twenty times each: one turn follows the other, none is lost, none happens twice, and
// everybody is answered.
func TestStory_FiftyAtOnce(t *testing.T) {
	notShort(t)
	p, crowd := newCrowd(t)
	p.daemon = p.serve()
	p.say("ada", "/game@hob_bot new cosy")
	p.wait("the story begins", func() bool { return len(offering(p.group).Buttons) > 0 })
	for n, u := range crowd {
		p.answer(p.group, "join", func() { p.group.Say(u, fmt.Sprint("/join@hob_bot hero ", n)) })
	}
	p.allPress(crowd, pressesOf1)
	p.daemon.stop()
	p.serial(parlourChat, "cosy")
	p.toldOnce(p.group, 1)
}

// Eight people play in rounds, and all press what they like, all at once: each press is a plan, a change of one, or told to be late, and
// what was offered stays for who has not said what they do.
func TestStory_RoundsAtOnce(t *testing.T) {
	p, crowd := newCrowd(t)
	p.daemon = p.serve()
	p.say("ada", "/game@hob_bot new cosy")
	p.wait("the story begins", func() bool { return len(offering(p.group).Buttons) > 0 })
	crowd = crowd[:7]
	for n, u := range crowd {
		p.answer(p.group, "join", func() { p.group.Say(u, fmt.Sprint("/join@hob_bot hero ", n)) })
	}
	p.say("ada", "/mode@hob_bot round")
	p.allPress(append(crowd, p.people["ada"]), 12)
	p.daemon.stop()
	p.serial(parlourChat, "cosy")
	p.toldOnce(p.group, 1)
}

// allPress has all of them press so many times each, all at once, and waits until all of it is answered.
func (p *parlour) allPress(crowd []*telegramtest.User, times int) {
	p.t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	for n, u := range crowd {
		all.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(n)))
			for range times {
				id := pressAny(p.group, u, random)
				mu.Lock()
				p.presses = append(p.presses, id)
				mu.Unlock()
				if err := p.bot.Wait(p.t.Context(), func() bool { cb, _ := p.bot.Callback(id); return cb.Answered }); err != nil {
					p.t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if len(p.presses) != len(crowd)*times {
		p.t.Fatalf("%d presses", len(p.presses))
	}
	p.until("all that was said is answered", func() bool {
		said, over := p.turns(parlourChat)
		return len(said) == len(over) && len(p.bot.Calls("sendMessage")) > len(over)
	})
}

// newCrowd is a parlour with many more people.
func newCrowd(t *testing.T) (*parlour, []*telegramtest.User) {
	p := newParlour(t, nowhereToAsk, noTeller)
	var crowd []*telegramtest.User
	for n := range pressers {
		u := p.bot.User(int64(200+n), fmt.Sprint("P", n))
		p.group.Join(u, telegramtest.Ordinary)
		crowd = append(crowd, u)
	}
	return p, crowd
}

// pressAny presses a choice of the newest message that has any, or looks into what is carried.
func pressAny(c *telegramtest.Chat, u *telegramtest.User, random *rand.Rand) string {
	for ; ; <-time.After(glance) {
		m := offering(c)
		var data []string
		for _, row := range m.Buttons {
			for _, b := range row {
				if b.Text == "🎒" || len(row) == 1 {
					data = append(data, b.Data)
				}
			}
		}
		if len(data) > 0 {
			return c.Press(u, m.ID, data[random.IntN(len(data))])
		}
	}
}

// turns are the inputs of a chat, and what was replied to each.
func (p *parlour) turns(chat event.Chat) (said map[int64]event.Said, over map[int64]string) {
	p.t.Helper()
	said, over = map[int64]event.Said{}, map[int64]string{}
	p.look(func(db *store.DB) {
		for e, err := range db.Chat(p.t.Context(), chat, 0) {
			if err != nil {
				p.t.Fatal(err)
			}
			switch b := e.Body.(type) {
			case event.Said:
				said[e.Seq] = b
			case event.Replied:
				if _, twice := over[e.Turn]; twice {
					p.t.Errorf("turn %d was answered twice", e.Turn)
				}
				over[e.Turn] = b.Text
			}
		}
	})
	return said, over
}

// serial looks that the turns of a campaign are one chain, each of one input of the chat, and that each pick of what was offered to who
// has pressed was either played, once, or told to be late.
func (p *parlour) serial(chat event.Chat, id string) {
	p.t.Helper()
	said, over := p.turns(chat)
	p.campaign(id, func(s *eventlog.Log) {
		path := s.Path()
		if int64(len(path)) != s.Turns() {
			p.t.Errorf("%d turns, of which %d follow each other", s.Turns(), len(path))
		}
		played := map[string]int64{}
		for i, turn := range path {
			parts, err := s.Parts(p.t.Context(), turn)
			if err != nil || len(parts) == 0 {
				p.t.Fatal(err)
			}
			if i > 0 && parts[0].Parent != path[i-1] {
				p.t.Errorf("turn %d follows %d", turn, parts[0].Parent)
			}
			input := strings.Join(strings.SplitN(parts[0].Request, "/", 4)[:3], "/")
			if played[input] != 0 {
				p.t.Errorf("%s was played as the turns %d and %d", input, played[input], turn)
			}
			played[input] = turn
		}
		if r, err := s.Verify(p.t.Context(), nil); err != nil || len(r.Problems) > 0 {
			p.t.Errorf("verify: %v %v", r.Problems, err)
		}
		picks, late, own := 0, 0, 0
		owner := map[string]string{}
		for _, a := range s.World().Actors() {
			owner[a.ID] = a.Owner
		}
		for seq, b := range said {
			if b.Pick == "" {
				continue
			}
			picks++
			passed := strings.Contains(over[seq], "That moment has passed")
			if passed {
				late++
			}
			looks := strings.HasPrefix(b.Text, "Look at") // that is no turn
			mine := owner[b.Pick[strings.LastIndexByte(b.Pick, '.')+1:]] == b.From && !looks
			if mine {
				own++
			}
			if turn := played[fmt.Sprint(chat, "/", seq)]; passed && turn != 0 || mine && !passed && turn == 0 {
				p.t.Errorf("%q of %s came to turn %d, and is answered by %q", b.Text, b.From, turn, over[seq])
			}
		}
		p.t.Logf("%d turns, %d picks handed in, %d of them too late, %d of what was offered to them", len(path), picks, late, own)
	})
}
