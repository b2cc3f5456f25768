package ollamafake

import (
	"fmt"
	"net/http"
	"slices"
)

// chat answers one chat, or refuses it.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	var wire wireRequest
	if err := strict(body, &wire); err != nil {
		s.refuse(w, body, "chat: %v", err)
		return
	}
	if !s.has(wire.Model) {
		s.answerMissing(w, wire.Model)
		return
	}
	if len(wire.Messages) == 0 {
		s.load(w, wire)
		return
	}
	req, err := wire.check(body)
	if err != nil {
		s.refuse(w, body, "chat: %v", err)
		return
	}
	for _, need := range []struct {
		wanted bool
		what   string
	}{{len(req.Tools) > 0, "tools"}, {req.Think != "false", "thinking"}} {
		if need.wanted && !slices.Contains(s.cfg.Capabilities, need.what) {
			answer(w, http.StatusBadRequest, map[string]string{"error": fmt.Sprintf("%q does not support %s", req.Model, need.what)})
			return
		}
	}
	limit := s.limit(req.Options.NumCtx)
	s.count(&req, limit)
	step, ok := s.recordChat(&req, limit)
	switch {
	case req.Prompt > limit:
		answer(w, http.StatusBadRequest, map[string]string{"error": fmt.Sprintf(
			"request (%d tokens) exceeds the available context size (%d tokens), try increasing it", req.Prompt, limit)})
	case !ok:
		s.refuse(w, body, "the script has no step for this chat, number %d", len(s.Requests()))
	default:
		x := &Exchange{server: s, w: w, r: r, Request: req}
		defer s.endChat(x)
		step.play(x)
	}
}

// load answers a request without messages, which loads the model, or unloads it.
func (s *Server) load(w http.ResponseWriter, wire wireRequest) {
	s.mu.Lock()
	reason := "load"
	if keep := string(wire.KeepAlive); keep == "0" || keep == `"0s"` || keep == `"0"` {
		reason, s.loaded, s.prompt = "unload", 0, ""
	} else if wire.Options.NumCtx != nil {
		s.loaded = s.limit(*wire.Options.NumCtx)
	}
	s.mu.Unlock()
	answer(w, http.StatusOK, map[string]any{"model": s.cfg.Model, "message": map[string]string{"role": "assistant", "content": ""},
		"done": true, "done_reason": reason})
}

// limit is the context in tokens.
func (s *Server) limit(numCtx int) int {
	if s.cfg.Context > 0 {
		return min(s.cfg.Context, numCtx)
	}
	return numCtx
}

// count renders the prompt and counts its tokens, after dropping messages where the server does so in silence: the oldest
// first, but never system text nor the last.
func (s *Server) count(req *Request, limit int) {
	messages := slices.Clone(req.Messages)
	for {
		req.Rendered = render(req.Tools, messages)
		req.Prompt = tokens(len(req.Rendered))
		if !s.cfg.TruncateSilently || req.Prompt <= limit {
			return
		}
		oldest := slices.IndexFunc(messages, func(m Message) bool { return m.Role != "system" })
		if oldest == len(messages)-1 {
			req.Rendered = req.Rendered[len(req.Rendered)-4*limit:] // then it cuts within what is left
			req.Prompt = limit
			return
		}
		messages = slices.Delete(messages, oldest, oldest+1)
		req.Dropped++
	}
}

// recordChat records the chat, and takes the step that answers it from the script, if the prompt fits.
func (s *Server) recordChat(req *Request, limit int) (Step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded != limit {
		s.prompt = "" // loaded anew
	}
	if req.Prompt <= limit {
		req.Cached = min(common(s.prompt, req.Rendered)/4, req.Prompt-1)
		s.prompt = req.Rendered
	}
	s.loaded = limit
	s.requests = append(s.requests, *req)
	if req.Prompt > limit || len(s.steps) == 0 {
		return Step{}, false
	}
	step := s.steps[0]
	if s.forever = step.forever && len(s.steps) == 1; !s.forever {
		s.steps = s.steps[1:]
	}
	s.active++
	s.most = max(s.most, s.active)
	return step, true
}

// endChat ends a chat. Who hears that a client left finds it ended.
func (s *Server) endChat(x *Exchange) {
	s.mu.Lock()
	s.active--
	s.mu.Unlock()
	if x.clientLeft {
		s.departures <- struct{}{}
	}
}

// newID is an ID as Ollama makes them.
func (s *Server) newID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return fmt.Sprintf("call_%08d", s.calls)
}
