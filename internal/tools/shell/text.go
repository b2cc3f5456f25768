package shell

import (
	"fmt"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/sandbox"
)

// ending is how a command ended, and under which conditions it ran.
type ending struct {
	sandbox.Outcome

	limit time.Duration
	cfg   Config
}

// shellData is the Data of run_command.
type shellData struct {
	Exit       int    `json:"exit"`
	Signal     string `json:"signal,omitempty"`
	Stdout     string `json:"stdout"` // as in the text: the middle may be left out
	Stderr     string `json:"stderr"`
	Bytes      int64  `json:"bytes"` // written to both
	TimedOut   bool   `json:"timed_out"`
	DurationMS int64  `json:"duration_ms"`
	Tier       string `json:"tier"` // of the sandbox it ran in
}

// verdict is how the command ended, in a few words.
func (o ending) verdict() string {
	switch {
	case o.Over == "memory" && o.cfg.Memory > 0:
		return "killed: it used more than " + display.Limit(o.cfg.Memory) + " of memory"
	case o.Over == "memory":
		return "killed: it used more memory than it may"
	case o.Over == "processes" && o.cfg.Processes > 0:
		return fmt.Sprintf("killed: it had more than %d processes", o.cfg.Processes)
	case o.Over == sandbox.OverReplaced:
		return "killed: a file that it ran was replaced by another while it ran"
	case o.Over != "":
		return "killed: it had too many " + o.Over
	case o.TimedOut:
		return fmt.Sprintf("killed after %s: out of time", o.limit)
	case o.Flooded:
		return fmt.Sprintf("killed after it wrote %s", display.Bytes(o.Stdout.Total+o.Stderr.Total))
	case o.Stopped:
		return "killed: it was stopped"
	case o.Signal != "":
		return "ended by signal: " + o.Signal
	default:
		return fmt.Sprintf("exit status %d", o.Exit)
	}
}

// effect is the receipt of a command that ran.
func (o ending) effect(command, detail string) event.Effect {
	e := event.Effect{Kind: "ran", Target: command, Detail: detail, Status: o.Exit}
	if o.TimedOut || o.Stopped || o.Flooded || o.Over != "" || o.Signal != "" {
		e.Status = -1 // the detail says why
	}
	e.Failed = e.Status != 0
	return e
}

// text is what the model reads.
func (o ending) text() string {
	var b strings.Builder
	if o.plain() {
		b.WriteString(o.Stdout.String())
	} else {
		b.WriteString(o.verdict() + "\n")
		b.WriteString(streams(o.Stdout, o.Stderr))
	}
	switch background := o.cfg.Background != nil; {
	case o.TimedOut && background:
		b.WriteString("[it may have waited for input: commands have no terminal and no input. What takes long runs with background]\n")
	case o.TimedOut:
		b.WriteString("[it may have waited for input: commands have no terminal and no input]\n")
	case o.Left > 0 && !o.Flooded && !o.Stopped && o.Over == "":
		more := ""
		if background {
			more = "; background starts what shall go on"
		}
		fmt.Fprintf(&b, "[killed %s that it had left running%s]\n", display.Count(o.Left, "process"), more)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plain reports whether what the command wrote says all: it succeeded, and wrote to standard output alone.
func (o ending) plain() bool {
	return o.verdict() == "exit status 0" && o.Stdout.Total > 0 && o.Stderr.Total == 0
}

// streams renders both streams under their names.
func streams(stdout, stderr sandbox.Output) string {
	var b strings.Builder
	for _, stream := range []struct {
		name string
		sandbox.Output
	}{{"stdout", stdout}, {"stderr", stderr}} {
		if text := stream.String(); text != "" {
			fmt.Fprintf(&b, "%s:\n%s", stream.name, text)
			if !strings.HasSuffix(text, "\n") {
				b.WriteString("\n")
			}
		}
	}
	if stdout.Total+stderr.Total == 0 {
		b.WriteString("(no output)\n")
	}
	return b.String()
}

func (o ending) data() shellData {
	return shellData{
		Exit: o.Exit, Signal: o.Signal, Stdout: o.Stdout.String(), Stderr: o.Stderr.String(),
		Bytes: o.Stdout.Total + o.Stderr.Total, TimedOut: o.TimedOut, DurationMS: o.Duration.Milliseconds(), Tier: fmt.Sprint(o.Tier),
	}
}
