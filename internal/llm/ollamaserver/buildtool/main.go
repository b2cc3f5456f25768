// Command buildtool builds the real Ollama server that tests run, and hob where it finds no other, unless it has been
// built already. It prints the path of the server.
//
//	go run ./internal/llm/ollamaserver/buildtool
//
// It exists so that the three to five minutes of the first build are not counted against the time of a test.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"hob/internal/llm/ollamaserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "buildtool:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	src, err := ollamaserver.Source(".")
	if err != nil {
		return err
	}
	width := 0
	if columns, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		width = columns
	}
	reporter := ollamaserver.NewReporter(os.Stderr, width)
	path, err := ollamaserver.Build(ctx, src, reporter.Report)
	reporter.End()
	if err != nil {
		return err
	}
	_, err = fmt.Println(path)
	return err
}
