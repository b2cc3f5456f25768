package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// submitAs hands in what somebody says.
func (h *house) submitAs(id, from, text string) int64 {
	h.t.Helper()
	seq, err := h.Submit(h.t.Context(), session.Input{Chat: "main", ID: id, From: from, Text: text, Principal: owner})
	if err != nil {
		h.t.Fatal(err)
	}
	return seq
}

// summary returns the roles and first lines of the messages of a request.
func summary(r llm.Request) (all []string) {
	for _, m := range r.Messages {
		words, _, _ := strings.Cut(llm.Words(m.Text), "\n")
		all = append(all, strings.TrimSpace(string(m.Role)+" "+words))
	}
	return all
}

// What the same person says while a turn runs is told between two steps, the turn answers it, and
// it begins none of its own.
func TestWhatIsSaidMeanwhileJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		var second int64
		script := llm.NewScript(
			func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				second = h.submit("2", "and b")
				return llm.Do(call(1, "look", "a"))(ctx, r, d)
			}, llm.Say("both seen"))
		memory := storetest.NewMemory(time.Now)
		h = open(t, memory, script)
		first := h.submit("1", "look at a")
		if got := types(h.watch(first, false)); !strings.HasPrefix(got, "said generated called returned joined") {
			t.Errorf("the turn is %s", got)
		}
		if got := types(h.watch(second, false)); got != "said joined generated replied ended" {
			t.Errorf("who waits for the second message sees %s", got)
		}
		if diff := cmp.Diff([]string{"user look at a", "assistant", "tool look a", "user and b"}, summary(script.Requests()[1])); diff != "" {
			t.Error(diff)
		}
		if n := ends(t, memory); n != 1 {
			t.Errorf("%d turns have ended", n)
		}
	})
}

// ends counts the turns that have ended.
func ends(t *testing.T, journal session.Journal) (n int) {
	for e, err := range journal.Chat(t.Context(), "main", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, over := e.Body.(event.Ended); over {
			n++
		}
	}
	return n
}

// Fifteen messages during one slow reply cost two turns.
func TestABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{})
		script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			<-busy
			return llm.Say("first")(ctx, r, d)
		}, llm.Say("all"))
		memory := storetest.NewMemory(time.Now)
		h := open(t, memory, script)
		var last int64
		for i := range 15 {
			last = h.submit(fmt.Sprint(i), fmt.Sprintf("message %d", i))
			synctest.Wait()
		}
		close(busy)
		h.watch(last, false)
		if n := ends(t, memory); n != 2 {
			t.Errorf("%d turns", n)
		}
		if all := fmt.Sprint(summary(script.Requests()[1])); strings.Count(all, "message ") != 15 {
			t.Errorf("the model was told %s", all)
		}
	})
}

// Rights do not mix, and nobody is overtaken.
func TestOthersWaitForTheirOwnTurn(t *testing.T) {
	guest := event.Principal{Platform: "cli", Scope: "private", Level: event.User}
	type input struct {
		from string
		as   event.Principal
	}
	for name, c := range map[string]struct {
		said []input
		want int // turns
	}{
		"the same person":             {[]input{{"ana", owner}, {"ana", owner}}, 1},
		"somebody else":               {[]input{{"bo", owner}}, 2},
		"with other rights":           {[]input{{"ana", guest}}, 2},
		"behind somebody else":        {[]input{{"bo", owner}, {"ana", owner}}, 3},
		"before and behind":           {[]input{{"ana", owner}, {"bo", owner}, {"ana", owner}}, 3},
		"somebody else, and they too": {[]input{{"bo", owner}, {"bo", owner}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var h *house
				var last int64
				memory := storetest.NewMemory(time.Now)
				h = open(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
					if len(r.Messages) > 1 {
						return llm.Say("well")(ctx, r, d)
					}
					for i, in := range c.said {
						seq, err := h.Submit(ctx,
							session.Input{Chat: "main", ID: fmt.Sprint("more", i), From: in.from, Text: "more",
								Principal: in.as})
						if err != nil {
							t.Error(err)
						}
						last = seq
					}
					return llm.Do(call(1, "look", "a"))(ctx, r, d)
				}))
				first := h.submit("1", "look at a")
				h.watch(first, false)
				h.watch(last, false)
				if n := ends(t, memory); n != c.want {
					t.Errorf("%d turns, want %d", n, c.want)
				}
			})
		})
	}
}

