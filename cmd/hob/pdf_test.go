package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// pdfOf is a PDF of one page that says something. trailer stands beside its table of objects.
func pdfOf(words, trailer string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	drawing := "BT /F 12 Tf 72 700 Td (" + words + ") Tj ET"
	var at []int
	for i, object := range []string{
		"<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Count 1 /Kids [3 0 R]>>", "<</Type /Page /Parent 2 0 R /Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(drawing), drawing),
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	b.WriteString("xref\n" + trailer + "0 5\n0000000000 65535 f \n")
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size 5 /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table)
	return b.String()
}

// circularPDF is one that says of an object that it is kept in itself: its reader recurses until its process ends.
func circularPDF() string {
	var b strings.Builder
	b.WriteString("%PDF-1.5\n")
	at := b.Len()
	table := string([]byte{0, 0, 0, 2, 1, 0, 1, byte(at), 0})
	fmt.Fprintf(&b, "2 0 obj\n<</Type /XRef /Size 3 /W [1 1 1] /Root 1 0 R /Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n",
		len(table), table, at)
	return b.String()
}

// TestFetchReadsPDF: a PDF from the web becomes text in a process behind walls, and one that is made to harm ends that
// process only. Without walls none is read.
func TestFetchReadsPDF(t *testing.T) {
	pages := http.NewServeMux()
	for path, pdf := range map[string]string{
		"/good": pdfOf("water the plants", ""), "/greedy": pdfOf("x", "4000000000 1\n0000000000 00000 n \n"), "/endless": circularPDF(),
	} {
		pages.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, pdf)
		})
	}
	server := httptest.NewServer(pages)
	defer server.Close()
	home := t.TempDir()
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	walls := sandbox.New(sandbox.Config{}).Tier(t.Context()) < sandbox.T4
	const harm = "the PDF could not be read: it takes too much memory, or breaks its reader"
	for _, c := range []struct {
		path, tier string
		content    string
		refusal    string
	}{
		{"/good", "", "water the plants", ""},
		{"/greedy", "", "", harm},
		{"/endless", "", "", harm},
		{"/good", "T4", "", app.ErrNoPDF.Error()},
	} {
		t.Run(c.path+c.tier, func(t *testing.T) {
			if !walls && c.tier == "" {
				c.content, c.refusal = "", app.ErrNoPDF.Error()
			}
			file := filepath.Join(home, "config.toml")
			text := fmt.Sprintf("[fetch]\nallow = [%q]\n[shell]\ntier = %q\n", at.Host, c.tier)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "--config", file, "tool", "fetch", "url="+server.URL+c.path, "--json")
			cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + home, "HOB_STATE_DIR=" + filepath.Join(home, "state"), "PATH=" + os.Getenv("PATH")}
			var out, said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &said
			_ = cmd.Run() // what it printed is looked at
			var got struct {
				Data  fetch.Page
				Error *tools.Error
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%v: %s%s", err, out.Bytes(), said.Bytes())
			}
			refusal := ""
			if got.Error != nil {
				refusal = got.Error.Message
			}
			if got.Data.Content != c.content || refusal != c.refusal {
				t.Errorf("%q, %q; want %q, %q", got.Data.Content, refusal, c.content, c.refusal)
			}
			t.Logf("it took %s", time.Since(began))
		})
	}
}

// A command that is stopped ends at once, and hob's status names the signal as a shell would.
func TestSandboxRunIsStopped(t *testing.T) {
	if sandbox.New(sandbox.Config{}).Tier(t.Context()) == sandbox.T4 {
		t.Skip("this machine gives no sandbox")
	}
	for signal, want := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		home := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "sandbox", "run", "--", "sh", "-c", "echo begun; sleep 1000")
		cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + home, "HOB_STATE_DIR=" + home}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its status is looked at
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit status %d, want %d", signal, code, want)
		}
	}
}
