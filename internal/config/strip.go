package config

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/tomlfile"
)

// stripped stands where a secret was.
const stripped = "[secret]"

// shortestSecret is the length of what could be a secret, as package secret has it.
const shortestSecret = 6

// The forms of a secret in a text. The group is the secret.
var (
	addressPassword = lazyregexp.New(`://[^/\s:@"']*:([^/\s@"']+)@`)
	namedSecret     = lazyregexp.New(`(?i)[a-z0-9_.-]*(?:token|secret|passw|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|auth|credential|bearer|cookie)` +
		`[a-z0-9_.-]*["']?\s*[=:]\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;}\]&\[{]+)`)
	secretArgument = lazyregexp.New(`(?i)["']-{1,2}[a-z0-9_-]*(?:token|secret|passw|passphrase|pwd|key|auth|credential|cookie|header)[a-z0-9_-]*["']\s*,\s*["']([^"']+)["']`)
	bearer         = lazyregexp.New(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{6,})`)
	aPath          = lazyregexp.New(`^~?(?:/[\w.-]+){2,}$`)
	secretShape    = lazyregexp.New(`\b(\d{6,}:[A-Za-z0-9_-]{20,}|(?:sk|pk|ghp|gho|ghs|github_pat|glpat|xox[a-z]|hf|AKIA|AIza|eyJ)[-_.A-Za-z0-9]{16,})`)
)

// StripSecrets returns the text of a configuration file without what could be a secret: in comments, in addresses, among
// the arguments of programs, and the values of all keys that hob does not know. In its place stands "[secret]", or an empty
// text for a key. left names where that was, such as "[telegram] token" or "line 12". What is no TOML is left out as a whole: then
// ok is false. No key of hob's holds a secret, so hob reads both texts as the same, except for where an address or an argument held one.
func StripSecrets(src string) (clean string, left []string, ok bool) {
	if _, bad := tomlfile.Decode(src); bad != nil {
		return "", []string{"all of it"}, false
	}
	cfg, _, _ := parse("", src)
	known, places := keysOf(&cfg), tomlfile.Scan(src).Positions
	type edit struct {
		start, end int
		text, at   string
	}
	var edits []edit
	files := []string{"token_file", "secrets", "env_files", "header_files", "max_output_tokens"}
	named := func(at int) bool { // a value that names files
		return slices.ContainsFunc(places, func(p tomlfile.Position) bool {
			return p.Start <= at && at < p.End && slices.ContainsFunc(files, func(name string) bool { return slices.Contains(p.Path, name) }) && isKnown(known, p)
		})
	}
	for _, p := range places {
		if p.Header || p.Inline || isKnown(known, p) {
			continue
		}
		last := len(p.Path) - 1
		edits = append(edits, edit{p.Value, p.End, `""`, "[" + strings.Join(p.Path[:last], ".") + "] " + p.Path[last]})
	}
	for _, like := range []*regexp.Regexp{addressPassword(), namedSecret(), secretArgument(), bearer(), secretShape()} {
		for _, m := range like.FindAllStringSubmatchIndex(src, -1) {
			if value := src[m[2]:m[3]]; like == namedSecret() && (named(m[0]) || len(value) < shortestSecret || aPath().MatchString(value)) {
				continue
			}
			edits = append(edits, edit{m[2], m[3], stripped, "line " + strconv.Itoa(1+strings.Count(src[:m[2]], "\n"))})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	var b strings.Builder
	last := 0
	for _, e := range edits {
		if e.start < last { // in what is gone already
			if e.end > last {
				last = e.end
			}
			continue
		}
		b.WriteString(src[last:e.start] + e.text)
		last, left = e.end, append(left, e.at)
	}
	b.WriteString(src[last:])
	clean = b.String()
	if _, bad := tomlfile.Decode(clean); bad != nil {
		return "", []string{"all of it"}, false
	}
	return clean, left, true
}

// isKnown reports whether a position is that of one of hob's keys, or of a part of its value.
func isKnown(all []key, p tomlfile.Position) bool {
	for n := 2; n <= len(p.Path); n++ {
		if hasKey(all, strings.Join(p.Path[:n-1], "."), p.Path[n-1]) {
			return true
		}
	}
	return false
}
