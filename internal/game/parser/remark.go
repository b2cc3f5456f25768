package parser

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// readStatement reads a sentence that is no question and no command as said to the person here.
func (r *reader) readStatement() (m Meaning, ok bool) {
	if r.input.quoted || r.input.odd || len(r.input.tokens) < 2 {
		return m, false
	}
	for _, r.table = range r.langs {
		if r.table.leading("remark", r.input.tokens) == 0 && !r.mayOnly(r.input.tokens) && !r.states(r.input.tokens) {
			continue
		}
		if whom := r.onlyOrLatest(r.listeners()); whom != nil && r.speaksOf(whom, r.input.tokens) {
			return m, false
		} else if whom != nil {
			r.named = whom
			_, bad := r.react(whom, "told", "")
			return Meaning{Problem: bad.text, Done: true}, true
		}
		if len(r.listeners()) > 0 {
			return Meaning{Problem: r.refuseUnasked().text}, true
		}
		return Meaning{Problem: r.text("nobody.4")}, true
	}
	return m, false
}

// mayOnly reports whether tokens say what the speaker can do or would do, and that is no command: "I can pay you", but not
// "I can take the rope".
func (r *reader) mayOnly(list []token) bool {
	n := r.table.leading("modal", list)
	if n == 0 || n == len(list) {
		return false
	}
	at := *r
	at.verbless = false
	if m, ok := at.readVerb(list[n:]); ok && (len(m.Calls) > 0 && m.Calls[0].Tool != "talk" || at.named != nil && at.named.kind != person) {
		return false
	}
	_, ok := r.options.Propose(r.w, r.book, r.lang, r.actor, r.input.raw)
	return !ok
}

// states reports whether tokens are one clause with a subject before a verb that only states something: "the queen was
// called Maelis". Nobody says it where nobody is.
func (r *reader) states(list []token) bool {
	asks := func(i int) bool { return r.table.leading("asking", list[i:]) > 0 }
	if len(r.joints()) > 1 || len(r.listeners()) == 0 || r.commands(list) || r.table.hasVerb(list) || r.table.leading("modal", list) > 0 || asks(0) || asks(1) {
		return false
	}
	for i := 1; i < min(len(list), mostMention); i++ {
		if r.table.leading("stating", list[i:]) > 0 {
			return true
		}
	}
	return false
}

// readRemark reads a short sentence as said to the only person here, if they have a line on it.
func (r *reader) readRemark() (m Meaning, ok bool) {
	some, list := r.listeners(), r.input.tokens
	if len(some) != 1 || r.speaksOf(some[0], list) || r.commands(list) || len(list) > 2*mostTopic && !isHan(list[0].text) || len(list) > mostHanTopic || r.input.quoted || r.input.odd {
		return m, false
	}
	words := joinTokens(list)
	at := r.freeTopicOf(some[0], words)
	if at < 0 {
		return m, false
	}
	long := func(key string) bool { return utf8.RuneCountInString(key) > 1 && strings.Contains(words, key) }
	if isHan(list[0].text) && !slices.ContainsFunc(some[0].actor.Talk[at].Keys, long) {
		return m, false
	}
	r.input.question = true
	return r.readQuestion(true)
}

// commands reports whether tokens begin with the verb of a command for more than talk: "walk round the wheel" is no
// remark on the wheel.
func (r *reader) commands(list []token) bool {
	if r.input.question {
		return false
	}
	return slices.ContainsFunc(r.joints(), func(p span) bool { return r.commandsPart(list[p.from:p.to]) })
}

// commandsPart is commands for the tokens between two joints.
func (r *reader) commandsPart(list []token) bool {
	if len(list) < 2 {
		return false
	}
	for _, t := range r.langs {
		rest := list
		lead := func() int { return max(t.leading("lead", rest), t.leading("lead.alone", rest)) }
		for n := lead(); n > 0 && n < len(rest); n = lead() {
			rest = rest[n:]
		}
		n := t.countVerb(rest)
		if isHan(rest[0].text) && n < 2 {
			continue // one character may be anything
		}
		if isInfinitive(rest[0].text) || t.leading("asking", rest) == 0 && n > 0 {
			return true
		}
	}
	return false
}

