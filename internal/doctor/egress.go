package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/egress"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// unrecorded is a ledger for attempts that are nobody's business: the doctor's own.
type unrecorded struct{}

func (unrecorded) Begin(egress.Contact) error { return nil }
func (unrecorded) Add([]egress.Contact) error { return nil }

// inward resolves every name to loopback, as a stranger's name server can.
type inward struct{}

func (inward) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, nil
}

// egressTrial is a gate like hob's own, and a listener on loopback that nobody may reach.
type egressTrial struct {
	gate   *egress.Gate
	canary *egress.Canary
	port   string // of the canary
}

// checkEgress tries to get where hob must not go. Nothing leaves this machine. The canary is one of [egress.Baited].
func checkEgress(ctx context.Context, s *app.Environment, canary *egress.Canary) []Check {
	_, port, err := net.SplitHostPort(canary.Addr())
	if err != nil {
		return []Check{bad("web", "", "%v", err)}
	}
	t := &egressTrial{gate: egress.NewGate(egress.GateConfig{Ledger: unrecorded{}, Resolver: inward{}}), canary: canary, port: port}
	defer t.gate.Close()
	tries := []struct {
		name string
		try  func(context.Context) (string, error)
	}{
		{"loopback", t.loopback}, {"private addresses", t.private}, {"cloud metadata", t.metadata}, {"names that lead inside", t.names},
		{"redirects inside", t.redirects}, {"proxy variables", t.proxy}, {"commands", t.commands}, {"other servers", t.others},
	}
	var found []Check
	for _, one := range tries {
		text, err := one.try(ctx)
		if err == nil {
			err = t.untouched(ctx)
		}
		if err != nil {
			found = append(found, bad(one.name, "report this; until then keep the agent away from the web", "%v", err))
			continue
		}
		found = append(found, good(one.name, "%s", text))
	}
	return append(found, checkExceptions(s))
}

// checkExceptions says what the owner opened.
func checkExceptions(s *app.Environment) Check {
	if len(s.Fetch.Allow) == 0 {
		return good("your exceptions", "none")
	}
	return good("your exceptions", "fetch reaches %s", strings.Join(s.Fetch.Allow, ", "))
}

// untouched returns an error if somebody reached the canary.
func (t *egressTrial) untouched(ctx context.Context) error {
	n, err := t.canary.Hits(ctx)
	if err == nil && n != 0 {
		err = errors.New("a closed address on loopback was reached")
	}
	return err
}

// fetch fetches a page with the real tool; allow are the exceptions.
func (t *egressTrial) fetch(ctx context.Context, url string, allow ...string) error {
	dialer, err := t.gate.Fetch(allow, "")
	if err != nil {
		return err
	}
	tool := fetch.New(fetch.Config{Timeout: 2 * time.Second, Dialer: dialer}).Tools()[0]
	args, err := json.Marshal(map[string]any{"url": url})
	if err != nil {
		return err
	}
	_, err = tools.Call(ctx, tool, args)
	return err
}

// closed returns an error if one of the addresses, each "host:port", is dialed.
func (t *egressTrial) closed(ctx context.Context, d *egress.Dialer, addresses ...string) error {
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

func (t *egressTrial) loopback(ctx context.Context) (string, error) {
	hosts := []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "017700000001", "127.0.0.1."}
	for _, h := range hosts {
		if t.fetch(ctx, "http://"+h+":"+t.port+"/") == nil {
			return "", fmt.Errorf("%s was fetched", h)
		}
	}
	return fmt.Sprintf("refused in %d spellings", len(hosts)), nil
}

func (t *egressTrial) private(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused", t.closed(ctx, d, "10.0.0.1:80", "172.16.0.1:80", "192.168.1.1:80", "100.64.0.1:80", "[fd00::1]:80", "[fe80::1]:80", "0.0.0.0:80")
}

func (t *egressTrial) metadata(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused", t.closed(ctx, d, "169.254.169.254:80", "[fd00:ec2::254]:80", "168.63.129.16:80", "100.100.100.200:80")
}

func (t *egressTrial) names(ctx context.Context) (string, error) {
	d, err := t.gate.Fetch(nil, "")
	if err != nil {
		return "", err
	}
	return "refused: what counts is the address", t.closed(ctx, d, "inward.example:"+t.port)
}

// redirects follows a page that is allowed to one that is not.
func (t *egressTrial) redirects(ctx context.Context) (string, error) {
	page, err := egress.NewCanary(ctx, "http://"+t.canary.Addr()+"/")
	if err != nil {
		return "", err
	}
	defer page.Close()
	if t.fetch(ctx, "http://"+page.Addr()+"/", page.Addr()) == nil {
		return "", errors.New("a redirect to loopback was followed")
	}
	if n, err := page.Hits(ctx); err != nil || n != 1 {
		return "", errors.New("the page that redirects was not reached, so nothing was tried")
	}
	return "refused", nil
}

// proxy fetches a page that is allowed, in a process that has the canary for its proxy.
func (t *egressTrial) proxy(ctx context.Context) (string, error) {
	page, err := egress.NewCanary(ctx, "")
	if err != nil {
		return "", err
	}
	defer page.Close()
	_, port, err := net.SplitHostPort(page.Addr())
	if err != nil {
		return "", err
	}
	at := "page.example:" + port // not an address on loopback, which no client sends through a proxy
	if err := t.fetch(ctx, "http://"+at+"/", at); err != nil {
		return "", fmt.Errorf("the page was not fetched: %w", err)
	}
	return "ignored", nil
}

func (t *egressTrial) commands(ctx context.Context) (string, error) {
	d, err := t.gate.Commands(nil, "")
	if err != nil {
		return "", err
	}
	return "reach what [shell] network names", t.closed(ctx, d, "192.0.2.1:80", t.canary.Addr(), "inward.example:"+t.port)
}

func (t *egressTrial) others(ctx context.Context) (string, error) {
	d, err := t.gate.Only("ollama", "127.0.0.1:1")
	if err != nil {
		return "", err
	}
	return "hob itself reaches those of the configuration only", t.closed(ctx, d, t.canary.Addr(), "192.0.2.1:80")
}
