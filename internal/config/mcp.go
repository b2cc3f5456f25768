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

	"hob/internal/tomlfile"
)

// maxServers bounds how many MCP servers there may be: the tools of each want memory, and a place before the model.
const maxServers = 20

// MCPServer is a server of the Model Context Protocol, whose tools are a skill: a program that hob starts, or an address.
type MCPServer struct {
	Name    string   // 1 to 32 of a-z, 0-9 and single hyphens; the skill's name
	Command []string `toml:"command" kind:"command"` // a program and its arguments; empty if URL is not
	URL     string   `toml:"url" kind:"server_url"`  // as written; empty if Command is not

	Description string   `toml:"description" kind:"about"` // one line; empty means the server's own
	Keywords    []string `toml:"keywords" kind:"keywords"` // that open the skill, in lower case

	// Of a program.
	Env      map[string]string `toml:"env" kind:"env"`             // nil if there are none, as with the two below
	EnvFiles map[string]string `toml:"env_files" kind:"env_files"` // absolute path of the file that holds the variable's value

	// Of an address.
	HeaderFiles map[string]string `toml:"header_files" kind:"header_files"` // absolute path of the file that holds the header's value, by canonical name

	// Of a program.
	Sandbox   bool     `toml:"sandbox"`
	Read      []string `toml:"read" kind:"paths"`         // absolute paths that it may read
	Network   []string `toml:"network" kind:"host_ports"` // host:port that it may reach from the sandbox; lower case
	Workspace bool     `toml:"workspace"`                 // it sees and changes the workspace

	Reads   bool          `toml:"reads"`                     // its tools change nothing
	Tools   []string      `toml:"tools" kind:"server_tools"` // the only tools of it that are offered; empty means all
	Timeout time.Duration `toml:"timeout"`
	Trust   bool          `toml:"trust"`              // its words count as the owner's own
	Level   string        `toml:"level" kind:"level"` // lowest level that may use it: user, group_admin, group_owner, bot_admin or owner
}

func newServer(name string) MCPServer {
	return MCPServer{Name: name, Timeout: time.Minute, Sandbox: true, Level: "owner"}
}

// readServers returns the servers of the tables [mcp.NAME], sorted by name and with nothing in them but defaults. It adds what is
// wrong with the tables themselves.
func (r *report) readServers(tree map[string]any) []MCPServer {
	table, _ := tree["mcp"].(map[string]any)
	var all []MCPServer
	for _, name := range slices.Sorted(maps.Keys(table)) {
		wrong := func(text string) { r.wrong("[mcp."+tomlfile.Name(name)+"]", text, "mcp", name) }
		_, isTable := table[name].(map[string]any)
		_, isList := table[name].([]map[string]any)
		switch {
		case isList:
			wrong("must be one table, not a list of tables")
		case !isTable: // a key without a server, see unknownKeys
		case !isName(name, 32):
			wrong("must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]")
		case len(all) == maxServers:
			wrong(fmt.Sprintf("is one server too many; there may be %d: take out those that you do not use", maxServers))
			return all
		default:
			all = append(all, newServer(name))
		}
	}
	return all
}

// checkServerKeys adds what is wrong between the keys of a server.
func (r *report) checkServerKeys(s MCPServer) {
	table := "[mcp." + s.Name + "]"
	wrong := func(name, text string) { r.wrong(table+" "+name, text, "mcp", s.Name, name) }
	program, address := len(s.Command) > 0, s.URL != ""
	switch {
	case program && address:
		wrong("url", "must not stand beside command: a server is a program that hob starts, or an address")
	case !program && !address:
		r.wrong(table, `needs a command, such as ["npx", "-y", "some-server"], or a url`, "mcp", s.Name)
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
}

// checkEnv takes an environment variable that everybody may see.
func checkEnv(name, value string) (string, error) {
	if err := checkVariable(name); err != nil {
		return "", err
	}
	if secretName(name) || hasPassword(value) {
		return "", fmt.Errorf("must hold no secret, and %s looks like one: write it into a file for you alone, and name that in env_files, such as {%s = %s}",
			name, name, tomlfile.Quote("/etc/hob/"+strings.ToLower(name)))
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

func checkEnvFile(name, path string) (string, error) {
	if err := checkVariable(name); err != nil {
		return "", err
	}
	return name, checkSecretFile(name, path)
}

func checkHeaderFile(name, path string) (string, error) {
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return !tomlfile.IsBare(r) }) {
		return "", fmt.Errorf("must name headers such as Authorization, not %s", tomlfile.Name(name))
	}
	return textproto.CanonicalMIMEHeaderKey(name), checkSecretFile(name, path)
}

// checkVariable takes the name of an environment variable.
func checkVariable(name string) error {
	bad := func(r rune) bool { return !tomlfile.IsBare(r) || r == '-' }
	if name == "" || len(name) > 128 || '0' <= name[0] && name[0] <= '9' || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("must name environment variables such as API_BASE, not %s", tomlfile.Name(name))
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
