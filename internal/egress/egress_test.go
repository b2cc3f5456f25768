package egress_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// names is a resolver: each name has the answers of its first look-up, of its second, and so on; the last ones stay.
type names struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   []string
}

func (n *names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, network+" "+host)
	rounds := n.answers[host]
	if len(rounds) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(rounds) > 1 {
		n.answers[host] = rounds[1:]
	}
	var addrs []netip.Addr
	for _, a := range rounds[0] {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

func oneAnswer(host string, addrs ...string) *names {
	return &names{answers: map[string][][]string{host: {addrs}}}
}

// canary is a server on loopback that counts who reached it.
func canary(t *testing.T) (host, port string, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		io.WriteString(w, "reached")
	}))
	t.Cleanup(srv.Close)
	host, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return host, port, hits
}

func dialer(t *testing.T, c egress.Config) *egress.Dialer {
	t.Helper()
	d, err := egress.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// get asks for address through a client whose only special part is the dialer.
func get(t *testing.T, d *egress.Dialer, address string) (string, error) {
	t.Helper()
	tr := &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get(address)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func TestAnExceptionLetsExactlyThatHostAndPortBeReached(t *testing.T) {
	host, port, _ := canary(t)
	_, other, hits := canary(t)
	resolver := &names{answers: map[string][][]string{
		"nas.lan": {{host}}, "other.lan": {{host}}, "my_nas.lan": {{host}}, "xn--80akhbyknj4f.lan": {{host}},
	}}
	d := dialer(t, egress.Config{
		Allow:    []string{host + ":" + port, "NAS.lan:" + port, "my_nas.lan:" + port, "испытание.lan:" + port},
		Resolver: resolver,
	})
	for _, at := range []string{host, "nas.lan", "NAS.LAN", "nas.lan.", "my_nas.lan", "испытание.lan", "[::ffff:" + host + "]"} {
		if got, err := get(t, d, "http://"+at+":"+port+"/"); got != "reached" || err != nil {
			t.Errorf("%s: got %q, %v", at, got, err)
		}
	}
	for _, at := range []string{host + ":" + other, "nas.lan:" + other, "other.lan:" + port} {
		var refused *egress.Refused
		if _, err := get(t, d, "http://"+at+"/"); !errors.As(err, &refused) {
			t.Errorf("%s: want a refusal, got %v", at, err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the server without an exception was reached %d times", n)
	}
}

func TestAllowed(t *testing.T) {
	d := dialer(t, egress.Config{Allow: []string{"nas.lan:8080", "[fd00::7]:80", "10.0.0.2:81"}})
	got := map[string]bool{}
	for _, at := range []string{"NAS.lan. 8080", "nas.lan 80", "fd00:0::7 80", "10.0.0.2 81", "10.0.0.2 80", " 80", "a b 80"} {
		host, port := at[:strings.LastIndex(at, " ")], at[strings.LastIndex(at, " ")+1:]
		n, _ := strconv.Atoi(port)
		got[at] = d.Allowed(host, uint16(n))
	}
	want := map[string]bool{
		"NAS.lan. 8080": true, "nas.lan 80": false, "fd00:0::7 80": true, "10.0.0.2 81": true, "10.0.0.2 80": false, " 80": false, "a b 80": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("allowed (-want +got):\n%s", diff)
	}
}

func TestAMalformedExceptionIsNamed(t *testing.T) {
	for entry, want := range map[string]string{
		"nas.lan":         `read exception "nas.lan": it has no port; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"nas.lan:http":    `read exception "nas.lan:http": "http" is not a port number; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"nas.lan:0":       `read exception "nas.lan:0": "0" is not a port number; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		":80":             `read exception ":80": "" is not a host; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"*.lan:80":        `read exception "*.lan:80": "*.lan" is not a host; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"fd00::7:80":      `read exception "fd00::7:80": it has no port; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"http://nas:80":   `read exception "http://nas:80": it has no port; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"10.0.0.0/8:80":   `read exception "10.0.0.0/8:80": "10.0.0.0/8" is not a host; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"nas.lan:80 ":     `read exception "nas.lan:80 ": "80 " is not a port number; write it as host:port, such as nas.lan:8080 or [fd00::7]:80`,
		"nas.lan:0000080": "",
	} {
		_, err := egress.New(egress.Config{Allow: []string{entry}})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", entry, diff)
		}
	}
}

// Every spelling below is loopback to some parser. The resolver is as lenient as the most lenient C library, and for
// what is no number at all it answers with loopback too.
func TestNoSpellingOfLoopbackReachesIt(t *testing.T) {
	_, port, hits := canary(t)
	d := dialer(t, egress.Config{Resolver: lenient{}})
	plain := &http.Transport{DisableKeepAlives: true}
	plain.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		a, err := netip.ParseAddr(host)
		if err != nil {
			answers, _ := lenient{}.LookupNetIP(ctx, "ip", host)
			a = answers[0]
		}
		if a = a.Unmap(); !a.IsLoopback() && !a.IsUnspecified() {
			return nil, errors.New("a test stays on this machine")
		}
		return (&net.Dialer{}).DialContext(ctx, network, net.JoinHostPort(a.String(), port))
	}
	reachable := 0
	for _, host := range loopbackSpellings() {
		address := "http://" + host + ":" + port + "/"
		if resp, err := (&http.Client{Transport: plain}).Get(address); err == nil {
			resp.Body.Close()
			reachable++
		}
		before := hits.Load()
		_, err := get(t, d, address)
		var refused *egress.Refused
		var malformed *url.Error
		if !errors.As(err, &refused) && !(errors.As(err, &malformed) && malformed.Op == "parse") && !strings.Contains(fmt.Sprint(err), "is not a host") {
			t.Errorf("%s: want a refusal, got %v", host, err)
		}
		if hits.Load() != before {
			t.Errorf("%s reached loopback", host)
		}
	}
	if reachable < 25 {
		t.Errorf("only %d spellings reach loopback without the dialer: the test proves too little", reachable)
	}
}

func loopbackSpellings() []string {
	return []string{
		"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.1.1.1", "127.255.255.254", "127.000.000.001",
		"2130706433", "017700000001", "0x7f000001", "0x7F000001", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1", "0177.0x0.0.1", "00000177.0.0.1",
		"0", "0.0.0.0", "0x0", "00", "0.0", "[::]", "[::0]", "[0:0:0:0:0:0:0:0]",
		"localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "ip6-localhost",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]",
		"[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[2002:7f00:0001::1]", "[2001:0:7f00:1::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
		"[::1%25lo]", "[fe80::1%25lo]", "[::ffff:127.0.0.1%25lo]",
		"①②⑦.⓪.⓪.①", "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
		"evil.example", "127.0.0.1.nip.io", "xn--localhost",
		"evil.example@127.0.0.1", "public.example:80@127.0.0.1", "127.0.0.1%00.public.example", "127.0.0.1%2f.public.example", `127.0.0.1\.public.example`,
	}
}

// lenient reads a host as inet_aton does, and answers with loopback for all else.
type lenient struct{}

func (lenient) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	var ip uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil || len(parts) > 4 {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		if i == len(parts)-1 {
			ip |= n
			break
		}
		ip |= n << (24 - 8*i)
	}
	return []netip.Addr{netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)})}, nil
}

