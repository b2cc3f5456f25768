package show

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

const (
	mostArgument = 50 // runes of an argument

	unbound = 1 << 30 // runes: what is to be looked for in a text is not cut before
)

// Why explains a turn: what was tried and came of it, in the language of the players, the dice in detail, and where a difficulty came from.
// In a story that is free, and so its author's, the calls stand there as they were made, with short arguments. People, things and places
// have their names; "…" stands for what is not revealed in w, the world as it is now. Who acts is not said again with each call.
func Why(w *world.World, book *rules.Book, lang string, parts []eventlog.Part) string {
	y := inquiry{language: languageOf(lang), w: w, book: book, secrets: secrets(w, true)}
	if len(parts) == 0 {
		return y.Text("why.none")
	}
	y.lines = append(y.lines, y.Text("why", number(parts[0].Turn)))
	for _, p := range parts {
		y.part(p)
	}
	if y.calls == 0 {
		y.lines = append(y.lines, y.Text("why.quiet"))
	}
	return strings.Join(y.lines, "\n")
}

// inquiry collects the lines of an explanation.
type inquiry struct {
	language
	w       *world.World
	book    *rules.Book
	secrets []string
	lines   []string
	calls   int
}

// part adds the calls of a part, each with its rolls, and then the other rolls.
func (y *inquiry) part(p eventlog.Part) {
	rolls := p.Rolls
	for i, o := range p.Outcomes {
		y.calls++
		line := y.call
		if y.w.Self().IsBound() {
			line = y.plain
		}
		y.lines = append(y.lines, number(int64(y.calls))+". "+line(o))
		n := len(rolls)
		if i < len(p.Spans) {
			n = min(max(p.Spans[i].Rolls, 0), n)
		}
		y.dice(rolls[:n])
		rolls = rolls[n:]
		if y.w.Self().IsBound() {
			y.difficulty(o)
		}
	}
	y.dice(rolls)
}

func (y *inquiry) dice(rolls []rules.Roll) {
	for _, r := range rolls {
		detail := display.Name(r.Detail, mostItem)
		if detail == "" {
			detail = display.Name(r.Expr, mostName) + " = " + number(r.Total)
		}
		if why := display.Name(y.veil(display.Name(r.Why, unbound)), mostName); why != "" {
			detail = y.withNotes(detail, Skill(y.lang, why))
		}
		y.lines = append(y.lines, "   · "+detail)
	}
}

// call returns the line of a call.
func (y *inquiry) call(o rules.Outcome) string {
	words := display.Name(o.Call.Tool, mostName)
	if args := y.arguments(o); args != "" {
		words += " " + args
	}
	switch code := display.Name(o.Detail(), mostName); {
	case o.OK() && code != "":
		return words + " — " + y.withNotes(y.Text("why.applied"), code)
	case o.OK():
		return words + " — " + y.Text("why.applied")
	default:
		return words + " — " + y.withNotes(y.Text("why.refused"), code, y.reason(o))
	}
}

// plain returns the line of a call in words: what came of it, or why it was refused.
func (y *inquiry) plain(o rules.Outcome) string {
	what := y.sentence(o)
	for _, skill := range []string{o.Call.Text("skill"), checkOf(o).Skill} {
		if skill != "" {
			what = strings.ReplaceAll(what, skill, Skill(y.lang, skill))
		}
	}
	switch gate, isGate := strings.CutPrefix(o.Say.Key, "gate."); { // the gate's own sentences are for models: they name tools
	case !isGate:
	case slices.Contains([]string{"never", "decided", "unseen", "check", "tried", "once"}, gate):
		what = y.Text("why.gate." + gate)
	case !slices.Contains([]string{"nobody", "rest", "time", "wait", "much"}, gate):
		what = ""
	}
	switch {
	case what == "" && o.OK():
		return y.Text("why.unseen")
	case what == "":
		return y.Text("why.not")
	case o.OK():
		return what
	}
	return y.Text("why.tried", what)
}

