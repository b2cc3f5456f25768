package toolcall

import (
	"encoding/json"

	"hob/internal/llm"
	"hob/internal/schema"
)

// Offer is the tools that a model was told of. It is safe for concurrent use.
type Offer struct {
	tools  []offered // in the order of the request
	byName map[string]*offered
}

// offered is one tool of an Offer.
type offered struct {
	def     llm.ToolDefinition
	careful bool           // it has side effects: no call is resolved to it by resemblance
	schema  *schema.Schema // what calls are held against
	told    *schema.Schema // what the model was told
}

// NewOffer returns the offer of defs. careful says which tools have side effects; nil says that all have.
func NewOffer(defs []llm.ToolDefinition, careful func(tool string) bool) *Offer {
	o := &Offer{tools: make([]offered, 0, len(defs)), byName: make(map[string]*offered, len(defs))}
	for _, def := range defs {
		raw := def.Parameters
		if len(raw) == 0 || string(raw) == "null" {
			raw = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		one := offered{def: def, careful: careful == nil || careful(def.Name), told: schema.New(raw)}
		if one.schema = one.told; len(def.Accepts) > 0 {
			one.schema = schema.New(def.Accepts)
		}
		o.tools = append(o.tools, one)
	}
	for i := range o.tools {
		o.byName[o.tools[i].def.Name] = &o.tools[i]
	}
	return o
}