// A stop ends what runs; what waits is played, and does not join what was stopped.
func TestAStopTakesNothingWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		var second int64
		script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			second = h.submit("2", "and b")
			if _, err := h.Stop(t.Context(), "main"); err != nil {
				t.Error(err)
			}
			return llm.Do(call(1, "look", "a"))(context.WithoutCancel(ctx), r, d)
		}, llm.Say("b"))
		h = open(t, storetest.NewMemory(time.Now), script)
		bodies := h.watch(h.submit("1", "look at a"), false)
		if end := bodies[len(bodies)-1].(event.Ended); end.Reason != event.Stopped {
			t.Errorf("it ended with %+v", end)
		}
		bodies = h.watch(second, false)
		if reply := bodies[len(bodies)-2].(event.Replied); reply.Text != "b" {
			t.Errorf("what waited was answered with %+v", reply)
		}
	})
}

// Words that join bring their label along before anything else is done.
func TestJoinedWordsTaint(t *testing.T) {
	for _, forwarded := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			var h *house
			script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				in := session.Input{Chat: "main", ID: "2", From: "ana", Text: "go to https://b.example/?q=1",
					Principal: owner}
				if forwarded {
					in.Label = event.Label{Untrusted: true, Source: "forwarded"}
				}
				if _, err := h.Submit(ctx, in); err != nil {
					t.Error(err)
				}
				return llm.Do(plain(1, "diary"))(ctx, r, d)
			}, llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well"))
			h = openWith(t, storetest.NewMemory(time.Now), script, world(&did)...)
			want := []string{"", ""} // the owner named it
			if forwarded {
				want = []string{"", "rule-of-two"}
			}
			if diff := cmp.Diff(want, rules(h.watch(h.submit("1", "read my diary"), false))); diff != "" {
				t.Errorf("forwarded %t: %s", forwarded, diff)
			}
		})
	}
}

// What does not fit into the model's context beside what was said waits for a turn of its own.
func TestOnlyWhatFitsJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		long := strings.Repeat("many words ", 700)
		memory := storetest.NewMemory(time.Now)
		last := int64(0)
		h = open(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			if len(r.Messages) > 1 {
				return llm.Say("well")(ctx, r, d)
			}
			for i := range 4 {
				last = h.submit(fmt.Sprint("more", i), long)
			}
			return llm.Do(call(1, "look", "a"))(ctx, r, d)
		}))
		h.watch(h.submit("1", "look at a"), false)
		h.watch(last, false)
		if n := ends(t, memory); n < 3 {
			t.Errorf("8000 tokens of a context of 8192 were said to %d turns", n)
		}
	})
}

// chatty is modelOf, and while it replies people speak.
func chatty(requests *[]llm.Request, speak func(step int)) llm.Model {
	answers := modelOf(requests)
	return model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
		results := 0
		for _, m := range r.Messages {
			if m.Role == llm.ToolRole {
				results++
			}
		}
		speak(results)
		return answers.Chat(ctx, r, d)
	})
}

// Whatever event the crash comes after: everything said is answered by exactly one turn, nothing
// acts twice, the model reads a legal conversation, and a process that only reads the journal tells
// it the same as one that lived through it.
func TestCrashAfterEveryEventOfATurnThatIsJoined(t *testing.T) {
	for n := 1; ; n++ {
		crashed := false
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { crashed = crashJoined(t, n) })
		})
		if !crashed {
			if n < 20 {
				t.Errorf("all was over after %d events", n)
			}
			return
		}
	}
}

