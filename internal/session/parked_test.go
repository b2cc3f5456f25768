package session_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/llm/window"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// plant is a model whose server can go away, behind a queue as in a real hob. It answers with how
// often it was asked.
type plant struct {
	mu     sync.Mutex // guards all
	down   bool
	fails  *llm.Error    // what it says then; nil: nothing listens there
	takes  time.Duration // for a reply
	cut    bool          // replies break off in the middle
	asked  int
	newest llm.Request
	back   chan struct{} // closed when it is there again
}

func newPlant() *plant { return &plant{takes: time.Second, back: make(chan struct{})} }

// with runs do, which reads or changes what mu guards.
func (p *plant) with(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
}

func (p *plant) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	var takes time.Duration
	p.with(func() {
		p.asked++
		p.newest, takes = req, p.takes
	})
	select {
	case <-time.After(takes / 2):
	case <-ctx.Done():
		return nil, &llm.Error{Kind: llm.Cancelled, Message: "stopped", Err: context.Cause(ctx)}
	}
	var cut, down bool
	var fails *llm.Error
	p.with(func() { cut, down, fails, takes = p.cut, p.down, p.fails, p.takes })
	switch {
	case cut:
		onDelta(llm.Delta{Text: "half of"})
		return nil, &llm.Error{Kind: llm.Incomplete, Message: "it broke off", Retry: true}
	case down && fails != nil:
		return nil, fails
	case down:
		return nil, &llm.Error{Kind: llm.Unreachable, Message: "nothing answers"}
	}
	<-time.After(takes / 2)
	return llm.Say(fmt.Sprintf("answer to %s", last(req)))(ctx, req, onDelta)
}

// last is the first line of the last words of a request.
func last(req llm.Request) string {
	line, _, _ := strings.Cut(llm.Words(req.Messages[len(req.Messages)-1].Text), "\n")
	return line
}

// rise has the server be there again.
func (p *plant) rise() {
	p.with(func() {
		p.down, p.cut = false, false
		close(p.back)
		p.back = make(chan struct{})
	})
}

// server is how sessions know of it. patience is that of this process.
func (p *plant) server(answered bool, patience time.Duration) session.Server {
	return session.Server{
		Answered: func(context.Context) bool { return answered },
		Patience: func(*llm.Error, bool) time.Duration { return patience },
		Back: func(ctx context.Context) error {
			for {
				var down bool
				var back chan struct{}
				p.with(func() { down, back = p.down, p.back })
				if !down {
					return nil
				}
				select {
				case <-back:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
		},
	}
}

const day = 24 * time.Hour

// planted is a house whose model is a plant.
func planted(t *testing.T, journal session.Journal, p *plant, server session.Server, more ...tools.Tool) *house {
	h := &house{t: t, journal: journal, did: map[string]int{}}
	h.Sessions = session.New(t.Context(), session.Config{
		Journal: journal, Model: queue.New(p),
		Toolset: session.PlainToolset(append(h.tools(), more...)...), Now: h.now,
		Log: slog.New(slog.DiscardHandler), Policy: inForce, Random: rand.Reader, Server: server,
		Yield: 2 * time.Second, Chores: unmodelled(h.did),
		Settings: func(context.Context) session.Settings {
			return session.Settings{
				Budget:  agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
				Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 8192, Reserve: 500},
			}
		},
		Budget: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
	})
	t.Cleanup(h.Close)
	return h
}

// say hands in words for a chat.
func (h *house) say(chat event.Chat, id, text string) int64 {
	h.t.Helper()
	seq, err := h.Submit(h.t.Context(), session.Input{Chat: chat, ID: id, From: "ana", Text: text, Principal: owner,
		Command: strings.HasPrefix(text, "/")})
	if err != nil {
		h.t.Fatal(err)
	}
	return seq
}

// all are the events of a chat.
func (h *house) all(chat event.Chat) (all []event.Event) {
	h.t.Helper()
	for e, err := range h.journal.Chat(h.t.Context(), chat, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// replies are those of a chat, by turn, with how the turns ended.
func (h *house) replies(chat event.Chat) map[int64]string {
	all := map[int64]string{}
	for _, e := range h.all(chat) {
		switch b := e.Body.(type) {
		case event.Replied:
			all[e.Turn] = b.Text
		case event.Ended:
			all[e.Turn] += " (" + string(b.Reason) + ")"
		}
	}
	return all
}

// toldOfWait counts what a chat was told of the wait.
func (h *house) toldOfWait(chat event.Chat) (n int) {
	for _, e := range h.all(chat) {
		if b, ok := e.Body.(event.Parked); ok && b.Text != "" {
			n++
		}
	}
	return n
}

func (h *house) parked(chat event.Chat) string {
	h.t.Helper()
	all, err := h.Parked(h.t.Context(), chat)
	if err != nil {
		h.t.Fatal(err)
	}
	var words []string
	for _, p := range all {
		words = append(words, fmt.Sprintf("%d %s", p.ID, p.Reason))
	}
	return strings.Join(words, ", ")
}

// Who cannot mend the model's server reads that the model is away, and not how it is reached and started.
func TestAWaitOfWhoCannotMendTheServer(t *testing.T) {
	const plain = "The model is away: I go on when it is back, and /stop ends it."
	for name, c := range map[string]struct {
		of    event.Principal
		plain bool
	}{
		"an admin":          {event.Principal{Platform: "telegram", Scope: "private", Level: event.BotAdmin}, false},
		"one of the house":  {event.Principal{Platform: "telegram", Scope: "private", Level: event.User}, true},
		"an owner in group": {event.Principal{Platform: "telegram", Scope: "group", Level: event.Owner}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlant()
				p.with(func() { p.down = true })
				h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
				if _, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "1", From: "bo", Text: "hello", Principal: c.of}); err != nil {
					t.Fatal(err)
				}
				pass(20 * time.Second)
				if parked := of[event.Parked](h.everything()); len(parked) != 1 || (parked[0].Text == plain) != c.plain {
					t.Errorf("it says %+v", parked)
				}
				p.rise()
				pass(10 * time.Minute)
			})
		})
	}
}

