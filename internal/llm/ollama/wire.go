package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ollama/ollama/api"

	"hob/internal/jsonl"
	"hob/internal/llm"
)

// request is the body of POST /api/chat. The fields of the frozen block come first; what differs from one request to the
// next comes after.
type request struct {
	Model     string       `json:"model"`
	Stream    bool         `json:"stream"`
	KeepAlive api.Duration `json:"keep_alive"`
	Truncate  bool         `json:"truncate"`
	Shift     *bool        `json:"shift,omitempty"`
	Options   options      `json:"options"`
	Think     any          `json:"think"`

	Format json.RawMessage `json:"format,omitempty"`

	Tools    []tool    `json:"tools,omitempty"`
	Messages []message `json:"messages"`
}

type options struct {
	NumCtx           int      `json:"num_ctx"`
	NumPredict       int      `json:"num_predict"`
	Temperature      float64  `json:"temperature"`
	TopP             *float64 `json:"top_p,omitempty"`
	TopK             *float64 `json:"top_k,omitempty"`
	MinP             *float64 `json:"min_p,omitempty"`
	RepeatPenalty    *float64 `json:"repeat_penalty,omitempty"`
	PresencePenalty  *float64 `json:"presence_penalty,omitempty"`
	FrequencyPenalty *float64 `json:"frequency_penalty,omitempty"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type message struct {
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	Thinking   string          `json:"thinking,omitempty"`
	Images     []api.ImageData `json:"images,omitempty"`
	ToolCalls  []call          `json:"tool_calls,omitempty"`
	ToolName   string          `json:"tool_name,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string       `json:"id,omitempty"`
	Function callFunction `json:"function"`
}

