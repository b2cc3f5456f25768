package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/tools"
)

// Cache keeps a few KiB for each server from one process to the next.
type Cache interface {
	// Get returns what was set last for the server, or nil.
	Get(ctx context.Context, server string) ([]byte, error)
	Set(ctx context.Context, server string, data []byte) error
}

// Bounds on what a server says of itself.
const (
	maxTools        = 200
	maxPages        = 50
	maxDescription  = 300  // bytes of a tool's
	maxInstructions = 2000 // bytes of the server's
	maxMemory       = 4 << 20
)

// listing is what a server says of itself, as it is kept.
type listing struct {
	Of           string   `json:"of"` // what was started or asked: another server's is not taken for its
	Instructions string   `json:"instructions,omitempty"`
	Tools        []listed `json:"tools"`
}

// listed is one tool in a server's own words, made fit for a prompt.
type listed struct {
	Name        string          `json:"name"` // the server's own
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`
}

// catalog is what is known of a server. It is not changed.
type catalog struct {
	tools        []tools.Tool
	instructions string
	missing      []string // of [Server].Only
}

// about is what a server is for whose owner has not said it.
func (k *catalog) about(server string) string {
	names := lists.Map(k.tools, func(t tools.Tool) string { return strings.TrimPrefix(t.Name(), Prefix(server)) })
	if len(names) == 0 {
		return "Tools of the MCP server " + server + "."
	}
	return display.TruncateBytes("Tools of the MCP server "+server+": "+strings.Join(names, ", "), maxDescription)
}

// catalog makes tools of what a server says. What comes from a memory is no more believed than what comes from the server.
func (c *Client) catalog(l listing) *catalog {
	k := &catalog{instructions: display.TruncateBytes(plainText(l.Instructions), maxInstructions)}
	taken := l.Tools
	if len(c.cfg.Only) > 0 {
		taken = slices.DeleteFunc(slices.Clone(l.Tools), func(t listed) bool { return !slices.Contains(c.cfg.Only, t.Name) })
	}
	for _, name := range c.cfg.Only {
		if l.Of != "" && !slices.ContainsFunc(taken, func(t listed) bool { return t.Name == name }) {
			k.missing = append(k.missing, name)
		}
	}
	names := toolNames(c.cfg.Name, taken, c.cfg.Taken)
	for i, t := range taken {
		if names[i] == "" {
			continue
		}
		if made, err := c.tool(names[i], t); err == nil { // a name that no tool can have cannot come out of toolNames
			k.tools = append(k.tools, made)
		}
	}
	return k
}

// of names what is started or asked, so that another configuration does not begin with what this one has learnt.
func (c *Client) of() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", c.cfg.URL, c.cfg.Command.Args, c.cfg.Command.Dir))
	return hex.EncodeToString(sum[:8])
}

// recall returns what the memory holds of the server, which is nothing where it cannot be read.
func (c *Client) recall(ctx context.Context) (l listing) {
	if c.cfg.Memory == nil {
		return listing{}
	}
	data, err := c.cfg.Memory.Get(ctx, c.cfg.Name)
	if err != nil || len(data) > maxMemory || json.Unmarshal(data, &l) != nil || l.Of != c.of() || len(l.Tools) > maxTools {
		return listing{} // the server says it again when it is started
	}
	return l
}

// refresh asks the server for its tools and keeps them.
func (c *Client) refresh(ctx context.Context, r *run) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Times.Start, noticef("it did not list its tools within %s", c.cfg.Times.Start))
	defer cancel()
	all, err := list(ctx, r.session)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return &failure{server: c.cfg.Name, what: "did not list its tools", err: r.reason(err), stderr: r.lastStderr()}
	}
	l := listing{Of: c.of(), Tools: all}
	if said := r.session.InitializeResult(); said != nil {
		l.Instructions = display.TruncateBytes(plainText(said.Instructions), maxInstructions)
	}
	c.known.Store(c.catalog(l))
	if c.cfg.Memory == nil {
		return nil
	}
	data, err := json.Marshal(l)
	if err == nil && len(data) <= maxMemory {
		err = c.cfg.Memory.Set(ctx, c.cfg.Name, data)
	}
	if err != nil {
		return &failure{server: c.cfg.Name, what: "has tools that cannot be kept", err: noticef("%v", err)}
	}
	return nil
}

// list follows the pages of a server's tools.
func list(ctx context.Context, session *mcp.ClientSession) ([]listed, error) {
	all, cursor := []listed{}, ""
	seen := map[string]bool{}
	for range maxPages {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			if t == nil || t.Name == "" || len(t.Name) > 256 || seen[t.Name] {
				continue
			}
			if len(all) == maxTools {
				return all, nil
			}
			seen[t.Name] = true
			all = append(all, newListed(t))
		}
		if page.NextCursor == "" || page.NextCursor == cursor {
			break
		}
		cursor = page.NextCursor
	}
	return all, nil
}

// newListed keeps of a tool what a model is told. Its annotations are the server's claims about itself: nothing is made of them.
func newListed(t *mcp.Tool) listed {
	schema, why := fitSchema(t.InputSchema)
	text := cmp.Or(t.Description, t.Title)
	text = oneLine(text, maxDescription)
	if why != "" {
		text = strings.TrimSpace(text + " (It takes any arguments: " + why + ".)")
	}
	return listed{Name: t.Name, Description: text, Schema: schema}
}
