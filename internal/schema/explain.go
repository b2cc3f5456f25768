package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"hob/internal/jsonl"
	"hob/internal/lists"
)

// explainer says what is wrong with arguments of which the validator has said that they do not fit: it stops at the
// first thing that is wrong, and in words for programmers.
type explainer struct {
	root     object   // a tidy schema
	names    []string // of the arguments
	cache    *explainerCache
	problems []Problem
}

// explainerCache is what an explanation makes once, however often it needs it.
type explainerCache struct {
	patterns   map[string]*regexp.Regexp
	validators map[uintptr]*jsonschema.Resolved // of schemas in the root
}

func newExplainer(root object, names []string) *explainer {
	once := &explainerCache{map[string]*regexp.Regexp{}, map[uintptr]*jsonschema.Resolved{}}
	return &explainer{root: root, names: names, cache: once}
}

func (e *explainer) add(at string, kind Kind, format string, args ...any) {
	e.problems = append(e.problems, Problem{Path: at, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// sorted returns the problems, what is missing first and then by path, each once. There is at least one: that of the
// validator, where the explainer found none.
func (e *explainer) sorted(err error) []Problem {
	rank := func(p Problem) int {
		if p.Kind == Required {
			return 0
		}
		return 1
	}
	sort.SliceStable(e.problems, func(i, j int) bool {
		a, b := e.problems[i], e.problems[j]
		return rank(a) < rank(b) || rank(a) == rank(b) && a.Path < b.Path
	})
	if len(e.problems) == 0 {
		return []Problem{{Kind: Value, Text: "the arguments do not fit: " + err.Error()}}
	}
	return slices.Compact(e.problems)
}

// explain reports what is wrong with the value v, which stands at a path. Of a value that is of another type, or none
// of a list, there is nothing else to say.
func (e *explainer) explain(s object, v any, at string) {
	if isFalse(s) {
		e.unknown(at)
		return
	}
	if want := typesOf(s); len(want) > 0 && !slices.ContainsFunc(want, func(t string) bool { return isA(v, t) }) {
		e.add(at, Format, "must be %s, not %s", types(want), Short(v))
		return
	}
	if want, ok := s["const"]; ok && !jsonschema.Equal(want, v) {
		e.add(at, Value, "must be %s, not %s", Short(want), Short(v))
		return
	}
	if want, ok := s["enum"].([]any); ok && !slices.ContainsFunc(want, func(w any) bool { return jsonschema.Equal(w, v) }) {
		e.add(at, Value, "must be one of %s, not %s", list(want), Short(v))
		return
	}
	before := len(e.problems)
	if to := target(e.root, s); to != nil {
		e.explain(to, v, at)
	}
	switch v := v.(type) {
	case map[string]any:
		e.object(s, v, at)
	case []any:
		e.array(s, v, at)
	case string:
		e.text(s, v, at)
	case json.Number:
		e.number(s, v, at)
	}
	e.choices(s, v, at)
	if len(e.problems) == before {
		e.unevaluated(s, v, at)
	}
}

// fits reports whether there is nothing to say about v.
func (e *explainer) fits(s object, v any) bool { return len(e.problemsOf(s, v, "")) == 0 }

// problemsOf returns what there is to say about v, and keeps it from the problems.
func (e *explainer) problemsOf(s object, v any, at string) []Problem {
	part := explainer{root: e.root, names: e.names, cache: e.cache}
	part.explain(s, v, at)
	return part.problems
}

// unknown reports a name that the schema does not have.
func (e *explainer) unknown(at string) {
	switch {
	case strings.Count(at, "/") > 1:
		e.add(at, Value, "unknown field")
	case len(e.names) == 0:
		e.add(at, Value, "unknown argument; it takes no arguments")
	default:
		e.add(at, Value, "unknown argument; the arguments are %s", strings.Join(e.names, ", "))
	}
}

func (e *explainer) object(s, v object, at string) {
	e.bounds(s, "Properties", len(v), at)
	e.required(s["required"], v, at, "is required")
	conditional, _ := s["dependentRequired"].(object)
	for _, name := range slices.Sorted(maps.Keys(conditional)) {
		if _, has := v[name]; has {
			e.required(conditional[name], v, at, "is required with "+name)
		}
	}
	dependent, _ := s["dependentSchemas"].(object)
	for _, name := range slices.Sorted(maps.Keys(dependent)) {
		if _, has := v[name]; has {
			e.explain(part(dependent, name), v, at)
		}
	}
	properties, _ := s["properties"].(object)
	patterns, _ := s["patternProperties"].(object)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		below, known := JoinPath(at, name), false
		if one := part(properties, name); one != nil {
			known = true
			e.explain(one, v[name], below)
		}
		for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
			if e.matches(pattern, name) {
				known = true
				e.explain(part(patterns, pattern), v[name], below)
			}
		}
		if others := part(s, "additionalProperties"); others != nil && !known {
			e.explain(others, v[name], below)
		}
		if names := part(s, "propertyNames"); names != nil && !e.fits(names, name) {
			e.add(below, Value, "is no name that is allowed (%s)", sentence(e.problemsOf(names, name, "")))
		}
	}
}

// bounds holds the number of some things against the least and the most of them.
func (e *explainer) bounds(s object, things string, n int, at string) {
	if want, ok := count(s, "min"+things); ok && n < want {
		e.add(at, Value, "min%s: got %d, want %d", things, n, want)
	}
	if want, ok := count(s, "max"+things); ok && n > want {
		e.add(at, Value, "max%s: got %d, want %d", things, n, want)
	}
}

func (e *explainer) required(names any, v object, at, text string) {
	list, _ := names.([]any)
	for _, name := range list {
		name, _ := name.(string)
		if _, has := v[name]; !has {
			e.add(JoinPath(at, name), Required, "%s", text)
		}
	}
}

func (e *explainer) array(s object, v []any, at string) {
	e.bounds(s, "Items", len(v), at)
	if unique, _ := s["uniqueItems"].(bool); unique {
		if i, j := findEqual(v); j > 0 {
			e.add(at, Value, "items at %d and %d are equal", i, j)
		}
	}
	first, _ := s["prefixItems"].([]any)
	items, contains := part(s, "items"), part(s, "contains")
	fitting := 0
	for i, item := range v {
		if i < len(first) {
			one, _ := first[i].(object)
			e.explain(one, item, JoinPath(at, strconv.Itoa(i)))
		} else if items != nil {
			e.explain(items, item, JoinPath(at, strconv.Itoa(i)))
		}
		if contains != nil && e.fits(contains, item) {
			fitting++
		}
	}
	if contains == nil {
		return
	}
	least, ok := count(s, "minContains")
	if !ok {
		least = 1
	}
	if fitting < least {
		e.add(at, Value, "must have at least %d items of the form that is wanted, not %d", least, fitting)
	}
	if most, ok := count(s, "maxContains"); ok && fitting > most {
		e.add(at, Value, "must have at most %d items of the form that is wanted, not %d", most, fitting)
	}
}

func (e *explainer) text(s object, v, at string) {
	got := utf8.RuneCountInString(v)
	if want, ok := count(s, "minLength"); ok && got < want {
		if want == 1 {
			e.add(at, Required, "must not be empty")
		} else {
			e.add(at, Value, "must have at least %d characters, not %d", want, got)
		}
	}
	if want, ok := count(s, "maxLength"); ok && got > want {
		e.add(at, Value, "must have at most %d characters, not %d", want, got)
	}
	if pattern, ok := s["pattern"].(string); ok && !e.matches(pattern, v) {
		e.add(at, Format, "must match the pattern %s, not %s", pattern, Short(v))
	}
}

func (e *explainer) number(s object, v json.Number, at string) {
	got := float(v)
	say := func(word, text string, wrong func(want float64) bool) {
		if n, ok := s[word].(json.Number); ok && wrong(float(n)) {
			e.add(at, Value, "must be %s %s, not %s", text, decimal(float(n)), Short(v))
		}
	}
	say("minimum", "at least", func(want float64) bool { return got < want })
	say("maximum", "at most", func(want float64) bool { return got > want })
	say("exclusiveMinimum", "more than", func(want float64) bool { return got <= want })
	say("exclusiveMaximum", "less than", func(want float64) bool { return got >= want })
	say("multipleOf", "a multiple of", func(want float64) bool { return !whole(got / want) })
}

// choices reports what is wrong with v by the keywords that put schemas together.
func (e *explainer) choices(s object, v any, at string) {
	all, _ := s["allOf"].([]any)
	for _, one := range all {
		one, _ := one.(object)
		e.explain(one, v, at)
	}
	if any, ok := s["anyOf"].([]any); ok {
		e.alternatives(any, v, at, len(any))
	}
	if one, ok := s["oneOf"].([]any); ok {
		e.alternatives(one, v, at, 1)
	}
	if not := part(s, "not"); not != nil && e.fits(not, v) {
		e.add(at, Value, "must not be of the form that is ruled out")
	}
	if cond := part(s, "if"); cond != nil {
		then := part(s, "else")
		if e.fits(cond, v) {
			then = part(s, "then")
		}
		if then != nil {
			e.explain(then, v, at)
		}
	}
}

// alternatives reports a choice that failed as one problem, for its parts contradict each other. Between one and most
// of the forms must fit.
func (e *explainer) alternatives(forms []any, v any, at string, most int) {
	var texts []string
	fitting := 0
	for _, form := range forms {
		form, _ := form.(object)
		if problems := e.problemsOf(form, v, at); len(problems) == 0 {
			fitting++
		} else if text := sentence(problems); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	switch {
	case fitting > most:
		e.add(at, Value, "fits more than one of the forms that exclude each other")
	case fitting == 0:
		e.add(at, Value, "fits none of the allowed forms (%s)", strings.Join(texts, ", or "))
	}
}

// sentence is several problems in one.
func sentence(problems []Problem) string {
	texts := lists.Map(problems, func(p Problem) string { return p.String() })
	return strings.Join(texts, " and ")
}

// unevaluated reports what no part of a schema speaks of. Which that is depends on the parts that fit, which only the
// validator knows; it names one where it may name several.
func (e *explainer) unevaluated(s object, v any, at string) {
	if part(s, "unevaluatedProperties") == nil && part(s, "unevaluatedItems") == nil {
		return
	}
	decides, ok := e.cache.validators[identity(s)]
	if !ok {
		alone := maps.Clone(s)
		if defs, ok := e.root["$defs"]; ok {
			alone["$defs"] = defs
		}
		decides, _ = newValidator(alone) // it was part of what compiled
		e.cache.validators[identity(s)] = decides
	}
	if decides == nil || decides.Validate(floats(v)) == nil {
		return
	}
	if o, ok := v.(object); ok && isFalse(part(s, "unevaluatedProperties")) {
		known := map[string]bool{}
		e.collectNames(s, known)
		before := len(e.problems)
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if !known[name] {
				e.unknown(JoinPath(at, name))
			}
		}
		if len(e.problems) > before {
			return
		}
	}
	e.add(at, Value, "has something that no part of its form allows")
}

// collectNames collects the names of the properties that a schema and the parts it is put together from speak of.
func (e *explainer) collectNames(s object, known map[string]bool) {
	properties, _ := s["properties"].(object)
	for name := range properties {
		known[name] = true
	}
	if to := target(e.root, s); to != nil {
		e.collectNames(to, known)
	}
	_ = parts(s, func(keyword string, part object) error {
		if appliesInPlace(keyword) {
			e.collectNames(part, known)
		}
		return nil
	})
}

// matches reports whether s holds what a pattern describes. A tidy schema has no pattern that cannot be compiled.
func (e *explainer) matches(pattern, s string) bool {
	re, ok := e.cache.patterns[pattern]
	if !ok {
		re = regexp.MustCompile(pattern)
		e.cache.patterns[pattern] = re
	}
	return re.MatchString(s)
}

// findEqual returns the places of two equal items, 0 and 0 if there are none.
func findEqual(items []any) (int, int) {
	first := map[string]int{}
	for j, item := range items {
		raw, err := jsonl.Marshal(floats(item))
		if err != nil {
			return 0, 0
		}
		text := string(raw)
		if i, ok := first[text]; ok {
			return i, j
		}
		first[text] = j
	}
	return 0, 0
}
