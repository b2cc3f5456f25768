package http_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store/storetest"
	local "hob/internal/surface/http"
)

// hookedSessions are sessions that call a function while the first request looks whether its chat
// is free.
type hookedSessions struct {
	local.Sessions
	times *atomic.Int32
	then  func()
}

func (l hookedSessions) IsBusy(ctx context.Context, chat event.Chat) (bool, error) {
	busy, err := l.Sessions.IsBusy(ctx, chat)
	if l.times.Add(1) == 1 {
		l.then()
	}
	return busy, err
}

// A request on the socket and one over TCP at the same moment: one of them finds the chat busy.
func TestTwoServersLetOneIn(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("once"), llm.Say("twice")))
	h.server.Close(t.Context())
	var tcp *local.Server
	var times atomic.Int32
	body := `{"session_id":"a","messages":[{"role":"user","content":"hello"}]}`
	other := func() {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // in which it does not come in
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+tcp.Addr().String()+"/api/v1/chat", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+token)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			t.Errorf("the second came in before the first: %s %s", resp.Status, text)
		}
		if n := times.Load(); n != 1 {
			t.Errorf("%d looked at the same moment", n)
		}
	}
	h.config.Sessions, h.config.Entry = hookedSessions{h.Sessions, &times, other}, local.NewEntry()
	var err error
	if tcp, err = local.ListenTCP(local.TCPConfig{Addr: "127.0.0.1:0", Token: token}, h.config); err != nil {
		t.Fatal(err)
	}
	defer tcp.Close(context.Background())
	h.listen(t)
	if status, text := h.post(t, t.Context(), body); status != 200 || !strings.Contains(text, `"reply":"once"`) {
		t.Error(status, text)
	}
}
