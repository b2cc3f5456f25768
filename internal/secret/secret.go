// Package secret keeps what hob knows and tells nobody: the tokens and keys that it was started with. A [Redactor] finds them
// in a text, in any of the spellings in which they are carried about, and puts [Mark] in their place. It is used at the
// three sinks: what a model is told, what a person is sent, and what is logged.
//
// It is a net, not a boundary. What must not leave is not handed to whoever could send it; the net catches what slips.
//
// # Spellings
//
// A value is found
//   - as it is, and back to front, in small and capital letters alike, for the name of a host has only small ones;
//   - in base64, with either alphabet, base32 and hexadecimal; in base64 and base32 also where it is a part of something
//     longer, whatever it begins at, except for the digits at its ends that it shares with what is beside it;
//   - of a Telegram token, 123456:ABC-DEF, the second half alone as well.
//
// In all of these any character may be escaped, and each in another way: %41 as in an address (and a blank as +), \u0041,
// \x41, \n or \/ as in JSON and programs, &#65; &#x41; or &amp; as in HTML. Digits of an escape are of either case.
//
// Beyond it are a part of a value, a value that something was put into (blanks, line ends, dots), what was encoded twice
// (except for escapes on top of one of the above), encrypted, compressed or translated, lists of numbers, and the &#65 of HTML
// without its semicolon.
//
// Values of fewer than [Shortest] bytes are ignored: they would be found in any text. So are those that are a part of Mark.
package secret

import (
	"strings"
	"unicode/utf8"
)

// Shortest is the length of the shortest value that is kept, in bytes.
const Shortest = 6

// Mark stands where a secret was.
const Mark = "[secret]"

// Redactor is a set of secrets. It does not change and may be used by many at once; nil is an empty one.
type Redactor struct {
	spellings []spelling
	by        [256][]int32 // indices in spellings, by each byte that may begin one unescaped
	first     prefilter
}

// spelling is a text to look for. Each of its bytes may be escaped.
type spelling struct {
	text string
	code encoding
}

// encoding says which bytes are the same to a spelling.
type encoding byte

const (
	folded encoding = iota // letters of either case
	base64                 // both alphabets: - is +, and _ is /
)

// New returns the keeper of values. White space around a value is not a part of it.
func New(values ...string) *Redactor {
	k := &Redactor{first: newPrefilter()}
	known := map[spelling]bool{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		for _, v := range []string{v, secondHalf(v)} {
			if len(v) < Shortest || strings.Contains(strings.ToLower(Mark), strings.ToLower(v)) {
				continue
			}
			for _, s := range spellings(v) {
				if !known[s] {
					known[s] = true
					k.add(s)
				}
			}
		}
	}
	return k
}

// secondHalf returns what stands behind the number of a Telegram token, or "".
func secondHalf(v string) string {
	number, key, ok := strings.Cut(v, ":")
	if !ok || len(number) < 5 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return key
}

// spellings returns the spellings of a value.
func spellings(v string) []spelling {
	const (
		digits16 = "0123456789abcdef"
		digits32 = "abcdefghijklmnopqrstuvwxyz234567"
		digits64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	)
	all := []spelling{{v, folded}, {backwards(v), folded}, {digitsOf(v, digits16, 4, 0), folded}}
	for before := range 3 {
		all = append(all, spelling{digitsOf(v, digits64, 6, before), base64})
	}
	for before := range 5 {
		all = append(all, spelling{digitsOf(v, digits32, 5, before), folded})
	}
	return all
}

// digitsOf returns v as digits of so many bits each, where it begins before bytes into what is encoded. It has the digits
// that v alone decides.
func digitsOf(v, digits string, bits, before int) string {
	var b strings.Builder
	first := (8*before + bits - 1) / bits * bits // where in the bits the first such digit begins
	for at := first; at+bits <= 8*(before+len(v)); at += bits {
		digit := 0
		for i := at; i < at+bits; i++ {
			digit = digit<<1 | int(v[i/8-before]>>(7-i%8))&1
		}
		b.WriteByte(digits[digit])
	}
	return b.String()
}

// backwards returns the characters of v from the last to the first.
func backwards(v string) string {
	b := make([]byte, 0, len(v))
	for len(v) > 0 {
		_, size := utf8.DecodeLastRuneInString(v)
		b = append(b, v[len(v)-size:]...)
		v = v[:len(v)-size]
	}
	return string(b)
}

// add makes a spelling one that is looked for.
func (k *Redactor) add(s spelling) {
	for b := range k.by {
		if s.code.same(byte(b), s.text[0]) {
			k.by[b] = append(k.by[b], int32(len(k.spellings)))
		}
	}
	k.spellings = append(k.spellings, s)
	k.first.add(s)
}

// Redact returns s with [Mark] in the place of each secret. Secrets that overlap are one. None is left, save that a value which
// has a part of Mark in it can seem to be there again.
func (k *Redactor) Redact(s string) string {
	if k == nil || len(k.spellings) == 0 {
		return s
	}
	out, _ := k.redact(s, true)
	return out
}

// Has reports whether there is a secret in s.
func (k *Redactor) Has(s string) bool {
	if k == nil || len(k.spellings) == 0 {
		return false
	}
	for i := k.next(s, 0); i < len(s); i = k.next(s, i+1) {
		if end, _ := k.match(s, i); end > 0 {
			return true
		}
	}
	return false
}

// redact returns s with its secrets redacted, and what of its end has to wait for what follows, which is nothing where s is
// the whole text.
func (k *Redactor) redact(s string, whole bool) (out, rest string) {
	var b strings.Builder
	done, start, end := 0, 0, 0 // s[:done] is in b, or redacted; what overlaps since then is s[start:end]
	for i := k.next(s, 0); i < len(s); i = k.next(s, i+1) {
		if end > 0 && i >= end {
			b.WriteString(s[done:start])
			b.WriteString(Mark)
			done, end = end, 0
		}
		to, open := k.match(s, i)
		if open && !whole {
			if end > 0 {
				i = start
			}
			b.WriteString(s[done:i])
			return b.String(), s[i:]
		}
		if to > 0 && end == 0 {
			start = i
		}
		end = max(end, to)
	}
	if end > 0 {
		b.WriteString(s[done:start])
		b.WriteString(Mark)
		done = end
	}
	if done == 0 {
		return s, ""
	}
	b.WriteString(s[done:])
	return b.String(), ""
}

// next returns where from i on a spelling could begin, or len(s).
func (k *Redactor) next(s string, i int) int {
	for i = k.first.next(s, i); i < len(s) && len(k.by[s[i]]) == 0 && !beginsEscape(s[i]); {
		i = k.first.next(s, i+1)
	}
	return i
}

// match returns where the longest spelling ends that begins at i, or 0, and whether more text could make one, or a longer one.
func (k *Redactor) match(s string, i int) (end int, open bool) {
	try := func(all []int32) {
		for _, n := range all {
			to, more := k.spellings[n].match(s, i)
			end, open = max(end, to), open || more
		}
	}
	try(k.by[s[i]])
	if beginsEscape(s[i]) {
		c, cut := unescape(s[i:])
		open = open || cut
		if c.size > 0 {
			try(k.by[c.text[0]])
		}
	}
	return end, open
}
