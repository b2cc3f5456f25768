package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// mortal is the API of a process that dies at one of its calls: before Telegram gets it, or after. A dead process
// writes nothing any more.
type mortal struct {
	caller
	life *life
}

type life struct {
	mu    sync.Mutex
	left  int  // calls until it dies, -1 lives on
	late  bool // it dies after the call
	dead  bool
	kill  context.CancelFunc
	lost  int // status messages that arrived, which nobody can know
	calls int
}

var errDead = errors.New("the process is dead")

// enter reports whether the process dies at this call.
func (l *life) enter() (dies, late bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return false, false, errDead
	}
	l.calls++
	if l.left > 0 {
		l.left--
	}
	if l.left != 0 {
		return false, false, nil
	}
	if !l.late {
		l.die()
		return true, false, errDead
	}
	l.left = -1
	return true, true, nil
}

func (l *life) die() { l.dead = true; l.kill() }

func (l *life) over() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return errDead
	}
	return nil
}

func (m mortal) Call(ctx context.Context, method string, p client.Params, out any) error {
	dies, late, err := m.life.enter()
	if err != nil {
		return &client.Error{Method: method, Err: err, Unknown: true}
	}
	err = m.caller.Call(ctx, method, p, out)
	if dies && late {
		m.life.mu.Lock()
		defer m.life.mu.Unlock()
		if err == nil && method == "sendMessage" && isStatus(p["text"]) {
			m.life.lost++
		}
		m.life.die()
		return &client.Error{Method: method, Err: errDead, Unknown: true}
	}
	return err
}

func (m mortal) Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error {
	if _, _, err := m.life.enter(); err != nil {
		return &client.Error{Method: method, Err: err, Unknown: true}
	}
	return m.caller.Upload(ctx, method, p, field, name, file, out)
}

// isStatus reports whether a text is what the scripts of this test show while a turn runs, and nothing else.
func isStatus(text string) bool {
	return strings.HasPrefix(text, "tool") || strings.HasPrefix(text, "so")
}

// mortalMemory is the store of such a process.
type mortalMemory struct {
	*storetest.Memory
	life *life
}

func (m mortalMemory) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error) {
	if err := m.life.over(); err != nil {
		return event.Send{}, err
	}
	return m.Memory.BeginSend(ctx, chat, seq, part)
}

func (m mortalMemory) SetSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	if err := m.life.over(); err != nil {
		return err
	}
	return m.Memory.SetSend(ctx, s, reader, mark)
}

func (m mortalMemory) Mark(ctx context.Context, reader string, seq int64) error {
	if err := m.life.over(); err != nil {
		return err
	}
	return m.Memory.Mark(ctx, reader, seq)
}

// step is one thing that happens in a script.
type step struct {
	what string
	in   int // which chat
	n    int
}

func (s step) String() string { return fmt.Sprintf("%s %d %d", s.what, s.in, s.n) }

// player plays scripts in two chats.
type player struct {
	w       *world
	life    *life
	lost    int
	crashed bool
	chats   [2]*playedChat
}

type playedChat struct {
	name  event.Chat
	sees  *telegramtest.Chat
	open  []int64
	asked string   // the id of the open question
	want  []string // in order
	turns map[string]int64
	count int
}

func (p *player) start() {
	p.life = &life{left: -1}
	api, memory := p.w.api.(*client.API), p.w.mem
	p.w.keepIn(mortalMemory{memory, p.life})
	ctx, cancel := context.WithCancel(context.Background())
	p.life.kill = cancel
	cfg := p.w.cfg
	cfg.Client = mortal{api, p.life}
	t := New(cfg)
	p.w.senders = t
	over := make(chan error, 1)
	go func() { over <- t.Run(ctx) }()
	p.w.stop = func() { cancel(); <-over; p.lost += p.life.lost }
	synctest.Wait()
}

func (p *player) play(s step) {
	c := p.chats[s.in]
	c.count++
	running := int64(0)
	if len(c.open) > 0 {
		running = c.open[0]
	}
	switch s.what {
	case "say":
		p.w.senders.Wake(c.name)
		c.open = append(c.open, p.w.log.Say(c.name, fmt.Sprint(c.count)))
	case "wait":
		after([]time.Duration{0, 100 * time.Millisecond, time.Second, 5 * time.Second, 2 * time.Minute}[s.n%5])
	case "die":
		p.life.mu.Lock()
		p.life.left, p.life.late = s.n/2, s.n%2 == 0
		p.life.mu.Unlock()
	case "fail":
		kinds := []telegramtest.Kind{telegramtest.DropAfter, telegramtest.DropBefore, telegramtest.TooMany, telegramtest.Refused,
			telegramtest.BadGateway, telegramtest.BadGatewayAfter, telegramtest.HangAfter}
		p.w.srv.Fail(telegramtest.Fault{Kind: kinds[s.n%len(kinds)], Chat: c.sees.ID})
		p.crashed = true
	case "restart":
		p.restart()
	}
	if running == 0 {
		return
	}
	switch s.what {
	case "delta":
		p.w.log.Delta(c.name, running, event.Delta{Text: "so many words ", Restart: s.n%5 == 0})
	case "call":
		id := fmt.Sprint("call", c.count)
		p.w.log.Add(c.name, running, called(id, "tool", `{}`))
		if s.n%2 == 0 {
			p.w.log.Add(c.name, running, failed(id, "tool", "no"))
		}
	case "note":
		p.w.log.Add(c.name, running, event.Noted{Text: "so busy"})
	case "join":
		if len(c.open) > 1 {
			p.w.log.Add(c.name, running, event.Joined{Said: c.open[1]})
			c.open = append(c.open[:1], c.open[2:]...)
		}
	case "ask":
		p.ask(c, running)
	case "reply":
		p.reply(c, running, s.n)
	}
}

