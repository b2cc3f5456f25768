package show

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/world"
)

const (
	mostArgument = 40 // runes of an argument
	mostHash     = 8  // letters of a state's hash

	unbound = 1 << 30 // runes: what is to be looked for in a text is not cut before
)

// Why returns what the engine did in a turn: each call with its arguments in short, whether it was applied, or why not, the dice
// with their detail, and how the hash of the state begins. Ids are shown; for texts of what is not revealed in w there is "…". w
// is the world as it is now.
func Why(w *world.World, book *rules.Book, lang string, parts []saga.Part) string {
	y := inquiry{tongue: speak(lang), w: w, book: book, secrets: secrets(w)}
	if len(parts) == 0 {
		return y.say("why.none")
	}
	y.lines = append(y.lines, y.say("why", number(parts[0].Turn)))
	for _, p := range parts {
		y.part(p)
	}
	if y.calls == 0 {
		y.lines = append(y.lines, y.say("why.quiet"))
	}
	if state := strings.TrimSuffix(clean(parts[len(parts)-1].State, mostHash), "…"); state != "" {
		y.lines = append(y.lines, y.say("why.state", state))
	}
	return strings.Join(y.lines, "\n")
}

// inquiry writes what was done.
type inquiry struct {
	tongue
	w       *world.World
	book    *rules.Book
	secrets []string
	lines   []string
	calls   int
}

// part tells of the calls of a part, each with its rolls; the rolls that are nobody's are last.
func (y *inquiry) part(p saga.Part) {
	rolls := p.Rolls
	for i, o := range p.Outcomes {
		y.calls++
		y.lines = append(y.lines, number(int64(y.calls))+". "+y.call(o))
		n := len(rolls)
		if i < len(p.Spans) {
			n = min(max(p.Spans[i].Rolls, 0), n)
		}
		y.dice(rolls[:n])
		rolls = rolls[n:]
	}
	y.dice(rolls)
}

func (y *inquiry) dice(rolls []rules.Roll) {
	for _, r := range rolls {
		detail := clean(r.Detail, mostItem)
		if detail == "" {
			detail = clean(r.Expr, mostName) + " = " + number(r.Total)
		}
		if why := clean(y.veiled(clean(r.Why, unbound)), mostName); why != "" {
			detail = y.noted(detail, Skill(y.lang, why))
		}
		y.lines = append(y.lines, "   · "+detail)
	}
}

// call tells of one call.
func (y *inquiry) call(o rules.Outcome) string {
	words := clean(o.Call.Tool, mostName)
	if args := y.arguments(o); args != "" {
		words += " " + args
	}
	switch code := clean(o.Detail(), mostName); {
	case o.OK() && code != "":
		return words + " — " + y.noted(y.say("why.applied"), code)
	case o.OK():
		return words + " — " + y.say("why.applied")
	default:
		return words + " — " + y.noted(y.say("why.refused"), code, y.reason(o))
	}
}

// reason says why a call was refused. What players do not see of progress clocks may be in the words, which the code stands for.
func (y *inquiry) reason(o rules.Outcome) string {
	if quiet(o) {
		return ""
	}
	said := rules.Say{Key: o.Say.Key, Args: make([]string, len(o.Say.Args))}
	for i, a := range o.Say.Args {
		said.Args[i] = y.veiled(clean(a, unbound))
	}
	return strings.TrimRight(clean(y.veiled(clean(y.book.Text(y.lang, said), unbound)), mostItem), ".。")
}

// quiet reports whether a call is about what players are not to know: it says so itself, or its tool does.
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
		key := snake(string(name))
		raw := s.Raw()
		if s.Err() != nil {
			return
		}
		f(key, raw)
	}
}

// snake returns a name in snake_case, as calls may have it in camelCase.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// arguments returns the arguments of a call in short.
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
				value = "[" + clean(strings.Join(texts, ","), mostArgument) + "]"
			}
		case '"':
			value = y.value(o, name, world.Scan(raw).Text(), hush)
		default:
			value = clean(string(raw), mostArgument)
		}
		list = append(list, clean(name, mostName)+"="+value)
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
		texts = append(texts, y.veiled(clean(s.Text(), unbound)))
	}
	if s.Err() != nil {
		return nil
	}
	return texts
}

// value returns a string of a call. Of a call that is quiet only what is an id or one of the tool's own words is told, and what
// somebody wants, hides, or waits for is never.
func (y *inquiry) value(o rules.Outcome, name, text string, hush bool) string {
	known := y.exists(text)
	if tool := y.book.Tool(o.Call.Tool); tool != nil && !known {
		own := func(p rules.Param) bool { return p.Name == name && slices.Contains(p.Enum, text) }
		known = slices.ContainsFunc(tool.Params, own)
	}
	switch {
	case slices.Contains([]string{"secret", "wants", "on_full"}, name):
		return "…"
	case known:
		return clean(text, mostName)
	case hush:
		return "…"
	}
	text = clean(y.veiled(clean(text, unbound)), mostArgument)
	if strings.ContainsRune(text, ' ') || text == "" {
		return "“" + text + "”"
	}
	return text
}

// exists reports whether a record has the id.
func (y *inquiry) exists(id string) bool {
	return y.w.Actor(id) != nil || y.w.Place(id) != nil || y.w.Thing(id) != nil || y.w.Quest(id) != nil ||
		y.w.Clock(id) != nil || y.w.Fact(id) != nil || y.w.Lore(id) != nil
}

// Veil returns text with "…" for what of a world is not to be known.
func Veil(w *world.World, text string) string {
	y := inquiry{w: w, secrets: secrets(w)}
	return y.veiled(text)
}

// veiled returns text with "…" for what is not to be known in it. Very short names are words, too: they count only as a whole.
func (y *inquiry) veiled(text string) string {
	if y.exists(text) {
		return text
	}
	for _, s := range y.secrets {
		if text == s || utf8.RuneCountInString(s) >= 3 || len(s) >= 6 {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
	return text
}

// secrets returns what is not to be known of a world, as it would stand in a line, the longest first.
func secrets(w *world.World) (list []string) {
	known := map[string]bool{}
	add := func(hidden bool, texts ...string) {
		for _, text := range texts {
			text = clean(text, unbound)
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
		add(true, a.Secret, a.Wants)
		for _, talk := range a.Talk {
			add(!talk.Said, talk.Text)
		}
	}
	for _, f := range w.Facts() {
		add(f.Secret, f.Text)
	}
	for _, l := range w.AllLore() {
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
