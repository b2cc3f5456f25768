package api

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
	"time"

	"hob/internal/event"
)

// maxReads is how often in a row the client asks again for a stream that ends without an event.
const maxReads = 3

// Follow yields the events of a chat after seq, first those of the journal, then new ones as they
// happen. When the hob that runs ends it yields [ErrGone].
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
			case errors.Is(err, ErrNotRunning), errors.Is(err, ErrNoAnswer):
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

// read reads one stream of events until it ends, or take returns false. A stream that is cut off is
// no error: the next one goes on.
func (c *Client) read(ctx context.Context, chat event.Chat, after int64, take func(event.Event) bool) error {
	query := url.Values{"chat": {string(chat)}, "after": {strconv.FormatInt(after, 10)}}
	resp, err := c.open(ctx, http.MethodGet, "follow?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the next stream has half a line whole
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := unmarshalEvent(line)
		if err != nil {
			return err
		}
		if !take(e) {
			return nil
		}
	}
}

// eventLine is an event as GET /api/v1/follow writes it.
type eventLine struct {
	Seq  int64           `json:"seq"`
	Time time.Time       `json:"time"`
	Chat event.Chat      `json:"chat"`
	Turn int64           `json:"turn"`
	Type string          `json:"type"`
	Body json.RawMessage `json:"body"`
}

// MarshalEvent returns an event as a line of GET /api/v1/follow.
func MarshalEvent(e event.Event) ([]byte, error) {
	body, err := event.Marshal(e.Body)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(eventLine{e.Seq, e.Time, e.Chat, e.Turn, e.Body.Type(), body})
	return append(line, '\n'), err
}

// unmarshalEvent reads a line of GET /api/v1/follow.
func unmarshalEvent(line []byte) (event.Event, error) {
	var l eventLine
	if err := json.Unmarshal(line, &l); err != nil {
		return event.Event{}, fmt.Errorf("read what the running hob tells: %w", err)
	}
	e := event.Event{Seq: l.Seq, Time: l.Time, Chat: l.Chat, Turn: l.Turn}
	var err error
	switch l.Type { // those that no journal holds
	case (event.Delta{}).Type():
		e.Body, err = unmarshalBody[event.Delta](l.Body)
	case (event.Waiting{}).Type():
		e.Body, err = unmarshalBody[event.Waiting](l.Body)
	case (event.Unreadable{}).Type():
		e.Body, err = unmarshalBody[event.Unreadable](l.Body)
	default:
		e.Body = event.Read(l.Type, l.Body)
	}
	return e, err
}

func unmarshalBody[B event.Body](raw json.RawMessage) (event.Body, error) {
	var b B
	err := json.Unmarshal(raw, &b)
	return b, err
}