// hasVerb reports whether tokens begin with a verb of going or of handling things.
func (t table) hasVerb(list []token) bool { return t.countVerb(list) > 0 }

// countVerb returns how many tokens at the beginning are a verb of going or of handling things.
func (t table) countVerb(list []token) (most int) {
	for line := range strings.Lines(t.commands) {
		key, patterns, _ := strings.Cut(line, ":")
		if !slices.Contains([]string{"go", "take", "drop", "put.in", "put.on", "open", "close", "wear", "attack", "examine", "search", "give", "pry", "kindle", "use"}, strings.TrimRight(key, "~+")) {
			continue
		}
		for group := range strings.SplitSeq(patterns, ";") {
			first, several := strings.CutPrefix(strings.TrimSpace(group), "(")
			if end := strings.IndexAny(first, "({"); end >= 0 && !several {
				first = strings.TrimSpace(first[:end])
			}
			group, _, _ = strings.Cut(first, ")")
			for verb := range strings.SplitSeq(group, "|") {
				m := matching{tokens: list, end: len(list)}
				if n, ok := m.word(verb, 0); ok {
					most = max(most, n)
				}
			}
		}
	}
	return most
}

// commandsBehind reports whether a command stands behind the first joint of the input: "sit down and read the note".
func (r *reader) commandsBehind() bool {
	parts := r.joints()
	return r.actor != nil && len(parts) > 1 && slices.ContainsFunc(parts[1:], func(p span) bool {
		at := *r
		at.input.tokens, at.verbless = r.input.tokens[p.from:p.to], false
		_, ok := at.readVerb(at.input.tokens)
		return ok
	})
}

// isGesture reports whether tokens are a gesture and nothing else. One at "the globe" needs a globe here.
func (r *reader) isGesture(t table, list []token) bool {
	found := false
	match := matching{tokens: list, end: len(list)}
	match.fits = func() bool {
		s := match.slots[3]
		found = found || !r.isForNothing(t, list[s.from:s.to], t.leading("nodding", list) > 0)
		return found
	}
	match.patterns(t.word("small.gesture"))
	return found && !r.commandsBehind() && !r.isAsking()
}

// isForNothing reports whether tokens say at what a gesture is made, and nothing here has that name. The name needs an
// article such as "the", unless the gesture can only be at somebody: other words may say how it is made.
func (r *reader) isForNothing(t table, list []token, bare bool) bool {
	at := *r
	if at.table = t; r.w == nil || r.actor == nil || !r.options.NoModel || len(list) == 0 {
		return false
	}
	if len(list) > 1 && at.isOdd(list) {
		list = list[1:]
	}
	n := min(t.leading("article", list), len(list)-1)
	name := list[n:]
	if n == 0 && !bare || t.is("indefinite", list[:n]) || t.is("me", name) || len(name) > mostWord || at.hasOdd(name) || t.is("bounds", name) || t.is("skies", name) {
		return false
	}
	doors, _ := at.doors(name)
	return len(doors) == 0 && len(at.findBest(name, nil, ^kind(0))) == 0 && len(at.findAlias(name, nil, ^kind(0))) == 0 && at.scenery(name) == "" && !at.mentionsHere(name)
}

// smallTalk returns the kind of small talk that the input is, or "".
func (r *reader) smallTalk() string {
	for _, t := range r.langs {
		list := r.input.tokens
		if n := max(t.leading("lead", list), t.leading("lead.alone", list)); n < len(list) && r.isGesture(t, list[n:]) {
			return "gesture" // "may I sit down"
		}
		for len(list) > 0 {
			if what := t.which("small.", list); what != "" && (what != "gesture" || r.isGesture(t, list)) {
				return what
			}
			n := t.trailing("tail", list)
			list = list[:len(list)-max(n, 1)]
			if n == 0 {
				break
			}
		}
	}
	return ""
}
