package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"

	"hob/internal/game/world"
)

// reader reads the input of one actor.
type reader struct {
	w       *world.World
	book    *rules.Book
	lang    string
	langs   []table // the player's first
	actor   *world.Actor
	input   utterance
	options Options
	strict  bool // only a command with a verb counts: see [Options.Propose]
	actions []action
	seen    *sight        // what [reader.sight] has found
	last    *entity       // the last name in an earlier command of the sentence
	serial  map[span]bool // see [reader.isSerial]

	// The pattern that is tried:
	table    table
	key      string  // its command
	tokens   []token // the words of the command
	slots    [4]span
	forced   [4]*entity // the entity that a slot means, of several candidates
	vague    bool       // its key has ~ or + in the tables
	asked    bool       // it is a question to a named person who has no answer, or a question for the exits
	verbless bool       // commands without a verb are tried
	tries    int        // how often the words matched a pattern
	understanding
}

// understanding says how well a command is understood.
type understanding struct {
	guess   guess   // whether a problem comes from a misread command
	named   *entity // the entity that was named
	known   bool    // a slot named something here
	unknown string  // the name in a slot that nothing here has
	sought  kind    // the kinds that the name could be of, if the game has no model
}

// refusal is why a command cannot be done. One without a text and without candidates means that the input is no plain
// command.
type refusal struct {
	text string
	done bool      // it answers a command that was done and changes nothing
	idle bool      // it says that nothing comes of the command
	part bool      // only a name was understood
	many []*entity // the candidates
	slot int       // that may mean any of them
}

// notPlain is the refusal of input that is left to a model.
func notPlain() *refusal { return &refusal{} }

// refuse returns the refusal of a plain command, in the words of a key.
func (r *reader) refuse(key string, args ...string) *refusal {
	return &refusal{text: r.text(key, args...)}
}

// settled marks a refusal as an answer that changes nothing: a command behind it is still done.
func (f *refusal) settled() *refusal {
	f.done = true
	return f
}

// already is refuse for something that is so without the command.
func (r *reader) already(key string, args ...string) *refusal {
	return r.refuse(key, args...).settled()
}

// meaning returns a refusal as the meaning of a command; false if the input is no plain command.
func (f *refusal) meaning() (Meaning, bool) {
	return Meaning{Problem: f.text, Done: f.done, Idle: f.idle, Partly: f.part}, f.text != ""
}

// mostTokens is the longest command in tokens. It bounds the number of ways to split it.
const mostTokens = 60

// mostTries is how often the tokens of a command may match a pattern. Only long sentences match more often.
const mostTries = 300

// readSentence reads the whole input.
func (r *reader) readSentence() (Meaning, bool) {
	r.dropPolite()
	if n := r.pick(); n > 0 {
		return Meaning{Pick: n}, true
	}
	if r.options.Asked && r.smallTalk() == "yes" {
		return Meaning{Problem: r.text("spared"), Done: true}, true // "no"
	}
	if r.sight().place.IsPage() {
		return r.readPage()
	}
	alone := r.options.NoModel && r.actor != nil
	if alone {
		r.takeBack()
		if m, ok := r.readBeforeCommand(); ok {
			return m, true
		}
	}
	m, ok := r.readCommand(r.input.tokens)
	whole, sure := ok && m.Problem == "", ok && (r.guess != wild || m.Done || len(m.Options) > 0)
	if m.Show == ShowRecap && alone && len(r.input.tokens) <= mostWord {
		if one, asked := r.askWhoCanTell(); asked {
			return one, true
		}
	}
	if whole && alone && r.verbless && asksAbout(m.Calls) { // 打开桶拿鱼 is no question about fish
		at := *r
		if joined, fits := at.readParts(at.serialJoints()); fits && len(joined.Calls) > 0 {
			*r = at
			return joined, true
		}
	}
	if whole && !r.swallows(m, r.input, r.joints()) {
		return m, true
	}
	joined, fits := r.readParts(r.joints())
	switch fits = fits && (len(joined.Calls) > 0 || joined.Done || !sure); {
	case fits && (joined.Problem == "" || joined.Done || len(joined.Options) > 0):
		return joined, true
	case fits:
		m, ok = joined, true
	case whole:
		return m, true
	}
	if alone && !r.strict {
		return r.readBehindCommand(m, ok, sure)
	}
	return m, ok
}

// readBeforeCommand reads input that may look like a command and is none, in a game without a model.
func (r *reader) readBeforeCommand() (Meaning, bool) {
	switch what := r.smallTalk(); what {
	case "swear", "restart":
		return Meaning{Problem: r.text("small." + what)}, true
	case "you":
		if m, ok := r.lookAtListener(); ok {
			return m, true
		}
		return Meaning{Problem: r.text("small.who")}, true
	}
	if m, ok := r.readNegated(r.input.tokens); ok {
		return m, true
	}
	if bad := r.refuseForeign(true); bad != nil {
		return Meaning{Problem: bad.text}, true
	}
	return r.readQuoted(true)
}

