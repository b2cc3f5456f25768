package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/toolcall"
	"hob/internal/surface/cli"
)

func parseCommand(a *program) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use: "parse --jsonl", Short: "read what a model wrote, and say which calls that comes to", Args: cobra.NoArgs,
		Long: "parse reads JSON Lines from standard input: {\"raw\":\"what the model wrote\",\"tools\":[Ollama tool definitions]}, and\n" +
			"optionally user, thinking, tool_calls, done_reason, error, profile. For each it prints one line: the class of the\n" +
			"reply, the calls with all that was mended, the text that a person would see, and what is wrong. It runs nothing.",
		Example: `  echo '{"raw":"{\"name\":\"add\",\"arguments\":{\"a\":\"1\"}}","tools":[{"type":"function","function":{"name":"add",` +
			`"parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}}]}' | hob model parse --jsonl`,
		RunE: does(func(ctx context.Context, _ []string) error {
			if !asLines {
				return exit.Errorf(exit.Usage, "parse reads JSON Lines: hob model parse --jsonl <replies.jsonl")
			}
			book, err := profile.Seeds()
			if err != nil {
				return err
			}
			return parseLines(ctx, a.stdin, a.stdout, book)
		}),
	}
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "read and print JSON Lines")
	return cmd
}

// reply is a line of the input of `hob model parse`. Members are read leniently: one that is of another type than it
// should be counts as absent.
type reply struct {
	Raw        loose[string]           `json:"raw"`
	Tools      loose[[]toolDefinition] `json:"tools"`
	User       loose[string]           `json:"user"`
	Thinking   loose[string]           `json:"thinking"`
	ToolCalls  loose[[]wireCall]       `json:"tool_calls"`
	DoneReason loose[string]           `json:"done_reason"`
	Error      loose[string]           `json:"error"`
	Profile    loose[string]           `json:"profile"` // the name of a model or of a family, or a mode
}

// loose is a value that is its zero value where the JSON is of another type.
type loose[T any] struct{ v T }

// UnmarshalJSON implements [json.Unmarshaler].
func (l *loose[T]) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &l.v) != nil {
		l.v = *new(T)
	}
	return nil
}

// toolDefinition is a tool as Ollama is told of it, or the function alone.
type toolDefinition struct {
	Function function `json:"function"`
	function
}

type function struct {
	Name        loose[string]   `json:"name"`
	Description loose[string]   `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Arguments   json.RawMessage `json:"arguments"` // of a call
}

// wireCall is a call as Ollama tells of it, or the function alone.
type wireCall struct {
	ID       loose[string] `json:"id"`
	Function function      `json:"function"`
	function
}

// either returns the function, wherever it stands.
func either(inner, outer function) function {
	if inner.Name.v == "" {
		return outer
	}
	return inner
}

// parsed is a line of its output.
type parsed struct {
	Class  string       `json:"class"`
	Calls  []parsedCall `json:"calls"`
	Text   string       `json:"text"`
	Errors []parseError `json:"errors"`
}

type parsedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Repairs   []string        `json:"repairs"`
	Valid     bool            `json:"valid"`
}

type parseError struct {
	Call    int    `json:"call"` // index in calls; -1 is the reply as a whole
	Path    string `json:"path"` // JSON pointer into its arguments
	Problem string `json:"problem"`
}

// parseLines answers every line of in with one of out.
func parseLines(ctx context.Context, in io.Reader, out io.Writer, book *profile.Book) error {
	reader := bufio.NewReaderSize(in, 64<<10)
	writer := bufio.NewWriter(out)
	for n := 1; ; n++ {
		line, readErr := reader.ReadBytes('\n')
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			var r reply
			if text[0] != '{' || json.Unmarshal(text, &r) != nil {
				return errors.Join(writer.Flush(), exit.Errorf(exit.Usage, "line %d is no JSON object: each line is one reply, such as {\"raw\":\"...\",\"tools\":[]}", n))
			}
			raw, err := cli.JSON(parse(r, book))
			if err != nil {
				return err
			}
			if _, err := writer.Write(append(raw, '\n')); err != nil {
				return err
			}
			if reader.Buffered() == 0 { // whoever asks line by line gets its answer
				if err := writer.Flush(); err != nil {
					return err
				}
			}
		}
		if readErr == io.EOF {
			return writer.Flush()
		}
		if readErr != nil {
			return errors.Join(writer.Flush(), readErr)
		}
	}
}

// parse reads one reply.
func parse(r reply, book *profile.Book) parsed {
	defs := make([]llm.ToolDefinition, 0, len(r.Tools.v))
	for _, t := range r.Tools.v {
		f := either(t.Function, t.function)
		defs = append(defs, llm.ToolDefinition{Name: f.Name.v, Description: f.Description.v, Parameters: f.Parameters})
	}
	wire := toolcall.Wire{
		Message: llm.Message{Role: llm.AssistantRole, Text: r.Raw.v, Thinking: r.Thinking.v},
		User:    r.User.v, Truncated: r.DoneReason.v == "length",
	}
	switch mode := llm.Mode(r.Profile.v); mode {
	case "":
	case llm.NativeMode, llm.PromptMode, llm.SchemaMode:
		wire.Mode = mode
	default:
		p := book.For(profile.Facts{Model: r.Profile.v, Family: r.Profile.v, Parser: r.Profile.v, Tools: true})
		wire.Mode, wire.Strict, wire.Loose = p.Mode, p.Has(llm.StrictPromotion), p.Has(llm.LooseThinking)
	}
	for _, c := range r.ToolCalls.v {
		f := either(c.Function, c.function)
		wire.Message.Calls = append(wire.Message.Calls, llm.Call{ID: c.ID.v, Name: f.Name.v, Args: f.Arguments})
	}
	if r.Error.v != "" {
		wire.Err = ollama.ErrorOf(r.Error.v)
	}
	return shown(toolcall.NewOffer(defs, mayAct).Read(wire))
}

// looksOnly matches the names of tools that, to go by their first word, change nothing.
var looksOnly = regexp.MustCompile(`(?i)^(get|read|list|search|find|look|show|view|query|check|count|fetch|describe|lookup|weather|calc)`)

// mayAct guesses from its name whether a tool may do more than look.
func mayAct(tool string) bool { return !looksOnly.MatchString(tool) }

// shown is a reading in the form of the output.
func shown(r toolcall.Reading) parsed {
	p := parsed{Class: string(r.Class), Calls: []parsedCall{}, Text: r.Text, Errors: []parseError{}}
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
		p.Calls = append(p.Calls, parsedCall{Name: c.Name, Arguments: args, Repairs: append([]string{}, c.Repairs...), Valid: c.Valid()})
		for _, bad := range c.Problems {
			p.Errors = append(p.Errors, parseError{Call: i, Path: bad.Path, Problem: bad.Text})
		}
	}
	if r.Reason != "" {
		p.Errors = append(p.Errors, parseError{Call: -1, Problem: r.Reason})
	}
	return p
}
