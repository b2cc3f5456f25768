package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/mcp"
)

// A call that takes longer than a server may be idle is not cut short by that.
func TestBusyIsNotIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, cancelled atomic.Int32
		h := serving(slow(&began, &cancelled))
		c := client(t, h.start, func(cfg *mcp.Config) { cfg.Times = mcp.Times{Call: time.Hour, Idle: time.Minute} })
		_, bad := call(t, begin(t, c), "box_slow", `{}`)
		if bad == nil || !strings.Contains(bad.Message, "it did not answer within 1h0m0s") {
			t.Error(bad)
		}
		c.Close()
	})
}

// Close ends a call of a server elsewhere, too, which nothing of hob's keeps alive.
func TestCloseRemote(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	began, release := make(chan struct{}), make(chan struct{})
	server := serving(func(s *sdk.Server) {
		add(s, "hang", `{"type":"object"}`, func(ctx context.Context, _ json.RawMessage) (*sdk.CallToolResult, error) {
			close(began)
			select {
			case <-release:
			case <-ctx.Done():
			}
			return said("too late"), nil
		})
	}).make()
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	defer web.Close()
	defer close(release)
	c := client(t, nil, func(cfg *mcp.Config) { cfg.Command, cfg.URL, cfg.HTTP = mcp.Command{}, web.URL, web.Client() })
	s := begin(t, c)
	go func() { <-began; c.Close() }()
	if _, bad := call(t, s, "box_hang", `{}`); bad == nil || !strings.Contains(bad.Message, "has ended before it answered: hob has ended it") {
		t.Error(bad)
	}
}
