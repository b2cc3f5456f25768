package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// world is tools whose results come from somewhere, and that reach somebody.
func world(h *map[string]int) []tools.Tool {
	did := func(what string) { (*h)[what]++ }
	type address struct {
		URL string `json:"url"`
	}
	aims := func(args json.RawMessage) []tools.Resource {
		var in address
		_ = json.Unmarshal(args, &in)
		u, err := url.Parse(in.URL)
		if err != nil {
			return nil
		}
		return []tools.Resource{{Host: u.Host, URL: in.URL}}
	}
	return []tools.Tool{
		tools.New(tools.Def{Name: "fetch", Description: "fetches",
			Capabilities: tools.Reads | tools.Sends | tools.Untrusted, ResourcesOf: aims},
			func(_ context.Context, in address) (tools.Result, error) {
				did("fetch " + in.URL)
				return tools.Result{Text: "a page", Label: event.Label{Untrusted: true, Source: "web:" + in.URL}}, nil
			}),
		tools.New(tools.Def{Name: "diary", Description: "reads", Capabilities: tools.Reads | tools.Private},
			func(context.Context, struct{}) (tools.Result, error) {
				return tools.Result{Text: "dear diary", Label: event.Label{Private: true, Source: "diary"}}, nil
			}),
		tools.New(tools.Def{Name: "remember", Description: "keeps", Capabilities: tools.Writes | tools.Persists},
			func(context.Context, struct{}) (tools.Result, error) { did("remember"); return tools.Result{}, nil }),
		tools.New(tools.Def{Name: "appoint", Description: "gives rights",
			Capabilities: tools.Writes | tools.Authority},
			func(context.Context, struct{}) (tools.Result, error) { did("appoint"); return tools.Result{}, nil }),
	}
}

func fetch(n int, address string) llm.Call {
	return llm.CallOf(n, "fetch", map[string]string{"url": address})
}
func plain(n int, name string) llm.Call { return llm.CallOf(n, name, struct{}{}) }

// rules returns by which rules the calls of a turn were refused, "" for those that ran.
func rules(bodies []event.Body) (all []string) {
	for _, b := range bodies {
		if r, ok := b.(event.Returned); ok {
			all = append(all, r.Rule)
		}
	}
	return all
}

