package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

// The exit statuses of hob sandbox run besides those of the command.
const (
	exitTimedOut = 124 // the command ran out of time
	exitNotRun   = 125 // hob could not run the command
	exitSignal   = 128 // plus the number of the signal that ended the command
)

func sandboxCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "sandbox", Short: "run a command as the agent would", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(sandboxRunCommand(a))
	return cmd
}

// sandboxOptions are the flags and arguments of hob sandbox run.
type sandboxOptions struct {
	args    []string
	network bool
	timeout time.Duration // 0 means [shell] timeout
}

func sandboxRunCommand(a *program) *cobra.Command {
	var o sandboxOptions
	cmd := &cobra.Command{
		Use:   "run [--net] [--timeout D] [--json] -- CMD ...",
		Short: "run a command in the sandbox of the shell tool",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Errorf(exitNotRun, "name the command to run: hob sandbox run -- ls -la")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.args = args
			began, err := a.runSandboxed(cmd.Context(), o)
			if e := (*exit.Error)(nil); err != nil && !began && (!errors.As(err, &e) || e.Status == exit.Usage) {
				return exit.Errorf(exitNotRun, "%v", err) // the command may use any other status itself
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&o.network, "net", false, "let it reach what [shell] network names")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 0, "kill it after this time, such as 90s (default [shell] timeout)")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value when it has ended")
	cmd.Flags().SetInterspersed(false) // flags behind the command's name belong to the command
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return exit.Errorf(exitNotRun, "%v", flagError(c, err)) })
	return cmd
}

// sandboxReport is what `hob sandbox run --json` prints.
type sandboxReport struct {
	Exit        int    `json:"exit"`   // -1 when a signal ended it
	Signal      string `json:"signal"` // such as "killed"
	TimedOut    bool   `json:"timed_out"`
	Stdout      string `json:"stdout"` // a line in it says where a part was left out
	Stderr      string `json:"stderr"`
	StdoutBytes int64  `json:"stdout_bytes"` // as the command wrote it, before anything was left out
	StderrBytes int64  `json:"stderr_bytes"`
	DurationMS  int64  `json:"duration_ms"`
	Tier        string `json:"tier"`
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i *interrupted) Error() string { return "stopped: " + i.signal.String() }

// untilSignalled returns a context that a signal to hob ends, with an [*interrupted] as its cause.
func untilSignalled(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-caught:
			signal.Stop(caught) // a second signal then ends hob at once, should nobody read its output any more
			number, _ := s.(syscall.Signal)
			cancel(&interrupted{number})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		cancel(nil)
	}
}

// runSandboxed runs a command. Its error carries the command's exit status; began reports whether
// the command ran at all.
func (a *program) runSandboxed(ctx context.Context, o sandboxOptions) (began bool, _ error) {
	s, err := a.Load()
	if err != nil {
		return false, err
	}
	if o.timeout < 0 {
		return false, exit.Errorf(exitNotRun, "--timeout %s: a command cannot end before it began", o.timeout)
	}
	o.timeout = cmp.Or(o.timeout, s.Shell.Timeout)
	sh := s.NewShell()
	tool, err := sh.NewTool(s, o.network, nil)
	if err != nil {
		return false, err
	}
	ctx, stop := untilSignalled(ctx)
	defer stop()
	policy, env, err := tool.Prepare(ctx, o.network)
	if err != nil {
		return false, explainUnready(ctx, sh, err)
	}
	if o.network && len(s.Shell.Network) == 0 {
		fmt.Fprintln(a.Stderr, "hob: [shell] network names no host: the command's proxy will refuse everything")
	}
	if sh.Sandbox.Tier(ctx) == sandbox.T4 {
		fmt.Fprintln(a.Stderr, "hob: there is no sandbox here: [shell] allow_unsandboxed lets it run all the same, and it can do what you can do")
	}
	c := sandbox.Command{Args: o.args, Env: env, Timeout: o.timeout}
	if !a.json {
		errs := s.Redactor.Writer(a.rawStderr) // its lines are the command's own: not wrapped
		c.Live = func(stream int, p []byte) {
			to := a.stdout
			if stream == 2 {
				to = errs
			}
			_, _ = to.Write(p) // a reader that is gone does not stop the command
		}
	}
	out, err := sh.Sandbox.Run(ctx, policy, c)
	if err != nil {
		if i := (*interrupted)(nil); errors.As(context.Cause(ctx), &i) {
			return false, exit.Silently(exitSignal + int(i.signal))
		}
		return false, err
	}
	if out.Error != "" {
		fmt.Fprintf(a.Stderr, "hob: %s\n", out.Error)
	}
	end := outcomeError(ctx, o, out)
	if !a.json {
		return true, end
	}
	if end != nil && end.Error() != "" { // the JSON value says that it was killed; this says why
		fmt.Fprintf(a.Stderr, "hob: %s\n", end)
	}
	return true, a.printOutcome(ctx, out)
}