// checkOf returns the check that a call was, or that was made for it.
func checkOf(o rules.Outcome) rules.Result {
	r := o.Read()
	return *cmp.Or(r.Check, &r)
}

// difficulty adds a line on how hard it was and who said so, where a call was a check against a number.
func (y *inquiry) difficulty(o rules.Outcome) {
	r := checkOf(o)
	if r.DC == nil {
		return
	}
	act, target := o.Call.Text("act"), o.Call.Text("target")
	acts := y.w.Self().Acts
	key := "why.dc.free"
	switch {
	case o.Call.Tool == "talk":
		key = "why.dc.talk"
	case o.Call.Tool == "attack":
		key = "why.dc.attack"
	case act != "" && (acts[act] != "" || acts[act+" "+target] != ""):
		key = "why.dc.tale"
	case act != "":
		key = "why.dc.rules"
	}
	y.lines = append(y.lines, "   · "+y.Text(key, number(*r.DC)))
	if y.w.Known(target) {
		y.lines = append(y.lines, "   · "+y.Text("why.for", strings.Trim(y.nameOf(target), "“”")))
	}
}

// reason returns the reason of a refusal. If its text may contain something about hidden progress clocks, the code stands for it.
func (y *inquiry) reason(o rules.Outcome) string { return strings.TrimRight(y.sentence(o), ".。") }

// sentence returns what the engine says of a call, "" if that may contain something about hidden progress clocks.
func (y *inquiry) sentence(o rules.Outcome) string {
	if quiet(o) || o.Say.Key == "" {
		return ""
	}
	said := rules.Sentence{Key: o.Say.Key, Args: make([]string, len(o.Say.Args))}
	for i, a := range o.Say.Args {
		said.Args[i] = y.veil(display.Name(a, unbound))
		if y.w.Self().IsBound() && y.w.Known(a) {
			said.Args[i] = strings.Trim(y.nameOf(a), "“”")
		}
	}
	return display.Name(y.veil(display.Name(y.book.Text(y.lang, said), unbound)), mostItem)
}

// quiet reports whether a call is about something that players must not know: its arguments or its
// tool say so.
func quiet(o rules.Outcome) bool {
	flags := false
	each(o, func(name string, raw []byte) {
		switch name {
		case "secret", "hidden":
			flags = flags || string(raw) == "true"
		case "visible":
			flags = flags || string(raw) == "false"
		}
	})
	return flags || o.Say.Key == "story.quiet"
}

// each calls f with the arguments of a call, their names in snake_case.
func each(o rules.Outcome, f func(name string, raw []byte)) {
	s := world.Scan(o.Call.Args)
	if !s.Next('{') {
		return
	}
	for n := 0; ; n++ {
		name, ok := s.Member(n)
		if !ok {
			return
		}
		key := rules.SnakeCase(string(name))
		raw := s.Raw()
		if s.Err() != nil {
			return
		}
		f(key, raw)
	}
}

// arguments returns the short arguments of a call.
func (y *inquiry) arguments(o rules.Outcome) string {
	var list []string
	hush := quiet(o)
	each(o, func(name string, raw []byte) {
		var value string
		switch raw[0] {
		case '{':
			value = "{…}"
		case '[':
			value = "[…]"
			if texts := y.items(raw); !hush && len(texts) > 0 {
				value = "[" + display.Name(strings.Join(texts, ","), mostArgument) + "]"
			}
		case '"':
			value = y.value(o, name, world.Scan(raw).Text(), hush)
		default:
			value = display.Name(string(raw), mostArgument)
		}
		if id := strings.Trim(string(raw), `"`); id == o.Call.Actor && id != "" && slices.Contains(rules.Doers(), name) {
			return
		}
		list = append(list, display.Name(name, mostName)+"="+value)
	})
	return strings.Join(list, " ")
}

// items returns a list of strings, nil for any other.
func (y *inquiry) items(raw []byte) (texts []string) {
	s := world.Scan(raw)
	if !s.Next('[') {
		return nil
	}
	for n := 0; s.Item(n); n++ {
		texts = append(texts, y.veil(display.Name(s.Text(), unbound)))
	}
	if s.Err() != nil {
		return nil
	}
	return texts
}

