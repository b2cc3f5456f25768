// Command hob is a personal agent for one household, over a local model. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"hob/internal/llm"
	"hob/internal/sandbox/inside"
	"hob/internal/session"
)

// version is set by the linker.
var version string

// The exit statuses that scripts rely on.
const (
	exitFailed = 1 // it failed
	exitUsage  = 2 // wrong usage or configuration
	exitModel  = 3 // the model or Ollama is not there
	exitDenied = 4 // denied or stopped
)

// exit is an error that names its exit status. An empty message prints nothing: it was said already.
type exit struct {
	status  int
	message string
}

func (e *exit) Error() string { return e.message }

func failed(status int, format string, args ...any) error {
	return &exit{status, fmt.Sprintf(format, args...)}
}

func main() {
	inside.Enter(os.Args, programs()) // what runs behind walls is this program too
	debug.SetGCPercent(40)            // it allocates little, and shares a small machine with a model
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is hob with its surroundings as parameters. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: os.Getenv}
	root := rootCommand(a)
	root.SetArgs(groupsLast(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.Background())
	if lost := a.exit.end(); lost != nil { // what was asked for is done all the same
		fmt.Fprintf(a.stderr, "hob: %v\n", lost)
	}
	if err == nil {
		return 0
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(a.stderr, "hob: %s\n", msg) // which tells no secret once the configuration was read
	}
	return status(err)
}

// status is the exit status of an error. What has none comes from cobra: a wrong flag, argument or command.
func status(err error) int {
	var e *exit
	var m *llm.Error
	var other *session.OtherInputError
	switch {
	case errors.As(err, &other):
		return exitUsage
	case errors.As(err, &e):
		return e.status
	case errors.As(err, &m) && m.Kind == llm.Cancelled:
		return exitDenied
	case errors.As(err, &m):
		return exitModel
	}
	return exitUsage
}
