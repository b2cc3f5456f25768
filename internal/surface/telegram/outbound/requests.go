package outbound

import (
	"context"
	"sync"

	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// request asks one chat to send an answer or to clean up, or, if both are empty, to follow its
// journal. Each wakes the chat.
type request struct {
	to      chat.Address
	answer  *outgoingAnswer // nil: none
	cleanup cleanup         // zero: none
}

// cleanup deletes a message, or removes its buttons. No caller waits for it.
type cleanup struct {
	method  string
	message int64
}

// outgoingAnswer is the answer of a command or a button. A caller waits until it is sent.
type outgoingAnswer struct {
	replyTo  int64
	answer   chat.Answer
	unwanted <-chan struct{} // closed when the caller stops waiting
	result   chan error      // has room for the outcome
}

// requestQueue holds requests until they are taken. It is unbounded, so put never waits.
type requestQueue struct {
	mu     sync.Mutex
	all    []request
	closed bool
	ring   chan struct{} // holds a token when there are requests
}

func newRequestQueue() *requestQueue { return &requestQueue{ring: make(chan struct{}, 1)} }

// put adds requests, and reports whether they will be taken.
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

// close takes the last requests, after which none can be added.
func (q *requestQueue) close() []request {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.all
	q.all, q.closed = nil, true
	return all
}

// takeRequests queues the items of requests. A request without any makes the chat follow its
// journal.
func (c *chatSender) takeRequests(followCtx context.Context, requests []request) {
	c.activeAt = c.cfg.Now()
	for _, r := range requests {
		switch {
		case r.answer != nil:
			c.items = append(c.items, c.answerItems(followCtx, r.answer)...)
		case r.cleanup != cleanup{}:
			c.items = append(c.items, c.cleanupItems(r.cleanup)...)
		default:
			c.follow(followCtx, 0)
		}
	}
}

// answerItems returns an answer as messages. They have no record: after a crash the person asks
// again. The outcome of the last message stands for all: a refused text is replaced by a sentence,
// and a chat that accepts no messages refuses the last one, too.
func (c *chatSender) answerItems(ctx context.Context, out *outgoingAnswer) []*item {
	items := c.textItems(ctx, 0, content{
		text: out.answer.Text, options: options{keys: keyboardJSON(out.answer.Keys), replyTo: out.replyTo},
	})
	for _, it := range items {
		it.unwanted = out.unwanted
	}
	items[len(items)-1].result = out.result
	return items
}

// cleanupItems returns the item for a cleanup. It drops repeats, because people press one button
// several times.
func (c *chatSender) cleanupItems(todo cleanup) []*item {
	if todo.method == methodEditMarkup {
		if c.withoutButtons == todo.message {
			return nil
		}
		c.withoutButtons = todo.message
	}
	return []*item{{idempotent: true, send: func(ctx context.Context, _ bool) (int64, error) {
		if err := c.cleanUp(ctx, todo); err != nil || todo.method != methodEditMarkup {
			return 0, err
		}
		return 0, c.cfg.Shown.ForgetShown(ctx, c.name, choicesShown, todo.message)
	}}}
}

// cleanUp calls the method of a cleanup. One that Telegram refuses counts as done.
func (c *chatSender) cleanUp(ctx context.Context, todo cleanup) error {
	err := c.post.call(ctx, todo.method, client.ParamsForMessage(c.to, todo.message, ""), nil)
	if err != nil && isFinal(err) {
		c.cfg.Log.Debug("a message stays as it was", "chat", c.name, "method", todo.method, "err", err)
		return nil
	}
	return err
}
