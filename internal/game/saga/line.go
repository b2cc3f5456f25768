package saga

import (
	"sort"
	"strconv"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// line is a line that is being written. Members that say nothing are left out.
type line struct{ b []byte }

// begin begins a line with the member that says what it is.
func (l *line) begin(kind string, n int64) {
	l.b = append(append(append(l.b[:0], '{', '"'), kind...), '"', ':')
	l.b = strconv.AppendInt(l.b, n, 10)
}

// open begins an object within the line, the n-th of its list.
func (l *line) open(n int) {
	if n > 0 {
		l.b = append(l.b, ',')
	}
	l.b = append(l.b, '{')
}

func (l *line) name(name string) {
	if last := l.b[len(l.b)-1]; last != '{' {
		l.b = append(l.b, ',')
	}
	l.b = append(append(append(l.b, '"'), name...), '"', ':')
}

func (l *line) text(name, v string) {
	if v != "" {
		l.name(name)
		l.b = world.AppendString(l.b, v)
	}
}

func (l *line) num(name string, v int64) {
	if v != 0 {
		l.always(name, v)
	}
}

func (l *line) always(name string, v int64) {
	l.name(name)
	l.b = strconv.AppendInt(l.b, v, 10)
}

func (l *line) ints(list ...int64) {
	l.b = append(l.b, '[')
	for i, n := range list {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		l.b = strconv.AppendInt(l.b, n, 10)
	}
	l.b = append(l.b, ']')
}

func (l *line) flag(name string, v bool) {
	if v {
		l.name(name)
		l.b = append(l.b, "true"...)
	}
}

func (l *line) texts(name string, v []string) {
	if v != nil {
		l.name(name)
		l.b = world.AppendStrings(l.b, v)
	}
}

// json adds JSON as it is, or, where it is none, as text under another name.
func (l *line) json(name, other string, v []byte) {
	switch {
	case v == nil:
	case packed(v):
		l.name(name)
		l.b = append(l.b, v...)
	default:
		l.name(other)
		l.b = world.AppendString(l.b, string(v))
	}
}

func (l *line) events(events []world.Event) {
	if len(events) == 0 {
		return
	}
	l.name("events")
	l.b = append(l.b, '[')
	for i, e := range events {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		l.b = world.AppendEvent(l.b, e)
	}
	l.b = append(l.b, ']')
}

// counts adds counters in the order of their names.
func (l *line) counts(counts rules.Counts) {
	if len(counts) == 0 {
		return
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names)
	l.name("counts")
	l.b = append(l.b, '{')
	for i, name := range names {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		l.b = append(world.AppendString(l.b, name), ':')
		l.b = strconv.AppendInt(l.b, counts[name], 10)
	}
	l.b = append(l.b, '}')
}

// part adds what a fold does not need.
func (l *line) part(p *Part) {
	l.text("time", p.Time)
	l.text("user", p.User)
	l.text("input", p.Input)
	l.json("plan", "plan_text", p.Plan)
	l.text("request", p.Request)
	l.text("body", p.body)
	if len(p.Outcomes) > 0 {
		l.name("calls")
		l.b = append(l.b, '[')
		for i := range p.Outcomes {
			l.open(i)
			l.outcome(&p.Outcomes[i], p.Spans[i])
		}
		l.b = append(l.b, ']')
	}
	l.rolls(p.Rolls)
	l.notes(p.Notes)
	if p.Tell != (Tell{}) {
		l.name("tell")
		l.open(0)
		l.text("text", p.Tell.Text)
		l.text("model", p.Tell.Model)
		l.b = append(l.b, '}')
	}
}

func (l *line) outcome(o *rules.Outcome, span Span) {
	l.text("id", o.Call.ID)
	l.text("tool", o.Call.Tool)
	l.json("args", "args_text", o.Call.Args)
	l.json("asked", "asked_text", span.Asked)
	l.text("reason", o.Call.Reason)
	l.text("for", o.Call.Actor)
	l.text("actor", o.Actor)
	l.text("status", string(o.Status))
	l.text("code", string(o.Code))
	l.text("say", o.Say.Key)
	l.texts("with", o.Say.Args)
	l.json("result", "result_text", o.Result)
	l.text("created", o.Created)
	l.flag("changed", o.Changed)
	l.flag("itself", o.Itself)
	l.num("events", int64(span.Events))
	l.num("rolls", int64(span.Rolls))
	l.text("state", span.State)
	l.b = append(l.b, '}')
}

func (l *line) rolls(rolls []rules.Roll) {
	if len(rolls) == 0 {
		return
	}
	l.name("rolls")
	l.b = append(l.b, '[')
	for i, r := range rolls {
		l.open(i)
		l.always("no", r.No)
		l.text("expr", r.Expr)
		l.num("total", r.Total)
		l.text("detail", r.Detail)
		l.text("why", r.Why)
		if r.Dice != nil {
			l.name("dice")
			l.dice(r.Dice)
		}
		l.b = append(l.b, '}')
	}
	l.b = append(l.b, ']')
}

// dice appends dice as [[20,7,1]]: size, value, and 1 for one that counts.
func (l *line) dice(dice []rules.Die) {
	l.b = append(l.b, '[')
	for i, d := range dice {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		kept := int64(0)
		if d.Kept {
			kept = 1
		}
		l.ints(d.Size, d.Value, kept)
	}
	l.b = append(l.b, ']')
}

func (l *line) notes(notes []rules.Note) {
	if len(notes) == 0 {
		return
	}
	l.name("notes")
	l.b = append(l.b, '[')
	for i, n := range notes {
		l.open(i)
		l.text("id", n.ID)
		l.text("kind", n.Kind)
		l.text("text", n.Text)
		l.json("data", "data_text", n.Data)
		l.b = append(l.b, '}')
	}
	l.b = append(l.b, ']')
}
