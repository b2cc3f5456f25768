package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"hob/internal/sandbox"
	"hob/internal/sandbox/inside"
)

// childVariable makes the test binary a server of that kind.
const childVariable = "HOB_TEST_MCP"

func TestMain(m *testing.M) {
	inside.Enter(os.Args, sandbox.Programs())
	if kind := os.Getenv(childVariable); kind != "" {
		os.Exit(child(kind))
	}
	goleak.VerifyTestMain(m)
}

// child is a server on standard input and output.
func child(kind string) int {
	ctx := context.Background()
	switch kind {
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 0
	case "deaf": // it does not even end with its input
		fmt.Fprintln(os.Stderr, "deaf as a post")
		r, _, _ := os.Pipe() // nobody writes; a select would be a deadlock
		_, _ = r.Read(make([]byte, 1))
		return 0
	case "flood":
		for {
			fmt.Print(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 1000) + "\"}}\n")
		}
	case "long":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case "crash":
		fmt.Fprintln(os.Stderr, "first line")
		fmt.Fprintln(os.Stderr, "cannot open the \u202Edatabase\u2066")
		return 3
	case "setuid":
		err := os.WriteFile("b", []byte("#!/bin/sh\n"), 0o755)
		fmt.Fprintln(os.Stderr, err, os.Chmod("b", 0o755|os.ModeSetuid))
	case "chatty":
		fmt.Println("Starting the server ...")
		fmt.Println("[info] ready")
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "child", Version: "1"}, nil)
	addChild(server)
	if err := server.Run(ctx, &sdk.StdioTransport{}); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return 0
}

// addChild adds what the child can do.
func addChild(server *sdk.Server) {
	add(server, "echo", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, func(_ context.Context, raw json.RawMessage) (*sdk.CallToolResult, error) {
		var in struct{ Text string }
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, err
		}
		return said(in.Text), nil
	})
	add(server, "look", `{"type":"object","properties":{"path":{"type":"string"}}}`, func(_ context.Context, raw json.RawMessage) (*sdk.CallToolResult, error) {
		var in struct{ Path string }
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(in.Path)
		if err != nil {
			return nil, err
		}
		return said(string(data)), nil
	})
	add(server, "environment", `{"type":"object"}`, func(context.Context, json.RawMessage) (*sdk.CallToolResult, error) {
		return said(strings.Join(os.Environ(), "\n")), nil
	})
	add(server, "die", `{"type":"object"}`, func(context.Context, json.RawMessage) (*sdk.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "I am dying")
		os.Exit(1)
		return nil, nil
	})
	add(server, "huge", `{"type":"object"}`, func(context.Context, json.RawMessage) (*sdk.CallToolResult, error) {
		return said(strings.Repeat("x", 20<<20)), nil
	})
}

// add adds a tool that takes its arguments as they come.
func add(server *sdk.Server, name, schema string, run func(context.Context, json.RawMessage) (*sdk.CallToolResult, error)) {
	server.AddTool(&sdk.Tool{Name: name, Description: "about " + name, InputSchema: json.RawMessage(schema)},
		func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return run(ctx, r.Params.Arguments)
		})
}

func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