// readBehindCommand reads input that is no command, or unlikely to be the one that was found, in a game without a model.
func (r *reader) readBehindCommand(m Meaning, ok, sure bool) (Meaning, bool) {
	if parts := r.serialJoints(); !sure && parts != nil {
		if joined, fits := r.readParts(parts); fits {
			return joined, true
		}
	}
	if m, ok = r.readWithoutModel(m, ok); ok {
		return m, true
	}
	if m, ok = r.readQuoted(false); ok {
		return m, true
	}
	return r.readStrangeVerb(r.input.tokens)
}

// pick returns the number of the choice that the input picks, 0 for none.
func (r *reader) pick() int {
	list := r.input.tokens
	for _, t := range r.langs {
		if n := t.leading("pick", list); n > 0 && n < len(list) {
			list = list[n:]
			if m := t.trailing("pick.end", list); m < len(list) {
				list = list[:len(list)-m]
			}
			break
		}
	}
	if r.input.question || strings.HasPrefix(r.input.raw, "-") {
		return 0
	}
	if r.options.Asked && slices.ContainsFunc(r.langs, func(t table) bool { return t.is("agree", list) }) {
		return 1
	}
	if len(list) == 1 && len(list[0].text) == 1 {
		return int(number(list[0].text))
	}
	for _, t := range r.langs {
		if n := number(t.which("num.", list)); r.options.NoModel && n > 0 && n <= 9 { // a model may know better
			return int(n)
		}
	}
	return 0
}

// readCommand reads tokens as one command, in the player's language or another one. Without a model it corrects typing
// errors, and then tries words without a verb.
func (r *reader) readCommand(tokens []token) (m Meaning, ok bool) {
	if len(tokens) == 0 || len(tokens) > mostTokens {
		return Meaning{}, false
	}
	r.verbless = false
	m, ok = r.readVerb(tokens)
	if r.strict {
		return m, ok
	}
	if ok && m.Problem != "" && !m.Done && len(m.Options) == 0 && r.options.NoModel { // "go norht"
		at := *r
		if one, fits := at.readCorrected(tokens); fits && len(one.Calls) > 0 {
			*r = at
			return one, true
		}
	}
	if ok || !r.options.NoModel || r.smallTalk() != "" {
		return m, ok
	}
	if m, ok = r.readCorrected(tokens); ok {
		return m, ok
	}
	if m, ok = r.readUnknownVerb(tokens); ok {
		return m, ok
	}
	r.verbless = true
	if m, ok = r.readVerb(tokens); ok {
		return m, ok
	}
	return r.readBareName(tokens)
}

// readVerb is readCommand for tokens as they are, with or without a verb as r.verbless says.
func (r *reader) readVerb(tokens []token) (m Meaning, ok bool) {
	r.tries = 0
	best := r.understanding // of m
	for _, r.table = range r.langs {
		list := tokens
		for {
			list = r.verbFirst(list)
			next, fits := r.scan(list)
			if fits && next.Problem == "" {
				return next, true
			}
			fewer := best.guess == absent && r.options.NoModel && len(list) < len(tokens) && list[0] == tokens[0] // an adverb was read as a part of the name
			if fits && (!ok || fewer || (next.Done || len(next.Options) > 0) && !m.Done && len(m.Options) == 0) {
				m, ok, best = next, true, r.understanding
			}
			rest := r.trimPolite(list)
			if len(rest) == len(list) {
				rest = r.withoutReason(list)
			}
			if len(rest) == len(list) {
				break
			}
			list = rest
		}
		if ok {
			r.understanding = best
			return m, true
		}
	}
	return Meaning{}, false
}

// tryVerb is readVerb on a copy of the reader, which forgets what it understood.
func (r *reader) tryVerb(tokens []token, verbless bool) (m Meaning, ok bool) {
	at := *r
	at.verbless = verbless
	return at.readVerb(tokens)
}

// verbFirst moves a Russian verb before its object: её прочитать, горшок возьми.
func (r *reader) verbFirst(list []token) []token {
	for n := 1; n < min(len(list), mostNoun) && isCyrillic(list[0].text); n++ {
		switch {
		case n == 1 && r.table.is("it", list[:1]) && isInfinitive(list[1].text):
		case n+1 == len(list) && r.options.NoModel && !r.input.question && r.table.hasVerb(list[n:]) && len(r.findBest(list[:n], nil, near|carried)) == 1:
		default:
			continue
		}
		return slices.Concat(list[n:n+1], list[:n], list[n+1:])
	}
	return list
}

// isCloser reports whether this understanding is closer to what was meant than another one.
func (a understanding) isCloser(b understanding) bool {
	switch {
	case a.guess != b.guess:
		return a.guess < b.guess
	case a.guess == sound:
		return false
	}
	return a.known && !b.known || a.guess == absent && len(a.unknown) < len(b.unknown)
}

