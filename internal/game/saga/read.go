package saga

import (
	"encoding/json"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// entry is a line that was read: first what a fold needs, then, if it was wanted, the rest.
type entry struct {
	kind     string // log, turn, more, head, label
	turn     int64
	parent   int64 // of a turn
	table    bool  // it is one of the table's
	after    int64 // of a further part: the line of the part before it
	events   int   // where its events begin in the line, 0 where it has none
	campaign string
	seed     string
	why      string // of a head, or of a turn of the table that moves it: undo, redo, switch
	moved    int64  // likewise: how many turns that changed something it went over
	name     string // of a label
	dice     [3]int64
	counts   rules.Counts
	state    string
	part     Part
	more     *world.Scanner // at the rest
	members  int            // that were read so far
	apply    applier        // nil: nobody wants the events now
	applied  bool
}

// applier reads the events of a line, and applies them.
type applier func(e *entry, s *world.Scanner) error

// skim reads the first part of a line, up to its state. Events are passed over, or given to apply.
func skim(b []byte, apply applier) (entry, error) {
	s := world.Scan(b)
	e := entry{more: s, apply: apply}
	s.Take('{')
	kind, _ := s.Member(0)
	e.kind = kindName(kind)
	e.turn = s.Int()
	if e.kind == "" {
		s.Fail()
	}
	for e.members = 1; e.state == ""; e.members++ {
		name, ok := s.Member(e.members)
		if !ok {
			s.Fail()
			break
		}
		if err := e.first(s, name); err != nil {
			return e, err
		}
	}
	return e, s.Err()
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

// first reads a member that stands before the state, or the state.
func (e *entry) first(s *world.Scanner, name []byte) error {
	switch string(name) {
	case "parent":
		e.parent = s.Int()
	case "table":
		e.table = s.Bool()
	case "after":
		e.after = s.Int()
	case "events":
		e.events = s.At()
		if e.apply != nil {
			e.applied = true
			return e.apply(e, s)
		}
		s.Raw()
	case "dice":
		s.Take('[')
		for i := range e.dice {
			if i > 0 {
				s.Take(',')
			}
			e.dice[i] = s.Int()
		}
		s.Take(']')
	case "counts":
		e.counts = readCounts(s)
	case "state":
		e.state = s.Text()
	case "campaign":
		e.campaign = s.Text()
	case "seed":
		e.seed = s.Text()
	case "commitment":
		s.Text()
	case "why":
		e.why = s.Text()
	case "moved":
		e.moved = s.Int()
	case "name":
		e.name = s.Text()
	default:
		s.Fail()
	}
	return nil
}

func readCounts(s *world.Scanner) rules.Counts {
	c := rules.Counts{}
	s.Take('{')
	for n := 0; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			return c
		}
		key := string(name)
		c[key] = s.Int()
	}
}

// rest reads what skim left.
func (e *entry) rest() error {
	s, p := e.more, &e.part
	p.Turn, p.Parent, p.More, p.State = e.turn, e.parent, e.kind == "more", e.state
	p.Table = e.table
	for n := e.members; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			s.End()
			return s.Err()
		}
		switch string(name) {
		case "time":
			p.Time = s.Text()
		case "user":
			p.User = s.Text()
		case "input":
			p.Input = s.Text()
		case "plan":
			p.Plan = raw(s)
		case "plan_text":
			p.Plan = json.RawMessage(s.Text())
		case "request":
			p.Request = s.Text()
		case "body":
			p.body = s.Text()
		case "calls":
			p.calls(s)
		case "rolls":
			p.Rolls = readRolls(s)
		case "notes":
			p.Notes = readNotes(s)
		case "tell":
			p.Tell = readTell(s)
		case "prev", "hash":
			s.Raw()
		default:
			s.Fail()
		}
	}
}

// read reads a whole line.
func read(b []byte) (entry, error) {
	e, err := skim(b, nil)
	if err == nil {
		err = e.rest()
	}
	return e, err
}

