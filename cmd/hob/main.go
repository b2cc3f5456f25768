// Command hob is a personal agent for one household, over a local model. Each command is a small
// file in this folder: flags, one call, print. Start reading at [rootCommand]; README.md describes
// the program.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	_ "time/tzdata" // some machines have no time zone files

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/sandbox/inside"
)

func main() {
	inside.Enter(os.Args, programs()) // the sandbox starts this same binary as its helper
	collectAt(400)                    // most commands end before collecting their few megabytes pays off
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collectAt sets the heap growth, in percent, that starts a garbage collection. GOGC in the
// environment wins.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// usualCollection is Go's own default. A process that runs for long needs it.
const usualCollection = 100

// run is main with its environment as parameters. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newProgram(stdin, stdout, stderr, os.Getenv)
	root := rootCommand(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // the shell asks for completions
		a.completeValues(root)
	}
	root.SetArgs(moveGroupLast(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.Background())
	if left := a.ollama.Close(); left != nil {
		fmt.Fprintf(a.Stderr, "hob: %v\n", left)
	}
	if lost := a.Egress.End(); lost != nil { // the command itself has succeeded all the same
		fmt.Fprintf(a.Stderr, "hob: %v\n", lost)
	}
	if err == nil {
		return 0
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(a.Stderr, "hob: %s\n", msg) // a.Stderr removes secrets, once the configuration is read
	}
	return status(err)
}

// status returns the exit status for an error. An error without one comes from cobra: a wrong flag,
// argument or command.
func status(err error) int {
	var e *exit.Error
	var m *llm.Error
	var other *event.ReusedIDError
	switch {
	case errors.As(err, &other):
		return exit.Usage
	case errors.As(err, &e):
		return e.Status
	case errors.As(err, &m) && m.Kind == llm.Cancelled:
		return exit.Denied
	case errors.As(err, &m):
		return exit.Model
	}
	return exit.Usage
}
