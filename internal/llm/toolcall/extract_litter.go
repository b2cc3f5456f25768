package toolcall

import (
	"strings"
	"unicode/utf8"

	"hob/internal/schema"
)

// mostLitter is how many bytes beside a call in its tag are taken for a remark.
const mostLitter = 400

// idle reports whether what was read is a word that only looks like a call without arguments.
func (s *scan) idle(r reading) bool {
	return len(r.calls) == 1 && r.calls[0].args == "" && s.resolve(r.calls[0].name) == nil
}

// litter drops a remark that begins at i behind the calls of c, up to the tag that ends them. What may be one more call is
// no remark: it cannot be read, and nobody knows what it was to be.
func (s *scan) litter(c *candidate, i int) {
	end, open := i, true
	for end < len(s.src) && end-i <= mostLitter {
		if b := s.src[end]; b == '<' || b == '[' {
			if closer := s.closer(end); closer != "" {
				open = false
				break
			}
			if _, opens := s.opener(end); opens {
				break
			}
		} else if b == '{' {
			c.broken = "there is something behind a call that cannot be read"
			return
		}
		end++
	}
	text := strings.TrimSpace(s.src[i:end])
	if end-i > mostLitter || open && end < len(s.src) {
		return
	}
	n := len(c.calls)
	if text != "" && !open {
		c.calls[n-1].repairs = append(c.calls[n-1].repairs, "after it stood "+schema.Shorten(text))
	}
	if open { // without an end of the tag it stands behind the call, and is dropped anyway
		return
	}
	for closer := s.closer(end); closer != ""; closer = s.closer(s.space(end)) {
		end = s.space(end)
		c.ended(closer)
		end += len(closer)
	}
	c.end = end
}

// behindWord reads a call at i that a word before it was taken for the name of: "json" or "Here:". ok is false where
// it is none.
func (s *scan) behindWord(word string, i int) (r reading) {
	if s.resolve(word) != nil || !s.trusting {
		return reading{}
	}
	r = s.objectCalls(i, 0)
	for _, f := range r.calls {
		r.ok = r.ok && s.resolve(f.name) != nil
	}
	if r.ok {
		r.calls[0].repairs = append(r.calls[0].repairs, "before it stood "+schema.Shorten(word))
	}
	return r
}

// curly reads objects at i whose quotes are typographic.
func (s *scan) curly(i int) reading {
	j := s.space(i + 1)
	if !s.has(j, "“") && !s.has(j, "”") && !s.has(j, "‘") && !s.has(j, "’") || s.tired() {
		return reading{}
	}
	depth, end := 0, i
	for ; end < len(s.src); end++ {
		if c := s.src[end]; c == '{' {
			depth++
		} else if c == '}' {
			depth--
		}
		if depth == 0 {
			end++
			break
		}
	}
	if s.touched = s.touched || depth > 0; depth > 0 {
		s.spent += end - i
		return reading{end: end}
	}
	sub := newScan(s.offer, nothing)
	sub.trusting, sub.names = s.trusting, s.names
	sub.grow(straight(s.src[i:end]), true)
	r := sub.objects(0)
	r.ok = r.ok && r.end >= len(sub.src)
	for k := range r.calls {
		r.calls[k].repairs = append(r.calls[k].repairs, "its quotes were “”")
	}
	r.end = end
	return r
}

// straight writes the typographic quotes around the texts of text as JSON has them. Those within a text stay.
func straight(text string) string {
	var out strings.Builder
	inside := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		quote, next := strings.ContainsRune("“”„‘’", r), ""
		if quote {
			next = strings.TrimLeft(text[i+n:], " \t\r\n")
		}
		switch {
		case !inside && r == '"': // a text of the usual sort
			for n < len(text)-i && text[i+n] != '"' {
				if text[i+n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(text)-i)
			out.WriteString(text[i : i+n])
		case quote && (!inside || next == "" || strings.IndexByte(":,}]", next[0]) >= 0):
			out.WriteByte('"')
			inside = !inside
		case inside && r == '\\' && i+1 < len(text):
			n = 2
			out.WriteString(text[i : i+n])
		case inside && r == '"':
			out.WriteString(`\"`)
		default:
			out.WriteString(text[i : i+n])
		}
		i += n
	}
	return out.String()
}
