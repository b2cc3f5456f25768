package markup_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"hob/internal/surface/telegram/markup"
)

// divided splits a message and holds the parts against what Split promises.
func divided(t fataler, m markup.Message, limit int) []markup.Message {
	t.Helper()
	all := markup.Split(m, limit)
	rest, passed := m.Text, 0 // passed counts units before rest
	for i, part := range all {
		sound(t, part)
		if part.Text == "" || markup.Len(part.Text) > max(limit, 2) || len(part.Entities) > markup.MaxEntities {
			t.Fatalf("part %d of limit %d: %d units, %d entities: %q", i, limit, markup.Len(part.Text), len(part.Entities), part.Text)
		}
		at := strings.Index(rest, part.Text)
		if at < 0 || !unseen(rest[:at]) {
			t.Fatalf("part %d of limit %d: %q does not follow in %q", i, limit, part.Text, rest)
		}
		passed += markup.Len(rest[:at])
		sameLooks(t, m, part, passed)
		passed += markup.Len(part.Text)
		rest = rest[at+len(part.Text):]
	}
	if !unseen(rest) {
		t.Fatalf("limit %d: %q is missing", limit, rest)
	}
	return all
}

func unseen(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Mn) && r != '\u2800' && r != '\u3164'
	}) < 0
}

