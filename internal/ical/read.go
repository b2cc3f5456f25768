package ical

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	ics "github.com/arran4/golang-ical"
)

var (
	// ErrNoCalendar means that a text is no calendar at all.
	ErrNoCalendar = errors.New("this is no calendar: it has no line BEGIN:VCALENDAR")
	// ErrTooLarge means that a file is too large to be read.
	ErrTooLarge = errors.New("a calendar has at most 5 MB")
)

// Parse reads a calendar. Days and times without a zone are in defaultZone. The error is for a text that is no calendar; what is
// wrong with a part of it is a Problem, 100 at most.
func Parse(r io.Reader, defaultZone *time.Location) (Calendar, []Problem, error) {
	p := &parser{zones: newZones(defaultZone)}
	if err := p.readLines(r); err != nil {
		return Calendar{}, nil, err
	}
	if err := p.readComponents(); err != nil {
		return Calendar{}, nil, err
	}
	c := p.calendar()
	slices.SortStableFunc(p.problems, func(a, b Problem) int { return a.Line - b.Line })
	return c, p.problems, nil
}

// parser is a file that is read.
type parser struct {
	lines    []line
	roots    []*component // the calendars
	zones    *zones
	problems []Problem
}

// line is a line of a file, unfolded.
type line struct {
	number int
	text   string
}

// component is what stands between BEGIN and END.
type component struct {
	name        string
	first, last int   // its lines: those of BEGIN and END
	own         []int // lines of its properties
	parts       []*component
	open        bool // its END is missing
}

func (p *parser) report(number int, format string, args ...any) {
	switch len(p.problems) {
	case maxProblems:
	case maxProblems - 1:
		p.problems = append(p.problems, Problem{number, "there is more wrong with this file"})
	default:
		p.problems = append(p.problems, Problem{number, fmt.Sprintf(format, args...)})
	}
}

// readLines takes a file apart. Its lines may end with CR, LF or both.
func (p *parser) readLines(r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		return fmt.Errorf("read calendar: %w", err)
	case len(raw) > maxBytes:
		return ErrTooLarge
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	var folded []byte
	begin := 0
	add := func() {
		// A line may be folded within a letter, so it is cleaned when it is whole.
		text := strings.ReplaceAll(clean(string(folded)), "\n", "")
		switch {
		case len(text) > maxLine:
			p.report(begin, "the line has more than %d kB; it is left out", maxLine>>10)
		case text != "":
			p.lines = append(p.lines, line{begin, text})
		}
	}
	number := 0
	for one := range bytes.SplitSeq(raw, []byte("\n")) {
		number++
		if len(one) > 0 && (one[0] == ' ' || one[0] == '\t') && begin > 0 {
			folded = append(folded, one[1:]...)
			continue
		}
		add()
		folded, begin = append(folded[:0], one...), number
	}
	add()
	return nil
}

// clean removes what no text of a calendar has: control characters but line ends and tabs, and bytes that are no UTF-8.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// readComponents sorts lines into components.
func (p *parser) readComponents() error {
	var stack []*component
	pop := func(last int, open bool) {
		top := stack[len(stack)-1]
		top.last, top.open = last, open
		stack = stack[:len(stack)-1]
	}
	for i, l := range p.lines {
		name, _ := propertyName(l.text)
		_, word, _ := strings.Cut(l.text, ":")
		word = strings.ToUpper(strings.TrimSpace(word))
		switch {
		case name == "BEGIN":
			for word == "VCALENDAR" && len(stack) > 0 || word == "VEVENT" && len(stack) > 1 {
				pop(i-1, true) // neither is within another component
			}
			if len(stack) == maxDepth {
				return fmt.Errorf("line %d: components stand more than %d deep in each other", l.number, maxDepth)
			}
			c := &component{name: word, first: i}
			switch {
			case len(stack) > 0:
				stack[len(stack)-1].parts = append(stack[len(stack)-1].parts, c)
			case word == "VCALENDAR":
				p.roots = append(p.roots, c)
			default:
				p.report(l.number, "%s stands outside of a calendar; it is left out", shorten(word))
			}
			stack = append(stack, c)
		case name == "END":
			if !slices.ContainsFunc(stack, func(c *component) bool { return c.name == word }) {
				p.report(l.number, "END:%s ends nothing", shorten(word))
				continue
			}
			for stack[len(stack)-1].name != word {
				pop(i-1, true)
			}
			pop(i, false)
		case len(stack) == 0:
			if len(p.roots) > 0 {
				p.report(l.number, "the line stands outside of a calendar; it is left out")
			}
		case name == "":
			p.report(l.number, "the line is no property; it is left out")
		default:
			top := stack[len(stack)-1]
			top.own = append(top.own, i)
		}
	}
	for len(stack) > 0 {
		pop(len(p.lines)-1, true)
	}
	if len(p.roots) == 0 {
		return ErrNoCalendar
	}
	return nil
}

// calendar reads the components of all calendars of a file into one.
func (p *parser) calendar() (c Calendar) {
	for _, root := range p.roots {
		for _, part := range root.parts {
			if part.name == "VTIMEZONE" {
				p.zones.add(p, part)
			}
		}
	}
	for _, root := range p.roots {
		for _, part := range root.parts {
			number := p.lines[part.first].number
			switch {
			case part.name == "VTIMEZONE":
			case part.open:
				p.report(number, "the end of %s is missing; it is left out", shorten(part.name))
			case part.name != "VEVENT":
			case len(c.Events) == maxEvents:
				p.report(number, "a calendar has at most %d events; the rest is left out", maxEvents)
				return c
			default:
				e, err := p.event(part)
				if err != nil {
					p.report(number, "%s; the event is left out", err)
					continue
				}
				c.Events = append(c.Events, e)
			}
		}
	}
	return c
}

// property is a property with its parameters.
type property struct {
	name, value string // a text is unescaped
	params      map[string][]string
}

// param returns a parameter, "" if there is none.
func (p property) param(name string) string {
	for k, v := range p.params {
		if strings.EqualFold(k, name) && len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// propertyName returns the name of the property in a line, in capital letters. It is "" where the line is none. Params is how
// many parameters and values of them it has.
func propertyName(text string) (name string, params int) {
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end <= 0 {
		return "", 0
	}
	quoted := false
	for _, b := range []byte(text[end:]) {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == ':':
			return strings.ToUpper(text[:end]), params
		case b == ';' || b == ',':
			params++
		case params == 0:
			return "", 0 // something else than a parameter follows the name
		}
	}
	return "", 0
}

// parseProperty reads a line. The library may panic, and copies the rest of the line for every parameter.
func parseProperty(text string) (p property, err error) {
	name, params := propertyName(text)
	if params > maxParams {
		return property{}, fmt.Errorf("%s has more than %d parameters", name, maxParams)
	}
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%s cannot be read", name)
		}
	}()
	base, err := ics.ParseProperty(ics.ContentLine(text))
	if err != nil || base == nil || !strings.EqualFold(base.IANAToken, name) {
		return property{}, fmt.Errorf("%s cannot be read", name)
	}
	return property{name, clean(base.Value), base.ICalParameters}, nil
}

// shorten cuts a text for a Problem.
func shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
