package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/jsonl"
	"hob/internal/lists"
	"hob/internal/schema"
)

// ParseCommand parses the text behind the name of the command t into arguments of t, by its
// pattern:
//   - A word is the next argument of the pattern; name=value is the argument of that name, at any
//     place.
//   - A word, or the value after a "=", that begins with ' or " ends at the next such quote. In
//     "..." a \ escapes a " and a \; outside of quotes it escapes any character, also a blank. A
//     quote inside a word is an ordinary letter, and a word that begins with a quote is never
//     name=value.
//   - The quotes of phones, such as “...” and «...», are quotes if a word begins with the one and
//     ends with the other; the text between them stays as it is. A single one is a letter.
//   - A string is the word itself; an argument of another type is JSON: 5, true, ["a","b"]. A list
//     that takes the rest of the line may be written with commas instead: a, b.
//
// The result fits t's schema. The error is an [*Error] that says what is wrong, with the usage as
// its Suggestion.
func ParseCommand(t Tool, line string) (json.RawMessage, error) {
	return parseLine(t, func(c *commandLine) *Error { return c.read(line) })
}

// ParseWords is [ParseCommand] for a line that a shell has already split into words: quotes and \
// have no meaning in them.
func ParseWords(t Tool, words []string) (json.RawMessage, error) {
	return parseLine(t, func(c *commandLine) *Error { return c.readWords(words) })
}

func parseLine(t Tool, read func(*commandLine) *Error) (json.RawMessage, error) {
	if DefOf(t).Command == NoCommand {
		return nil, Missing(event.CodeToolNotFound, "%s is no command", t.Name())
	}
	args, bad := parseCommand(t, read)
	if bad == nil {
		return args, nil
	}
	if bad.Type == event.TypeValidation {
		bad.Suggestion = "usage: " + UsageLine(t)
	}
	return nil, bad
}

func parseCommand(t Tool, read func(*commandLine) *Error) (json.RawMessage, *Error) {
	check, err := checkerOf(t)
	if err != nil {
		return nil, uncallableError(t.Name(), err)
	}
	c, bad := newCommandLine(t)
	if bad != nil {
		return nil, bad
	}
	if bad := read(c); bad != nil {
		return nil, bad
	}
	fillDefaults(t, c.given)
	if missing := c.missing(); len(missing) > 0 {
		return nil, argumentError(t.Name(), missing)
	}
	raw, err := jsonl.Marshal(c.given)
	if err != nil {
		return nil, Invalid(event.CodeInvalidFormat, "the arguments have no JSON form: %v", err)
	}
	return check.fit(raw)
}

// commandLine is the state of parsing a command's line.
type commandLine struct {
	slots    []slot // not filled yet, in order
	known    []argument
	renamed  map[string]string // old names of arguments, and their new ones
	given    map[string]any
	executes bool // the rest of the line is a shell command, whose quotes matter
}

func newCommandLine(t Tool) (*commandLine, *Error) {
	known, slots, err := slotsOf(t)
	if err != nil {
		return nil, uncallableError(t.Name(), err)
	}
	return &commandLine{known: known, slots: slots, renamed: DefOf(t).Renamed, given: map[string]any{}, executes: DefOf(t).Capabilities.Has(Executes)}, nil
}

// slotsOf returns the arguments of t and the slots of its pattern.
func slotsOf(t Tool) (known []argument, slots []slot, err error) {
	if known, err = argumentsOf(t); err != nil {
		return nil, nil, err
	}
	if own := DefOf(t).Command; own != "" && own != NoCommand {
		_, slots, err = parsePattern(own)
		return known, slots, err
	}
	for _, a := range known {
		slots = append(slots, a.slot())
	}
	return known, slots, nil
}

// read fills the slots from a line.
func (c *commandLine) read(line string) *Error {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeftFunc(line, unicode.IsSpace) {
		name, from, rest, bad := c.place(line)
		switch {
		case bad != nil:
			return bad
		case rest:
			c.given[name] = c.restValue(name, from)
			return nil
		}
		text, after, closed := nextWord(from)
		if !closed {
			return Invalid(event.CodeInvalidFormat, "%s: the quote is not closed", schema.Short(line))
		}
		c.given[name] = c.value(name, text)
		line = after
	}
	return nil
}

// readWords fills the slots from words.
func (c *commandLine) readWords(words []string) *Error {
	for i, word := range words {
		name, text, rest, bad := c.place(word)
		switch {
		case bad != nil:
			return bad
		case rest:
			if at := slices.IndexFunc(words[i:], func(w string) bool { return strings.ContainsFunc(w, unicode.IsSpace) }); c.executes && at >= 0 && len(words) > i+1 {
				return Invalid(event.CodeInvalidValue, "%s: %s loses its quotes between other words; quote the whole command as one word", name, schema.Short(words[i+at]))
			}
			c.given[name] = c.restValue(name, strings.Join(words[i:], " "))
			return nil
		}
		c.given[name] = c.value(name, text)
	}
	return nil
}

// place finds the argument for the first word of line. It returns the line from the value on, and
// whether the argument takes all of it.
func (c *commandLine) place(line string) (name, from string, rest bool, bad *Error) {
	if name, from, named := c.named(line); named {
		if _, twice := c.given[name]; twice {
			return "", "", false, Invalid(event.CodeInvalidValue, "%s: is given twice", name)
		}
		return name, from, false, nil
	}
	c.slots = slices.DeleteFunc(c.slots, func(s slot) bool { _, filled := c.given[s.name]; return filled })
	key, near := c.misspelt(line)
	if len(c.slots) == 0 {
		if key != "" {
			return "", "", false, Invalid(event.CodeInvalidValue, "%s: unknown argument; the arguments are %s", key, strings.Join(c.names(), ", "))
		}
		return "", "", false, Invalid(event.CodeInvalidValue, "%s: is one word too many; quote words that belong together", schema.Short(line))
	}
	next := c.slots[0]
	if near != "" && !next.rest {
		return "", "", false, Invalid(event.CodeInvalidValue, "%s: unknown argument; did you mean %s? If it is text, write %s=%s=...",
			key, near, next.name, key)
	}
	return next.name, line, next.rest, nil
}

