package api_test

import (
	"errors"
	"net"
	"path/filepath"
	"testing"

	"hob/internal/surface/http/api"
)

// Where there is no socket, or one that a killed hob left, no hob is running.
func TestNotRunning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hob.sock")
	if _, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{}); !errors.Is(err, api.ErrNotRunning) {
		t.Error(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if _, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{}); !errors.Is(err, api.ErrNotRunning) {
		t.Error(err)
	}
}