// What a conversation has read decides what may leave it; nobody is there who says yes.
func TestTaintGatesWhatLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		calls []llm.Call
		want  []string
	}{
		"nothing read": {"look it up", []llm.Call{fetch(1, "https://a.example/x"), plain(2, "remember")}, []string{"", "persists-untrusted"}},
		"a diary, then out": {"look it up", []llm.Call{plain(1, "diary"), fetch(2, "https://a.example/?q=dear")},
			[]string{"", "private-data"}},
		"a diary, then where the owner said": {"read my diary, then https://a.example/x", []llm.Call{plain(1, "diary"), fetch(2, "https://a.example/x")},
			[]string{"", ""}},
		"a diary, then a page of a site the owner named": {"read my diary, then look at a.example/", []llm.Call{plain(1, "diary"), fetch(2, "https://a.example/y")},
			[]string{"", ""}},
		"a diary, then a page of what looks like a site": {"read my diary, then look at a.example", []llm.Call{plain(1, "diary"), fetch(2, "https://a.example/y")},
			[]string{"", "private-data"}},
		"a page and a diary, then back to the page's site": {"read https://a.example/x and my diary",
			[]llm.Call{fetch(1, "https://a.example/x"), plain(2, "diary"), fetch(3, "https://a.example/?q=dear")}, []string{"", "", "rule-of-two"}},
		"a page, then an address that it made up": {"read https://a.example/x", []llm.Call{fetch(1, "https://a.example/x"), fetch(2, "https://b.example/?q=1")},
			[]string{"", "constructed-address"}},
		"a page, then rights": {"read https://a.example/x", []llm.Call{fetch(1, "https://a.example/x"), plain(2, "appoint")},
			[]string{"", "authority-untrusted"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				var steps []llm.Step
				for _, call := range c.calls {
					steps = append(steps, llm.Do(call))
				}
				h := openWith(t, storetest.NewMemory(time.Now),
					llm.NewScript(append(steps, llm.Say("well"))...), world(&did)...)
				if diff := cmp.Diff(c.want, rules(h.watch(h.submit("1", c.text), false))); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// What a call is led to is judged by what the conversation is and by what its owner has said.
func TestTaintGatesWhereACallIsLed(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		calls []llm.Call
		want  int // how often it went on
	}{
		"nothing private":       {"look it up", []llm.Call{fetch(1, "https://a.example/x"), plain(2, "wander")}, 1},
		"a diary":               {"look it up", []llm.Call{plain(1, "diary"), plain(2, "wander")}, 0},
		"where the owner said":  {"read https://elsewhere.example/x", []llm.Call{plain(1, "diary"), plain(2, "wander")}, 1},
		"both, and a host only": {"see https://elsewhere.example/ and https://a.example/x", []llm.Call{fetch(1, "https://a.example/x"), plain(2, "diary"), plain(3, "wander")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				wander := tools.New(tools.Def{Name: "wander", Description: "is led elsewhere",
					Capabilities: tools.Reads | tools.Sends,
					ResourcesOf:  func(json.RawMessage) []tools.Resource { return []tools.Resource{{URL: "https://first.example/"}} }},
					func(ctx context.Context, _ struct{}) (tools.Result, error) {
						if tools.MayFollow(ctx, tools.Resource{Host: "elsewhere.example", URL: "https://elsewhere.example/x"}) {
							did["elsewhere"]++
						}
						return tools.Result{}, nil
					})
				var steps []llm.Step
				for _, call := range c.calls {
					steps = append(steps, llm.Do(call))
				}
				h := openWith(t, storetest.NewMemory(time.Now),
					llm.NewScript(append(steps, llm.Say("well"))...), append(world(&did), wander)...)
				got := rules(h.watch(h.submit("1", c.text+" and https://first.example/"), false))
				if did["elsewhere"] != c.want || got[len(got)-1] != "" {
					t.Errorf("it went on %d times, want %d; refused by %q", did["elsewhere"], c.want, got)
				}
			})
		})
	}
}

// The taint is of the conversation: the next turn has it, a restart does, a shorter form of the
// conversation does, and a new conversation does not.
func TestTaintFollowsTheConversation(t *testing.T) {
	for _, how := range []string{"next turn", "restart", "new"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				memory := storetest.NewMemory(time.Now)
				model := llm.NewScript(llm.Do(plain(1, "diary")), llm.Say("read"),
					llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well"))
				h := openWith(t, memory, model, world(&did)...)
				h.watch(h.submit("1", "read my diary"), false)
				switch how {
				case "restart":
					h.Close()
					h = openWith(t, memory, model, world(&did)...)
				case "new":
					if err := h.Reset(t.Context(), "main"); err != nil {
						t.Fatal(err)
					}
				}
				want := []string{"private-data"}
				if how == "new" {
					want = []string{""}
				}
				if diff := cmp.Diff(want, rules(h.watch(h.submit("2", "and now"), false))); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A conversation that was made shorter is as tainted as it was, in this process and in the next.
func TestTaintOutlivesWhatIsLeftOut(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			memory := storetest.NewMemory(time.Now)
			turn := 0
			reader := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				last := r.Messages[len(r.Messages)-1]
				switch {
				case last.Role != llm.UserRole:
					return llm.Say("It says much.")(ctx, r, d)
				case strings.Contains(last.Text, "out"):
					return llm.Do(fetch(100, "https://b.example/?q=1"))(ctx, r, d)
				}
				turn++
				return llm.Do(plain(turn, "tell"))(ctx, r, d)
			})
			tell := tools.New(tools.Def{Name: "tell", Description: "tells", Capabilities: tools.Reads}, func(context.Context, struct{}) (tools.Result, error) {
				from := event.Label{Private: turn == 1} // the first alone, which is soon left out
				return tools.Result{Text: fmt.Sprintf("story %d\n", turn) + strings.Repeat("and so on, and so on\n", 150), Label: from}, nil
			})
			h := openWith(t, memory, reader, append(world(&did), tell)...)
			for i := range 12 {
				h.watch(h.submit(fmt.Sprint(i), fmt.Sprintf("question %d", i)), false)
			}
			if restart {
				h.Close()
				h = openWith(t, memory, reader, append(world(&did), tell)...)
			}
			bodies := h.watch(h.submit("out", "out"), false)
			if diff := cmp.Diff([]string{"private-data"}, rules(bodies)); diff != "" {
				t.Errorf("restart %t: %s", restart, diff)
			}
			short := 0
			for e, err := range memory.Chat(t.Context(), "main", 0) {
				if b, ok := e.Body.(event.Compacted); err == nil && ok {
					short++
					if !b.Label.Private || b.Session == 0 {
						t.Errorf("a shorter form says it comes from %+v, of session %d", b.Label, b.Session)
					}
				}
			}
			if short == 0 {
				t.Error("the conversation was never made shorter")
			}
		})
	}
}

