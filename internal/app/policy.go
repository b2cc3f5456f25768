package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/secret"
	"hob/internal/store"
)

// SwitchedOff begins the key under which the journal keeps that a tool is switched off.
const SwitchedOff = "tool/off/"

// policySource is the policy in force, read anew when a person has changed it, in this process or another.
type policySource struct {
	env  *Environment
	db *store.DB // what a person has allowed and switched off

	mu      sync.Mutex
	loaded   bool  // rules were read
	version int64 // of rules
	rules   policy.Policy
}

// current returns the policy in force.
func (p *policySource) current(ctx context.Context) (policy.Policy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	version, err := p.db.Version(ctx)
	if err != nil {
		return policy.Policy{}, err
	}
	if p.loaded && version == p.version {
		return p.rules, nil
	}
	rules, err := p.env.CurrentPolicy(ctx, p.db)
	if err == nil {
		p.loaded, p.version, p.rules = true, version, rules
	}
	return rules, err
}

// PolicyNow is the policy as it is now: a person may have changed it in another window.
func (s *Environment) CurrentPolicy(ctx context.Context, kept *store.DB) (policy.Policy, error) {
	p := policy.Policy{Only: s.Policy.Tools, Hosts: s.Policy.Hosts, Searches: s.SearchHosts(), Disabled: map[string]bool{}}
	off, err := kept.Settings().List(ctx, SwitchedOff)
	if err != nil {
		return p, err
	}
	for key := range off {
		p.Disabled[strings.TrimPrefix(key, SwitchedOff)] = true
	}
	p.Grants, err = kept.Grants().InForce(ctx)
	return p, err
}

// maxSecret is how many bytes of a file with a secret are looked at.
const maxSecretSize = 64 << 10

// Secrets reads what nobody may be told: the files of the configuration, its tokens, the credentials that systemd hands over, and a word
// of hob's own that means nothing, so that a leak can be tried out.
func (s *Environment) ReadSecrets(env func(string) string) (*secret.Keeper, error) {
	var values []string
	paths := append([]string{s.CanaryPath()}, s.Policy.Secrets...)
	if dir := env("CREDENTIALS_DIRECTORY"); dir != "" {
		handed, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("read the credentials: %w", err)
		}
		for _, f := range handed {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	for _, path := range paths {
		value, err := readSecret(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // what is not there cannot be told
		}
		if errors.Is(err, os.ErrPermission) {
			if bad := store.CheckFolder(s.StateDir); bad != nil { // one of these files lies there
				return nil, exit.Errorf(exit.Usage, "%v", bad)
			}
		}
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "[policy] secrets: %v", err)
		}
		values = append(values, value)
	}
	for _, t := range []TokenFile{s.BotTokenFile, s.APITokenFile} {
		if value, err := readSecret(t.Path); err == nil { // whoever needs it says what is wrong with it
			values = append(values, value)
		}
	}
	for _, path := range s.ServerSecretPaths() {
		if value, err := readSecret(path); err == nil { // likewise
			values = append(values, value)
		}
	}
	return secret.New(values...), nil
}

// readSecret reads a file that holds one secret.
func readSecret(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxSecretSize:
		return "", fmt.Errorf("%s is no file that holds a secret: it has more than 64 KiB, or is none", path)
	}
	raw, err := os.ReadFile(path)
	return strings.TrimSpace(string(raw)), err
}

// makeCanary makes hob's own secret, once.
func (s *Environment) makeCanary() error {
	f, err := os.OpenFile(s.CanaryPath(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("hob-canary-" + strings.ToLower(rand.Text()) + "\n")
	return errors.Join(err, f.Close())
}

// RedactingModel is a model whose words hold no secret that hob knows, also not one that somebody told it.
type RedactingModel struct {
	llm.Model
	Secrets *secret.Keeper
}

// Chat implements [llm.Model].
func (m RedactingModel) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	shown := m.Secrets.Stream()
	reply, err := m.Model.Chat(ctx, req, func(delta llm.Delta) {
		if delta.Restart {
			shown = m.Secrets.Stream()
		}
		delta.Text, delta.Thinking = shown.Add(delta.Text), m.Secrets.Redact(delta.Thinking)
		onDelta(delta)
	})
	if rest := shown.Rest(); rest != "" {
		onDelta(llm.Delta{Text: rest})
	}
	if err != nil {
		return nil, err
	}
	reply.Message.Text = m.Secrets.Redact(reply.Message.Text)
	reply.Message.Thinking = m.Secrets.Redact(reply.Message.Thinking)
	for i, c := range reply.Message.Calls {
		reply.Message.Calls[i].Name = m.Secrets.Redact(c.Name)
		reply.Message.Calls[i].Args = []byte(m.Secrets.Redact(string(c.Args)))
	}
	return reply, nil
}
