package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollamatest"
	"hob/internal/surface/cli"
)

// rehearsalChat is the chat of the rehearsal, so that it does not stand in the owner's own conversation.
const rehearsalChat event.Chat = "rehearsal"

// demonstration is what is asked where nobody is there to ask.
const demonstration = "What is in my notes?"

func runCommand(a *program) *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "get everything ready and open the prompt",
		Long: "run uses the Ollama that answers, else starts one that is installed, else builds one from a source checkout.\n" +
			"It uses the configured model if it is there, else offers to pull one that fits this machine, else rehearses\n" +
			"with a scripted model. Without a terminal it asks nothing and plays one turn.",
		Args: cobra.NoArgs,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			return a.run(ctx, s, source)
		}),
	}
	cmd.Flags().StringVar(&source, "source", "", "the folder tools/ollama of a checkout, to build Ollama from")
	return cmd
}

func (a *program) run(ctx context.Context, s *app.Environment, source string) error {
	starting, stop := client.UntilInterrupted(ctx) // an interrupt ends what comes before the prompt; there it stops a turn
	defer stop()
	server, err := a.findOllama(starting, s, source)
	if err != nil {
		return err
	}
	if server != nil {
		defer server.Close()
		s.Hosts = []string{server.URL()}
		if err := s.Connect(); err != nil {
			return err
		}
	}
	if err := a.welcome(s); err != nil {
		return err
	}
	e := app.NewModel(s)
	if _, err = e.Ready(starting); err == nil {
		stop()
		return a.begin(ctx, s, e, "main")
	}
	if !app.IsModelMissing(err) {
		return err
	}
	if cli.IsTerminal(a.stdin) {
		fmt.Fprintf(a.Stderr, "hob: %v\n", err)
	}
	pulled, err := a.offerPull(starting, s, e.WantedName())
	if err != nil {
		return err
	}
	if pulled {
		stop()
		return a.begin(ctx, s, app.NewModel(s), "main")
	}
	server, err = a.rehearsal(starting, s, source, e.WantedName())
	if err != nil {
		return err
	}
	defer server.Close()
	stop()
	return a.begin(ctx, s, app.NewModel(s), rehearsalChat)
}

// findOllama returns the server that it had to start, or nil when one answers already.
func (a *program) findOllama(ctx context.Context, s *app.Environment, source string) (*ollamatest.Server, error) {
	if v, err := s.OllamaClient.Version(ctx); err == nil {
		fmt.Fprintf(a.Stderr, "hob: using the Ollama that answers, version %s\n", v)
		return nil, nil
	}
	if path, err := exec.LookPath("ollama"); err == nil {
		fmt.Fprintf(a.Stderr, "hob: Ollama does not answer at %s: starting %s\n", strings.Join(s.Hosts, ", "), path)
		return ollamatest.Command(ctx, path)
	}
	if source == "" {
		return nil, &llm.Error{Kind: llm.Unreachable,
			Message: fmt.Sprintf("Ollama does not answer at %s and is not installed: install it from ollama.com, or set [ollama] host",
				strings.Join(s.Hosts, ", "))}
	}
	built, err := ollamatest.Build(ctx, source, a.Stderr)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(a.Stderr, "hob: starting the Ollama that was built from source")
	return ollamatest.Start(ctx, ollamatest.Options{Path: built.Server, Models: filepath.Join(s.StateDir, "models")})
}

// offerPull gets a model if the owner wants it and the network allows it, and reports whether it is there now. Its
// error says that the owner wants to leave.
func (a *program) offerPull(ctx context.Context, s *app.Environment, name string) (bool, error) {
	yes, err := a.terminal().Confirm(ctx, fmt.Sprintf("Pull %s now? %s.", name, app.NewModel(s).PlanPull(ctx, name).Describe()))
	if err != nil {
		return false, exit.Silently(exit.Denied)
	}
	if !yes {
		return false, nil
	}
	if err := a.pull(ctx, s, name); err != nil {
		fmt.Fprintf(a.Stderr, "hob: %v\n", err)
		return false, nil
	}
	s.Ollama.Model = name
	return true, nil
}

// rehearsal starts a server of its own with the scripted model, so that nobody's Ollama gets a model it did not ask for.
func (a *program) rehearsal(ctx context.Context, s *app.Environment, source, wanted string) (*ollamatest.Server, error) {
	if source == "" {
		return nil, exit.Silently(exit.Model) // what is missing was said
	}
	built, err := ollamatest.Build(ctx, source, a.Stderr)
	if err != nil {
		return nil, err
	}
	server, err := ollamatest.Start(ctx, ollamatest.Options{Path: built.Server})
	if err != nil {
		return nil, err
	}
	if err := ollamatest.Install(ctx, server.Client(), built.Writer, ollamatest.Rehearsal); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	fmt.Fprintf(a.Stderr, "hob: there is no model yet, so this is a rehearsal: a scripted model that does\n"+
		"hob: the same whatever you say, on a real Ollama, with real tools. For a real one\n"+
		"hob: install Ollama and run: hob model pull %s\n", wanted)
	s.Hosts, s.Ollama.Model = []string{server.URL()}, ollamatest.Rehearsal
	return server, s.Connect()
}

// begin opens the prompt; without a terminal it plays one turn with what stdin holds, or the demonstration.
func (a *program) begin(ctx context.Context, s *app.Environment, e *app.Model, chat event.Chat) error {
	if cli.IsTerminal(a.stdin) {
		return a.chat(ctx, s, e, prompt.Options{Chat: chat})
	}
	words := ""
	if a.terminal().HasInput() {
		text, err := client.ReadInput(a.terminal())
		if err != nil {
			return err
		}
		words = strings.TrimSpace(text)
	}
	if words == "" {
		words = demonstration
		fmt.Fprintf(a.stdout, "> %s\n", words)
	}
	return a.ask(ctx, s, e, client.Question{Chat: string(chat), Text: words}, false)
}

// welcome makes the workspace, and on the day it is made puts a note into it.
func (a *program) welcome(s *app.Environment) error {
	if _, err := os.Stat(s.WorkspaceDir); !os.IsNotExist(err) {
		return err
	}
	notes := filepath.Join(s.WorkspaceDir, "notes")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		return fmt.Errorf("make workspace: %w", err)
	}
	const text = `# Welcome

This folder is hob's workspace: the only place where it writes. Put here what it may work with.

- Ask: "what is in my notes?"
- Ask: "add milk to notes/shopping.md"
`
	if err := os.WriteFile(filepath.Join(notes, "welcome.md"), []byte(text), 0o600); err != nil {
		return fmt.Errorf("write welcome note: %w", err)
	}
	return nil
}
