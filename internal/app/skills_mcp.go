package app

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"hob/internal/config"
	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/mcp"
	"hob/internal/sandbox"
	"hob/internal/skills"
	"hob/internal/tools"
	"hob/internal/tools/files/watch"
	shelltool "hob/internal/tools/shell"
)

// newMCPClient returns the client of an MCP server. The client starts the server when it is needed,
// and drops its tools with a name that is taken.
func (s *Environment) newMCPClient(ctx context.Context, srv config.MCPServer, shell *Shell, kv KV, k Toolset, taken func(string) bool) (*mcp.Client, error) {
	key := "[mcp." + srv.Name + "]"
	level, err := event.ParseLevel(srv.Level)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%s level: %v", key, err)
	}
	cfg := mcp.Config{
		Server: mcp.Server{
			Name: srv.Name, Description: srv.Description, Keywords: srv.Keywords, Only: srv.Tools, URL: srv.URL,
			Rights: mcp.Rights{Level: level, Trusted: srv.Trust}, Times: mcp.Times{Call: srv.Timeout},
		},
		Memory: mcpMemory{kv}, Release: s.version, Taken: taken,
	}
	if srv.Reads {
		cfg.Rights.Capabilities = tools.Reads
	}
	if srv.URL != "" {
		err = s.configureAddress(&cfg, srv, key)
	} else {
		err = s.configureProgram(&cfg, srv, shell, key)
		if watcher := k.FileTool.Watch(); srv.Workspace && watcher != nil {
			cfg.Start = watchedStart(cfg.Start, watcher, event.Label{Untrusted: true, Source: "mcp:" + srv.Name})
		}
	}
	if err != nil {
		return nil, err
	}
	c, err := mcp.New(ctx, cfg)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%s %v", key, err)
	}
	return c, nil
}

// configureProgram sets how a server that is a program is started.
func (s *Environment) configureProgram(cfg *mcp.Config, srv config.MCPServer, shell *Shell, key string) error {
	dir, err := s.serverDir(srv)
	if err != nil {
		return err
	}
	var named []string
	for _, name := range slices.Sorted(maps.Keys(srv.Env)) {
		named = append(named, name+"="+srv.Env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(srv.EnvFiles)) {
		value, err := s.readSecretOf(srv.EnvFiles[name], key+" env_files")
		if err != nil {
			return err
		}
		named = append(named, name+"="+value)
	}
	limits := sandbox.Limits{Memory: s.Shell.Memory, Processes: s.Shell.Processes}
	rules := sandbox.Rules{Read: srv.Read, Limits: limits, ReadOnly: srv.Workspace && s.Workspace.ReadOnly}
	if len(srv.Network) > 0 {
		dialer, err := s.Egress.Commands(srv.Network, key+" network")
		if err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
		rules.Serve = egress.Proxy(dialer)
		named = append(shelltool.ProxyEnv(), named...)
	}
	cfg.Command = mcp.Command{Args: srv.Command, Dir: dir, Env: mcp.Environ(os.Environ(), dir, named)}
	cfg.Start = mcp.WithoutSandbox(limits)
	if srv.Sandbox {
		cfg.Start = mcp.InSandbox(shell.Sandbox.Sandbox, rules)
		cfg.Rights.Sealed = mcp.IsSealed(shell.Sandbox.Sandbox, rules)
	}
	return nil
}

// watchedStart returns a Start for servers that may write to the workspace. While a server runs,
// every file in the workspace counts as changed by it, and the files that it changed stay marked.
// Set-uid bits that it leaves are cleared at its end.
func watchedStart(start mcp.Start, watcher *watch.Watcher, from event.Label) mcp.Start {
	return func(ctx context.Context, c mcp.Command) (*mcp.Process, error) {
		lasting := context.WithoutCancel(ctx)
		after := watcher.Before(lasting, strings.Join(c.Args, " "), from)
		p, err := start(ctx, c)
		if err != nil {
			after(lasting)
			return nil, err
		}
		ended, stop, seen, left := p.Done, p.Stop, make(chan struct{}), watch.Seen{}
		go func() { defer close(seen); <-ended; left = after(lasting) }()
		p.Stop = func() { stop(); <-seen }
		p.Done, p.Left = seen, func() string { <-seen; return left.Rights.Note }
		return p, nil
	}
}

// configureAddress sets how a server at an address is reached.
func (s *Environment) configureAddress(cfg *mcp.Config, srv config.MCPServer, key string) error {
	header := http.Header{}
	for _, name := range slices.Sorted(maps.Keys(srv.HeaderFiles)) {
		value, err := s.readSecretOf(srv.HeaderFiles[name], key+" header_files")
		if err != nil {
			return err
		}
		header.Set(name, value)
	}
	var err error
	cfg.HTTP, err = s.newHTTPClient("mcp "+srv.Name, srv.URL, key+" url", header)
	return err
}

// redactSkill returns a server's skill without secrets: a server knows some, and may repeat them.
func (set *Skills) redactSkill(s skills.Skill) skills.Skill {
	begin := s.Begin
	s.Description, s.Instructions = set.Redact(s.Description), set.Redact(s.Instructions)
	s.Begin = func(ctx context.Context) (skills.Skill, error) {
		ready, err := begin(ctx)
		if err != nil {
			err = redactedError{err, set.Redact(err.Error())}
		}
		return set.redactSkill(ready), err
	}
	return s
}

// redactedError is an error whose text is redacted.
type redactedError struct {
	error
	words string
}

func (r redactedError) Error() string { return r.words }
func (r redactedError) Unwrap() error { return r.error }

// mcpMemory stores the last known state of servers.
type mcpMemory struct{ kv KV }

// ServerKey is the setting that stores the last known state of a server.
func ServerKey(name string) string { return "mcp/" + name }

// Get implements [mcp.Cache].
func (r mcpMemory) Get(ctx context.Context, server string) ([]byte, error) {
	if r.kv == nil {
		return nil, nil
	}
	text, err := r.kv.Get(ctx, ServerKey(server))
	if err != nil || text == "" {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("read what is known of the server %s: %w", server, err)
	}
	return raw, nil
}

// Set implements [mcp.Cache].
func (r mcpMemory) Set(ctx context.Context, server string, data []byte) error {
	if r.kv == nil {
		return nil
	}
	return r.kv.Set(ctx, ServerKey(server), base64.StdEncoding.EncodeToString(data))
}

// secretPaths returns the files with hob's tokens, and those with secrets for servers.
func (s *Environment) secretPaths() []string {
	paths := []string{s.BotTokenFile.Path, s.APITokenFile.Path}
	for _, srv := range s.MCP {
		paths = append(paths, slices.Collect(maps.Values(srv.EnvFiles))...)
		paths = append(paths, slices.Collect(maps.Values(srv.HeaderFiles))...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// readSecretOf reads the secret file that a configuration key names.
func (s *Environment) readSecretOf(path, key string) (string, error) {
	value, err := readSecret(path)
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%s: %v", key, WithoutPath(err))
	}
	return value, nil
}
