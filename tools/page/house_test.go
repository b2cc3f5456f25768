package page

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hob/internal/llm/ollama/ollamafake"
)

// modelName is that of a model that calls tools as its server reads them.
const modelName = "qwen3.5:9b"

// house is a household with a daemon, with a page.
type house struct {
	t      *testing.T
	state  string
	config string
	port   int
	origin string
	model  *ollamafake.Server
	cmd    *exec.Cmd
	notify *net.UnixConn

	mu   sync.Mutex
	errs bytes.Buffer
}

// newHouse starts a daemon whose page is on localhost, and whose model answers with the steps. More is added to its configuration.
func newHouse(t *testing.T, more string, steps ...ollamafake.Step) *house {
	t.Helper()
	port := freePort(t)
	return newHouseAt(t, port, fmt.Sprintf("http://localhost:%d", port), fmt.Sprintf("listen = \"localhost:%d\"\n", port), more, steps...)
}

// newHouseAt is newHouse with a page that people find at an origin, by the keys of [page].
func newHouseAt(t *testing.T, port int, origin, page, more string, steps ...ollamafake.Step) *house {
	t.Helper()
	needsBrowser(t)
	h := &house{t: t, state: t.TempDir(), config: filepath.Join(t.TempDir(), "config.toml"), port: port, origin: origin}
	if err := os.Chmod(h.state, 0o700); err != nil {
		t.Fatal(err)
	}
	h.model = ollamafake.New(t, ollamafake.Config{Model: modelName, Family: "qwen35", Parameters: "9.7B", Renderer: "qwen3.5", Parser: "qwen3.5", Context: 32768}, steps...)
	text := fmt.Sprintf("[ollama]\nmodel = %q\n[page]\n%s[policy]\nturns_per_minute = 10000\n%s", modelName, page, more)
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.serve()
	return h
}

// freePort is a port that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (h *house) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), program, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.state, "HOB_STATE_DIR=" + h.state, "OLLAMA_HOST=" + h.model.URL(), "HOB_CONFIG=" + h.config}
	return cmd
}

// hob runs a command of hob and returns what it prints.
func (h *house) hob(args ...string) string {
	h.t.Helper()
	cmd := h.command(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("hob %s: %v\n%s%s", strings.Join(args, " "), err, out, &errs)
	}
	return string(out)
}

// Write takes what the daemon logs.
func (h *house) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.errs.Write(p)
}

func (h *house) log() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.errs.String()
}

// serve starts the daemon and waits until it says that it is ready, as it says to systemd.
func (h *house) serve() {
	h.t.Helper()
	dir, err := os.MkdirTemp("", "hob") // the name of a socket is short
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { os.RemoveAll(dir) })
	address := &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"}
	if h.notify, err = net.ListenUnixgram("unixgram", address); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { h.notify.Close() })
	h.cmd = h.command("serve")
	h.cmd.Env = append(h.cmd.Env, "NOTIFY_SOCKET="+address.Name)
	h.cmd.Stderr = h
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = h.cmd.Process.Kill() // no error but that it has ended
		_ = h.cmd.Wait()
		if h.t.Failed() {
			h.t.Logf("the daemon said\n%s", h.log())
		}
	})
	_ = h.notify.SetReadDeadline(time.Now().Add(*patience))
	buf := make([]byte, 4096)
	for {
		n, err := h.notify.Read(buf)
		if err != nil {
			h.t.Fatalf("waiting for the daemon: %v\n%s", err, h.log())
		}
		if strings.Contains(string(buf[:n]), "READY=1") {
			return
		}
	}
}

// stop ends the daemon as systemd does.
func (h *house) stop() {
	h.t.Helper()
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		h.t.Fatal(err)
	}
	if err := h.cmd.Wait(); err != nil {
		h.t.Fatalf("the daemon ended badly: %v\n%s", err, h.log())
	}
}

// url is the address of a path of the page.
func (h *house) url(path string) string { return h.origin + path }

// waiting is a context for one thing that must happen.
func waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, *patience)
}

// glance is how long it is until a test looks again whether something has happened that tells nobody.
const glance = 5 * time.Millisecond

// until waits for something outside of the page to become true.
func (h *house) until(what string, is func() bool) {
	h.t.Helper()
	for began := time.Now(); !is(); <-time.After(glance) {
		if time.Since(began) > *patience {
			h.t.Fatalf("waiting until %s", what)
		}
	}
}