// A turn whose model is away for a while waits, in whichever way it is away, is told once, and is
// answered when it is back.
func TestATurnWaitsForTheModel(t *testing.T) {
	for name, fails := range map[string]*llm.Error{
		"refused": nil,
		"busy":    {Kind: llm.Busy, Message: "too many requests"},
		"silent":  {Kind: llm.Silent, Message: "nothing came"},
		"died":    {Kind: llm.Failed, Message: "the runner died", Retry: true},
		"dropped": {Kind: llm.Incomplete, Message: "it broke off", Retry: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlant()
				p.with(func() { p.down, p.fails = true, fails })
				h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
				seq := h.say("main", "1", "hello")
				pass(20 * time.Second)
				if got := h.parked("main"); got != "1 model" {
					t.Fatalf("parked: %q", got)
				}
				parked := of[event.Parked](h.everything())
				if want := "The model is away: I go on when it is back, and /stop ends it (" + parked[0].Problem + ")."; parked[0].Text != want {
					t.Errorf("it says %q, want %q", parked[0].Text, want)
				}
				if busy, err := h.IsBusy(t.Context(), "main"); busy || err != nil {
					t.Errorf("it is busy while it waits (%v)", err)
				}
				p.rise()
				pass(10 * time.Minute)
				if got := h.replies("main")[seq]; got != "answer to hello (done)" {
					t.Errorf("reply %q", got)
				}
				if n := h.toldOfWait("main"); n != 1 {
					t.Errorf("told %d times", n)
				}
				if n := len(h.all("main")); n > 40 {
					t.Errorf("%d events", n)
				}
			})
		})
	}
}

// A model that never answered under this configuration is not waited for.
func TestNobodyWaitsForAModelThatNeverAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.down = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(false, day))
		seq := h.say("main", "1", "hello")
		pass(5 * time.Second)
		if got := h.replies("main")[seq]; got != "nothing answers (model)" {
			t.Errorf("reply %q", got)
		}
	})
}

