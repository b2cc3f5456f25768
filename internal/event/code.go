package event

import (
	"crypto/rand"
	"strings"
)

// codeLetters are the 32 letters of pairing codes, those of Crockford's base 32: no two of them look alike.
const codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLen is how many letters a pairing code has: 40 bits.
const codeLen = 8

// NewCode returns a pairing code of random letters.
func NewCode() string {
	raw := make([]byte, codeLen)
	_, _ = rand.Read(raw) // it never fails
	for i, b := range raw {
		raw[i] = codeLetters[int(b)%len(codeLetters)] // there are 32 of them: all come as often
	}
	return string(raw)
}

// CleanCode reads a pairing code as people type it: in any case, with blanks or dashes, with an O for a zero and an I or L for
// a one. It reports whether the text can be one.
func CleanCode(text string) (code string, ok bool) {
	if len(text) > 4*codeLen {
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
		if !strings.ContainsRune(codeLetters, r) {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), b.Len() == codeLen
}

// ShowCode writes a pairing code as it is shown: "K7QX-9M2P".
func ShowCode(code string) string { return code[:codeLen/2] + "-" + code[codeLen/2:] }
