package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/llm"
)

// Registry holds an agent's tools by name. Use [NewRegistry]; the zero Registry is not usable. It
// is safe for concurrent use.
type Registry struct {
	mu    sync.RWMutex
	tools map[string]Tool
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{tools: map[string]Tool{}} }

// isToolName reports whether a name is safe in every chat template: Ollama's harmony renderer
// rewrites "-" and ".".
func isToolName(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
	return name != "" && len(name) <= 64 && strings.Trim(name, letters) == ""
}

// Register adds a tool. It refuses nil, a blank or malformed name, a name that is taken, and
// parameters that are not the JSON Schema of an object.
func (r *Registry) Register(t Tool) error {
	if t == nil {
		return fmt.Errorf("register tool: it is nil")
	}
	name := t.Name()
	if strings.TrimSpace(name) == "" {
		return fmt.Errorf("register tool: its name is blank")
	}
	if !isToolName(name) {
		return fmt.Errorf("register tool %q: a name is 1 to 64 of letters, digits, dot, dash and underscore", name)
	}
	if _, own := t.(schemaHolder); !own { // a tool of this package has a correct schema, which is not read before it is needed
		if _, err := schemaOf(t); err != nil {
			return fmt.Errorf("register tool %q: %w", name, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.tools[name]; taken {
		return fmt.Errorf("register tool %q: the name is taken", name)
	}
	r.tools[name] = t
	return nil
}

// ByName returns the tool of that name. The error is an [*Error] of code tool_not_found that lists
// the existing names.
func (r *Registry) ByName(name string) (Tool, error) {
	r.mu.RLock()
	t, ok := r.tools[name]
	r.mu.RUnlock()
	if ok {
		return t, nil
	}
	return nil, NotFound(name, r.All())
}

// NotFound returns the error for a name that no tool has.
func NotFound(name string, tools []Tool) *Error {
	names := lists.Map(tools, Tool.Name)
	if len(names) > 10 {
		names = append(names[:10], "...")
	}
	return Missing(event.CodeToolNotFound, "there is no tool %q", name).Suggest("use one of: " + strings.Join(names, ", "))
}

// All returns the tools, sorted by name.
func (r *Registry) All() []Tool {
	r.mu.RLock()
	all := slices.Collect(maps.Values(r.tools))
	r.mu.RUnlock()
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all
}

// ToSchema returns the definitions of the tools for a model, sorted by name. The bytes are the same
// every time.
func (r *Registry) ToSchema() []llm.ToolDefinition { return Schema(r.All()) }

// Schema returns the definitions of tools for a model, in the order of tools.
func Schema(tools []Tool) []llm.ToolDefinition {
	defs := make([]llm.ToolDefinition, 0, len(tools))
	for _, t := range tools {
		schema, err := schemaOf(t)
		if err != nil {
			continue // Register refuses such a tool
		}
		def := llm.ToolDefinition{Name: t.Name(), Description: t.Description(), Parameters: schema}
		if q, ok := t.(interface{ ModelSchema() json.RawMessage }); ok {
			if told := q.ModelSchema(); !bytes.Equal(told, schema) {
				def.Parameters, def.Accepts = told, schema
			}
		}
		defs = append(defs, def)
	}
	return defs
}

// schemaHolder is a tool that holds its schema as JSON.
type schemaHolder interface{ Schema() json.RawMessage }

// schemaOf returns the JSON Schema of t's parameters. A typed tool keeps the order of its fields;
// other schemas have sorted keys, as encoding/json writes maps.
func schemaOf(t Tool) (json.RawMessage, error) {
	if s, ok := t.(schemaHolder); ok {
		return s.Schema(), nil
	}
	return marshalSchema(t.Parameters())
}

// marshalSchema returns the JSON of a schema; nil means no parameters.
func marshalSchema(params map[string]any) (json.RawMessage, error) {
	if params == nil {
		params = map[string]any{"type": "object", "properties": map[string]any{}}
	}
	if params["type"] != "object" {
		return nil, fmt.Errorf(`its parameters must be a JSON Schema of type "object"`)
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("marshal its parameters: %w", err)
	}
	return raw, nil
}
