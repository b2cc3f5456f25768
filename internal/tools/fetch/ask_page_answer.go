package fetch

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/jsonl"
	"hob/internal/lazyregexp"
)

const (
	maxAnswer     = 64 << 10 // bytes
	maxAnswerText = 2000     // characters of one field
	maxAskedLink  = 500      // bytes of one: an address can spell words too
	maxAnswerInt  = 999_999_999_999_999
	minAnswerNum  = 1e-9 // beside 0
)

// pageAnswer is an answer that fits its fields.
type pageAnswer struct {
	json  json.RawMessage // its fields in their order, written anew
	links []string        // in fields for links
}

// readAnswer checks what a model wrote against the fields of the answer, and returns the answer, or what is wrong with it in words that
// only that model may read. It copies no text of the model's: it writes each value anew from its meaning, so that the answer
// holds no more than a field of its kind can say.
func readAnswer(raw json.RawMessage, fields []pageField, links []string) (got pageAnswer, problem string) {
	if len(raw) > maxAnswer {
		return got, "it is too long"
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil || values == nil {
		return got, "it is not one JSON object"
	}
	var out bytes.Buffer
	for i, f := range fields {
		value, ok := values[f.name]
		if !ok {
			return got, "the field " + f.name + " is missing"
		}
		text, ok := f.clean(value, links)
		if !ok {
			return got, f.name + " must be " + f.words()
		}
		if link := ""; f.kind == linkField && json.Unmarshal(value, &link) == nil && link != "" {
			got.links = append(got.links, link)
		}
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		out.WriteByte(sep)
		out.WriteString(quoted(f.name) + ":" + text)
	}
	if len(values) > len(fields) {
		return got, "it has fields that were not asked for"
	}
	out.WriteByte('}')
	got.json = out.Bytes()
	return got, ""
}

// clean returns the JSON of a value, if it is one that the field can have.
func (f pageField) clean(raw json.RawMessage, links []string) (string, bool) {
	if string(raw) == "null" {
		return "null", true
	}
	switch f.kind {
	case booleanField:
		return string(raw), string(raw) == "true" || string(raw) == "false"
	case integerField, numberField:
		var n float64
		if json.Unmarshal(raw, &n) != nil || math.Abs(n) > maxAnswerInt {
			return "", false
		}
		if f.kind == integerField {
			return strconv.FormatInt(int64(n), 10), n == math.Trunc(n)
		}
		return decimalOf(n), n == 0 || math.Abs(n) >= minAnswerNum
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	switch f.kind {
	case wordField:
		return quoted(s), slices.Contains(f.list, s)
	case linkField:
		return quoted(s), slices.Contains(links, s)
	case dateField:
		day, err := time.Parse(time.DateOnly, s)
		return quoted(day.Format(time.DateOnly)), err == nil && day.Year() > 0
	}
	s = strings.TrimSpace(visible(strings.ToValidUTF8(s, "\uFFFD")))
	return quoted(display.Truncate(s, maxAnswerText)), true
}

// decimalOf writes a number with the 15 digits that are sure: more could spell something.
func decimalOf(n float64) string {
	sure, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	if err != nil {
		sure = n
	}
	if sure == 0 {
		return "0" // not "-0"
	}
	return strconv.FormatFloat(sure, 'f', -1, 64)
}

// quoted returns the JSON of a string.
func quoted(s string) string {
	out, err := jsonl.Marshal(s)
	if err != nil {
		panic(err) // a string has always a JSON form
	}
	return string(out)
}

var webAddress = lazyregexp.New(`https?://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+`)

// linksOf returns the addresses of web pages in a text, in their order, each once: those that an answer may hold. One that
// is as long as a sentence is none of them.
func linksOf(text string) []string {
	var links []string
	for _, at := range webAddress().FindAllStringIndex(text, -1) {
		from, to := at[0], at[1]
		if to-from > maxAskedLink {
			continue
		}
		stands := func(to int) bool { return linkStands(text[:from], text[from:to], text[to:]) }
		// What ends the sentence around a link does not belong to it, unless the link cannot do without.
		ends := func(to int) bool { return strings.IndexByte(".,;:!?')]", text[to-1]) >= 0 }
		for to > from && ends(to) && (!stands(to) || stands(to-1)) {
			to--
		}
		link := text[from:to]
		u, err := url.Parse(link)
		if err == nil && u.Hostname() != "" && u.User == nil && stands(to) && !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	return links
}
