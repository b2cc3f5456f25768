package outbound

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

// errShutdown ends the wait for a message when hob ends before it was sent.
var errShutdown = errors.New("hob is shutting down: this was not sent")

// Senders send what happens in the chats of the bot. Each chat that is awake has a goroutine of its own, a [chatSender].
type Senders struct {
	cfg        Config
	limits     *client.RateLimits
	requests   *requestQueue
	sendsEnded broadcast
	noDraft    atomic.Bool // the server does not know drafts
	noEdit     atomic.Bool // nor how to change or take away what it was sent
}

// New returns senders that send once they run.
func New(cfg Config) *Senders {
	return &Senders{cfg: cfg, limits: client.NewRateLimits(cfg.Now), requests: newRequestQueue()}
}

// request asks one chat to wake up and, perhaps, to send an answer or to clean up.
type request struct {
	to      chat.Address
	answer  *outgoingAnswer // nil: only to wake up
	cleanup cleanup         // zero: nothing
}

// cleanup takes something of a message away. Nobody waits for it.
type cleanup struct {
	method  string
	message int64
}

// The methods of a cleanup.
const (
	methodEditMarkup = "editMessageReplyMarkup" // without a keyboard it takes the buttons away
	methodDelete     = "deleteMessage"
)

// outgoingAnswer is an answer of hob's own on its way.
type outgoingAnswer struct {
	reply  int64
	answer chat.Answer
	over   <-chan struct{} // closed when nobody waits for it any more
	result chan error      // has room for it
}

// requestQueue holds requests until they are taken. Putting one in never waits.
type requestQueue struct {
	mu     sync.Mutex
	all    []request
	closed bool
	ring   chan struct{} // holds a token when there are requests
}

func newRequestQueue() *requestQueue { return &requestQueue{ring: make(chan struct{}, 1)} }

// put reports whether the requests will be taken.
func (q *requestQueue) put(requests ...request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.all = append(q.all, requests...)
	if len(q.all) > 0 {
		select {
		case q.ring <- struct{}{}:
		default:
		}
	}
	return true
}

func (q *requestQueue) take() []request {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.all
	q.all = nil
	return all
}

// close takes the last requests. No more can be put in.
func (q *requestQueue) close() []request {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.all
	q.all, q.closed = nil, true
	return all
}

// Run sends until ctx ends, and returns when all that it began is over. It begins with every chat, for something may have happened
// there that was never sent.
func (t *Senders) Run(ctx context.Context) error {
	names, err := t.cfg.Marks.ChatsOf(ctx, chat.Platform+"/")
	if err != nil {
		t.refuse(t.requests.close())
		return fmt.Errorf("find out what was not told: %w", err)
	}
	for _, name := range names {
		t.Wake(name)
	}
	awake := map[chat.Address]*chatSender{}
	ended := make(chan *chatSender)
	begin := func(to chat.Address, requests []request) {
		if awake[to] == nil {
			c := newChatSender(t, to)
			awake[to] = c
			go func() { c.run(ctx); ended <- c }()
		}
		awake[to].requests.put(requests...)
	}
	for {
		select {
		case <-t.requests.ring:
			for _, r := range t.requests.take() {
				begin(r.to, []request{r})
			}
		case c := <-ended:
			delete(awake, c.to)
			if late := c.requests.take(); len(late) > 0 { // they came while it fell asleep
				begin(c.to, late)
			}
		case <-ctx.Done():
			for range len(awake) {
				t.refuse((<-ended).requests.close())
			}
			t.refuse(t.requests.close())
			return nil
		}
	}
}

// refuse ends the wait for answers that will not be sent.
func (t *Senders) refuse(requests []request) {
	for _, r := range requests {
		if r.answer != nil {
			r.answer.result <- errShutdown
		}
	}
}

// Wake has what happens in a chat sent there. It does not wait.
func (t *Senders) Wake(name event.Chat) {
	if to, ok := chat.ParseAddress(name); ok {
		t.requests.put(request{to: to})
	}
}

// RemoveButtons takes the buttons of a message away, after what is to be sent there by now. It does not wait, and nobody hears of a
// refusal.
func (t *Senders) RemoveButtons(to chat.Address, message int64) {
	t.requests.put(request{to: to, cleanup: cleanup{methodEditMarkup, message}})
}

// Delete deletes a message as [Senders.RemoveButtons] takes buttons away.
func (t *Senders) Delete(to chat.Address, message int64) {
	t.requests.put(request{to: to, cleanup: cleanup{methodDelete, message}})
}

// cleanUp makes a cleanup. One that Telegram refuses counts as done.
func (t *Senders) cleanUp(ctx context.Context, to chat.Address, todo cleanup) error {
	err := t.call(ctx, todo.method, client.ParamsForMessage(to, todo.message, ""), nil)
	if err != nil && isPermanent(err) {
		t.cfg.Log.Debug("a message stays as it was", "chat", to.Name(), "method", todo.method, "err", err)
		return nil
	}
	return err
}

// Say sends an answer of hob's own, in order with what else is sent there, and returns when it was sent or never will be. reply is
// the message that it answers, 0 none.
func (t *Senders) Say(ctx context.Context, to chat.Address, reply int64, a chat.Answer) error {
	s := &outgoingAnswer{reply: reply, answer: a, over: ctx.Done(), result: make(chan error, 1)}
	if !t.requests.put(request{to: to, answer: s}) {
		return errShutdown
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
func (t *Senders) Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error {
	keys := t.keyboard(to, a.Buttons)
	return t.attempt(ctx, to, nil, func(ctx context.Context) error {
		if a.Text == "" {
			return client.IgnoreUnchanged(t.call(ctx, methodEditMarkup, client.ParamsForMessage(to, message, keys), nil))
		}
		return t.editText(ctx, to, message, renderMarkdown(a.Text)[0], keys)
	})
}
