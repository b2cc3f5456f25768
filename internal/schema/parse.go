package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep arguments may nest.
const maxDepth = 64

// maxExponent bounds the decimal exponent of a number: beyond it validating the number would cost more than the call.
const maxExponent = 400

// parser reads arguments into maps, slices, strings, json.Numbers, bools and nils.
type parser struct {
	dec     *json.Decoder
	changed bool // a number was given its plain form
}

// arguments reads exactly one object.
func (p *parser) arguments(raw json.RawMessage) (map[string]any, *Problem) {
	if !utf8.Valid(raw) {
		return nil, &Problem{Kind: Format, Text: "the arguments are not valid UTF-8"}
	}
	p.dec.UseNumber()
	v, bad := p.value("", 0)
	if bad != nil {
		return nil, bad
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, &Problem{Kind: Format, Text: "the arguments must be a JSON object, not " + Short(v)}
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, &Problem{Kind: Format, Text: "there is something after the arguments' closing brace"}
	}
	return object, nil
}

func (p *parser) value(path string, depth int) (any, *Problem) {
	if depth > maxDepth {
		return nil, &Problem{Path: path, Kind: Format, Text: fmt.Sprintf("nests deeper than %d levels", maxDepth)}
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, p.broken(err)
	}
	switch tok := tok.(type) {
	case json.Delim:
		if tok == '{' {
			return p.object(path, depth)
		}
		return p.array(path, depth)
	case json.Number:
		return p.number(path, tok)
	}
	return tok, nil
}

func (p *parser) object(path string, depth int) (any, *Problem) {
	object := map[string]any{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, p.broken(err)
		}
		name, _ := tok.(string) // the decoder takes nothing else for a name
		below := JoinPath(path, name)
		if _, twice := object[name]; twice {
			return nil, &Problem{Path: below, Kind: Format, Text: "stands twice"}
		}
		v, bad := p.value(below, depth+1)
		if bad != nil {
			return nil, bad
		}
		object[name] = v
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, p.broken(err)
	}
	return object, nil
}

func (p *parser) array(path string, depth int) (any, *Problem) {
	array := []any{}
	for p.dec.More() {
		v, bad := p.value(JoinPath(path, strconv.Itoa(len(array))), depth+1)
		if bad != nil {
			return nil, bad
		}
		array = append(array, v)
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, p.broken(err)
	}
	return array, nil
}

// number gives a whole number its plain form, so that 5.0 is an integer for Go as it is for JSON Schema.
func (p *parser) number(path string, n json.Number) (any, *Problem) {
	text := strings.ToLower(n.String())
	_, exponent, _ := strings.Cut(text, "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil || e > maxExponent || e < -maxExponent || len(text) > 2*maxExponent {
		return nil, &Problem{Path: path, Kind: Value, Text: "is a number out of range: " + Shorten(text)}
	}
	if !strings.ContainsAny(text, ".e") {
		return n, nil
	}
	const exact = 1 << 53 // up to here every whole float64 is exact
	f := float(n)
	if f != float64(int64(f)) || f >= exact || f <= -exact {
		return n, nil
	}
	p.changed = true
	return json.Number(strconv.FormatInt(int64(f), 10)), nil
}

func (p *parser) broken(err error) *Problem {
	text := "the arguments are not JSON: " + err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		text = "the arguments are JSON that ends too early"
	}
	return &Problem{Kind: Format, Text: text}
}
