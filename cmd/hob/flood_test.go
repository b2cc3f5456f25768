package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/telegramtest"
)

// TestFlood sends messages from many chats, in bursts, to a daemon that is killed at random again and again, over a Telegram
// that fails by chance: 10,000 from 50 chats and 100 kills with HOB_TEST_FLOOD=full, else 1,000 and 10. Every message is answered exactly once, or the copies say that they may be copies; in each chat the
// answers come in the order of the messages; and nothing but answers is left.
func TestFlood(t *testing.T) {
	chats, messages, kills := 20, 50, 10
	if os.Getenv("HOB_TEST_FLOOD") == "full" {
		chats, messages, kills = 50, 200, 100
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	server := telegramtest.New(telegramtest.Options{Chaos: floodFaults(seed), Keep: 100_000})
	base := httptest.NewServer(server)
	defer base.Close()
	model := newEchoOllama(t)
	h, log := floodHouse(t, model.URL, base.URL, server.Token(), chats), &bytes.Buffer{}
	var all []*telegramtest.Chat
	for n := range chats {
		all = append(all, server.Private(server.User(floodPerson(n), fmt.Sprint("p", n))))
	}

	var speakers sync.WaitGroup
	for n, chat := range all {
		speakers.Go(func() { speak(t, model, chat, n, messages, rand.New(rand.NewPCG(seed, uint64(n)))) })
	}
	random := rand.New(rand.NewPCG(seed, 1<<40))
	for n := range kills {
		model.idle()
		daemon := h.command("serve")
		daemon.Stdout, daemon.Stderr = log, log
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		if n%4 > 0 { // a turn that is cut short three times while nothing goes on anywhere is given up: not here
			model.awaitRequest(t)
		}
		killAfter(t, daemon, time.Duration(50+random.IntN(500))*time.Millisecond)
	}
	last := h.serve() // it may have nothing to do but to end, and that is heeded from here on
	speakers.Wait()
	server.Heal(nil)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	err := server.Wait(ctx, func() bool {
		for n, chat := range all {
			if !strings.Contains(lastWords(chat), token(n, messages-1)) {
				return false
			}
		}
		return true
	})
	if err != nil {
		t.Errorf("not all is answered: %v", err)
	}
	last.stop()
	copies := 0
	for n, chat := range all {
		copies += inspectFlood(t, chat, n, messages)
	}
	t.Logf("%d messages, %d kills, %d replies came again and say so, faults %v", chats*messages, kills, copies, server.Faults())
	if t.Failed() {
		text := log.String() + last.said()
		t.Log(text[max(0, len(text)-8000):])
	}
}

// floodFaults is what fails by chance.
func floodFaults(seed uint64) *telegramtest.Chaos {
	rate := func(p float64, f telegramtest.Fault) telegramtest.Rate { return telegramtest.Rate{Fault: f, P: p} }
	return &telegramtest.Chaos{Seed: seed, Rates: []telegramtest.Rate{
		rate(0.01, telegramtest.Fault{Kind: telegramtest.DropBefore}),
		rate(0.01, telegramtest.Fault{Kind: telegramtest.DropAfter}),
		rate(0.005, telegramtest.Fault{Kind: telegramtest.BadGateway}),
		rate(0.005, telegramtest.Fault{Kind: telegramtest.BadGatewayAfter}),
		rate(0.005, telegramtest.Fault{Kind: telegramtest.Half}),
		rate(0.005, telegramtest.Fault{Kind: telegramtest.TooMany, RetryAfter: time.Second}),
		rate(0.05, telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Duplicates}),
		rate(0.001, telegramtest.Fault{Method: "getUpdates", Kind: telegramtest.Conflict}),
	}}
}

func floodPerson(n int) int64 { return int64(1000 + n) }

// token is the word by which a message is known again in its answer.
func token(chat, n int) string { return fmt.Sprintf("q%d-%d.", chat, n) }

var tokens = regexp.MustCompile(`q\d+-\d+\.`)

// speak says all messages of a chat, in bursts; each burst begins when the model has read the one before.
func speak(t *testing.T, model *echoOllama, chat *telegramtest.Chat, n, messages int, random *rand.Rand) {
	person := &telegramtest.User{ID: floodPerson(n), Name: fmt.Sprint("p", n)}
	for said := 0; said < messages; {
		for range min(1+random.IntN(15), messages-said) {
			chat.Say(person, "please "+token(n, said))
			said++
		}
		select {
		case <-model.read(token(n, said-1)):
		case <-t.Context().Done():
			return
		case <-time.After(4 * time.Minute):
			t.Errorf("chat %d: nobody has read %s", n, token(n, said-1))
			return
		}
	}
}

