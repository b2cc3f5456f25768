package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stub is a connection that tells whether it was closed.
type stub struct {
	net.Conn
	name   int
	closed bool
}

func (s *stub) Close() error { s.closed = true; return nil }

// An address is a moment at which it answers, or fails.
type answer struct {
	after time.Duration
	fails bool
}

func TestRace(t *testing.T) {
	const never = time.Hour
	type result struct {
		Won     int // -1: nobody
		Started []time.Duration
		Closed  []int
	}
	for name, c := range map[string]struct {
		answers []answer
		want    result
	}{
		"the first answers in time":              {[]answer{{after: 200 * time.Millisecond}, {}}, result{0, []time.Duration{0}, nil}},
		"the first swallows packets":             {[]answer{{after: never}, {}}, result{1, []time.Duration{0, headStart}, nil}},
		"the first fails at once":                {[]answer{{fails: true}, {}}, result{1, []time.Duration{0, 0}, nil}},
		"all fail":                               {[]answer{{fails: true}, {fails: true}}, result{-1, []time.Duration{0, 0}, nil}},
		"the late winner's rival is let go":      {[]answer{{after: 340 * time.Millisecond}, {after: 50 * time.Millisecond}}, result{0, []time.Duration{0, headStart}, []int{1}}},
		"the third is not started in vain":       {[]answer{{after: never}, {after: 100 * time.Millisecond}, {}}, result{1, []time.Duration{0, headStart}, nil}},
		"a failure late makes room for the next": {[]answer{{after: 400 * time.Millisecond, fails: true}, {after: never}, {}}, result{2, []time.Duration{0, headStart, 400 * time.Millisecond}, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				conns := make([]*stub, len(c.answers))
				got := result{Won: -1}
				started := make(chan time.Duration, len(c.answers))
				conn, err := race(t.Context(), len(c.answers), func(ctx context.Context, i int) (net.Conn, error) {
					started <- time.Since(begin)
					timer := time.NewTimer(c.answers[i].after)
					defer timer.Stop()
					select {
					case <-timer.C:
					case <-ctx.Done():
						if c.answers[i].after == never {
							return nil, ctx.Err()
						}
						// The kernel had connected before it heard of the cancellation.
					}
					if c.answers[i].fails {
						return nil, errors.New("connection refused")
					}
					conns[i] = &stub{name: i}
					return conns[i], nil
				})
				close(started)
				for at := range started {
					got.Started = append(got.Started, at)
				}
				if s, ok := conn.(*stub); ok {
					got.Won = s.name
				}
				if (err == nil) != (got.Won >= 0) {
					t.Errorf("error %v with winner %d", err, got.Won)
				}
				for i, s := range conns {
					if s != nil && s.closed {
						got.Closed = append(got.Closed, i)
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("race (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// The wall behind the wall: should a private address ever get past the judging of answers, the connect is refused.
func TestConnectJudgesWhatTheKernelIsHanded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	at := netip.MustParseAddrPort(l.Addr().String())
	conn, err := d.connect(t.Context(), "tcp", target{"public.example", at.Port()}, at)
	var refused *Refused
	if !errors.As(err, &refused) {
		t.Errorf("want a refusal, got %v, %v", conn, err)
	}
}
