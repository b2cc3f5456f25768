package toolcall

import (
	"encoding/json"
	"sync"

	"hob/internal/llm"
	"hob/internal/schema"
)

// Offer is the tools that a model was told of. It is safe for concurrent use.
type Offer struct {
	tools  []offered // in the order of the request
	byName map[string]*offered
	beyond func(name string) *offered // a tool that is not in the request: only its exact name means it; nil: none
	relay  string                     // the tool that calls another by its name; "" is none
}

// offered is one tool of an Offer.
type offered struct {
	def     llm.ToolDefinition
	careful bool           // it has side effects: no call is resolved to it by resemblance
	schema  *schema.Schema // what calls are held against
	listed  *schema.Schema // what the model was told
	letters []rune         // of its name, see [letters]
	shape   func() shape   // of schema, read when it is needed first
}

// NewOffer returns the offer of defs. careful says which tools have side effects; nil says that all have.
func NewOffer(defs []llm.ToolDefinition, careful func(tool string) bool) *Offer {
	o := &Offer{tools: make([]offered, 0, len(defs)), byName: make(map[string]*offered, len(defs))}
	for _, def := range defs {
		o.tools = append(o.tools, newOffered(def, careful))
	}
	for i := range o.tools {
		o.byName[o.tools[i].def.Name] = &o.tools[i]
	}
	return o
}

func newOffered(def llm.ToolDefinition, careful func(tool string) bool) offered {
	raw := def.Parameters
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	one := offered{def: def, careful: careful == nil || careful(def.Name), listed: schema.New(raw)}
	if one.schema = one.listed; len(def.Accepts) > 0 {
		one.schema = schema.New(def.Accepts)
	}
	one.letters = []rune(letters(def.Name))
	read := sync.OnceValue(func() shape { return shapeOf(one.schema.Raw()) })
	one.shape = func() shape { return read().again() }
	return one
}

// Beyond returns the offer with further tools that may be called and that are not in the request. Find returns the one of a
// name, or false: it is called when a reply names a tool that is not in the request. Relay is the tool that calls another, with
// the name of that and its arguments; such a call is read as a call of the other tool. "" is none.
func (o *Offer) Beyond(find func(name string) (llm.ToolDefinition, bool), careful func(tool string) bool, relay string) *Offer {
	var mu sync.Mutex
	known := map[string]*offered{}
	return &Offer{tools: o.tools, byName: o.byName, relay: relay, beyond: func(name string) *offered {
		mu.Lock()
		defer mu.Unlock()
		if known[name] == nil {
			if def, ok := find(name); ok {
				one := newOffered(def, careful)
				known[name] = &one
			}
		}
		return known[name]
	}}
}

// named returns the tool of exactly that name, in the request or not.
func (o *Offer) named(name string) *offered {
	if tool := o.byName[name]; tool != nil {
		return tool
	}
	if o.beyond == nil {
		return nil
	}
	return o.beyond(name)
}