func crashJoined(t *testing.T, n int) (crashed bool) {
	memory := storetest.NewMemory(time.Now)
	var requests []llm.Request
	var first, second *house
	inputs := []session.Input{ // by the step in which they are said; the last is somebody else's
		{Chat: "main", ID: "1", From: "ana", Text: "go", Principal: owner}, {Chat: "main", ID: "2", From: "ana", Text: "more", Principal: owner},
		{Chat: "main", ID: "3", From: "ana", Text: "and more", Principal: owner}, {Chat: "main", ID: "4", From: "bo", Text: "me, too", Principal: owner},
	}
	speak := func(h **house) func(int) {
		return func(step int) {
			var said []session.Input
			switch step {
			case 0:
				said = inputs[1:2]
			case 2:
				said = inputs[2:]
			}
			for _, in := range said {
				_, _ = (*h).Submit(t.Context(), in) // whoever gets an error says it again
			}
		}
	}
	first = open(t, &crashing{memory, n}, chatty(&requests, speak(&first)))
	_, err := first.Submit(t.Context(), inputs[0])
	crashed = err != nil
	for e, err := range first.Follow(t.Context(), "main", 0) {
		if err != nil {
			crashed = true
			break
		}
		if q, ok := e.Body.(event.Asked); ok {
			_ = first.Decide(t.Context(), yes(q, true, "ana"))
		}
		if _, over := e.Body.(event.Ended); over && ends(t, memory) == 2 {
			break
		}
	}
	first.Close()

	second = open(t, memory, chatty(&requests, speak(&second)))
	for _, in := range inputs {
		seq, err := second.Submit(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		bodies := second.watch(seq, true)
		if end, ok := bodies[len(bodies)-1].(event.Ended); !ok || end.Reason != event.Done {
			t.Errorf("%q: the turn ended with %+v", in.Text, bodies[len(bodies)-1])
		}
	}
	for _, act := range []string{"write b", "run c"} {
		if times := first.did[act] + second.did[act]; times > 1 {
			t.Errorf("%s was done %d times", act, times)
		}
	}
	legal(t, requests)
	onceEach(t, memory)
	agree(t, memory, second, &requests)
	return crashed
}

// onceEach fails when something that was said is not answered by exactly one turn.
func onceEach(t *testing.T, journal session.Journal) {
	t.Helper()
	answers := map[int64]int{} // turns and joins, by Said
	ended := map[int64]int{}
	for e, err := range journal.Chat(t.Context(), "main", 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case event.Said:
			answers[e.Seq] += 0
		case event.Joined:
			answers[b.Said]++
		case event.Ended:
			ended[e.Turn]++
		}
	}
	for seq, joins := range answers {
		if joins+ended[seq] != 1 {
			t.Errorf("what was said at %d has joined %d turns and had %d", seq, joins, ended[seq])
		}
	}
}

// agree fails when a process that reads the journal tells the model something else than h, which
// wrote it.
func agree(t *testing.T, memory *storetest.Memory, h *house, requests *[]llm.Request) {
	t.Helper()
	copied := storetest.NewMemory(time.Now)
	for e, err := range memory.Chat(t.Context(), "main", 0) {
		turn := e.Turn
		if _, said := e.Body.(event.Said); said {
			turn = 0
		}
		if err == nil {
			_, err = copied.Append(t.Context(), store.Entry{Chat: e.Chat, Turn: turn, Body: e.Body})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	from, err := memory.Marked(t.Context(), "memory/main")
	if err != nil {
		t.Fatal(err)
	}
	if err := copied.Mark(t.Context(), "memory/main", from); err != nil {
		t.Fatal(err)
	}
	var read []llm.Request
	again := open(t, copied, modelOf(&read))
	again.watch(again.submit("last", "last"), false)
	h.watch(h.submit("last", "last"), false)
	lived := (*requests)[len(*requests)-1]
	if diff := cmp.Diff(lived.Messages, read[0].Messages); diff != "" {
		t.Errorf("a restart changes what the model is told (-lived +read):\n%s", diff)
	}
}

// The prompt only grows, whatever is said when, and a restart at any moment changes nothing of what
// the model has read.
func TestThePromptOnlyGrowsWhenPeopleSpeak(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		speaks := rapid.SliceOfN(rapid.IntRange(0, 2), 4, 4).Draw(r, "said in each reply")
		bo := rapid.IntRange(0, 5).Draw(r, "which of it bo says")
		steps := rapid.IntRange(1, 3).Draw(r, "steps of a turn")
		synctest.Test(t, func(t *testing.T) {
			var h *house
			var requests []llm.Request
			last, n := int64(0), 0
			memory := storetest.NewMemory(time.Now)
			h = open(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				requests = append(requests, r)
				if k := len(requests) - 1; k < len(speaks) {
					for range speaks[k] {
						from := "ana"
						if n++; n == bo {
							from = "bo"
						}
						last = h.submitAs(fmt.Sprint("more", n), from, fmt.Sprintf("more %d", n))
					}
				}
				if len(requests)%(steps+1) != 0 {
					return llm.Do(call(len(requests), "look", fmt.Sprint(len(requests))))(ctx, r, d)
				}
				return llm.Say("well")(ctx, r, d)
			}))
			first := h.submit("1", "begin")
			for busy := true; busy; busy, _ = h.IsBusy(t.Context(), "main") {
				synctest.Wait()
			}
			h.watch(max(first, last), false)
			before := "["
			for i, r := range requests {
				raw, err := json.Marshal(r.Messages)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(string(raw), before) {
					t.Errorf("request %d does not begin with the one before:\n%s\n%s", i+1, before, raw)
				}
				before = strings.TrimSuffix(string(raw), "]")
			}
			legal(t, requests)
			onceEach(t, memory)
		})
	})
}
