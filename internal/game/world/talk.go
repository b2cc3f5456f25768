package world

// Talk is something that somebody says when they are asked about it. The first without keys, of those that may
// be said, is how they greet.
type Talk struct {
	Topic string   // what it is called among the things that can be asked about; "" is not listed
	Keys  []string // one of them in the words asks for it
	Text  string   // what is said, in the words of who says it
	When  string   // the [Condition] under which it is said; "" is always
	// Skill and DC are a check that the one who asks must pass first; "" is none.
	Skill   string
	DC      int64
	Reveals string // a fact that the party knows from then on, or ""
	Gives   string // an object that changes hands, or ""
	Said    bool   // it was said before: it gives and reveals nothing more
}

func (t *Talk) visit(v visitor) {
	v.num("dc", &t.DC)
	v.text("gives", &t.Gives)
	v.list("keys", &t.Keys)
	v.text("reveals", &t.Reveals)
	v.flag("said", &t.Said)
	v.text("skill", &t.Skill)
	v.text("text", &t.Text)
	v.text("topic", &t.Topic)
	v.text("when", &t.When)
}

// appendTalk appends t as a record is appended: see [AppendRecord].
func appendTalk(b []byte, t *Talk) []byte {
	e := encoder{b: append(b, '{')}
	t.visit(&e)
	return append(e.b, '}')
}

// sameTalks reports whether two lists are the same; an empty one is not the same as none.
func sameTalks(a, b []Talk) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range a {
		if string(appendTalk(nil, &a[i])) != string(appendTalk(nil, &b[i])) {
			return false
		}
	}
	return true
}

// Open returns what an actor can be asked about just now: the indexes of those of its [Talk] whose condition holds.
func (w *World) Open(a *Actor) (list []int) {
	for i := range a.Talk {
		if w.Holds(Condition(a.Talk[i].When)) {
			list = append(list, i)
		}
	}
	return list
}
