package toolcall

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

var (
	// computed is in what Python would have to compute: a call, a text that is formatted, an operation, a piece of a list.
	computed = lazyregexp.New(`"|(?:^|[\s(])[fFrRbBuU]{0,2}'|'\s*[+%]|[\pL\pN_]\(|[\pL_][\pL\pN_]*\[|\s[+*/%-]\s|\d\s*[*%+]\s*\d|\*\*|\sif\s.*\selse\s|^(?:not|lambda|await)\s`)
	// computedAll is a value that is nothing but a call or a text that is formatted.
	computedAll = lazyregexp.New(`^[fFrRbBuU]{1,2}["'].*["']$|^[\pL_][\pL\pN_.]*\(.*\)$`)
)

// words reads what stands without quotes: a number, a literal, or the words of a text.
func (r *lenient) words(in byte) (*value, bool) {
	switch {
	case r.valid:
		return r.scalar(), true
	case in == '(' || in == ':':
		return r.loose(in)
	}
	ends := "{}[],:\"\n"
	if r.lax {
		ends = "}],<\n"
	}
	n := strings.IndexAny(r.rest(), ends)
	if n < 0 {
		r.touched, r.sound = true, false
		n = len(r.rest())
	}
	text := strings.TrimSpace(r.rest()[:n])
	if k := strings.IndexByte(text, '<'); k >= 0 && stops(r.src, r.at+k) {
		text = strings.TrimSpace(text[:k])
	}
	if cut := strings.Index(text, " //"); cut >= 0 {
		text = strings.TrimSpace(text[:cut])
	} else if cut := strings.Index(text, "/*"); cut > 0 {
		text = strings.TrimSpace(text[:cut])
	}
	if text == "" {
		return nil, false
	}
	known := literal(text) != ""
	if !known && !r.lax && (r.plain || !plainWords(text)) {
		return nil, false
	}
	switch first, _, more := strings.Cut(text, " "); {
	case !known && !r.lax && more && literal(first) != "":
		return nil, false
	case !known && !r.lax:
		r.note(mendedJSON)
	case text == "True" || text == "False" || text == "None":
		r.note("it wrote " + text + " as Python does")
	case literal(text) != text:
		r.note("it wrote " + text + " in its own way")
	}
	r.at += strings.Index(r.rest(), text) + len(text)
	r.sound = false
	if v, ok := parse(text); ok && r.begin != '(' && !r.lax {
		return v, true
	}
	if !known && (r.begin == '(' || !r.lax && nameLength(text) == len(text)) {
		return &value{kind: 'v', raw: text}, true
	}
	return &value{kind: 'w', raw: text}, true
}

// scalar reads the number or the literal that comes next.
func (r *lenient) scalar() *value {
	text := r.rest()
	if n := strings.IndexAny(text, " \t\r\n,]}"); n >= 0 {
		text = text[:n]
	}
	r.at += len(text)
	switch text[0] {
	case 't', 'f':
		return &value{kind: 't', raw: text}
	case 'n':
		return &value{kind: 'n', raw: text}
	}
	return &value{kind: '0', raw: text}
}

// loose reads an argument of a call that has no quotes: up to the parenthesis, or to the comma before the next name.
func (r *lenient) loose(in byte) (*value, bool) {
	depth, end := 0, -1
	start := r.at
	for j := start; j < len(r.src) && end < 0; j++ {
		switch c := r.src[j]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				end = j
			}
		case ',':
			if depth == 0 && (r.nameAhead(j+1, in) || literal(strings.TrimSpace(r.src[start:j])) != "" || in == '(' && len(r.stack) > 1) {
				end = j
			}
		case '\n', '<', '`':
			if c == '\n' || stops(r.src, j) {
				end = j
			}
		}
	}
	r.sound = false
	if end < 0 {
		r.touched, end = true, len(r.src)
	}
	text := strings.TrimSpace(r.src[start:end])
	if r.markdown {
		text = strings.ReplaceAll(text, `\_`, "_")
	}
	if r.at = end; text == "" || in == '(' && strings.IndexByte("+:", text[0]) >= 0 && literal(text) == "" {
		return nil, false // nothing, or a sign between values
	}
	v := &value{kind: 'w', raw: text}
	switch {
	case literal(text) != "":
	case in == ':' && !computedAll().MatchString(text):
	case in == ':', strings.ContainsAny(text, "\"'([+*/% -") && computed().MatchString(text), strings.Contains(text, "..."):
		v.wrong = "must be a value, not the expression " + schema.Shorten(text)
	default:
		v.kind = 'v'
	}
	return v, true
}

// plainWords reports whether words without quotes can only be a text: nothing in them is a sum, a path that may go on or half
// a quote, and they begin with nothing that is nearly a number.
func plainWords(run string) bool {
	if strings.Contains(run, "..") {
		return false
	}
	for _, r := range run {
		if !unicode.IsPrint(r) || strings.ContainsRune("/+\\()'`<>\u00b4\u2018\u2019\u201c\u201d\uE000", r) {
			return false
		}
	}
	if strings.Trim(run, "0123456789") == "" { // no number has a zero before it; 007 has
		return true
	}
	first, _, _ := strings.Cut(run, " ")
	_, err := strconv.ParseFloat(first, 64)
	number := err == nil || errors.Is(err, strconv.ErrRange) || first == "-"
	return !number || strings.IndexByte("-.0123456789", first[0]) < 0
}

var odd = lazyregexp.New(`^([+-]?)(\d*(?:_\d+)*)(\.?)(\d*)((?:[eE][+-]?\d+)?)$`)

// literal returns the JSON of what is plainly a number, a truth value, null, an object or a list, or "".
func literal(text string) string {
	switch text {
	case "":
		return ""
	case "true", "True", "TRUE":
		return "true"
	case "false", "False", "FALSE":
		return "false"
	case "null", "Null", "NULL", "None", "undefined":
		return "null"
	}
	c := text[0]
	if (c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9') && json.Valid([]byte(text)) {
		return text
	}
	if strings.IndexByte("+-.0123456789", c) < 0 {
		return ""
	}
	m := odd().FindStringSubmatch(text)
	if m == nil || m[2]+m[4] == "" {
		return ""
	}
	whole, fraction := strings.ReplaceAll(m[2], "_", ""), m[4]
	whole = cmp.Or(whole, "0")
	number := strings.TrimPrefix(m[1], "+") + whole
	if fraction != "" {
		number += "." + fraction
	}
	if number += m[5]; !json.Valid([]byte(number)) {
		return ""
	}
	return number
}