// explainUnready adds to err why the sandbox cannot run a command.
func explainUnready(ctx context.Context, sh *app.Shell, err error) error {
	if own := (*tools.Error)(nil); errors.As(err, &own) && own.Suggestion != "" {
		return fmt.Errorf("%w; %s", err, own.Suggestion)
	}
	if !errors.Is(err, sandbox.ErrOff) {
		return err
	}
	var why strings.Builder
	for _, r := range sh.Sandbox.Report(ctx).Refused {
		fmt.Fprintf(&why, "%s: %s; ", r.Tier, r.Reason)
	}
	return fmt.Errorf("%w (%shob doctor tells what to do)", err, why.String())
}

func (a *program) printOutcome(ctx context.Context, out sandbox.Outcome) error {
	if err := a.printJSON(sandboxReport{
		Exit: out.Exit, Signal: out.Signal, TimedOut: out.TimedOut, Stdout: out.Stdout.String(), Stderr: out.Stderr.String(),
		StdoutBytes: out.Stdout.Total, StderrBytes: out.Stderr.Total, DurationMS: out.Duration.Milliseconds(), Tier: out.Tier.String(),
	}); err != nil {
		return err
	}
	if i := (*interrupted)(nil); out.Stopped && errors.As(context.Cause(ctx), &i) {
		return exit.Silently(exitSignal + int(i.signal))
	}
	return nil
}

// outcomeError returns an error with the exit status of a finished command, and with a sentence if
// hob killed it.
func outcomeError(ctx context.Context, o sandboxOptions, out sandbox.Outcome) error {
	if i := (*interrupted)(nil); out.Stopped && errors.As(context.Cause(ctx), &i) {
		return exit.Silently(exitSignal + int(i.signal))
	}
	killed := exitSignal + int(unix.SIGKILL)
	switch {
	case out.TimedOut:
		return exit.Errorf(exitTimedOut, "killed after %s: its time was up (--timeout gives it more)", o.timeout)
	case out.Flooded:
		return exit.Errorf(killed, "killed: it wrote more than %d MiB", (out.Stdout.Total+out.Stderr.Total)>>20)
	case out.Over != "":
		return exit.Errorf(killed, "killed: it used more %s than [shell] %s allows", out.Over, out.Over)
	case out.Signal != "":
		return exit.Silently(exitSignal + signalNumber(out.Signal))
	case out.Left > 0:
		return exit.Errorf(out.Exit, "killed what it had left running: %s", display.Count(out.Left, "program"))
	case out.Exit != 0:
		return exit.Silently(out.Exit)
	}
	return nil
}

// signalNumber returns the number of a signal from its name, such as "killed".
func signalNumber(name string) int {
	for s := syscall.Signal(1); s < 65; s++ {
		if s.String() == name {
			return int(s)
		}
	}
	return int(unix.SIGKILL)
}
