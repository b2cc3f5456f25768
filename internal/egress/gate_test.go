package egress_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
)

// notebook is a ledger in memory that can be full.
type notebook struct {
	mu    sync.Mutex
	full  error
	begun []string
	lines map[string]egress.Contact // by "reason host"
	added int
}

func (n *notebook) Begin(c egress.Contact) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full != nil {
		return n.full
	}
	n.begun = append(n.begun, c.Reason+" "+c.Host)
	return nil
}

func (n *notebook) Add(all []egress.Contact) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full != nil {
		return n.full
	}
	n.added++
	if n.lines == nil {
		n.lines = map[string]egress.Contact{}
	}
	for _, c := range all {
		key := c.Reason + " " + c.Host
		was := n.lines[key]
		c.Connections += was.Connections
		c.Sent += was.Sent
		c.Received += was.Received
		c.Refused += was.Refused
		n.lines[key] = c
	}
	return nil
}

// told is what the ledger holds, without its times.
func (n *notebook) told() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	told := []string{}
	for key, c := range n.lines {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%s at %s: %d connections, %d sent, %d received, %d refused %s",
			key, c.Address, c.Connections, c.Sent, c.Received, c.Refused, c.Why)))
	}
	slices.Sort(told)
	return told
}

// echo is a server on loopback that says back what it is told, once, and closes.
func echo(t *testing.T) (addr, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { defer c.Close(); io.Copy(c, c) })
		}
	})
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return l.Addr().String(), port
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func gate(t *testing.T, book egress.Ledger, resolver egress.Resolver) *egress.Gate {
	t.Helper()
	begin := time.Now() // for all of the test: it writes nothing meanwhile because so much time has passed, and it is always the same day
	g := egress.NewGate(egress.GateConfig{Ledger: book, Resolver: resolver, Now: func() time.Time { return begin }})
	t.Cleanup(func() { g.Close() })
	return g
}

// Who may be reached by which dialer: what is not handed out cannot be dialed. The public address is never connected to,
// for the context has ended.
func TestEachDialerReachesItsOwn(t *testing.T) {
	addr, port := echo(t)
	other, _ := echo(t)
	resolver := &names{answers: map[string][][]string{
		"nas.lan": {{"127.0.0.1"}}, "evil.example": {{"127.0.0.1"}}, "overlay.example": {{"100.64.0.7"}}, "meta.example": {{"169.254.169.254"}},
		"public.example": {{"203.0.114.1"}},
	}}
	g := gate(t, new(notebook), resolver)
	list := []string{addr, "nas.lan:" + port, "overlay.example:80", "meta.example:80", "public.example:443"}
	dialers := map[string]*egress.Dialer{
		"nobody":   new(egress.Dialer),
		"fetch":    must[*egress.Dialer](t)(g.Fetch(list, "[fetch] allow")),
		"commands": must[*egress.Dialer](t)(g.Commands(list, "[shell] network")),
		"only":     must[*egress.Dialer](t)(g.Only("ollama", list...)),
	}
	got := map[string]string{}
	for name, d := range dialers {
		var out []string
		for _, at := range []string{addr, other, "nas.lan:" + port, "evil.example:" + port, "overlay.example:80", "meta.example:80", "public.example:443", "203.0.114.1:443"} {
			ctx := t.Context()
			if at != addr && at != "nas.lan:"+port {
				ended, cancel := context.WithCancel(ctx)
				cancel()
				ctx = ended
			}
			conn, err := d.DialContext(ctx, "tcp", at)
			refused := (*egress.Refused)(nil)
			switch {
			case err == nil:
				conn.Close()
				out = append(out, "reached")
			case errors.As(err, &refused):
				out = append(out, refused.Kind)
			default:
				out = append(out, "tried")
			}
		}
		got[name] = strings.Join(out, ", ")
	}
	unlisted, local, link := "on no list", "loopback", "link-local, where cloud metadata services are"
	want := map[string]string{
		"nobody":   strings.Join([]string{unlisted, unlisted, unlisted, unlisted, unlisted, unlisted, unlisted, unlisted}, ", "),
		"fetch":    strings.Join([]string{"reached", local, "reached", local, "carrier's shared network", link, "tried", "tried"}, ", "),
		"commands": strings.Join([]string{"reached", unlisted, "reached", unlisted, "carrier's shared network", link, "tried", unlisted}, ", "),
		"only":     strings.Join([]string{"reached", unlisted, "reached", unlisted, "tried", link, "tried", unlisted}, ", "),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reached (-want +got):\n%s", diff)
	}
}

