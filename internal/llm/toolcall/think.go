package toolcall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// thoughts takes what a model thought out of what it wrote, while it writes. What was thought ends up in thinking, the rest
// in text, at whatever places the writing was split.
//
// A closing tag that no opening tag precedes makes thoughts of everything before it, for there are models whose prompt
// ends in the opening tag. What was taken for text until then is void.
type thoughts struct {
	text     strings.Builder
	thinking strings.Builder
	rest     string // not decided yet: it may be the beginning of a tag
	closers  []string
	inside   bool
	ended    bool // some thoughts have ended
	seam     bool // thoughts were taken out here
	voids    int  // how often the text so far turned out to be thoughts
}

var (
	thoughtTags    = table("thoughts")
	thoughtEnds    = list("ends of thoughts")
	callBeginnings = list("begin like a call")
)

// thoughtTag is a tag around thoughts, with the tags that end them. One without an end is dropped: it has nothing to do with
// thoughts, harmony writes it before what is said aloud.
type thoughtTag struct{ open, closers string }

// thoughtTagOf returns the tag that text begins with. part reports whether text is the beginning of one.
func thoughtTagOf(text string) (tag thoughtTag, part bool) {
	for _, row := range thoughtTags() {
		t := thoughtTag{row[0], row[1]}
		is, may := begins(text, t.open)
		if is {
			return t, false
		}
		part = part || may
	}
	return thoughtTag{}, part
}

// loneCloser returns the closing tag that text begins with, of those that mean something without an opening tag. Those of
// harmony end anything.
func loneCloser(text string) (tag string, part bool) {
	return match(text, thoughtEnds()...)
}

// add reads more of what was written, or that it ends there.
func (t *thoughts) add(more string, end bool) {
	t.rest += more
	for t.rest != "" {
		n := t.step(end)
		if n == 0 {
			return
		}
		t.rest = t.rest[n:]
	}
}

// step decides on the beginning of the rest and returns how much that was, 0 if more has to come first.
func (t *thoughts) step(end bool) int {
	k := 0
	for k < len(t.rest) && t.rest[k] != '<' && t.rest[k] != '[' && t.rest[k] != "◁"[0] {
		k++
	}
	if k > 0 {
		t.put(t.rest[:k])
		return k
	}
	if t.inside {
		closer, part := match(t.rest, t.closers...)
		switch {
		case closer != "":
			t.inside, t.seam, t.ended = false, true, true
			return len(closer)
		case part && !end:
			return 0
		}
		t.put(t.rest[:1])
		return 1
	}
	return t.outside(end)
}

// outside decides on a tag outside of thoughts.
func (t *thoughts) outside(end bool) int {
	if len(t.rest) == 1 && !end {
		return 0
	}
	if c := t.rest[min(1, len(t.rest)-1)]; strings.IndexByte("tTrRsS|/c"+"◁"[1:2], c) < 0 {
		t.put(t.rest[:1])
		return 1
	}
	if len(t.rest) > 2 && (t.rest[2] == '<' || t.rest[2] == '[') {
		t.put(t.rest[:2])
		return 2
	}
	open, part := thoughtTagOf(t.rest)
	closer, may := loneCloser(t.rest)
	n := len(open.open) + len(closer)
	if n == 0 {
		if (part || may) && !end {
			return 0
		}
		t.put(t.rest[:1])
		return 1
	}
	mention, undecided := t.mentions(n, end)
	switch {
	case undecided:
		return 0
	case mention:
		t.put(strings.Trim(t.rest[:n], "<[/]>|◁▷"))
	case closer != "" && t.holdsCall():
		t.seam = true
	case closer != "":
		t.void()
	case open.closers != "":
		t.inside, t.closers = true, strings.Fields(open.closers)
		if t.thinking.Len() > 0 {
			t.thinking.WriteString("\n")
		}
	}
	return n
}

// void makes thoughts of everything so far.
func (t *thoughts) void() {
	t.voids++
	t.ended = true
	said := t.text.String()
	t.text.Reset()
	if t.thinking.Len() > 0 && said != "" {
		t.thinking.WriteString("\n")
	}
	t.thinking.WriteString(said)
	t.seam = false
}

// holdsCall reports whether what was written since thoughts ended begins as a call does. Thoughts that end once more behind it
// have not been in it.
func (t *thoughts) holdsCall() bool {
	said := strings.TrimSpace(t.text.String())
	return t.ended && slices.ContainsFunc(callBeginnings(), func(begin string) bool { return strings.HasPrefix(said, begin) })
}

// mentions reports whether the tag at the beginning of the rest, n bytes long, is only spoken of: it stands in quotes.
func (t *thoughts) mentions(n int, end bool) (yes, undecided bool) {
	before, _ := utf8.DecodeLastRuneInString(t.text.String())
	closing := closes(before)
	if before == '`' {
		closing = '`'
	}
	if closing == 0 || t.seam {
		return false, false
	}
	if !end && !utf8.FullRuneInString(t.rest[n:]) {
		return false, true
	}
	return n == len(t.rest) || runeAt(t.rest, n) == closing, false
}

// put writes what was decided on. Where thoughts were taken out of a line, a line ends: what stood before and behind them
// does not grow together to something that neither was.
func (t *thoughts) put(text string) {
	if t.inside {
		t.thinking.WriteString(text)
		return
	}
	if t.seam && t.text.Len() > 0 && text[0] != '\n' && !strings.HasSuffix(t.text.String(), "\n") {
		t.text.WriteByte('\n')
	}
	t.seam = false
	t.text.WriteString(text)
}

// match returns the tag that text begins with, in small letters or capitals. part reports whether text is the beginning of
// one.
func match(text string, tags ...string) (tag string, part bool) {
	for _, tag := range tags {
		is, may := begins(text, tag)
		if is {
			return text[:len(tag)], false
		}
		part = part || may
	}
	return "", part
}

// begins reports whether text begins with tag, or is the beginning of it.
func begins(text, tag string) (is, may bool) {
	n := min(len(text), len(tag))
	if text[n-1]|0x20 != tag[n-1]|0x20 || !strings.EqualFold(text[:n], tag[:n]) {
		return false, false
	}
	return n == len(tag), n < len(tag)
}

// withoutThoughts splits what a model wrote into what it said and what it thought.
func withoutThoughts(written string) (text, thinking string) {
	t := thoughts{}
	t.add(written, true)
	return t.text.String(), strings.TrimFunc(t.thinking.String(), unicode.IsSpace)
}
