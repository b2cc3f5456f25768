package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

// maxPrompt is how many bytes of a file or of standard input a question takes: far more than a context holds.
const maxPrompt = 1 << 20

func askCommand(a *app) *cobra.Command {
	var q question
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ask [flags] [WORDS ...]",
		Short: "ask one question",
		Long: "ask plays one turn. The question is the words, standard input, a file, or several of these together. Where\n" +
			"nobody can be asked for permission, what asks is denied. Words that begin with /NAME call a tool, and no model is asked.",
		Example: "  hob ask \"what is in my notes?\"\n" +
			"  git diff | hob ask \"review this\"\n" +
			"  hob ask \"/list_files notes\"\n" +
			"  hob ask --json --chat backup \"did the backup run?\"",
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.beside(ctx)
			if err != nil {
				return err
			}
			if err := session.CheckName(event.Chat(q.chat)); err != nil {
				return failed(exitUsage, "%v", err)
			}
			if q.text, err = a.words(args, file); err != nil {
				return err
			}
			if q.command, err = commanding(args, q.text); err != nil {
				return err
			}
			return a.ask(ctx, s, newEngine(s), q, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what happens as JSON Lines")
	cmd.Flags().StringVar(&q.chat, "chat", "main", "conversation")
	cmd.Flags().BoolVar(&q.new, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	cmd.Flags().StringVar(&q.id, "id", "", "id of this input: the same id twice is one question")
	cmd.Flags().StringVarP(&file, "file", "f", "", "file to ask about")
	return cmd
}

// words puts a question together: the arguments, a file, and standard input where it is no terminal.
func (a *app) words(args []string, file string) (string, error) {
	parts := []string{strings.Join(args, " ")}
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return "", failed(exitUsage, "%v", err)
		}
		defer f.Close()
		text, err := readPrompt(f, file)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	if len(args) == 0 && file == "" || given(a.stdin) {
		text, err := a.readInput()
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	text := strings.TrimSpace(strings.Join(parts, "\n\n"))
	if text == "" {
		return "", failed(exitUsage, "there is no question: hob ask \"...\"")
	}
	return text, nil
}

// commanding reports whether the words of a command line call a tool. What a file or a pipe holds, others may have written: it
// never does, and is no part of a call.
func commanding(args []string, text string) (bool, error) {
	line := strings.TrimSpace(strings.Join(args, " "))
	if !tools.IsCommand(line) {
		return false, nil
	}
	if line != text {
		return false, failed(exitUsage, "a line that begins with / calls a tool, and takes neither a file nor standard input: "+
			"leave them out, or put other words first")
	}
	return true, nil
}

// readInput reads standard input to its end, and says so when that takes long: whoever started hob may not know that it
// is open.
func (a *app) readInput() (string, error) {
	hint := time.AfterFunc(2*time.Second, func() {
		fmt.Fprintln(a.stderr, "hob: reading standard input to its end; without any, use </dev/null")
	})
	defer hint.Stop()
	return readPrompt(a.stdin, "standard input")
}

// given reports whether stdin is something that was given to this command to read. A device or a socket is not: a
// service manager or a remote shell leaves one open that never ends.
func given(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

func readPrompt(r io.Reader, name string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPrompt+1))
	if err != nil {
		return "", failed(exitUsage, "read %s: %v", name, err)
	}
	if len(text) > maxPrompt {
		return "", failed(exitUsage, "%s is longer than %s: put it into the workspace and ask about the file", name, cli.Bytes(maxPrompt))
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// ask plays one turn and exits as it ended.
func (a *app) ask(ctx context.Context, s *setting, e *engine, q question, asJSON bool) error {
	h, err := a.reach(ctx, s, e, "hob ask")
	if err != nil {
		return err
	}
	if q.id == "" {
		q.id = rand.Text()
	}
	end, err := h.turn(ctx, q, a.view(asJSON))
	if err := closeAll(err, h.Close()); err != nil {
		return err
	}
	return ending(end)
}

func closeAll(first, then error) error {
	if first != nil {
		return first
	}
	return then
}
