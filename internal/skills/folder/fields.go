package folder

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"hob/internal/display"
	"hob/internal/event"
)

// take checks the fields and puts what they say into the skill.
func (r *reading) take(fields []field) {
	r.skill.Scopes = []string{"private"} // what a household writes for itself is not for the strangers in a group
	var named, described bool
	for _, f := range fields {
		switch f.key {
		case "name":
			named = true
			r.takeName(f)
		case "description":
			described = true
			r.takeDescription(f)
		case "license":
			r.text(f)
		case "compatibility":
			if text, ok := r.text(f); ok && utf8.RuneCountInString(text) > maxCompat {
				r.warn(f.line, "compatibility has more than %d letters: say in a sentence what the skill needs", maxCompat)
			}
		case "metadata":
			r.takeMetadata(f)
		case "allowed-tools":
			r.takeAllowed(f)
		default:
			r.unknown(f)
		}
	}
	if !named {
		r.fail(1, "the name is missing: add a line name: %s between the two lines ---", suggest(r.name))
	}
	if !described {
		r.fail(1, "the description is missing: add a line description: with what the skill does and when it is needed")
	}
	if len(r.skill.Keywords)+len(r.skill.Tags) == 0 {
		r.skill.Keywords = wordsOfName(r.skill.Name)
	}
	if r.options.Trusted == nil || !r.options.Trusted(r.skill.Name) {
		r.skill.Label = event.Label{Untrusted: true, Source: "skill:" + r.skill.Name}
	}
}

// unknown takes a field that is none of the format. What is meant for hob and stands in the wrong place is read all the same:
// it may narrow what the skill is there for.
func (r *reading) unknown(f field) {
	switch {
	case r.takeWord(f):
		r.warn(f.line, "%s belongs below a line metadata:, indented by two blanks, where other programs leave it alone", f.key)
	case f.key == "allowed_tools" || f.key == "allowedTools" || f.key == "tools":
		r.warn(f.line, "%s is read as allowed-tools: call it that", f.key)
		r.takeAllowed(f)
	default:
		r.warn(f.line, "hob knows no field %s and goes on without it; what is for people to read can stand below metadata:", quoteName(f.key))
	}
}

func (r *reading) takeName(f field) {
	name, ok := r.text(f)
	switch {
	case !ok: // told
	case name == "":
		r.fail(f.line, "the name is empty: write name: %s", suggest(r.name))
	case wrongName(name) != "":
		r.fail(f.line, "the name %s %s: write name: %s, and call the folder the same", quoteName(name), wrongName(name), suggest(name))
	case name != r.name:
		r.fail(f.line, "the name is %s and that of its folder %s: make them the same, by renaming one of the two", quoteName(name), quoteName(r.name))
	}
	r.skill.Name = name
}

// wrongName says what is wrong with the name of a skill; "" where nothing is.
func wrongName(name string) string {
	strange := strings.IndexFunc(name, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' })
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxName:
		return fmt.Sprintf("has more than %d letters", maxName)
	case strange >= 0:
		c, _ := utf8.DecodeRuneInString(name[strange:])
		return fmt.Sprintf("has %q in it, and only a to z, 0 to 9 and hyphens are allowed", c)
	case name[0] == '-' || name[len(name)-1] == '-':
		return "begins or ends with a hyphen"
	case strings.Contains(name, "--"):
		return "has two hyphens in a row"
	}
	return ""
}

// suggest returns a name that is allowed and resembles name.
func suggest(name string) string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	joined := strings.Join(parts, "-")
	joined = strings.TrimRight(joined[:min(len(joined), maxName)], "-")
	if joined == "" {
		return "my-skill"
	}
	return joined
}

func (r *reading) takeDescription(f field) {
	text, ok := r.text(f)
	r.skill.Description = display.Join(text)
	hidden, is := hiddenRune(text)
	switch n := utf8.RuneCountInString(r.skill.Description); {
	case !ok: // told
	case n == 0:
		r.fail(f.line, "the description is empty: say what the skill does and when it is needed")
	case n > maxDescription:
		r.fail(f.line, "the description has %d letters, and %d is the most: move the rest below the second line ---", n, maxDescription)
	case is:
		r.fail(f.line, "the description holds the character %U, which nobody sees: remove it", hidden)
	case f.value.LineComment != "":
		r.warn(f.line, "what follows the # is a comment and not in the description: put the whole value in quotes if it belongs there")
	}
}

// hiddenRune returns the first character of a text that a person who looks at it does not see and a model reads.
func hiddenRune(text string) (rune, bool) {
	i := strings.IndexFunc(text, isHidden)
	if i < 0 {
		return 0, false
	}
	c, _ := utf8.DecodeRuneInString(text[i:])
	return c, true
}

// isHidden reports whether c is a control character, turns the direction of letters around, or is one of those in which texts are
// smuggled. What joins letters in scripts that need it, and marks of direction that do no harm, are none.
func isHidden(c rune) bool {
	switch {
	case c == '\n', c == '\t', c == '\r':
		return false
	case unicode.IsControl(c), c >= 0x202A && c <= 0x202E, c >= 0x2066 && c <= 0x2069, c == 0x200B, c >= 0x2060 && c <= 0x2064, c == 0xFEFF:
		return true
	}
	return c >= 0xE0000 && c <= 0xE0FFF
}

// text returns the value of a field that has one text. Numbers and dates are the text that they are written as.
func (r *reading) text(f field) (string, bool) {
	if f.value.Kind != yaml.ScalarNode {
		severity := Warning
		if f.key == "name" || f.key == "description" {
			severity = Error // a skill cannot be without
		}
		r.add(severity, skillFile, f.line, "%s must be one text: put it in 'quotes' after the colon", quoteName(f.key))
		return "", false
	}
	return scalar(f.value), true
}

func scalar(n *yaml.Node) string {
	if n.Tag == "!!null" {
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// checkBody looks at the instructions, which begin at the line first.
func (r *reading) checkBody(body string, first int) {
	if strings.TrimSpace(body) == "" {
		r.warn(0, "there are no instructions below the second line ---: write there what is to be done, step by step")
	}
	if i := strings.IndexFunc(body, func(c rune) bool { return c != '\f' && isHidden(c) }); i >= 0 {
		c, _ := utf8.DecodeRuneInString(body[i:])
		r.warn(first-1+lineOf(body, i), "there is the character %U, which nobody sees and a model reads: look for what it hides, and remove it", c)
	}
}

// quoteName is a name from a file as it stands in a sentence: bounded, and quoted where it could be misread.
func quoteName(text string) string {
	text = printable(text)
	if text == "" || strings.ContainsAny(text, " \"") {
		return strconv.Quote(text)
	}
	return text
}

// printable bounds a text and writes out what cannot be seen in it.
func printable(text string) string {
	text = display.Truncate(text, 100)
	if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) || isHidden(c) }) {
		text = strings.Trim(strconv.QuoteToASCII(text), `"`)
	}
	return text
}
