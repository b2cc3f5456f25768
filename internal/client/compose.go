package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

// MaxInput is how many bytes of a file or of standard input a question takes: far more than a context holds.
const MaxInput = 1 << 20

// Sources is what a question is composed of.
type Sources struct {
	Words []string // of the command line
	Files []string // paths
	Mine  bool     // the owner wrote the files and standard input
}

// source is the text of a file or of standard input.
type source struct {
	event.Attachment
	marked bool // a file of the workspace that strangers had a hand in
}

// Compose sets the text of a question, and what is attached to it. A file or standard input is attached to words. Where there
// are no words, or the owner wrote it, it belongs to the text; a file of the workspace that strangers had a hand in never does.
func (q *Question) Compose(ctx context.Context, env *app.Environment, t *cli.Terminal, from Sources) error {
	all, err := readSources(ctx, env, t, from)
	if err != nil {
		return err
	}
	line := strings.TrimSpace(strings.Join(from.Words, " "))
	text := line
	for _, s := range all {
		if (from.Mine || line == "") && !s.marked {
			text += "\n\n" + s.Text
		} else {
			q.Attachments = append(q.Attachments, s.Attachment)
		}
	}
	q.Text = strings.TrimSpace(text)
	if q.Text == "" && len(q.Attachments) > 0 {
		q.Text, q.Label, q.Attachments = q.Attachments[0].Text, q.Attachments[0].Label, q.Attachments[1:]
	}
	if q.Text == "" {
		return exit.Errorf(exit.Usage, "there is no question: hob ask \"...\"")
	}
	if !tools.IsCommand(line) {
		q.Typed = q.Text == line && !q.HasForeignText()
		return nil
	}
	if q.Command = q.Text == line && len(q.Attachments) == 0; !q.Command {
		return exit.Errorf(exit.Usage, "a line that begins with / calls a tool, and takes neither a file nor standard input: "+
			"leave them out, or put other words first")
	}
	return nil
}

// HasForeignText reports whether a question holds text that its owner did not write.
func (q *Question) HasForeignText() bool { return len(q.Attachments) > 0 || q.Label.Untrusted }

// MoveApart gives a question a chat of its own, so that foreign text stays out of the owner's conversation. The same id has
// the same chat.
func (q *Question) MoveApart() {
	sum := sha256.Sum256([]byte(q.ID))
	q.Chat = "ask/" + hex.EncodeToString(sum[:6])
}

// readSources reads the files, and standard input if it was given or there is nothing else. It leaves out blank texts.
func readSources(ctx context.Context, env *app.Environment, t *cli.Terminal, from Sources) (all []source, err error) {
	add := func(s source) {
		if strings.TrimSpace(s.Text) != "" {
			all = append(all, s)
		}
	}
	for _, path := range from.Files {
		s, err := readFile(ctx, env, path)
		if err != nil {
			return nil, err
		}
		add(s)
	}
	if len(from.Words) == 0 && len(from.Files) == 0 || t.HasInput() {
		text, err := ReadInput(t)
		if err != nil {
			return nil, err
		}
		add(source{Attachment: event.Attachment{Text: text, Label: event.Label{Untrusted: true, Source: "pipe"}}})
	}
	return all, nil
}

// readFile reads a file, and finds out who had a hand in it.
func readFile(ctx context.Context, env *app.Environment, path string) (source, error) {
	f, err := os.Open(path)
	if err != nil {
		return source{}, exit.Errorf(exit.Usage, "%v", err)
	}
	defer f.Close()
	text, err := readText(f, path)
	if err != nil {
		return source{}, err
	}
	label, ours := labelOf(ctx, env, f)
	if !ours {
		label = event.Label{Untrusted: true}
	}
	label.Source = path
	return source{event.Attachment{Text: text, Label: label}, ours && label.Untrusted}, nil
}

// labelOf returns the label of a file that lies in the workspace, and whether it does: the origin of any other file is unknown.
// A label that cannot be read counts as a stranger's.
func labelOf(ctx context.Context, env *app.Environment, f *os.File) (label event.Label, ours bool) {
	read := func(journal app.ToolJournal) error {
		files, err := env.OpenFiles(nil, nil, journal, nil)
		if err != nil {
			return err
		}
		label, ours = files.Origins().LabelOf(ctx, f)
		return files.Close()
	}
	var err error
	if env.HasJournal() {
		err = env.WithJournal(ctx, func(db *store.DB) error { return read(app.JournalTools(db)) })
	} else {
		err = read(app.ToolJournal{})
	}
	label.Untrusted = label.Untrusted || err != nil
	return label, ours
}

// ReadInput reads standard input to its end. When that takes long it prints a hint: whoever started hob may not know that
// standard input is open.
func ReadInput(t *cli.Terminal) (string, error) {
	hint := time.AfterFunc(2*time.Second, func() {
		fmt.Fprintln(t.Err, "hob: reading standard input to its end; without any, use </dev/null")
	})
	defer hint.Stop()
	return readText(t.In, "standard input")
}

// readText reads a text to its end, and refuses one that is too long.
func readText(r io.Reader, name string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxInput+1))
	if err != nil {
		return "", exit.Errorf(exit.Usage, "read %s: %v", name, err)
	}
	if len(text) > MaxInput {
		return "", exit.Errorf(exit.Usage, "%s is longer than %s: put it into the workspace and ask about the file", name, display.Bytes(MaxInput))
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}
