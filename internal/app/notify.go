package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/retry"
)

// pushTime is how long hob tries to ring a phone. The note itself stands in its chat, whatever comes of that.
const pushTime = time.Minute

// pusher rings phones over a server of ntfy. The nil pusher rings none.
type pusher struct {
	client *http.Client
	url    string // of the topic
	text   bool   // the words of the note go with it
	log    *slog.Logger
}

// newPusher returns the pusher of the configuration, or nil.
func (s *Environment) newPusher(log *slog.Logger) (*pusher, error) {
	if s.Notify.Ntfy == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	client, err := s.newHTTPClient("notifications", s.Notify.Ntfy, "[notify] ntfy", nil)
	if err != nil {
		return nil, err
	}
	return &pusher{client, s.Notify.Ntfy, s.Notify.NtfyText, log}, nil
}

// push rings for a note, in the background. The server learns that a reminder is due, and its words only where the owner wants it.
func (p *pusher) push(ctx context.Context, note event.Noted) {
	if p == nil || !note.Loud {
		return
	}
	text := "A reminder is due."
	if p.text {
		text = display.TruncateBytes(note.Text, 1000)
	}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, pushTime)
		defer cancel()
		err := retry.Policy{Backoff: retry.Backoff{First: time.Second, Max: 15 * time.Second}}.Do(ctx, func() error { return p.send(ctx, note.ID, text) })
		if err != nil {
			p.log.Warn("a phone was not rung", "note", note.ID, "err", err)
		}
	}()
}

func (p *pusher) send(ctx context.Context, id, text string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(text))
	if err != nil {
		return retry.Stop(err)
	}
	r.Header.Set("Title", "hob")
	r.Header.Set("X-Sequence-ID", strings.ReplaceAll(id, "/", "-")) // sent again, it takes the place of the first
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection can be used again
	switch {
	case answer.StatusCode < 300:
		return nil
	case answer.StatusCode < 500 && answer.StatusCode != http.StatusTooManyRequests:
		return retry.Stop(fmt.Errorf("the server answers %s", answer.Status))
	}
	return fmt.Errorf("the server answers %s", answer.Status)
}
