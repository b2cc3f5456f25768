package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"

	"hob/internal/tools"
)

const (
	maxName  = 64
	hashName = 8 // hexadecimal digits that tell names apart
)

// Prefix is what the names of all tools of a server begin with.
func Prefix(server string) string { return fold(server) + "_" }

// fold makes a name of letters, digits and underscores: what every chat template leaves as it is.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// toolNames returns the names that a server's tools have here, "" for one that can have none. A name does not depend on the
// order in which they are listed: of several that would be the same, those that are spelt otherwise by the server have a hash
// of that, and so have those that are too long, and those that are another's outside of the server.
func toolNames(server string, all []listed, others func(string) bool) []string {
	plain, count := make([]string, len(all)), map[string]int{}
	for i, t := range all {
		plain[i] = Prefix(server) + fold(t.Name)
		count[plain[i]]++
	}
	taken := map[string]bool{}
	for i, t := range all {
		name := plain[i]
		another := others != nil && others(name)
		if another || len(name) > maxName || count[plain[i]] > 1 && fold(t.Name) != t.Name {
			sum := sha256.Sum256([]byte(t.Name))
			name = name[:min(len(name), maxName-hashName-1)] + "_" + hex.EncodeToString(sum[:hashName/2])
		}
		if taken[name] || another && others(name) {
			name = "" // it was made to look like another
		}
		taken[name] = true
		plain[i] = name
	}
	return plain
}

// tool makes one of hob's tools of one of the server's. The arguments go to the server as they are: no number of theirs is
// rounded.
func (c *Client) tool(name string, l listed) (tools.Tool, error) {
	schema, _ := fitSchema(l.Schema) // from a memory, it may be anything
	same := func() (accepts, told json.RawMessage) { return schema, schema }
	return tools.NewRaw(tools.Def{
		Name: name, Description: oneLine(l.Description, 2*maxDescription), Capabilities: c.capabilities(), Level: c.cfg.Rights.Level,
		Timeout: -1, Source: c.source(), Order: requiredBy(schema), CapabilitiesOf: c.capabilitiesOf(), ResourcesOf: c.resourcesOf(),
	}, same, func(ctx context.Context, args json.RawMessage) (tools.Result, error) {
		return c.call(ctx, remoteTool{name: name, remote: l.Name}, args)
	})
}

// requiredBy returns the required arguments of a schema in the order in which it lists them: servers name first what matters most. The order
// of its other arguments is lost where the SDK reads it.
func requiredBy(schema json.RawMessage) []string {
	var s struct{ Required []string }
	if json.Unmarshal(schema, &s) != nil {
		return nil // there are none
	}
	return s.Required
}

// remoteTool is a tool by its two names.
type remoteTool struct {
	name   string // hob's
	remote string // the server's
}

// capabilities are what calls of the server's tools may do at most.
func (c *Client) capabilities() tools.Capabilities {
	if c.cfg.Rights.Capabilities == 0 {
		return tools.AnyCapability &^ tools.Executes // whoever is asked should read what matters: it cannot be taken back
	}
	return c.cfg.Rights.Capabilities | tools.Sends | tools.Untrusted
}

// capabilitiesOf says what one call may do: a server within walls that hold sends nothing.
func (c *Client) capabilitiesOf() func(context.Context, json.RawMessage) tools.Capabilities {
	sealed := c.cfg.Rights.Sealed
	if sealed == nil || c.cfg.Rights.Capabilities == 0 || c.cfg.URL != "" {
		return nil
	}
	return func(ctx context.Context, _ json.RawMessage) tools.Capabilities {
		if c.cfg.Rights.Capabilities.Has(tools.Sends) || !sealed(ctx) {
			return c.capabilities()
		}
		return c.capabilities() &^ tools.Sends
	}
}

// resourcesOf says where the arguments go. Where a process sends to cannot be said.
func (c *Client) resourcesOf() func(json.RawMessage) []tools.Resource {
	u, err := url.Parse(c.cfg.URL)
	if c.cfg.URL == "" || err != nil {
		return nil
	}
	host := strings.ToLower(u.Host)
	if host != "" && u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	return func(json.RawMessage) []tools.Resource { return []tools.Resource{{Host: host}} }
}