func TestOnePrivateAnswerRefusesTheName(t *testing.T) {
	_, port, hits := canary(t)
	for name, answers := range map[string][]string{
		"last": {"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "127.0.0.1"}, "first": {"127.0.0.1", "93.184.215.14"},
		"mapped": {"93.184.215.14", "::ffff:10.0.0.1"}, "metadata": {"169.254.169.254"}, "azure": {"168.63.129.16"}, "zone": {"fe80::1%eth0"},
	} {
		t.Run(name, func(t *testing.T) {
			d := dialer(t, egress.Config{Resolver: oneAnswer("mixed.example", answers...)})
			_, err := get(t, d, "http://mixed.example:"+port+"/")
			var refused *egress.Refused
			if !errors.As(err, &refused) {
				t.Fatalf("want a refusal, got %v", err)
			}
		})
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("loopback was reached %d times", n)
	}
}

// A name that is public when it is judged and loopback when it is dialed: there is no second look-up to answer.
func TestRebindingHasNothingToGain(t *testing.T) {
	_, port, hits := canary(t)
	resolver := &names{answers: map[string][][]string{"rebind.example": {{"203.0.114.1"}, {"127.0.0.1"}}}}
	d := dialer(t, egress.Config{Resolver: resolver})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the public address is judged and then not waited for
	if _, err := d.DialContext(ctx, "tcp", "rebind.example:"+port); err == nil {
		t.Fatal("the dial succeeded")
	}
	if diff := cmp.Diff([]string{"ip rebind.example"}, resolver.asked); diff != "" {
		t.Errorf("look-ups (-want +got):\n%s", diff)
	}
	var refused *egress.Refused
	if _, err := d.DialContext(t.Context(), "tcp", "rebind.example:"+port); !errors.As(err, &refused) {
		t.Errorf("second dial: want a refusal, got %v", err)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("loopback was reached %d times", n)
	}
}

func TestAnExceptionForANameCoversTheHouseholdOnly(t *testing.T) {
	_, port, _ := canary(t)
	refusedAs := func(addr string) string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // judged, never dialed
		d := dialer(t, egress.Config{Allow: []string{"nas.lan:" + port}, Resolver: oneAnswer("nas.lan", addr)})
		_, err := d.DialContext(ctx, "tcp", "nas.lan:"+port)
		if refused := (*egress.Refused)(nil); errors.As(err, &refused) {
			return refused.Kind
		}
		return ""
	}
	got := map[string]string{}
	for _, addr := range []string{"10.0.0.1", "192.168.1.1", "fd12::1", "127.0.0.1", "::1", "8.8.8.8", "169.254.169.254", "168.63.129.16", "fd00:ec2::254", "0.0.0.0", "fe80::1", "224.0.0.1", "64:ff9b::7f00:1"} {
		got[addr] = refusedAs(addr)
	}
	want := map[string]string{
		"10.0.0.1": "", "192.168.1.1": "", "fd12::1": "", "127.0.0.1": "", "::1": "", "8.8.8.8": "",
		"169.254.169.254": "link-local, where cloud metadata services are", "168.63.129.16": "cloud platform service",
		"fd00:ec2::254": "cloud platform service", "0.0.0.0": "this host", "fe80::1": "link-local, where cloud metadata services are",
		"224.0.0.1": "multicast", "64:ff9b::7f00:1": "translation to or tunnel of IPv4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refused as (-want +got):\n%s", diff)
	}
}

