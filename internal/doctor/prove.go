package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/egress"
	"hob/internal/llm/ollama"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// unusedAddress is an address for documentation, where no host answers; see RFC 5737.
const unusedAddress = "192.0.2.1"

// Proof is the result of one attempt to connect.
type Proof struct {
	Name  string `json:"name"`
	Holds bool   `json:"holds"`
	Found string `json:"found"`
}

// proofTimeout limits one attempt.
const proofTimeout = 5 * time.Second

// prover tries to reach a canary in the ways that must fail. The ledger records its attempts under
// their own reason.
type prover struct {
	env    *app.Environment
	canary *egress.Canary
	proofs []Proof
}

// Prove makes all attempts. The canary is one of [egress.RestartWithCanary], to which all proxy variables
// lead. The error is that of an attempt that could not be made.
func Prove(ctx context.Context, s *app.Environment, canary *egress.Canary) ([]Proof, error) {
	p := &prover{env: s, canary: canary}
	for _, try := range []func(context.Context) error{p.proveDialers, p.proveProxies, p.proveRedirect, p.proveCommands} {
		if err := try(ctx); err != nil {
			return nil, err
		}
	}
	return p.proofs, nil
}

// proveDialers dials forbidden addresses with each kind of dialer.
func (p *prover) proveDialers(ctx context.Context) error {
	fetch, err := p.env.Egress.Fetch(p.env.Fetch.Allow, "[fetch] allow")
	if err != nil {
		return err
	}
	model, err := p.env.Egress.Ollama(p.env.Hosts)
	if err != nil {
		return err
	}
	command, err := p.env.Egress.Commands(p.env.Shell.Network, "[shell] network")
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(p.canary.Addr())
	if err != nil {
		return err
	}
	for _, k := range []struct {
		name   string
		dialer *egress.Dialer
	}{
		{"the way out for pages is closed to others", fetch}, {"the way out for Ollama is closed to others", model},
		{"the way out for commands is closed to others", command}, {"a connection for no purpose is refused", new(egress.Dialer)},
	} {
		var out []string
		for _, at := range []string{p.canary.Addr(), net.JoinHostPort("localhost", port), unusedAddress + ":443"} {
			if how := tryDial(ctx, k.dialer.For(app.PrivacyCheckReason), at); how != "" {
				out = append(out, at+": "+how)
			}
		}
		err := p.addProof(ctx, k.name, out, "loopback and "+unusedAddress+" were refused")
		if err != nil {
			return err
		}
	}
	return nil
}

// tryDial dials an address that must be refused. It returns "" if it was, else the outcome.
func tryDial(ctx context.Context, d *egress.Dialer, at string) string {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", at)
	refused, dns := (*egress.Refused)(nil), (*net.DNSError)(nil)
	switch {
	case err == nil:
		_ = conn.Close()
		return "a connection was made"
	case errors.As(err, &refused), errors.As(err, &dns): // without the name localhost there is no way to it
		return ""
	}
	return "it was tried: " + err.Error()
}

// proveProxies makes requests that the proxy variables would lead to the canary. The dialers could
// reach it.
func (p *prover) proveProxies(ctx context.Context) error {
	fetch, err := p.env.Egress.Fetch([]string{p.canary.Addr()}, "")
	if err != nil {
		return err
	}
	var out []string
	if tryFetch(ctx, fetch.For(app.PrivacyCheckReason), "http://"+unusedAddress+"/", proofTimeout) == nil {
		out = append(out, "a page came back")
	}
	only, err := p.env.Egress.Only(app.PrivacyCheckReason, p.canary.Addr())
	if err != nil {
		return err
	}
	client, err := ollama.New(ollama.Config{Hosts: []string{"http://" + unusedAddress + ":11434"}, Dial: only.DialContext})
	if err != nil {
		return err
	}
	if _, err := client.Version(ctx); err == nil {
		out = append(out, "an Ollama answered")
	}
	return p.addProof(ctx, "a proxy in the environment is not used", out, "HTTP_PROXY and the like led to the canary, and nothing came")
}

// proveRedirect fetches a page that redirects to the canary.
func (p *prover) proveRedirect(ctx context.Context) (err error) {
	decoy, err := egress.NewCanary(ctx, "http://"+p.canary.Addr()+"/")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, decoy.Close()) }()
	fetch, err := p.env.Egress.Fetch([]string{decoy.Addr()}, "")
	if err != nil {
		return err
	}
	var out []string
	if tryFetch(ctx, fetch.For(app.PrivacyCheckReason), "http://"+decoy.Addr()+"/", proofTimeout) == nil {
		out = append(out, "it was followed")
	}
	asked, err := decoy.Hits(ctx)
	if err == nil && asked == 0 {
		out = append(out, "the page itself was not reached, so this proves nothing")
	}
	return errors.Join(err, p.addProof(ctx, "a page cannot redirect to this machine", out, "the redirect was refused"))
}

// tryFetch fetches a page as a model would, and returns the error.
func tryFetch(ctx context.Context, d *egress.Dialer, url string, timeout time.Duration) error {
	args, err := json.Marshal(map[string]string{"url": url})
	if err == nil {
		_, err = tools.Call(ctx, fetch.New(fetch.Config{Dialer: d, Timeout: timeout}).Tools()[0], args)
	}
	return err
}

// addProof adds a proof. out lists the connections that got out; the canary's hits are added.
func (p *prover) addProof(ctx context.Context, name string, out []string, found string) error {
	hits, err := p.canary.Hits(ctx)
	if err != nil {
		return err
	}
	if hits > 0 {
		out = append(out, "the canary was reached")
	}
	if len(out) > 0 {
		found = strings.Join(out, "; ")
	}
	p.proofs = append(p.proofs, Proof{name, len(out) == 0, found})
	return nil
}

// proveCommands reports the sandbox's own test of the network.
func (p *prover) proveCommands(ctx context.Context) error {
	const name = "a command cannot reach the network"
	report := p.env.NewShell().Sandbox.Report(ctx)
	for _, c := range report.Checks {
		if c.Name == "network" {
			p.proofs = append(p.proofs, Proof{name, c.Holds, report.Tier.String() + ": " + c.Found})
			return nil
		}
	}
	if p.env.Shell.Enabled && p.env.Shell.AllowUnsandboxed {
		p.proofs = append(p.proofs, Proof{name, false, "[shell] allow_unsandboxed lets it run without a sandbox"})
		return nil
	}
	p.proofs = append(p.proofs, Proof{name, true, "there is no sandbox here, so commands are switched off"})
	return nil
}
