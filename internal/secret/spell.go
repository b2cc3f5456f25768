package secret

// place is where in a text a spelling was followed to: its nth byte comes at i.
type place struct{ i, n int }

// match returns where the longest text ends that begins at i and spells s, or 0, and whether more text could make one, or a
// longer one.
func (s spelling) match(text string, i int) (end int, open bool) {
	// What begins an escape may stand for itself as well, where s has it. Both are followed then, but from each place once:
	// there are many ways through a row of backslashes, and few places.
	var todo []place
	var known map[place]bool
	for at := (place{i, 0}); ; {
		fork := func(at, escaped place) bool {
			if known[at] {
				return false
			}
			if known == nil {
				known = map[place]bool{}
			}
			known[at] = true
			todo = append(todo, escaped)
			return true
		}
		to, more := s.follow(text, at, fork)
		end, open = max(end, to), open || more
		if len(todo) == 0 {
			return end, open
		}
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
	}
}

// follow returns where the text ends that spells s from a place on, or 0, and whether more text could complete it. Where a byte can be
// itself or begin an escape, it calls fork with both ways to go on, and takes the byte as itself if fork returns true.
func (s spelling) follow(text string, at place, fork func(at, escaped place) bool) (end int, open bool) {
	for at.n < len(s.text) {
		if at.i == len(text) {
			return 0, true
		}
		b := text[at.i]
		itself := s.code.same(b, s.text[at.n])
		if beginsEscape(b) {
			c, cut := unescape(text[at.i:])
			open = open || cut
			if c.size > 0 && s.begins(at.n, c) {
				behind := place{at.i + c.size, at.n + c.bytes}
				if !itself {
					at = behind
					continue
				}
				if !fork(at, behind) {
					return 0, open
				}
			}
		}
		if !itself {
			return 0, open
		}
		at = place{at.i + 1, at.n + 1}
	}
	return at.i, open
}

// begins reports whether s goes on with c at its nth byte.
func (s spelling) begins(n int, c escaped) bool {
	if n+c.bytes > len(s.text) {
		return false
	}
	for i := range c.bytes {
		if !s.code.same(c.text[i], s.text[n+i]) {
			return false
		}
	}
	return true
}

// same reports whether a, unescaped, stands for b in a spelling.
func (e encoding) same(a, b byte) bool {
	if a == b {
		return true
	}
	if e == base64 {
		return a == '-' && b == '+' || a == '_' && b == '/'
	}
	return a == '+' && b == ' ' || a|0x20 == b|0x20 && 'a' <= a|0x20 && a|0x20 <= 'z'
}