// Whoever comes to a chat whose turn waits behind others is told so, though the journal does not
// say it.
func TestWhoComesLaterIsToldOfTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
		h.say("other", "1", "hello")
		pass(time.Millisecond)
		seq := h.say("main", "1", "hello")
		pass(100 * time.Millisecond)
		var got []string
		for e, err := range h.Follow(t.Context(), "main", seq) {
			if err != nil {
				t.Fatal(err)
			}
			if w, ok := e.Body.(event.Waiting); ok && w.Ahead == 1 && e.Seq == 0 {
				got = append(got, "waiting")
			} else if _, delta := e.Body.(event.Delta); !delta {
				got = append(got, e.Body.Type())
			}
			if _, over := e.Body.(event.Ended); over {
				break
			}
		}
		if want := "waiting requested generated replied ended"; strings.Join(got, " ") != want {
			t.Errorf("it is told %v, want %s", got, want)
		}
		for e := range h.Follow(t.Context(), "main", seq) {
			if e.Seq == 0 {
				t.Errorf("afterwards it is told %v", e.Body)
			}
			if _, over := e.Body.(event.Ended); over {
				break
			}
		}
	})
}

// While a turn waits commands and chores are done at once, and what else is said joins it.
func TestCommandsDoNotWaitForTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, did := newPlant(), map[string]int{}
		p.with(func() { p.down = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day), choreTools(did)...)
		first := h.say("main", "1", "hello")
		pass(time.Minute)
		more := h.say("main", "2", "and more")
		command := h.say("main", "3", "/look path=a")
		pass(time.Second)
		if got := h.replies("main")[command]; !strings.Contains(got, "look a") || !strings.Contains(got, "(done)") {
			t.Errorf("the command was answered with %q", got)
		}
		chore := h.typed("main", "4", "make a file a.txt with the text hello", owner)
		pass(time.Second)
		if got := h.replies("main")[chore]; did["write_file a.txt"] != 1 || !strings.Contains(got, "(done)") {
			t.Errorf("the chore was answered with %q, did %v", got, did)
		}
		p.rise()
		pass(time.Minute)
		replies := h.replies("main")
		if got := replies[first]; got != "answer to and more (done)" {
			t.Errorf("reply %q", got)
		}
		if _, own := replies[more]; own {
			t.Error("what was said meanwhile has a turn of its own")
		}
		p.with(func() { legal(t, []llm.Request{p.newest}) })
		if n := len(h.all("main")); h.did["look a"] != 1 || n > 30 {
			t.Errorf("did %v, %d events", h.did, n)
		}
	})
}

// What follows a chore that was done while a turn waits is done at once, too.
func TestWhatFollowsAChoreDoesNotWaitForTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, did := newPlant(), map[string]int{}
		p.with(func() { p.down = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day), choreTools(did)...)
		first := h.say("main", "1", "hello")
		pass(time.Minute)
		h.typed("main", "2", "take milk off the shopping list", owner)
		pass(time.Second)
		follows := h.typed("main", "3", "and eggs too", owner)
		pass(time.Second)
		if got := h.replies("main")[follows]; did["list_remove shopping"] != 2 || !strings.Contains(got, "(done)") {
			t.Errorf("what followed the chore was answered with %q, did %v", got, did)
		}
		other := h.typed("main", "4", "and what is the meaning of it", owner)
		p.rise()
		pass(time.Minute)
		if replies := h.replies("main"); replies[first] != "answer to and what is the meaning of it (done)" || replies[other] != "" {
			t.Errorf("replies %v", replies)
		}
	})
}

// A wait survives the process, whichever way it ends, in the order of the chat.
func TestAWaitSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.down = true })
		memory := storetest.NewMemory(time.Now)
		h := planted(t, memory, p, p.server(true, day))
		first := h.say("main", "1", "hello")
		pass(time.Minute)
		h.say("main", "2", "and more")
		for range 60 { // more often than any count of crashes
			h.Close()
			h = planted(t, memory, p, p.server(true, 0)) // a short command does not give up what others have left
			if _, err := h.IsBusy(t.Context(), "main"); err != nil {
				t.Fatal(err)
			}
			pass(time.Minute)
		}
		if got := h.parked("main"); got != "1 model" {
			t.Fatalf("parked: %q", got)
		}
		p.rise()
		pass(time.Minute)
		if got := h.replies("main")[first]; got != "answer to and more (done)" {
			t.Errorf("reply %q", got)
		}
	})
}

