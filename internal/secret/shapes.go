package secret

import (
	"regexp"
	"strings"
	"sync"
)

// ShapeMark stands where something looked like a secret.
const ShapeMark = "[looks like a secret]"

// shapes are those of well-known tokens and keys. Nothing else looks like them.
var shapes = lazily(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----` + // in PEM, also where its line ends are escaped
	`(?:(?:\s|\\[nr]|[A-Z][A-Za-z-]{2,20}: [^\n]{0,200}\n)*[A-Za-z0-9+/=]{24,})+(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{1,76})?(?:\s|\\[nr]|=[A-Za-z0-9+/]{4})*` +
	`(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?` +
	`|[0-9]{8,10}(?::|%3[Aa])[A-Za-z0-9_-]{35}` + // Telegram, also behind the "bot" of an address
	`|\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{50,}` +
	`|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b` + // AWS
	`|\bxox[abeoprs]-[A-Za-z0-9-]{10,}` + // Slack
	`|\bsk-(?:[A-Za-z0-9]+[_-])*[A-Za-z0-9]{16,}[A-Za-z0-9_-]*` + // of those who host models
	`|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`) // JWT

// lazily compiles a regular expression when it is first needed: most runs of hob never need this one.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Shapes returns s with [ShapeMark] in the place of what has the shape of a well-known secret: tokens of Telegram, GitHub, AWS,
// Slack, JWT, keys that begin with sk-, private keys in PEM.
//
// It is the second net, for what other people are sent and for logs, where a false alarm costs a word. It is not for what
// a model reads: the owner's files have keys in them that are the owner's to edit.
func Shapes(s string) string {
	if !shaped(s) {
		return s
	}
	return shapes().ReplaceAllString(s, ShapeMark)
}

// shaped reports whether s may have one of the shapes: it has what each of one kind begins with, or a colon as in Telegram's.
func shaped(s string) bool {
	for _, begin := range []string{"-----BEGIN ", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "AKIA", "ASIA", "xox", "sk-", "eyJ", "%3A", "%3a"} {
		if strings.Contains(s, begin) {
			return true
		}
	}
	for i := strings.IndexByte(s, ':'); i >= 0; {
		if i > 7 && '0' <= s[i-1] && s[i-1] <= '9' && '0' <= s[i-8] && s[i-8] <= '9' {
			return true
		}
		n := strings.IndexByte(s[i+1:], ':')
		if n < 0 {
			break
		}
		i += 1 + n
	}
	return false
}
