package ollamafake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Step answers one chat.
type Step struct {
	play    func(*Exchange)
	forever bool
}

// Exchange is a chat that is being answered, for steps of a test's own.
type Exchange struct {
	Request Request

	server     *Server
	w          http.ResponseWriter
	r          *http.Request
	clientLeft bool // the client left in the middle of a silence
}

// Do is a step of a test's own.
func Do(play func(*Exchange)) Step { return Step{play: play} }

// Choose is the step that choose returns for the request.
func Choose(choose func(Request) Step) Step {
	return Do(func(x *Exchange) { choose(x.Request).play(x) })
}

// Forever is a step that answers every chat from here on, if it is the script's last. Elsewhere it is step.
func Forever(step Step) Step { return Step{play: step.play, forever: true} }

// Say answers with text.
func Say(text string) Step { return Chunks(text) }

// Chunks answers with a text in pieces.
func Chunks(pieces ...string) Step {
	return Do(func(x *Exchange) {
		x.Stream(pieces...)
		x.End("stop", tokens(len(strings.Join(pieces, ""))))
	})
}

// Cut is a text that was cut off at num_predict tokens, or at the context's end.
func Cut(text string) Step {
	return Do(func(x *Exchange) {
		x.Stream(text)
		x.End("length", tokens(len(text)))
	})
}

// CallOf is a call for the steps below. They give it an ID. Args are marshalled; json.RawMessage stays as it is, which
// may be anything that is JSON.
func CallOf(name string, args any) Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err) // a test's own mistake
	}
	return Call{Name: name, Args: raw}
}

// CallTool calls a tool, and more in a line of their own each, as Ollama's own parsers do.
func CallTool(name string, args any, more ...Call) Step {
	return Do(func(x *Exchange) {
		for _, c := range append([]Call{CallOf(name, args)}, more...) {
			x.Line(Message{}, x.Number(c)...)
		}
		x.End("stop", 20)
	})
}

// CallOnlyInLast makes the call in the line that ends the reply, as llama-server's models do.
func CallOnlyInLast(name string, args any) Step {
	return Do(func(x *Exchange) { x.End("stop", 20, x.Number(CallOf(name, args))...) })
}

// ContentAndCall has text and call in one line.
func ContentAndCall(text, name string, args any) Step {
	return Do(func(x *Exchange) {
		x.Line(Message{Content: text}, x.Number(CallOf(name, args))...)
		x.End("stop", 20+tokens(len(text)))
	})
}

// EmptyName is a call of nothing, as functiongemma's parser makes of what it cannot read.
func EmptyName() Step { return CallTool("", struct{}{}) }

// ArgumentsNull calls a tool with null.
func ArgumentsNull(name string) Step { return CallTool(name, nil) }

// DuplicateIDs calls tools in one reply under one ID, which is the same in all such replies.
func DuplicateIDs(calls ...Call) Step {
	return Do(func(x *Exchange) {
		for i := range calls {
			c := calls[i]
			c.ID = "call_duplicate"
			x.Line(Message{}, c)
		}
		x.End("stop", 20)
	})
}

// Swallowed is a reply of which nothing is left, though the model wrote 40 tokens: a call that Ollama's parser dropped.
func Swallowed() Step {
	return Do(func(x *Exchange) { x.End("stop", 40) })
}

// Empty is a reply of a model that had nothing to say.
func Empty() Step {
	return Do(func(x *Exchange) { x.End("stop", 1) })
}

// ThinkingOnly is thinking and nothing else; it ends with "stop", or with "length".
func ThinkingOnly(thoughts, doneReason string) Step {
	return Do(func(x *Exchange) {
		x.Line(Message{Thinking: thoughts})
		x.End(doneReason, tokens(len(thoughts)))
	})
}

// LongLine answers with one line of so many bytes.
func LongLine(bytes int) Step {
	return Do(func(x *Exchange) {
		const frame, end = 150, "the end." // what the line has besides, and what keeps it from being one repeat
		x.Stream(strings.Repeat("long ", max(0, bytes-frame-len(end))/5) + end)
		x.End("stop", tokens(bytes))
	})
}