// A stop ends a turn that waits, also when the model is still away.
func TestAStopEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.down = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
		seq := h.say("main", "1", "hello")
		pass(time.Minute)
		if ran, err := h.Stop(t.Context(), "main"); !ran || err != nil {
			t.Fatalf("stop: %v %v", ran, err)
		}
		pass(time.Second)
		if got := h.replies("main")[seq]; got != "Stopped. (stopped)" {
			t.Errorf("reply %q", got)
		}
		h.say("main", "2", "again")
		pass(time.Minute)
		if ran, err := h.Halt(t.Context(), "main"); !ran || err != nil {
			t.Fatalf("halt: %v %v", ran, err)
		}
		h.say("main", "3", "anew")
		pass(time.Minute)
		if err := h.Reset(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		if got := h.parked("main"); got != "" {
			t.Errorf("parked: %q", got)
		}
	})
}

// After a day a turn is parked: the chat goes on without it, and it is answered when somebody says so.
func TestATurnWaitsForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.down = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
		seq := h.say("main", "1", "hello")
		pass(25 * time.Hour)
		if got := h.parked("main"); got != "1 time" {
			t.Fatalf("parked: %q", got)
		}
		if n := h.toldOfWait("main"); n != 2 {
			t.Errorf("told %d times", n)
		}
		p.rise()
		next := h.say("main", "2", "new")
		pass(time.Minute)
		if got := h.replies("main")[next]; got != "answer to new (done)" {
			t.Errorf("reply %q", got)
		}
		if err := h.Retry(t.Context(), "main", seq); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		if got := h.replies("main")[seq]; got != "answer to hello (done)" {
			t.Errorf("reply %q", got)
		}
		if err := h.Retry(t.Context(), "main", seq); err == nil {
			t.Error("it can be tried again though it was answered")
		}
	})
}

// A process with little patience ends its own turn, with the model's words, when it is over.
func TestPatienceEnds(t *testing.T) {
	for _, patience := range []time.Duration{0, 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlant()
			p.with(func() { p.down = true })
			h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, patience))
			seq := h.say("main", "1", "hello")
			pass(patience + 5*time.Second)
			if got := h.replies("main")[seq]; got != "nothing answers (model)" {
				t.Errorf("reply %q", got)
			}
		})
	}
}

// Whoever does not want to wait parks the turn; it goes on when they say so, and what it had done
// is not done again.
func TestAPersonParksATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.down = true })
		memory := storetest.NewMemory(time.Now)
		h := planted(t, memory, p, p.server(true, day))
		seq := h.say("main", "1", "hello")
		pass(time.Minute)
		parked, err := h.Park(t.Context(), "main")
		if err != nil || parked == nil || parked.ID != seq {
			t.Fatalf("park: %+v %v", parked, err)
		}
		if again, err := h.Park(t.Context(), "main"); again != nil || err != nil {
			t.Errorf("it is parked twice: %+v %v", again, err)
		}
		p.rise()
		pass(time.Hour)
		h.Close()
		h = planted(t, memory, p, p.server(true, day))
		if got := h.parked("main"); got != "1 person" {
			t.Fatalf("parked: %q", got)
		}
		if err := h.Retry(t.Context(), "main", seq); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		if got := h.replies("main")[seq]; got != "answer to hello (done)" {
			t.Errorf("reply %q", got)
		}
	})
}

// A turn that ends the model's server each time it is asked is parked in the end, and no other for it.
func TestATurnThatEndsTheServerIsParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.cut = true })
		h := planted(t, storetest.NewMemory(time.Now), p, p.server(true, day))
		h.say("main", "1", "hello")
		pass(2 * time.Hour)
		asked := 0
		p.with(func() { asked = p.asked })
		if got := h.parked("main"); got != "1 crash" || asked > 40 {
			t.Errorf("parked: %q, asked %d times", got, asked)
		}
	})
}

