package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tomlfile"
)

// maxFile limits a file of profiles, in bytes: the seeds have about ten thousand.
const maxFile = 256 << 10

// maxExample limits an example of a call, in bytes, because it is part of the prompt.
const maxExample = 300

// Read adds the profiles of the file at path to the book. They win over existing ones that match
// equally well. A missing file has no profiles. The error for a faulty file has one sentence for
// each mistake, with the file, the line and the key; the book is then unchanged.
func (b *Book) Read(path string) error {
	src, err := tomlfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read profiles: %w", err)
	}
	entries, err := parse(path, src)
	if err != nil {
		return err
	}
	for _, e := range entries {
		e.own = true
		b.entries = append(b.entries, e)
	}
	return nil
}

// key is a key of an entry, with a function that stores its TOML value in the entry. That
// function's error is the end of a sentence that begins with the key.
type key struct {
	name string // with a dot for a key in a table of the entry
	set  func(*entry, any) error
}

// keyOf returns the key for a field of an entry.
func keyOf[T any](name string, field func(*entry) *T, read func(any) (T, error)) key {
	return key{name, func(e *entry, v any) (err error) {
		*field(e), err = read(v)
		return err
	}}
}

// numberKey returns the key for a number from least to most.
func numberKey(name string, least, most float64, field func(*entry) *llm.Setting) key {
	return keyOf(name, field, number(least, most))
}

// samplingKeys returns the keys of the sampling, beside the temperature, each with the prefix.
func samplingKeys(prefix string, field func(*entry) *llm.Sampling) []key {
	return []key{
		numberKey(prefix+"top_p", 0, 1, func(e *entry) *llm.Setting { return &field(e).TopP }),
		keyOf(prefix+"top_k", func(e *entry) *llm.Setting { return &field(e).TopK }, wholeSetting(0, 1000)),
		numberKey(prefix+"min_p", 0, 1, func(e *entry) *llm.Setting { return &field(e).MinP }),
		numberKey(prefix+"repeat_penalty", 0, 2, func(e *entry) *llm.Setting { return &field(e).RepeatPenalty }),
		numberKey(prefix+"presence_penalty", -2, 2, func(e *entry) *llm.Setting { return &field(e).PresencePenalty }),
		numberKey(prefix+"frequency_penalty", -2, 2, func(e *entry) *llm.Setting { return &field(e).FrequencyPenalty }),
	}
}

func keys() []key {
	keys := []key{
		keyOf("name", func(e *entry) *string { return &e.profile.Name }, line(100)),
		keyOf("match.names", func(e *entry) *[]string { return &e.names }, names),
		keyOf("match.parsers", func(e *entry) *[]string { return &e.parsers }, words),
		keyOf("match.families", func(e *entry) *[]string { return &e.families }, words),
		keyOf("mode", func(e *entry) *llm.Mode { return &e.profile.Mode }, oneOf(llm.NativeMode, llm.PromptMode, llm.SchemaMode)),
		keyOf("think", func(e *entry) *llm.Think { return &e.profile.Think },
			oneOf(llm.ThinkOff, llm.ThinkOn, llm.ThinkLow, llm.ThinkMedium, llm.ThinkHigh)),
		keyOf("keep_thinking", func(e *entry) *llm.Keep { return &e.profile.Keep }, oneOf(llm.KeepChain, llm.KeepAll, llm.KeepNone)),
		numberKey("temperature", 0, 2, func(e *entry) *llm.Setting { return &e.profile.Temperature }),
	}
	keys = append(keys, samplingKeys("", func(e *entry) *llm.Sampling { return &e.profile.Sampling })...)
	keys = append(keys, numberKey("thinking.temperature", 0, 2, func(e *entry) *llm.Setting { return &e.profile.ThinkingTemperature }))
	keys = append(keys, samplingKeys("thinking.", func(e *entry) *llm.Sampling { return &e.profile.ThinkingSampling })...)
	return append(keys,
		keyOf("num_ctx", func(e *entry) *int { return &e.profile.NumCtx }, whole(1024, 1<<24)),
		keyOf("max_tools", func(e *entry) *int { return &e.profile.MaxTools }, whole(1, 1000)),
		keyOf("one_call", func(e *entry) *bool { return &e.profile.OneCall }, boolean),
		keyOf("example", func(e *entry) *string { return &e.profile.Example }, line(maxExample)),
		keyOf("quirks", func(e *entry) *[]llm.Quirk { return &e.profile.Quirks }, quirks),
	)
}