// ErrorLine says text, or nothing, and then reports an error.
func ErrorLine(failure, text string) Step {
	return Do(func(x *Exchange) {
		if text != "" {
			x.Stream(text)
		}
		x.line(map[string]string{"error": failure})
	})
}

// Status answers with a status and a body as they are.
func Status(code int, body string) Step {
	return Do(func(x *Exchange) {
		x.w.WriteHeader(code)
		_, _ = io.WriteString(x.w, body)
	})
}

// Error answers with a status and an error in Ollama's form.
func Error(code int, failure string) Step {
	return Do(func(x *Exchange) { answer(x.w, code, map[string]string{"error": failure}) })
}

// Busy is a full queue.
func Busy() Step {
	return Error(http.StatusServiceUnavailable, "server busy, please try again.  maximum pending requests exceeded")
}

// CloseAfter ends the stream, cleanly, before the model is done: what Ollama's guard against repetition did for years.
func CloseAfter(pieces ...string) Step {
	return Do(func(x *Exchange) {
		x.w.WriteHeader(http.StatusOK)
		x.Stream(pieces...)
	})
}

// CutLine ends the stream in the middle of the line after the pieces.
func CutLine(pieces ...string) Step {
	return Do(func(x *Exchange) {
		x.Stream(pieces...)
		_, _ = io.WriteString(x.w, `{"model":"`)
	})
}

// Reset breaks the connection after the pieces; without any, before the first byte of the answer.
func Reset(pieces ...string) Step {
	return Do(func(x *Exchange) {
		x.Stream(pieces...)
		hangUp(x.w)
	})
}

// Silence says the pieces and then nothing until the client leaves. [Server.SilenceBegan] and [Server.ClientLeft] report it.
func Silence(pieces ...string) Step {
	return Do(func(x *Exchange) {
		x.Stream(pieces...)
		x.server.silences <- struct{}{}
		<-x.r.Context().Done()
		x.clientLeft = true
	})
}

// Stream sends pieces of text, a line each.
func (x *Exchange) Stream(pieces ...string) {
	for _, p := range pieces {
		x.Line(Message{Content: p})
	}
}

// Line sends one line with the content and the thinking of m and the calls.
func (x *Exchange) Line(m Message, calls ...Call) {
	x.line(map[string]any{"model": x.server.cfg.Model, "created_at": created, "message": wireMessage(m, calls), "done": false})
}

// End sends the line that ends a reply of so many tokens. The calls are in it.
func (x *Exchange) End(reason string, evaluated int, calls ...Call) {
	req := x.Request
	prefill, written := time.Duration(req.Prompt-req.Cached)*time.Millisecond, time.Duration(evaluated)*10*time.Millisecond
	last := map[string]any{
		"model": x.server.cfg.Model, "created_at": created, "message": wireMessage(Message{}, calls), "done": true, "done_reason": reason,
		"total_duration": prefill + written, "load_duration": time.Millisecond,
		"prompt_eval_count": req.Prompt, "prompt_eval_duration": prefill,
		"eval_count": evaluated, "eval_duration": written,
	}
	if x.server.cfg.ReportCached {
		last["prompt_eval_cached_count"] = req.Cached
	}
	x.line(last)
}

// Number gives calls that have no ID one of their own.
func (x *Exchange) Number(calls ...Call) []Call {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = x.server.newID()
		}
	}
	return calls
}

// created is when all answers were made.
const created = "2026-01-02T03:04:05.678901234Z"

func wireMessage(m Message, calls []Call) map[string]any {
	w := map[string]any{"role": "assistant", "content": m.Content}
	if m.Thinking != "" {
		w["thinking"] = m.Thinking
	}
	if len(calls) > 0 {
		w["tool_calls"] = calls
	}
	return w
}

// line sends v; the client may be gone.
func (x *Exchange) line(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		x.server.t.Errorf("fake Ollama: a step cannot be sent: %v", err) // a call whose arguments are no JSON
		return
	}
	x.w.Header().Set("Content-Type", "application/x-ndjson")
	_, _ = fmt.Fprintf(x.w, "%s\n", raw)
	x.w.(http.Flusher).Flush()
}
