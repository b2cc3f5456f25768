package ollamaserver_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/llm/ollamaserver"
)

// serverMode makes the test binary a program that answers as Ollama does where OLLAMA_HOST says.
const serverMode = "OLLAMASERVER_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(serverMode) == "" {
		os.Exit(m.Run())
	}
	ln, err := net.Listen("tcp", os.Getenv("OLLAMA_HOST"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "Listening on", ln.Addr())
	http.HandleFunc("/api/version", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"version":"0.24.0"}`) })
	fmt.Fprintln(os.Stderr, http.Serve(ln, nil))
	os.Exit(1)
}

// freeAddress is where nobody listens now.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// A server starts once, begins again when it has ended, and leaves the address to another that was first.
func TestLocal(t *testing.T) {
	t.Setenv(serverMode, "1")
	address := freeAddress(t)
	program := func() string { return os.Args[0] }
	first, second := ollamaserver.NewLocal(address, program), ollamaserver.NewLocal(address, program)
	if first.Running() {
		t.Error("it runs before it was started")
	}
	for range 2 {
		if err := first.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := second.Start(t.Context()); err != nil {
		t.Errorf("beside another: %v", err)
	}
	if !first.Running() || second.Running() {
		t.Errorf("the first runs: %v, the second: %v", first.Running(), second.Running())
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get("http://" + address + "/api/version"); err == nil {
		t.Error("it answers after it was closed")
	}
	if err := second.Start(t.Context()); err != nil || !second.Running() {
		t.Errorf("after the first has ended: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// Without a program nothing starts, and that is no error; with one that fails the error has its words.
func TestLocal_WithoutAProgram(t *testing.T) {
	none := ollamaserver.NewLocal(freeAddress(t), func() string { return "" })
	if err := none.Start(t.Context()); err != nil || none.Running() {
		t.Errorf("without a program: %v", err)
	}
	path := filepath.Join(t.TempDir(), "ollama")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho no room >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	failing := ollamaserver.NewLocal(freeAddress(t), func() string { return path })
	if err := failing.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("a program that fails: %v", err)
	}
	if err := failing.Close(); err != nil {
		t.Error(err)
	}
}

// What was built is found from anywhere, unless others could have put it there.
func TestFind(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	if got := ollamaserver.Find(); got != "" {
		t.Errorf("found %s before it was built", got)
	}
	path, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if got := ollamaserver.Find(); got != path {
		t.Errorf("found %q, built %q", got, path)
	}
	if err := os.Chmod(filepath.Join(w.cache, "hob"), 0o777); err != nil {
		t.Fatal(err)
	}
	if got := ollamaserver.Find(); got != "" {
		t.Errorf("found %s in a folder that everybody can write to", got)
	}
}
