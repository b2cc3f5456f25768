package secret

import "slices"

// prefilter says quickly that nothing begins at a place: nearly all of a text falls through it. It knows the first three bytes of
// all spellings, each byte by one of 32 classes.
type prefilter struct {
	class  [256]byte
	begins [512]uint64 // a bit for each three classes that may begin a spelling as it is written
	plain  [512]uint64 // likewise where nothing is escaped
	odd    bool        // a spelling has what begins an escape among its first three bytes
}

// inEscape is the class of bytes that begin an escape, and of no others: they may stand for any.
const inEscape = 0

func newPrefilter() prefilter {
	var f prefilter
	for i := range f.class {
		switch b := byte(i); {
		case beginsEscape(b):
			f.class[i] = inEscape
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			f.class[i] = b & 0x1f // 1 to 26
		default:
			f.class[i] = 27 + b%5
		}
	}
	return f
}

func set(bits *[512]uint64, a, b, c int)      { n := a<<10 | b<<5 | c; bits[n/64] |= 1 << (n % 64) }
func isSet(bits *[512]uint64, three int) bool { return bits[three/64]&(1<<(three%64)) != 0 }

// add makes the prefilter hold back text that may begin s.
func (f *prefilter) add(s spelling) {
	var classes [3][]int // of those that each byte may be written with
	for i := range classes {
		for b := range 256 {
			if class := int(f.class[b]); s.code.same(byte(b), s.text[i]) && !slices.Contains(classes[i], class) {
				classes[i] = append(classes[i], class)
			}
		}
		f.odd = f.odd || beginsEscape(s.text[i])
	}
	for rest := range 32 * 32 {
		set(&f.begins, inEscape, rest/32, rest%32)
	}
	for _, a := range classes[0] {
		for rest := range 32 {
			set(&f.begins, a, inEscape, rest)
		}
		for _, b := range classes[1] {
			set(&f.begins, a, b, inEscape)
			for _, c := range classes[2] {
				set(&f.begins, a, b, c)
				set(&f.plain, a, b, c)
			}
		}
	}
}

// next returns where from i on a spelling could begin, which any may that the end of s could cut off, or len(s).
func (f *prefilter) next(s string, i int) int {
	if i+2 >= len(s) {
		return min(i, len(s))
	}
	three := int(f.class[s[i]])<<5 | int(f.class[s[i+1]])
	for ; i+2 < len(s); i++ {
		three = (three<<5 | int(f.class[s[i+2]])) & (1<<15 - 1)
		if isSet(&f.begins, three) && f.unescaped(s, i) {
			return i
		}
	}
	return i
}

// unescaped reports whether a spelling could begin at i, all escapes read.
func (f *prefilter) unescaped(s string, i int) bool {
	if f.odd {
		return true
	}
	three := 0
	for n := 0; n < 3; {
		if i >= len(s) {
			return true
		}
		c := escapedByte(s[i], 1)
		if beginsEscape(s[i]) {
			var cut bool
			if c, cut = unescape(s[i:]); cut {
				return true
			}
			if c.size == 0 {
				return false
			}
		}
		for _, b := range c.text[:c.bytes] {
			if n++; n <= 3 {
				three = three<<5 | int(f.class[b])
			}
		}
		i += c.size
	}
	return isSet(&f.plain, three)
}
