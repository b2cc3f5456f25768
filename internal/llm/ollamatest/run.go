package ollamatest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"hob/internal/llm/ollamaserver"
)

// Server is a server that a test runs. [Server.Prefills] reads its log.
type Server struct{ *ollamaserver.Server }

// lastLines is how much of the server's log a test that failed shows.
const lastLines = 30

// Run gives a test a server with all scripted models, and ends it when the test ends. It builds the server first when
// that has not happened yet, and says so on standard error; `make ollama` does it outside of the time that go test
// allows. With -short such a test is skipped. A server starts in a tenth of a second, and loads the model for its first
// answer in a third of one, so tests need not share.
func Run(t testing.TB) *Server {
	t.Helper()
	return run(t, ollamaserver.Options{})
}

// RunDebugging is [Run] with a server that logs what [Server.Prefills] and [Server.Loads] count.
func RunDebugging(t testing.TB) *Server {
	t.Helper()
	return run(t, ollamaserver.Options{Debug: true})
}

func run(t testing.TB, o ollamaserver.Options) *Server {
	t.Helper()
	o.Path = BuildFor(t)
	server, err := ollamaserver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			lines := strings.Split(strings.TrimRight(server.Log(), "\n"), "\n")
			t.Logf("the server's last words:\n%s", strings.Join(lines[max(0, len(lines)-lastLines):], "\n"))
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := Install(t.Context(), server.Client()); err != nil {
		t.Fatal(err)
	}
	return &Server{server}
}

// BuildFor gives a test the path of the server that [Run] runs.
func BuildFor(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a real Ollama: not with -short")
	}
	src, err := ollamaserver.Source(".")
	if err != nil {
		t.Fatal(err)
	}
	path, err := ollamaserver.Build(t.Context(), src, ollamaserver.NewReporter(announcer{name: t.Name()}, 0).Report)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// announcer writes the progress of a build to standard error, and which test waits for it.
type announcer struct{ name string }

func (a announcer) Write(p []byte) (int, error) {
	return fmt.Fprintf(os.Stderr, "%s waits for Ollama, which is built once: %s", a.name, p)
}
