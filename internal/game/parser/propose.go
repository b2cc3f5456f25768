package parser

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// mostProposed is the longest line, in tokens, for which [Options.Propose] looks. It bounds how often the line is read.
const mostProposed = 24

// Propose reads words that [Options.Read] cannot read with one run of them left out: as few words as possible, half of them
// at most, or whole clauses. It asks whether that is meant, with one option. A reading that only looks is done at once, and
// the answer says how the words were taken.
//
// There is a proposal only if all runs of one length that can be left out come to the same act on something here, or the
// same way to go. Words that change the meaning of others stay, and so do the words that they change. At most one word
// within a noun phrase is left out, and never the person whom an act is about.
func (o Options) Propose(w *world.World, book *rules.Book, lang string, actor *world.Actor, words string) (m Meaning, ok bool) {
	input, plain := tokenize(strings.TrimPrefix(strings.TrimSpace(words), "/"))
	if n := len(input.tokens); !plain || !o.NoModel || actor == nil || n < 2 || n > mostProposed {
		return Meaning{}, false
	}
	r := o.reader(w, book, lang, actor, input)
	ends := r.clauseEnds()
	for n := 1; n < len(input.tokens) && !ok; n++ {
		label := ""
		for at := 0; at+n <= len(input.tokens); at++ {
			if !r.canLeaveOut(at, at+n, ends) {
				continue
			}
			rest := r.without(at, at+n)
			one, key, fits := r.readRest(rest)
			switch begins := !ends[at+n] && r.isFirst(at, ends); {
			case !fits || begins && key == "direction" || r.loses(at, at+n, begins && !r.hasOwnVerb(at+n), one.Calls):
			case ok && !sameCalls(m.Calls, one.Calls):
				return Meaning{}, false
			default:
				m, label, ok = one, rest, true // the last run leaves the beginning as it is
			}
		}
		if ok {
			return r.propose(m, label), true
		}
	}
	return Meaning{}, false
}

// propose asks whether a meaning is meant. A meaning that only looks is done at once.
func (r *reader) propose(m Meaning, label string) Meaning {
	acts := func(c rules.Call) bool { return r.book.Tool(c.Tool).Class != rules.Reading }
	if !slices.ContainsFunc(m.Calls, acts) {
		m.After = r.text("taken", label)
		return m
	}
	return Meaning{Problem: r.text("meant", label), Options: []Option{{Label: label, Calls: m.Calls}}}
}

// clauseEnds says for each place between two tokens whether a clause begins or ends there.
func (r *reader) clauseEnds() []bool {
	ends := make([]bool, len(r.input.tokens)+1)
	for _, p := range r.joints() {
		ends[p.from], ends[p.to] = true, true
	}
	ends[0], ends[len(ends)-1] = true, true
	return ends
}

// canLeaveOut reports whether the line can make sense without some of its tokens, judged by their forms.
func (r *reader) canLeaveOut(from, to int, ends []bool) bool {
	list := r.input.tokens
	whole := ends[from] && ends[to]
	switch {
	case whole && len(list)-to+from < 2, !whole && 2*(to-from) > len(list):
		return false
	case !whole && slices.Contains(ends[from+1:to], true):
		return false // "take the lamp and drop the box"
	}
	for i := range list {
		if n := r.turns(list[i:]); n > 0 && i < to && i+n >= from {
			return false
		}
	}
	switch {
	case to < len(list) && strings.Contains("的着", list[to].text):
		return false
	case from == 0 || isHan(list[from-1].text):
		return true
	}
	for _, r.table = range r.langs {
		odd := to == len(list) || r.isOdd(list[to:to+1])
		next := !odd && list[to].gap == noGap && r.table.leading("article", list[to:]) == 0
		article, modifier := r.table.leading("article", list[from-1:from]) > 0, r.table.leading("modifier", list[from-1:from]) > 0
		switch n := r.table.leading("modifier", list[from:to]); {
		case (article || modifier) && !next:
			return false // "peek under the"
		case n == to-from, n > 0 && !ends[to] && !odd:
			return false // "pick at the rope"; a part of "at what he reads"
		case (article || strings.HasSuffix(list[from-1].text, "'s")) && r.hasOdd(list[from:to]):
			return false
		}
	}
	return true
}

