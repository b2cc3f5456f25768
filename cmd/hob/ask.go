package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
)

// maxPrompt is how many bytes of a file or of standard input a question takes: far more than a context holds.
const maxPrompt = 1 << 20

func askCommand(a *program) *cobra.Command {
	var q client.Question
	var from material
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ask [flags] [WORDS ...]",
		Short: "ask one question",
		Long: "ask plays one turn. The question is the words; a file or standard input is attached to them, counts as somebody else's\n" +
			"text, and such a turn has a chat of its own unless --chat names one. Without words, the file or standard input is the\n" +
			"question, as if you had typed it: never hand in a stranger's text so. Where nobody can be asked for permission, what\n" +
			"asks is denied. Words that begin with /NAME call a tool, and no model is asked.",
		Example: "  hob ask \"what is in my notes?\"\n" +
			"  git diff | hob ask \"review this\"\n" +
			"  hob ask -f letter.txt -f reply.txt \"does the reply answer the letter?\"\n" +
			"  hob ask \"/list_files notes\"\n" +
			"  hob ask --json --chat backup \"did the backup run?\"",
	}
	cmd.RunE = does(func(ctx context.Context, args []string) error {
		s, err := client.LoadBeside(ctx, a.Loader)
		if err != nil {
			return err
		}
		if err := session.CheckName(event.Chat(q.Chat)); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
		from.words = args
		if err := a.compose(ctx, s, from, &q); err != nil {
			return err
		}
		if q.Id == "" {
			q.Id = rand.Text()
		}
		apart := isAttached(q) && !cmd.Flags().Changed("chat")
		if apart {
			q.Chat = ownChat(q.Id)
		}
		a.wait.Program = asJSON
		err = a.ask(ctx, s, app.NewModel(s), q, asJSON)
		if apart && !asJSON && isTerminal(a.stdout) {
			fmt.Fprintf(a.Stderr, "hob: this has a chat of its own: hob ask --chat %s \"...\" goes on with it\n", q.Chat)
		}
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what happens as JSON Lines")
	cmd.Flags().StringVar(&q.Chat, "chat", "main", "conversation; with an attachment one of its own")
	cmd.Flags().BoolVar(&q.New, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	cmd.Flags().StringVar(&q.Id, "id", "", "id of this input: the same id twice is one question")
	cmd.Flags().StringArrayVarP(&from.files, "file", "f", nil, "file to ask about; may be given several times")
	cmd.Flags().BoolVar(&from.mine, "mine", false, "you wrote what comes by --file or standard input: it counts as your words")
	a.waitFlag(cmd)
	return cmd
}

// readInput reads standard input to its end, and says so when that takes long: whoever started hob may not know that it
// is open.
func (a *program) readInput() (string, error) {
	hint := time.AfterFunc(2*time.Second, func() {
		fmt.Fprintln(a.Stderr, "hob: reading standard input to its end; without any, use </dev/null")
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
		return "", exit.Errorf(exit.Usage, "read %s: %v", name, err)
	}
	if len(text) > maxPrompt {
		return "", exit.Errorf(exit.Usage, "%s is longer than %s: put it into the workspace and ask about the file", name, display.Bytes(maxPrompt))
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// ask plays one turn and exits as it ended.
func (a *program) ask(ctx context.Context, s *app.Environment, e *app.Model, q client.Question, asJSON bool) error {
	h, err := client.Reach(ctx, a.Loader, s, e, "hob ask", a.modelWait())
	if err != nil {
		return err
	}
	if q.Id == "" {
		q.Id = rand.Text()
	}
	end, err := h.Turn(ctx, q, a.view(asJSON))
	return closing(h, end, err)
}

// closing ends a conversation after a turn, and exits as that ended.
func closing(h *client.Client, end event.Ended, err error) error {
	if away := (*client.AwayError)(nil); errors.As(err, &away) {
		err = away.ExitError()
	}
	if err := closeAll(err, h.Close()); err != nil {
		return err
	}
	return client.ExitOf(end)
}

func closeAll(first, then error) error {
	if first != nil {
		return first
	}
	return then
}
