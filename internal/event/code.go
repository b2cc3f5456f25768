package event

import "strings"

// CodeLetters are the 32 letters of pairing codes, those of Crockford's base 32: no two of them look alike.
const CodeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// CodeLen is how many letters a pairing code has: 40 bits.
const CodeLen = 8

// CleanCode reads a pairing code as people type it: in any case, with blanks or dashes, with an O for a zero and an I or L for
// a one. It reports whether the text can be one.
func CleanCode(text string) (code string, ok bool) {
	if len(text) > 4*CodeLen {
		return "", false
	}
	var b strings.Builder
	for _, r := range strings.ToUpper(text) {
		switch r {
		case '-', ' ', '\u2013', '\u2014': // phones make dashes of hyphens
			continue
		case 'O':
			r = '0'
		case 'I', 'L':
			r = '1'
		}
		if !strings.ContainsRune(CodeLetters, r) {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), b.Len() == CodeLen
}

// ShowCode writes a pairing code as it is shown: "K7QX-9M2P".
func ShowCode(code string) string { return code[:CodeLen/2] + "-" + code[CodeLen/2:] }
