package config

import (
	"errors"
	"fmt"
	"maps"
	"net/textproto"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxServers bounds how many MCP servers there may be: the tools of each want memory, and a place before the model.
const maxServers = 20

// MCPServer is a server of the Model Context Protocol, whose tools are a skill: a program that hob starts, or an address.
type MCPServer struct {
	Name    string   // 1 to 32 of a-z, 0-9 and single hyphens; the skill's name
	Command []string // a program and its arguments; empty if URL is not
	URL     string   // as written; empty if Command is not

	Description string   // one line; empty means the server's own
	Keywords    []string // that open the skill, in lower case
	Tools       []string // the only tools of it that are offered; empty means all
	Timeout     time.Duration
	Trust       bool   // its words count as the owner's own
	Reads       bool   // its tools change nothing
	Level       string // lowest level that may use it: user, group_admin, group_owner, bot_admin or owner

	// Of a program.
	Env       map[string]string // nil if there are none, as with the two below
	EnvFiles  map[string]string // absolute path of the file that holds the variable's value
	Sandbox   bool
	Read      []string // absolute paths that it may read
	Network   []string // host:port that it may reach from the sandbox; lower case
	Workspace bool     // it sees and changes the workspace

	// Of an address.
	HeaderFiles map[string]string // absolute path of the file that holds the header's value, by canonical name
}

func newServer(name string) MCPServer {
	return MCPServer{Name: name, Timeout: time.Minute, Sandbox: true, Level: "owner"}
}

// mcpKeys lists the keys of the server with this name, which is that at index i.
func mcpKeys(i int, name string) []key {
	t, s := "mcp."+name, func(c *Config) *MCPServer { return &c.MCP[i] }
	return []key{
		commandKey(t, "command", func(c *Config) *[]string { return &s(c).Command }),
		textKey(t, "url", checkServerURL, func(c *Config) *string { return &s(c).URL }),
		textKey(t, "description", checkAbout, func(c *Config) *string { return &s(c).Description }),
		namesKey(t, "keywords", checkKeyword, func(c *Config) *[]string { return &s(c).Keywords }),
		tableKey(t, "env", envEntry, func(c *Config) *map[string]string { return &s(c).Env }),
		tableKey(t, "env_files", envFileEntry, func(c *Config) *map[string]string { return &s(c).EnvFiles }),
		tableKey(t, "header_files", headerFileEntry, func(c *Config) *map[string]string { return &s(c).HeaderFiles }),
		boolKey(t, "sandbox", func(c *Config) *bool { return &s(c).Sandbox }),
		pathsKey(t, "read", func(c *Config) *[]string { return &s(c).Read }),
		allowKey(t, "network", func(c *Config) *[]string { return &s(c).Network }),
		boolKey(t, "workspace", func(c *Config) *bool { return &s(c).Workspace }),
		boolKey(t, "reads", func(c *Config) *bool { return &s(c).Reads }),
		listKey(t, "tools", checkServerTool, func(c *Config) *[]string { return &s(c).Tools }),
		durationKey(t, "timeout", func(c *Config) *duration { return &s(c).Timeout }),
		boolKey(t, "trust", func(c *Config) *bool { return &s(c).Trust }),
		textKey(t, "level", checkLevel, func(c *Config) *string { return &s(c).Level }),
	}
}

// servers returns the servers of the tables [mcp.NAME], sorted by name and with nothing in them but defaults, and what is
// wrong with the tables themselves.
func servers(path string, tree map[string]any, lines layout) ([]MCPServer, []*Problem) {
	table, _ := tree["mcp"].(map[string]any)
	var all []MCPServer
	var problems []*Problem
	for _, name := range slices.Sorted(maps.Keys(table)) {
		line := lines.line("mcp", name)
		wrong := func(text string) {
			where := "[mcp." + printable(name) + "]"
			problems = append(problems, &Problem{Path: path, Line: line, Key: where, Text: where + atLine(line) + " " + text})
		}
		_, isTable := table[name].(map[string]any)
		_, isList := table[name].([]map[string]any)
		switch {
		case isList:
			wrong("must be one table, not a list of tables")
		case !isTable: // a key without a server, see unknown
		case !isName(name, 32):
			wrong("must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]")
		case len(all) == maxServers:
			wrong(fmt.Sprintf("is one server too many; there may be %d: take out those that you do not use", maxServers))
			return all, problems
		default:
			all = append(all, newServer(name))
		}
	}
	return all, problems
}

// misfits returns what is wrong between the keys of a server.
func misfits(path string, s MCPServer, lines layout) []*Problem {
	var problems []*Problem
	wrong := func(name, text string) {
		at, where := []string{"mcp", s.Name}, "[mcp."+s.Name+"]"
		if name != "" {
			at, where = append(at, name), where+" "+name
		}
		line := lines.line(at...)
		problems = append(problems, &Problem{Path: path, Line: line, Key: where, Text: where + atLine(line) + " " + text})
	}
	program, address := len(s.Command) > 0, s.URL != ""
	switch {
	case program && address:
		wrong("url", "must not stand beside command: a server is a program that hob starts, or an address")
	case !program && !address:
		wrong("", `needs a command, such as ["npx", "-y", "some-server"], or a url`)
	case address:
		for _, of := range []struct {
			name string
			set  bool
		}{
			{"env", len(s.Env) > 0}, {"env_files", len(s.EnvFiles) > 0}, {"sandbox", !s.Sandbox}, {"read", len(s.Read) > 0},
			{"network", len(s.Network) > 0}, {"workspace", s.Workspace},
		} {
			if of.set {
				wrong(of.name, "is for servers that hob starts, and this one has a url: take it out")
			}
		}
	case len(s.HeaderFiles) > 0:
		wrong("header_files", "is for servers at a url, and this one is started with a command: name the files in env_files")
	}
	for _, name := range slices.Sorted(maps.Keys(s.EnvFiles)) {
		if _, twice := s.Env[name]; twice {
			wrong("env_files", "must not name "+name+", which env has too: take one of them out")
		}
	}
	return problems
}

// listKey is a list of texts, each of which check accepts as it is.
func listKey(table, name string, check func(string) error, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, err := texts(v)
		if err != nil {
			return err
		}
		for _, s := range list {
			if err := check(s); err != nil {
				return err
			}
		}
		*at(c) = orNil(list)
		return nil
	}, func(c Config) string { return quoteList(*at(&c)) }}
}

