//go:build linux

package sandbox_test

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"

	"hob/internal/sandbox"
	"hob/internal/sandbox/sandboxtest"
)

// A command with a network reaches what serves it and nothing else; one without reaches nothing.
func TestNetwork(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip("needs /usr/bin/python3, to connect with")
	}
	real, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer real.Close()
	connect := func(port string) string {
		return python + " -c 'import socket; s = socket.create_connection((\"127.0.0.1\", " + port + ")); print(s.recv(9))' 2>&1 | tail -1"
	}
	_, port, _ := net.SplitHostPort(real.Addr().String())
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T4 {
			t.Skip("has no walls")
		}
		var ctx context.Context
		served := make(chan struct{})
		p, _ := policy(t, func(r *sandbox.Rules) {
			r.Serve = func(c context.Context, l net.Listener) {
				defer close(served)
				ctx = c
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					conn.Write([]byte("proxy"))
					conn.Close()
				}
			}
		})
		before := openFiles(t)
		o := run(t, s, p, sh(connect("3128")+"; "+connect(port)))
		if after := openFiles(t); after > before {
			t.Errorf("%d files are open, %d before", after, before)
		}
		first, second, _ := strings.Cut(o.Stdout.String(), "\n")
		if strings.Contains(second, "b'") || !strings.Contains(second, "Error") {
			t.Errorf("this machine's loopback was reached: %s", o.Stdout)
		}
		if tier == sandbox.T3 { // it has no network to serve
			if !strings.Contains(first, "Error") {
				t.Errorf("it wrote %s", o.Stdout)
			}
			return
		}
		if first != "b'proxy'" {
			t.Errorf("it wrote %s", o.Stdout)
		}
		<-served
		if ctx.Err() == nil {
			t.Error("the context of what serves has not ended")
		}
		none, _ := policy(t, nil)
		if o := run(t, s, none, sh(connect("3128"))); !strings.Contains(o.Stdout.String(), "Error") {
			t.Errorf("it wrote %s", o.Stdout)
		}
	})
}

// What serves the network and does not end is not waited for without end, and a command that never used the network
// ends it, too.
func TestNetwork_Deaf(t *testing.T) {
	sandboxtest.Ordinary(t)
	s := box(t, sandbox.T1)
	quit := make(chan struct{})
	left := make(chan struct{})
	p, _ := policy(t, func(r *sandbox.Rules) {
		r.Serve = func(context.Context, net.Listener) { <-quit; close(left) }
	})
	if o := run(t, s, p, sh("exit 5")); o.Exit != 5 {
		t.Errorf("%+v", o)
	}
	close(quit)
	<-left
}
