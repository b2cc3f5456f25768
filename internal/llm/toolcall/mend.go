package toolcall

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
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
	if f.unread {
		c.Problems = []schema.Problem{{Kind: schema.Value, Text: AskedAgain}}
		return c
	}
	m := mender{tool: tool, end: endOf(f, tool, cut), lax: f.lax, doubt: f.doubt}
	m.mend(f.args, f.beside)
	c.Args, c.Problems = m.args, m.problems
	closed := slices.Contains(m.repairs, noBrackets)
	switch {
	case c.Valid() && tool.careful && (!f.whole || closed):
		c.Problems = []schema.Problem{{Kind: schema.Format, Text: cutOff}}
	case c.Valid() && tool.careful && m.doubt != "":
		c.Problems = []schema.Problem{{Kind: schema.Format, Text: "the arguments are damaged: " + m.doubt}}
	case c.Valid() && !f.whole && !cut && !closed:
		m.repaired(noEnd)
	}
	if _, ok := parse(f.args); c.Valid() && f.form == "" && m.repairs == nil && !ok && strings.TrimSpace(f.args) != "" {
		m.repaired(otherBlanks) // around it: those between its parts are told of
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
	case cut || tool.careful:
		return endCut
	}
	return endLost
}

// mender mends the arguments of one call.
type mender struct {
	tool     *offered
	end      end  // of the call
	lax      bool // see lenient
	args     json.RawMessage
	repairs  []string
	problems []schema.Problem
	doubt    string // why other arguments may be meant than those that were read
	root     *shape
}

// shape returns the schema that coercion goes by. Only a call that needs mending asks for it.
func (m *mender) shape() shape {
	if m.root == nil {
		root := m.tool.shape()
		m.root = &root
	}
	return *m.root
}

// names returns the names of the arguments that the tool has.
func (m *mender) names() []string { return append([]string{}, m.tool.schema.Names()...) }

func (m *mender) repaired(text string) { m.repairs = append(m.repairs, text) }

func (m *mender) doubts(why string) { m.doubt = cmp.Or(m.doubt, why) }

// mend brings the arguments in text, and those in the objects that stood beside them, into the form of the schema.
func (m *mender) mend(text string, beside []string) {
	m.args = json.RawMessage("{}")
	if fit, ok := m.clean(text); ok && beside == nil && !suspect().MatchString(text[:min(len(text), mostSuspect)]) {
		m.args = fit
		return
	}
	v, bad := m.unwrap(text)
	if bad == nil && beside != nil {
		v, bad = m.joined(v, beside)
	}
	if bad != nil {
		m.problems = []schema.Problem{*bad}
		return
	}
	v = m.placed(v)
	if v.get("") != nil && !m.shape().has("") && m.shape().closed() {
		m.args = json.RawMessage(v.String())
		m.problems = []schema.Problem{{Kind: schema.Required, Text: "each argument needs its name; the arguments are " + strings.Join(m.names(), ", ")}}
		return
	}
	c := coercer{careful: m.tool.careful}
	if !v.doubled() { // which of the two is meant is not for us to say
		v = c.plain("", c.object("", v, m.shape()))
		m.repairs = append(m.repairs, c.repairs...)
	}
	m.args = json.RawMessage(v.String())
	fit, problems, err := m.tool.schema.Check(m.args)
	switch {
	case err != nil:
		m.problems = []schema.Problem{{Kind: schema.Value, Text: "the tool cannot be called: " + err.Error()}}
	case len(c.wrong) > 0:
		m.problems = c.wrong
	case len(problems) > 0:
		m.problems = problems
	default:
		if !bytes.Equal(fit, m.args) { // one that only a float64 takes for whole
			m.repaired("a number was rounded to a whole one")
		}
		m.args = fit
	}
}

// joined adds the arguments that stood beside the others. It is a guess that they are meant.
func (m *mender) joined(v *value, beside []string) (*value, *schema.Problem) {
	now := *v
	for _, text := range beside {
		more, bad := m.read(text)
		if bad != nil {
			return nil, bad
		}
		now.members = append(slices.Clone(now.members), more.members...)
	}
	m.repaired("arguments stood beside its arguments")
	m.doubts("some arguments stand beside the others")
	return &now, nil
}

// placed gives an argument without a name, or with one such as arg1, the name of the only one that the tool has or needs.
func (m *mender) placed(v *value) *value {
	if len(v.members) != 1 {
		return v
	}
	key, only := v.members[0].key, m.only()
	if only == "" || m.shape().has(key) || key != "" && !numbered().MatchString(key) {
		return v
	}
	if key == "" {
		m.repaired("the argument without a name was taken for " + quote(only))
	} else {
		m.repaired(only + ": was called " + schema.Shorten(key))
	}
	m.doubts(noName)
	return &value{kind: '{', members: []member{{key: only, raw: quote(only), value: v.members[0].value}}}
}

// numbered are the names of arguments that say nothing.
var numbered = lazyregexp.New(`(?i)^(?:arg|args|argument|param|parameter|value|input|x)_?\d*$`)

// only returns the name of the only argument that the tool has or needs, or "".
func (m *mender) only() string {
	names := m.tool.schema.Names()
	required := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !m.shape().requires(name) })
	switch {
	case len(required) == 1:
		return required[0]
	case len(names) == 1:
		return names[0]
	}
	return ""
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