// A host that is on no list is not even looked up: a name can carry a secret out.
func TestWhatIsOnNoListIsNotLookedUp(t *testing.T) {
	resolver := &names{}
	g := gate(t, new(notebook), resolver)
	d := must[*egress.Dialer](t)(g.Commands([]string{"pypi.org:443"}, "[shell] network"))
	_, err := d.DialContext(t.Context(), "tcp", "the-secret-is-4711.evil.example:443")
	refused := (*egress.Refused)(nil)
	if !errors.As(err, &refused) {
		t.Fatalf("want a refusal, got %v", err)
	}
	told := []string{refused.Error(), refused.Message(), refused.Hint()}
	want := []string{
		"refuse to dial the-secret-is-4711.evil.example:443: it is on no list of hosts that may be reached",
		"that host and port is not on the list of what may be reached",
		`if the-secret-is-4711.evil.example:443 may be reached, add "the-secret-is-4711.evil.example:443" to [shell] network`,
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if len(resolver.asked) > 0 {
		t.Errorf("looked up: %v", resolver.asked)
	}
}

func TestTheLedgerCountsConnectionsBytesAndRefusals(t *testing.T) {
	addr, port := echo(t)
	book := new(notebook)
	g := gate(t, book, &names{answers: map[string][][]string{"nas.lan": {{"127.0.0.1"}}, "evil.example": {{"10.0.0.7"}}}})
	d := must[*egress.Dialer](t)(g.Fetch([]string{addr, "NAS.lan:" + port}, ""))
	for _, at := range []string{addr, "nas.LAN.:" + port, "nas.lan:" + port} {
		conn := must[net.Conn](t)(d.DialContext(t.Context(), "tcp", at))
		io.WriteString(conn, "four")
		conn.(interface{ CloseWrite() error }).CloseWrite()
		if back, err := io.ReadAll(conn); string(back) != "four" || err != nil {
			t.Fatalf("%q, %v", back, err)
		}
		conn.Close()
	}
	for _, at := range []string{"evil.example:80", "10.0.0.7:80", "10.0.0.7:80"} {
		if _, err := d.For("privacy check").DialContext(t.Context(), "tcp", at); err == nil {
			t.Errorf("%s was reached", at)
		}
	}
	d.Declined("Evil.example.", 22, "port is neither 80 nor 443") // so said who would have dialed
	if diff := cmp.Diff([]string{"fetch " + addr, "fetch nas.lan:" + port, "privacy check evil.example:80"}, book.begun); diff != "" {
		t.Errorf("begun (-want +got):\n%s", diff)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"fetch " + addr + " at 127.0.0.1: 1 connections, 4 sent, 4 received, 0 refused",
		"fetch nas.lan:" + port + " at 127.0.0.1: 2 connections, 8 sent, 8 received, 0 refused",
		"fetch evil.example:22 at : 0 connections, 0 sent, 0 received, 1 refused port is neither 80 nor 443",
		"privacy check 10.0.0.7:80 at : 0 connections, 0 sent, 0 received, 2 refused private network",
		"privacy check evil.example:80 at 10.0.0.7: 0 connections, 0 sent, 0 received, 1 refused private network",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, book.told()); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

// order is a ledger and a resolver that remember who was asked first.
type order struct {
	notebook
	names names
	asked []string
}

func (o *order) Begin(c egress.Contact) error {
	o.asked = append(o.asked, "ledger "+c.Host)
	return o.notebook.Begin(c)
}

// lookups tells its order of what is looked up.
type lookups struct{ *order }

func (l lookups) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	l.asked = append(l.asked, "resolver "+host)
	return l.names.LookupNetIP(ctx, network, host)
}

// A kill at any moment loses no host: its line is written before its name is looked up.
func TestTheLedgerKnowsBeforeAnybodyElseDoes(t *testing.T) {
	o := &order{}
	o.names.answers = map[string][][]string{"page.example": {{"10.0.0.1"}}}
	g := gate(t, o, lookups{o})
	d := must[*egress.Dialer](t)(g.Fetch(nil, ""))
	for range 2 {
		d.DialContext(t.Context(), "tcp", "page.example:443")
	}
	want := []string{"ledger page.example:443", "resolver page.example", "resolver page.example"}
	if diff := cmp.Diff(want, o.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// Of a host that does not answer the ledger has the last attempt, and not the first of the day alone.
func TestTheLedgerKnowsTheLastAttempt(t *testing.T) {
	l := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	addr := l.Addr().String()
	l.Close() // nobody listens there
	book, now := new(notebook), time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	g := egress.NewGate(egress.GateConfig{Ledger: book, Now: func() time.Time { return now }})
	d := must[*egress.Dialer](t)(g.Only("ollama", addr))
	for range 2 {
		now = now.Add(time.Hour)
		if _, err := d.DialContext(t.Context(), "tcp", addr); err == nil {
			t.Fatal("somebody answers")
		}
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got := book.lines["ollama "+addr]; !got.Last.Equal(now) || got.Connections+got.Refused > 0 {
		t.Errorf("the ledger has %+v", got)
	}
}

// What cannot be recorded is not contacted, but for Ollama on this machine; that is told at the end.
func TestAFullLedger(t *testing.T) {
	addr, port := echo(t)
	resolver := &names{answers: map[string][][]string{"nas.lan": {{"127.0.0.1"}}, "localhost": {{"127.0.0.1"}}}}
	book := &notebook{full: errors.New("no room")}
	g := gate(t, book, resolver)
	list := []string{addr, "nas.lan:" + port, "localhost:" + port}
	got := map[string]string{}
	for name, d := range map[string]*egress.Dialer{
		"fetch":   must[*egress.Dialer](t)(g.Fetch(list, "")),
		"command": must[*egress.Dialer](t)(g.Commands(list, "")),
		"ollama":  must[*egress.Dialer](t)(g.Only("ollama", list...)),
	} {
		for what, at := range map[string]string{"address": addr, "name": "nas.lan:" + port, "localhost": "localhost:" + port} {
			conn, err := d.DialContext(t.Context(), "tcp", at)
			unrecorded := (*egress.Unrecorded)(nil)
			switch {
			case err == nil:
				conn.Close()
				got[name+", "+what] = "reached"
			case errors.As(err, &unrecorded) && errors.Is(err, book.full):
				got[name+", "+what] = "refused"
			default:
				got[name+", "+what] = err.Error()
			}
		}
	}
	want := map[string]string{
		"fetch, address": "refused", "fetch, name": "refused", "fetch, localhost": "refused",
		"command, address": "refused", "command, name": "refused", "command, localhost": "refused",
		"ollama, address": "reached", "ollama, name": "refused", "ollama, localhost": "reached",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reached (-want +got):\n%s", diff)
	}
	lost := g.Close()
	if lost == nil || lost.Error() != "the record of who was contacted lacks the last counts of 2 hosts: no room" {
		t.Errorf("at the end it says %v", lost)
	}
}

// When there is room again, nothing is lost.
func TestALedgerThatRecovers(t *testing.T) {
	addr, _ := echo(t)
	book := &notebook{full: errors.New("no room")}
	g := gate(t, book, nil)
	d := must[*egress.Dialer](t)(g.Only("ollama", addr))
	must[net.Conn](t)(d.DialContext(t.Context(), "tcp", addr)).Close()
	if g.Flush() == nil {
		t.Error("a full ledger took counts")
	}
	book.full = nil
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"ollama " + addr + " at 127.0.0.1: 1 connections, 0 sent, 0 received, 0 refused"}, book.told()); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

func TestAClosedGateLetsNothingThrough(t *testing.T) {
	addr, _ := echo(t)
	book := new(notebook)
	g := gate(t, book, nil)
	d := must[*egress.Dialer](t)(g.Only("ollama", addr))
	conn := must[net.Conn](t)(d.DialContext(t.Context(), "tcp", addr))
	io.WriteString(conn, "hello")
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("more")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("an open connection goes on: %v", err)
	}
	conn.Close()
	if _, err := d.DialContext(t.Context(), "tcp", addr); err == nil {
		t.Error("a new connection was made")
	}
	if err := g.Close(); err != nil {
		t.Errorf("closing it again: %v", err)
	}
	if diff := cmp.Diff([]string{"ollama " + addr + " at 127.0.0.1: 1 connections, 5 sent, 0 received, 0 refused"}, book.told()); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

// A stream that lasts is written down while it lasts; a line a day.
func TestCountsAreWrittenEveryFewSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(time.Date(2000, 1, 1, 23, 59, 52, 0, time.UTC))) // of the bubble's time
		book := new(notebook)
		g := egress.NewGate(egress.GateConfig{Ledger: book})
		near, far := net.Pipe()
		conn := g.Counted("telegram", "chat.example:443", near)
		var days []int64
		go io.Copy(io.Discard, far)
		for range 4 {
			conn.Write([]byte("four"))
			days = append(days, egress.Day(book.lines["telegram chat.example:443"].Last))
			<-time.After(3 * time.Second)
		}
		if book.added != 1 {
			t.Errorf("in nine seconds it was written %d times", book.added)
		}
		far.Close()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		today := egress.Day(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
		if diff := cmp.Diff([]string{"telegram chat.example:443 at : 1 connections, 16 sent, 0 received, 0 refused"}, book.told()); diff != "" {
			t.Errorf("ledger (-want +got):\n%s", diff)
		}
		if got := book.lines["telegram chat.example:443"].Last; egress.Day(got) != today+1 {
			t.Errorf("the last count belongs to %v; before: %v", got, days)
		}
	})
}

