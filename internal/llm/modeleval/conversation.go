package modeleval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// Limits of one reply, in tokens. An answer to a check has one or two sentences; thoughts are longer.
const (
	replyTokens    = 512
	thinkingTokens = 2048
)

// errFatal marks an error after which no other request can succeed either.
var errFatal = errors.New("the model cannot be asked")

// fatalError wraps such an error; its words are those of the cause.
type fatalError struct{ error }

func (f fatalError) Unwrap() []error { return []error{errFatal, f.error} }

// isFatal reports whether it is such an error.
func isFatal(err error) bool {
	kind := llm.KindOf(err)
	return err != nil && (kind == llm.Unreachable || kind == llm.ModelMissing || kind == llm.ModelRefused)
}

// counter counts what is asked of a model.
type counter struct {
	model    llm.Model
	meter    *meter
	requests int
	fatal    error // the last such error
}

// Chat implements [llm.Model].
func (c *counter) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	c.requests++
	reply, err := c.model.Chat(ctx, req, onDelta)
	if reply != nil {
		c.meter.add(reply.Usage)
	}
	if isFatal(err) && ctx.Err() == nil {
		c.fatal = err
	}
	return reply, err
}

// conversation is one conversation with the model that is measured.
type conversation struct {
	model    llm.Model
	profile  llm.Profile
	system   string
	tools    []llm.ToolDefinition
	offer    *toolcall.Offer
	messages []llm.Message
	ids      map[string]bool
	requests int
	promoted bool // the calls of the last reply were found in its words, natively
	calls    int  // of all replies
	tokens   int  // limit of a reply, without thoughts
}

func newConversation(m llm.Model, p llm.Profile, system string, tools []llm.ToolDefinition) *conversation {
	return &conversation{model: m, profile: p, system: system, tools: tools, offer: toolcall.NewOffer(tools, nil),
		ids: map[string]bool{}, tokens: replyTokens}
}

// addUser adds a user's words.
func (t *conversation) addUser(words string) {
	t.messages = append(t.messages, llm.Message{Role: llm.UserRole, Text: words})
}

// addResult adds the result of a call.
func (t *conversation) addResult(c toolcall.Call, text string) {
	t.messages = append(t.messages, llm.Message{Role: llm.ToolRole, CallID: c.ID, ToolName: c.Name, Text: text})
}

// ask makes one request and reads the reply, which becomes part of the conversation if it is one that fits. The error
// is one that ends more than this conversation (errFatal), or the end of ctx.
func (t *conversation) ask(ctx context.Context) (toolcall.Reading, error) {
	req := llm.Request{System: t.system, Messages: slices.Clone(t.messages), Tools: t.tools, Options: replyOptions(t.profile, t.tokens)}
	mode := cmp.Or(t.profile.Mode, llm.NativeMode)
	if mode != llm.NativeMode {
		req = toolcall.Render(req, mode, nil)
	}
	req = toolcall.Arrange(req, t.profile.Layout)
	t.requests++
	reply, err := t.model.Chat(ctx, req, func(llm.Delta) {})
	switch {
	case ctx.Err() != nil:
		return toolcall.Reading{}, ctx.Err()
	case isFatal(err):
		return toolcall.Reading{}, fatalError{err}
	}
	w := toolcall.Wire{Err: err, Mode: mode, Strict: t.profile.Has(llm.StrictPromotion), Loose: t.profile.Has(llm.LooseThinking)}
	if reply != nil {
		w.Message, w.Truncated = reply.Message, reply.Truncated
	}
	r := t.offer.Read(w)
	if w.Strict && len(r.Calls) > 0 && r.Calls[0].Asked() { // its answers look like calls, and are asked about
		r.Class, r.Text, r.Calls = toolcall.Text, w.Message.Text, nil
	}
	t.calls += len(r.Calls)
	if r.Reason == "" && err != nil {
		r.Reason = err.Error()
	}
	if t.profile.OneCall && len(r.Calls) > 1 {
		if r.Calls = r.Calls[:1]; r.Calls[0].Valid() {
			r.Class = toolcall.Calls
		}
	}
	t.promoted = mode == llm.NativeMode && len(w.Message.Calls) == 0 && len(r.Calls) > 0
	t.addReply(&r)
	return r, nil
}

