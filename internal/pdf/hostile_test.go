package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// patience is how long a machine may stand still, or have other work.
const patience = 10 * time.Minute

// child reads a PDF for so long in a process of its own, which gets little memory, and returns what it printed and its
// status; -1 where it had to be killed.
func child(t *testing.T, pdf []byte, within time.Duration) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within+patience)
	defer cancel()
	// What walls do by a limit on memory.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `ulimit -d 800000 && exec "$0" "$@"`, executable(t), Name)
	cmd.Stdin = bytes.NewReader(pdf)
	cmd.Env = append(os.Environ(), timeVariable+"="+within.String())
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestHostile is files that were made to harm. None of them is read for longer than the walls would wait, none takes
// more memory than there is, and what is read of them stays readable.
func TestHostile(t *testing.T) {
	line := "BT /F 12 Tf 72 700 Td (here) Tj ET"
	ordinary := func() *file { return document(helvetica, line) }
	for _, c := range []struct {
		name    string
		pdf     []byte
		want    string // of the text, "" where there is none
		endless bool   // it is read until the time is up
	}{
		{"pages that are their own child", func() []byte {
			f := ordinary()
			f.objects[1] = strings.Replace(f.objects[1], "/Kids [", "/Kids [2 0 R ", 1)
			return f.bytes()
		}(), "", false},
		{"pages that are their own child, behind a page", func() []byte {
			f := ordinary()
			f.objects[1] = strings.Replace(f.objects[1], "/Kids [5 0 R", "/Kids [5 0 R 2 0 R 2 0 R", 1)
			return f.bytes()
		}(), "[the rest is left out: there are too many pages]", false},
		{"a page that is its own parent", func() []byte {
			f := ordinary()
			f.objects[4] = strings.Replace(f.objects[4], "/Parent 2 0 R", "/Parent 5 0 R", 1)
			return f.bytes()
		}(), "here", false},
		{"a billion pages in words only", func() []byte {
			f := ordinary()
			f.objects[1] = strings.Replace(f.objects[1], "/Count 1", "/Count 1000000000", 1)
			return f.bytes()
		}(), "here", false},
		{"a drawing that draws itself", func() []byte {
			f := document(helvetica, line+" /X Do")
			x := f.stream("/Subtype /Form", "/X Do /X Do")
			f.objects[1] = strings.Replace(f.objects[1], "/Font <<", fmt.Sprintf("/XObject <</X %d 0 R>> /Font <<", x), 1)
			return f.bytes()
		}(), "here", false},
		{"much in little", func() []byte {
			return document(helvetica, line+strings.Repeat(" ", 4*maxContent)).bytes()
		}(), "here", false},
		{"a table of a billion letters", func() []byte {
			f := document("", "BT /F 12 Tf 72 700 Td <0001> Tj ET")
			n := f.deflated("1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange")
			f.objects[2] = fmt.Sprintf("<</Subtype /Type0 /ToUnicode %d 0 R /DescendantFonts [<</W [0 2000000000 5]>>]>>", n)
			return f.bytes()
		}(), "", false},
		{"brackets without an end", document(helvetica, line+strings.Repeat("[<<(", 1<<20)).bytes(), "here", false},
		{"an object deep in itself", func() []byte {
			f := ordinary()
			f.objects[3] = strings.Repeat("[", 1<<20)
			return f.bytes()
		}(), "", false},
		{"a table of objects that goes in circles", func() []byte {
			pdf := ordinary().bytes()
			at := bytes.LastIndex(pdf, []byte("xref\n0"))
			return bytes.Replace(pdf, []byte("/Root 1"), fmt.Appendf(nil, "/Prev %d /Root 1", at), 1)
		}(), "", true},
		{"a table of objects with a hole", bytes.Replace(ordinary().bytes(), []byte("xref\n0 6"), []byte("xref\n4000000000 1\n0000000000 00000 n \n0 6"), 1), "", false},
		{"objects kept in themselves", circular(), "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			within := 2 * time.Minute // it ends long before, on a busy machine, too
			if c.endless {
				within = 3 * time.Second
			}
			got, status := child(t, c.pdf, within)
			if status == -1 {
				t.Fatal("it did not end by itself")
			}
			if c.want == "" && status == 0 || !strings.Contains(got, c.want) {
				t.Errorf("status %d (%s): %.200q", status, Explain(status), got)
			}
			if len(got) > MaxText+1000 {
				t.Errorf("%d bytes of text", len(got))
			}
		})
	}
}

// circular is a PDF whose table of objects says that the stream which holds object 1 is object 1.
func circular() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	at := b.Len()
	// W [1 1 1]: object 0 free, object 1 in stream 1, object 2 here.
	table := []byte{0, 0, 0, 2, 1, 0, 1, byte(at), 0}
	fmt.Fprintf(&b, "2 0 obj\n<</Type /XRef /Size 3 /W [1 1 1] /Root 1 0 R /Length %d>>\nstream\n%s\nendstream\nendobj\n", len(table), table)
	fmt.Fprintf(&b, "startxref\n%d\n%%%%EOF\n", at)
	return b.Bytes()
}

// FuzzRead: nothing that a file holds may come through as a panic, and text is text.
func FuzzRead(f *testing.F) {
	f.Add(document(helvetica, "BT /F 12 Tf 72 700 Td (Hello) Tj ET").bytes())
	f.Fuzz(func(t *testing.T, pdf []byte) {
		if bytes.Contains(pdf, []byte("/Prev")) || bytes.Contains(pdf, []byte("XRef")) {
			t.Skip() // may be a circle, which only the end of the process ends
		}
		var out bytes.Buffer
		if run(bytes.NewReader(pdf), &out, 5*time.Second) == 0 && strings.ContainsAny(out.String(), "\x00\x1b\x7f") {
			t.Errorf("%q", out.String())
		}
	})
}
