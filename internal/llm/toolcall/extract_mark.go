package toolcall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// callMark is a mark that begins a call, or a section of calls.
type callMark struct {
	text string
	in   string // what it is called in a repair: "a <tool_call> tag"
	self bool   // it is a part of what body reads
}

// opener returns the mark that begins at i. Those after < are many: the next byte says which can be meant.
func (s *scan) opener(i int) (o callMark, ok bool) {
	var all []callMark
	switch s.byte(i) {
	case '[':
		all = []callMark{{text: "[TOOL_CALLS]", in: "behind [TOOL_CALLS]"}, {text: "[TOOL_REQUEST]", in: "behind [TOOL_REQUEST]"}}
	case '<':
		switch s.byte(i + 1) {
		case 't':
			all = []callMark{
				{text: "<tool_call>", in: "in a <tool_call> tag"}, {text: "<tool_calls>", in: "in a <tool_calls> tag"},
				{text: "<tools>", in: "in a <tools> tag"}, {text: "<tool_use>", in: "in a <tool_use> tag"},
				{text: "<toolcall>", in: "in a <toolcall> tag"}, {text: "<tool_code>", in: "in a <tool_code> tag"},
			}
		case 'f':
			all = []callMark{
				{text: "<function_call>", in: "in a <function_call> tag"}, {text: "<function_calls>", in: "in a <function_calls> tag"},
				{text: "<functioncall>", in: "in a <functioncall> tag"},
				{text: "<function=", in: "in a <function=> tag", self: true}, {text: "<function name=", in: "in a <function> tag", self: true},
			}
		case 'i':
			all = []callMark{{text: "<invoke name=", in: "in an <invoke> tag", self: true}}
		case 'm':
			all = []callMark{{text: "<minimax:tool_call>", in: "in a <minimax:tool_call> tag"}}
		case 's':
			all = []callMark{{text: "<start_function_call>", in: "behind <start_function_call>"}}
		case '|':
			all = []callMark{
				{text: "<|tool_call|>", in: "behind <|tool_call|>"}, {text: "<|tool_call>", in: "behind <|tool_call>"},
				{text: "<|tool_call_start|>", in: "behind <|tool_call_start|>"}, {text: "<|tool_calls|>", in: "behind <|tool_calls|>"},
				{text: "<|tool_calls_section_begin|>", in: "in Kimi's section"}, {text: "<|tool_call_begin|>", in: "behind <|tool_call_begin|>"},
				{text: "<|tool▁calls▁begin|>", in: "in DeepSeek's section"}, {text: "<|tool▁call▁begin|>", in: "behind <|tool▁call▁begin|>"},
				{text: "<|tool_calls_begin|>", in: "in DeepSeek's section"},
				{text: "<|python_tag|>", in: "behind <|python_tag|>"},
				{text: "<|channel|>commentary to=", in: "in a channel of harmony", self: true},
				{text: "<|start|>assistant", in: "in a message of harmony", self: true},
			}
		case "｜"[0]:
			all = []callMark{
				{text: "<｜tool▁calls▁begin｜>", in: "in DeepSeek's section"}, {text: "<｜tool▁call▁begin｜>", in: "behind <｜tool▁call▁begin｜>"},
				{text: "<" + dsml + "invoke name=", in: "in a DSML tag", self: true},
				{text: "<" + dsml + "function_calls>", in: "in a DSML tag"}, {text: "<" + dsml + "tool_calls>", in: "in a DSML tag"},
			}
		}
	}
	for _, o := range all {
		if s.has(i, o.text) {
			return o, true
		}
	}
	return o, false
}

// closer returns the mark that ends a call, or a section of calls, at i, or "".
func (s *scan) closer(i int) string {
	var all []string
	switch s.byte(i) {
	case '[':
		all = []string{"[/TOOL_CALLS]", "[END_TOOL_REQUEST]", "[/TOOL_REQUEST]"}
	case '<':
		switch s.byte(i + 1) {
		case '/':
			all = []string{
				"</tool_call>", "</tool_calls>", "</tools>", "</tool_use>", "</toolcall>", "</tool_code>", "</function_call>", "</function_calls>",
				"</functioncall>", "</minimax:tool_call>", "</function>", "</invoke>", "</parameter>", "</arg_value>",
				"</" + dsml + "invoke>", "</" + dsml + "function_calls>", "</" + dsml + "tool_calls>",
			}
		case 'e':
			all = []string{"<end_function_call>"}
		case 't':
			all = []string{"<tool_call|>"}
		case '|':
			all = []string{
				"<|/tool_call|>", "<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool▁call▁end|>", "<|tool▁calls▁end|>", "<|tool_calls_end|>",
				"<|call|>", "<|eom_id|>",
			}
		case "｜"[0]:
			all = []string{"<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"}
		}
	}
	for _, text := range all {
		if s.has(i, text) {
			return text
		}
	}
	return ""
}

