package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/secret"
	"hob/internal/store"
	"hob/internal/tools"
)

// policySource caches the policy in force. It reads it again after the journal has changed, in this
// process or another.
type policySource struct {
	env *Environment
	db  *store.DB // grants and switches

	mu      sync.Mutex
	loaded  bool  // rules were read
	version int64 // of the journal when rules were read
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

// CurrentPolicy reads the policy. Another process may have changed it since the last call.
func (s *Environment) CurrentPolicy(ctx context.Context, kept *store.DB) (policy.Policy, error) {
	p := policy.Policy{Only: s.onlyTools(), Hosts: s.Policy.Hosts, Searches: s.SearchHosts(), Disabled: map[string]bool{}}
	off, err := kept.Settings().SwitchedOff(ctx)
	if err != nil {
		return p, err
	}
	for _, name := range off {
		p.Disabled[name], p.Disabled[tools.NameToday(name)] = true, true
	}
	offIn, err := kept.Settings().SwitchedOffIn(ctx)
	if err != nil {
		return p, err
	}
	p.DisabledIn = map[event.Chat]map[string]bool{}
	for chat, names := range offIn {
		p.DisabledIn[chat] = map[string]bool{}
		for name := range names {
			p.DisabledIn[chat][name] = true
		}
	}
	p.Grants, err = kept.Grants().InForce(ctx)
	return p, err
}

// onlyTools returns the only tools that the configuration permits, by the names in it and by their
// present names.
func (s *Environment) onlyTools() []string {
	only := slices.Clone(s.Policy.Tools)
	for _, name := range s.Policy.Tools {
		if today := tools.NameToday(name); !slices.Contains(only, today) {
			only = append(only, today)
		}
	}
	return only
}

// maxSecretSize limits the size of a file with a secret.
const maxSecretSize = 64 << 10

// ReadSecrets returns a redactor for all known secrets: the files that the configuration names, the
// tokens, systemd's credentials and the canary.
func (s *Environment) ReadSecrets(env func(string) string) (*secret.Redactor, error) {
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
			continue
		}
		if err != nil && path == s.CanaryPath() {
			if bad := store.CheckFolder(s.StateDir); bad != nil {
				return nil, exit.Errorf(exit.Usage, "%v", bad)
			}
		}
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "[policy] secrets: %v", err)
		}
		values = append(values, value)
	}
	for _, path := range s.secretPaths() {
		if value, err := readSecret(path); err == nil { // its user reports the error
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

// makeCanary writes the canary if there is none.
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

// RedactingModel is a model whose replies are redacted, even of secrets that came from a prompt.
type RedactingModel struct {
	llm.Model
	Secrets *secret.Redactor
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
