package http_test

import (
	"bufio"
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// stream opens a stream of events.
func (h *house) stream(t *testing.T, query string, header ...string) (*bufio.Scanner, *http.Response) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://hob/api/v1/"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := h.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return bufio.NewScanner(resp.Body), resp
}

// types reads server-sent events up to the end of a turn: the type of each, after its id.
func types(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	var got []string
	id := "-"
	for lines.Scan() {
		line := lines.Text()
		if n, ok := strings.CutPrefix(line, "id: "); ok {
			id = n
		}
		data, ok := strings.CutPrefix(line, `data: {"type":"`)
		if !ok {
			continue
		}
		name, rest, _ := strings.Cut(data, `"`)
		got = append(got, id+name)
		if id != "-" && !strings.Contains(rest, `"seq":`+id) {
			t.Errorf("id %s of %s", id, line)
		}
		id = "-"
		if name == "ended" {
			return strings.Join(got, " ")
		}
	}
	t.Error("the stream has ended", lines.Err())
	return strings.Join(got, " ")
}

func TestEvents(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("good evening"), llm.Say("good night")))
	live, resp := h.stream(t, "events?chat=a")
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" || resp.StatusCode != 200 {
		t.Fatal(resp.Status, kind)
	}
	body := `{"session_id":"a","messages":[{"role":"user","content":"hello"}]}`
	if status, text := h.post(t, t.Context(), body); status != 200 {
		t.Fatal(text)
	}
	// What is generated is hob's own business, and has a number all the same.
	if got := types(t, live); strings.Replace(got, " -delta", "", 1) != "1said 3replied 4ended" {
		t.Error(got)
	}
	if status, text := h.post(t, t.Context(), body); status != 200 {
		t.Fatal(text)
	}
	for query, want := range map[string]string{"events?chat=a": "1said 3replied 4ended", "events?chat=a&after=0": "1said 3replied 4ended",
		"events?chat=a&after=3": "4ended", "events?after=4&chat=a": "5said 7replied 8ended"} {
		lines, _ := h.stream(t, query)
		if got := types(t, lines); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	lines, _ := h.stream(t, "events?chat=a&after=1", "Last-Event-ID", "5")
	if got := types(t, lines); got != "7replied 8ended" {
		t.Error(got)
	}
	for _, query := range []string{"events", "events?after=1", "events?chat=", "events?chat=a%20b", "events?chat=a&after=x", "events?chat=a&after=-1",
		"events?chat=a&chat=b", "events?chat=a&since=1", "events?chat=a%zz", "follow?chat=a&after=x", "waiting?id=x", "last"} {
		if _, resp := h.stream(t, query); resp.StatusCode != 400 {
			t.Errorf("%s: %s", query, resp.Status)
		}
	}
}

// What hob's own commands follow is what happened, to the letter.
func TestFollow(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(llm.CallOf(1, "write", map[string]string{"path": "a"})), llm.Say("good evening")))
	client := api.NewClient(h.path)
	// Deltas may be dropped, and come only while somebody follows.
	following, deltas := make(chan struct{}), make(chan string)
	go func() {
		text := ""
		close(following)
		for e, err := range client.Follow(t.Context(), "a", 0) {
			if d, ok := e.Body.(event.Delta); ok && err == nil {
				text += d.Text
			}
			if _, over := e.Body.(event.Ended); over || err != nil {
				break
			}
		}
		deltas <- text
	}()
	<-following
	if last, err := client.Last(t.Context(), "a"); last != 0 || err != nil {
		t.Error(last, err)
	}
	seq, err := client.Submit(t.Context(), api.SayRequest{Chat: "a", ID: "1", Text: "hello"})
	if err != nil {
		t.Fatal(err)
	}
	if text := <-deltas; text != "" && text != "good evening" {
		t.Error(text)
	}
	var got, want []event.Event
	for e, err := range client.Follow(t.Context(), "a", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, e); e.Body.Type() == "ended" {
			break
		}
	}
	for e, err := range h.journal.Chat(t.Context(), "a", 0) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	said := got[0].Body.(event.Said)
	if said.From != "owner" || said.Level != event.Owner || said.Platform != "cli" || said.Unattended || got[0].Seq != seq {
		t.Errorf("%+v", said)
	}
	if again, err := client.Submit(t.Context(), api.SayRequest{Chat: "a", ID: "1", Text: "hello"}); again != seq || err != nil {
		t.Error(again, err)
	}
	other := (*event.ReusedIDError)(nil)
	if _, err := client.Submit(t.Context(), api.SayRequest{Chat: "a", ID: "1", Text: "hullo"}); !errors.As(err, &other) || other.ID != "1" {
		t.Error(err)
	}
	if err := client.Reset(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if last, err := client.Last(t.Context(), "a"); last != want[len(want)-1].Seq+1 || err != nil {
		t.Error(last, err)
	}
}

