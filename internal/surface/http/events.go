package http

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// heartbeatEvery is how often a stream without events sends a heartbeat: so each end knows that the
// other lives.
const heartbeatEvery = 15 * time.Second

// streamFormat is how a stream of events is written.
type streamFormat struct {
	mediaType string
	heartbeat string                            // a piece without an event
	encode    func(event.Event) ([]byte, error) // nothing for an event that is left out
}

// events serves GET /api/v1/events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	chat, rest, ok := readParameters(w, r, "after")
	if !ok {
		return
	}
	after := rest["after"]
	if again := r.Header.Values("Last-Event-ID"); len(again) > 0 {
		after = again[0]
	}
	s.stream(w, r, chat, after, streamFormat{"text/event-stream", ": nothing yet\n\n", s.encodeServerSent})
}

// encodeServerSent returns an event as a server-sent event.
func (s *Server) encodeServerSent(e event.Event) ([]byte, error) {
	line, err := s.cfg.Line(e)
	if err != nil || line == nil {
		return nil, err
	}
	text := &bytes.Buffer{}
	if e.Seq > 0 {
		fmt.Fprintf(text, "id: %d\n", e.Seq)
	}
	fmt.Fprintf(text, "data: %s\n\n", line)
	return text.Bytes(), nil
}

// follow serves GET /api/v1/follow.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	chat, rest, ok := readParameters(w, r, "after")
	if !ok {
		return
	}
	s.stream(w, r, chat, rest["after"], streamFormat{"application/x-ndjson", "\n", api.MarshalEvent})
}

// stream writes the events of a chat, until the caller leaves or the server is closed.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, chat event.Chat, after string, f streamFormat) {
	from, err := parseSeq(after)
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err)
		return
	}
	select {
	case <-s.closing:
		answerClosed(w)
		return
	default:
	}
	ctx, leave := s.waitContext(r)
	defer leave()
	setHeader(w, f.mediaType)
	if writePiece(w, []byte(f.heartbeat)) != nil {
		return
	}
	events := make(chan event.Event)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range s.eventsAfter(ctx, chat, from) {
			if err != nil {
				return // the stream ends, and the caller asks again from there
			}
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	writeEvents(ctx, w, events, done, f)
	leave()
	<-done
}

// writeEvents writes events, and heartbeats between them, until done is closed, ctx ends or the
// caller has left.
func writeEvents(ctx context.Context, w http.ResponseWriter, events <-chan event.Event, done <-chan struct{}, f streamFormat) {
	beat := time.NewTicker(heartbeatEvery)
	defer beat.Stop()
	for {
		var text []byte
		var err error
		select {
		case e := <-events:
			text, err = f.encode(e)
		case <-beat.C:
			text = []byte(f.heartbeat)
		case <-done:
			return
		case <-ctx.Done():
			return
		}
		if err != nil || len(text) > 0 && writePiece(w, text) != nil {
			return
		}
	}
}

// writePiece writes a piece of a stream, and sends it at once.
func writePiece(w http.ResponseWriter, text []byte) error {
	conn := http.NewResponseController(w)
	_ = conn.SetWriteDeadline(time.Now().Add(sendTimeout)) // a caller that reads nothing for so long has left
	if _, err := w.Write(text); err != nil {
		return err
	}
	return conn.Flush()
}
