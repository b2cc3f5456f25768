package toolcall

import "strings"

// beginsLine reads calls that count only where a line begins. Where it reads none it may still say how far there is none.
func (s *scan) beginsLine(i int) (candidate, verdict) {
	c := candidate{start: i}
	j := i
	const most = 4 // braces that were closed once too often
	for b := s.byte(j); j < i+most && (b == '}' || b == ']' || b == ')' || b == ';' || b == ','); b = s.byte(j) {
		j = s.space(j + 1)
	}
	if s.undecided() || s.inList || s.tired() {
		return c, no
	}
	var r reading
	switch b := s.byte(j); {
	case b == '{':
		r = s.objects(j)
		r = s.form(r, "a call written as JSON")
		return s.known(c, r, j)
	case b == '[':
		if _, ok := s.opener(j); ok || s.undecided() || s.closer(j) != "" {
			return c, no // mark reads it
		}
		r = s.form(s.list(j, 0), "a list of calls written as text")
		if s.byte(s.space(j+1)) != '{' && !s.endsLine(r.end) {
			if !s.undecided() {
				s.spent += 8 * (r.end - j)
			}
			return c, no
		}
		return s.known(c, r, j)
	case s.has(j, "Thought:"):
		return s.react(c, j)
	case s.has(j, "Action:"):
		return s.action(c, j, j)
	case s.has(j, "call:"):
		c.sure = marked
		r = s.form(s.gemma(j), "a call behind call:")
	case s.has(j, "to=functions."), s.has(j, "commentary to="), s.has(j, "assistantcommentary to="), s.has(j, "assistant to=functions."):
		c.sure = marked
		r = s.form(s.harmony(j), "a call in a message of harmony")
	default:
		return s.beginsName(c, j)
	}
	if s.undecided() || !r.ok {
		return c, no
	}
	c.end, c.calls = r.end, r.calls
	s.closing(&c)
	return c, yes
}

func (s *scan) form(r reading, form string) reading {
	for k := range r.calls {
		r.calls[k].form = form
	}
	return r
}

// known makes a candidate of what was read at j, if these are calls of tools that there are, or a closing tag says that
// they are meant to be.
func (s *scan) known(c candidate, r reading, j int) (candidate, verdict) {
	if s.undecided() {
		return c, wait
	}
	c.end, c.keyed, c.calls = r.end, r.keyed, r.calls
	after := s.space(r.end)
	closer := s.closer(after)
	if _, opens := s.opener(after); opens && closer == "" && s.has(after, "<tool_call>") && r.ok {
		closer = "<tool_call>" // which some models write for </tool_call>
	}
	if closer == "" {
		ok := r.ok
		for _, f := range r.calls {
			ok = ok && s.resolve(f.name) != nil
		}
		if ok {
			return c, yes
		}
		if s.whole && !r.ok && r.end >= len(s.src) { // it does not end: what looks like one more line may be one
			c.end = j + 1
			s.spent += r.end - j
		}
		return c, no
	}
	c.sure = marked
	if !r.ok {
		c.calls, c.broken = nil, "the call before "+closer+" cannot be read"
	}
	for k := range c.calls {
		c.calls[k].form = "a call before " + closer
	}
	c.end = after
	s.closing(&c)
	return c, yes
}

// closing takes the closing tags behind a candidate.
func (s *scan) closing(c *candidate) {
	for {
		j := s.space(c.end)
		closer := s.closer(j)
		if closer == "" && c.sure == marked && s.has(j, "<tool_call>") && s.space(j+len("<tool_call>")) >= len(s.src) {
			closer = "<tool_call>"
		}
		if closer == "" {
			return
		}
		c.sure, c.end = marked, j+len(closer)
		c.ended(closer)
	}
}

