package http_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// A command over the API is a row of the table: its value comes back, rows of other surfaces are
// not there, and what is wrong with a request is named.
func TestCommand(t *testing.T) {
	echo := func(_ context.Context, by commands.Request) (commands.Answer, error) {
		if by.Args == "fail" {
			return commands.Answer{}, errors.New("there is nothing to echo")
		}
		return commands.Answer{Text: "**" + by.Args + "**", Data: map[string]string{"chat": string(by.Chat), "from": by.From},
			Choices: [][]commands.Choice{{{Label: "Again", Line: "/echo again"}}}}, nil
	}
	table := commands.NewTable(
		commands.Command{Name: "echo", Args: []commands.Arg{{Name: "WORDS"}}, Summary: "says it again", On: commands.Everywhere, Run: echo},
		commands.Command{Name: "phone", On: commands.Telegram, Run: echo},
		commands.Command{Name: "here", Run: echo},
	)
	cfg := local.Config{Sessions: &skillSessions{}, Commands: func() commands.Table { return table }}
	path := filepath.Join(t.TempDir(), "hob.sock")
	server, err := local.Listen(path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(t.Context())
	token := strings.Repeat("k", 32)
	tcp, err := local.ListenTCP(local.TCPConfig{Addr: "127.0.0.1:0", Token: token}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close(t.Context())
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"name":"echo","args":"hi","chat":"backup"}`, 200, `{"text":"**hi**","data":{"chat":"backup","from":"owner"},"choices":[[{"label":"Again","line":"/echo again"}]]}`},
		{`{"name":"echo"}`, 200, `{"text":"****","data":{"chat":"main","from":"owner"},"choices":[[{"label":"Again","line":"/echo again"}]]}`},
		{`{"name":"echo","args":"fail"}`, 409, `{"error":"there is nothing to echo"}`},
		{`{"name":"help"}`, 200, "{\"text\":\"- `/echo [WORDS]`: says it again\\n\",\"data\":[{\"name\":\"echo\",\"args\":\"[WORDS]\",\"summary\":\"says it again\"}]}"},
		{`{"name":"phone"}`, 404, `{"error":"there is no command /phone here: /help lists them"}`},
		{`{"name":"here"}`, 404, `{"error":"there is no command /here here: /help lists them"}`},
		{`{"name":"echo","force":true}`, 400, `force`},
		{`{"name":"echo","chat":"a b"}`, 400, `{"error":`},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+tcp.Addr().String()+"/api/v1/command", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := (&http.Client{Timeout: time.Minute}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		exact := c.status != http.StatusBadRequest
		if err != nil || resp.StatusCode != c.status || exact && strings.TrimSpace(string(got)) != c.want || !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %d %s, want %d %s", c.body, resp.StatusCode, got, c.status, c.want)
		}
	}
	// The socket is the terminal's.
	if a, err := api.NewClient(path).Command(t.Context(), api.CommandRequest{Name: "here", Args: "hi"}); err != nil || a.Text != "**hi**" {
		t.Errorf("%+v, %v", a, err)
	}
}
