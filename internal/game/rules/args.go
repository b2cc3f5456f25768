package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// Args are the arguments of a call, by the names of the tool's parameters.
type Args struct {
	raw    map[string]json.RawMessage // JSON null is left out
	actual []member                   // as they were given
}

// member is an argument as it was given.
type member struct {
	given string // its name
	name  string // of the parameter
	raw   json.RawMessage
}

// Has reports whether an argument was given and is not null.
func (a Args) Has(name string) bool { return a.raw[name] != nil }

// Given reports whether an argument was given, even as null.
func (a Args) Given(name string) bool {
	return slices.ContainsFunc(a.actual, func(m member) bool { return m.name == name })
}

// Raw returns an argument as JSON, or nil.
func (a Args) Raw(name string) json.RawMessage { return a.raw[name] }

// Text returns a string, or "" if the argument is none. A string of the type [ID] is trimmed.
func (a Args) Text(name string) string {
	var s string
	if raw := a.raw[name]; raw == nil || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Int returns a whole number, or other if the argument is none.
func (a Args) Int(name string, other int64) int64 {
	if n, err := strconv.ParseInt(string(a.raw[name]), 10, 64); err == nil {
		return n
	}
	return other
}

// Flag returns true or false, or other if the argument is neither.
func (a Args) Flag(name string, other bool) bool {
	switch string(a.raw[name]) {
	case "true":
		return true
	case "false":
		return false
	}
	return other
}

// List returns a list of trimmed strings, or nil if the argument is none.
func (a Args) List(name string) []string {
	var list []string
	if raw := a.raw[name]; raw == nil || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for i, s := range list {
		list[i] = strings.TrimSpace(s)
	}
	return list
}

// Object reads an argument that is an object, as arguments again. ok is false for any other value.
func (a Args) Object(name string) (inner Args, ok bool) { return parseArgs(a.raw[name]) }

// Names returns the names of all arguments, as they were given.
func (a Args) Names() []string {
	names := make([]string, len(a.actual))
	for i, m := range a.actual {
		names[i] = m.given
	}
	return names
}

// parseArgs reads the arguments of a call. A value that is no object is not ok.
func parseArgs(raw json.RawMessage) (a Args, ok bool) {
	a = Args{raw: map[string]json.RawMessage{}}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return a, true
	}
	var packed bytes.Buffer
	if raw[0] != '{' || json.Compact(&packed, raw) != nil {
		return a, false
	}
	s := world.Scan(packed.Bytes())
	s.Expect('{')
	for n := 0; ; n++ {
		given, more := s.Member(n)
		if !more {
			break
		}
		m := member{given: string(given), name: SnakeCase(string(given)), raw: s.Raw()}
		a.actual = append(a.actual, m)
		if string(m.raw) != "null" {
			a.raw[m.name] = m.raw
		}
	}
	return a, s.Err() == nil
}

// SnakeCase returns a camelCase name in snake_case.
func SnakeCase(name string) string {
	if strings.ToLower(name) == name {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// set sets an argument that was not given or that was given in another form.
func (a *Args) set(name string, raw json.RawMessage) {
	a.raw[name] = raw
	for i := range a.actual {
		if a.actual[i].name == name {
			a.actual[i].raw = raw
			return
		}
	}
	a.actual = append(a.actual, member{given: name, name: name, raw: raw})
}

// drop removes an argument.
func (a *Args) drop(name string) {
	delete(a.raw, name)
	a.actual = slices.DeleteFunc(a.actual, func(m member) bool { return m.name == name })
}

// encode returns the arguments as they were given and then understood.
func (a Args) encode() json.RawMessage {
	o := NewObj()
	for _, m := range a.actual {
		o.Raw(m.given, m.raw)
	}
	return o.Bytes()
}

// check holds the arguments against a tool's parameters. A nil result means that they fit.
func (a *Args) check(t *Tool) *Verdict {
	seen := make(map[string]bool, len(a.actual))
	for _, m := range a.actual {
		if seen[m.name] {
			return Refuse(InvalidArgs, "arg_twice", m.given)
		}
		seen[m.name] = true
		if !t.takes(m.name) && !isImplied(t, m.name) {
			return Refuse(InvalidArgs, "arg_unknown", m.given, t.Name)
		}
	}
	if missing := a.missing(t); len(missing) > 1 {
		return Refuse(InvalidArgs, "args_missing", strings.Join(missing, ", "))
	}
	for i := range t.Params {
		if d := a.checkArg(t, &t.Params[i]); d != nil {
			return d
		}
	}
	return nil
}

// missing names the needed arguments that were not given or are blank.
func (a *Args) missing(t *Tool) (names []string) {
	for i := range t.Params {
		p := &t.Params[i]
		raw := a.raw[p.Name]
		blank := raw == nil && !(p.Null && a.Given(p.Name))
		if raw != nil && raw[0] == '"' && p.Type != Any0 {
			blank = strings.TrimSpace(a.Text(p.Name)) == ""
		}
		if p.Need && blank {
			names = append(names, p.Name)
		}
	}
	return names
}

// isImplied reports whether every tool of this kind takes an argument: the caller's session, and who acts.
func isImplied(t *Tool, name string) bool {
	return name == "session_id" || name == "actor_id" && t.Class == Acting
}

func (t *Tool) takes(name string) bool {
	return slices.ContainsFunc(t.Params, func(p Param) bool { return p.Name == name })
}

// checkArg checks an argument by its parameter, and trims it if the parameter asks for that.
func (a *Args) checkArg(t *Tool, p *Param) *Verdict {
	raw := a.raw[p.Name]
	missing := cmp.Or(t.Missing, "arg_missing")
	if raw == nil {
		if p.Need && !(p.Null && a.Given(p.Name)) {
			return Refuse(InvalidArgs, missing, p.Name)
		}
		return nil
	}
	switch p.Type {
	case ID, Text, Any0:
		return a.checkText(p, raw, missing)
	case Int:
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil {
			return Refuse(InvalidArgs, "arg_int", p.Name)
		}
		if p.Max != 0 && (n < p.Min || n > p.Max) {
			return Refuse(InvalidArgs, "arg_range", p.Name, p.Min, p.Max)
		}
	case Flag:
		if s := string(raw); s != "true" && s != "false" {
			return Refuse(InvalidArgs, "arg_flag", p.Name)
		}
	case List:
		var list []*string
		if raw[0] != '[' || json.Unmarshal(raw, &list) != nil || slices.Contains(list, nil) {
			return Refuse(InvalidArgs, "arg_list", p.Name)
		}
	case Object:
		if raw[0] != '{' {
			return Refuse(InvalidArgs, "arg_object", p.Name)
		}
	}
	return nil
}

// checkText checks a string by its parameter.
func (a *Args) checkText(p *Param, raw json.RawMessage, missing string) *Verdict {
	if raw[0] != '"' {
		return Refuse(InvalidArgs, "arg_text", p.Name)
	}
	s := a.Text(p.Name)
	trimmed := strings.TrimSpace(s)
	if trimmed == "" && p.Type != Any0 {
		if p.Need {
			return Refuse(InvalidArgs, missing, p.Name)
		}
		delete(a.raw, p.Name) // a blank one that may be left out is one that was
		return nil
	}
	if p.Type == ID && trimmed != s {
		a.set(p.Name, world.AppendString(nil, trimmed))
		s = trimmed
	}
	if len(p.Enum) == 0 || slices.Contains(p.Enum, s) {
		return nil
	}
	return Refuse(InvalidArgs, "arg_enum", p.Name, strings.Join(p.Enum, ", "))
}
