package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hob/internal/pdf"
	"hob/internal/sandbox"
)

// pdfTime is how long reading a PDF may take. The program gives up by itself before that, with what it has.
const pdfTimeout = pdf.MaxTime + 5*time.Second

var ErrNoPDF = errors.New("PDFs are not read on this machine: there is no sandbox to read them in; hob doctor tells more")

// readPDF returns what reads the text of a PDF: a program of this binary's own, in the sandbox, which sees no file but
// the one it is handed and no network. Without a sandbox no PDF is read, whatever the owner allows commands.
func (shell *Shell) pdfReader(s *Environment) func(context.Context, []byte) (string, error) {
	return func(ctx context.Context, file []byte) (string, error) {
		if len(file) > pdf.MaxFile {
			return "", fmt.Errorf("the PDF is larger than %d MiB", pdf.MaxFile>>20)
		}
		if shell.Sandbox.Tier(ctx) == sandbox.T4 {
			return "", ErrNoPDF
		}
		empty := filepath.Join(s.StateDir, "empty")
		if err := os.MkdirAll(empty, 0o700); err != nil {
			return "", fmt.Errorf("make a folder to read the PDF in: %w", err)
		}
		policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: empty, ReadOnly: true, Limits: sandbox.Limits{
			Processes: 64, // threads count
			Memory:    512 << 20, FileSize: 1 << 20, OpenFiles: 64,
			Output: pdf.MaxText + 1<<20, Keep: pdf.MaxText + 1<<20,
		}})
		if err != nil {
			return "", err
		}
		out, err := shell.Sandbox.Run(ctx, policy, sandbox.Command{
			Program: pdf.Name, Stdin: file, Timeout: pdfTimeout,
			Env: []string{"GOMAXPROCS=2", "GOTRACEBACK=none"},
		})
		if err != nil {
			return "", fmt.Errorf("the PDF could not be read: %w", err)
		}
		return pdfText(ctx, out)
	}
}

// pdfText is what the program's end means. No word of the program's is in an error: they are a stranger's.
func pdfText(ctx context.Context, out sandbox.Outcome) (string, error) {
	switch {
	case out.Stopped && ctx.Err() != nil:
		return "", ctx.Err()
	case out.TimedOut:
		return "", fmt.Errorf("the PDF could not be read within %s", pdfTimeout)
	case out.Exit != 0 || out.Stopped || out.Flooded || out.Over != "":
		return "", errors.New(pdf.Explain(out.Exit))
	}
	return string(out.Stdout.Head) + string(out.Stdout.Tail), nil
}
