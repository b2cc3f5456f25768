package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"hob/internal/display"
	"hob/internal/secret"
)

// logOutput writes the daemon's log, redacted.
type logOutput struct {
	out        io.Writer
	forSystemd bool // systemd's journal reads the log: it adds the time, and reads the level from a line's prefix

	mu      sync.Mutex
	secrets *secret.Redactor
	level   slog.Level // of the line that is being written
}

// newLog returns a log and its output. Each configuration may set other secrets to redact. Where a person reads the log, its lines
// are sentences.
func newLog(to io.Writer, managed, interactive bool) (*slog.Logger, *logOutput) {
	out := &logOutput{out: to, forSystemd: managed}
	form := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if managed && len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
			return slog.Attr{}
		}
		return a
	}}
	var lines slog.Handler = slog.NewTextHandler(out, form)
	if interactive && !managed {
		lines = personHandler{lines, out}
	}
	return slog.New(logHandler{lines, out}), out
}

// personHandler writes a line for a person at a terminal, such as "15:04  Ollama does not work: nothing answers".
type personHandler struct {
	slog.Handler // the form for programs, for what is asked of it besides

	out io.Writer
}

// Handle implements [slog.Handler].
func (h personHandler) Handle(_ context.Context, r slog.Record) error {
	text, details := r.Message, []string{}
	r.Attrs(func(a slog.Attr) bool {
		switch value := display.OneLine(a.Value.String()); a.Key {
		case "why", "err":
			text += ": " + value
		default:
			details = append(details, a.Key+" "+value)
		}
		return true
	})
	if len(details) > 0 {
		text += " (" + strings.Join(details, ", ") + ")"
	}
	_, err := fmt.Fprintf(h.out, "%s  %s\n", r.Time.Format("15:04"), text)
	return err
}

func (o *logOutput) setSecrets(secrets *secret.Redactor) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.secrets = secrets
}

// redact returns a text without the secrets of the log.
func (o *logOutput) redact(text string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.secrets.Redact(text)
}

// Write implements [io.Writer] for the handler, which writes a line at a time and holds mu.
func (o *logOutput) Write(line []byte) (int, error) {
	text := o.secrets.Redact(string(line))
	if o.forSystemd {
		text = priority(o.level) + text
	}
	_, err := io.WriteString(o.out, text)
	return len(line), err
}

// priority returns the prefix of a line for a level, see sd-daemon(3).
func priority(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "<3>"
	case level >= slog.LevelWarn:
		return "<4>"
	case level >= slog.LevelInfo:
		return "<6>"
	}
	return "<7>"
}

// logHandler passes the level of each line to the output.
type logHandler struct {
	slog.Handler
	out *logOutput
}

// Handle implements [slog.Handler].
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	h.out.level = r.Level
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs), h.out}
}

// WithGroup implements [slog.Handler].
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name), h.out}
}

// warningWriter logs each line that a command writes for people.
type warningWriter struct{ log *slog.Logger }

// Write implements [io.Writer].
func (w warningWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "hob: ")); line != "" {
			w.log.Warn(line)
		}
	}
	return len(p), nil
}
