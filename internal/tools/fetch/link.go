package fetch

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
)

// LinksTo reports whether a result has told the model of url, byte for byte: a link on a page that fetch has read, one
// that ask_page has answered with, the address where either has found its page, or what web_search has found. Whoever asks
// for such an address tells nobody anything that its author did not put into it.
//
// What a model wrote in a field of ask_page for words does not count: whoever wrote the page could have had it make up an
// address of the question.
func LinksTo(r event.Returned, url string) bool {
	if !r.OK || url == "" {
		return false
	}
	switch r.Tool {
	case "fetch":
		page, ok := dataOf[Page](r)
		if !ok { // the data was too long to keep
			ok = json.Unmarshal([]byte(r.Text), &page) == nil
		}
		return ok && (page.URL == url || HasLink(page.Content, url))
	case "ask_page":
		page, ok := dataOf[AskedPage](r)
		return ok && (page.URL == url || slices.Contains(page.Links, url))
	case "web_search":
		found, ok := dataOf[FoundPages](r)
		return ok && slices.Contains(found.Links, url)
	}
	return false
}

// FoundPages is the Data of web_search. What a snippet says, or the question, is no link.
type FoundPages struct {
	Links []string `json:"links"` // where the pages are, as fetch will ask for them
}

// dataOf returns the data of a result, be it as the tool returned it or as a journal has kept it.
func dataOf[T any](r event.Returned) (data T, ok bool) {
	if data, ok = r.Data.(T); ok || r.Data == nil {
		return data, ok
	}
	raw, err := json.Marshal(r.Data)
	return data, err == nil && json.Unmarshal(raw, &data) == nil
}

// HasLink reports whether url stands in text as a whole link, byte for byte: not as a part of a longer one. What ends the
// sentence after a link may belong to it or not.
func HasLink(text, url string) bool {
	if !plainLink(url) {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], url)
		if i < 0 {
			return false
		}
		at += i
		if linkStands(text[:at], url, text[at+len(url):]) {
			return true
		}
		at++
	}
}

// linkStands reports whether url is a whole link between what is before it and what is after it.
func linkStands(before, url, after string) bool {
	opened, _ := utf8.DecodeLastRuneInString(before)
	if before != "" && !unicode.IsSpace(opened) && !strings.ContainsRune("<>()[]{}\"'`", opened) {
		return false
	}
	// Between these a link may hold anything, and ends where they do.
	if closer, strict := map[rune]string{'<': ">", '"': `"`, '`': "`"}[opened]; strict {
		return strings.HasPrefix(after, closer)
	}
	closer := map[rune]string{'(': ")", '[': "]", '{': "}", '\'': "'"}[opened]
	if closer != "" && strings.HasPrefix(after, closer) && !unbalanced(url, closer) {
		return true
	}
	// What ends a sentence or a bracket can also go on as a link: "x." in "x.html", "x)" in "x)y".
	for after != "" && strings.IndexByte(".,;:!?')]}", after[0]) >= 0 {
		if unbalanced(url, after[:1]) {
			return false
		}
		after = after[1:]
	}
	next, _ := utf8.DecodeRuneInString(after)
	return after == "" || unicode.IsSpace(next) || strings.ContainsRune("<>\"", next)
}

// unbalanced reports whether closer would close what was opened within url, which then goes on with it.
func unbalanced(url, closer string) bool {
	opener, ok := map[string]string{")": "(", "]": "[", "}": "{"}[closer]
	return ok && strings.Count(url, opener) > strings.Count(url, closer)
}

// plainLink reports whether s is a web address of the characters alone that addresses are made of, RFC 3986. Blanks, which
// a URL's query can have raw, would make prose of it.
func plainLink(s string) bool {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return !linkRune(r) })
}

func linkRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~:/?#[]@!$&'()*+,;=%", r)
}