// replyOptions are those of a request whose reply may have so many tokens, and more to think.
func replyOptions(p llm.Profile, tokens int) llm.Options {
	o := llm.Options{NumPredict: tokens, Think: cmp.Or(p.Think, llm.ThinkOff)}
	if o.Think != llm.ThinkOff || p.Has(llm.AlwaysThinks) || p.Has(llm.LooseThinking) {
		o.NumPredict += thinkingTokens
	}
	temperature, sampling := p.SamplingFor(o.Think)
	o.Temperature, o.Sampling = temperature.Value, sampling
	return o
}

// addReply adds a reply to the conversation. Every call gets an ID that no other has, or its result would answer two.
func (t *conversation) addReply(r *toolcall.Reading) {
	if r.Class != toolcall.Calls && r.Class != toolcall.Text {
		return
	}
	m := llm.Message{Role: llm.AssistantRole, Text: r.Text, Thinking: r.Thinking}
	if t.profile.Keep == llm.KeepNone {
		m.Thinking = ""
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		for n := len(t.ids) + 1; c.ID == "" || t.ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("call_%d", n)
		}
		t.ids[c.ID] = true
		m.Calls = append(m.Calls, c.Call)
	}
	t.messages = append(t.messages, m)
}

// describe says in one line what a reply is.
func describe(r toolcall.Reading) string {
	switch r.Class {
	case toolcall.Calls:
		calls := lists.Map(r.Calls, func(c toolcall.Call) string { return c.Name + " " + string(c.Args) })
		return oneLine("called " + strings.Join(calls, " and "))
	case toolcall.Text:
		return oneLine(fmt.Sprintf("answered %q", r.Text))
	case toolcall.Empty:
		return "the reply was empty"
	case toolcall.Thinking:
		return "it thought and then said nothing"
	case toolcall.Truncated:
		return "the reply was cut off"
	case toolcall.Malformed:
		return oneLine("a call cannot be run: " + firstProblem(r))
	case toolcall.Context:
		return "the conversation is longer than its context"
	}
	return oneLine("no reply: " + r.Reason)
}

// firstProblem says what is wrong with calls that do not fit.
func firstProblem(r toolcall.Reading) string {
	for _, c := range r.Calls {
		if !c.Valid() {
			return c.Name + ": " + c.Problems[0].String()
		}
	}
	if r.Reason == "" {
		return r.Raw
	}
	return r.Reason
}

// oneLine makes what a model or a server wrote fit for a line on a terminal and in a file.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return display.Truncate(display.Join(s), 160)
}

// meter adds up what a server says of its speed.
type meter struct {
	prompt float64 // tokens a second, of the slowest request
	tokens int
	eval   time.Duration
}

// leastRead is how many tokens a prompt must have for a measurement of the speed of reading.
const leastRead = 64

// add counts a reply. Servers that do not say how much of a prompt they had already seem to read it faster than they
// can: the slowest request is the one that had the least.
func (m *meter) add(u llm.Usage) {
	if read := u.PromptTokens - u.CachedTokens; read >= leastRead && u.PromptEval > 0 {
		if speed := float64(read) / u.PromptEval.Seconds(); m.prompt == 0 || speed < m.prompt {
			m.prompt = speed
		}
	}
	if u.EvalTokens > 0 && u.Eval > 0 {
		m.tokens += u.EvalTokens
		m.eval += u.Eval
	}
}

func (m *meter) promptPerSecond() float64 { return m.prompt }

func (m *meter) evalPerSecond() float64 {
	if m.eval == 0 {
		return 0
	}
	return float64(m.tokens) / m.eval.Seconds()
}