// mark reads the calls in the marks that begin at i.
func (s *scan) mark(i int) (candidate, verdict) {
	c := candidate{start: i, sure: marked}
	o, ok := s.opener(i)
	stray := ""
	if !ok && !s.undecided() {
		stray = s.closer(i)
	}
	if s.undecided() {
		return c, wait
	}
	if !ok && stray == "" || s.asked.refuses() {
		return c, no
	}
	mentioned := s.mentioned(i, i+len(o.text)+len(stray))
	if !mentioned && !s.undecided() && stray == "" {
		mentioned = s.inSentence(i, o)
	}
	if !s.undecided() && (mentioned || stray != "" && s.spoken > 0) {
		if s.spoken++; stray != "" {
			s.spoken = max(s.spoken-2, 0)
		}
		return c, no
	}
	switch {
	case s.undecided():
		return c, wait
	case !s.whole:
		c.end = len(s.src)
		return c, yes
	case stray != "":
		c.end = i + len(stray)
		c.stray = true
		c.broken = "there is " + stray + " without a call before it"
		return c, yes
	case s.tired():
		c.end, c.broken = len(s.src), "there are too many tags that hold no call"
		return c, yes
	}
	s.trusting = true
	s.section(&c, o, i)
	s.trusting = false
	if before, _ := utf8.DecodeLastRuneInString(s.src[:i]); closes(before) != 0 && closes(before) == runeAt(s.src, c.end) {
		return c, no
	}
	return c, yes
}

// section reads marks and calls as they follow each other from i on, where o begins.
func (s *scan) section(c *candidate, o callMark, i int) {
	c.end = i
	if !o.self {
		c.end += len(o.text)
	}
	open := true
	for len(c.calls) <= mostCalls {
		j := s.space(c.end)
		for b := s.byte(j); b == ';' || b == ',' || len(c.calls) > 0 && (b == '}' || b == ']' || b == ')'); b = s.byte(j) {
			j = s.space(j + 1)
		}
		if closer := s.closer(j); closer != "" {
			if open {
				c.ended(closer)
			}
			c.end, open = j+len(closer), false
			continue
		}
		next, ok := s.opener(j)
		if ok {
			o, open = next, true
			if !o.self {
				c.end = j + len(o.text)
				continue
			}
		}
		if !open {
			break
		}
		r := s.body(j)
		if before := len(c.calls); !r.ok || r.end <= j || before > 0 && s.idle(r) {
			if s.spent += max(r.end-j, 0); before > 0 {
				s.litter(c, j)
			}
			break
		}
		for _, f := range r.calls {
			f.form = "a call " + o.in
			c.calls = append(c.calls, f)
		}
		c.end = r.end
		if n := len(c.calls); s.closer(s.space(c.end)) == "" && !c.calls[n-1].whole {
			s.litter(c, s.space(c.end))
			break
		}
	}
	if len(c.calls) == 0 {
		s.unreadable(c, o)
	}
}

// ended notes that the end of the last call was written.
func (c *candidate) ended(closer string) {
	n := len(c.calls)
	if n == 0 || c.calls[n-1].whole && c.calls[n-1].missing == "" {
		return
	}
	c.calls[n-1].whole, c.calls[n-1].missing = true, ""
	c.calls[n-1].repairs = append(c.calls[n-1].repairs, "its end was missing before "+closer)
}

// unreadable says that there is no call behind o, and takes everything up to where a call would end.
func (s *scan) unreadable(c *candidate, o callMark) {
	c.broken = "there is no call that can be read " + o.in
	at, tag := s.first(c.end, "</tool_call>", "</function_call>", "</tools>", "</function>", "<tool_call|>", "<end_function_call>", "<|tool_call_end|>",
		"<tool_call>")
	if tag != "" && tag != "<tool_call>" {
		at += len(tag)
	}
	c.end = max(at, c.start+1)
}

