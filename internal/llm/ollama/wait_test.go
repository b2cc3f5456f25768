package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// story is what a caller sees of a chat, with the time at which it is seen.
type story struct {
	start time.Time
	lines []string
}

func (s *story) tell(d llm.Delta) { s.note("%s", d.Status+d.Text) }

func (s *story) note(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf("%v %s", time.Since(s.start), fmt.Sprintf(format, args...)))
}

// after waits until d has passed or the client has gone.
func after(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// say sends one line.
func say(w http.ResponseWriter, line string) { io.WriteString(w, line+"\n") }

// play runs one chat in a bubble of its own and compares what its caller sees, the end included.
func play(t *testing.T, chat func(*fake, http.ResponseWriter, *http.Request), change func(*Config), req llm.Request, want ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var f *fake
		f = newFake(t, func(w http.ResponseWriter, r *http.Request) { chat(f, w, r) })
		cfg := testConfig("box")
		cfg.Transport = memory{"box:11434": f}
		if change != nil {
			change(&cfg)
		}
		s := story{start: time.Now()}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("the test's patience"))
		defer cancel()
		reply, err := newClient(t, cfg).Chat(ctx, req, s.tell)
		if err != nil {
			s.note("%s: %v", llm.KindOf(err), err)
		} else {
			s.note("done: %s", reply.Message.Text)
		}
		if diff := cmp.Diff(want, s.lines); diff != "" {
			t.Errorf("story (-want +got):\n%s", diff)
		}
	})
}

func withTools(req llm.Request) llm.Request {
	req.Tools = []llm.ToolDefinition{readFile}
	return req
}

func TestWaitForTheFirstLine(t *testing.T) {
	t.Run("load, then read, then answer", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			after(r, 7*time.Second)
			f.setLoaded("other:7b", "TINY:1b")
			after(r, 6*time.Second)
			say(w, text("hi"))
			after(r, 10*time.Second)
			say(w, doneLine)
		}, nil, hello,
			"2s loading tiny:1b",
			"8s waiting: tiny:1b reads the conversation, or is busy with another request",
			"13s hi",
			"23s done: hi")
	})
	t.Run("headers alone are no answer", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			after(r, time.Hour)
		}, nil, hello,
			"2s loading tiny:1b",
			"5m0s silent: nothing came from http://box:11434 within 5m0s: see with `ollama ps` what it is doing, or set [ollama] first_byte_timeout higher")
	})
	t.Run("silence", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			f.setLoaded("tiny:1b")
			after(r, time.Hour)
		}, func(cfg *Config) { cfg.FirstByte, cfg.Poll = 10*time.Second, 3*time.Second }, hello,
			"3s waiting: tiny:1b reads the conversation, or is busy with another request",
			"10s silent: nothing came from http://box:11434 within 10s: see with `ollama ps` what it is doing, or set [ollama] first_byte_timeout higher")
	})
}

// A slow machine reads a long conversation for longer than a short one.
func TestWaitForALongConversation(t *testing.T) {
	long := hello
	long.Messages = []llm.Message{{Role: llm.UserRole, Text: strings.Repeat("ten bytes ", 2_500)}} // three times 8 KiB
	play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
		f.setLoaded("tiny:1b")
		after(r, 14*time.Minute)
		say(w, text("hi"))
		say(w, doneLine)
	}, func(cfg *Config) { cfg.Poll = time.Hour }, long,
		"14m0s hi",
		"14m0s done: hi")
	play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
		f.setLoaded("tiny:1b")
		after(r, time.Hour)
	}, func(cfg *Config) { cfg.Poll = time.Hour }, long,
		"15m0s silent: nothing came from http://box:11434 within 15m0s: see with `ollama ps` what it is doing, or set [ollama] first_byte_timeout higher")
}

func TestWaitBetweenLines(t *testing.T) {
	t.Run("silence after content", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			say(w, text("hi"))
			after(r, 119*time.Second)
			say(w, text(" there"))
			after(r, time.Hour)
		}, nil, hello,
			"0s hi",
			"1m59s  there",
			"3m59s silent: tiny:1b fell silent in the middle of its answer for 2m0s: see with `ollama ps` what http://box:11434 is doing, and ask again")
	})
	t.Run("half a line is silence", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			say(w, text("hi"))
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				after(r, time.Second)
			}
		}, func(cfg *Config) { cfg.Idle = 5 * time.Second }, hello,
			"0s hi",
			"5s silent: tiny:1b fell silent in the middle of its answer for 5s: see with `ollama ps` what http://box:11434 is doing, and ask again")
	})
	t.Run("a long tool call is written in silence", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			say(w, text("I write."))
			after(r, 299*time.Second)
			say(w, toolLine(true, `{"id":"x","function":{"name":"write_file","arguments":{}}}`))
		}, nil, withTools(hello),
			"0s I write.",
			"2m0s nothing came from box:11434 for 2m0s; tiny:1b may be writing a long tool call",
			"4m59s done: I write.")
	})
	t.Run("a tool call without end", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			say(w, text("I write."))
			after(r, time.Hour)
		}, nil, withTools(hello),
			"0s I write.",
			"2m0s nothing came from box:11434 for 2m0s; tiny:1b may be writing a long tool call",
			"5m0s silent: tiny:1b fell silent in the middle of its answer for 5m0s: see with `ollama ps` what http://box:11434 is doing, and ask again")
	})
	t.Run("time that the caller takes does not count", func(t *testing.T) {
		for range 20 { // what is ready at once is chosen by chance
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
					after(r, 5*time.Second)
					lines(text("a"), text("b"), doneLine)(w, r)
				})
				cfg := testConfig("box")
				cfg.Transport = memory{"box:11434": f}
				reply, err := newClient(t, cfg).Chat(t.Context(), hello, func(llm.Delta) { <-time.After(10 * time.Minute) })
				if err != nil || reply.Message.Text != "ab" {
					t.Errorf("reply %v, error %v", reply, err)
				}
			})
		}
	})
}