// beginsName reads a call that begins with the name of a tool: f(a=1), f[ARGS]{…}, or f and its arguments on the next line.
func (s *scan) beginsName(c candidate, i int) (candidate, verdict) {
	name, j := s.word(i)
	if name == "" || s.undecided() {
		return c, no
	}
	b := s.byte(j)
	if b != '(' && b != '{' && b != '[' && b != ' ' && b != '\n' && b != '\r' && b != ':' || s.resolve(name) == nil && name != "print" {
		return c, no
	}
	var r reading
	switch args := s.has(j, "[ARGS]") || s.has(j, "[CALL_ID]"); {
	case args:
		c.sure = marked
		r = s.form(s.wordBody(i), "a call behind its name and [ARGS]")
	case b == '(':
		r = s.form(s.python(i), "a call written as Python")
	case b == '[':
		return c, no
	default:
		k := s.space(j)
		if b == ':' {
			k = s.space(j + 1)
		}
		if s.byte(k) != '{' {
			return c, no
		}
		r = s.form(s.wordBody(i), "a call with its arguments behind its name")
		r.keyed = true
	}
	ok := r.ok && (b != '(' || s.endsLine(r.end))
	for _, f := range r.calls {
		ok = ok && (c.sure == marked || s.resolve(f.name) != nil)
	}
	if s.undecided() {
		return c, wait
	}
	if !ok {
		s.spent += 8 * max(r.end-i, 0) // it takes longer than to count braces
		return c, no
	}
	c.end, c.calls, c.keyed = r.end, r.calls, r.keyed
	s.closing(&c)
	return c, yes
}

// endsLine reports whether nothing but a closing tag stands on the line behind i.
func (s *scan) endsLine(i int) bool {
	i = s.blanks(i)
	return i >= len(s.src) || s.src[i] == '\n' || s.closer(i) != ""
}

// react reads Thought: … Action: f Action Input: {…}.
func (s *scan) react(c candidate, i int) (candidate, verdict) {
	if !s.whole {
		return c, wait
	}
	at := s.find("\nAction:", i)
	if at < 0 || s.find("\nFinal Answer:", i) >= 0 && s.find("\nFinal Answer:", i) < at {
		return c, no
	}
	return s.action(c, at+1, i)
}

// action reads Action: f and Action Input: {…}, which begin at i. What stands before it from thought on was thought.
func (s *scan) action(c candidate, i, thought int) (candidate, verdict) {
	c.sure = marked
	from := s.blanks(i + len("Action:"))
	name, j := s.word(from)
	line := s.blanks(j)
	if s.undecided() {
		return c, wait
	}
	if name == "" || line < len(s.src) && s.src[line] != '\n' && s.src[line] != '(' {
		return c, no
	}
	f := found{name: name, form: "a call behind Action:", whole: true}
	end := j
	if input := s.space(j); s.has(input, "Action Input:") {
		k := s.space(input + len("Action Input:"))
		if f.args, end, f.whole = s.input(k, name); s.undecided() {
			return c, wait
		}
	} else if r := s.python(from); r.ok && len(r.calls) == 1 {
		form := f.form
		f, end = r.calls[0], r.end
		f.name, f.form = name, form
	} else if s.undecided() {
		return c, wait
	} else if s.resolve(name) == nil {
		return c, no
	}
	if k := s.space(end); s.has(k, "Observation:") { // what comes then was made up
		end = len(s.src)
	}
	c.start, c.thought = thought, strings.TrimSpace(strings.TrimPrefix(s.src[thought:i], "Thought:"))
	c.end, c.calls = end, []found{f}
	return c, yes
}

// input reads what stands behind Action Input: as arguments of name.
func (s *scan) input(i int, name string) (args string, end int, whole bool) {
	if s.has(i, "```") {
		if line := s.find("\n", i); line >= 0 {
			args, end, whole = s.input(s.space(line+1), name)
			if k := s.space(end); s.has(k, "```") {
				end = k + 3
			}
			return args, end, whole
		}
	}
	if s.byte(i) == '{' {
		end, whole = s.container(i)
		return s.src[i:end], end, whole
	}
	end, _ = s.first(i, "\n")
	text := strings.TrimSpace(s.src[i:end])
	out := s.writer(name)
	key := out.takes.only
	switch {
	case text == "" || text == "None":
	case key == "":
		args = quote(text)
	case text[0] == '"':
		out.set(key, quote(meaning(text)))
	default:
		out.set(key, out.literal(key, text))
	}
	if !out.empty() {
		args = out.json()
	}
	return args, end, true
}

