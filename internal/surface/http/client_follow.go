package http

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"hob/internal/event"
)

// maxReads is how often in a row a stream that ends without having told anything is asked for again.
const maxReads = 3

// Follow yields what has happened in a chat after seq, then what happens, as [session.Sessions.Follow] does. When the hob
// that runs ends it yields [ErrGone].
func (c *Client) Follow(ctx context.Context, chat event.Chat, seq int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for idle := 0; idle < maxReads; idle++ {
			more := true
			err := c.read(ctx, chat, seq, func(e event.Event) bool {
				idle, seq = 0, max(seq, e.Seq)
				more = yield(e, nil)
				return more
			})
			switch {
			case !more:
				return
			case ctx.Err() != nil:
				yield(event.Event{}, context.Cause(ctx))
				return
			case errors.Is(err, ErrNobody), errors.Is(err, ErrUnheard):
				yield(event.Event{}, ErrGone)
				return
			case err != nil:
				yield(event.Event{}, err)
				return
			}
		}
		yield(event.Event{}, ErrGone)
	}
}

// read reads one stream of events until it ends, or take has enough. How it was cut off is no error: the next one goes on.
func (c *Client) read(ctx context.Context, chat event.Chat, after int64, take func(event.Event) bool) error {
	query := url.Values{"chat": {string(chat)}, "after": {strconv.FormatInt(after, 10)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"follow?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := c.open(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // half a line is told whole by the next stream
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := unwire(line)
		if err != nil {
			return err
		}
		if !take(e) {
			return nil
		}
	}
}

// unwire reads a line of GET /api/v1/follow.
func unwire(line []byte) (event.Event, error) {
	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		return event.Event{}, fmt.Errorf("read what the running hob tells: %w", err)
	}
	e := event.Event{Seq: w.Seq, Time: w.Time, Chat: w.Chat, Turn: w.Turn}
	var err error
	switch w.Type { // those that no journal holds
	case (event.Delta{}).Type():
		e.Body, err = bodyOf[event.Delta](w.Body)
	case (event.Waiting{}).Type():
		e.Body, err = bodyOf[event.Waiting](w.Body)
	case (event.Unreadable{}).Type():
		e.Body, err = bodyOf[event.Unreadable](w.Body)
	default:
		e.Body = event.Read(w.Type, w.Body)
	}
	return e, err
}

func bodyOf[B event.Body](raw json.RawMessage) (event.Body, error) {
	var b B
	err := json.Unmarshal(raw, &b)
	return b, err
}
