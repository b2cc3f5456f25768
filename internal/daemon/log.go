package daemon

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

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

// newLog returns a log and its output. Each configuration may set other secrets to redact.
func newLog(to io.Writer, managed bool) (*slog.Logger, *logOutput) {
	out := &logOutput{out: to, forSystemd: managed}
	form := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if managed && len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
			return slog.Attr{}
		}
		return a
	}}
	return slog.New(logHandler{slog.NewTextHandler(out, form), out}), out
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
