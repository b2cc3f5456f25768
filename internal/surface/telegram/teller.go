package telegram

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// errTellerOver is what those get who wait for a message to be sent when hob ends.
var errTellerOver = errors.New("hob is shutting down: this was not sent")

// tellers tell what happens in the chats of the bot. Each chat that is awake has a goroutine of its own, a [telling]; one in
// which nothing has happened for a while has none, and costs nothing.
type tellers struct {
	cfg     senderConfig
	pauses  *client.RateLimits
	mail    *tellMail
	ends    endBell
	noDraft atomic.Bool // the server does not know drafts
	stays   atomic.Bool // nor how to change or take away what it was sent
}

// newTellers returns senders that send once they run.
func newTellers(cfg senderConfig) *tellers {
	return &tellers{cfg: cfg, pauses: client.NewRateLimits(cfg.Now), mail: newTellMail()}
}

// letter is a wish to one chat: to wake up and, perhaps, to send or to do something.
type letter struct {
	to   chat.Address
	said *spoken // nil: only to wake up
	todo chore   // zero: nothing
}

// chore is a change of a message that nobody waits for.
type chore struct {
	method  string
	message int64
}

// The methods of chores.
const (
	unbutton = "editMessageReplyMarkup" // without any: its buttons are taken away
	deleting = "deleteMessage"
)

// spoken is an answer of hob's own on its way.
type spoken struct {
	reply  int64
	answer chat.Answer
	over   <-chan struct{} // closed when nobody waits for it any more
	result chan error      // has room for it
}

// tellMail holds letters until they are taken. Nobody waits to put one in.
type tellMail struct {
	mu     sync.Mutex
	all    []letter
	closed bool
	ring   chan struct{} // holds a token when there are letters
}

func newTellMail() *tellMail { return &tellMail{ring: make(chan struct{}, 1)} }

// put reports whether the letters will be taken.
func (m *tellMail) put(letters ...letter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.all = append(m.all, letters...)
	if len(m.all) > 0 {
		select {
		case m.ring <- struct{}{}:
		default:
		}
	}
	return true
}

func (m *tellMail) take() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.all
	m.all = nil
	return all
}

// close takes the last letters; nobody can put in more.
func (m *tellMail) close() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.all
	m.all, m.closed = nil, true
	return all
}

// run tells until ctx ends, and returns when all that it began is over. It begins with the chats in which something may have
// happened that was never told.
func (t *tellers) Run(ctx context.Context) error {
	names, err := t.cfg.Marks.ChatsOf(ctx, chat.Platform+"/")
	if err != nil {
		t.refuse(t.mail.close())
		return fmt.Errorf("find out what was not told: %w", err)
	}
	for _, name := range names {
		t.Wake(name)
	}
	awake := map[chat.Address]*telling{}
	ended := make(chan *telling)
	begin := func(to chat.Address, letters []letter) {
		if awake[to] == nil {
			c := newTelling(t, to)
			awake[to] = c
			go func() { c.run(ctx); ended <- c }()
		}
		awake[to].mail.put(letters...)
	}
	for {
		select {
		case <-t.mail.ring:
			for _, l := range t.mail.take() {
				begin(l.to, []letter{l})
			}
		case c := <-ended:
			delete(awake, c.to)
			if late := c.mail.take(); len(late) > 0 { // they came while it fell asleep
				begin(c.to, late)
			}
		case <-ctx.Done():
			for range len(awake) {
				t.refuse((<-ended).mail.close())
			}
			t.refuse(t.mail.close())
			return nil
		}
	}
}

// refuse tells those who wait for letters that nobody will read them.
func (t *tellers) refuse(letters []letter) {
	for _, l := range letters {
		if l.said != nil {
			l.said.result <- errTellerOver
		}
	}
}

// Wake has what happens in a chat sent there. It does not wait.
func (t *tellers) Wake(name event.Chat) {
	if to, ok := chat.ParseAddress(name); ok {
		t.mail.put(letter{to: to})
	}
}

// RemoveButtons takes the buttons of a message away, after what is to be sent there by now. It does not wait, and nobody hears of a
// refusal.
func (t *tellers) RemoveButtons(to chat.Address, message int64) {
	t.mail.put(letter{to: to, todo: chore{unbutton, message}})
}

// Delete deletes a message as [Senders.RemoveButtons] takes buttons away.
func (t *tellers) Delete(to chat.Address, message int64) {
	t.mail.put(letter{to: to, todo: chore{deleting, message}})
}

// tidy does a chore. What Telegram will not have is as good as done.
func (t *tellers) tidy(ctx context.Context, to chat.Address, todo chore) error {
	err := t.Call(ctx, todo.method, client.ParamsForMessage(to, todo.message, ""), nil)
	if err != nil && final(err) {
		t.cfg.Log.Debug("a message stays as it was", "chat", to.Name(), "method", todo.method, "err", err)
		return nil
	}
	return err
}

// Say sends an answer of hob's own, in order with what else is sent there, and returns when it was sent or never will be. reply is
// the message that it answers, 0 none.
func (t *tellers) Say(ctx context.Context, to chat.Address, reply int64, a chat.Answer) error {
	s := &spoken{reply: reply, answer: a, over: ctx.Done(), result: make(chan error, 1)}
	if !t.mail.put(letter{to: to, said: s}) {
		return errTellerOver
	}
	select {
	case err := <-s.result:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Edit puts an answer in the place of a message that was sent. One without text leaves the text as it is and replaces the buttons
// only.
func (t *tellers) Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error {
	keys := t.keyboard(to, a.Buttons)
	_, err := t.attempt(ctx, to, attempts{do: func(ctx context.Context, _ bool) (int64, error) {
		if a.Text == "" {
			return message, client.IgnoreUnchanged(t.Call(ctx, unbutton, client.ParamsForMessage(to, message, keys), nil))
		}
		return message, t.change(ctx, to, message, formatted(a.Text)[0], keys)
	}})
	return err
}