// misspelt returns the key of a leading name=value whose name is unknown, and the argument name
// most like it, or "".
func (c *commandLine) misspelt(line string) (key, near string) {
	key, _, ok := strings.Cut(line, "=")
	if !ok || !isToolName(key) {
		return "", ""
	}
	return key, Nearest(key, c.names())
}

// names returns the names of all arguments.
func (c *commandLine) names() []string {
	return lists.Map(c.known, func(a argument) string { return a.name })
}

// named returns the argument if line begins with its name and a "=", and the line from the value
// on.
func (c *commandLine) named(line string) (name, after string, ok bool) {
	name, after, ok = strings.Cut(line, "=")
	if is, old := c.renamed[name]; ok && old {
		name = is
	}
	return name, after, ok && slices.ContainsFunc(c.known, func(a argument) bool { return a.name == name })
}

// nextWord returns the first word of line and the text after it; closed is false if its quote is
// not closed.
func nextWord(line string) (word, rest string, closed bool) {
	if word, rest, ok := fineWord(line); ok {
		return word, rest, true
	}
	var b strings.Builder
	i := 0
	if line != "" && (line[0] == '\'' || line[0] == '"') {
		quote := line[0]
		for i = 1; i < len(line) && line[i] != quote; i++ {
			if quote == '"' && line[i] == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\\') {
				i++
			}
			b.WriteByte(line[i])
		}
		if i == len(line) {
			return "", "", false
		}
		i++
	}
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		if unicode.IsSpace(r) {
			break
		}
		if r == '\\' && i+1 < len(line) {
			i++
			_, size = utf8.DecodeRuneInString(line[i:])
		}
		b.WriteString(line[i : i+size])
		i += size
	}
	return b.String(), line[i:], true
}

// fineWord is nextWord for a word in the quotes of phones. If such a quote is not closed at the end
// of a word, it is a letter.
func fineWord(line string) (word, rest string, ok bool) {
	first, size := utf8.DecodeRuneInString(line)
	closing := closingOf(first)
	if closing == "" {
		return "", "", false
	}
	for i, r := range line[size:] {
		if !strings.ContainsRune(closing, r) {
			continue
		}
		after := line[size+i+utf8.RuneLen(r):]
		if next, _ := utf8.DecodeRuneInString(after); after == "" || unicode.IsSpace(next) {
			return line[size : size+i], after, true
		}
	}
	return "", "", false
}

// closingOf returns the quotes that can close the quote r, or "".
func closingOf(r rune) string {
	return map[rune]string{'“': "”", '„': "“”", '‘': "’", '‚': "‘’", '«': "»", '»': "«"}[r]
}

// restValue is value for an argument that takes the rest of the line: a list that is not JSON is
// split at its commas.
func (c *commandLine) restValue(name, text string) any {
	if types := c.typesOf(name); !slices.Contains(types, "array") || slices.Contains(types, "string") ||
		json.Unmarshal([]byte(text), &[]any{}) == nil {
		return c.value(name, text)
	}
	return splitList(text)
}

// splitList splits a text at commas and line ends, and trims the parts. A comma between two digits
// belongs to a number.
func splitList(text string) []string {
	parts, letters := []string{}, []rune(text)
	isDigit := func(i int) bool { return i >= 0 && i < len(letters) && unicode.IsDigit(letters[i]) }
	begin := 0
	for i := 0; i <= len(letters); i++ {
		if i < len(letters) && (!strings.ContainsRune(",，、\n", letters[i]) || letters[i] == ',' && isDigit(i-1) && isDigit(i+1)) {
			continue
		}
		if part := strings.TrimSpace(string(letters[begin:i])); part != "" {
			parts = append(parts, part)
		}
		begin = i + 1
	}
	return parts
}

// typesOf returns the types of an argument; none means any.
func (c *commandLine) typesOf(name string) []string {
	if i := slices.IndexFunc(c.known, func(a argument) bool { return a.name == name }); i >= 0 {
		return c.known[i].types
	}
	return nil
}

// value parses text by the schema of an argument. A text that fits no type stays a string, for the
// schema to refuse.
func (c *commandLine) value(name, text string) any {
	types := c.typesOf(name)
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	kind := "object"
	switch v.(type) {
	case nil:
		kind = "null"
	case bool:
		kind = "boolean"
	case string:
		kind = "string"
	case []any:
		kind = "array"
	case float64:
		kind = "number"
	}
	fits := slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer")
	if slices.Contains(types, "string") && (kind == "string" || !fits) {
		return text
	}
	return json.RawMessage(text)
}

// fillDefaults sets missing arguments to the defaults of t's pattern.
func fillDefaults(t Tool, given map[string]any) {
	c, bad := newCommandLine(t)
	if bad != nil {
		return // the call of t reports what is wrong
	}
	for _, s := range c.slots {
		if _, ok := given[s.name]; !ok && s.value != "" {
			given[s.name] = c.value(s.name, s.value)
		}
	}
}

// missing returns the required arguments of the pattern that are missing. A schema may require
// fewer.
func (c *commandLine) missing() (problems []schema.Problem) {
	for _, s := range c.slots {
		if _, ok := c.given[s.name]; s.required && !ok {
			problems = append(problems, schema.Problem{Path: "/" + s.name, Kind: schema.Required, Text: "is required"})
		}
	}
	return problems
}
