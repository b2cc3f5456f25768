package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/surface/cli"
)

// A file, a pipe and a buffer are no terminals: they show no colours, have a common size, and nobody there says yes.
func TestTerminalOfPipes(t *testing.T) {
	var out, errs bytes.Buffer
	term := &cli.Terminal{In: strings.NewReader("y\n"), Out: &out, Err: &errs, Env: func(string) string { return "" }}
	if term.IsInteractive() || term.Color() {
		t.Error("it takes buffers for a terminal")
	}
	if w, h := term.Size(); w != 80 || h != 24 {
		t.Errorf("its size is %d × %d", w, h)
	}
	if yes, err := term.Confirm(t.Context(), "Really?"); yes || err != nil || out.Len()+errs.Len() > 0 {
		t.Errorf("it has asked: %v, %v, %q %q", yes, err, &out, &errs)
	}
	if text := term.Clean("\x1b[2Jx"); text != "\x1b[2Jx" {
		t.Errorf("what a pipe gets is %q", text)
	}
}

// Files and pipes are read, a device is not.
func TestTerminalHasInput(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "letter.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for _, c := range []struct {
		name string
		term cli.Terminal
		want bool
	}{
		{"a device", cli.Terminal{In: null}, false},
		{"a file", cli.Terminal{In: file}, true},
		{"a pipe", cli.Terminal{In: read}, true},
		{"no file", cli.Terminal{In: strings.NewReader("")}, true},
	} {
		if got := c.term.HasInput(); got != c.want {
			t.Errorf("%s is input: %v", c.name, got)
		}
	}
}

// Keys that one prompt has read are lost for another.
func TestTerminalAsksAtOnePrompt(t *testing.T) {
	var out, errs bytes.Buffer
	term := &cli.Terminal{In: strings.NewReader("one\rtwo\r"), Out: &out, Err: &errs}
	for _, want := range []string{"one", "two"} {
		if got, err := term.Prompt().Ask(t.Context(), "? "); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if out.Len() > 0 || errs.Len() == 0 {
		t.Errorf("asked at %q and %q", out.String(), errs.String())
	}
}

// What goes to no terminal is written as it is, whatever is done for those that are.
func TestWrapWriterOfAPipe(t *testing.T) {
	var out strings.Builder
	line := strings.Repeat("word ", 60) + "\n"
	if n, err := (&cli.Terminal{Out: &out}).WrapWriter(&out).Write([]byte(line)); n != len(line) || err != nil || out.String() != line {
		t.Errorf("%d, %v, %q", n, err, out.String())
	}
}
