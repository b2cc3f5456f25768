package telegramtest

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"hob/internal/pipehttp"
)

// ServeHTTP answers /bot<token>/<method> and /file/bot<token>/<path>.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, isFile := strings.CutPrefix(r.URL.Path, "/file")
	rest, ok := strings.CutPrefix(path, "/bot")
	token, name, _ := strings.Cut(rest, "/")
	switch {
	case !ok || !strings.Contains(token, ":"):
		s.refuse(w, &refusal{code: http.StatusNotFound, text: "Not Found"})
	case token != s.opts.Token:
		s.refuse(w, unauthorized())
	case isFile:
		s.serveFile(w, r, name)
	default:
		s.serveMethod(w, r, name)
	}
}

func unauthorized() *refusal { return &refusal{code: http.StatusUnauthorized, text: "Unauthorized"} }

// serveMethod answers the call of a method, in whatever way it fails.
func (s *Server) serveMethod(w http.ResponseWriter, r *http.Request, name string) {
	method, known := methods()[name]
	if !known || slices.Contains(s.opts.Without, name) {
		s.finish(&call{rec: s.note(name, nil)}, http.StatusNotFound, false)
		s.refuse(w, &refusal{code: http.StatusNotFound, text: "Not Found: method not found"})
		return
	}
	p, files, err := readParams(r)
	if err != nil {
		s.refuse(w, bad("can't parse the request's form"))
		return
	}
	c := &call{Server: s, p: p, uploads: files, rec: s.note(name, p)}
	f, answered := s.fail(w, r, c)
	if answered {
		return
	}
	c.lost = f.Kind.loses()
	var result any
	var no *refusal
	if method == nil {
		result, no = c.getUpdates(r.Context(), f)
	} else {
		result, no = c.run(method)
	}
	code := http.StatusOK
	body := map[string]any{"ok": true, "result": result}
	if no != nil {
		code, body = no.code, no.body()
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic("telegramtest: an answer cannot be written: " + err.Error())
	}
	if f.Kind == NotJSON {
		text = []byte("<!doctype html><p>All is well.</p>")
	}
	if no != nil {
		no.setHeader(w)
	}
	w.Header().Set("Content-Type", "application/json")
	s.answer(w, r, c, f, code, text)
}

// run does what a method does, within the rate limits.
func (c *call) run(method func(*call) any) (result any, no *refusal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.notify()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *refusal:
			no = r
		default:
			panic(r)
		}
		for _, m := range c.made {
			m.Lost = m.Lost || c.lost
		}
	}()
	c.now = time.Now()
	c.limitRate()
	return method(c), nil
}

// fail answers a call that is not handled; else it returns how the answer will fail.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, c *call) (f Fault, answered bool) {
	s.mu.Lock()
	c.cuts = s.cuts
	s.mu.Unlock()
	if s.isDown(c) {
		s.finish(c, 0, false)
		hangUp(w, true)
	}
	if f = s.drawFault(c); f.Kind.before() {
		s.failBefore(w, r, c, f)
		return f, true
	}
	return f, false
}

// answer writes an answer with its fault.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, c *call, f Fault, code int, body []byte) {
	if f.Kind == Slow {
		sleep(r.Context(), f.Delay)
	}
	down := s.isDown(c)
	s.finish(c, code, c.lost || down || r.Context().Err() != nil)
	if down {
		hangUp(w, false)
	}
	switch f.Kind {
	case BadGatewayAfter:
		writePage(w, http.StatusBadGateway)
		return
	case DropAfter:
		hangUp(w, false)
	case HangAfter:
		s.hang(r.Context(), c)
		hangUp(w, false)
	case Huge:
		writeHuge(w, f.Bytes)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	if f.Kind == Half {
		_, _ = w.Write(body[:len(body)/2])
		if fl, ok := w.(http.Flusher); ok {
			fl.Flush()
		}
		hangUp(w, false)
	}
	if _, err := w.Write(body); err != nil {
		s.finish(c, code, true)
	}
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

func (no *refusal) setHeader(w http.ResponseWriter) {
	if no.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(no.retry))
	}
}

func (s *Server) refuse(w http.ResponseWriter, no *refusal) {
	no.setHeader(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(no.code)
	_ = json.NewEncoder(w).Encode(no.body())
}

// writePage writes the page of a proxy before the server.
func writePage(w http.ResponseWriter, code int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(code)
	_, _ = w.Write([]byte("<html><head><title>" + strconv.Itoa(code) + " " + http.StatusText(code) + "</title></head></html>\r\n"))
}

// hangUp ends the connection without a further word. refused says that there was never one, where the transport
// can say so.
func hangUp(w http.ResponseWriter, refused bool) {
	if refused {
		pipehttp.Break(w, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})
	}
	panic(http.ErrAbortHandler)
}

// Transport calls the server in memory: no sockets, so that it works in a bubble of testing/synctest; see [pipehttp.Transport].
func (s *Server) Transport() http.RoundTripper { return pipehttp.Transport(s) }

func writeHuge(w http.ResponseWriter, n int64) {
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

// sleep waits for d, or until the caller is gone.
func sleep(ctx context.Context, d time.Duration) {
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
		changed, down := s.changed, s.isGone(c)
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
	return s.isGone(c)
}

// isGone is isDown with the lock held.
func (s *Server) isGone(c *call) bool { return s.down || c.cuts != s.cuts }