func TestFullQueue(t *testing.T) {
	full := status(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`)
	t.Run("for a while", func(t *testing.T) {
		n := 0
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) {
			if n++; n < 4 {
				full(w, r)
				return
			}
			lines(text("at last"), doneLine)(w, r)
		}, nil, hello,
			"0s the queue of box:11434 is full; asking again for up to a minute",
			"7s at last",
			"7s done: at last")
	})
	t.Run("for too long", func(t *testing.T) {
		play(t, func(f *fake, w http.ResponseWriter, r *http.Request) { full(w, r) }, nil, hello,
			"0s the queue of box:11434 is full; asking again for up to a minute",
			"1m0s busy: Ollama at http://box:11434 has too many requests waiting: try again in a minute")
	})
	t.Run("cancelled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig("box")
			cfg.Transport = memory{"box:11434": newFake(t, full)}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			s := story{start: time.Now()}
			_, err := newClient(t, cfg).Chat(ctx, hello, s.tell)
			s.note("%v", err)
			want := []string{"0s the queue of box:11434 is full; asking again for up to a minute", "5s the request ran out of the time it was given"}
			if diff := cmp.Diff(want, s.lines); diff != "" {
				t.Errorf("story (-want +got):\n%s", diff)
			}
		})
	})
}

// counting counts the requests that are under way. Cancelled ones take their time to end.
type counting struct {
	next  http.RoundTripper
	under atomic.Int32
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.under.Add(1)
	defer c.under.Add(-1)
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		<-time.After(time.Second)
	}
	return resp, err
}

// When Chat returns, nothing of it is left, though its caller's context lives on: a bubble does not end while a goroutine
// is in it, and no request is under way.
func TestNothingIsLeft(t *testing.T) {
	for name, chat := range map[string]http.HandlerFunc{
		"done, and more lines": lines(doneLine, text("more"), text("more")),
		"an error line":        lines(text("x"), `{"error":"broken"}`, text("more")),
		"silence":              func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang := http.NewServeMux()
				hang.Handle("/", newFake(t, chat))
				hang.HandleFunc("GET /api/ps", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
				transport := &counting{next: memory{"box:11434": hang}}
				cfg := testConfig("box")
				cfg.Transport, cfg.FirstByte = transport, 3*time.Second
				newClient(t, cfg).Chat(context.Background(), hello, nil)
				if n := transport.under.Load(); n != 0 {
					t.Errorf("%d requests are under way", n)
				}
			})
		})
	}
}

// A server that keeps the slot of a chat that was left in the middle is made to unload the model, once, and only then.
func TestASlotThatIsLostIsFreed(t *testing.T) {
	for name, c := range map[string]struct {
		left bool // the first chat is left in the middle of its answer
		want []string
	}{
		"left in the middle": {true, []string{
			"2s waiting: tiny:1b reads the conversation, or is busy with another request",
			"20s box:11434 held a slot that nobody uses: loading tiny:1b anew", "21s hi", "21s done: hi"}},
		"finished": {false, []string{
			"2s waiting: tiny:1b reads the conversation, or is busy with another request", "1m0s hi", "1m0s done: hi"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				chats, freed := 0, make(chan struct{})
				var f *fake
				f = newFake(t, func(w http.ResponseWriter, r *http.Request) {
					body := f.lastBody()
					if !strings.Contains(string(body), `"role"`) { // a request without messages
						if !strings.Contains(string(body), `"keep_alive":"0s"`) {
							t.Errorf("not an unload: %s", body)
						}
						say(w, doneLine)
						close(freed)
						return
					}
					if chats++; chats == 1 {
						f.setLoaded("tiny:1b")
						say(w, text("half"))
						w.(http.Flusher).Flush()
						if c.left {
							<-r.Context().Done()
							return
						}
						say(w, doneLine)
						return
					}
					select {
					case <-freed:
						after(r, time.Second)
					case <-time.After(time.Minute):
					}
					say(w, text("hi"))
					say(w, doneLine)
				})
				cfg := testConfig("box")
				cfg.Transport = memory{"box:11434": f}
				client := newClient(t, cfg)
				ctx, leave := context.WithCancel(t.Context())
				_, _ = client.Chat(ctx, hello, func(llm.Delta) {
					if c.left {
						leave()
					}
				})
				leave()
				s := story{start: time.Now()}
				reply, err := client.Chat(t.Context(), hello, s.tell)
				if err != nil {
					t.Fatal(err)
				}
				s.note("done: %s", reply.Message.Text)
				if diff := cmp.Diff(c.want, s.lines); diff != "" {
					t.Errorf("story (-want +got):\n%s", diff)
				}
			})
		})
	}
}