// mentioned reports whether the mark from i to end is only spoken of: in backticks, in quotes, or as an item of a list.
func (s *scan) mentioned(i, end int) bool {
	if s.tick {
		tick, line := s.find("`", end), s.find("\n", end)
		if tick >= 0 && (line < 0 || tick < line) {
			s.touched = false
			return true
		}
		s.touched = line < 0
	}
	before, _ := utf8.DecodeLastRuneInString(s.src[:i])
	if closing := closes(before); closing != 0 {
		if s.byte(end) != 0 && runeAt(s.src, end) == closing {
			return true
		}
	}
	const longest = 24 // bytes before an item's text
	from := i
	for from > 0 && i-from < longest && s.src[from-1] != '\n' {
		from--
	}
	if from > 0 && s.src[from-1] != '\n' {
		return false
	}
	from = s.blanks(from)
	if from == i {
		return s.inList
	}
	for at := s.bullet(from); at > from && at <= i; at = s.bullet(from) {
		if from = s.blanks(at); from == i {
			return true
		}
	}
	return false
}

// inSentence reports whether the mark o, which begins at i, is a word of a sentence: words go on behind it, and before it
// stand words, or nothing although "is" comes next.
func (s *scan) inSentence(i int, o callMark) bool {
	end := i + len(o.text)
	if o.self && o.text[len(o.text)-1] == '=' {
		at := s.find(">", end)
		if at < 0 || at-end > longestWord {
			s.touched = at < 0 && len(s.src)-end <= longestWord
			return false
		}
		end = at + 1
		s.touched = false
	} else if o.self {
		return false
	}
	before := s.src[max(0, i-longestWord):i] // more of the line says no more
	line := strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], " \t")
	last, _ := utf8.DecodeLastRuneInString(line)
	within := line != "" && len(line) < i && s.src[i-1] == ' ' && (last == ',' || last == '(' || unicode.IsLetter(last) || unicode.IsDigit(last))
	switch c := s.byte(end); {
	case within && strings.IndexByte(",.;:)!?", c) >= 0 && c != 0:
		return true
	case c != ' ' || !within && line != "":
		return false
	}
	from := s.blanks(end)
	word, next := s.word(from)
	if !within {
		return word == "is" && s.byte(next) == ' '
	}
	if c := s.byte(next); word == "" || c == '(' || c == '{' || c == '[' || s.undecided() {
		return false
	}
	return s.resolve(word) == nil && s.byte(s.space(next)) != '{'
}

// closes returns the quote that closes what before opens, or 0.
func closes(before rune) rune {
	switch before {
	case '"', '\'':
		return before
	case '“', '„':
		return '”'
	case '‘':
		return '’'
	case '«':
		return '»'
	}
	return 0
}

// body reads the calls that stand at i, inside of a mark.
func (s *scan) body(i int) reading {
	i = s.space(i)
	if s.has(i, "```") {
		line := s.find("\n", i)
		if line < 0 || line-i > 40 {
			return reading{}
		}
		r := s.naked(s.space(line + 1))
		if j := s.space(r.end); r.ok && s.has(j, "```") {
			r.end = j + 3
		}
		return r
	}
	return s.naked(i)
}

// naked reads the calls that stand at i, without a fence around them.
func (s *scan) naked(i int) reading {
	switch c := s.byte(i); {
	case c == '{':
		return s.closedObjects(i)
	case c == '[':
		return s.list(i, 0)
	case s.has(i, "call:"):
		return s.gemma(i)
	case s.has(i, "<|channel|>"), s.has(i, "<|start|>"):
		return s.harmony(i)
	case c == '<':
		return s.xml(i)
	case c == '"' || c == '\'':
		end, _ := s.text(i)
		return s.quoted(i, end, 0)
	}
	return s.wordBody(i)
}

// closedObjects reads the objects at i. One that does not end is read up to the next closing tag.
func (s *scan) closedObjects(i int) reading {
	r := s.objects(i)
	n := len(r.calls)
	if r.ok && r.calls[n-1].whole || s.tired() {
		return r
	}
	if at, tag := s.first(i, "</tool_call>", "</function_call>", "</tools>", "<|tool_call_end|>", "</tool_calls>"); tag != "" && at < r.end {
		s.spent += r.end - i
		src := s.src
		s.src = src[:at]
		r = s.objects(i)
		s.src = src
	}
	return r
}
