package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// longestAnnouncement is how many characters a reply has at most that only announces something.
const longestAnnouncement = 400

var sentenceEnd = lazyregexp.New(`[!?…。！？；\n]+|\.{2,}|[.:](?:["')\]*]*(?:\s|$))|：$`)

// shownCall is the beginning of a fence that shows a call. One of a tool that there is not, with words around it, is no call.
var shownCall = lazyregexp.New("```\\w*\\s*\\[?\\s*\\{\\s*\"(?:name|tool|tool_name|function|action)\"\\s*:\\s*\"")

// Announces reports whether a reply ends with saying what it is about to do, and does not do it: "Let me check the file."
// Offers, questions, and what is promised for later are none. A call that is only shown is not done, nor is what is said behind it.
func Announces(text string) bool {
	if at := shownCall().FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	text = strings.TrimSpace(text)
	if text == "" || utf8.RuneCountInString(text) > longestAnnouncement || !mayHold(strings.ToLower(text), "soon") {
		return false
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return false
	}
	all := sentences(text)
	for len(all) > 1 && matches(all[len(all)-1], "waiting") && !matches(all[len(all)-1], "notNow") {
		all = all[:len(all)-1]
		if strings.HasSuffix(all[len(all)-1], "?") {
			return false
		}
	}
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	return (matches(last, "announcing") || matches(last, "waiting")) && !matches(last, "notNow")
}

// sentences splits a text into its sentences, in small letters, without what ends them except for the marks of questions and
// what goes on.
func sentences(text string) []string {
	text = strings.ToLower(strings.ToValidUTF8(text, ""))
	var all []string
	from := 0
	add := func(to int, end string) {
		s := strings.TrimFunc(text[from:to], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(`*_>#"“”«»()`, r) || unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '-' || r == '—'
		})
		if s == "" {
			return
		}
		switch {
		case strings.ContainsAny(end, "?？"):
			s += "?"
		case strings.Contains(end, "…") || strings.HasPrefix(end, ".."):
			s += "…"
		case strings.HasPrefix(end, ":"):
			s += ":"
		}
		all = append(all, s)
	}
	for _, at := range sentenceEnd().FindAllStringIndex(text, -1) {
		add(at[0], text[at[0]:at[1]])
		from = at[1]
	}
	add(len(text), "")
	return all
}