func lastWords(chat *telegramtest.Chat) string {
	all := chat.FromBot()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Text
}

// inspectFlood looks at what a person sees at the end, and returns how many replies are copies that say so.
func inspectFlood(t *testing.T, chat *telegramtest.Chat, n, messages int) (copies int) {
	t.Helper()
	seen, next := map[string]int{}, 0
	for _, m := range chat.FromBot() {
		found := tokens.FindAllString(m.Text, -1)
		if len(found) == 0 {
			t.Errorf("chat %d: something is left that is no answer: %q", n, m.Text)
			continue
		}
		again := strings.Contains(m.Text, "sent again")
		if again && seen[found[0]] > 0 {
			copies++
			continue
		}
		for _, f := range found {
			if seen[f]++; seen[f] > 1 {
				t.Errorf("chat %d: %s is answered twice, and the second answer does not say so: %q", n, f, m.Text)
			}
			if f != token(n, next) {
				t.Errorf("chat %d: %s is answered where %s is next", n, f, token(n, next))
			}
			next++
		}
	}
	if next != messages {
		t.Errorf("chat %d: %d of %d messages are answered", n, next, messages)
	}
	return copies
}

// echoOllama answers with the tokens that were said since its last answer.
type echoOllama struct {
	*httptest.Server
	asked chan struct{} // holds one: something was asked
	mu    sync.Mutex
	seen  map[string]chan struct{} // closed once it was read
}

func newEchoOllama(t *testing.T) *echoOllama {
	e := &echoOllama{asked: make(chan struct{}, 1), seen: map[string]chan struct{}{}}
	plain := newFakeOllama(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/api/chat", e.chat)
	mux.Handle("/", plain.Config.Handler)
	e.Server = httptest.NewServer(mux)
	t.Cleanup(e.Close)
	return e
}

// read returns a channel that is closed once the token was read.
func (e *echoOllama) read(token string) chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen[token] == nil {
		e.seen[token] = make(chan struct{})
	}
	return e.seen[token]
}

// idle forgets that something was asked.
func (e *echoOllama) idle() {
	select {
	case <-e.asked:
	default:
	}
}

// awaitRequest waits until something is asked, or all was said.
func (e *echoOllama) awaitRequest(t *testing.T) {
	select {
	case <-e.asked:
	case <-time.After(10 * time.Second): // all may be answered by now
	case <-t.Context().Done():
	}
}

func (e *echoOllama) chat(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct{ Role, Content string }
		Tools    []json.RawMessage
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &req) != nil {
		return
	}
	if len(req.Tools) == 0 { // it is asked for a summary
		say(w, "They talked.")
		return
	}
	select {
	case e.asked <- struct{}{}:
	default:
	}
	var found []string
	for _, m := range req.Messages {
		switch m.Role {
		case "assistant":
			found = nil
		case "user":
			found = append(found, tokens.FindAllString(m.Content, -1)...)
		}
	}
	say(w, "Yes: "+strings.Join(found, " "))
	for _, f := range found {
		c := e.read(f)
		e.mu.Lock()
		select {
		case <-c:
		default:
			close(c)
		}
		e.mu.Unlock()
	}
}

// floodHouse is a house whose daemons talk to people on Telegram, who may do everything.
func floodHouse(t *testing.T, ollama, api, token string, people int) *house {
	t.Helper()
	h := newHouse(t, ollama)
	file := filepath.Join(h.state, "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\ntoken_file = %q\napi_base = %q\n[policy]\nturns_per_minute = 10000\n", file, api))
	h.look(func(db *store.DB) {
		for n := range people {
			p := event.Person{Platform: telegram.Platform, ID: floodPerson(n), Level: event.Owner}
			if _, err := db.AllowPerson(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	})
	return h
}

// killAfter kills a daemon after a while. One that has ended by itself is a failure.
func killAfter(t *testing.T, daemon *exec.Cmd, after time.Duration) {
	t.Helper()
	timer := time.AfterFunc(after, func() { _ = daemon.Process.Kill() })
	defer timer.Stop()
	if err := daemon.Wait(); err == nil || daemon.ProcessState.ExitCode() >= 0 {
		t.Fatalf("it ended by itself: %v\n%s", err, daemon.Stderr)
	}
}
