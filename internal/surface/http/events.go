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

// beatEvery is how often who follows is told that there is nothing, so that both ends know that the other lives.
const beatEvery = 15 * time.Second

// stream is how what happens is written.
type stream struct {
	kind string // media type
	beat string // says nothing
	line func(event.Event) ([]byte, error)
}

// events serves GET /api/v1/events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	chat, rest, err := parameters(r.URL, "after")
	after := rest["after"]
	if again := r.Header.Values("Last-Event-ID"); len(again) > 0 {
		after = again[0]
	}
	s.tell(w, r, chat, after, err, stream{"text/event-stream", ": nothing yet\n\n", func(e event.Event) ([]byte, error) {
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
	}})
}

// follow serves GET /api/v1/follow.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	chat, rest, err := parameters(r.URL, "after")
	s.tell(w, r, chat, rest["after"], err, stream{"application/x-ndjson", "\n", api.MarshalEvent})
}

// tell writes what happens in a chat, until whoever asked leaves or the server is closed. bad is what is wrong with the
// request.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, chat event.Chat, after string, bad error, st stream) {
	from, err := seq(after)
	if bad != nil {
		err = bad
	}
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
		return
	}
	select {
	case <-s.closing:
		answer(w, http.StatusServiceUnavailable, api.Problem{Error: closed, Code: api.CodeClosed})
		return
	default:
	}
	ctx, leave := s.until(r)
	defer leave()
	w.Header().Set("Content-Type", st.kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if send(w, []byte(st.beat)) != nil {
		return
	}
	happened := make(chan event.Event)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range s.happens(ctx, chat, from) {
			if err != nil {
				return // the end of the stream says it: whoever follows asks again from there
			}
			select {
			case happened <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	pass(ctx, w, happened, done, st)
	leave()
	<-done
}

// pass writes events until there are no more.
func pass(ctx context.Context, w http.ResponseWriter, happened <-chan event.Event, done <-chan struct{}, st stream) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		var text []byte
		var err error
		select {
		case e := <-happened:
			text, err = st.line(e)
		case <-beat.C:
			text = []byte(st.beat)
		case <-done:
			return
		case <-ctx.Done():
			return
		}
		if err != nil || len(text) > 0 && send(w, text) != nil {
			return
		}
	}
}

// send writes a piece of an answer, and sees to it that it goes.
func send(w http.ResponseWriter, text []byte) error {
	wire := http.NewResponseController(w)
	_ = wire.SetWriteDeadline(time.Now().Add(sendTimeout)) // who takes nothing for so long has left
	if _, err := w.Write(text); err != nil {
		return err
	}
	return wire.Flush()
}
