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
	short    bool // the rest is too short to be decided on
	voids    int  // how often the text so far turned out to be thoughts
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
	t.short = false
	open, closers := "", t.closers
	if !t.inside {
		closers = list("ends of thoughts")
		for _, row := range table("thoughts") {
			if t.begins(row[0]) {
				open, t.closers = row[0], strings.Fields(row[1])
			}
		}
	}
	closer := ""
	if i := slices.IndexFunc(closers, t.begins); i >= 0 {
		closer = closers[i]
	}
	n := len(open) + len(closer)
	mention := n > 0 && !t.inside && t.mentions(n)
	switch {
	case t.short && !end:
		return 0
	case n == 0:
		t.put(t.rest[:1])
		return 1
	case t.inside:
		t.inside, t.seam, t.ended = false, true, true
	case mention:
		t.put(strings.Trim(t.rest[:n], "<[/]>|◁▷"))
	case closer != "" && t.holdsCall():
		t.seam = true
	case closer != "":
		t.void()
	case len(t.closers) > 0:
		t.inside = true
		if t.thinking.Len() > 0 {
			t.thinking.WriteString("\n")
		}
	}
	return n
}

// begins reports whether the rest begins with tag, in small letters or capitals, and notes where it is too short to tell.
func (t *thoughts) begins(tag string) bool {
	n := min(len(t.rest), len(tag))
	is := t.rest[n-1]|0x20 == tag[n-1]|0x20 && strings.EqualFold(t.rest[:n], tag[:n])
	t.short = t.short || is && n < len(tag)
	return is && n == len(tag)
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
	return t.ended && slices.ContainsFunc(list("begin like a call"), func(begin string) bool { return strings.HasPrefix(said, begin) })
}

// mentions reports whether the tag at the beginning of the rest, n bytes long, is only spoken of: it stands in quotes.
func (t *thoughts) mentions(n int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.text.String())
	closing := closes(before)
	if before == '`' {
		closing = '`'
	}
	if closing == 0 || t.seam {
		return false
	}
	t.short = t.short || !utf8.FullRuneInString(t.rest[n:])
	return n == len(t.rest) || runeAt(t.rest, n) == closing
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

// withoutThoughts splits what a model wrote into what it said and what it thought.
func withoutThoughts(written string) (text, thinking string) {
	t := thoughts{}
	t.add(written, true)
	return t.text.String(), strings.TrimFunc(t.thinking.String(), unicode.IsSpace)
}