func (p *player) ask(c *playedChat, running int64) {
	if c.asked != "" {
		p.w.log.Add(c.name, running, event.Decided{ID: c.asked, By: "9"})
		c.asked = ""
		return
	}
	c.asked = fmt.Sprintf("question-%012d", c.count)
	p.w.log.Add(c.name, running, event.Asked{ID: c.asked, Tool: "run", Text: c.asked})
	c.want = append(c.want, "run asks to do this:\n\n"+c.asked)
}

func (p *player) reply(c *playedChat, running int64, n int) {
	if c.asked != "" {
		p.ask(c, running)
	}
	text := fmt.Sprint("reply ", c.count)
	c.turns[text] = running
	bodies := []event.Body{event.Replied{Text: text}}
	c.want = append(c.want, text)
	if n%3 == 0 {
		bodies = append(bodies, event.Noted{Text: "note " + text})
		c.want = append(c.want, "note "+text)
	}
	p.w.log.Add(c.name, running, append(bodies, event.Ended{})...)
	c.open = c.open[1:]
}

func (p *player) restart() { p.w.stop(); p.crashed = p.crashed || p.life.dead; p.start() }

// verdict returns what is wrong with the chats once all is over, or "".
func (p *player) verdict() string {
	lost := p.lost
	for _, call := range p.w.srv.Calls("sendMessage") {
		if call.Lost && isStatus(call.Params["text"]) {
			lost++
		}
	}
	for _, c := range p.chats {
		if bad := p.check(c, &lost); bad != "" {
			return fmt.Sprintf("%s: %s: %q, want %q", c.name, bad, c.sees.BotTexts(), c.want)
		}
	}
	if n := p.w.log.Following; n > 0 {
		return fmt.Sprintf("%d chats are awake", n)
	}
	return ""
}

func (p *player) check(c *playedChat, lost *int) string {
	next, seen := 0, map[string]bool{}
	for _, m := range c.sees.FromBot() {
		text, marked := strings.CutSuffix(m.Text, "\n\n"+sentAgain)
		text = strings.TrimSuffix(text, "\n\nDenied by 9.")
		text, second := strings.CutSuffix(text, "\n\n"+sentAgain)
		marked = marked || second
		switch {
		case isStatus(text) && *lost > 0:
			*lost--
		case isStatus(text):
			return "a status message is left"
		case len(m.Buttons) > 0 && !p.crashed:
			return "a question is left"
		case marked && !p.crashed:
			return "a message is marked although nothing went wrong"
		case seen[text] && !marked:
			return "a message came twice: " + text
		case seen[text]:
		case next == len(c.want) || c.want[next] != text:
			return "a message is not the next: " + text
		default:
			seen[text] = true
			next++
		}
		for _, d := range c.sees.Drafts() {
			if turn := c.turns[text]; turn == d.ID && d.At.After(m.Date) && !marked && !p.crashed {
				return "a draft came after the reply"
			}
		}
	}
	if next < len(c.want) {
		return "a message is missing"
	}
	return ""
}

func playScript(t *testing.T, old bool, steps []step) (bad string) {
	synctest.Test(t, func(t *testing.T) {
		opts := telegramtest.Options{}
		if old {
			opts.Without = []string{methodDraft}
		}
		p := &player{w: newWorld(t, opts)}
		p.chats[0] = &playedChat{name: adasChat, sees: p.w.chat, turns: map[string]int64{}}
		p.chats[1] = &playedChat{name: groupChat, sees: p.w.group, turns: map[string]int64{}}
		p.start()
		for _, s := range steps {
			p.play(s)
			synctest.Wait()
			if p.life.over() != nil {
				p.restart()
			}
		}
		for i, c := range p.chats {
			for len(c.open) > 0 {
				p.play(step{"reply", i, 1})
			}
		}
		p.restart()
		after(time.Hour)
		bad = p.verdict()
		p.w.stop()
	})
	return bad
}

// Whatever happens, whatever fails and wherever hob dies: all messages are there, in order; a second copy says that it
// is one; and nothing of the live view is left.
func TestEveryMessageIsSentOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
			whats := []string{"say", "say", "delta", "call", "call", "note", "join", "ask", "reply", "reply", "wait", "wait", "wait", "die", "restart", "fail"}
			return step{rapid.SampledFrom(whats).Draw(rt, "what"), rapid.IntRange(0, 1).Draw(rt, "in"), rapid.IntRange(0, 11).Draw(rt, "n")}
		}), 1, 60).Draw(rt, "steps")
		if bad := playScript(t, rapid.Bool().Draw(rt, "old"), steps); bad != "" {
			rt.Fatal(bad)
		}
	})
}
