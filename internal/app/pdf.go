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

// pdfTimeout limits reading a PDF. The reading program stops itself earlier, with the text that it
// has.
const pdfTimeout = pdf.MaxTime + 5*time.Second

// ErrNoPDF means that this machine has no sandbox to read PDFs in.
var ErrNoPDF = errors.New("PDFs are not read on this machine: there is no sandbox to read them in; hob doctor tells more")

// pdfReader returns a function that extracts the text of a PDF. It runs this binary in the sandbox,
// without a network and with no file but its input. Without a sandbox it reads none, even if the
// owner allows commands to run without one.
func (shell *Shell) pdfReader(s *Environment) func(context.Context, []byte) (string, error) {
	return func(ctx context.Context, file []byte) (string, error) {
		if len(file) > pdf.MaxFile {
			return "", fmt.Errorf("the PDF is larger than %d MiB", pdf.MaxFile>>20)
		}
		if shell.Sandbox.Tier(ctx) == sandbox.T4 {
			return "", ErrNoPDF
		}
		out, err := shell.runConverter(ctx, s, pdf.MaxText+1<<20, sandbox.Command{
			Program: pdf.Name, Stdin: file, Timeout: pdfTimeout,
			Env: []string{"GOMAXPROCS=2", "GOTRACEBACK=none"},
		})
		if err != nil {
			return "", fmt.Errorf("the PDF could not be read: %w", err)
		}
		return pdfText(ctx, out)
	}
}

// runConverter runs a program that converts its input, in the sandbox, without a network and with
// an empty folder.
func (shell *Shell) runConverter(ctx context.Context, s *Environment, maxOutput int64, c sandbox.Command) (sandbox.Outcome, error) {
	empty := filepath.Join(s.StateDir, "empty")
	if err := os.MkdirAll(empty, 0o700); err != nil {
		return sandbox.Outcome{}, fmt.Errorf("make an empty folder: %w", err)
	}
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: empty, ReadOnly: true, Limits: sandbox.Limits{
		Processes: 64, // threads count, too
		Memory:    512 << 20, FileSize: 1 << 20, OpenFiles: 64, Output: maxOutput, Keep: int(maxOutput),
	}})
	if err != nil {
		return sandbox.Outcome{}, err
	}
	return shell.Sandbox.Run(ctx, policy, c)
}

// pdfText returns the output of the program or an error. The error quotes none of that output,
// because a stranger wrote the PDF.
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
