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

	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/toolcall"
	"hob/internal/surface/cli"
)

func parseCommand(a *app) *cobra.Command {
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
				return failed(exitUsage, "parse reads JSON Lines: hob model parse --jsonl <replies.jsonl")
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

// reply is a line of the input of `hob model parse`.
type reply struct {
	Raw        string           `json:"raw"`
	Tools      []toolDefinition `json:"tools"`
	User       string           `json:"user"`
	Thinking   string           `json:"thinking"`
	ToolCalls  []wireCall       `json:"tool_calls"`
	DoneReason string           `json:"done_reason"`
	Error      string           `json:"error"`
	Profile    string           `json:"profile"` // the name of a model or of a family
}

// toolDefinition is a tool as Ollama is told of it.
type toolDefinition struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// wireCall is a call as Ollama tells of it.
type wireCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
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
			if err := json.Unmarshal(text, &r); err != nil {
				return errors.Join(writer.Flush(), failed(exitUsage, "line %d is no reply in JSON: %v", n, err))
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
	defs := make([]llm.ToolDefinition, 0, len(r.Tools))
	for _, t := range r.Tools {
		defs = append(defs, llm.ToolDefinition{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	wire := toolcall.Wire{
		Message: llm.Message{Role: llm.AssistantRole, Text: r.Raw, Thinking: r.Thinking},
		User:    r.User, Truncated: r.DoneReason == "length",
	}
	if r.Profile != "" {
		p := book.For(profile.Facts{Model: r.Profile, Family: r.Profile, Parser: r.Profile, Tools: true})
		wire.Mode, wire.Strict, wire.Loose = p.Mode, p.Has(llm.StrictPromotion), p.Has(llm.LooseThinking)
	}
	for _, c := range r.ToolCalls {
		wire.Message.Calls = append(wire.Message.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
	}
	if r.Error != "" {
		wire.Err = ollama.ErrorOf(r.Error)
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
	if len(r.Calls) == 0 && r.Reason != "" {
		p.Errors = append(p.Errors, parseError{Call: -1, Problem: r.Reason})
	}
	return p
}
