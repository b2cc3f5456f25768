package web_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/surface/web/door"
)

// sink is a browser that reads all at once.
type sink struct{ header http.Header }

func (s sink) Header() http.Header             { return s.header }
func (sink) Write(p []byte) (int, error)       { return len(p), nil }
func (sink) WriteHeader(int)                   {}
func (sink) Flush()                            {}
func (sink) SetWriteDeadline(time.Time) error  { return nil }
func (sink) SetReadDeadline(_ time.Time) error { return nil }

// talkative is a model that writes its reply in a hundred pieces.
type talkative struct{}

func (talkative) Chat(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	text := ""
	for range 100 {
		text += "all work and no play. "
		onDelta(llm.Delta{Text: "all work and no play. "})
	}
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
}

// processTime is how long processors have worked for this process.
func processTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkTurn is a turn of a hundred pieces that nobody watches, and that a hundred browsers do: the difference is what they cost it.
func BenchmarkTurn(b *testing.B) {
	for _, watchers := range []int{0, 100} {
		b.Run(fmt.Sprint(watchers, "-watchers"), func(b *testing.B) {
			w := newWorld(b, options{model: talkative{}})
			ctx, cancel := context.WithCancel(b.Context())
			var watching sync.WaitGroup
			for range watchers {
				token, _, err := w.door.SignIn(b.Context(), door.Person{}, "bench", "")
				if err != nil {
					b.Fatal(err)
				}
				r, _ := http.NewRequestWithContext(ctx, http.MethodGet, w.origin+"/events?chat=main", nil)
				r.AddCookie(&http.Cookie{Name: "hob", Value: token})
				watching.Go(func() { w.server.Handler().ServeHTTP(sink{http.Header{}}, r) })
			}
			defer watching.Wait()
			defer cancel()
			last, before, turns := int64(0), processTime(b), 0
			for b.Loop() {
				turns++
				seq, err := w.sessions.Submit(b.Context(), inputOf("main", "go on"))
				if err != nil {
					b.Fatal(err)
				}
				for e, err := range w.sessions.Follow(b.Context(), "main", max(last, seq-1)) {
					if err != nil {
						b.Fatal(err)
					}
					last = e.Seq
					if _, over := e.Body.(event.Ended); over {
						break
					}
				}
			}
			b.ReportMetric(float64((processTime(b)-before).Microseconds())/1000/float64(turns), "cpu-ms/op") // whatever else runs on the machine
		})
	}
}
