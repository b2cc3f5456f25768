package api_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hob/internal/surface/http/api"
)

// Whoever can write to the folder of the state can put a socket there. If that is another user,
// they hear nothing.
func TestASocketOfSomebodyElse(t *testing.T) {
	const listen = "HOB_TEST_LISTEN"
	if path := os.Getenv(listen); path != "" {
		listenAndTell(t, path)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	dir, err := os.MkdirTemp("", "hob")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "hob.sock")
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestASocketOfSomebodyElse$")
	cmd.Env = append(os.Environ(), listen+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Skip("no process of another user here:", err)
	}
	line := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	_, err = api.NewClient(path).Submit(t.Context(), api.SayRequest{Chat: "main", ID: "1", Text: "my secret"})
	var stranger *api.StrangerError
	if !errors.As(err, &stranger) || stranger.User != 65534 || !strings.Contains(err.Error(), path) {
		t.Errorf("the client says %v", err)
	}
	heard, err := io.ReadAll(out)
	if text, _, _ := strings.Cut(string(heard), "\n"); text != "heard 0 bytes" || err != nil {
		t.Errorf("the stranger %q, %v", heard, err)
	}
	_ = cmd.Wait()
}

// listenAndTell listens at a socket and prints how much the first who comes says.
func listenAndTell(t *testing.T, path string) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, _ = os.Stdout.WriteString("ready\n")
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := conn.Read(make([]byte, 1000))
	_, _ = os.Stdout.WriteString("heard " + string(rune('0'+min(n, 9))) + " bytes\n")
}