// Ten chats wait for a model that takes four seconds, and hob is killed four times before it has
// answered once: nobody is given up, and all are answered afterwards.
func TestQuickDeathsGiveUpNobody(t *testing.T) {
	for _, kills := range []int{4, 12, 30, 70} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlant()
			p.with(func() { p.takes = 4 * time.Second })
			memory := storetest.NewMemory(time.Now)
			chat := func(i int) event.Chat { return event.Chat(fmt.Sprintf("chat-%d", i)) }
			var seqs []int64
			for kill := range kills {
				journal := &mortal{Journal: memory}
				h := planted(t, journal, p, p.server(true, day))
				for i := range 10 {
					if kill == 0 {
						seqs = append(seqs, h.say(chat(i), "1", "hello"))
					} else if _, err := h.IsBusy(t.Context(), chat(i)); err != nil {
						t.Fatal(err)
					}
				}
				pass(1500 * time.Millisecond)
				journal.dead.Store(true)
				h.Close()
			}
			h := planted(t, memory, p, p.server(true, day))
			for i := range 10 {
				if _, err := h.IsBusy(t.Context(), chat(i)); err != nil {
					t.Fatal(err)
				}
			}
			pass(2 * time.Minute)
			for i, seq := range seqs {
				if got := h.replies(chat(i))[seq]; got != "answer to hello (done)" {
					t.Errorf("%d kills: %s has %q, parked %q", kills, chat(i), got, h.parked(chat(i)))
				}
			}
		})
	}
}

// mortal is a journal whose process dies.
type mortal struct {
	session.Journal
	dead atomic.Bool
}

func (m *mortal) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	if m.dead.Load() {
		return nil, context.Canceled
	}
	return m.Journal.Append(ctx, entries...)
}

// The one turn that has the model each time the process dies is parked; others go on.
func TestATurnThatEndsTheProcessIsParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlant()
		p.with(func() { p.takes = 10 * time.Minute })
		memory := storetest.NewMemory(time.Now)
		for range 4 {
			journal := &mortal{Journal: memory}
			h := planted(t, journal, p, p.server(true, day))
			h.say("main", "1", "hello")
			pass(time.Minute / 2)
			journal.dead.Store(true)
			h.Close()
		}
		p.with(func() { p.takes = time.Second })
		h := planted(t, memory, p, p.server(true, day))
		next := h.say("main", "2", "new")
		pass(time.Minute)
		if got := h.parked("main"); got != "1 crash" {
			t.Fatalf("parked: %q", got)
		}
		if got := h.replies("main")[next]; got != "answer to new (done)" {
			t.Errorf("reply %q", got)
		}
		if err := h.Retry(t.Context(), "main", 1); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		if got := h.replies("main")[1]; got != "answer to hello (done)" {
			t.Errorf("reply %q", got)
		}
		p.with(func() { legal(t, []llm.Request{p.newest}) })
	})
}

// The journal and the chat report the same parked turns: since when the model is away, or since when a turn is parked.
func TestParkedInTheJournalAndTheChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, memory := newPlant(), storetest.NewMemory(time.Now)
		server := p.server(true, day)
		server.Back = func(context.Context) error { return nil } // it is there, and does not answer
		h := planted(t, memory, p, server)
		p.with(func() { p.down, p.fails = true, &llm.Error{Kind: llm.Busy, Message: "it loads"} })
		seq := h.say("main", "1", "hello")
		pass(time.Minute)
		want := []event.ParkedTurn{{
			Chat: "main", ID: seq, Text: "hello", Since: time.Date(2000, 1, 1, 0, 0, 0, 5e8, time.UTC), Reason: event.ParkedForModel,
			Kind: llm.Busy, Problem: "it loads",
		}}
		check := func(when string) {
			t.Helper()
			inChat, err := h.Parked(t.Context(), "main")
			if err != nil {
				t.Fatal(err)
			}
			inJournal, err := session.ParkedIn(t.Context(), memory, "main", []int64{seq})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, inChat); diff != "" {
				t.Errorf("%s, the chat (-want +got)\n%s", when, diff)
			}
			if diff := cmp.Diff(want, inJournal); diff != "" {
				t.Errorf("%s, the journal (-want +got)\n%s", when, diff)
			}
		}
		check("at first")
		pass(time.Hour)
		check("after an hour of tries")
		if _, err := h.Park(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		want[0].Since, want[0].Reason = time.Now().UTC(), event.ParkedByPerson
		pass(time.Hour)
		check("parked by its person")
	})
}
