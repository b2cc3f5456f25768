package daemon

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"hob/internal/secret"
)

// logOutput is where the daemon's log goes, without any secret that hob knows.
type logOutput struct {
	to      io.Writer
	managed bool // systemd's journal reads it: it knows the time, and takes the priority from the beginning of a line

	mu      sync.Mutex
	secrets *secret.Keeper
	level   slog.Level // of the line that is being written
}

// newLog returns a log. What its output keeps secret can be another with each configuration.
func newLog(to io.Writer, managed bool) (*slog.Logger, *logOutput) {
	out := &logOutput{to: to, managed: managed}
	form := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if managed && len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
			return slog.Attr{}
		}
		return a
	}}
	return slog.New(logHandler{slog.NewTextHandler(out, form), out}), out
}

// keep makes secrets what the log does not tell from now on.
func (o *logOutput) keep(secrets *secret.Keeper) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.secrets = secrets
}

// discreet is a text for others than the log, as the log would tell it.
func (o *logOutput) discreet(text string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.secrets.Redact(text)
}

// Write implements [io.Writer] for the handler, which writes a line at a time and holds mu.
func (o *logOutput) Write(line []byte) (int, error) {
	text := o.secrets.Redact(string(line))
	if o.managed {
		text = priority(o.level) + text
	}
	_, err := io.WriteString(o.to, text)
	return len(line), err
}

// priority is a level as the beginning of a line for systemd, see sd-daemon(3).
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

// logHandler tells the output the level of each line.
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

// warnings is what the commands write for a person, as lines of a log.
type warnings struct{ log *slog.Logger }

// Write implements [io.Writer].
func (w warnings) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "hob: ")); line != "" {
			w.log.Warn(line)
		}
	}
	return len(p), nil
}
