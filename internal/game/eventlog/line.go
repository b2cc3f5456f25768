package eventlog

import (
	"encoding/json"
	"slices"
	"strconv"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// entry is a line of the log. A fold reads its first part, up to the state, and the rest only if it is wanted.
type entry struct {
	kind       string // log, turn, more, head, label
	turn       int64
	campaign   string
	commitment string
	seed       string
	parent     int64  // of a turn
	after      int64  // of a further part: the line of the part before it
	table      bool   // it is a turn of the table
	why        string // of a head, or of a turn of the table that moves it: undo, redo, switch
	moved      int64  // likewise: how many turns that changed something it went over
	name       string // of a label
	dice       [3]int64
	counts     rules.Counts
	state      string
	part       Part

	changes []world.Event  // the events of a line that is written
	events  int            // where the events of a line that was read begin in it, 0 where it has none
	more    *world.Scanner // at the rest
	members int            // that were read so far
	space   []world.Field  // for fields
}

func field(name string, value any) world.Field { return world.Field{Name: name, Value: value} }

// header appends the fields that a fold needs, apart from the kind, in the order of a line. The last one is the state.
func (e *entry) header(space []world.Field) []world.Field {
	switch e.kind {
	case "turn":
		space = append(space, field("parent", (*always)(&e.parent)))
	case "more":
		space = append(space, field("after", (*always)(&e.after)))
	case "log":
		space = append(space, field("campaign", &e.campaign), field("commitment", &e.commitment), field("seed", &e.seed))
	}
	return append(space,
		field("table", &e.table),
		field("why", &e.why),
		field("moved", &e.moved),
		field("name", &e.name),
		field("events", (*eventList)(e)),
		field("dice", (*dicePath)(&e.dice)),
		field("counts", (*map[string]int64)(&e.counts)),
		field("state", &e.state),
	)
}

// fields appends the fields that a fold does not need.
func (p *Part) fields(space []world.Field) []world.Field {
	return append(space,
		field("time", &p.Time),
		field("user", &p.User),
		field("input", &p.Input),
		field("plan", (*packedJSON)(&p.Plan)),
		field("plan_text", (*otherJSON)(&p.Plan)),
		field("request", &p.Request),
		field("body", &p.body),
		field("calls", objects{
			kind: "a call", n: len(p.Outcomes),
			grow:   func() { p.Outcomes, p.Spans = append(p.Outcomes, rules.Outcome{}), append(p.Spans, Span{}) },
			fields: func(i int) []world.Field { return callFields(&p.Outcomes[i], &p.Spans[i]) },
		}),
		field("rolls", objectsOf("a roll", &p.Rolls, rollFields)),
		field("notes", objectsOf("a note", &p.Notes, noteFields)),
		field("tell", (*narration)(&p.Narration)),
	)
}

func callFields(o *rules.Outcome, span *Span) []world.Field {
	return []world.Field{
		field("id", &o.Call.ID),
		field("tool", &o.Call.Tool),
		field("args", (*packedJSON)(&o.Call.Args)),
		field("args_text", (*otherJSON)(&o.Call.Args)),
		field("asked", (*packedJSON)(&span.Asked)),
		field("asked_text", (*otherJSON)(&span.Asked)),
		field("reason", &o.Call.Reason),
		field("for", &o.Call.Actor),
		field("actor", &o.Actor),
		field("status", (*string)(&o.Status)),
		field("code", (*string)(&o.Code)),
		field("say", &o.Say.Key),
		field("with", &o.Say.Args),
		field("result", (*packedJSON)(&o.Result)),
		field("result_text", (*otherJSON)(&o.Result)),
		field("created", &o.Created),
		field("changed", &o.Changed),
		field("itself", &o.Automatic),
		field("events", (*number)(&span.Events)),
		field("rolls", (*number)(&span.Rolls)),
		field("state", &span.State),
	}
}

func rollFields(r *rules.Roll) []world.Field {
	return []world.Field{
		field("no", (*always)(&r.No)),
		field("expr", &r.Expr),
		field("total", &r.Total),
		field("detail", &r.Detail),
		field("why", &r.Why),
		field("dice", (*diceList)(&r.Dice)),
	}
}

func noteFields(n *rules.Note) []world.Field {
	return []world.Field{
		field("id", &n.ID),
		field("kind", &n.Kind),
		field("text", &n.Text),
		field("data", (*packedJSON)(&n.Data)),
		field("data_text", (*otherJSON)(&n.Data)),
	}
}

// append appends the line without its hashes and its closing brace.
func (e *entry) append(b []byte) []byte {
	e.part.Turn, e.part.State = e.turn, e.state
	e.space = append(e.space, field(e.kind, (*always)(&e.turn)))
	e.space = e.part.fields(e.header(e.space))
	b = world.AppendObject(b, e.space)
	return b[:len(b)-1]
}

// skim reads the first part of a line into e, up to its state. Events are passed over.
func (e *entry) skim(b []byte) error {
	s := world.Scan(b)
	*e = entry{more: s, space: e.space[:0]}
	s.Expect('{')
	kind, _ := s.Member(0)
	e.turn = s.Int()
	if e.kind = kindName(kind); e.kind == "" {
		s.Fail()
	}
	e.space = e.header(e.space)
	for e.members = 1; e.state == ""; e.members++ {
		name, ok := s.Member(e.members)
		if !ok {
			s.Fail()
			break
		}
		s.Read("a line", name, e.space)
	}
	return s.Err()
}

// kindName returns the name of a kind of line without keeping its bytes, "" where there is no such kind.
func kindName(b []byte) string {
	for _, name := range [...]string{"turn", "more", "head", "label", "log"} {
		if string(b) == name {
			return name
		}
	}
	return ""
}

// rest reads what skim left.
func (e *entry) rest() error {
	s, p := e.more, &e.part
	p.Turn, p.Parent, p.More, p.Table, p.State = e.turn, e.parent, e.kind == "more", e.table, e.state
	fields := p.fields(e.space[:0])
	for n := e.members; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			s.End()
			return s.Err()
		}
		if string(name) == "prev" || string(name) == "hash" {
			s.Raw()
			continue
		}
		s.Read("a line", name, fields)
	}
}

