package client_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/cli"
)

// Files and standard input are attached to words, as somebody else's; alone, or as the owner's, they are what is asked.
func TestCompose(t *testing.T) {
	dir := t.TempDir()
	letter := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(letter, []byte("Dear Sir\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &app.Loader{Env: func(name string) string {
		return map[string]string{"HOME": dir, "HOB_STATE_DIR": filepath.Join(dir, "state"), "HOB_CONFIG": filepath.Join(dir, "none.toml")}[name]
	}, Stderr: io.Discard}
	env, err := l.Load()
	if err != nil {
		t.Fatal(err)
	}
	foreign := func(text, source string) []event.Attachment {
		return []event.Attachment{{Text: text, Label: event.Label{Untrusted: true, Source: source}}}
	}
	for _, c := range []struct {
		name  string
		from  client.Sources
		input string
		want  client.Question
		usage string // the beginning of the error; "" is none
	}{
		{name: "words", from: client.Sources{Words: []string{"good", "morning "}}, want: client.Question{Text: "good morning"}},
		{name: "a pipe", from: client.Sources{Words: []string{"review"}}, input: "diff\n", want: client.Question{Text: "review", Attachments: foreign("diff\n", "pipe")}},
		{name: "a file", from: client.Sources{Words: []string{"answer"}, Files: []string{letter}}, want: client.Question{Text: "answer", Attachments: foreign("Dear Sir\n", letter)}},
		{name: "a pipe alone", input: "good morning\n", want: client.Question{Text: "good morning"}},
		{name: "a pipe of the owner's", from: client.Sources{Words: []string{"note:"}, Mine: true}, input: "milk\n", want: client.Question{Text: "note:\n\nmilk"}},
		{name: "a tool", from: client.Sources{Words: []string{"/list_files"}}, want: client.Question{Text: "/list_files", Command: true}},
		{name: "a tool and a pipe", from: client.Sources{Words: []string{"/list_files"}}, input: "x", usage: "a line that begins with / calls a tool"},
		{name: "blank", input: " \n", usage: "there is no question"},
		{name: "too long", input: strings.Repeat("x", client.MaxInput+1), usage: "standard input is longer than"},
		{name: "no file", from: client.Sources{Files: []string{letter + "x"}}, usage: "open "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var q client.Question
			err := q.Compose(t.Context(), env, &cli.Terminal{In: strings.NewReader(c.input), Err: io.Discard}, c.from)
			if c.usage != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.usage) || exit.StatusOf(err) != exit.Usage {
					t.Errorf("%v, want %q", err, c.usage)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if q.HasForeignText() != (len(c.want.Attachments) > 0) {
				t.Errorf("it has foreign text: %v", q.HasForeignText())
			}
			got := client.Question{Text: q.Text, Label: q.Label, Attachments: q.Attachments, Command: q.Command}
			if diff := cmp.Diff(c.want.Attachments, got.Attachments); diff != "" || got.Text != c.want.Text || got.Command != c.want.Command {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