type callFunction struct {
	Index     int             `json:"index"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// encode returns the body of a chat. It is a function of its arguments alone. thinks says whether the model can think:
// Ollama refuses a request to think to one that cannot.
func encode(cfg Config, thinks bool, req llm.Request) ([]byte, error) {
	body := request{
		Model:     cfg.Model,
		Stream:    true,
		KeepAlive: api.Duration{Duration: cfg.KeepAlive},
		Shift:     cfg.Shift,
		Options:   encodeOptions(cfg.NumCtx, req.Options),
		Think:     thinkValue(thinks, req.Options.Think),
		Messages:  make([]message, 0, len(req.Messages)+1),
	}
	var err error
	if body.Format, err = formatSchema(req); err != nil {
		return nil, err
	}
	for _, def := range req.Tools {
		parameters, err := plainSchema(def.Parameters)
		if err != nil {
			return nil, fmt.Errorf("encode tool %q: its parameters are not a schema that Ollama can read: %w", def.Name, err)
		}
		body.Tools = append(body.Tools, tool{Type: "function", Function: function{
			Name: def.Name, Description: def.Description, Parameters: parameters,
		}})
	}
	if req.System != "" {
		body.Messages = append(body.Messages, message{Role: "system", Content: req.System})
	}
	for _, m := range req.Messages {
		body.Messages = append(body.Messages, encodeMessage(m))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return out.Bytes(), nil
}

// encodeOptions returns the options of a request. What is not set is not sent.
func encodeOptions(numCtx int, o llm.Options) options {
	number := func(s llm.Setting) *float64 {
		if !s.IsSet {
			return nil
		}
		return &s.Value
	}
	s := o.Sampling
	return options{
		NumCtx: numCtx, NumPredict: numPredict(numCtx, o.NumPredict), Temperature: o.Temperature,
		TopP: number(s.TopP), TopK: number(s.TopK), MinP: number(s.MinP),
		RepeatPenalty: number(s.RepeatPenalty), PresencePenalty: number(s.PresencePenalty), FrequencyPenalty: number(s.FrequencyPenalty),
	}
}

// formatSchema returns the schema of a reply's text as it is sent. A grammar for the text leaves a model no way to call a tool,
// and Ollama lets it win without a word.
func formatSchema(req llm.Request) (json.RawMessage, error) {
	schema := bytes.TrimSpace(req.Format)
	switch {
	case len(schema) == 0:
		return nil, nil
	case len(req.Tools) > 0:
		return nil, errors.New("encode format: a reply cannot have both tools and a format; leave one of them out")
	case !json.Valid(schema) || schema[0] != '{':
		return nil, errors.New("encode format: it is not a JSON object")
	}
	return schema, nil
}

func encodeMessage(m llm.Message) message {
	w := message{
		Role: string(m.Role), Content: m.Text, Thinking: m.Thinking, ToolName: m.ToolName, ToolCallID: m.CallID,
	}
	for _, image := range m.Images {
		w.Images = append(w.Images, image)
	}
	for i, c := range m.Calls {
		w.ToolCalls = append(w.ToolCalls, call{ID: c.ID, Function: callFunction{
			Index: i, Name: c.Name, Arguments: objectOrEmpty(c.Args),
		}})
	}
	return w
}

// objectOrEmpty returns args if Ollama can read them and {} if not: it refuses a whole conversation for one call whose
// arguments are no object, or hold a number that no float64 can. The tool message that follows such a call says what was
// wrong with it.
func objectOrEmpty(args json.RawMessage) json.RawMessage {
	trimmed := bytes.TrimSpace(args)
	if len(trimmed) == 0 || trimmed[0] != '{' || json.Unmarshal(trimmed, new(api.ToolCallFunctionArguments)) != nil {
		return json.RawMessage("{}")
	}
	return args
}

// numPredict bounds a reply that names no bound of its own to a quarter of the context: Ollama's default is several
// contexts.
func numPredict(numCtx, n int) int {
	if n > 0 {
		return n
	}
	return max(1, min(numCtx/4, 4096))
}

// thinkValue is the wire's word for a level of thinking.
func thinkValue(thinks bool, level llm.Think) any {
	switch {
	case !thinks || level == llm.ThinkOff || level == "":
		return false
	case level == llm.ThinkOn:
		return true
	}
	return string(level)
}

// plainSchema returns a JSON Schema as it is, except for the subschemas true and false where Ollama's types need an object.
func plainSchema(schema json.RawMessage) (json.RawMessage, error) {
	trimmed := bytes.TrimSpace(schema)
	if len(trimmed) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	if !json.Valid(trimmed) || trimmed[0] != '{' {
		return nil, errors.New("it is not a JSON object")
	}
	plain := json.RawMessage(trimmed)
	closed := bytes.Count(trimmed, []byte(`"additionalProperties":false`)) // which is left as it is
	if bytes.Contains(trimmed, []byte("true")) || bytes.Count(trimmed, []byte("false")) > closed {
		plain = rewrite(trimmed, 0)
	}
	// One tool that the server cannot read would make it refuse every request, without saying which.
	if err := json.Unmarshal(plain, new(api.ToolFunctionParameters)); err != nil {
		return nil, err
	}
	return plain, nil
}

// maxDepth is how deep schemas may nest.
const maxDepth = 64

// rewrite returns the schema at raw, which is valid JSON, with its subschemas written as objects, everything else and all order
// kept.
func rewrite(raw json.RawMessage, depth int) json.RawMessage {
	switch string(raw) {
	case "true":
		return json.RawMessage("{}")
	case "false":
		return json.RawMessage(`{"not":{}}`)
	}
	if len(raw) == 0 || raw[0] != '{' || depth > maxDepth {
		return raw
	}
	below := func(_ string, v json.RawMessage) json.RawMessage { return rewrite(v, depth+1) }
	return rewriteEach(raw, func(key string, value json.RawMessage) json.RawMessage {
		switch {
		case (key == "properties" || key == "$defs") && value[0] == '{', (key == "anyOf" || key == "oneOf" || key == "allOf") && value[0] == '[':
			return rewriteEach(value, below)
		case key == "items" && value[0] == '{':
			return rewrite(value, depth+1)
		}
		return value
	})
}

// rewriteEach rewrites the values of an object or the elements of a list in their order. An element has the key "".
func rewriteEach(raw json.RawMessage, each func(key string, value json.RawMessage) json.RawMessage) json.RawMessage {
	members, isObject := jsonl.Members(raw)
	var elements []json.RawMessage
	if !isObject {
		_ = json.Unmarshal(raw, &elements) // it is a list
	}
	for _, e := range elements {
		members = append(members, jsonl.Member{Value: e})
	}
	out := []byte{raw[0]}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		if isObject {
			name, _ := jsonl.Marshal(m.Name) // no string has an error
			out = append(append(out, name...), ':')
		}
		out = append(out, each(m.Name, m.Value)...)
	}
	return append(out, raw[len(raw)-1])
}
