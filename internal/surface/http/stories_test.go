package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// oneStory is a story in the chat "tale". The chat "broken" has one that cannot be read.
type oneStory struct{}

func (oneStory) find(chat event.Chat) error {
	switch chat {
	case "tale":
		return nil
	case "broken":
		return errors.New("the disk is broken")
	}
	return &event.Error{Type: event.TypeNotFound, Message: "no story is bound to this chat"}
}

func (s oneStory) StoryState(_ context.Context, chat event.Chat) (api.StoryState, error) {
	return api.StoryState{State: json.RawMessage(`{"world":{}}`), StateHash: "ab", Campaign: "mill", Turn: 3}, s.find(chat)
}

func (s oneStory) StoryMap(_ context.Context, chat event.Chat, zones bool) (api.StoryMap, error) {
	m := api.StoryMap{Campaign: "mill", Turn: 3, Title: "The Mill", Layer: "area", North: true,
		Rooms: []api.MapRoom{{ID: "area_1", Name: "Mill", Visited: true, Current: true, Party: []string{"Mara"}}, {X: 1}},
		Links: []api.MapLink{{From: 0, To: 1, Door: "closed", Dir: "e"}}}
	if zones {
		m = api.StoryMap{Layer: "zone", Rooms: []api.MapRoom{}, Links: []api.MapLink{}}
	}
	return m, s.find(chat)
}

func (s oneStory) DrawMap(_ context.Context, chat event.Chat, _ bool, format string) ([]byte, error) {
	return []byte("a map as " + format), s.find(chat)
}

func TestStories(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hob.sock")
	server, err := local.Listen(path, local.Config{Sessions: &skillSessions{}, Stories: oneStory{}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(context.WithoutCancel(t.Context()))
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}, DisableKeepAlives: true}}
	for _, c := range []struct {
		path      string
		status    int
		mediaType string
		body      string
	}{
		{"story?chat=tale", 200, "application/json", `{"state":{"world":{}},"state_hash":"ab","campaign":"mill","turn":3}`},
		{"story?chat=main", 404, "application/json", `{"error":"no story is bound to this chat"}`},
		{"story?chat=broken", 503, "application/json", `{"error":"the disk is broken"}`},
		{"story", 400, "application/json", `{"error":"say which chat: ?chat=NAME"}`},
		{"map?chat=tale", 200, "application/json", `{"campaign":"mill","turn":3,"title":"The Mill","layer":"area",` +
			`"rooms":[{"id":"area_1","name":"Mill","x":0,"y":0,"visited":true,"current":true,"party":["Mara"]},{"id":"","name":"","x":1,"y":0,"visited":false,"current":false}],` +
			`"links":[{"from":0,"to":1,"door":"closed","dir":"e"}],"beyond":0,"north":true}`},
		{"map?chat=tale&format=json&scope=zone", 200, "application/json", `{"campaign":"","turn":0,"title":"","layer":"zone","rooms":[],"links":[],"beyond":0,"north":false}`},
		{"map?chat=tale&format=svg", 200, "image/svg+xml", "a map as svg"},
		{"map?chat=tale&format=png&scope=area_layer", 200, "image/png", "a map as png"},
		{"map?chat=main&format=png", 404, "application/json", `{"error":"no story is bound to this chat"}`},
		{"map?chat=tale&format=gif", 400, "application/json", `{"error":"the format of a map is json, svg or png"}`},
		{"map?chat=tale&scope=all", 400, "application/json", `{"error":"the scope of a map is area_layer or zone"}`},
	} {
		resp, err := client.Get("http://hob/api/v1/" + c.path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		got := strings.TrimSuffix(string(raw), "\n")
		if diff := cmp.Diff(c.body, got); err != nil || diff != "" || resp.StatusCode != c.status || resp.Header.Get("Content-Type") != c.mediaType {
			t.Errorf("%s: %d %s, %v\n%s", c.path, resp.StatusCode, resp.Header.Get("Content-Type"), err, diff)
		}
	}
	resp, err := client.Post("http://hob/api/v1/story?chat=tale", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a post is answered with %d", resp.StatusCode)
	}
}
