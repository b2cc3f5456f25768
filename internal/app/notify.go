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

// pushTime limits the tries to alert a phone. The note itself is in its chat in any case.
const pushTime = time.Minute

// pusher alerts phones through an ntfy server. The nil pusher alerts none.
type pusher struct {
	client *http.Client
	url    string // of the ntfy topic
	text   bool   // send the text of the note, too
	log    *slog.Logger
}

// newPusher returns the pusher that the configuration asks for, or nil.
func (s *Environment) newPusher(log *slog.Logger) (*pusher, error) {
	if s.Notify.Ntfy == "" {
		return nil, nil //nolint:nilnil // no pusher is configured
	}
	client, err := s.newHTTPClient("notifications", s.Notify.Ntfy, "[notify] ntfy", nil)
	if err != nil {
		return nil, err
	}
	return &pusher{client, s.Notify.Ntfy, s.Notify.NtfyText, log}, nil
}

// push alerts for a note, in the background. The server only learns that a reminder is due, unless
// the owner lets it have the text.
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
	r.Header.Set("X-Sequence-ID", strings.ReplaceAll(id, "/", "-")) // a repeat replaces the first notification
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // lets the connection be reused
	switch {
	case answer.StatusCode < 300:
		return nil
	case answer.StatusCode < 500 && answer.StatusCode != http.StatusTooManyRequests:
		return retry.Stop(fmt.Errorf("the server answers %s", answer.Status))
	}
	return fmt.Errorf("the server answers %s", answer.Status)
}
