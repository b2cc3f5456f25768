package pdf

import (
	"bytes"
	"unicode/utf16"
)

// codes is a font's own table of what its characters mean (ToUnicode).
type codes struct {
	lengths [256]int // bytes of a character, by its first byte; 0 is not said
	text    map[uint64]string
}

// key is a character's bytes, of which there are at most 4, as a number.
func key(raw string) uint64 {
	k := uint64(len(raw))
	for i := range len(raw) {
		k = k<<8 | uint64(raw[i])
	}
	return k
}

// length returns how many bytes a character that begins with first has.
func (c *codes) length(first byte, usual int) int {
	if n := c.lengths[first]; n > 0 {
		return n
	}
	return usual
}

// readCodes reads the table. What it does not understand it leaves out.
func readCodes(src []byte) *codes {
	c := &codes{text: map[uint64]string{}}
	s := &scanner{src: src}
	var args []token
	for {
		t, ok := s.next()
		if !ok {
			return c
		}
		if t.kind != aKeyword || t.text == "[" || t.text == "]" {
			if len(args) < maxOperands {
				args = append(args, t)
			}
			continue
		}
		switch t.text {
		case "endcodespacerange":
			c.spaces(args)
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				c.set(args[i].text, utf16BE(args[i+1].text))
			}
		case "endbfrange":
			c.ranges(args)
		}
		args = args[:0]
	}
}

func (c *codes) spaces(args []token) {
	for i := 0; i+1 < len(args); i += 2 {
		low, high := args[i].text, args[i+1].text
		if len(low) == 0 || len(low) > 4 || len(low) != len(high) {
			continue
		}
		for b := int(low[0]); b <= int(high[0]); b++ {
			c.lengths[b] = len(low)
		}
	}
}

func (c *codes) set(code, text string) {
	if 0 < len(code) && len(code) <= 4 && len(c.text) < maxCodes {
		c.text[key(code)] = text
	}
}

// ranges reads <low> <high> <first> or <low> <high> [<each> ...].
func (c *codes) ranges(args []token) {
	for len(args) >= 3 {
		low, high := []byte(args[0].text), args[1].text
		if args[2].text == "[" && args[2].kind == aKeyword {
			args = args[3:]
			for len(args) > 0 && args[0].kind != aKeyword {
				c.set(string(low), utf16BE(args[0].text))
				increment(low)
				args = args[1:]
			}
			if len(args) > 0 {
				args = args[1:]
			}
			continue
		}
		to := []byte(args[2].text)
		args = args[3:]
		for range maxCodes {
			if len(low) == 0 || len(low) != len(high) || string(low) > high || len(c.text) >= maxCodes {
				break
			}
			c.set(string(low), utf16BE(string(to)))
			increment(low)
			increment(to)
			if len(bytes.Trim(low, "\x00")) == 0 {
				break
			}
		}
	}
}

// increment counts a number of several bytes up by one.
func increment(b []byte) {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return
		}
	}
}

// utf16BE decodes UTF-16, the high byte first.
func utf16BE(s string) string {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	if len(s) == 1 { // against the rules, and common
		units = append(units, uint16(s[0]))
	}
	return string(utf16.Decode(units))
}