// Many hosts at once, one gate.
func TestManyHostsAtOnce(t *testing.T) {
	addr, port := echo(t)
	book := new(notebook)
	answers := map[string][][]string{}
	var list []string
	for i := range 20 {
		name := fmt.Sprintf("n%d.lan", i)
		answers[name] = [][]string{{"127.0.0.1"}}
		list = append(list, name+":"+port)
	}
	g := gate(t, book, &names{answers: answers})
	d := must[*egress.Dialer](t)(g.Fetch(append(list, addr), ""))
	var all sync.WaitGroup
	for _, at := range list {
		for range 5 {
			all.Go(func() {
				conn, err := d.DialContext(t.Context(), "tcp", at)
				if err != nil {
					t.Error(err)
					return
				}
				io.WriteString(conn, "four")
				conn.Close()
			})
		}
	}
	all.Wait()
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	for key, c := range book.lines {
		if c.Connections != 5 || c.Sent != 20 {
			t.Errorf("%s: %d connections, %d sent", key, c.Connections, c.Sent)
		}
	}
	if len(book.lines) != 20 || len(book.begun) != 20 {
		t.Errorf("%d lines, %d begun", len(book.lines), len(book.begun))
	}
}

// The canary knows who came, and leads on who asks it to.
func TestCanary(t *testing.T) {
	c := must[*egress.Canary](t)(egress.NewCanary(t.Context(), "http://elsewhere.example/"))
	defer c.Close()
	tr := &http.Transport{DisableKeepAlives: true}
	resp, err := tr.RoundTrip(must[*http.Request](t)(http.NewRequest("GET", "http://"+c.Addr()+"/", nil)))
	if err != nil || resp.Header.Get("Location") != "http://elsewhere.example/" {
		t.Errorf("%v, %v", resp, err)
	}
	for range 2 {
		if n, err := c.Hits(t.Context()); n != 1 || err != nil {
			t.Errorf("%d hits, %v", n, err)
		}
	}
}
