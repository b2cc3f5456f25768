package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"

	"hob/internal/game/world"
)

// reader reads what one actor said.
type reader struct {
	w       *world.World
	book    *rules.Book
	lang    string
	langs   []table // the player's first
	actor   *world.Actor
	said    said
	options Options
	seen    *sight  // see [reader.sight]
	last    *entity // what was named last in an earlier command of the same sentence

	// Of the pattern that is tried:
	table    table
	tokens   []token // of the command
	slots    [4]span
	forced   [4]*entity // what a slot means, where it was asked which
	vague    bool       // see the keys with ~ in the tables
	verbless bool       // names and words alone are tried
	guess    guess      // at what was meant, that what is wrong comes from
	named    *entity    // what was named
	tries    int        // how often the command was judged
}

// refusal is why a command cannot be done. Without words and without several things that may be meant, it is no plain command.
type refusal struct {
	text string
	many []*entity // what may be meant
	slot int       // by this slot
}

// unplain is the refusal of what is left to a model.
func unplain() *refusal { return &refusal{} }

// because is the refusal of a plain command.
func (r *reader) because(key string, args ...string) *refusal {
	return &refusal{text: r.text(key, args...)}
}

// mostTokens bounds the tokens of a command, and so the ways in which it can be taken apart.
const mostTokens = 60

// mostTries bounds how often the tokens of a command may fit a pattern. What fits that often is a long sentence, or none.
const mostTries = 300

// sentence reads all that was said.
func (r *reader) sentence() (Meaning, bool) {
	r.unpolite()
	if n := r.pick(); n > 0 {
		return Meaning{Pick: n}, true
	}
	m, ok := r.command(r.said.tokens)
	if ok && m.Problem == "" {
		return m, true
	}
	if joined, fits := r.several(); fits {
		if m, ok = joined, true; m.Problem == "" || len(m.Options) > 0 {
			return m, true
		}
	}
	if r.options.Alone && r.actor != nil {
		return r.alone(m, ok)
	}
	return m, ok
}

// pick returns the number of the choice that was picked, 0 for none.
func (r *reader) pick() int {
	list := r.said.tokens
	for _, t := range r.langs {
		if n := t.leading("pick", list); n > 0 && n < len(list) {
			list = list[n:]
			if m := t.trailing("pick.end", list); m < len(list) {
				list = list[:len(list)-m]
			}
			break
		}
	}
	if len(list) != 1 || len(list[0].text) != 1 || list[0].text[0] < '1' || list[0].text[0] > '9' || r.said.question ||
		strings.HasPrefix(r.said.raw, "-") {
		return 0
	}
	return int(list[0].text[0] - '0')
}

// command reads tokens as one command, in the player's language or another one. Who listens alone tries what may be a slip, and
// then words without a verb.
func (r *reader) command(tokens []token) (m Meaning, ok bool) {
	if len(tokens) == 0 || len(tokens) > mostTokens {
		return Meaning{}, false
	}
	r.verbless = false
	m, ok = r.reads(tokens)
	if ok || !r.options.Alone || r.small() != "" {
		return m, ok
	}
	if m, ok = r.corrected(tokens); ok {
		return m, ok
	}
	r.verbless = true
	return r.reads(tokens)
}

// reads is command for tokens as they are, with a verb or without.
func (r *reader) reads(tokens []token) (m Meaning, ok bool) {
	r.tries = 0
	for _, r.table = range r.langs {
		list := tokens
		for {
			next, fits := r.scan(list)
			if fits && next.Problem == "" {
				return next, true
			}
			if fits && !ok {
				m, ok = next, true
			}
			rest := r.trimmed(list)
			if len(rest) == len(list) {
				break
			}
			list = rest
		}
		if ok {
			return m, true
		}
	}
	return Meaning{}, false
}

