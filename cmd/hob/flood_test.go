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
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// TestFlood sends messages from many chats, in bursts, to a daemon that is killed at random again and again, over a Telegram
// that fails by chance: 10,000 from 50 chats and 100 kills with HOB_TEST_FULL, else 1,000 and 10. Every message is answered exactly
// once, or the copies say that they may be copies; in each chat the answers come in the order of the messages; and nothing but
// answers is left.
func TestFlood(t *testing.T) {
	notShort(t)
	chats, messages, kills := 20, 50, 10
	if os.Getenv("HOB_TEST_FULL") != "" {
		chats, messages, kills = 50, 200, 100
	}
	seed := testSeed(t)
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
		model.forget()
		next := model.count() + random.IntN(40)
		daemon := h.command("serve")
		daemon.Stdout, daemon.Stderr = log, log
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		if n%4 > 0 { // a turn that is cut short three times while nothing goes on anywhere is given up: not here, however slow all is
			awaitAnswer(t, server, all, messages, model.asked)
		}
		h.until("the model is asked", func() bool { return model.count() >= next || allAnswered(all, messages) })
		killDaemon(t, daemon)
	}
	last := h.serve() // it may have nothing to do but to end, and that is heeded from here on
	speakers.Wait()
	server.Heal(nil)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := server.Wait(ctx, func() bool { return allAnswered(all, messages) }); err != nil {
		t.Errorf("not all is answered: %v", err)
	}
	last.stop()
	copies := 0
	for n, chat := range all {
		copies += inspectFlood(t, chat, n, messages)
		if len(answers(chat)) < len(chat.FromBot()) && server.Faults()[telegramtest.Conflict] < 2 {
			t.Errorf("chat %d: there is an alarm, and nobody else has asked for the messages twice", n)
		}
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
		case <-time.After(patience):
			t.Errorf("chat %d: nobody has read %s", n, token(n, said-1))
			return
		}
	}
}

// awaitAnswer waits until an answer to something that was asked lately stands in a chat, or all is answered.
func awaitAnswer(t *testing.T, server *telegramtest.Server, all []*telegramtest.Chat, messages int, lately func([]string) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := server.Wait(ctx, func() bool {
		return allAnswered(all, messages) || slices.ContainsFunc(all, func(chat *telegramtest.Chat) bool {
			return lately(tokens.FindAllString(lastWords(chat), -1))
		})
	})
	if err != nil {
		t.Errorf("nothing is answered: %v", err)
	}
}

// allAnswered reports whether the last message of each chat is answered.
func allAnswered(all []*telegramtest.Chat, messages int) bool {
	for n, chat := range all {
		if !strings.Contains(lastWords(chat), token(n, messages-1)) {
			return false
		}
	}
	return true
}

// alarm is what owners are told of two conflicts within two minutes, which chance may have.
const alarm = "Another program asks for this bot's messages"

// away is what people are told whose answer waits for the model.
const away = "I go on when it is back"

// answers is what a person sees of the bot, alarms and what is told of a model that is away aside.
func answers(chat *telegramtest.Chat) []telegramtest.Message {
	return slices.DeleteFunc(chat.FromBot(), func(m telegramtest.Message) bool {
		return strings.HasPrefix(m.Text, alarm) || strings.Contains(m.Text, away)
	})
}

func lastWords(chat *telegramtest.Chat) string {
	all := answers(chat)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Text
}

// inspectFlood looks at what a person sees at the end, and returns how many replies are copies that say so.
func inspectFlood(t *testing.T, chat *telegramtest.Chat, n, messages int) (copies int) {
	t.Helper()
	seen, next := map[string]int{}, 0
	for _, m := range answers(chat) {
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
	mu   sync.Mutex
	seen map[string]chan struct{} // closed once it was read
	told map[string]bool          // what was read lately
	n    int                      // requests so far
}

func newEchoOllama(t *testing.T) *echoOllama {
	e := &echoOllama{seen: map[string]chan struct{}{}, told: map[string]bool{}}
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

// count is how many requests there were.
func (e *echoOllama) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.n
}

// forget forgets what was asked.
func (e *echoOllama) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.told)
}

// asked reports whether one of these tokens was asked since forget.
func (e *echoOllama) asked(found []string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(found, func(f string) bool { return e.told[f] })
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
	var found []string
	for _, m := range req.Messages {
		switch m.Role {
		case "assistant":
			found = nil
		case "user":
			found = append(found, tokens.FindAllString(m.Content, -1)...)
		}
	}
	e.mu.Lock()
	e.n++
	for _, f := range found {
		e.told[f] = true
	}
	e.mu.Unlock()
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
			p := event.Person{Platform: chat.Platform, ID: floodPerson(n), Level: event.Owner}
			if _, err := db.People().AllowPerson(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	})
	return h
}

// killDaemon kills a daemon. One that has ended by itself is a failure.
func killDaemon(t *testing.T, daemon *exec.Cmd) {
	t.Helper()
	_ = daemon.Process.Kill()
	if err := daemon.Wait(); err == nil || daemon.ProcessState.ExitCode() >= 0 {
		t.Fatalf("it ended by itself: %v\n%s", err, daemon.Stderr)
	}
}
