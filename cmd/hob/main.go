// Command hob is a personal agent for one household, over a local model. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	_ "time/tzdata" // for machines that have no time zones of their own

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/sandbox/inside"
)

func main() {
	inside.Enter(os.Args, programs()) // what runs behind walls is this program too
	collectAt(400)                    // most commands are over before their few megabytes of garbage are worth the time
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collectAt has garbage collected once the heap has grown by percent, unless the environment says when.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// usualCollection is when Go collects garbage by itself: a process that stays needs it.
const usualCollection = 100

// run is hob with its surroundings as parameters. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newProgram(stdin, stdout, stderr, os.Getenv)
	root := rootCommand(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // a Tab in the shell
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
	if lost := a.Egress.End(); lost != nil { // what was asked for is done all the same
		fmt.Fprintf(a.Stderr, "hob: %v\n", lost)
	}
	if err == nil {
		return 0
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(a.Stderr, "hob: %s\n", msg) // which tells no secret once the configuration was read
	}
	return status(err)
}

// status is the exit status of an error. What has none comes from cobra: a wrong flag, argument or command.
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