// A stop by the client does not wait; a question can be looked for and answered.
func TestClientAsksAndStops(t *testing.T) {
	call := llm.CallOf(1, "run", map[string]string{"path": "a"})
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call), llm.Say("It is done."), llm.Do(call)))
	client := api.NewClient(h.path)
	for _, allow := range []bool{true, false} {
		seq, err := client.Submit(t.Context(), api.SayRequest{Chat: "a", ID: map[bool]string{true: "1", false: "2"}[allow], Text: "run"})
		if err != nil {
			t.Fatal(err)
		}
		var decided event.Decided
		for e, err := range client.Follow(t.Context(), "a", seq) {
			if err != nil {
				t.Fatal(err)
			}
			if q, ok := e.Body.(event.Asked); ok {
				if waits, err := client.IsAsking(t.Context(), "a", q.ID); !waits || err != nil {
					t.Error(waits, err)
				}
				if allow {
					err = client.Decide(t.Context(), api.DecideRequest{Chat: "a", ID: q.ID, Allow: true})
				} else {
					wait := false
					_, err = client.Stop(t.Context(), api.StopRequest{Chat: "a", Wait: &wait})
				}
				if err != nil {
					t.Error(err)
				}
			}
			if d, ok := e.Body.(event.Decided); ok {
				decided = d
			}
			if e.Body.Type() == "ended" {
				break
			}
		}
		if decided.Allow != allow || decided.By != map[bool]string{true: "owner", false: "stop"}[allow] {
			t.Errorf("%+v", decided)
		}
	}
	if waits, err := client.IsAsking(t.Context(), "a", "x"); waits || err != nil {
		t.Error(waits, err)
	}
}

// Nobody who waits for what happens keeps the server from ending, and all are told.
func TestCloseEndsWhoWaits(t *testing.T) {
	asked := make(chan string, 1)
	h := open(t, storetest.NewMemory(time.Now), modelFunc(func(ctx context.Context, said string) (*llm.Reply, error) {
		asked <- said
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}))
	lines, _ := h.stream(t, "events?chat=a")
	answered := make(chan string)
	go func() {
		status, text := h.post(t, t.Context(), `{"session_id":"a","messages":[{"role":"user","content":"hello"}]}`)
		answered <- http.StatusText(status) + ": " + text
	}()
	<-asked
	gone := make(chan error)
	go func() {
		for _, err := range api.NewClient(h.path).Follow(t.Context(), "a", 1) {
			if err != nil {
				gone <- err
				return
			}
			gone <- nil // it follows
		}
	}()
	if _, err := h.Submit(t.Context(), session.Input{Chat: "a", ID: "2", Text: "more"}); err != nil || <-gone != nil {
		t.Fatal(err)
	}
	if err := h.server.Close(context.Background()); err != nil { // or the test never ends
		t.Error(err)
	}
	if text := <-answered; !strings.HasPrefix(text, `Service Unavailable: {"error":"hob is shutting down: what was handed in goes on at its next start"`) {
		t.Error(text)
	}
	for lines.Scan() {
		if strings.Contains(lines.Text(), "ended") {
			t.Error(lines.Text())
		}
	}
	if err := <-gone; !errors.Is(err, api.ErrGone) {
		t.Error(err)
	}
}

// swappedSessions are sessions that are exchanged while they serve.
type swappedSessions struct {
	local.Sessions
	now atomic.Pointer[session.Sessions]
}

func (s *swappedSessions) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return s.now.Load().Follow(ctx, chat, after)
}

// When sessions are exchanged, who follows sees all that happens, once.
func TestStreamsOutliveSessions(t *testing.T) {
	journal := storetest.NewMemory(time.Now)
	h := open(t, journal, llm.NewScript(llm.Say("good evening")))
	h.server.Close(t.Context())
	sw := &swappedSessions{}
	sw.now.Store(h.Sessions)
	h.config.Sessions = sw
	h.listen(t)
	lines, _ := h.stream(t, "events?chat=a")
	say := func(id string) {
		if _, err := sw.now.Load().Submit(t.Context(), session.Input{Chat: "a", ID: id, Text: "hello", Principal: event.Principal{Platform: "cli"}}); err != nil {
			t.Fatal(err)
		}
	}
	say("1")
	if got := types(t, lines); strings.Replace(got, " -delta", "", 1) != "1said 3replied 4ended" {
		t.Error(got)
	}
	h.Close()
	sw.now.Store(sessions(t, journal, llm.NewScript(llm.Say("good night"))))
	say("2")
	if got := types(t, lines); strings.Replace(got, " -delta", "", 1) != "5said 7replied 8ended" {
		t.Error(got)
	}
}
