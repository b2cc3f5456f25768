package ollamatest

import (
	"fmt"
	"os"
	"testing"
)

// Run gives a test a server with all scripted models, and ends it when the test ends. It builds the server first when
// that has not happened yet, and says so on standard error; `make ollama` does it outside of the time that go test
// allows. With -short such a test is skipped. A server starts in a tenth of a second, and loads the model for its first
// answer in a third of one, so tests need not share.
func Run(t testing.TB) *Server {
	t.Helper()
	return run(t, Options{})
}

// RunDebugging is [Run] with a server that logs what [Server.Prefills] and [Server.Loads] count.
func RunDebugging(t testing.TB) *Server {
	t.Helper()
	return run(t, Options{Debug: true})
}

func run(t testing.TB, o Options) *Server {
	t.Helper()
	binaries := BuildFor(t)
	o.Path = binaries.Server
	server, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's last words:\n%s", server.log.lines(30))
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := Install(t.Context(), server.Client(), binaries.Writer); err != nil {
		t.Fatal(err)
	}
	return server
}

// BuildFor gives a test the server's binaries, as [Run] has them.
func BuildFor(t testing.TB) Binaries {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a real Ollama: not with -short")
	}
	src, err := Source(".")
	if err != nil {
		t.Fatal(err)
	}
	binaries, err := Build(t.Context(), src, announcer{name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	return binaries
}

// announcer writes the progress of a build to standard error, and which test waits for it.
type announcer struct{ name string }

func (a announcer) Write(p []byte) (int, error) {
	return fmt.Fprintf(os.Stderr, "%s waits for Ollama, which is built once: %s", a.name, p)
}
