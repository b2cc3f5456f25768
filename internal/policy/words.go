package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// in reports whether the owner's words contain the address: only its host (which must have a dot,
// to differ from an ordinary word), or exactly the whole address.
//
// A host must be a whole word: no part of a longer name, an e-mail address, or the path or query of
// another address. It must be written as an address, with http://, https:// or www. before it or a
// slash after it, because many names of files and programs look like hosts, and so do two sentences
// without a blank between them. Before a slash it must not be a usual name of a file or folder.
// www.HOST and HOST are the same host, but not the same address. In doubt the answer is no.
func (a address) in(words []string) (named, exact bool) {
	if a.host == "" {
		return false, false
	}
	for _, host := range []string{a.host, a.shown} {
		if host == "" {
			continue
		}
		f := newFinder(a, host)
		for _, text := range words {
			if host == a.host && a.shown != "" && !strings.Contains(text, "xn--") {
				continue // people rarely write it like this
			}
			if named, exact = f.find(text, named); exact {
				return named, true
			}
		}
	}
	return named, false
}

// finder searches for one spelling of an address.
type finder struct {
	a      address
	host   string // without www.
	like   string // the host, or what identifies a host without a dot
	anchor int    // index of the byte in like to search for
	www    bool
	ascii  bool
	dotted bool
}

func newFinder(a address, host string) *finder {
	f := &finder{a: a, host: host, ascii: isASCII(host), dotted: strings.Contains(host, ".") && host[0] != '['}
	if bare, ok := strings.CutPrefix(host, "www."); ok && strings.Contains(bare, ".") {
		f.host, f.www = bare, true
	}
	f.like = f.host
	switch {
	case f.dotted:
		f.anchor = strings.IndexByte(f.like, '.')
	case host[0] != '[':
		f.like = "//" + f.host
	}
	return f
}

// find searches a text from one anchor byte to the next, which is much faster than folding its
// case: a conversation is long, and each call needs the search. namedBefore says that the host is
// already found.
func (f *finder) find(text string, namedBefore bool) (named, exact bool) {
	named = namedBefore
	anchor, after := f.like[f.anchor], f.like[f.anchor+1]
	for i := 0; ; i++ {
		next := strings.IndexByte(text[i:], anchor)
		if next < 0 {
			return named, false
		}
		i += next
		for i+1 < len(text) && text[i+1] == anchor && after != anchor {
			i++
		}
		if i+1 < len(text) && after < utf8.RuneSelf && text[i+1]|0x20 != after|0x20 {
			continue
		}
		begin := i - f.anchor
		end := begin + len(f.like)
		if begin < 0 || end > len(text) || !strings.EqualFold(text[begin:end], f.like) {
			continue
		}
		begin = end - len(f.host)
		if goesOn(text[end:]) {
			continue
		}
		if !f.ascii && !f.isSpelling(text[begin:end]) || named && !f.mayBeExact(text[end:]) {
			continue
		}
		n, e := f.at(text, begin, end)
		if named = named || n; e {
			return named, true
		}
	}
}

// goesOn reports, by a quick look, whether tail continues the name of a host.
func goesOn(tail string) bool {
	tail = strings.TrimPrefix(tail, ".")
	return tail != "" && (isDigit(tail[0]) || 'a' <= tail[0]|0x20 && tail[0]|0x20 <= 'z')
}

// mayBeExact reports whether tail is worth a closer comparison.
func (f *finder) mayBeExact(tail string) bool {
	return strings.HasPrefix(tail, ":") || f.restIs(tail)
}

// isSpelling reports whether s, which equals the host except for case, is the same name. Not all
// scripts have cases as simple as Latin.
func (f *finder) isSpelling(s string) bool {
	name, _, ok := splitHost(s)
	bare, _ := strings.CutPrefix(f.a.host, "www.")
	return ok && (name == f.a.host || f.www && name == bare)
}

