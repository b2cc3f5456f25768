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
	beyond map[string]*offered // that it was not told of: only their exact names mean them
	relay  string              // the tool that calls another by its name; "" is none
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

// Beyond returns the offer with further tools that may be called and that the model is not told of. Relay is the tool that
// calls another, with the name of that and its arguments; what it calls is read as a call of that other tool. "" is none.
func (o *Offer) Beyond(defs []llm.ToolDefinition, careful func(tool string) bool, relay string) *Offer {
	more := NewOffer(defs, careful)
	return &Offer{tools: o.tools, byName: o.byName, beyond: more.byName, relay: relay}
}

// named returns the tool of exactly that name, told of or not.
func (o *Offer) named(name string) *offered {
	if tool := o.byName[name]; tool != nil {
		return tool
	}
	return o.beyond[name]
}
