package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
)

// maxReply is how many bytes of text, thinking and arguments one reply may have.
const maxReply = 16 << 20

// line is one line of an answer. Message is nil where the line has none.
type line struct {
	Message *struct {
		Content   string `json:"content"`
		Thinking  string `json:"thinking"`
		ToolCalls []call `json:"tool_calls"`
	} `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	RemoteHost string          `json:"remote_host"`
	Error      json.RawMessage `json:"error"`
	Status     int             `json:"status"` // of Error
	api.Metrics
}

// decodeLine reads a line, or returns the failure that it reports. A line that is neither part of a message, nor the
// end, nor a known failure is itself a failure.
func decodeLine(where, model string, text []byte) (*line, *llm.Error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '<' {
			return nil, classify(where, model, serverFailure{status: 200, text: "<"})
		}
		return nil, &llm.Error{Kind: llm.Failed, Err: err, Message: fmt.Sprintf(
			"what %s answers cannot be read as Ollama's: check [ollama] host", where)}
	}
	if words := errorText(l.Error); words != "" {
		return nil, classify(where, model, serverFailure{status: l.Status, text: words, late: true})
	}
	if l.Message == nil && !l.Done {
		return nil, classify(where, model, serverFailure{status: l.Status, text: unknownText(text)})
	}
	return &l, nil
}

// errorText returns the words of an error, which is a string or, from other servers, an object with a message.
func errorText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return object.Message
	}
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// unknownText makes words of an object that Ollama 0.11.3 sends in place of an error: {"error parsing tool call": ...}.
func unknownText(text []byte) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) == nil {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			value := object[key]
			if strings.Contains(strings.ToLower(key), "error") && errorText(value) != "" {
				return key + ": " + errorText(value)
			}
		}
	}
	return "a line that is no part of an answer"
}

// collector puts a reply together from its lines.
type collector struct {
	newID    func() string
	used     map[string]bool // call IDs of this conversation
	text     strings.Builder
	thinking strings.Builder
	calls    []llm.Call
	bytes    int
	token    string // of the last line, without blanks
	repeats  int    // lines before it that have the same
}

// maxRepeats is how often Ollama 0.24 lets a model repeat a token, or write blanks, before it ends the answer without a
// word: llm/server.go. Later versions say so.
const maxRepeats = 30

// whyEnded is the error of an answer that ended with err and without its last line.
func (c *collector) whyEnded(err error, model string) error {
	if llm.KindOf(err) == llm.Incomplete && errors.Is(err, io.EOF) && c.repeats >= maxRepeats {
		return repeatsError(model)
	}
	return err
}

func newCollector(newID func() string, history []llm.Message) *collector {
	c := &collector{newID: newID, used: map[string]bool{}}
	for _, m := range history {
		for _, call := range m.Calls {
			c.used[call.ID] = true
		}
	}
	return c
}

// add takes a line in and returns what of it may be shown at once. It reports false when the reply grew over maxReply.
func (c *collector) add(l *line) (llm.Delta, bool) {
	if l.Message == nil {
		return llm.Delta{}, true
	}
	m := l.Message
	if token := strings.TrimSpace(m.Content + m.Thinking); token == c.token {
		c.repeats++
	} else {
		c.token, c.repeats = token, 0
	}
	c.bytes += len(m.Content) + len(m.Thinking)
	c.text.WriteString(m.Content)
	c.thinking.WriteString(m.Thinking)
	for _, w := range m.ToolCalls {
		c.bytes += len(w.Function.Arguments) + len(w.Function.Name)
		args, repairs := arguments(w.Function.Arguments)
		c.calls = append(c.calls, llm.Call{ID: c.id(w.ID), Name: w.Function.Name, Args: args, Repairs: repairs})
	}
	return llm.Delta{Text: m.Content, Thinking: m.Thinking}, c.bytes <= maxReply
}

// id returns the server's id where it is fit to tell this call from all others of the conversation, and a new one where
// it is not.
func (c *collector) id(id string) string {
	fit := id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || r == utf8.RuneError
	})
	for !fit || c.used[id] {
		id, fit = c.newID(), true
	}
	c.used[id] = true
	return id
}

const inString = "the arguments came as a string"

// arguments returns a call's arguments as they are stored: null and nothing are {}, and an object inside a string is
// that object, which is a repair.
func arguments(raw json.RawMessage) (args json.RawMessage, repairs []string) {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		inner := json.RawMessage(strings.TrimSpace(text))
		switch {
		case len(inner) == 0:
			return json.RawMessage("{}"), nil
		case inner[0] == '{' && json.Valid(inner):
			return inner, []string{inString}
		}
	}
	return raw, nil
}

// reply is what the collector holds, at the end that l marks.
func (c *collector) reply(l *line) *llm.Reply {
	r := &llm.Reply{
		Message: llm.Message{
			Role: llm.AssistantRole, Text: c.text.String(), Thinking: c.thinking.String(), Calls: c.calls,
		},
		Truncated: l.DoneReason == "length",
		Usage: llm.Usage{
			PromptTokens: l.PromptEvalCount, EvalTokens: l.EvalCount,
			Load: l.LoadDuration, PromptEval: l.PromptEvalDuration, Eval: l.EvalDuration,
		},
	}
	if l.PromptEvalCachedCount != nil {
		r.Usage.CachedTokens = *l.PromptEvalCachedCount
	}
	return r
}
