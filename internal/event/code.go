package event

import (
	"crypto/rand"
	"strings"
)

// codeLetters are the letters of pairing codes, those of Crockford's base 32: no two look alike.
const codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLen is the length of a pairing code: 40 bits.
const codeLen = 8

// NewCode returns a pairing code of random letters.
func NewCode() string {
	raw := make([]byte, codeLen)
	_, _ = rand.Read(raw) // never fails
	for i, b := range raw {
		raw[i] = codeLetters[int(b)%len(codeLetters)] // 32 letters, so all are equally likely
	}
	return string(raw)
}

// CleanCode parses a pairing code as people type it: in any case, with blanks or dashes, with O for
// 0 and I or L for 1. ok is false if the text cannot be a code.
func CleanCode(text string) (code string, ok bool) {
	if len(text) > 4*codeLen {
		return "", false
	}
	var b strings.Builder
	for _, r := range strings.ToUpper(text) {
		switch r {
		case '-', ' ', '\u2013', '\u2014': // phones turn hyphens into dashes
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

// ShowCode formats a pairing code for people: "K7QX-9M2P".
func ShowCode(code string) string { return code[:codeLen/2] + "-" + code[codeLen/2:] }