// sameLooks fails where a part does not look as it did in the whole, where it begins at unit from.
func sameLooks(t fataler, whole, part markup.Message, from int) {
	t.Helper()
	if len(part.Entities) >= markup.MaxEntities {
		return // some typefaces may be left out
	}
	units := utf16.Encode([]rune(part.Text))
	want, got := make([][]string, len(units)), make([][]string, len(units))
	note := func(looks [][]string, e markup.Entity, from int) {
		for i := max(e.Offset-from, 0); i < min(e.Offset+e.Length-from, len(looks)); i++ {
			looks[i] = append(looks[i], e.Type+e.URL+e.Language)
			slices.Sort(looks[i])
		}
	}
	for _, e := range whole.Entities {
		note(want, e, from)
	}
	for _, e := range part.Entities {
		note(got, e, 0)
	}
	for i, r := range units {
		if !slices.Equal(want[i], got[i]) && !utf16.IsSurrogate(rune(r)) && !unseen(string(rune(r))) {
			t.Fatalf("unit %d of %q is %q and was %q", i, part.Text, got[i], want[i])
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name  string
		src   string
		limit int
		want  []string
	}{
		{"short", "a **b**", 20, []string{"a <bold>b</bold>"}},
		{"at an empty line", "aaaa. b\nb\n\ncc c", 12, []string{"aaaa. b\nb", "cc c"}},
		{"at a line", "aaaa. b\ncc cc", 12, []string{"aaaa. b", "cc cc"}},
		{"at a sentence", "aaaa. b bbbb", 10, []string{"aaaa.", "b bbbb"}},
		{"at a Chinese sentence", "漢字漢。字漢字漢字", 6, []string{"漢字漢。", "字漢字漢字"}},
		{"at a word", "aaaa bbb bbbb", 9, []string{"aaaa bbb", "bbbb"}},
		{"a word that ends at the limit", "aaaa bbbb bb", 9, []string{"aaaa bbbb", "bb"}},
		{"within a word", "aaaabbbbcc", 4, []string{"aaaa", "bbbb", "cc"}},
		{"not soon after the beginning", "a b\n\n" + strings.Repeat("c", 6) + " " + strings.Repeat("d", 10), 21,
			[]string{"a b\n\ncccccc", "dddddddddd"}},
		{"not within a pair", "😀😀😀", 3, []string{"😀", "😀", "😀"}},
		{"not within a family", "a👨‍👩‍👧b", 8, []string{"a", "👨‍👩‍👧", "b"}},
		{"not within a flag", "🇩🇪🇫🇷", 6, []string{"🇩🇪", "🇫🇷"}},
		{"not between a letter and its accent", "aae\u0301a", 3, []string{"aa", "e\u0301a"}},
		{"within what is too long for one", "👨‍👩‍👧", 4, []string{"👨‍", "👩‍", "👧"}},
		{"styles go on", "**aaaa *bbbb* cccc**", 10, []string{"<bold>aaaa <italic>bbbb</italic></bold>", "<bold>cccc</bold>"}},
		{"links go on", "[aaaa bbbb](https://c.de)", 6, []string{"<text_link https://c.de>aaaa</text_link>", "<text_link https://c.de>bbbb</text_link>"}},
		{"quotes go on", "> aaaa\n> bbbb", 6, []string{"<blockquote>aaaa</blockquote>", "<blockquote>bbbb</blockquote>"}},
		{"code that fits is kept whole", "a a a a\n\n```go\nb\n\nb\n```\nccc cc", 10, []string{"a a a a", "<pre go>b\n\nb</pre>", "ccc cc"}},
		{"code that fits comes early", "a\n\n```\nbbbbbbbb\n```", 10, []string{"a", "<pre>bbbbbbbb</pre>"}},
		{"code of lines that fits comes early", "a\n\n```\nbbbb\nbbbb\nbbbb\n```", 16, []string{"a", "<pre>bbbb\nbbbb\nbbbb</pre>"}},
		{"code that does not", "```go\nif x {\n    y. z\n\n}\nbb\n```\nc", 12, []string{"<pre go>if x {</pre>", "<pre go>    y. z\n\n}</pre>", "<pre go>bb</pre>\n\nc"}},
		{"code of one line", "```\naaaaaaaa\n```", 5, []string{"<pre>aaaaa</pre>", "<pre>aaa</pre>"}},
		{"nothing", " ", 10, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range divided(t, markup.Render(c.src), c.limit) {
				got = append(got, withTags(t, m))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSplitTrims(t *testing.T) {
	m := markup.Message{Text: "\n  a 😀b \n", Entities: []markup.Entity{{Type: markup.Bold, Offset: 1, Length: 4}, {Type: markup.Italic, Offset: 7, Length: 3}}}
	want := []markup.Message{{Text: "a 😀b", Entities: []markup.Entity{{Type: markup.Bold, Length: 2}, {Type: markup.Italic, Offset: 4, Length: 1}}}}
	if diff := cmp.Diff(want, markup.Split(m, 10)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTooManyEntities(t *testing.T) {
	kinds := func(src string) []map[string]int {
		var all []map[string]int
		for _, m := range divided(t, markup.Render(src), markup.MaxText) {
			n := map[string]int{}
			for _, e := range m.Entities {
				n[e.Type]++
			}
			all = append(all, n)
		}
		return all
	}
	for _, c := range []struct {
		name, src string
		want      []map[string]int
	}{
		{"typefaces are left out", strings.Repeat("*a* **b** `c` ~~d~~ ", 40), []map[string]int{{"bold": 20, "code": 40, "strikethrough": 40}}},
		{"a message ends before there are too many links", strings.Repeat("[a](https://b.de) **c** ", 150),
			[]map[string]int{{"text_link": 100}, {"text_link": 50, "bold": 50}}},
	} {
		if diff := cmp.Diff(c.want, kinds(c.src)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s     string
		units int
		want  string
	}{
		{"abc", 2, "ab"}, {"abc", 5, "abc"}, {"a😀", 2, "a"}, {"a😀", 3, "a😀"}, {"e\u0301x", 1, "e"}, {"ae\u0301", 2, "a"},
		{"😀", 1, ""}, {"a", 0, ""}, {"", 3, ""}, {"a👍🏽", 4, "a"}, {"\u1100\u1161\u11a8a", 3, "\u1100\u1161\u11a8"}, {"\u1100\u1161\u11a8a", 2, "\u1100\u1161"},
	} {
		if got := markup.Cut(c.s, c.units); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.units, got, c.want)
		}
	}
	if n := markup.Len("a😀漢"); n != 4 {
		t.Errorf("Len = %d, want 4", n)
	}
}
