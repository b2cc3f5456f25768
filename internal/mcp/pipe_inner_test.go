package mcp

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// What is put into a spool comes out of it, and then its end.
func TestSpoolKeepsEverything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 50), 0, 20).Draw(r, "parts")
		s := newSpool(maxSpool, patience)
		go func() {
			for _, p := range parts {
				if err := s.put(p); err != nil {
					t.Error(err)
				}
			}
			s.finish()
		}()
		got, err := io.ReadAll(s)
		if want := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
			r.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

// A spool that is full holds its writer for a moment, until there is room, or nobody reads, or the time is up.
func TestSpoolFull(t *testing.T) {
	for name, c := range map[string]struct {
		then func(*spool)
		took time.Duration
		want bool
	}{
		"stuck":  {func(*spool) {}, patience, false},
		"read":   {func(s *spool) { _, _ = s.Read(make([]byte, 1)) }, time.Second, true},
		"closed": {func(s *spool) { s.Close() }, time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSpool(maxSpool, patience)
				if err := s.put(make([]byte, maxSpool)); err != nil {
					t.Fatal(err)
				}
				since := time.Now()
				time.AfterFunc(time.Second, func() { c.then(s) })
				if got, took := !errors.Is(s.put([]byte("x")), errFull), time.Since(since); got != c.want || took != c.took {
					t.Errorf("%t after %s, want %t after %s", got, took, c.want, c.took)
				}
			})
		})
	}
}

// Who puts something into an outbox does not wait, is told when it is full, and has everything written in its order.
func TestOutbox(t *testing.T) {
	read, write := io.Pipe()
	o := newOutbox(write)
	for range maxWaiting >> 20 {
		if err := o.put(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	full := o.put(make([]byte, maxWaiting))
	if !errors.Is(full, errFull) {
		t.Error(full)
	}
	if n, err := io.CopyN(io.Discard, read, maxWaiting); err != nil {
		t.Error(n, err)
	}
	o.close()
	<-o.done
	if err := o.put([]byte("x")); err == nil {
		t.Error("it is closed and takes more")
	}
}

// Closing an outbox ends a write that nobody reads.
func TestOutboxStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, write := io.Pipe()
		o := newOutbox(write)
		if err := o.put([]byte("x")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		o.close()
		<-o.done
	})
}