// value returns a string argument. A quiet call shows only ids and the tool's own words, and no
// call shows wants, secrets and the effects of clocks.
func (y *inquiry) value(o rules.Outcome, name, text string, hush bool) string {
	known := y.w.Known(text)
	if tool := y.book.Tool(o.Call.Tool); tool != nil && !known {
		own := func(p rules.Param) bool { return p.Name == name && slices.Contains(p.Enum, text) }
		known = slices.ContainsFunc(tool.Params, own)
	}
	switch {
	case slices.Contains([]string{"secret", "wants", "on_full"}, name):
		return "…"
	case known:
		return display.Name(y.nameOf(text), mostName)
	case hush:
		return "…"
	}
	text = display.Name(y.veil(display.Name(text, unbound)), mostArgument)
	if strings.ContainsRune(text, ' ') || text == "" {
		return "“" + text + "”"
	}
	return text
}

// nameOf returns the name of whoever or whatever has an id, and any other text as it is.
func (y *inquiry) nameOf(id string) string {
	name := ""
	if a := y.w.Actor(id); a != nil {
		name = a.Name
	} else if t := y.w.Thing(id); t != nil {
		name = t.Name
	} else if p := y.w.Place(id); p != nil {
		name = p.Name
	}
	if name = display.Name(y.veil(display.Name(name, unbound)), mostName); name == "" || name == "…" {
		return id
	}
	if strings.ContainsRune(name, ' ') {
		return "“" + name + "”"
	}
	return name
}

// Veil returns text with "…" for the secrets of a world.
func Veil(w *world.World, text string) string {
	y := inquiry{w: w, secrets: secrets(w, true)}
	return y.veil(text)
}

// VeilForNarrator is [Veil] for who plays the people of a world, and knows what they want.
func VeilForNarrator(w *world.World, text string) string {
	y := inquiry{w: w, secrets: secrets(w, false)}
	return y.veil(text)
}

// veil returns text with "…" for secrets. A very short secret counts only as the whole text.
func (y *inquiry) veil(text string) string {
	if y.w.Known(text) {
		return text
	}
	for _, s := range y.secrets {
		if text == s || utf8.RuneCountInString(s) >= 3 || len(s) >= 6 {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
	return text
}

// secrets returns the secret texts of a world as they stand in a line, the longest first; with wants, what people want is one.
func secrets(w *world.World, wants bool) (list []string) {
	known := map[string]bool{}
	add := func(hidden bool, texts ...string) {
		for _, text := range texts {
			text = display.Name(text, unbound)
			if text != "" && !hidden {
				known[text] = true
			} else if text != "" {
				list = append(list, text)
			}
		}
	}
	for _, o := range w.Things() {
		add(o.Hidden, append(values(o.Attrs), o.Name, o.Desc)...)
	}
	for _, p := range w.Places() {
		add(p.Secret && !p.Visited, append(values(p.Attrs), p.Name, p.Desc, p.Situation)...)
	}
	for _, a := range w.Actors() {
		add(false, a.Name)
		add(true, a.Secret)
		add(wants, a.Wants)
		for _, talk := range a.Talk {
			add(!talk.Said, talk.Text)
			if talk.Said {
				add(false, talk.Topic) // which may be the title of a quest that nobody has got yet
			}
		}
	}
	for _, f := range w.Facts() {
		add(f.Secret, f.Text)
	}
	for _, l := range w.LoreList() {
		add(l.Secret, l.Text)
	}
	for _, c := range w.Clocks() {
		add(!c.Visible, c.Name)
		add(!c.Visible || c.Filled < c.Segments, c.OnFull)
	}
	for _, q := range w.Quests() {
		add(q.State == world.Offered, append(slices.Clone(q.Objectives), q.Title)...)
	}
	list = slices.DeleteFunc(list, func(s string) bool { return known[s] })
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	return slices.Compact(list)
}

func values(m map[string]string) []string { return slices.Sorted(maps.Values(m)) }
