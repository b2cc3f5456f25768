package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

const (
	maxTitle   = 120 // bytes
	maxSnippet = 240
	maxWords   = 4096 // that are looked at for one of these
	maxLink    = 2000 // a longer address is one that policy would ask about
	maxFailed  = 5    // engines that are named
)

// answer is what SearXNG answers, as far as it is shown. Its versions differ in what they write: each part is read for itself.
type answer struct {
	Results  []json.RawMessage
	Answers  []json.RawMessage // a string each, or an object with one
	Failures []json.RawMessage // a list of an engine and what is wrong with it
}

// result is a page that was found.
type result struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	Content   string `json:"content"`
	Published string `json:"publishedDate"`
}

// read reads what a server answered.
func read(body []byte) (answer, error) {
	var a answer
	var has map[string]json.RawMessage
	if json.Unmarshal(body, &has) != nil || json.Unmarshal(has["results"], &a.Results) != nil {
		return a, tools.Failed("what the search server answered are no results of SearXNG").
			Suggest("the owner looks whether the address is that of a SearXNG server")
	}
	for name, into := range map[string]*[]json.RawMessage{"answers": &a.Answers, "unresponsive_engines": &a.Failures} {
		if json.Unmarshal(has[name], into) != nil {
			*into = nil // of no help
		}
	}
	return a, nil
}

// render returns the first results for a model to read, and their addresses.
func (a answer) render(most int) (text string, links []string) {
	var out strings.Builder
	for _, raw := range a.Answers {
		if said := display.TruncateBytes(clean(answerText(raw)), maxSnippet); said != "" {
			fmt.Fprintf(&out, "answer: %s\n", said)
			break
		}
	}
	seen := map[string]bool{}
	for _, raw := range a.Results {
		var r result
		if len(links) == most {
			break
		}
		if !r.read(raw) || seen[r.URL] {
			continue
		}
		seen[r.URL] = true
		links = append(links, r.URL)
		fmt.Fprintf(&out, "%d. %s\n", len(links), r.lines())
	}
	if len(links) == 0 {
		out.WriteString("nothing was found; try other words\n")
	}
	if failed := a.failed(); len(links) < most && failed != "" {
		fmt.Fprintf(&out, "(not asked: %s)\n", failed)
	}
	return strings.TrimSpace(out.String()), links
}

// read takes a result apart, each field for itself, and reports whether fetch could read its page.
func (r *result) read(raw json.RawMessage) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	for name, into := range map[string]*string{"url": &r.URL, "title": &r.Title, "content": &r.Content, "publishedDate": &r.Published} {
		if json.Unmarshal(fields[name], into) != nil {
			*into = ""
		}
	}
	aim, ok := fetch.ResourceOf(r.URL)
	r.URL = aim.URL // what will be asked for, and so what is known of it later
	return ok && len(r.URL) <= maxLink && !strings.ContainsFunc(r.URL, func(c rune) bool { return c <= ' ' || c > unicode.MaxASCII })
}

// lines are a result as a model reads it.
func (r *result) lines() string {
	host := ""
	if u, err := url.Parse(r.URL); err == nil {
		host = u.Host
	}
	title := cmp.Or(display.TruncateBytes(clean(r.Title), maxTitle), "(no title)")
	lines := title + " — " + host + "\n   " + r.URL
	snippet := display.TruncateBytes(clean(r.Content), maxSnippet)
	if day, _, _ := strings.Cut(clean(r.Published), "T"); len(day) == len("2026-11-22") {
		snippet = strings.TrimSuffix(day+": "+snippet, ": ")
	}
	if snippet != "" {
		lines += "\n   " + snippet
	}
	return lines
}

// answerText returns the words of an answer.
func answerText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var one struct{ Answer string }
	_ = json.Unmarshal(raw, &one) // no answer is none
	return one.Answer
}

// failed names the search engines that did not answer the server.
func (a answer) failed() string {
	var names []string
	for _, raw := range a.Failures {
		var pair []string
		if json.Unmarshal(raw, &pair) != nil || len(pair) == 0 || len(names) == maxFailed {
			continue
		}
		names = append(names, display.TruncateBytes(clean(strings.Join(pair, ": ")), 60))
	}
	return strings.Join(names, ", ")
}

// clean makes one line of a stranger's words, without tags of HTML.
func clean(text string) string {
	return plain(html.UnescapeString(removeTags(display.TruncateBytes(text, maxWords))))
}

// plain makes one line of words: no letters that cannot be seen, one blank between words.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d': // these two join letters
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// removeTags returns text without what looks like tags of HTML.
func removeTags(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "<")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		end := strings.IndexByte(after, '>')
		if next, _ := utf8.DecodeRuneInString(after); end < 0 || !unicode.IsLetter(next) && next != '/' {
			out.WriteByte('<')
			text = after
			continue
		}
		text = after[end+1:]
	}
}
