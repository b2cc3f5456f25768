package inbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// line is a network on which a server can be exchanged for another: what the old one has not answered breaks off.
type line struct {
	mu  sync.Mutex
	to  *telegramtest.Server
	off chan struct{} // closed when the server goes
}

func (l *line) put(to *telegramtest.Server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.off != nil {
		close(l.off)
	}
	l.to, l.off = to, make(chan struct{})
}

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	to, off := l.to, l.off
	l.mu.Unlock()
	ctx, cancel := context.WithCancel(r.Context())
	go func() {
		select {
		case <-off:
			cancel()
		case <-ctx.Done():
		}
	}()
	resp, err := to.Transport().RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = brokenOff{resp.Body, cancel}
	return resp, nil
}

// brokenOff is the body of an answer, which ends with the network.
type brokenOff struct {
	io.ReadCloser
	cancel func()
}

func (b brokenOff) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// anew exchanges the server for one that has lost its state, and where three things were said before hob reaches it.
func (b *bench) anew(l *line) {
	b.srv = telegramtest.New(telegramtest.Options{Token: testToken, FirstUpdate: 1})
	b.ada = b.srv.User(77, "Ada")
	b.her = b.srv.Private(b.ada)
	for range 3 {
		b.her.Say(b.ada, "hello")
	}
	l.put(b.srv)
}

// A server that has lost its state numbers from 1 again. All that is said then is heard, while hob runs and over its restarts, and
// also what is said in the same words; what the server tells twice is heard once.
func TestAServerThatNumbersAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		l := &line{}
		b := newBenchOn(t, mem, l)
		defer func() { b.end() }()
		for life := range 4 {
			sleep(3 * time.Minute)
			for range 7 {
				b.her.Say(b.ada, "hello")
				sleep(time.Second)
			}
			if got := b.got(); got != "[1 2 3 4 5 6 7 8 9 10]" {
				t.Errorf("life %d: delivered %s", life, got)
			}
			if life == 3 {
				break
			}
			if life%2 == 1 { // hob ends before the server
				b.settle(mem)
				b.end()
				b.anew(l)
				b.start(mem, l)
			} else {
				sleep(time.Duration(life) * 24 * time.Hour)
				b.anew(l)
			}
		}
	})
}

// settle notes all that came as done.
func (b *bench) settle(mem *storetest.Memory) {
	b.t.Helper()
	synctest.Wait()
	undone, err := mem.Undone(b.t.Context(), chat.Platform)
	for _, u := range undone {
		err = errors.Join(err, mem.SetUpdate(b.t.Context(), u.N, event.UpdateDone))
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// Another bot in the same place has numbers of its own, and the same update has the same input whenever it is handed in.
func TestUpdatesOfAnotherBot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := storetest.NewMemory(time.Now)
		raw := []byte(`{"update_id":5,"message":{"message_id":1,"from":{"id":77},"chat":{"id":77,"type":"private"},"text":"hello"}}`)
		for i, u := range []event.Update{
			{Platform: chat.Platform, Bot: 1, ID: 5, Raw: raw, State: event.UpdateNew},
			{Platform: chat.Platform, Bot: 2, ID: 5, Raw: raw, State: event.UpdateNew},
			{Platform: chat.Platform, Bot: 1, ID: 5, Raw: raw, State: event.UpdateNew},
		} {
			fresh, err := mem.Receive(t.Context(), []event.Update{u})
			if want := i < 2; err != nil || (len(fresh) == 1) != want {
				t.Errorf("%d: %v, %v", i, fresh, err)
			}
		}
		undone, err := mem.Undone(t.Context(), chat.Platform)
		if err != nil || len(undone) != 2 {
			t.Fatal(undone, err)
		}
		first, second := item{Update: undone[0]}.inputID(), item{Update: undone[1]}.inputID()
		if first == second || first != (item{Update: undone[0]}).inputID() {
			t.Errorf("the inputs are %s and %s", first, second)
		}
		if old := (item{Update: event.Update{ID: 5}}).inputID(); old != fmt.Sprint(5) {
			t.Errorf("one from before there were hashes is %s", old)
		}
	})
}