func (p *Part) calls(s *world.Scanner) {
	s.Take('[')
	for n := 0; s.Item(n); n++ {
		var o rules.Outcome
		var span Span
		s.Take('{')
		for m := 0; ; m++ {
			name, ok := s.Member(m)
			if !ok {
				break
			}
			member(s, name, &o, &span)
		}
		p.Outcomes, p.Spans = append(p.Outcomes, o), append(p.Spans, span)
	}
}

// member reads a member of a call.
func member(s *world.Scanner, name []byte, o *rules.Outcome, span *Span) {
	switch string(name) {
	case "id":
		o.Call.ID = s.Text()
	case "tool":
		o.Call.Tool = s.Text()
	case "args":
		o.Call.Args = raw(s)
	case "args_text":
		o.Call.Args = json.RawMessage(s.Text())
	case "asked":
		span.Asked = raw(s)
	case "asked_text":
		span.Asked = json.RawMessage(s.Text())
	case "reason":
		o.Call.Reason = s.Text()
	case "for":
		o.Call.Actor = s.Text()
	case "actor":
		o.Actor = s.Text()
	case "status":
		o.Status = rules.Status(s.Text())
	case "code":
		o.Code = rules.Code(s.Text())
	case "say":
		o.Say.Key = s.Text()
	case "with":
		o.Say.Args = s.Strings()
	case "result":
		o.Result = raw(s)
	case "result_text":
		o.Result = json.RawMessage(s.Text())
	case "created":
		o.Created = s.Text()
	case "changed":
		o.Changed = s.Bool()
	case "itself":
		o.Itself = s.Bool()
	case "events":
		span.Events = int(s.Int())
	case "rolls":
		span.Rolls = int(s.Int())
	case "state":
		span.State = s.Text()
	default:
		s.Fail()
	}
}

// raw reads any value; it keeps no part of the line.
func raw(s *world.Scanner) json.RawMessage { return slices.Clone(s.Raw()) }

func readRolls(s *world.Scanner) (list []rules.Roll) {
	s.Take('[')
	for n := 0; s.Item(n); n++ {
		var r rules.Roll
		s.Take('{')
		for m := 0; ; m++ {
			name, ok := s.Member(m)
			if !ok {
				break
			}
			switch string(name) {
			case "no":
				r.No = s.Int()
			case "expr":
				r.Expr = s.Text()
			case "total":
				r.Total = s.Int()
			case "detail":
				r.Detail = s.Text()
			case "why":
				r.Why = s.Text()
			case "dice":
				r.Dice = readDice(s)
			default:
				s.Fail()
			}
		}
		list = append(list, r)
	}
	return list
}

func readDice(s *world.Scanner) []rules.Die {
	list := []rules.Die{}
	s.Take('[')
	for n := 0; s.Item(n); n++ {
		var d rules.Die
		s.Take('[')
		d.Size = s.Int()
		s.Take(',')
		d.Value = s.Int()
		s.Take(',')
		d.Kept = s.Int() == 1
		s.Take(']')
		list = append(list, d)
	}
	return list
}

func readNotes(s *world.Scanner) (list []rules.Note) {
	s.Take('[')
	for n := 0; s.Item(n); n++ {
		var note rules.Note
		s.Take('{')
		for m := 0; ; m++ {
			name, ok := s.Member(m)
			if !ok {
				break
			}
			switch string(name) {
			case "id":
				note.ID = s.Text()
			case "kind":
				note.Kind = s.Text()
			case "text":
				note.Text = s.Text()
			case "data":
				note.Data = raw(s)
			case "data_text":
				note.Data = json.RawMessage(s.Text())
			default:
				s.Fail()
			}
		}
		list = append(list, note)
	}
	return list
}

func readTell(s *world.Scanner) (t Tell) {
	s.Take('{')
	for m := 0; ; m++ {
		name, ok := s.Member(m)
		if !ok {
			return t
		}
		switch string(name) {
		case "text":
			t.Text = s.Text()
		case "model":
			t.Model = s.Text()
		default:
			s.Fail()
		}
	}
}
