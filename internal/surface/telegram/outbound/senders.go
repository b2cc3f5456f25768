package outbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// errShutdown says that hob shut down before a message was sent.
var errShutdown = errors.New("hob is shutting down: this was not sent")

// Senders send the events of the bot's chats. Each chat that is awake has a goroutine, its [chatSender].
type Senders struct {
	cfg        Config
	limits     *client.RateLimits
	requests   *requestQueue
	sendsEnded broadcast
	noDraft    atomic.Bool // the server refuses all drafts
	noStatus   atomic.Bool // send no status message: the server lacks edit, delete or typing
}

// New returns senders, which start with Run.
func New(cfg Config) *Senders {
	cfg.Pace = cmp.Or(cfg.Pace, defaultPace)
	if cfg.Language == nil {
		cfg.Language = func(context.Context, event.Chat) string { return "" }
	}
	return &Senders{cfg: cfg, limits: client.NewRateLimits(cfg.Now), requests: newRequestQueue()}
}

// Run sends until ctx ends, and waits for its goroutines. It first wakes every chat, because there
// may be unsent events.
func (s *Senders) Run(ctx context.Context) error {
	names, err := s.cfg.Marks.ChatsOf(ctx, chat.Platform+"/")
	if err != nil {
		s.failAnswers(s.requests.close())
		return fmt.Errorf("list chats: %w", err)
	}
	for _, name := range names {
		s.Wake(name)
	}
	awake := map[chat.Address]*chatSender{}
	ended := make(chan *chatSender)
	begin := func(to chat.Address, requests []request) {
		if awake[to] == nil {
			c := newChatSender(s, to)
			awake[to] = c
			go func() { c.run(ctx); ended <- c }()
		}
		awake[to].requests.put(requests...)
	}
	for {
		select {
		case <-s.requests.ring:
			for _, r := range s.requests.take() {
				begin(r.to, []request{r})
			}
		case c := <-ended:
			delete(awake, c.to)
			if late := c.requests.take(); len(late) > 0 { // they came while the chat fell asleep
				begin(c.to, late)
			}
		case <-ctx.Done():
			for range len(awake) {
				s.failAnswers((<-ended).requests.close())
			}
			s.failAnswers(s.requests.close())
			return nil
		}
	}
}

// failAnswers tells waiting callers that hob is shutting down.
func (s *Senders) failAnswers(requests []request) {
	for _, r := range requests {
		if r.answer != nil {
			r.answer.result <- errShutdown
		}
	}
}

// Wake makes a chat send its new events. It does not wait.
func (s *Senders) Wake(name event.Chat) {
	if to, ok := chat.ParseAddress(name); ok {
		s.requests.put(request{to: to})
	}
}

// RemoveButtons removes the buttons of a message, after the queued items. It does not wait, and
// ignores a refusal.
func (s *Senders) RemoveButtons(to chat.Address, message int64) {
	s.requests.put(request{to: to, cleanup: cleanup{methodEditMarkup, message}})
}

// Delete deletes a message, in the same way as [Senders.RemoveButtons].
func (s *Senders) Delete(to chat.Address, message int64) {
	s.requests.put(request{to: to, cleanup: cleanup{methodDelete, message}})
}

// Say sends an answer, in order with the other items of the chat, and returns once it was sent or
// cannot be. replyTo is the message that it answers, or 0.
func (s *Senders) Say(ctx context.Context, to chat.Address, replyTo int64, a chat.Answer) error {
	out := &outgoingAnswer{replyTo: replyTo, answer: a, unwanted: ctx.Done(), result: make(chan error, 1)}
	if !s.requests.put(request{to: to, answer: out}) {
		return errShutdown
	}
	select {
	case err := <-out.result:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Edit replaces a message by an answer, or by the beginning of a long one. An answer without text
// replaces only the buttons. It does not wait for the items of the chat.
func (s *Senders) Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error {
	keys, post := keyboardJSON(a.Keys), s.poster(to)
	return s.attempt(ctx, to, nil, func(ctx context.Context) error {
		if a.Text == "" {
			return client.IgnoreUnchanged(post.call(ctx, methodEditMarkup, client.ParamsForMessage(to, message, keys), nil))
		}
		shown := append(renderMarkdown(a.Text), markup.Message{Text: post.words(ctx).Text("empty.reply")})
		return post.editText(ctx, message, shown[0], keys)
	})
}

// poster returns the poster for an address.
func (s *Senders) poster(to chat.Address) poster {
	words := func(ctx context.Context) phrases.Words { return chat.Words(s.cfg.Language(ctx, to.Name())) }
	return poster{s.cfg.Client, to, words}
}

// Delivered waits until a part of an event was sent or refused, however often the store fails. It
// returns "" if ctx ends first. The parts of an event are its texts, and the files of a result:
// file n is part n.
func (s *Senders) Delivered(ctx context.Context, name event.Chat, seq int64, part int) event.SendState {
	for {
		next := s.sendsEnded.next()
		rec, err := s.record(context.WithoutCancel(ctx), name, seq, part)
		if err == nil && (rec.State == event.SendSent || rec.State == event.SendRefused) {
			return rec.State
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ""
		}
	}
}