// scan tries the commands of the table.
func (r *reader) scan(tokens []token) (m Meaning, ok bool) {
	guess := sound // so far
	r.tokens = tokens
	match := matching{tokens: tokens, end: len(tokens)}
	key := ""
	match.fits = func() bool {
		if r.tries++; r.tries > mostTries {
			m, ok = Meaning{}, false
			return true
		}
		r.slots, r.forced, r.named, r.guess = match.slots, [4]*entity{}, nil, sound
		next, fits := r.judged(key)
		closer := r.guess < guess || r.guess == absent && guess == absent && isHan(tokens[0].text) && len(next.Problem) < len(m.Problem)
		if fits && (!ok || next.Problem == "" || len(next.Options) > len(m.Options) || closer && len(m.Options) == 0 && r.options.Alone) {
			m, ok, guess = next, true, r.guess
		}
		return fits && next.Problem == ""
	}
	if r.actor != nil {
		if key, r.vague = "direction", false; r.table.which("dir.", tokens) != "" {
			match.slots[1] = span{to: len(tokens)}
			if match.fits() {
				return m, ok
			}
		}
	}
	for line := range strings.Lines(r.table.commands) {
		name, list, found := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if !found || !match.begin(list) || name[0] == '#' {
			continue
		}
		if key, r.vague = strings.CutSuffix(name, "+"); r.vague && !r.options.Alone {
			continue
		} else if !r.vague {
			key, r.vague = strings.CutSuffix(name, "~")
		}
		if r.verbless != (key == "word" || key == "bare") {
			continue
		}
		if match.patterns(list) {
			break
		}
	}
	return m, ok
}

// judged is what a command comes to, with the options where several things may be meant by it.
func (r *reader) judged(key string) (m Meaning, ok bool) {
	if show, shows := strings.CutPrefix(key, "show."); shows {
		return Meaning{Show: Show(show)}, !r.said.quoted && !r.said.odd
	}
	asks := r.said.question && (!r.options.Alone || key == "bare" || key == "back")
	if r.actor == nil || asks || r.said.odd && key != "roll" {
		return Meaning{}, false
	}
	slots := r.slots
	m, bad := r.act(key)
	switch {
	case bad == nil:
		return m, true
	case len(bad.many) == 0:
		return Meaning{Problem: bad.text}, bad.text != ""
	}
	var options []Option
	names := make([]string, 0, len(bad.many))
	for _, e := range bad.many {
		r.slots, r.forced[bad.slot] = slots, e
		one, not := r.act(key)
		if not != nil || len(one.Calls) == 0 || len(options) == 9 {
			continue
		}
		m = one
		options = append(options, Option{Label: r.label(e, bad.many), Calls: one.Calls})
		names = append(names, r.text("option", string(rune('0'+len(options))), options[len(options)-1].Label))
	}
	switch len(options) {
	case 0:
		r.slots, r.forced[bad.slot] = slots, bad.many[0]
		_, bad = r.act(key)
		if bad == nil {
			return Meaning{}, false
		}
		return Meaning{Problem: bad.text}, bad.text != ""
	case 1:
		return m, true
	}
	return Meaning{Problem: r.text("which", r.listed(names)), Options: options}, true
}

// label returns what tells one of several things from the others.
func (r *reader) label(e *entity, among []*entity) string {
	for _, other := range among {
		if other != e && other.name == e.name {
			return e.name + " " + e.id
		}
	}
	return e.name
}

// several reads a sentence of a few commands, of which each must be plain. What stands after one that leads elsewhere is read
// there, if that is no new place.
func (r *reader) several() (m Meaning, ok bool) {
	parts := r.parts()
	if len(parts) < 2 || len(parts) > mostParts || r.actor == nil {
		return Meaning{}, false
	}
	at := *r
	for i, part := range parts {
		one, fits := at.command(part)
		if one.Show == ShowLook && at.call("look", rules.NewObj(), &one) == nil {
			one.Show = ""
		}
		if !fits || one.Show != "" {
			return Meaning{}, false
		}
		if one.Problem != "" && i > 0 && calls(m.Calls, "set_container", "set_link") {
			return r.first(m, part)
		} else if one.Problem != "" {
			return one, true
		}
		for _, c := range one.Calls {
			if !slices.ContainsFunc(m.Calls, func(was rules.Call) bool { return was.Tool == c.Tool && string(was.Args) == string(c.Args) }) {
				m.Calls = append(m.Calls, c)
			}
		}
		at.last = at.named
		if i+1 < len(parts) && !at.follow(one.Calls) {
			return r.first(m, parts[i+1])
		}
	}
	return m, len(m.Calls) <= MostCalls
}

