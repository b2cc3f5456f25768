package eventlog_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// cpu returns the time that this thread, or all of this process, has used the processor: what else the machine does is not in it.
func cpu(clock int32) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}

const process, thread = unix.CLOCK_PROCESS_CPUTIME_ID, unix.CLOCK_THREAD_CPUTIME_ID

// long is a campaign of that many turns of one event each, in a world of so many entities.
func long(b *testing.B, log eventlog.Storage, turns, entities int) *eventlog.Log {
	b.Helper()
	opt := options(b)
	s, err := eventlog.Create(b.Context(), log, beginning(b, entities), opt)
	if err != nil {
		b.Fatal(err)
	}
	for range turns {
		play(b, s, `hit {"id":"pc"}`)
	}
	return s
}

func BenchmarkLoad(b *testing.B) {
	log := eventlog.NewMemoryStorage()
	long(b, log, 100_000, 1000)
	for name, log := range map[string]eventlog.Storage{"snapshot": log, "whole": bare{log}} {
		b.Run(name, func(b *testing.B) {
			used := -cpu(process)
			for b.Loop() {
				load(b, log)
			}
			b.ReportMetric((used+cpu(process)).Seconds()/float64(b.N), "cpu-s")
		})
	}
}

func BenchmarkUndo(b *testing.B) {
	s := long(b, eventlog.NewMemoryStorage(), 100_000, 1000)
	for i := 0; b.Loop(); i++ {
		move := s.Undo
		if i%2 == 1 {
			move = s.Redo
		}
		if m, err := move(b.Context(), 1, eventlog.Origin{}); err != nil || m.Turns != 1 {
			b.Fatal(m, err)
		}
	}
}

// BenchmarkPlay reports the 99th percentile of a turn of one call, without a disk.
func BenchmarkPlay(b *testing.B) {
	for _, name := range []string{"bare", "snapshots"} {
		b.Run(name, func(b *testing.B) {
			var log eventlog.Storage = eventlog.NewMemoryStorage()
			if name == "bare" {
				log = bare{&discard{MemoryStorage: eventlog.NewMemoryStorage()}}
			}
			s := long(b, log, 10, 1000)
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var took []time.Duration
			things := s.World().Things()
			requests := make([]eventlog.Request, 64)
			for i := range requests {
				requests[i] = request("", fmt.Sprintf(`touch {"id":%q,"n":%d}`, things[i*7%len(things)].ID, i))
			}
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				from := cpu(thread)
				if p, err := s.Play(b.Context(), requests[i%len(requests)]); err != nil || !p.Outcomes[0].OK() {
					b.Fatal(p, err)
				}
				took = append(took, cpu(thread)-from)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
		})
	}
}

// events are changes of an object; each fourth moves it. They have about 60 bytes each.
func events(b *testing.B, w *world.World, n int) []world.Event {
	b.Helper()
	list := make([]world.Event, 0, n)
	things := w.Things()
	for i := range n {
		old := w.Thing(things[i%len(things)].ID)
		is := *old
		if is.Qty = int64(i) + 1; i%4 == 0 {
			is.Parent = things[(i*31+i/len(things)*17+7)%len(things)].ID
		}
		e := world.Event{Old: old, New: &is}
		if err := w.Apply(e); err != nil {
			b.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// BenchmarkReplay reports events a second: from memory, decoded from bytes, and from exports with 1 and with 100 events a line,
// which includes the chain and the state at the end.
func BenchmarkReplay(b *testing.B) {
	per := func(b *testing.B, n int64, used time.Duration) {
		b.ReportMetric(float64(n)*float64(b.N)/used.Seconds(), "events/cpu-s")
	}
	b.Run("memory", func(b *testing.B) {
		from := beginning(b, 1000).World
		list := events(b, from.Clone(), 100_000)
		used := time.Duration(0)
		for b.Loop() {
			w := from.Clone()
			used -= cpu(process)
			for _, e := range list {
				if err := w.Apply(e); err != nil {
					b.Fatal(err)
				}
			}
			used += cpu(process)
		}
		per(b, int64(len(list)), used)
	})
	b.Run("bytes", func(b *testing.B) {
		from := beginning(b, 1000).World
		list := events(b, from.Clone(), 100_000)
		text := []byte{'['}
		for i, e := range list {
			if i > 0 {
				text = append(text, ',')
			}
			text = world.AppendEvent(text, e)
		}
		text = append(text, ']')
		used := time.Duration(0)
		for b.Loop() {
			w := from.Clone()
			used -= cpu(process)
			s := world.Scan(text)
			s.Expect('[')
			for n := 0; s.Item(n); n++ {
				if err := w.Next(s); err != nil {
					b.Fatal(err)
				}
			}
			used += cpu(process)
		}
		per(b, int64(len(list)), used)
		b.ReportMetric(float64(len(text))/float64(len(list)), "bytes/event")
	})
	for _, calls := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("export %d", calls), func(b *testing.B) {
			path := exported(b, 100_000, calls)
			used := time.Duration(0)
			for b.Loop() {
				used -= cpu(process)
				load(b, open(b, path))
				used += cpu(process)
			}
			per(b, 100_000, used)
		})
	}
}

// exported is the file of a campaign of that many events, so many a turn.
func exported(b *testing.B, n, perTurn int) string {
	b.Helper()
	s := long(b, bare{eventlog.NewMemoryStorage()}, 0, 1000)
	things := s.World().Things()
	for i := 0; i < n; {
		r := eventlog.Request{}
		for range perTurn {
			r.Calls = append(r.Calls, call("touch", fmt.Sprintf(`{"id":%q,"n":%d}`, things[i%len(things)].ID, i)))
			i++
		}
		if _, err := s.Play(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "campaign.jsonl")
	if err := os.WriteFile(path, []byte(export(b, s)), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// open reads the lines of a file.
func open(b *testing.B, path string) eventlog.Storage {
	b.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	log := eventlog.NewMemoryStorage()
	n := int64(0)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for ; lines.Scan(); n++ {
		if err := log.Append(b.Context(), n, lines.Bytes(), ""); err != nil {
			b.Fatal(err)
		}
	}
	return bare{log}
}

// BenchmarkMemory reports what a campaign of 10,000 entities and 100,000 events needs when its lines are on a disk.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		log := &discard{MemoryStorage: eventlog.NewMemoryStorage()}
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := long(b, log, 0, 10_000)
		things := s.World().Things()
		for i := range 100_000 {
			play(b, s, fmt.Sprintf(`touch {"id":%q,"n":%d}`, things[i%len(things)].ID, i))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		runtime.KeepAlive(s)
		runtime.KeepAlive(things)
	}
}

func BenchmarkVerify(b *testing.B) {
	s := long(b, bare{eventlog.NewMemoryStorage()}, 20_000, 1000)
	for b.Loop() {
		if r, err := s.Verify(b.Context(), nil); err != nil || len(r.Problems) > 0 {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2e4, "ns/turn")
}

// touched changes one field of a thing.
func touched(s *rules.Step, a rules.Args) *rules.Verdict {
	was := s.World.Thing(a.Text("id"))
	if was == nil {
		return rules.Refuse(rules.EntityNotFound, "missing", a.Text("id"))
	}
	is := *was
	is.Parent = "thing_" + strconv.FormatInt(a.Int("n", 0)%8, 10)
	s.Put(&is)
	return rules.Accept(nil, "did", was.ID)
}
