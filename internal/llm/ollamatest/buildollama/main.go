// Command buildollama builds the real Ollama server that tests and the rehearsal run, where it has not been built yet,
// and prints the paths of what it built: the server's, then the one of the scripted models' writer.
//
//	go run ./internal/llm/ollamatest/buildollama
//
// It exists so that the three to five minutes of the first build are not counted against the time of a test.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"hob/internal/llm/ollamatest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "buildollama:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	src, err := ollamatest.Source(".")
	if err != nil {
		return err
	}
	binaries, err := ollamatest.Build(ctx, src, os.Stderr)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s\n%s\n", binaries.Server, binaries.Writer)
	return err
}