// read reads a whole line.
func read(b []byte) (*entry, error) {
	e := &entry{}
	err := e.skim(b)
	if err == nil {
		err = e.rest()
	}
	return e, err
}

// always is a number that is written even if it is 0.
type always int64

func (n *always) AppendJSON(b []byte) []byte { return strconv.AppendInt(b, int64(*n), 10) }
func (n *always) ReadJSON(s *world.Scanner)  { *n = always(s.Int()) }

// number is a number that is left out if it is 0.
type number int

func (n *number) AppendJSON(b []byte) []byte {
	if *n == 0 {
		return b
	}
	return strconv.AppendInt(b, int64(*n), 10)
}

func (n *number) ReadJSON(s *world.Scanner) { *n = number(s.Int()) }

// packedJSON is JSON as a line can hold it. Any other is left to [otherJSON].
type packedJSON json.RawMessage

func (v *packedJSON) AppendJSON(b []byte) []byte {
	if *v == nil || !isPacked(*v) {
		return b
	}
	return append(b, *v...)
}

func (v *packedJSON) ReadJSON(s *world.Scanner) { *v = slices.Clone(s.Raw()) }

// otherJSON is JSON that a line can only hold as text.
type otherJSON json.RawMessage

func (v *otherJSON) AppendJSON(b []byte) []byte {
	if *v == nil || isPacked(*v) {
		return b
	}
	return world.AppendString(b, string(*v))
}

func (v *otherJSON) ReadJSON(s *world.Scanner) { *v = otherJSON(s.Text()) }

// eventList is the events of a line.
type eventList entry

func (e *eventList) AppendJSON(b []byte) []byte {
	if len(e.changes) == 0 {
		return b
	}
	return world.AppendList(b, len(e.changes), func(b []byte, i int) []byte { return world.AppendEvent(b, e.changes[i]) })
}

func (e *eventList) ReadJSON(s *world.Scanner) {
	e.events = s.At()
	s.Raw()
}

// dicePath is the path number and the first roll number of the dice of a part, and how many rolls there were.
type dicePath [3]int64

func (d *dicePath) AppendJSON(b []byte) []byte {
	if d[2] == 0 {
		return b
	}
	return world.AppendInts(b, d[:]...)
}

func (d *dicePath) ReadJSON(s *world.Scanner) { s.Ints(&d[0], &d[1], &d[2]) }

// diceList is dice as [[20,7,1]]: size, value, and 1 for one that counts.
type diceList []rules.Die

func (l *diceList) AppendJSON(b []byte) []byte {
	if *l == nil {
		return b
	}
	return world.AppendList(b, len(*l), func(b []byte, i int) []byte {
		kept := int64(0)
		if (*l)[i].Kept {
			kept = 1
		}
		return world.AppendInts(b, (*l)[i].Size, (*l)[i].Value, kept)
	})
}

func (l *diceList) ReadJSON(s *world.Scanner) {
	*l = diceList{}
	s.Expect('[')
	for n := 0; s.Item(n); n++ {
		var d rules.Die
		var kept int64
		s.Ints(&d.Size, &d.Value, &kept)
		d.Kept = kept == 1
		*l = append(*l, d)
	}
}

// narration is the words in which a turn was told.
type narration Narration

func (t *narration) fields() []world.Field {
	return []world.Field{field("text", &t.Text), field("model", &t.Model)}
}

func (t *narration) AppendJSON(b []byte) []byte {
	if *t == (narration{}) {
		return b
	}
	return world.AppendObject(b, t.fields())
}

func (t *narration) ReadJSON(s *world.Scanner) { s.Object("a narration", t.fields()) }

// objects is a list of objects.
type objects struct {
	kind   string
	n      int    // of a list that is written
	grow   func() // appends an empty object
	fields func(i int) []world.Field
}

func objectsOf[T any](kind string, list *[]T, fields func(*T) []world.Field) objects {
	grow := func() { *list = append(*list, *new(T)) }
	return objects{kind, len(*list), grow, func(i int) []world.Field { return fields(&(*list)[i]) }}
}

func (o objects) AppendJSON(b []byte) []byte {
	if o.n == 0 {
		return b
	}
	return world.AppendList(b, o.n, func(b []byte, i int) []byte { return world.AppendObject(b, o.fields(i)) })
}

func (o objects) ReadJSON(s *world.Scanner) {
	s.Expect('[')
	for n := 0; s.Item(n); n++ {
		o.grow()
		s.Object(o.kind, o.fields(n))
	}
}
