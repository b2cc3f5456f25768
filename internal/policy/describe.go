package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/jsonl"
	"hob/internal/phrases"
)

// shortHash is how many digits of a hash a person sees.
const shortHash = 12

// Render returns the text of a question, in its language: what the call will do, what it will run
// in and on, why it asks, and a short hash of the record. It uses only the record, and not its
// Text, so that a surface can render it again.
//
// A tool of hob's own may have a sentence, with times of a zone; see [planner]. The arguments that
// it leaves out follow in full. With a nil zone there is no sentence. Each line is the sentence,
// one argument ("name: value", further lines of a value indented) or one remark in brackets, and no
// argument can look like a remark.
func Render(a event.Asked, zone *time.Location) string {
	w := phrases.In(files, a.Lang)
	var lines []string
	args, isObject := argumentsOf(a.Args)
	if zone != nil {
		var sentence string
		if sentence, args = (planner{w, a.Lang, zone}).plan(a.Tool, args); sentence != "" {
			lines = append(lines, sentence)
		}
	}
	if !isObject && len(bytes.TrimSpace(a.Args)) > 0 {
		lines = append(lines, w.Text("asked.arguments", Visible(string(a.Args))))
	}
	for _, arg := range args {
		lines = append(lines, arg.line())
	}
	add := func(is, key string, args ...string) {
		if is != "" {
			lines = append(lines, w.Text("asked."+key, args...))
		}
	}
	for _, r := range a.Repairs {
		add("a repair", "repaired", inline(r))
	}
	add(a.Binding.Profile, "profile", inline(a.Binding.Profile))
	add(a.Binding.Dir, "dir", inline(a.Binding.Dir))
	add(a.Binding.Changes, "changes", counted(w, a.Binding.Changes))
	for _, f := range a.Binding.Files {
		add("a file", "file", inline(f.Path), short(f.Sum))
	}
	if why := Rule(a.Rule).why(w); why != "" {
		add(why, "why", why, a.Rule)
	} else {
		add(a.Rule, "rule", inline(a.Rule))
	}
	add(a.Hash, "record", inline(a.Tool), short(a.Hash))
	return strings.Join(lines, "\n")
}

// counted translates the counts of what a call changes, such as "2 timers, 1 alarm". It leaves
// unknown words as they are.
func counted(w phrases.Words, changes string) string {
	all := strings.Split(inline(changes), ", ")
	for i, one := range all {
		n, of, _ := strings.Cut(one, " ")
		of = cmp.Or(of, n)
		if words, ok := w.Find("counted."+of, n); ok {
			all[i] = words
		}
	}
	return strings.Join(all, w.Text("plan.between"))
}

func short(hash string) string {
	hash = inline(hash)
	return hash[:min(len(hash), shortHash)]
}

// argument is one argument of a call.
type argument struct {
	name string
	val  json.RawMessage
}

// argumentsOf returns the arguments in a JSON object, in order; ok is false if args is no object,
// which is then shown as it is.
func argumentsOf(args json.RawMessage) (all []argument, ok bool) {
	members, ok := jsonl.Members(args)
	for _, m := range members {
		all = append(all, argument{m.Name, m.Value})
	}
	return all, ok
}

// line returns the argument in full: a string as itself, anything else as JSON.
func (a argument) line() string {
	text := string(a.val)
	if a.val[0] == '"' {
		_ = json.Unmarshal(a.val, &text) // it was decoded before
	}
	return label(a.name) + ": " + Visible(text)
}

// label returns the name of an argument, quoted if it could be mistaken for something else.
func label(name string) string {
	odd := func(r rune) bool {
		return isHidden(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	}
	if name != "" && !strings.ContainsFunc(name, odd) {
		return name
	}
	return `"` + strings.ReplaceAll(inline(name), `"`, `\u{22}`) + `"`
}

// Visible replaces invisible parts of s, and parts that change how the rest looks, by escapes such
// as \u{202e}: control, format and bidirectional characters, blanks other than spaces, and invalid
// UTF-8. Line ends stay, with an indent. A backslash that would look like the start of an escape is
// escaped itself, so that different texts never look the same.
func Visible(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x{%x}`, s[i])
		case r == '\n':
			b.WriteString("\n    ")
		case isHidden(r) || r == '\\' && (strings.HasPrefix(s[i+1:], "u{") || strings.HasPrefix(s[i+1:], "x{")):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// inline is Visible for text within a line.
func inline(s string) string { return strings.ReplaceAll(Visible(s), "\n    ", `\u{a}`) }

// isHidden reports whether r is invisible, or changes how other characters look.
func isHidden(r rune) bool {
	switch {
	case r == ' ' || r == '\u3000': // U+3000 is as wide as a letter
		return false
	case r >= 0x20 && r < 0x7f:
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) || r == '\u2800'
}
