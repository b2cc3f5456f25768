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

// An address for documentation, at which there is nobody; see RFC 5737.
const nobody = "192.0.2.1"

// Proof is what one attempt to get out came to.
type Proof struct {
	Name  string `json:"name"`
	Holds bool   `json:"holds"`
	Found string `json:"found"`
}

// proofFor is how long one attempt may take.
const proofFor = 5 * time.Second

// prover tries to reach a canary in the ways that must not work. What it tries stands in the ledger under its own reason.
type prover struct {
	set    *app.Environment
	canary *egress.Canary
	proofs []Proof
}

// Prove tries them all. The canary is one of [egress.Baited]: whatever believes the environment goes there. The error is
// that of a proof that could not be made.
func Prove(ctx context.Context, s *app.Environment, canary *egress.Canary) ([]Proof, error) {
	p := &prover{set: s, canary: canary}
	for _, try := range []func(context.Context) error{p.dialers, p.proxies, p.redirect, p.commands} {
		if err := try(ctx); err != nil {
			return nil, err
		}
	}
	return p.proofs, nil
}

// dialers asks every kind of dialer that hob has for somebody who is on no list.
func (p *prover) dialers(ctx context.Context) error {
	fetch, err := p.set.Egress.Fetch(p.set.Fetch.Allow, "[fetch] allow")
	if err != nil {
		return err
	}
	model, err := p.set.Egress.Ollama(p.set.Hosts)
	if err != nil {
		return err
	}
	command, err := p.set.Egress.Commands(p.set.Shell.Network, "[shell] network")
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
	}{{"pages", fetch}, {"Ollama", model}, {"commands", command}, {"nothing in particular", new(egress.Dialer)}} {
		var out []string
		for _, at := range []string{p.canary.Addr(), net.JoinHostPort("localhost", port), nobody + ":443"} {
			if how := dialed(ctx, k.dialer.For(app.PrivacyCheckReason), at); how != "" {
				out = append(out, at+": "+how)
			}
		}
		err := p.add(ctx, "the way out for "+k.name+" is closed to others", out, "loopback and "+nobody+" were refused")
		if err != nil {
			return err
		}
	}
	return nil
}

// dialed says what became of a dial that must be refused, "" if it was.
func dialed(ctx context.Context, d *egress.Dialer, at string) string {
	ctx, cancel := context.WithTimeout(ctx, proofFor)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", at)
	refused, dns := (*egress.Refused)(nil), (*net.DNSError)(nil)
	switch {
	case err == nil:
		_ = conn.Close()
		return "a connection was made"
	case errors.As(err, &refused), errors.As(err, &dns): // a machine without the name localhost has no way to it
		return ""
	}
	return "it was tried: " + err.Error()
}

// proxies makes requests that a proxy in the environment would take to the canary, over dialers that could reach it.
func (p *prover) proxies(ctx context.Context) error {
	fetch, err := p.set.Egress.Fetch([]string{p.canary.Addr()}, "")
	if err != nil {
		return err
	}
	var out []string
	if fetched(ctx, fetch.For(app.PrivacyCheckReason), "http://"+nobody+"/") == nil {
		out = append(out, "a page came back")
	}
	only, err := p.set.Egress.Only(app.PrivacyCheckReason, p.canary.Addr())
	if err != nil {
		return err
	}
	client, err := ollama.New(ollama.Config{Hosts: []string{"http://" + nobody + ":11434"}, Dial: only.DialContext})
	if err != nil {
		return err
	}
	if _, err := client.Version(ctx); err == nil {
		out = append(out, "an Ollama answered")
	}
	return p.add(ctx, "a proxy in the environment is not used", out, "HTTP_PROXY and the like led to the canary, and nothing came")
}

// redirect fetches a page that redirects to the canary.
func (p *prover) redirect(ctx context.Context) (err error) {
	decoy, err := egress.NewCanary(ctx, "http://"+p.canary.Addr()+"/")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, decoy.Close()) }()
	fetch, err := p.set.Egress.Fetch([]string{decoy.Addr()}, "")
	if err != nil {
		return err
	}
	var out []string
	if fetched(ctx, fetch.For(app.PrivacyCheckReason), "http://"+decoy.Addr()+"/") == nil {
		out = append(out, "it was followed")
	}
	asked, err := decoy.Hits(ctx)
	if err == nil && asked == 0 {
		out = append(out, "the page itself was not reached, so this proves nothing")
	}
	return errors.Join(err, p.add(ctx, "a page cannot redirect to this machine", out, "the redirect was refused"))
}

// fetched gets a page as a model would, and returns why it came to nothing.
func fetched(ctx context.Context, d *egress.Dialer, url string) error {
	args, err := json.Marshal(map[string]string{"url": url})
	if err == nil {
		_, err = tools.Call(ctx, fetch.New(fetch.Config{Dialer: d, Timeout: proofFor}).Tools()[0], args)
	}
	return err
}

// add notes a proof. out is what got out, as far as it was seen from here; the canary is asked, too.
func (p *prover) add(ctx context.Context, name string, out []string, found string) error {
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

// commands says what the sandbox's own live test found of the network.
func (p *prover) commands(ctx context.Context) error {
	const name = "a command cannot reach the network"
	report := p.set.NewShell().Sandbox.Report(ctx)
	for _, c := range report.Checks {
		if c.Name == "network" {
			p.proofs = append(p.proofs, Proof{name, c.Holds, report.Tier.String() + ": " + c.Found})
			return nil
		}
	}
	if p.set.Shell.Enabled && p.set.Shell.AllowUnsandboxed {
		p.proofs = append(p.proofs, Proof{name, false, "[shell] allow_unsandboxed lets it run without a sandbox"})
		return nil
	}
	p.proofs = append(p.proofs, Proof{name, true, "there is no sandbox here, so commands are switched off"})
	return nil
}