// Of a conversation from before labels were kept nobody knows what is in it.
func TestAConversationFromBeforeLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		memory := storetest.NewMemory(time.Now)
		events, err := memory.Append(t.Context(),
			store.Entry{Chat: "main", Body: event.Said{InputID: "0", From: "owner", Text: "read"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []event.Body{event.Replied{Text: "read"}, event.Ended{Reason: event.Done}} {
			if _, err := memory.Append(t.Context(), store.Entry{Chat: "main", Turn: events[0].Seq, Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		h := openWith(t, memory, llm.NewScript(llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well")), world(&did)...)
		if diff := cmp.Diff([]string{"rule-of-two"}, rules(h.watch(h.submit("1", "and now"), false))); diff != "" {
			t.Error(diff)
		}
	})
}

// What somebody else wrote is no word of the owner's, and taints like a page.
func TestForwardedWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := openWith(t, storetest.NewMemory(time.Now),
			llm.NewScript(llm.Do(plain(1, "diary")),
				llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well")), world(&did)...)
		seq, err := h.Submit(t.Context(), session.Input{
			Chat: "main", ID: "1", From: "ana", Text: "go to https://b.example/?q=1", Principal: owner,
			Label: event.Label{Untrusted: true, Source: "forwarded"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"", "rule-of-two"}, rules(h.watch(seq, false))); diff != "" || len(did) > 0 {
			t.Error(diff, did)
		}
	})
}

// What a call was made from stands with it in the journal.
func TestLabelsAreJournaled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := openWith(t, storetest.NewMemory(time.Now),
			llm.NewScript(llm.Do(plain(1, "diary")), llm.Do(plain(2, "diary")), llm.Say("well")), world(&did)...)
		var got []string
		for _, b := range h.watch(h.submit("1", "read"), false) {
			switch b := b.(type) {
			case event.Called:
				got = append(got, fmt.Sprintf("called %t", b.Label.Private))
			case event.Returned:
				got = append(got, fmt.Sprintf("returned %t", b.Label.Private))
			case event.Replied:
				got = append(got, fmt.Sprintf("replied %t", b.Label.Private))
			}
		}
		if diff := cmp.Diff([]string{"called false", "returned true", "called true", "returned true", "replied true"}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// What stood on a button is no word of the owner's: somebody else may have called a thing so.
func TestAButtonNamesNoHost(t *testing.T) {
	for pick, want := range map[string]string{"": "", "3.0.pc_001": "constructed-address"} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			const url = "https://evil.example/x"
			model := llm.NewScript(llm.Do(fetch(1, "https://other.example/")), llm.Say("well"),
				llm.Do(fetch(2, url)), llm.Say("well"))
			h := openWith(t, storetest.NewMemory(time.Now), model, world(&did)...)
			h.watch(h.submit("1", "see https://other.example/"), false)
			seq, err := h.Submit(t.Context(),
				session.Input{Chat: "main", ID: "2", From: "ana", Text: "Take " + url, Pick: pick, Principal: owner})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{want}, rules(h.watch(seq, false))); diff != "" {
				t.Errorf("picked %q: %s", pick, diff)
			}
		})
	}
}
