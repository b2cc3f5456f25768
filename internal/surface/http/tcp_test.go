package http_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"hob/internal/llm"
	"hob/internal/store/storetest"
	local "hob/internal/surface/http"
)

const token = "0123456789abcdef0123456789abcdef"

func TestTCP(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("good evening"), llm.Say("good night")))
	var log bytes.Buffer
	s, err := local.ListenTCP(local.TCPConfig{Addr: "127.0.0.1:0", Token: token, Hosts: []string{"Hob.example", "tunnel.example:8443"}, Log: slog.New(slog.NewTextHandler(&log, nil))}, h.config)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	at := s.Addr().String()
	_, port, _ := strings.Cut(at, ":")
	chat := `{"session_id":"a","messages":[{"role":"user","content":"hello"}],"request_id":"r"}`
	for _, c := range []struct {
		name, method, path, body string
		header                   string // lines; Host is the host
		status                   int
		noToken                  bool
	}{
		{name: "a program", method: "POST", path: "chat", body: chat, status: 200},
		{name: "by name", method: "POST", path: "chat", body: chat, header: "Host: localhost:" + port, status: 200},
		{name: "by another name", method: "POST", path: "chat", body: chat, header: "Host: hob.EXAMPLE:" + port, status: 200},
		{name: "through a tunnel", method: "POST", path: "chat", body: chat, header: "Host: tunnel.example:8443", status: 200},
		{name: "a page of its own", method: "POST", path: "stop", body: `{"chat":"a"}`, header: "Origin: http://localhost:" + port + "\nSec-Fetch-Site: same-origin", status: 200},
		{name: "events", method: "GET", path: "events?chat=a", status: 200},

		{name: "no token", method: "POST", path: "chat", body: chat, noToken: true, status: 401},
		{name: "no token, to look", method: "GET", path: "events?chat=a", noToken: true, status: 401},
		{name: "another token", method: "POST", path: "chat", body: chat, noToken: true, header: "Authorization: Bearer " + token + "0", status: 401},
		{name: "a part of it", method: "POST", path: "chat", body: chat, noToken: true, header: "Authorization: Bearer " + token[:31], status: 401},
		{name: "an empty token", method: "POST", path: "chat", body: chat, noToken: true, header: "Authorization: Bearer ", status: 401},
		{name: "another scheme", method: "POST", path: "chat", body: chat, noToken: true, header: "Authorization: Basic " + token, status: 401},
		{name: "in the address", method: "POST", path: "chat?token=" + token, body: chat, noToken: true, status: 401},

		{name: "a name that was made to point here", method: "POST", path: "chat", body: chat, header: "Host: evil.example:" + port, status: 421},
		{name: "likewise, to look", method: "GET", path: "events?chat=a", header: "Host: evil.example:" + port, status: 421},
		{name: "another port", method: "GET", path: "events?chat=a", header: "Host: localhost:1", status: 421},
		{name: "no port", method: "GET", path: "events?chat=a", header: "Host: localhost", status: 421},
		{name: "a name that begins so", method: "GET", path: "events?chat=a", header: "Host: localhost:" + port + ".evil.example", status: 421},

		{name: "a page elsewhere", method: "POST", path: "chat", body: chat, header: "Origin: http://evil.example", status: 403},
		{name: "a page elsewhere, to look", method: "GET", path: "events?chat=a", header: "Origin: http://evil.example", status: 403},
		{name: "a page on another port", method: "GET", path: "events?chat=a", header: "Origin: http://localhost:1", status: 403},
		{name: "a page of nowhere", method: "GET", path: "events?chat=a", header: "Origin: null", status: 403},
		{name: "no page at all", method: "GET", path: "events?chat=a", header: "Origin: file://localhost:" + port, status: 403},
		{name: "a browser that says so", method: "GET", path: "events?chat=a", header: "Sec-Fetch-Site: cross-site", status: 403},
		{name: "a browser of the same site", method: "POST", path: "stop", body: `{}`, header: "Sec-Fetch-Site: same-site", status: 403},

		{name: "what is hob's own", method: "POST", path: "say", body: `{"chat":"a","id":"1","text":"x"}`, status: 404},
		{name: "an answer", method: "POST", path: "decide", body: `{"chat":"a","id":"1","allow":true}`, status: 404},
		{name: "the raw journal", method: "GET", path: "follow?chat=a", status: 404},
		{name: "a large head", method: "GET", path: "events?chat=a", header: "X-Fill: " + strings.Repeat("x", 1<<16), status: 431},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, c.method, "http://"+at+"/api/v1/"+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if !c.noToken {
				req.Header.Set("Authorization", "bearer "+token)
			}
			for line := range strings.Lines(c.header) {
				name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
				if req.Header.Set(name, value); name == "Host" {
					req.Host = value
				}
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.StatusCode != c.status {
				text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
				t.Errorf("%s: %s", resp.Status, text)
			}
			got := log.String()
			if log.Reset(); strings.Contains(got, `msg="a request to the API without its token was refused" from=127.0.0.1:`) != (c.status == 401) || strings.Contains(got, token[:31]) {
				t.Errorf("the log has %q", got)
			}
		})
	}
}

// Only this machine may ever reach it.
func TestTCPIsLoopback(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:8080":     `[api] listen = "0.0.0.0:8080" can be reached from other machines: write 127.0.0.1:8080, and from elsewhere go through ssh -L`,
		":8080":            `[api] listen = ":8080" is no address: write one such as 127.0.0.1:8080`,
		"192.168.1.5:8080": `[api] listen = "192.168.1.5:8080" can be reached from other machines: write 127.0.0.1:8080, and from elsewhere go through ssh -L`,
		"[::]:8080":        `[api] listen = "[::]:8080" can be reached from other machines: write 127.0.0.1:8080, and from elsewhere go through ssh -L`,
		"hob.example:8080": `[api] listen = "hob.example:8080" is no address: write one such as 127.0.0.1:8080`,
		"127.0.0.1":        `[api] listen = "127.0.0.1" is no address: write one such as 127.0.0.1:8080`,
		"127.0.0.1:http":   `[api] listen = "127.0.0.1:http" is no address: write one such as 127.0.0.1:8080`,
	} {
		s, err := local.ListenTCP(local.TCPConfig{Addr: addr, Token: token}, local.Config{})
		if err == nil {
			s.Close(t.Context())
		}
		if fmt.Sprint(err) != want {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if _, err := local.ListenTCP(local.TCPConfig{Addr: "localhost:0", Token: "short"}, local.Config{}); err == nil || !strings.Contains(err.Error(), "at least 16 characters") {
		t.Error(err)
	}
}