// parse parses a file's text.
func parse(path, src string) ([]entry, error) {
	tree, bad := tomlfile.Decode(src)
	if bad != nil {
		return nil, fmt.Errorf("%s, line %d: %s", path, bad.Line, bad.Text)
	}
	lines := sync.OnceValue(func() tomlfile.Layout { return tomlfile.Scan(src) }) // for the lines of mistakes
	var wrong []error
	complain := func(line int, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%s, line %d: %s", path, line, fmt.Sprintf(format, args...)))
	}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if name != "profile" {
			complain(lines().Line(name), "%s is unknown: a file of profiles holds [[profile]] only", show(name))
		}
	}
	tables, isList := tablesOf(tree["profile"])
	if _, there := tree["profile"]; there && !isList {
		complain(lines().Line("profile"), "profile must be a list of tables, each begun by [[profile]]")
	}
	var entries []entry
	all := keys()
	for i, table := range tables {
		entry := []string{"profile", strconv.Itoa(i)}
		at := func(key string) int { // the entry's own line if the key is missing
			return cmp.Or(lines().Line(append(entry, strings.Split(key, ".")...)...), lines().Line(entry...), 1)
		}
		e := fill(all, table, entries, func(key, problem string) { complain(at(key), "%s %s", key, problem) })
		entries = append(entries, e)
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return entries, nil
}

// tablesOf reads a list of tables, written with headers or in brackets.
func tablesOf(v any) ([]map[string]any, bool) {
	values, isList := v.([]any)
	if !isList {
		tables, isList := v.([]map[string]any)
		return tables, isList
	}
	tables := make([]map[string]any, len(values))
	for i, v := range values {
		if tables[i], isList = v.(map[string]any); !isList {
			return nil, false
		}
	}
	return tables, true
}

// fill makes an entry from its table. before are the entries above it.
func fill(all []key, table map[string]any, before []entry, complain func(key, problem string)) entry {
	flat := map[string]any{}
	tables := map[string]string{
		"match": "names, parsers or families", "thinking": "the temperature and the like of a model that thinks",
	}
	for name, v := range table {
		holds, isTable := tables[name]
		inner, ok := v.(map[string]any)
		switch {
		case !isTable:
			flat[name] = v
		case !ok:
			complain(name, "must be a table with "+holds+", not "+show(v))
		default:
			for key, v := range inner {
				flat[name+"."+key] = v
			}
		}
	}
	var e entry
	if v, there := flat["like"]; there {
		i := slices.IndexFunc(before, func(e entry) bool { return e.profile.Name == v })
		if i < 0 {
			complain("like", "must be the name of an entry that stands before this one, not "+show(v))
		} else {
			e = before[i].likeness(slices.ContainsFunc(slices.Collect(maps.Keys(flat)), isSampling))
		}
		delete(flat, "like")
	}
	for name, has := range map[string]*bool{"mode": &e.hasMode, "max_tools": &e.hasMaxTools} {
		if _, there := flat[name]; there {
			*has = true
		}
	}
	for _, k := range all {
		v, there := flat[k.name]
		if !there {
			continue
		}
		if err := k.set(&e, v); err != nil {
			complain(k.name, err.Error())
		}
		delete(flat, k.name)
	}
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		complain(name, "is an unknown key; the keys are "+keyNames(all))
	}
	if !e.profile.ThinkingTemperature.IsSet && e.profile.ThinkingSampling != (llm.Sampling{}) {
		complain("thinking", "has no temperature: what stands there is all that counts where the model thinks")
	}
	_, named := table["name"]
	_, matched := table["match"]
	switch {
	case !named:
		complain("name", "is missing")
	case e.profile.Name == defaultName && matched:
		complain("match", "does not go with the name default, which stands for all models that nothing else matches")
	case e.profile.Name != defaultName && e.matchesNothing() && !matched:
		complain("match", "is missing: say by names, parsers or families which models are meant")
	case e.profile.Name != defaultName && e.matchesNothing():
		complain("match", "names no model: say by names, parsers or families which models are meant")
	}
	return e
}

// likeness returns an entry with the same keys for other models. Without sampling it leaves out the
// sampling keys.
func (e entry) likeness(ownSampling bool) entry {
	e.families, e.parsers, e.names = nil, nil, nil
	if p := &e.profile; ownSampling {
		p.Temperature, p.Sampling, p.ThinkingTemperature, p.ThinkingSampling = llm.Setting{}, llm.Sampling{}, llm.Setting{}, llm.Sampling{}
	}
	e.profile.Quirks = slices.Clone(e.profile.Quirks)
	return e
}

