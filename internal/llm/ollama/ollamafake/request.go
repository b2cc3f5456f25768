package ollamafake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Request is a chat as it came.
type Request struct {
	Body     []byte
	Model    string
	Messages []Message
	Tools    []Tool
	Format   json.RawMessage
	Think    string // false, true, or a level in quotes, as on the wire
	Options  Options

	Rendered string // the prompt
	Prompt   int    // its tokens
	Cached   int    // those of them that the prompt before began with
	Dropped  int    // messages that TruncateSilently took out
}

// Options of a request: of what a request may leave out, nil is what it did.
type Options struct {
	NumCtx      int // tokens
	NumPredict  int // tokens
	Temperature float64
	Sampling
}

// Sampling is what a request may say of how tokens are chosen, beside the temperature.
type Sampling struct {
	TopP             *float64 `json:"top_p"`
	TopK             *int     `json:"top_k"`
	MinP             *float64 `json:"min_p"`
	RepeatPenalty    *float64 `json:"repeat_penalty"`
	PresencePenalty  *float64 `json:"presence_penalty"`
	FrequencyPenalty *float64 `json:"frequency_penalty"`
}

// Message of a request.
type Message struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	Thinking   string   `json:"thinking"`
	Images     [][]byte `json:"images"`
	ToolCalls  []Call   `json:"tool_calls"`
	ToolName   string   `json:"tool_name"`
	ToolCallID string   `json:"tool_call_id"`
}

// Tool that a request offers.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Call is a call, in a request or of a step.
type Call struct {
	ID   string
	Name string
	Args json.RawMessage // nil is null
}

type wireCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Index     int             `json:"index"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// UnmarshalJSON reads a call as it is on the wire.
func (c *Call) UnmarshalJSON(raw []byte) error {
	var w wireCall
	if err := strict(raw, &w); err != nil {
		return err
	}
	c.ID, c.Name, c.Args = w.ID, w.Function.Name, w.Function.Arguments
	return nil
}

// MarshalJSON writes a call as it is on the wire.
func (c Call) MarshalJSON() ([]byte, error) {
	var w wireCall
	w.ID, w.Function.Name, w.Function.Arguments = c.ID, c.Name, c.Args
	return json.Marshal(w)
}

// wireRequest has every field that hob sends. A nil pointer is a missing field.
type wireRequest struct {
	Model     string          `json:"model"`
	Stream    bool            `json:"stream"`
	KeepAlive json.RawMessage `json:"keep_alive"`
	Truncate  *bool           `json:"truncate"`
	Shift     *bool           `json:"shift"`
	Think     json.RawMessage `json:"think"`
	Format    json.RawMessage `json:"format"`
	Options   struct {
		NumCtx      *int     `json:"num_ctx"`
		NumPredict  *int     `json:"num_predict"`
		Temperature *float64 `json:"temperature"`
		Sampling
	} `json:"options"`
	Tools []struct {
		Type     string `json:"type"`
		Function Tool   `json:"function"`
	} `json:"tools"`
	Messages []Message `json:"messages"`
}

func strict(raw []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more than one JSON value")
	}
	return nil
}

// check returns the request, or what hob did wrong.
func (w *wireRequest) check(body []byte) (Request, error) {
	switch o := w.Options; {
	case !w.Stream:
		return Request{}, errors.New("stream is not true")
	case len(w.KeepAlive) == 0:
		return Request{}, errors.New("keep_alive is missing: a model would be unloaded after five minutes")
	case w.Truncate == nil || *w.Truncate:
		return Request{}, errors.New("truncate is not false: a conversation that is too long would be cut without a word")
	case !slices.Contains([]string{"false", "true", `"low"`, `"medium"`, `"high"`}, string(w.Think)):
		return Request{}, fmt.Errorf("think is %q: models that can think would", w.Think)
	case o.NumCtx == nil || *o.NumCtx <= 0:
		return Request{}, errors.New("options.num_ctx is missing: the model would be loaded with the server's default")
	case o.NumPredict == nil || *o.NumPredict <= 0:
		return Request{}, errors.New("options.num_predict is missing: a reply would have no end")
	case o.Temperature == nil:
		return Request{}, errors.New("options.temperature is missing")
	case len(w.Tools) > 0 && len(w.Format) > 0:
		return Request{}, errors.New("tools and format together: no tool would be called")
	case len(w.Format) > 0 && w.Format[0] != '{':
		return Request{}, errors.New("format is no schema")
	}
	r := Request{
		Body: body, Model: w.Model, Messages: w.Messages, Format: w.Format, Think: string(w.Think),
		Options: Options{
			NumCtx: *w.Options.NumCtx, NumPredict: *w.Options.NumPredict, Temperature: *w.Options.Temperature, Sampling: w.Options.Sampling,
		},
	}
	for _, t := range w.Tools {
		f := t.Function
		var schema struct{ Type string }
		if err := json.Unmarshal(f.Parameters, &schema); err != nil || schema.Type != "object" || t.Type != "function" || f.Name == "" {
			return Request{}, fmt.Errorf("tool %q is not the definition of a function with an object as its argument", f.Name)
		}
		if slices.ContainsFunc(r.Tools, func(other Tool) bool { return other.Name == f.Name }) {
			return Request{}, fmt.Errorf("tool %q is offered twice", f.Name)
		}
		r.Tools = append(r.Tools, f)
	}
	return r, checkConversation(w.Messages)
}

// checkConversation holds a conversation against the rules of package llm.
func checkConversation(messages []Message) error {
	used, open := map[string]bool{}, map[string]string{} // IDs, and the names of what is called
	for i, m := range messages {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("message %d (%s): %s", i+1, m.Role, fmt.Sprintf(format, args...))
		}
		if m.Role != "tool" && len(open) > 0 {
			return fail("%d calls before it are unanswered", len(open))
		}
		if m.Role != "tool" && m.ToolName+m.ToolCallID != "" || m.Role != "assistant" && len(m.ToolCalls) > 0 {
			return fail("it has fields of another role")
		}
		switch m.Role {
		case "user":
		case "system":
			if i > 0 {
				return fail("system text is the first message only")
			}
		case "assistant":
			for _, c := range m.ToolCalls {
				if c.ID == "" || used[c.ID] {
					return fail("the ID %q of call %q is not its own", c.ID, c.Name)
				}
				if !bytes.HasPrefix(c.Args, []byte("{")) {
					return fail("the arguments of call %q are no object", c.Name)
				}
				used[c.ID], open[c.ID] = true, c.Name
			}
		case "tool":
			if name, called := open[m.ToolCallID]; !called || name != m.ToolName {
				return fail("it answers call %q of tool %q, which is not open", m.ToolCallID, m.ToolName)
			}
			delete(open, m.ToolCallID)
		default:
			return fail("there is no such role")
		}
	}
	switch last := messages[len(messages)-1].Role; {
	case len(open) > 0:
		return fmt.Errorf("%d calls of the last message are unanswered", len(open))
	case last != "user" && last != "tool":
		return fmt.Errorf("the last message is the %s's: there is nothing to answer", last)
	}
	return nil
}

// render writes a prompt in a form of the fake's own.
func render(tools []Tool, messages []Message) string {
	var b strings.Builder
	for _, t := range tools {
		fmt.Fprintf(&b, "<tool>%s: %s %s\n", t.Name, t.Description, t.Parameters)
	}
	for _, m := range messages {
		fmt.Fprintf(&b, "<%s>", m.Role)
		if m.Thinking != "" {
			fmt.Fprintf(&b, "<think>%s</think>", m.Thinking)
		}
		b.WriteString(m.Content)
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&b, "<call>%s %s", c.Name, c.Args)
		}
		b.WriteString("\n")
	}
	b.WriteString("<assistant>")
	return b.String()
}

// tokens counts a token for every four bytes begun.
func tokens(bytes int) int { return (bytes + 3) / 4 }

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
