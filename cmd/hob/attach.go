package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/tools"
)

// material is what a question is put together from.
type material struct {
	words []string // of the command line
	files []string // paths
	mine  bool     // the owner wrote what comes with the words
}

// piece is a file or standard input.
type piece struct {
	event.Attachment
	marked bool // a file of the workspace that strangers had a hand in, whoever says what
}

// compose puts a question together: what it says, and what is attached to it. Without words on the command line, and where the
// owner says that it is theirs, what comes by a file or standard input is what they say. A file of the workspace that strangers
// had a hand in never is.
func (a *program) compose(ctx context.Context, s *app.Environment, from material, q *client.Question) error {
	pieces, err := a.pieces(ctx, s, from)
	if err != nil {
		return err
	}
	line := strings.TrimSpace(strings.Join(from.words, " "))
	text := line
	for _, p := range pieces {
		if (from.mine || line == "") && !p.marked {
			text += "\n\n" + p.Text
		} else {
			q.Attachments = append(q.Attachments, p.Attachment)
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
		return nil
	}
	if q.Command = q.Text == line && len(q.Attachments) == 0; !q.Command {
		return exit.Errorf(exit.Usage, "a line that begins with / calls a tool, and takes neither a file nor standard input: "+
			"leave them out, or put other words first")
	}
	return nil
}

// pieces reads the files, and standard input where it is no terminal or there is nothing else.
func (a *program) pieces(ctx context.Context, s *app.Environment, from material) (all []piece, err error) {
	add := func(p piece) {
		if strings.TrimSpace(p.Text) != "" {
			all = append(all, p)
		}
	}
	for _, path := range from.files {
		p, err := readPiece(ctx, s, path)
		if err != nil {
			return nil, err
		}
		add(p)
	}
	if len(from.words) == 0 && len(from.files) == 0 || given(a.stdin) {
		text, err := a.readInput()
		if err != nil {
			return nil, err
		}
		add(piece{Attachment: event.Attachment{Text: text, Label: event.Label{Untrusted: true, Source: "pipe"}}})
	}
	return all, nil
}

// readPiece reads a file.
func readPiece(ctx context.Context, s *app.Environment, path string) (piece, error) {
	f, err := os.Open(path)
	if err != nil {
		return piece{}, exit.Errorf(exit.Usage, "%v", err)
	}
	defer f.Close()
	text, err := readPrompt(f, path)
	if err != nil {
		return piece{}, err
	}
	label, ours := labelOf(ctx, s, f)
	if !ours {
		label = event.Label{Untrusted: true}
	}
	label.Source = path
	return piece{event.Attachment{Text: text, Label: label}, ours && label.Untrusted}, nil
}

// labelOf is where the content of a file comes from that lies in the workspace, and whether it lies there: of any other file
// nobody knows. What cannot be found out counts as a stranger's.
func labelOf(ctx context.Context, s *app.Environment, f *os.File) (label event.Label, ours bool) {
	look := func(kept app.ToolJournal) error {
		files, err := s.OpenFiles(nil, nil, kept, nil)
		if err != nil {
			return err
		}
		label, ours = files.Origins().LabelOf(ctx, f)
		return files.Close()
	}
	var err error
	if s.HasJournal() {
		err = s.WithJournal(ctx, func(db *store.DB) error { return look(app.JournalTools(db)) })
	} else {
		err = look(app.ToolJournal{})
	}
	label.Untrusted = label.Untrusted || err != nil
	return label, ours
}

// isAttached reports whether a question holds what its owner did not say.
func isAttached(q client.Question) bool { return len(q.Attachments) > 0 || q.Label.Untrusted }

// ownChat is the chat of a question with attachments that names none: what came with it stays out of the owner's conversation.
// The same id has the same chat.
func ownChat(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "ask/" + hex.EncodeToString(sum[:6])
}
