package intents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/llm"
)

// kindOf returns the kind of a sentence. Those of an owner are not among them: they all act.
func kindOf(name string) kind {
	name = strings.TrimPrefix(name, missing)
	all := kinds()
	if i := slices.IndexFunc(all, func(k kind) bool { return k.name == name }); i >= 0 {
		return all[i]
	}
	return kind{name: name, acts: true}
}

// perMistake is what each forgiven letter or word takes from a score.
const perMistake = 0.1

// reading returns what a parse means.
func (p parse) reading(own []kind) Reading {
	k := kindOf(p.kind)
	if n, ok := strings.CutPrefix(p.kind, ownMark); ok {
		i, _ := strconv.Atoi(n)
		k = own[i]
	}
	if strings.HasPrefix(p.kind, missing) {
		return p.asking()
	}
	r := p.readingOf(k)
	r.Acts, r.Answer = k.acts, p.lang.section("answer."+k.name)
	if k.after != "" {
		r.Call.Args = p.arguments(k.args)
	}
	if k.tool == "" {
		return r
	}
	r.Call, r.from = llm.Call{Name: k.tool, Args: p.arguments(k.args)}, &p
	r.Near, r.Unnamed = k.near && !p.has("n") && !p.has("about"), p.unnamed(k)
	for _, s := range p.slots {
		r.Asks = r.Asks || s.kind == "query" && p.asks
		if text, _ := s.value.(string); s.is(present) {
			r.Paths = append(r.Paths, text)
		}
	}
	return r
}

// readingOf returns what a statement of a kind and a question have in common.
func (p parse) readingOf(k kind) Reading {
	name, _, _ := strings.Cut(k.name, "/")
	score := max(0.1, 1-perMistake*float64(p.forgiven))
	return Reading{Kind: name, Command: k.command, Many: k.many, Retracts: k.retracts, Lang: p.lang.name, Score: score}
}

// asking returns the question of a kind of chore.
func (p parse) asking() Reading {
	k := kindOf(p.kind)
	r := p.readingOf(k)
	r.Ask, r.Bare, r.from = p.lang.section("ask."+k.name), k.bare, &p
	if !k.acts || !p.asks || p.polite {
		r.Unnamed = p.unnamed(k)
	}
	return r
}

// textOf returns the text of the slot of a name, "" where there is none.
func (p parse) textOf(name string) string {
	i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == name })
	if i < 0 {
		return ""
	}
	text, _ := p.slots[i].value.(string)
	return text
}

// has reports whether there is a slot of that name.
func (p parse) has(name string) bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool { return s.name == name })
}

// unnamed returns the call of a kind that is about a list, without its list, where the words name none.
func (p parse) unnamed(k kind) llm.Call {
	if !strings.Contains(k.args, "list={list") || p.has("list") {
		return llm.Call{}
	}
	return llm.Call{Name: k.tool, Args: p.arguments(strings.ReplaceAll(k.args, `|"shopping"`, ""))}
}

// ownSeparator is between the arguments of an owner's sentence, whose texts may have spaces.
const ownSeparator = "\x00"

// arguments returns the arguments of a call, see kind.args. Their order is that of the kind.
func (p parse) arguments(args string) json.RawMessage {
	out := []byte{'{'}
	separator := " "
	if strings.Contains(args, ownSeparator) {
		separator = ownSeparator
	}
	for arg := range strings.SplitSeq(args, separator) {
		if arg == "" {
			continue
		}
		name, value, _ := strings.Cut(arg, "=")
		if inner, ok := strings.CutPrefix(value, "{"); ok {
			slotName, other, _ := strings.Cut(strings.TrimSuffix(inner, "}"), "|")
			value = other
			if i := slices.IndexFunc(p.slots, func(s slot) bool { return s.name == slotName }); i >= 0 {
				content := p.slots[i].value
				if n, ok := content.(int); ok && slotName == "note" { // its number is one of the words that find it
					content = strconv.Itoa(n)
				}
				raw, _ := json.Marshal(content) // strings and numbers
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

// CommandArgs returns the arguments of the call as the line of a command has them, such as "disable fetch".
func (r Reading) CommandArgs() string {
	var words []string
	d := json.NewDecoder(bytes.NewReader(r.Call.Args))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil { // its end
			return strings.TrimSpace(strings.Join(words, " "))
		}
		if _, isBracket := token.(json.Delim); !isBracket {
			words = append(words, fmt.Sprint(token))
		}
	}
}
