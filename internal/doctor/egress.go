package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/egress"
)

// discardLedger is a ledger that records nothing: the doctor's attempts are not contacts.
type discardLedger struct{}

func (discardLedger) Begin(egress.Contact) error { return nil }
func (discardLedger) Add([]egress.Contact) error { return nil }

// loopbackResolver resolves every name to loopback, as a hostile name server can.
type loopbackResolver struct{}

func (loopbackResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, nil
}

// egressTest is a gate like hob's own, and a listener on loopback that nothing may reach.
type egressTest struct {
	gate   *egress.Gate
	canary *egress.Canary
	port   string // of the canary
}

// checkEgress attempts forbidden connections. Nothing leaves this machine. The canary is one of
// [egress.RestartWithCanary].
func checkEgress(ctx context.Context, s *app.Environment, canary *egress.Canary) []Check {
	_, port, err := net.SplitHostPort(canary.Addr())
	if err != nil {
		return []Check{fail("web", "", "%v", err)}
	}
	t := &egressTest{gate: egress.NewGate(egress.GateConfig{Ledger: discardLedger{}, Resolver: loopbackResolver{}}), canary: canary, port: port}
	defer t.gate.Close()
	attacks := []attack{
		{"loopback", t.tryLoopback}, {"private addresses", t.tryPrivate}, {"cloud metadata", t.tryMetadata}, {"names that lead inside", t.tryNames},
		{"redirects inside", t.tryRedirects}, {"proxy variables", t.tryProxy}, {"commands", t.tryCommands}, {"other servers", t.tryOtherServers},
	}
	found := runAttacks(ctx, attacks, t.checkCanary, "report this; until then keep the agent away from the web")
	return append(found, checkExceptions(s))
}

// checkExceptions lists the addresses that the owner allowed.
func checkExceptions(s *app.Environment) Check {
	if len(s.Fetch.Allow) == 0 {
		return pass("your exceptions", "none")
	}
	return pass("your exceptions", "fetch reaches %s", strings.Join(s.Fetch.Allow, ", "))
}

// checkCanary returns an error if the canary was reached.
func (t *egressTest) checkCanary(ctx context.Context) error {
	n, err := t.canary.Hits(ctx)
	if err == nil && n != 0 {
		err = errors.New("a closed address on loopback was reached")
	}
	return err
}

// fetchPage fetches a page with the real tool. allow lists the exceptions.
func (t *egressTest) fetchPage(ctx context.Context, url string, allow ...string) error {
	dialer, err := t.gate.Fetch(allow, "")
	if err != nil {
		return err
	}
	return tryFetch(ctx, dialer, url, 2*time.Second)
}

// checkRefused returns an error if an address, "host:port", is not refused.
func (t *egressTest) checkRefused(ctx context.Context, d *egress.Dialer, addresses ...string) error {
	for _, a := range addresses {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		conn, err := d.DialContext(ctx, "tcp", a)
		cancel()
		if conn != nil {
			conn.Close()
		}
		if refused := (*egress.Refused)(nil); !errors.As(err, &refused) {
			return fmt.Errorf("%s was not refused", a)
		}
	}
	return nil
}

func (t *egressTest) tryLoopback(ctx context.Context) (string, error) {
	hosts := []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "017700000001", "127.0.0.1."}
	for _, h := range hosts {
		if t.fetchPage(ctx, "http://"+h+":"+t.port+"/") == nil {
			return "", fmt.Errorf("%s was fetched", h)
		}
	}
	return fmt.Sprintf("refused in %d spellings", len(hosts)), nil
}

func (t *egressTest) tryPrivate(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused", t.checkRefused(ctx, d, "10.0.0.1:80", "172.16.0.1:80", "192.168.1.1:80", "100.64.0.1:80", "[fd00::1]:80", "[fe80::1]:80", "0.0.0.0:80")
}

func (t *egressTest) tryMetadata(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused", t.checkRefused(ctx, d, "169.254.169.254:80", "[fd00:ec2::254]:80", "168.63.129.16:80", "100.100.100.200:80")
}

func (t *egressTest) tryNames(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused: what counts is the address", t.checkRefused(ctx, d, "inward.example:"+t.port)
}

// tryRedirects fetches an allowed page that redirects to a forbidden one.
func (t *egressTest) tryRedirects(ctx context.Context) (string, error) {
	page, err := egress.NewCanary(ctx, "http://"+t.canary.Addr()+"/")
	if err != nil {
		return "", err
	}
	defer page.Close()
	if t.fetchPage(ctx, "http://"+page.Addr()+"/", page.Addr()) == nil {
		return "", errors.New("a redirect to loopback was followed")
	}
	if n, err := page.Hits(ctx); err != nil || n != 1 {
		return "", errors.New("the page that redirects was not reached, so nothing was tried")
	}
	return "refused", nil
}

// tryProxy fetches an allowed page, in a process whose proxy variables name the canary.
func (t *egressTest) tryProxy(ctx context.Context) (string, error) {
	page, err := egress.NewCanary(ctx, "")
	if err != nil {
		return "", err
	}
	defer page.Close()
	_, port, err := net.SplitHostPort(page.Addr())
	if err != nil {
		return "", err
	}
	at := "page.example:" + port // not a loopback address: no client uses a proxy for those
	if err := t.fetchPage(ctx, "http://"+at+"/", at); err != nil {
		return "", fmt.Errorf("the page was not fetched: %w", err)
	}
	return "ignored", nil
}

func (t *egressTest) tryCommands(ctx context.Context) (string, error) {
	d, err := t.gate.Commands(nil, "")
	if err != nil {
		return "", err
	}
	return "reach what [shell] network names", t.checkRefused(ctx, d, "192.0.2.1:80", t.canary.Addr(), "inward.example:"+t.port)
}

func (t *egressTest) tryOtherServers(ctx context.Context) (string, error) {
	d, err := t.gate.Only("ollama", "127.0.0.1:1")
	if err != nil {
		return "", err
	}
	return "hob itself reaches those of the configuration only", t.checkRefused(ctx, d, t.canary.Addr(), "192.0.2.1:80")
}
