//go:build linux

package sandbox_test

import (
	"bytes"
	"io"
	"testing"

	"hob/internal/sandbox"
)

// A command that is started open is asked and answers for as long as it is fed, and ends when its input does.
func TestOpenInput(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		out, in := io.Pipe()
		c := sh("while read line; do echo \"got $line\"; done")
		c.Stdin, c.Open, c.Timeout = []byte("first\n"), true, -1
		c.Live = func(_ int, p []byte) { _, _ = in.Write(bytes.Clone(p)) }
		process, err := s.Start(t.Context(), p, c)
		if err != nil {
			t.Fatal(err)
		}
		answer := func(want string) {
			t.Helper()
			buf := make([]byte, len(want))
			if _, err := io.ReadFull(out, buf); err != nil || string(buf) != want {
				t.Errorf("%q, %v; want %q", buf, err, want)
			}
		}
		answer("got first\n")
		for _, word := range []string{"a", "b"} {
			if _, err := io.WriteString(process.Input(), word+"\n"); err != nil {
				t.Error(err)
			}
			answer("got " + word + "\n")
		}
		if err := process.Input().Close(); err != nil {
			t.Error(err)
		}
		if o := process.Wait(); o.Exit != 0 || o.Stopped || o.Signal != "" {
			t.Errorf("%+v", o)
		}
		if _, err := io.WriteString(process.Input(), "x"); err == nil {
			t.Error("what has ended took input")
		}
	})
}

// Who writes to a command that does not read is let go when it is stopped.
func TestOpenInputStopped(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		line, _ := nap()
		c := sh(line)
		c.Open, c.Timeout = true, -1
		process, err := s.Start(t.Context(), p, c)
		if err != nil {
			t.Fatal(err)
		}
		wrote := make(chan error, 1)
		go func() {
			_, err := process.Input().Write(make([]byte, 1<<20))
			wrote <- err
		}()
		process.Stop()
		if err := <-wrote; err == nil {
			t.Error("everything was written to a command that does not read")
		}
	})
}

// Any other command has no input to write to.
func TestNoInput(t *testing.T) {
	p, _ := policy(t, nil)
	process, err := box(t, sandbox.T4).Start(t.Context(), p, sh("cat"))
	if err != nil {
		t.Fatal(err)
	}
	if process.Input() != nil || process.Wait().Exit != 0 {
		t.Error("it has one")
	}
}
