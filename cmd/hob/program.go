package main

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/daemon"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/ollamaserver"
	"hob/internal/surface/cli"
)

// program is what the commands share: where they read and write, and how they get at the configuration and the state.
type program struct {
	*app.Loader
	stdin  io.Reader
	stdout io.Writer // as it was handed in: for programs, and for what is laid out already
	out    io.Writer // stdout, wrapped at words where it is a terminal: for what a person reads
	// rawStderr is standard error as it was handed in, to see whether it is a terminal. What is written goes to Stderr, which
	// shows no secrets.
	rawStderr io.Writer
	wait      client.Wait // for a model that is away, as far as the command line says
	json      bool        // --json of the command that runs

	ollama        *ollamaserver.Local // ends with this process
	usesInstalled bool                // ollama may be one that is installed, and not only one that was built
}

// newProgram returns what the commands share.
func newProgram(stdin io.Reader, stdout, stderr io.Writer, env func(string) string) *program {
	wrapped := func(to io.Writer) io.Writer { return (&cli.Terminal{Out: to}).WrapWriter(to) }
	a := &program{
		Loader: &app.Loader{Env: env, Stderr: wrapped(stderr), Version: version(), Serve: daemon.ServeSocket},
		stdin:  stdin, stdout: stdout, out: wrapped(stdout), rawStderr: stderr,
	}
	a.ollama = ollamaserver.NewLocal(strings.TrimPrefix(ollama.DefaultHost, "http://"), a.findOllama)
	a.Ollama = a.ollama
	a.Patience = func(failure *llm.Error, begun bool) time.Duration { return a.modelWait().Patience(failure.Kind, begun) }
	return a
}

// modelWait is how long this command waits for a model that is away.
func (a *program) modelWait() client.Wait {
	p := a.wait
	p.Person = !p.Program && a.terminal().IsInteractive()
	return p
}

// terminal is where it reads and writes. Before the configuration is read, errors go there as they are; afterwards without secrets.
func (a *program) terminal() *cli.Terminal {
	return &cli.Terminal{In: a.stdin, Out: a.stdout, Err: a.Stderr, Env: a.Env}
}

// zone returns the zone of the household, or of this machine where the configuration cannot be read.
func (a *program) zone() *time.Location {
	s, err := a.Load()
	if err != nil {
		return time.Local
	}
	return s.Zone()
}

// waitFlag is --wait.
func (a *program) waitFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&a.wait, "wait", "how long to wait for a model whose server is away (without a terminal 30s if it is busy or died, else 0)")
}