// scan tries the commands of the table on tokens.
func (r *reader) scan(tokens []token) (m Meaning, ok bool) {
	var best understanding // of m
	r.tokens = tokens
	match := matching{tokens: tokens, end: len(tokens)}
	key := ""
	match.fits = func() bool {
		if r.tries++; r.tries > mostTries {
			m, ok = Meaning{}, false
			return true
		}
		r.slots, r.forced, r.understanding = match.slots, [4]*entity{}, understanding{}
		next, fits := r.judge(key)
		plain, closer := next.Problem == "", r.options.NoModel && len(m.Options) == 0 && r.isCloser(best)
		if fits && (!ok || plain || closer || len(next.Options) > len(m.Options)) {
			m, ok, best = next, true, r.understanding
		}
		return fits && plain
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
		key = strings.TrimRight(name, "+~")
		r.vague = key != name
		hasVerb, counts := key != "word" && key != "bare", r.options.NoModel || !strings.HasSuffix(name, "+")
		if counts && hasVerb != r.verbless && match.patterns(list) {
			return m, ok
		}
	}
	if ok {
		r.understanding = best
	}
	return m, ok
}

// judge returns the meaning of a command, with options if several things may be meant.
func (r *reader) judge(key string) (m Meaning, ok bool) {
	if show, shows := strings.CutPrefix(key, "show."); shows {
		return Meaning{Show: Show(show)}, !r.input.quoted && !r.input.odd
	}
	asks := r.input.question && (!r.options.NoModel || key == "bare" || key == "back" && !r.asksPolitely()) && key != "exits"
	if r.actor == nil || asks || r.input.odd && key != "roll" {
		return Meaning{}, false
	}
	slots := r.slots
	r.key = key
	m, bad := r.act(key)
	switch {
	case bad == nil:
		return m, true
	case len(bad.many) == 0:
		return bad.meaning()
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
		if _, bad = r.act(key); bad == nil {
			return Meaning{}, false
		}
		return bad.meaning()
	case 1:
		return m, true
	}
	question := "which"
	if !slices.ContainsFunc(bad.many, func(e *entity) bool { return e.kind != person }) {
		question = "which.person"
	}
	return Meaning{Problem: r.text(question, r.joinNames(names)), Options: options}, true
}

// asksPolitely reports whether a question is a command behind polite words: "can I go back?"
func (r *reader) asksPolitely() bool {
	return r.options.NoModel && len(r.tokens) > 0 && r.tokens[0].from > r.input.tokens[0].from
}

// label returns a name that tells an entity from the other candidates.
func (r *reader) label(e *entity, among []*entity) string {
	for _, other := range among {
		if other != e && other.name == e.name {
			return e.name + " " + e.id
		}
	}
	return e.name
}

// phrase returns the tokens of a slot.
func (r *reader) phrase(slot int) []token { return r.tokens[r.slots[slot].from:r.slots[slot].to] }

// isGiven reports whether a slot has words, or an answer has said what it means.
func (r *reader) isGiven(slot int) bool { return r.forced[slot] != nil || len(r.phrase(slot)) > 0 }

// textOf returns the text of a slot as it was typed.
func (r *reader) textOf(slot int) string {
	if p := r.phrase(slot); len(p) > 0 {
		return r.spoken(p)
	}
	return ""
}

// spoken returns the text of tokens as it was typed.
func (r *reader) spoken(list []token) string { return r.input.raw[list[0].from:list[len(list)-1].to] }

// call adds a call of a tool, if the tool exists and is allowed.
func (r *reader) call(tool string, args *rules.Obj, m *Meaning) *refusal {
	switch {
	case r.book.Tool(tool) == nil:
		return notPlain()
	case !rules.Allowed(r.w.Self(), tool):
		return r.refuse("off")
	case r.book.Tool(tool).Class != rules.Reading && !rules.CanAct(r.actor):
		return r.refuse("state", rules.NameOrID(r.actor.Name, r.actor.ID))
	}
	m.Calls = append(m.Calls, rules.Call{Tool: tool, Args: args.Bytes(), Actor: r.actor.ID})
	return nil
}

// oneCall returns a meaning of one call.
func (r *reader) oneCall(tool string, args *rules.Obj) (m Meaning, bad *refusal) {
	return m, r.call(tool, args, &m)
}

// look looks at something.
func (r *reader) look(e *entity) (Meaning, *refusal) {
	r.named = e
	return r.oneCall("look", rules.NewObj().Text("target_id", e.id))
}

// refuseIncomplete answers a verb without an object with the things that it may mean.
func (r *reader) refuseIncomplete() *refusal {
	list := slices.Collect(r.visible(near|person|way, func(e *entity) bool { return e.depth == 0 && utf8.ValidString(e.name) }))
	if len(list) == 0 {
		return r.refuse("nothing")
	}
	return r.refuse("incomplete", r.joinEntities(list[:min(len(list), mostNamed)]))
}

// mostNamed is the number of things that an answer names.
const mostNamed = 12

// mentionsHere reports whether the text of the place has the last word of a name.
func (r *reader) mentionsHere(name []token) bool {
	p := r.sight().place
	return p != nil && mentions(p.Desc+"\n"+p.Situation, lastWord(name))
}