// isFirst reports whether only words that lead up to a command stand between the beginning of a clause and a token.
func (r *reader) isFirst(at int, ends []bool) bool {
	from := at
	for !ends[from] {
		from--
	}
	for from < at {
		n := r.leadsUp(r.input.tokens[from:at])
		if n == 0 {
			return false
		}
		from += n
	}
	return true
}

// hasOwnVerb reports whether the tokens from at on begin with a verb that does not depend on the words before it, as "to
// take" and взять do.
func (r *reader) hasOwnVerb(at int) bool {
	list := r.input.tokens[at-1:]
	for n := 1; n > 0 && n < len(list); n = r.leadsUp(list) {
		if list = list[n:]; list[0].text == "to" || isHan(list[0].text) || isInfinitive(list[0].text) {
			return false
		}
	}
	return r.input.tokens[at-1].text != "to" && slices.ContainsFunc(r.langs, func(t table) bool { return t.hasVerb(list) })
}

// turns returns the number of leading tokens that change the meaning of others: "not", "if", "without".
func (r *reader) turns(list []token) (n int) {
	for _, t := range r.langs {
		for _, key := range [...]string{"not", "condition", "retract", "turn"} {
			n = max(n, t.leading(key, list))
		}
	}
	if n == 0 && strings.HasSuffix(list[0].text, "n't") {
		n = 1
	}
	return n
}

// without returns the text of the input without some tokens, and without words that lead up to a command.
func (r *reader) without(from, to int) string {
	list, raw := r.input.tokens, r.input.raw
	rest := raw[:list[from].from] + raw[list[to-1].to:]
	if to < len(list) {
		rest = raw[:list[from].from] + raw[list[to].from:]
	}
	rest = strings.Trim(rest, " \t.,!;:…—–-，。！；：、\"«»“”„「」『』")
	input := tokens(rest)
	for first := 0; first < len(input.tokens); {
		n := r.leadsUp(input.tokens[first:])
		if n == 0 || first+n == len(input.tokens) {
			return rest[input.tokens[first].from:]
		}
		first += n
	}
	return rest
}

// leadsUp returns the number of leading tokens that lead up to a command: "and I would like to".
func (r *reader) leadsUp(list []token) (n int) {
	for _, t := range r.langs {
		for _, key := range [...]string{"join", "lead", "lead.alone"} {
			n = max(n, t.leading(key, list))
		}
	}
	return n
}

// readRest reads the rest of a line as an act on something here, or as a way to go. It also returns the key of the
// command.
func (r *reader) readRest(words string) (m Meaning, key string, ok bool) {
	input, ok := tokenize(words)
	if !ok || len(input.tokens) == 0 {
		return m, "", false
	}
	at := r.options.reader(r.w, r.book, r.lang, r.actor, input)
	at.strict, at.seen = true, r.sight()
	m, ok = at.readSentence()
	about := func(c rules.Call) bool { return len(r.idsIn(c)) > 0 }
	return m, at.key, ok && m.Problem == "" && m.Then == nil && m.Before == "" && m.After == "" && len(m.Calls) > 0 &&
		!slices.ContainsFunc(m.Calls, func(c rules.Call) bool { return !about(c) })
}

// idsIn returns the ids that a call is about, except those of the actor and the place.
func (r *reader) idsIn(c rules.Call) (ids []string) {
	for _, name := range [...]string{"npc_id", "target_id", "object_id", "target", "find", "target_location_id", "to"} {
		if id := c.Text(name); id != "" && id != r.actor.ID && id != r.actor.Place {
			ids = append(ids, id)
		}
	}
	return ids
}

// loses reports whether calls leave out what some tokens say: the tokens name a person whom the calls are not about, or
// have a verb and name nothing here: "use the spear to open the chest".
func (r *reader) loses(from, to int, verb bool, calls []rules.Call) bool {
	names := false
	for i := from; i < to; i++ {
		for n := 1; n <= min(mostNoun, to-i); n++ {
			name := r.input.tokens[i : i+n]
			for _, r.table = range r.langs {
				whom := r.beside(name)
				if whom != nil && !slices.ContainsFunc(calls, func(c rules.Call) bool { return slices.Contains(r.idsIn(c), whom.id) }) {
					return true
				}
				names = names || whom != nil || !r.isOdd(name) && len(r.findBest(name, nil, near|carried)) > 0
			}
		}
	}
	return verb && !names
}

func sameCalls(a, b []rules.Call) bool {
	return slices.EqualFunc(a, b, func(x, y rules.Call) bool { return x.Tool == y.Tool && string(x.Args) == string(y.Args) })
}
