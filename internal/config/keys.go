package config

import (
	"fmt"
	"slices"
	"strings"
)

// key is one key of the file: where it stands, how its TOML value is laid over a Config, and how it is printed.
type key struct {
	table, name string                   // a table below another is written mcp.files
	set         func(*Config, any) error // the error is the end of a sentence that begins with the key
	show        func(Config) string      // a TOML value
}

func (k key) path() string { return "[" + k.table + "] " + k.name }

// at is where the key stands, for layout.line.
func (k key) at() []string { return append(strings.Split(k.table, "."), k.name) }

// keysOf lists every key of c in the order in which Show prints them.
func keysOf(c Config) []key {
	all := keys()
	for i, s := range c.MCP {
		all = append(all, mcpKeys(i, s.Name)...)
	}
	return all
}

// keys lists every key, but for those of the servers in [mcp].
func keys() []key {
	return slices.Concat(ollamaKeys(), []key{
		textKey("workspace", "dir", checkDir, func(c *Config) *string { return &c.Workspace.Dir }),
		boolKey("workspace", "read_only", func(c *Config) *bool { return &c.Workspace.ReadOnly }),
		foldersKey("files", "read", func(c *Config) *[]string { return &c.Files.Read }),
		foldersKey("files", "write", func(c *Config) *[]string { return &c.Files.Write }),
		intKey("agent", "max_steps", 1, 100, func(c *Config) *int { return &c.Agent.MaxSteps }),
		intKey("agent", "max_calls", 1, 1000, func(c *Config) *int { return &c.Agent.MaxCalls }),
		durationKey("agent", "max_time", func(c *Config) *duration { return &c.Agent.MaxTime }),
		intKey("agent", "max_output_tokens", 1, 10_000_000, func(c *Config) *int { return &c.Agent.MaxOutputTokens }),
		durationKey("fetch", "timeout", func(c *Config) *duration { return &c.Fetch.Timeout }),
		sizeKey("fetch", "max_response_size", func(c *Config) *int64 { return &c.Fetch.MaxResponseSize }),
		textKey("fetch", "user_agent", checkUserAgent, func(c *Config) *string { return &c.Fetch.UserAgent }),
		allowKey("fetch", "allow", func(c *Config) *[]string { return &c.Fetch.Allow }),
		boolKey("game", "model", func(c *Config) *bool { return &c.Game.Model }),
		intKey("game", "batches", 1, 10, func(c *Config) *int { return &c.Game.Batches }, orZero),
	}, shellKeys(), policyKeys(), daemonKeys(), skillKeys(), priceKeys())
}

func ollamaKeys() []key {
	return []key{
		hostKey("ollama", "host", func(c *Config) *[]string { return &c.Ollama.Host }),
		textKey("ollama", "model", checkModel, func(c *Config) *string { return &c.Ollama.Model }),
		intKey("ollama", "num_ctx", 1024, 1<<24, func(c *Config) *int { return &c.Ollama.NumCtx }, orZero),
		intKey("ollama", "num_predict", 16, 1<<24, func(c *Config) *int { return &c.Ollama.NumPredict }, orZero),
		keepAliveKey("ollama", "keep_alive", func(c *Config) *duration { return &c.Ollama.KeepAlive }),
		textKey("ollama", "think", checkThink, func(c *Config) *string { return &c.Ollama.Think }),
		floatKey("ollama", "temperature", 0, 2, func(c *Config) *float64 { return &c.Ollama.Temperature }),
		durationKey("ollama", "first_byte_timeout", func(c *Config) *duration { return &c.Ollama.FirstByteTimeout }),
		durationKey("ollama", "idle_timeout", func(c *Config) *duration { return &c.Ollama.IdleTimeout }),
		boolKey("ollama", "allow_remote", func(c *Config) *bool { return &c.Ollama.AllowRemote }),
		maybeKey("ollama", "shift", func(c *Config) **bool { return &c.Ollama.Shift }),
	}
}

// has reports whether there is a key of that name in the table.
func has(all []key, table, name string) bool {
	return slices.ContainsFunc(all, func(k key) bool { return k.table == table && k.name == name })
}

// suggest returns the end of a warning about the unknown path: the known key that was most likely meant, or "".
func suggest(all []key, path []string) string {
	tables, last := []string{"mcp"}, len(path)-1
	for _, k := range all {
		if !slices.Contains(tables, k.table) {
			tables = append(tables, k.table)
		}
	}
	table := strings.Join(path[:last], ".")
	switch {
	case len(path) == 1:
		if near := nearest(path[0], tables); near != "" {
			return fmt.Sprintf("did you mean [%s]?", near)
		}
	case table == "mcp":
		return "what belongs to a server stands in a table with its name, such as [mcp.files]"
	default:
		var names []string
		for _, k := range all {
			if k.table == table {
				names = append(names, k.name)
			}
		}
		if near := nearest(path[last], names); near != "" {
			return fmt.Sprintf("did you mean %s?", near)
		}
	}
	for _, k := range all { // a key at the top that belongs into a table, or one in another
		if k.name == path[last] {
			return fmt.Sprintf("did you mean %s in [%s]?", k.name, k.table)
		}
	}
	return ""
}

// nearest returns the one of names that is at most a third of its length away from name, or "".
func nearest(name string, names []string) string {
	best, bestDistance := "", len(name)
	for _, n := range names {
		d := distance(strings.ToLower(name), n)
		if d < bestDistance && d <= max(1, len(n)/3) {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance counts the insertions, deletions, changes and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	if len(a) > 64 { // no key is that long; the cost is the product of the lengths
		return len(a)
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
