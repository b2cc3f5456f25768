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

// program is the shared state of the commands: input and output, and the loader of configuration
// and state.
type program struct {
	*app.Loader
	stdin  io.Reader
	stdout io.Writer // unwrapped: for programs, and for text with a layout of its own
	out    io.Writer // stdout, wrapped at words on a terminal: for text that a person reads
	// rawStderr is standard error itself, to ask whether it is a terminal. Messages go to Stderr,
	// which removes secrets.
	rawStderr io.Writer
	wait      client.Wait // --wait, and what follows from other flags
	json      bool        // --json of the command that runs

	ollama        *ollamaserver.Local // a server that this process started, and stops at its end
	usesInstalled bool                // ollama may be the installed one, not only one that hob built
}

// newProgram returns the shared state of the commands.
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

// modelWait returns how long this command waits while the model's server is away.
func (a *program) modelWait() client.Wait {
	p := a.wait
	p.Person = !p.Program && a.terminal().IsInteractive()
	return p
}

// terminal returns the terminal of the program. Secrets are removed from its error output once the
// configuration is read.
func (a *program) terminal() *cli.Terminal {
	return &cli.Terminal{In: a.stdin, Out: a.stdout, Err: a.Stderr, Env: a.Env}
}

// zone returns the time zone of the household, or of this machine if the configuration cannot be
// read.
func (a *program) zone() *time.Location {
	s, err := a.Load()
	if err != nil {
		return time.Local
	}
	return s.Zone()
}

// waitFlag adds --wait.
func (a *program) waitFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&a.wait, "wait", "how long to wait for a model whose server is away (without a terminal 30s if it is busy or died, else 0)")
}