// calls reports whether one of some tools is among calls.
func calls(list []rules.Call, tools ...string) bool {
	return slices.ContainsFunc(list, func(c rules.Call) bool { return slices.Contains(tools, c.Tool) })
}

// follow puts the actor to where calls lead, and reports whether it is known there what can be named.
func (r *reader) follow(calls []rules.Call) bool {
	for _, c := range calls {
		switch c.Tool {
		case "move_player", "move":
			to := r.w.Place(r.named.id)
			if to == nil || !to.Visited {
				return false
			}
			there := *r.actor
			there.Place = to.ID
			r.actor, r.seen = &there, nil
		case "move_to_zone":
			return false
		}
	}
	return true
}

// parts takes what was said apart at its joints: words such as and, commas, and the ends of sentences.
func (r *reader) parts() (list [][]token) {
	tokens, from := r.said.tokens, 0
	cut := func(to, next int) {
		if to > from {
			list = append(list, tokens[from:to])
		}
		from = next
	}
	for i := 0; i < len(tokens); i++ {
		if tokens[i].gap != noGap {
			cut(i, i)
		}
		for _, t := range r.langs {
			if n := t.leading("join", tokens[i:]); n > 0 {
				cut(i, i+n)
				i += n - 1
				break
			}
		}
	}
	cut(len(tokens), len(tokens))
	return list
}

// phrase returns the tokens of a slot.
func (r *reader) phrase(slot int) []token { return r.tokens[r.slots[slot].from:r.slots[slot].to] }

// spoken returns what was said in a slot, as it was said.
func (r *reader) spoken(slot int) string {
	p := r.phrase(slot)
	if len(p) == 0 {
		return ""
	}
	return r.said.raw[p[0].from:p[len(p)-1].to]
}

// call adds a call of a tool, if there is one and it is allowed.
func (r *reader) call(tool string, args *rules.Obj, m *Meaning) *refusal {
	switch {
	case r.book.Tool(tool) == nil:
		return unplain()
	case !rules.Allowed(r.w.Self(), tool):
		return r.because("off")
	case r.book.Tool(tool).Class != rules.Reading && !rules.CanAct(r.actor):
		return r.because("state", rules.Called(r.actor.Name, r.actor.ID))
	}
	m.Calls = append(m.Calls, rules.Call{Tool: tool, Args: args.Bytes(), Actor: r.actor.ID})
	return nil
}

// single is a command that is one call.
func (r *reader) single(tool string, args *rules.Obj) (m Meaning, bad *refusal) {
	return m, r.call(tool, args, &m)
}

// incomplete answers a verb that stands alone.
func (r *reader) incomplete() *refusal {
	list := slices.Collect(r.visible(near|person|way, func(e *entity) bool { return e.depth == 0 && utf8.ValidString(e.name) }))
	if len(list) == 0 {
		return r.because("nothing")
	}
	return r.because("incomplete", r.listNames(list[:min(len(list), mostNamed)]))
}

// mostNamed is how many things an answer names to choose from.
const mostNamed = 12

// described reports whether the place's description speaks of something: of the last word of its name, or, in Chinese, of the last
// two characters.
func (r *reader) described(name []token) bool {
	p := r.sight().place
	if p == nil {
		return false
	}
	word := name[len(name)-1].text
	if n := len(name); n > 1 && isHan(word) {
		word = name[n-2].text + word
	}
	for _, text := range [...]string{p.Desc, p.Situation} {
		if isHan(word) && strings.Contains(text, word) || !isHan(word) && mentions(text, word) {
			return true
		}
	}
	return false
}