func TestARefusalTellsThePersonWhatToSetAndTheModelNothing(t *testing.T) {
	d := dialer(t, egress.Config{
		Setting: "[fetch] allow",
		Resolver: &names{answers: map[string][][]string{
			"nas.lan": {{"192.168.1.10"}}, "trap.example": {{"169.254.169.254"}},
		}},
	})
	type told struct{ Error, Message, Hint string }
	got := map[string]told{}
	for _, at := range []string{"127.0.0.1:8080", "nas.lan:80", "trap.example:80", "[fe80::1%eth0]:80"} {
		_, err := d.DialContext(t.Context(), "tcp", at)
		var refused *egress.Refused
		if !errors.As(err, &refused) {
			t.Fatalf("%s: want a refusal, got %v", at, err)
		}
		got[at] = told{refused.Error(), refused.Message(), refused.Hint()}
	}
	message := "that address is not public, so it is out of reach"
	want := map[string]told{
		"127.0.0.1:8080": {"refuse to dial 127.0.0.1: it is not public (loopback)", message,
			`127.0.0.1 is no public address (loopback); if it may be reached, add "127.0.0.1:8080" to [fetch] allow`},
		"nas.lan:80": {"refuse to dial nas.lan: its address 192.168.1.10 is not public (private network)", message,
			`nas.lan is at 192.168.1.10 (private network); if it may be reached, add "nas.lan:80" to [fetch] allow`},
		"trap.example:80": {"refuse to dial trap.example: its address 169.254.169.254 is not public (link-local, where cloud metadata services are)", message,
			`trap.example is at 169.254.169.254 (link-local, where cloud metadata services are); if it may be reached, add "169.254.169.254:80" to [fetch] allow`},
		"[fe80::1%eth0]:80": {"refuse to dial fe80::1%eth0: it is not public (bound to one network interface)", message, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

func TestOnlyTCPIsDialed(t *testing.T) {
	d := dialer(t, egress.Config{Allow: []string{"127.0.0.1:53"}})
	for _, network := range []string{"udp", "unix", "ip4:icmp", "tcp5", ""} {
		_, err := d.DialContext(t.Context(), network, "127.0.0.1:53")
		want := fmt.Sprintf("dial 127.0.0.1:53: only tcp is dialed, not %q", network)
		if fmt.Sprint(err) != want {
			t.Errorf("%s: got %v, want %s", network, err, want)
		}
	}
}

// The first address swallows packets or refuses; the second one answers.
func TestTheNextAddressIsTriedWhenOneFails(t *testing.T) {
	host, port, _ := canary(t)
	d := dialer(t, egress.Config{Allow: []string{"nas.lan:" + port}, Resolver: oneAnswer("nas.lan", "127.0.0.9", host)})
	if got, err := get(t, d, "http://nas.lan:"+port+"/"); got != "reached" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestANameWithoutAnswersIsADNSError(t *testing.T) {
	d := dialer(t, egress.Config{Resolver: &names{answers: map[string][][]string{"empty.example": {{}}}}})
	for _, host := range []string{"empty.example", "absent.example"} {
		_, err := d.DialContext(t.Context(), "tcp", host+":80")
		var dns *net.DNSError
		if !errors.As(err, &dns) || !dns.IsNotFound {
			t.Errorf("%s: want a DNS error, got %v", host, err)
		}
	}
}

// Eight callers at once, each cancelled before a connection can be made: all return, and goleak sees nothing left.
func TestCancelledDialsLeaveNothingBehind(t *testing.T) {
	d := dialer(t, egress.Config{Resolver: oneAnswer("far.example", "203.0.114.1", "203.0.114.2", "203.0.114.3")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := d.DialContext(ctx, "tcp", "far.example:80"); err == nil {
				t.Error("a cancelled dial succeeded")
			}
		})
	}
	all.Wait()
}