// isSampling reports whether a key belongs to the sampling.
func isSampling(name string) bool {
	name = strings.TrimPrefix(name, "thinking.")
	return slices.Contains([]string{"temperature", "top_p", "top_k", "min_p", "repeat_penalty", "presence_penalty", "frequency_penalty"}, name)
}

func keyNames(all []key) string {
	return "like, " + strings.Join(lists.Map(all, func(k key) string { return k.name }), ", ")
}

func boolean(v any) (bool, error) {
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("must be true or false, not %s", show(v))
	}
	return b, nil
}

// line reads a text of one line that is not empty.
func line(most int) func(any) (string, error) {
	return func(v any) (string, error) {
		s, ok := v.(string)
		switch {
		case !ok:
			return "", fmt.Errorf("must be a text, not %s", show(v))
		case strings.TrimSpace(s) == "":
			return "", errors.New("must not be empty")
		case len(s) > most:
			return "", fmt.Errorf("must have at most %d bytes, not %d", most, len(s))
		case strings.ContainsFunc(s, unicode.IsControl):
			return "", errors.New("must be one line without control characters")
		}
		return s, nil
	}
}

func list(v any) ([]string, error) {
	values, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of texts, not %s", show(v))
	}
	texts := make([]string, len(values))
	for i, v := range values {
		text, err := line(200)(v)
		if err != nil {
			return nil, fmt.Errorf("must be a list of texts: number %d %w", i+1, err)
		}
		texts[i] = text
	}
	return texts, nil
}

func words(v any) ([]string, error) {
	texts, err := list(v)
	for i := range texts {
		texts[i] = strings.ToLower(texts[i])
	}
	return texts, err
}

func names(v any) ([]string, error) {
	texts, err := words(v)
	for i, s := range texts {
		if bad := strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) && r != '*' }); bad >= 0 {
			return nil, fmt.Errorf(`must be names of models such as "ministral-3:8b" or "qwen3:*", and %s is none`, show(s))
		}
		if !strings.Contains(s, "*") {
			texts[i] = llm.FullName(s)
		}
	}
	return texts, err
}

// isNameRune reports whether names of models may contain r.
func isNameRune(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/:@", r))
}

func quirks(v any) ([]llm.Quirk, error) {
	texts, err := list(v)
	if err != nil {
		return nil, err
	}
	var all []llm.Quirk
	for _, text := range texts {
		q, err := oneOf(llm.StrictPromotion, llm.OverCalls, llm.FlatArguments, llm.LooseThinking, llm.AlwaysThinks)(text)
		if err != nil {
			return nil, fmt.Errorf("each %w", err)
		}
		if !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return all, nil
}

func oneOf[S ~string](allowed ...S) func(any) (S, error) {
	return func(v any) (S, error) {
		if s, ok := v.(string); ok && slices.Contains(allowed, S(s)) {
			return S(s), nil
		}
		texts := make([]string, len(allowed))
		for i, a := range allowed {
			texts[i] = string(a)
		}
		return "", fmt.Errorf("must be one of %s, not %s", strings.Join(texts, ", "), show(v))
	}
}

// number reads a number from least to most.
func number(least, most float64) func(any) (llm.Setting, error) {
	return func(v any) (llm.Setting, error) {
		n, ok := v.(float64)
		if i, isWhole := v.(int64); isWhole {
			n, ok = float64(i), true
		}
		if !ok || !(least <= n && n <= most) { // false for NaN, too
			return llm.Setting{}, fmt.Errorf("must be a number from %g to %g, not %s", least, most, show(v))
		}
		return llm.Set(n), nil
	}
}

// wholeSetting reads a whole number from least to most, which may be 0.
func wholeSetting(least, most int64) func(any) (llm.Setting, error) {
	return func(v any) (llm.Setting, error) {
		n, ok := v.(int64)
		if !ok || n < least || n > most {
			return llm.Setting{}, fmt.Errorf("must be a whole number from %d to %d, not %s", least, most, show(v))
		}
		return llm.Set(float64(n)), nil
	}
}

// whole reads a whole number from least to most, or 0 for an unset one.
func whole(least, most int64) func(any) (int, error) {
	return func(v any) (int, error) {
		n, ok := v.(int64)
		if !ok || n != 0 && (n < least || n > most) {
			return 0, fmt.Errorf("must be 0 or a whole number from %d to %d, not %s", least, most, show(v))
		}
		return int(n), nil
	}
}

// show formats a value for people, shortened to fit into a sentence.
func show(v any) string {
	var text string
	switch v := v.(type) {
	case string:
		text = strconv.Quote(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	default:
		text = fmt.Sprint(v)
	}
	return display.Truncate(text, 60)
}
