package telegramtest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers /bot<token>/<method> and /file/bot<token>/<path>.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, file := strings.CutPrefix(r.URL.Path, "/file")
	rest, ok := strings.CutPrefix(path, "/bot")
	token, name, has := strings.Cut(rest, "/")
	if !ok || !has || !wellFormed(token) {
		refuse(w, &refusal{code: http.StatusNotFound, text: "Not Found"})
		return
	}
	if token != s.opts.Token {
		refuse(w, &refusal{code: http.StatusUnauthorized, text: "Unauthorized"})
		return
	}
	if file {
		s.serveFile(w, r, name)
		return
	}
	unknown := name
	m, name := methodOf(name)
	if name == "" || slices.Contains(s.opts.Without, name) {
		s.finish(&call{rec: s.note(unknown, nil, nil)}, http.StatusNotFound, false)
		refuse(w, &refusal{code: http.StatusNotFound, text: "Not Found: method not found"})
		return
	}
	p, files, bad := read(r)
	if bad != nil {
		refuse(w, bad)
		return
	}
	s.serve(w, r, m, &call{p: p, files: files, rec: s.note(name, p, files)})
}

// wellFormed reports whether a text could be a token.
func wellFormed(token string) bool {
	id, secret, ok := strings.Cut(token, ":")
	_, err := strconv.ParseInt(id, 10, 64)
	return ok && err == nil && len(secret) > 10
}

// serve answers one call, in whatever way it fails.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, m method, c *call) {
	f, answered := s.trouble(w, r, c)
	if answered {
		return
	}
	c.lost = f.Kind.loses()
	var result any
	var no *refusal
	if c.rec.Method == "getUpdates" {
		if no = s.admit(c); no == nil {
			result, no = s.getUpdates(r.Context(), c, f)
		}
	} else {
		result, no = s.run(m, c)
	}
	code := http.StatusOK
	body := map[string]any{"ok": true, "result": result}
	if no != nil {
		code, body = no.code, no.body()
	}
	text, err := json.Marshal(body)
	if err != nil {
		code, text = http.StatusInternalServerError, []byte(`{"ok":false,"error_code":500,"description":"Internal Server Error"}`)
	}
	if f.Kind == Slow {
		pause(r.Context(), f.Delay)
	}
	down := s.isDown(c)
	s.finish(c, code, c.lost || down || r.Context().Err() != nil)
	if down {
		hangUp(w, false)
	}
	if !s.answer(w, r, c, f, code, no, text) {
		s.finish(c, code, true)
	}
}

// trouble answers a call that is not dealt with; else it is how the answer will fail.
func (s *Server) trouble(w http.ResponseWriter, r *http.Request, c *call) (f Fault, answered bool) {
	s.mu.Lock()
	c.cuts = s.cuts
	s.mu.Unlock()
	if s.isDown(c) {
		s.finish(c, 0, false)
		hangUp(w, true)
	}
	if f = s.draw(c); f.Kind.before() {
		s.serveBefore(w, r, c, f)
		return f, true
	}
	return f, false
}

// run does what a method does, within the limits.
func (s *Server) run(m method, c *call) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.opts.Now()
	if no := s.tooFast(c); no != nil {
		return nil, no
	}
	result, no := m(s, c)
	for _, msg := range c.made {
		msg.Lost = msg.Lost || c.lost
	}
	s.touch()
	return result, no
}

// admit lets a getUpdates in that was not told to stay away.
func (s *Server) admit(c *call) *refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.opts.Now()
	return s.tooFast(c)
}

// answer writes what is left of an answer after a fault, and reports whether all of it was taken.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, c *call, f Fault, code int, no *refusal, text []byte) bool {
	switch f.Kind {
	case BadGatewayAfter:
		page(w, http.StatusBadGateway)
		return false
	case DropAfter:
		hangUp(w, false)
	case HangAfter:
		s.hang(r.Context(), c)
		hangUp(w, false)
	case NotJSON:
		text = []byte("<!doctype html><p>All is well.</p>")
	case Huge:
		writeHuge(w, f.Bytes)
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if no != nil && no.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(no.retry))
	}
	w.WriteHeader(code)
	if f.Kind == Half {
		_, _ = w.Write(text[:len(text)/2])
		if fl, ok := w.(http.Flusher); ok {
			fl.Flush()
		}
		hangUp(w, false)
	}
	_, err := w.Write(text)
	return err == nil
}

// body is a refusal as Telegram writes it.
func (no *refusal) body() map[string]any {
	body := map[string]any{"ok": false, "error_code": no.code, "description": no.text}
	if no.retry > 0 {
		body["parameters"] = map[string]any{"retry_after": no.retry}
	}
	if no.migrate != 0 {
		body["parameters"] = map[string]any{"migrate_to_chat_id": no.migrate}
	}
	return body
}

func refuse(w http.ResponseWriter, no *refusal) {
	w.Header().Set("Content-Type", "application/json")
	if no.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(no.retry))
	}
	w.WriteHeader(no.code)
	_ = json.NewEncoder(w).Encode(no.body())
}

// page is what a proxy before the server says.
func page(w http.ResponseWriter, code int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(code)
	_, _ = w.Write([]byte("<html>\r\n<head><title>" + strconv.Itoa(code) + " " + http.StatusText(code) +
		"</title></head>\r\n<body><center>nginx</center></body>\r\n</html>\r\n"))
}

// hangUp ends the connection without a further word. refused says that there was never one, where the transport can say so.
func hangUp(w http.ResponseWriter, refused bool) {
	if a, ok := w.(*answer); ok && refused {
		a.refused = true
	}
	panic(http.ErrAbortHandler)
}

func writeHuge(w http.ResponseWriter, n int64) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte(`{"ok":true,"result":"`))
	filler := []byte(strings.Repeat("x", 1<<16))
	for n > 0 {
		k, err := w.Write(filler[:min(n, int64(len(filler)))])
		if err != nil {
			return
		}
		n -= int64(k)
	}
	_, _ = w.Write([]byte(`"}`))
}

// pause waits, or until the caller is gone.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// hang waits until the caller is gone, or the server.
func (s *Server) hang(ctx context.Context, c *call) {
	for ctx.Err() == nil {
		s.mu.Lock()
		changed, down := s.changed, s.gone(c)
		s.mu.Unlock()
		if down {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// isDown reports whether the server is off the net, or was since the call began.
func (s *Server) isDown(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone(c)
}

// gone is isDown with the lock held.
func (s *Server) gone(c *call) bool { return s.down || c.cuts != s.cuts }
