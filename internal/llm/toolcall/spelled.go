package toolcall

import (
	"html"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
)

// spelled makes a candidate of what begins at i and calls a tool in a way for which there is no rule: little more stands before
// the name of the tool than words such as call. Where an object with its arguments follows, or the call has a known form, and
// nothing is behind it, it is read. Else the model is asked, if all arguments that the tool needs follow, each with the sign
// of a value, and no sentences and no other tools.
func (s *scan) spelled(c candidate, i int) (candidate, bool) {
	const longest, nearest = 600, 60
	at := i
	from, i := s.spelledName(i)
	if from == i {
		return s.onlyArguments(c, at)
	}
	tool := s.resolve(s.src[from:i])
	text := s.src[i:min(len(s.src), i+longest)]
	names := tool.schema.Names()
	word, _ := s.word(s.blanks(i))
	if word = strings.TrimLeft(word, "-"); word != "" && !slices.Contains(names, word) && !spellsCall(word) {
		return c, false
	}
	s.touched = s.touched || len(text) < longest
	s.wasted += len(text)
	r := s.calls(from, 0)
	if at := strings.IndexByte(text[:min(len(text), nearest)], '{'); !r.ok && at >= 0 {
		r = s.applied(tool.def.Name, i+at)
	}
	if r.ok && r.calls[0].args != "" && s.endsReply(r.end) {
		c.calls, c.end, c.doubts = formed(r.calls, "a call with its arguments behind its name"), r.end, c.doubts|r.doubts|dressed
		s.closing(&c)
		return c, true
	}
	text = html.UnescapeString(text)
	given := func(name string) bool { return gives(text, name) }
	needed := func(name string) bool { return tool.shape().requires(name) && !given(name) }
	only := oneValue().MatchString(text) && len(names) > 0
	others := slices.ContainsFunc(s.offer.tools, func(t offered) bool {
		return t.def.Name != tool.def.Name && strings.Contains(s.src[:from]+text, t.def.Name)
	})
	if others || sentenceEnd().MatchString(inQuotes().ReplaceAllString(text, "")) || !only && (slices.ContainsFunc(names, needed) || !slices.ContainsFunc(names, given)) {
		return c, false
	}
	c.calls, c.end, c.doubts = []found{{name: tool.def.Name, unread: true}}, i+len(text), c.doubts|cannotBeRead
	return c, true
}

// onlyArguments makes a candidate of an object at i that ends the reply and is the arguments of a tool, whose name nobody said.
func (s *scan) onlyArguments(c candidate, i int) (candidate, bool) {
	if s.byte(i) != '{' || c.sure != bare {
		return c, false
	}
	v, _ := s.value(i)
	if v == nil || v.open || len(v.members) == 0 || !s.endsReply(v.to) {
		return c, false
	}
	for _, tool := range s.offer.tools {
		strange := slices.ContainsFunc(v.members, func(m member) bool { return !slices.Contains(tool.schema.Names(), m.key) })
		if !strange && tool.shape().complete(v) && (trim(s.src[:i]) == "" || strings.Contains(s.src[:i], tool.def.Name)) {
			c.calls, c.end, c.doubts = []found{{name: tool.def.Name, unread: true}}, v.to, c.doubts|cannotBeRead
			return c, true
		}
	}
	return c, false
}

// spelledName returns where the name of a tool stands behind words such as call, from i on. It is empty where there is none.
func (s *scan) spelledName(i int) (from, end int) {
	const most = 8 // words
	for n := range most {
		for c := s.byte(i); c != 0 && c < 0x80 && !isNameByte(c) && c != '|' && (n > 0 || strings.IndexByte("\n)]}", c) < 0); c = s.byte(i) {
			i++
		}
		word, j := s.word(i)
		word = strings.TrimRight(word, ".-/")
		if word != "" && s.resolve(word) != nil {
			return i, i + len(word)
		}
		if !spellsCall(word) && (n == 0 || word == "" || strings.Trim(word, "0123456789") != "") {
			break
		}
		i = j
	}
	return i, i
}

// spellsCall reports whether all words of a name are such as call.
func spellsCall(name string) bool {
	words := wordsOf(strings.TrimRight(strings.ToLower(name), "0123456789"))
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(list("words around a call"), word) })
}

// oneValue is a value behind a name, and the end of the line.
var oneValue = lazyregexp.New(`^(?:\[[^\]\n]+\]|[ \t]*(?:"[^"\n]+"|'[^'\n]+')\)?)[ \t\r]*(?:\n|$)`)

var inQuotes = lazyregexp.New(`"[^"\n]*"`)

// gives reports whether an argument of that name stands in text with a sign of its value, and not with its type.
func gives(text, name string) bool {
	for at := 0; ; {
		k := strings.Index(text[at:], name)
		if k < 0 {
			return false
		}
		before, behind := text[:at+k], text[at+k+len(name):]
		if at += k + len(name); before != "" && isNameByte(before[len(before)-1]) {
			continue
		}
		value := strings.TrimLeft(behind, "\"'`* ")
		signed := value != "" && strings.IndexByte(":=>\n", value[0]) >= 0 || strings.HasSuffix(before, "--") || strings.HasSuffix(before, ":")
		if signed && !typeName().MatchString(strings.TrimLeft(value, ":=> \"'`")) {
			return true
		}
	}
}