// at judges one occurrence of the host.
func (f *finder) at(text string, begin, end int) (named, exact bool) {
	www := begin >= 4 && strings.EqualFold(text[begin-4:begin], "www.")
	if www {
		begin -= 4
	}
	scheme, bare := f.a.scheme, !www
	if head, ok := strings.CutSuffix(text[:begin], "://"); ok {
		bare = false
		begin = len(strings.TrimRightFunc(head, isSchemeRune))
		scheme = strings.ToLower(head[begin:])
		if scheme != "http" && scheme != "https" {
			return false, false
		}
	}
	if !f.beginsAt(text[:begin]) {
		return false, false
	}
	tail, port := text[end:], usualPort(f.a.scheme)
	if len(tail) > 1 && tail[0] == ':' && isDigit(tail[1]) {
		digits := len(tail[1:]) - len(strings.TrimLeft(tail[1:], "0123456789"))
		tail, port = tail[1+digits:], tail[1:1+digits]
	}
	if port != f.a.port || !f.endsBefore(tail) || bare && (!strings.HasPrefix(tail, "/") || isFileName(f.a.host)) {
		return false, false
	}
	return f.dotted, www == f.www && scheme == f.a.scheme && f.restIs(tail)
}

// isFileName reports whether a name like this, written with a slash, more likely means a file or a
// folder: its last part is common for files and rare for hosts.
func isFileName(host string) bool {
	switch host[strings.LastIndexByte(host, '.')+1:] {
	case "d", "git", "js", "md", "mov", "ps", "py", "rs", "sh", "so", "ts", "zip":
		return true
	}
	return false
}

// beginsAt reports whether a host can begin after text.
func (f *finder) beginsAt(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	switch {
	case n == 0, unicode.IsSpace(r):
		return true
	case isOtherDot(r): // a full stop, unless a name precedes it
		r, n = utf8.DecodeLastRuneInString(text[:len(text)-n])
		return n == 0 || !isNameRune(r) || f.ascii && isUnspaced(r)
	}
	return !strings.ContainsRune(`./\@%-_+=&#?~$`, r) && f.isOutside(r)
}

// endsBefore reports whether a host can end before text.
func (f *finder) endsBefore(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	switch {
	case n == 0, unicode.IsSpace(r), strings.ContainsRune("/?#", r):
		return true
	case r == '.', isOtherDot(r):
		next, n := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, func(r rune) bool { return r == '.' || isOtherDot(r) }))
		if goesOn := isNameRune(next) || isHidden(next) || next == '%'; n > 0 && goesOn && !(f.ascii && r != '.' && isUnspaced(next)) {
			return false
		}
	case strings.ContainsRune(`-_\%+=&~$`, r) || !f.isOutside(r):
		return false
	}
	return !isUserName(text)
}

// isUserName reports whether text goes on to an @, which would make the part before it a user name.
func isUserName(text string) bool {
	i := strings.IndexAny(text, "@/?# \t\n\r")
	return i >= 0 && text[i] == '@'
}

// isOutside reports whether r, next to a host, is no part of its name. A letter of a script without
// spaces ends a Latin name, because its writers use no space there.
func (f *finder) isOutside(r rune) bool {
	if isHidden(r) || r == utf8.RuneError {
		return false
	}
	return !isNameRune(r) || f.ascii && isUnspaced(r)
}

// restIs reports whether text after the host goes on exactly as the address, and then ends or
// begins a fragment.
func (f *finder) restIs(text string) bool {
	if f.a.rest == "" {
		return false
	}
	if tail, ok := strings.CutPrefix(text, f.a.rest); ok && isAddressEnd(tail) {
		return true
	}
	short := f.a.rest[1:] // the path / may be omitted
	if short != "" && short[0] != '?' {
		return false
	}
	tail, ok := strings.CutPrefix(text, short)
	return ok && isAddressEnd(tail)
}

// isAddressEnd reports whether an address before text ends there, before the punctuation of a
// sentence or a bracket.
func isAddressEnd(text string) bool {
	if strings.HasPrefix(text, "#") {
		return true
	}
	text = strings.TrimLeft(text, ".,;:!?)]}'*_~|")
	r, n := utf8.DecodeRuneInString(text)
	return n == 0 || unicode.IsSpace(r) || strings.ContainsRune("<>\"`", r) || r >= utf8.RuneSelf && unicode.IsPunct(r)
}

func isSchemeRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+-.", r)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isOtherDot reports whether r counts as a dot in host names.
func isOtherDot(r rune) bool { return r == '。' || r == '．' || r == '｡' }

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '-' || r == '_'
}

// isUnspaced reports whether r is a letter of a script without spaces between words, or without one
// before a particle.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(r)
}
