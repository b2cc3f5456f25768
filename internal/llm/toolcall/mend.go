package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/llm"
	"hob/internal/schema"
)

// largest is how many bytes of arguments are repaired; larger ones are only read.
const largest = 1 << 20

// mostRepairs is how many changes are told one by one.
const mostRepairs = 20

// cutOff is the problem of a call that has no end. Closing it would make a half-written file look complete.
const cutOff = "the call was cut off before its end"

// mend makes a call of what was found: it resolves the name, unwraps and repairs the arguments, coerces them without loss
// and holds them against the schema. cut says that the reply was cut off after it.
func (o *Offer) mend(f found, cut bool) Call {
	tool := o.resolve(f.name)
	if tool != nil && tool.def.Name == o.relay {
		if inner, ok := o.relayed(f, tool, 0); ok {
			f, tool = inner, o.resolve(inner.name)
		}
	}
	c := Call{Call: llm.Call{ID: f.id, Name: f.name, Args: json.RawMessage("{}")}}
	if f.form != "" {
		c.Repairs = append(c.Repairs, f.form)
	}
	c.Repairs = append(c.Repairs, f.repairs...)
	if f.missing != "" {
		c.Repairs = append(c.Repairs, f.missing)
	}
	if tool == nil {
		c.Name = schema.Shorten(strings.TrimSpace(f.name))
		if v, ok := parse(f.args); ok && v.kind == '{' {
			c.Args = json.RawMessage(v.String())
		}
		c.Problems = []schema.Problem{o.unknown(f.name)}
		return c
	}
	if c.Name = tool.def.Name; c.Name != f.name {
		c.Repairs = append(c.Repairs, "the tool's name was "+schema.Shorten(f.name))
	}
	m := mender{tool: tool, end: endOf(f, tool, cut)}
	m.mend(f.args)
	c.Args, c.Problems = m.args, m.problems
	closed := slices.Contains(m.repairs, noBrackets)
	switch {
	case len(f.wrong) > 0:
		c.Problems = f.wrong
	case c.Valid() && (f.torn || tool.careful && (!f.whole || closed)):
		c.Problems = []schema.Problem{{Kind: schema.Format, Text: cutOff}}
	case c.Valid() && !f.whole && !cut && !closed:
		m.repaired(noEnd)
	}
	if c.Repairs = append(c.Repairs, m.repairs...); len(c.Repairs) > mostRepairs {
		more := len(c.Repairs) - mostRepairs
		c.Repairs = append(c.Repairs[:mostRepairs:mostRepairs], fmt.Sprintf("and %d more", more))
	}
	return c
}

// endOf says what is known of the end of a call.
func endOf(f found, tool *offered, cut bool) end {
	switch {
	case f.whole && !cut:
		return endWritten
	case cut || f.torn || tool.careful:
		return endCut
	}
	return endLost
}

// mender mends the arguments of one call.
type mender struct {
	tool     *offered
	end      end // of the call
	args     json.RawMessage
	repairs  []string
	problems []schema.Problem
	root     *shape
}

// shape returns the schema that coercion goes by. Only a call that needs mending asks for it.
func (m *mender) shape() shape {
	if m.root == nil {
		root := shapeOf(m.tool.schema.Raw())
		m.root = &root
	}
	return *m.root
}

func (m *mender) repaired(text string) { m.repairs = append(m.repairs, text) }

func (m *mender) mend(text string) {
	m.args = json.RawMessage("{}")
	if fit, ok := m.clean(text); ok {
		m.args = fit
		return
	}
	v, bad := m.unwrap(text)
	if bad != nil {
		m.problems = []schema.Problem{*bad}
		return
	}
	if !v.doubled() { // which of the two is meant is not for us to say
		c := coercer{}
		v = c.plain("", c.object("", v, m.shape()))
		m.repairs = append(m.repairs, c.repairs...)
	}
	m.args = json.RawMessage(v.String())
	fit, problems, err := m.tool.schema.Check(m.args)
	switch {
	case err != nil:
		m.problems = []schema.Problem{{Kind: schema.Value, Text: "the tool cannot be called: " + err.Error()}}
	case len(problems) > 0:
		m.problems = problems
	default:
		if !bytes.Equal(fit, m.args) { // one that only a float64 takes for whole
			m.repaired("a number was rounded to a whole one")
		}
		m.args = fit
	}
}

// clean returns arguments that need no mending, without their blanks.
func (m *mender) clean(text string) (json.RawMessage, bool) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	var out bytes.Buffer
	if json.Compact(&out, []byte(text)) != nil || echoes(out.Bytes()) {
		return nil, false
	}
	args := out.Bytes()
	fit, problems, err := m.tool.schema.Check(args)
	if err != nil || len(problems) > 0 || !bytes.Equal(fit, args) {
		return nil, false
	}
	return args, true
}
