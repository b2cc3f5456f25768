package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// address is where a schema stands that does not say it itself.
const address = "hob:///parameters.json"

// inDefs is how a tidy $ref begins.
const inDefs = "#/$defs/"

// tidier finds what a schema refers to, and then rewrites it in place.
type tidier struct {
	draft     int
	root      object
	bases     map[uintptr]*url.URL // where the references of each schema start from
	addresses map[string]object    // by address
	needed    []object             // every schema that arguments are held against
	names     map[uintptr]string   // in the new $defs; "" for a needed schema that nothing refers to
	defs      object
}

// tidy rewrites the schema root, see [ready].
func tidy(root object) error {
	draft, err := draftOf(root["$schema"])
	if err != nil {
		return err
	}
	t := &tidier{
		draft: draft, root: root, bases: map[uintptr]*url.URL{}, addresses: map[string]object{}, names: map[uintptr]string{}, defs: object{},
	}
	base, err := url.Parse(address)
	if err != nil {
		return err
	}
	if err := t.visit(root, base, 0); err != nil {
		return err
	}
	if err := t.need(root); err != nil {
		return err
	}
	for _, schema := range t.needed {
		if err := t.rewrite(schema); err != nil {
			return err
		}
	}
	if name := t.names[identity(root)]; name != "" {
		t.defs[name] = maps.Clone(root)
	}
	if len(t.defs) > 0 {
		root["$defs"] = t.defs
	}
	return nil
}

// draftOf returns the draft that $schema names: 4, 6, 7, 2019 or 2020.
func draftOf(v any) (int, error) {
	name, ok := v.(string)
	if v != nil && !ok {
		return 0, fmt.Errorf("its $schema is %s", Short(v))
	}
	_, name, _ = strings.Cut(strings.TrimSuffix(name, "#"), "://")
	drafts := map[string]int{
		"":                                     2020,
		"json-schema.org/schema":               2020,
		"json-schema.org/draft/2020-12/schema": 2020,
		"json-schema.org/draft/2019-09/schema": 2019,
		"json-schema.org/draft-07/schema":      7,
		"json-schema.org/draft-06/schema":      6,
		"json-schema.org/draft-04/schema":      4,
	}
	if draft := drafts[name]; draft != 0 {
		return draft, nil
	}
	return 0, fmt.Errorf("its $schema is %s, which is no known draft", Short(v))
}

// visit notes where a schema, and all that stand in it, can be found; it stands at base.
func (t *tidier) visit(schema object, base *url.URL, depth int) error {
	if t.bases[identity(schema)] != nil {
		return nil
	}
	if depth > maxDepth {
		return fmt.Errorf("it nests deeper than %d levels", maxDepth)
	}
	base, err := t.name(schema, base)
	if err != nil {
		return err
	}
	t.bases[identity(schema)] = base
	return parts(schema, func(_ string, part object) error { return t.visit(part, base, depth+1) })
}

// need notes that arguments are held against a schema, and all that stand in it or that it refers to. What it refers to
// goes to the new $defs.
func (t *tidier) need(schema object) error {
	if _, noted := t.names[identity(schema)]; noted {
		return nil
	}
	t.names[identity(schema)] = ""
	t.needed = append(t.needed, schema)
	for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := schema[word].(string)
		if !ok {
			continue
		}
		at, err := t.bases[identity(schema)].Parse(ref)
		if err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
		to, err := t.find(at)
		if err == nil {
			err = t.visit(to, at, 0) // it may stand where no schema was expected
		}
		if err == nil {
			err = t.need(to)
		}
		if err != nil {
			return err
		}
		t.refer(schema, word, to)
	}
	return parts(schema, func(keyword string, part object) error {
		if keyword == "$defs" || keyword == "definitions" {
			return nil
		}
		return t.need(part)
	})
}

// refer makes a keyword of a schema lead to another in the new $defs. With one document in view all the keywords that
// refer do the same.
func (t *tidier) refer(schema object, word string, to object) {
	name := t.names[identity(to)]
	if name == "" {
		name = strconv.Itoa(len(t.defs) + 1)
		t.names[identity(to)] = name
		t.defs[name] = to
	}
	if word == "$ref" {
		schema[word] = inDefs + name
		return
	}
	from := object{"$ref": inDefs + name}
	t.names[identity(from)] = "" // it is tidy
	all, _ := schema["allOf"].([]any)
	schema["allOf"] = append(slices.Clip(all), from)
}

// name notes where a schema can be found, and returns the address that references in it start from.
func (t *tidier) name(schema object, base *url.URL) (*url.URL, error) {
	word := "$id"
	if t.draft == 4 {
		word = "id"
	}
	note := func(at *url.URL) {
		if t.addresses[at.String()] == nil {
			t.addresses[at.String()] = schema
		}
	}
	if len(t.addresses) == 0 {
		note(base)
	}
	id, ok := schema[word].(string)
	if _, ref := schema["$ref"]; ok && !(ref && t.draft <= 7) {
		at, err := base.Parse(id)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		note(at)
		if !strings.HasPrefix(id, "#") {
			base = withFragment(at, "")
			note(base)
		}
	}
	for _, word := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, ok := schema[word].(string); ok {
			note(withFragment(base, anchor))
		}
	}
	return base, nil
}

