package intents

import (
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/llm"
)

// kindOf returns the kind of a sentence. Those of an owner are not among them: their zero kind is as good as none.
func kindOf(name string) kind {
	name = strings.TrimPrefix(name, missing)
	all := kinds()
	if i := slices.IndexFunc(all, func(k kind) bool { return k.name == name }); i >= 0 {
		return all[i]
	}
	return kind{name: name}
}

// perMistake is what each forgiven letter or word takes from a score.
const perMistake = 0.1

// reading returns what a parse means.
func (p parse) reading(own []ownKind) Reading {
	k := kindOf(p.kind)
	name, _, _ := strings.Cut(k.name, "/")
	r := Reading{
		Kind: name, Command: k.command, Acts: k.acts, Many: k.many, Lang: p.lang.name,
		Answer: p.lang.lists["answer."+k.name], Score: max(0.1, 1-perMistake*float64(p.forgiven)),
	}
	if strings.HasPrefix(p.kind, missing) {
		r.Ask, r.Answer, r.Acts = p.lang.lists["ask."+k.name], "", false
		return r
	}
	if k.tool == "" {
		return r
	}
	r.Call = llm.Call{Name: k.tool, Args: p.arguments(k.args)}
	r.Names = map[string]string{}
	for _, s := range p.slots {
		switch text, _ := s.value.(string); s.kind {
		case "path", "dir":
			r.Paths = append(r.Paths, text)
		case "tool", "skill", "story":
			r.Names[s.kind] = text
		}
	}
	return r
}

// arguments returns the arguments of a call, see kind.args. Their order is that of the kind.
func (p parse) arguments(args string) json.RawMessage {
	out := []byte{'{'}
	for arg := range strings.FieldsSeq(args) {
		name, value, _ := strings.Cut(arg, "=")
		if inner, ok := strings.CutPrefix(value, "{"); ok {
			slotName, other, _ := strings.Cut(strings.TrimSuffix(inner, "}"), "|")
			value = other
			if i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == slotName }); i >= 0 {
				raw, _ := json.Marshal(p.slots[i].value) // strings and numbers
				value = string(raw)
			}
			if value == "" {
				continue
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		key, _ := json.Marshal(name)
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}')
}