// opens enters the fence that begins at i, or reads the calls in it. It reports whether there is one.
func (s *scan) opens(i int) (v verdict, opened bool) {
	s.touched = false
	fence := s.src[i:s.ticks(i)]
	if s.undecided() {
		return wait, false
	}
	if len(fence) < 3 {
		return no, false
	}
	line := s.find("\n", i)
	if line < 0 {
		if s.touched = true; s.undecided() {
			return wait, false
		}
		line = len(s.src)
	}
	const longest = 200 // bytes of what stands behind the fence on its line
	info := s.src[i+len(fence) : min(line, i+len(fence)+longest)]
	if strings.Contains(info, "`") && !strings.ContainsAny(info, "{[(") {
		return no, false
	}
	lang := strings.ToLower(strings.TrimSpace(info))
	from := min(line+1, len(s.src))
	if at := strings.IndexAny(lang, " \t{[`"); at >= 0 {
		if rest := strings.TrimSpace(lang[at:]); rest != "" && (rest[0] == '{' || rest[0] == '[') { // all on one line
			from = i + len(fence) + strings.IndexAny(info, "{[")
		}
		lang = strings.TrimSpace(lang[:at])
	}
	s.fences++
	sure, counts := counted(lang)
	if counts = counts && !s.inList && !s.tired(); s.undecided() {
		return wait, false
	}
	if counts {
		v := s.try(i, func(i int) (candidate, verdict) { return s.inside(i, from, fence, sure) })
		if v != no || s.at > i {
			return v, true
		}
		if b := s.byte(s.space(from)); sure == fenced && (b == '{' || b == '[') {
			s.shows++
		}
	}
	s.at, s.bol, s.fence = line, false, fence
	return no, true
}

// counted says whether calls in a fence of that language count.
func counted(lang string) (sure sureness, counts bool) {
	switch lang {
	case "", "json", "json5", "jsonc":
		return fenced, true
	case "tool", "tool_call", "tool_calls", "tool_code", "toolcall", "tool-call", "function_call":
		return marked, true
	}
	return bare, false
}

// inside reads the calls in a fence that was opened at i and whose text begins at from.
func (s *scan) inside(i, from int, fence string, sure sureness) (candidate, verdict) {
	c := candidate{start: i, sure: sure}
	k := s.space(from)
	s.trusting = sure == marked
	var r reading
	if o, ok := s.opener(k); ok && !s.undecided() {
		in := candidate{start: k}
		s.section(&in, o, k)
		r = reading{calls: in.calls, end: in.end, ok: len(in.calls) > 0}
		c.sure = marked
	} else {
		r = s.form(s.naked(k), "a call in a fence")
	}
	s.trusting = false
	if s.undecided() {
		return c, wait
	}
	end := s.space(r.end)
	closed := s.has(end, fence)
	ok := r.ok && (closed || end >= len(s.src))
	for _, f := range r.calls {
		ok = ok && (c.sure == marked || s.resolve(f.name) != nil)
	}
	switch {
	case s.undecided():
		return c, wait
	case ok:
		c.calls, c.keyed = r.calls, r.keyed
		if c.end = end; closed {
			c.ended(fence)
			c.end += len(fence)
		}
		return c, yes
	case sure != marked:
		s.spent += max(r.end-k, 0)
		return c, no
	}
	c.broken = "there is no call that can be read in the fence"
	c.end = len(s.src)
	if at := s.find(fence, from); at >= 0 {
		c.end = at + len(fence)
	} else if s.undecided() {
		return c, wait
	}
	return c, yes
}
