package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"

	"hob/internal/exit"
	"hob/internal/jsonl"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/toolcall"
	"hob/internal/surface/cli"
)

// replyLine is an input line of `hob model parse`. A member of another type than expected counts as
// absent.
type replyLine struct {
	Raw        Lenient[string]           `json:"raw"`
	Tools      Lenient[[]toolDefinition] `json:"tools"`
	Thinking   Lenient[string]           `json:"thinking"`
	ToolCalls  Lenient[[]wireCall]       `json:"tool_calls"`
	DoneReason Lenient[string]           `json:"done_reason"`
	Error      Lenient[string]           `json:"error"`
	Profile    Lenient[string]           `json:"profile"` // the name of a model or a family, or a mode
	Looks      Lenient[[]string]         `json:"looks"`   // names of the tools that only look; all others act
}

// Lenient is a value that decodes JSON of another type as its zero value.
type Lenient[T any] struct{ V T }

// UnmarshalJSON implements [json.Unmarshaler].
func (l *Lenient[T]) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &l.V) != nil {
		l.V = *new(T)
	}
	return nil
}

// toolDefinition is a tool in Ollama's format, or the function alone.
type toolDefinition struct {
	Function function `json:"function"`
	function
}

type function struct {
	Name        Lenient[string] `json:"name"`
	Description Lenient[string] `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Arguments   json.RawMessage `json:"arguments"` // of a call
}

// wireCall is a call in Ollama's format, or the function alone.
type wireCall struct {
	ID       Lenient[string] `json:"id"`
	Function function        `json:"function"`
	function
}

// functionOf returns the inner function, or else the outer one.
func functionOf(inner, outer function) function {
	if inner.Name.V == "" {
		return outer
	}
	return inner
}

// ParsedLine is an output line of `hob model parse`.
type ParsedLine struct {
	Class  string       `json:"class"`
	Calls  []ParsedCall `json:"calls"`
	Text   string       `json:"text"`
	Errors []ParseError `json:"errors"`
}

type ParsedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Repairs   []string        `json:"repairs"`
	Valid     bool            `json:"valid"`
}

type ParseError struct {
	Call    int    `json:"call"` // index in calls; -1: the whole reply
	Path    string `json:"path"` // JSON pointer into its arguments
	Problem string `json:"problem"`
}

// ParseLines reads one reply from each line of in and writes its reading to out.
func ParseLines(ctx context.Context, in io.Reader, out io.Writer, book *profile.Book) error {
	return jsonl.Answer(ctx, in, out, func(out io.Writer, n int, line []byte) error {
		var r replyLine
		if line[0] != '{' || json.Unmarshal(line, &r) != nil {
			return exit.Errorf(exit.Usage, "line %d is no JSON object: each line is one reply, such as {\"raw\":\"...\",\"tools\":[]}", n)
		}
		raw, err := cli.JSON(parseReply(r, book))
		if err != nil {
			return err
		}
		_, err = out.Write(append(raw, '\n'))
		return err
	})
}

// parseReply reads one reply.
func parseReply(r replyLine, book *profile.Book) ParsedLine {
	defs := make([]llm.ToolDefinition, 0, len(r.Tools.V))
	for _, t := range r.Tools.V {
		f := functionOf(t.Function, t.function)
		defs = append(defs, llm.ToolDefinition{Name: f.Name.V, Description: f.Description.V, Parameters: f.Parameters})
	}
	wire := toolcall.Wire{
		Message:   llm.Message{Role: llm.AssistantRole, Text: r.Raw.V, Thinking: r.Thinking.V},
		Truncated: r.DoneReason.V == "length",
	}
	switch mode := llm.Mode(r.Profile.V); mode {
	case "":
	case llm.NativeMode, llm.PromptMode, llm.SchemaMode:
		wire.Mode = mode
	default:
		p := book.For(profile.Facts{Model: r.Profile.V, Family: r.Profile.V, Parser: r.Profile.V, Tools: true})
		wire.Mode, wire.Strict, wire.Loose = p.Mode, p.Has(llm.StrictPromotion), p.Has(llm.LooseThinking)
	}
	for _, c := range r.ToolCalls.V {
		f := functionOf(c.Function, c.function)
		wire.Message.Calls = append(wire.Message.Calls, llm.Call{ID: c.ID.V, Name: f.Name.V, Args: f.Arguments})
	}
	if r.Error.V != "" {
		wire.Err = ollama.ErrorOf(r.Error.V)
	}
	mayAct := func(tool string) bool { return !slices.Contains(r.Looks.V, tool) }
	return newParsedLine(toolcall.NewOffer(defs, mayAct).Read(wire))
}

// newParsedLine returns a reading in the output format.
func newParsedLine(r toolcall.Reading) ParsedLine {
	p := ParsedLine{Class: string(r.Class), Calls: []ParsedCall{}, Text: r.Text, Errors: []ParseError{}}
	switch r.Class {
	case toolcall.Incomplete:
		p.Class = string(toolcall.Truncated)
	case toolcall.Transport, toolcall.Context, toolcall.Failed:
		p.Class = string(toolcall.Malformed)
	}
	for i, c := range r.Calls {
		args := c.Args
		if trimmed := bytes.TrimSpace(args); len(trimmed) == 0 || trimmed[0] != '{' || !json.Valid(trimmed) {
			args = json.RawMessage("{}")
		}
		p.Calls = append(p.Calls, ParsedCall{Name: c.Name, Arguments: args, Repairs: append([]string{}, c.Repairs...), Valid: c.Valid()})
		for _, bad := range c.Problems {
			p.Errors = append(p.Errors, ParseError{Call: i, Path: bad.Path, Problem: bad.Text})
		}
	}
	if r.Reason != "" {
		p.Errors = append(p.Errors, ParseError{Call: -1, Problem: r.Reason})
	}
	return p
}
