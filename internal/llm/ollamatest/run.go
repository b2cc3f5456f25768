package ollamatest

import "testing"

// Run gives a test a server with all scripted models, and ends it when the test ends. It builds the server first when
// that has not happened yet; `go run ./internal/llm/ollamatest/buildollama` does so outside of the time that go test
// allows. A server starts in a tenth of a second, and loads the model for its first answer in a third of one, so tests need
// not share.
func Run(t testing.TB) *Server {
	t.Helper()
	return run(t, Options{})
}

// RunDebugging is [Run] with a server that tells what [Server.Prefills] and [Server.Loads] count.
func RunDebugging(t testing.TB) *Server {
	t.Helper()
	return run(t, Options{Debug: true})
}

func run(t testing.TB, o Options) *Server {
	t.Helper()
	src, err := Source(".")
	if err != nil {
		t.Fatal(err)
	}
	binaries, err := Build(t.Context(), src, t.Output())
	if err != nil {
		t.Fatal(err)
	}
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
