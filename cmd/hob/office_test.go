package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/tools"
)

// nowhereToAsk is an Ollama that is not there.
const nowhereToAsk = "http://127.0.0.1:1"

// office is a hob with no surface.
type office struct {
	*testing.T
	*app.App
	set *app.Environment
}

func newOffice(t *testing.T, ollama string, configuration ...string) office {
	t.Helper()
	env := map[string]string{
		"HOB_STATE_DIR": filepath.Join(t.TempDir(), "state"), "HOB_CONFIG": filepath.Join(t.TempDir(), "config.toml"), "OLLAMA_HOST": ollama,
	}
	if len(configuration) > 0 {
		if err := os.WriteFile(env["HOB_CONFIG"], []byte(strings.Join(configuration, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := newProgram(&bytes.Buffer{}, io.Discard, io.Discard, func(key string) string { return env[key] })
	s, err := a.Load()
	if err != nil {
		t.Fatal(err)
	}
	h, err := a.Open(t.Context(), s, app.NewModel(s), "a test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmp.Or(h.Close(), a.Egress.End()); err != nil {
			t.Error(err)
		}
	})
	return office{t, h, s}
}

// undoTurn takes back what the last turn of a chat changed.
func undoTurn(ctx context.Context, h *app.App, chat event.Chat) error {
	by := tools.Caller{Chat: chat, User: "owner", Principal: app.LocalOwner()}
	r, err := h.Env.Changes(h.Journal).Undo(ctx, commands.UndoRequest{Turn: true, Chat: chat, By: by})
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	return err
}