// tableKey is a table of texts. entry returns the name under which one is kept.
func tableKey(table, name string, entry func(name, value string) (string, error), at func(*Config) *map[string]string) key {
	return key{table, name, func(c *Config, v any) error {
		written, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf(`must be a table such as {NAME = "text"}, not %s`, kind(v))
		}
		var kept map[string]string
		for _, name := range slices.Sorted(maps.Keys(written)) {
			value, ok := written[name].(string)
			if !ok {
				return fmt.Errorf("must hold texts in quotes, and %s is %s", printable(name), kind(written[name]))
			}
			as, err := entry(name, value)
			if err != nil {
				return err
			}
			if _, twice := kept[as]; twice {
				return fmt.Errorf("names %s twice", as)
			}
			if kept == nil {
				kept = map[string]string{}
			}
			kept[as] = value
		}
		*at(c) = kept
		return nil
	}, func(c Config) string { return quoteTable(*at(&c)) }}
}

// envEntry takes an environment variable that everybody may see.
func envEntry(name, value string) (string, error) {
	if err := checkVariable(name); err != nil {
		return "", err
	}
	if secretName(name) || hasPassword(value) {
		return "", fmt.Errorf("must hold no secret, and %s looks like one: write it into a file for you alone, and name that in env_files, such as {%s = %s}",
			name, name, quote("/etc/hob/"+strings.ToLower(name)))
	}
	if strings.ContainsRune(value, 0) {
		return "", fmt.Errorf("must hold texts, and %s has a NUL character", name)
	}
	return name, nil
}

// hasPassword reports whether s is an address with a password in it, such as that of a database.
func hasPassword(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has
}

func envFileEntry(name, path string) (string, error) {
	if err := checkVariable(name); err != nil {
		return "", err
	}
	return name, checkSecretFile(name, path)
}

func headerFileEntry(name, path string) (string, error) {
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || !isBare(byte(r)) }) {
		return "", fmt.Errorf("must name headers such as Authorization, not %s", printable(name))
	}
	return textproto.CanonicalMIMEHeaderKey(name), checkSecretFile(name, path)
}

// checkVariable takes the name of an environment variable.
func checkVariable(name string) error {
	bad := func(r rune) bool { return r >= 0x80 || !isBare(byte(r)) || r == '-' }
	if name == "" || len(name) > 128 || '0' <= name[0] && name[0] <= '9' || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("must name environment variables such as API_BASE, not %s", printable(name))
	}
	return nil
}

// checkSecretFile takes the path of a file that holds a secret. What it refuses may be the secret itself, so it is not shown.
func checkSecretFile(name, path string) error {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return errors.New("must give the absolute path of a file for each name, which holds the secret alone; that of " + name + " is none")
	}
	return nil
}