func withFragment(u *url.URL, fragment string) *url.URL {
	at := *u
	at.Fragment, at.RawFragment = fragment, ""
	return &at
}

// find returns the schema that is called to, or that the pointer in its fragment leads to.
func (t *tidier) find(to *url.URL) (object, error) {
	if schema := t.addresses[to.String()]; schema != nil {
		return schema, nil
	}
	schema := t.addresses[withFragment(to, "").String()]
	if schema == nil {
		return nil, fmt.Errorf("%s is outside of the schema", to)
	}
	if to.Fragment != "" && to.Fragment[0] != '/' {
		return nil, fmt.Errorf("nothing in the schema is called %s", to.Fragment)
	}
	var v any = schema
	for step := range strings.SplitSeq(strings.TrimPrefix(to.Fragment, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch in := v.(type) {
		case object:
			v = in[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < len(in) {
				v = in[i]
			} else {
				v = nil
			}
		}
	}
	if v == nil {
		return nil, fmt.Errorf("the schema has nothing at #%s", to.Fragment)
	}
	return schemaOf(v)
}

// target returns what the $ref of a tidy schema leads to, or nil.
func target(root, schema object) object {
	ref, ok := schema["$ref"].(string)
	if !ok {
		return nil
	}
	defs, _ := root["$defs"].(object)
	to, _ := defs[strings.TrimPrefix(ref, inDefs)].(object)
	return to
}

// rewrite puts a schema into the words of draft 2020-12, and leaves out what no argument is held against.
func (t *tidier) rewrite(schema object) error {
	if ref, ok := schema["$ref"]; ok && t.draft <= 7 {
		clear(schema)
		schema["$ref"] = ref
	}
	if list, ok := schema["items"].([]any); ok {
		schema["prefixItems"] = list
		schema["items"] = schema["additionalItems"]
	}
	for _, side := range []string{"Minimum", "Maximum"} {
		if strict, ok := schema["exclusive"+side].(bool); ok { // in draft 4
			bound := strings.ToLower(side)
			delete(schema, "exclusive"+side)
			if strict {
				schema["exclusive"+side] = schema[bound]
				delete(schema, bound)
			}
		}
	}
	if schema["type"] == "" { // which programs write that keep no difference between none and an empty one
		delete(schema, "type")
	}
	splitDependencies(schema)
	usablePatterns(schema)
	for word, v := range schema {
		if v == nil && word != "const" || !checks(word) {
			delete(schema, word)
		}
	}
	if err := usableMultiple(schema); err != nil {
		return err
	}
	for _, name := range typesOf(schema) {
		if article(name) == "" {
			return fmt.Errorf("%s is no type", Short(name))
		}
	}
	return nil
}

// checks reports whether arguments are held against a keyword.
func checks(keyword string) bool {
	switch keyword {
	case "$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "type", "enum", "const",
		"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern",
		"prefixItems", "items", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems",
		"properties", "patternProperties", "additionalProperties", "propertyNames", "minProperties", "maxProperties", "required",
		"dependentRequired", "unevaluatedProperties":
		return true
	}
	return false
}

// splitDependencies puts what older drafts call dependencies where newer ones have it.
func splitDependencies(schema object) {
	members, _ := schema["dependencies"].(object)
	for name, v := range members {
		word := "dependentSchemas"
		if _, list := v.([]any); list {
			word = "dependentRequired"
		}
		into, _ := schema[word].(object)
		if into == nil {
			into = object{}
			schema[word] = into
		}
		if _, has := into[name]; !has {
			into[name] = v
		}
	}
}

// usablePatterns leaves out the patterns that Go cannot read. Schemas are written for another dialect of regular
// expressions; what only that one has is left for the tool itself to check.
func usablePatterns(schema object) {
	usable := func(s string) bool {
		_, err := regexp.Compile(s)
		return err == nil
	}
	if s, ok := schema["pattern"].(string); ok && !usable(s) {
		delete(schema, "pattern")
	}
	members, _ := schema["patternProperties"].(object)
	for pattern := range members {
		if !usable(pattern) {
			delete(members, pattern)
			members[""] = object{} // it may be any name
		}
	}
}

// usableMultiple leaves out a multipleOf with a fraction: the validator computes in floating point, where
// 19.99 is no multiple of 0.01.
func usableMultiple(schema object) error {
	n, ok := schema["multipleOf"].(json.Number)
	if !ok {
		return nil
	}
	f := float(n)
	if f <= 0 {
		return errors.New("its multipleOf is not above 0")
	}
	if !whole(f) {
		delete(schema, "multipleOf")
	}
	return nil
}
