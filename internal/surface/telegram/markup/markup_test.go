package markup_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	md "hob/internal/markdown"
	"hob/internal/surface/telegram/markup"
)

// withTags shows a message with its entities as tags: <bold>like this</bold>.
func withTags(t fataler, m markup.Message) string {
	t.Helper()
	units := utf16.Encode([]rune(m.Text))
	before, after := make([]string, len(units)+1), make([]string, len(units)+1)
	for _, e := range m.Entities {
		tag := e.Type
		if e.URL != "" {
			tag += " " + e.URL
		}
		if e.Language != "" {
			tag += " " + e.Language
		}
		before[e.Offset] += "<" + tag + ">"
		after[e.Offset+e.Length] = "</" + e.Type + ">" + after[e.Offset+e.Length]
	}
	b := &strings.Builder{}
	from := 0
	for i := 0; i <= len(units); i++ {
		if after[i]+before[i] != "" || i == len(units) {
			b.WriteString(string(utf16.Decode(units[from:i])))
			b.WriteString(after[i] + before[i])
			from = i
		}
	}
	return b.String()
}

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a heading", "# One *two*\ntext\n\nSetext\n---\n\n#", "<bold>One <italic>two</italic></bold>\ntext\n\n<bold>Setext</bold>"},
		{"strong in a heading", "## a **b** c", "<bold>a b c</bold>"},
		{"styles", "*a* __b__ ~~c~~ ***d*** `e`", "<italic>a</italic> <bold>b</bold> <strikethrough>c</strikethrough> <bold><italic>d</italic></bold> <code>e</code>"},
		{"code in strong text", "**a `b` c**", "<bold>a </bold><code>b</code><bold> c</bold>"},
		{"nothing but code in strong text", "**`b`**", "<code>b</code>"},
		{"snake_case", "snake_case_name and __init__x", "snake_case_name and __init__x"},
		{"products", "2*3*4 and a*b*c, 2**8**2; un*frigging*real", "2*3*4 and a*b*c, 2**8**2; un<italic>frigging</italic>real"},
		{"unbalanced", "**a and *b `c ~~d [e](f", "**a and *b `c ~~d [e](f"},
		{"emphasis without blanks", "这是**重点**内容", "这是<bold>重点</bold>内容"},
		{"about and up to", "~5 min, 10~20 or 30~40, ~x~", "~5 min, 10~20 or 30~40, ~x~"},
		{"line ends", "a\nb  \nc\\\nd\r\ne", "a\nb\nc\nd\ne"},
		{"paragraphs", "a\n\n\n\nb", "a\n\nb"},
		{"fenced code", "see:\n```go\nif x {\n\ty()\n}\n\n```\nthen", "see:\n<pre go>if x {\n    y()\n}</pre>\n\nthen"},
		{"a fence that stays open", "```c++\nx *y*", "<pre c++>x *y*</pre>"},
		{"a language that is none", "```<b> x\ny\n```", "<pre>y</pre>"},
		{"indented code", "a\n\n\tb\n\t  c\n", "a\n\n<pre>b\n  c</pre>"},
		{"indentation at the beginning", "```\n\n  a\n b\n```", "<pre>  a\n b</pre>"},
		{"empty code", "a\n```\n \n```\nb", "a\n\nb"},
		{"a link that shows another address", "[https://bank.example/](https://evil.example/) [bank.example](https://evil.example/x) [Bank.example/y](https://www.bank.example/y)",
			"https://bank.example/ (https://evil.example/) bank.example (https://evil.example/x) <text_link https://www.bank.example/y>Bank.example/y</text_link>"},
		{"links", "[a](https://b.de/c?d=1&amp;e=\\_) [f](tg://user?id=1) [g **h**](http://[::1]/)", "<text_link https://b.de/c?d=1&e=_>a</text_link> f (tg://user?id=1) <text_link http://[::1]/>g <bold>h</bold></text_link>"},
		{"links that Telegram does not follow", "[a](javascript:x) [b](/c) [d](http://nas:80/) [e](mailto:e@f.de) [g]()", "a (javascript:x) b (/c) d (http://nas:80/) e (mailto:e@f.de) g"},
		{"links that say where they lead", "[https://b.de](https://b.de) <https://b.de> https://b.de/c_d_e www.b.de <me@b.de> [](https://x.de)", "https://b.de https://b.de https://b.de/c_d_e www.b.de me@b.de https://x.de"},
		{"code in a link", "[`a`](https://b.de)", "<text_link https://b.de>a</text_link>"},
		{"definitions", "[a] [1]\n\n[1]: https://b.de", "[a] [1]\n\n[1]: https://b.de"},
		{"pictures", "![a](https://b.de/c.png) ![](https://b.de) ![d](e.png) [![f](g.png)](https://h.de)", "<text_link https://b.de/c.png>a</text_link> https://b.de d (e.png) <text_link https://h.de>f</text_link>"},
		{"lists", "x:\n- a\n- b\n  - c\n\n    d\n  - e\n* * *\n1) f\n2) g\n   continued", "x:\n• a\n• b\n  • c\n\n    d\n\n  • e\n———\n1) f\n2) g\n   continued"},
		{"a loose list", "9. a\n\n10. b\n\n    c", "9. a\n\n10. b\n\n    c"},
		{"tasks", "- [x] a\n- [ ] **b**\n- c\n\n1. [X] d", "☑ a\n☐ <bold>b</bold>\n• c\n\n1. ☑ d"},
		{"code in a list", "- ```sh\n  a\n    b\n  ```\n- c\n\n  ```\n  d\n  ```\n-", "•\n<pre sh>a\n  b</pre>\n\n• c\n\n<pre>d</pre>\n\n•"},
		{"quotes", "> a *b*\n>\n> c\n\nd\n\n> > e\n> f\n\n- > g\n  > h", "<blockquote>a <italic>b</italic>\n\nc</blockquote>\n\nd\n\n<blockquote>> e\n> f</blockquote>\n\n• > g\n  > h"},
		{"a quote with code", "> a\n> ```go\n> b\n> ```", "<blockquote>a\n<pre go>b</pre></blockquote>"},
		{"a table", "a\n\n| n | amount |\n|---|--:|\n| 漢字 | 5 |\n| a\\|b | [c](https://d.de) `e` |\nf", "a\n\n<pre>n                 amount\n----  ------------------\n漢字                   5\na|b   c (https://d.de) e\nf</pre>"},
		{"a centred table", "|a|long name|\n|-|:-:|\n|👨‍👩‍👧|b ~~c~~|", "<pre>a   long name\n--  ---------\n👨‍👩‍👧   b ~~c~~</pre>"},
		{"a wide table", "|a|b|\n|-|-|\n|1|" + strings.Repeat("x ", 40) + "|\n|**2**||", "<bold>a</bold>: 1\n<bold>b</bold>: " + strings.Repeat("x ", 39) + "x\n\n<bold>a</bold>: <bold>2</bold>"},
		{"html", "<b>x</b><br>y <!-- z -->\n\n<div>\n*a*\n</div>", "<b>x</b>\ny <!-- z -->\n\n<div>\n*a*\n</div>"},
		{"references", "&lt;&amp;&#65; &nosuch; \\&amp; & `&lt;` &#x202e;a\\*b", "<&A &nosuch; &amp; & <code>&lt;</code> a*b"},
		{"a rule", "a\n\n***\n\nb", "a\n\n———\n\nb"},
		{"emoji", "😀 **😀x** é", "😀 <bold>😀x</bold> é"},
		{"what would do harm", "a\x00b\x1b[1mc\u202ed\xffe\u2028f\U000E0041g\r\nh", "abcd"[:2] + "[1mcd\ufffde\nfg\nh"},
		{"the flag of Scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"},
		{"blanks around", "\n\n  a  \n\n", "a"},
		{"nothing", " \n\n", ""},
		{"nothing that can be seen", "\u200b \u2060", ""},
		{"nothing but markup", "#", "#"},
		{"quotes without end", strings.Repeat(">", 500) + "a", strings.Repeat(">", 500) + "a"},
		{"lists without end", strings.Repeat("1. ", 500) + "*a*", strings.Repeat("1. ", 500) + "*a*"},
		{"many numbers", strings.Repeat("1 ", 500) + "*a*", strings.Repeat("1 ", 500) + "<italic>a</italic>"},
		{"links without end", strings.Repeat("[a](", 3000), strings.Repeat("[a](", 3000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := markup.Render(c.src)
			sound(t, m)
			if diff := cmp.Diff(c.want, withTags(t, m)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.src, diff)
			}
		})
	}
}

func TestPlainTellsWhereLinksLead(t *testing.T) {
	got := markup.Plain(markup.Render("😀 [a](https://b.de) *c* [d](https://e.de)."))
	if diff := cmp.Diff("😀 a (https://b.de) c d (https://e.de).", got); diff != "" {
		t.Error(diff)
	}
}

func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[!-~ é漢😀]*`).Draw(t, "text")
		want := markup.Message{Text: strings.Join(strings.Fields(s), " ")}
		if diff := cmp.Diff(want, markup.Render(md.Escape(s))); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", s, diff)
		}
	})
	code := "a *b*\n````\nc"
	want := markup.Message{Text: code, Entities: []markup.Entity{{Type: markup.Pre, Length: markup.Len(code)}}}
	if diff := cmp.Diff(want, markup.Render(md.Fenced(code))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEntitiesAreThoseOfTheBotAPI(t *testing.T) {
	got, err := json.Marshal(markup.Render("[a](https://b.de) *c*").Entities)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"text_link","offset":0,"length":1,"url":"https://b.de"},{"type":"italic","offset":2,"length":1}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// fataler is what both *testing.T and *rapid.T are.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// sound holds a message against what the package promises.
func sound(t fataler, m markup.Message) {
	t.Helper()
	units := utf16.Encode([]rune(m.Text))
	trimmed := strings.TrimRightFunc(m.Text, unicode.IsSpace)
	if !slices.ContainsFunc(m.Entities, func(e markup.Entity) bool { return e.Type == markup.Pre && e.Offset == 0 }) {
		trimmed = strings.TrimLeftFunc(trimmed, unicode.IsSpace)
	}
	if trimmed != m.Text {
		t.Fatalf("not trimmed: %q", m.Text)
	}
	for i, e := range m.Entities {
		end := e.Offset + e.Length
		if e.Offset < 0 || e.Length <= 0 || end > len(units) {
			t.Fatalf("%+v is outside of %d units", e, len(units))
		}
		if inPair(units, e.Offset) || inPair(units, end) {
			t.Fatalf("%+v cuts through a rune of %q", e, m.Text)
		}
		if strings.TrimSpace(string(utf16.Decode(units[e.Offset:end]))) == "" {
			t.Fatalf("%+v shows nothing of %q", e, m.Text)
		}
		for _, later := range m.Entities[i+1:] {
			if later.Offset < e.Offset {
				t.Fatalf("%+v stands before %+v", e, later)
			}
			if later.Offset >= end {
				continue
			}
			if later.Offset+later.Length > end {
				t.Fatalf("%+v and %+v overlap in %q", e, later, m.Text)
			}
			if isCode(e.Type) || isCode(later.Type) && e.Type != markup.Quote || later.Type == markup.Quote || later.Type == e.Type {
				t.Fatalf("%+v may not lie in %+v in %q", later, e, m.Text)
			}
		}
	}
}

func isCode(kind string) bool { return kind == markup.Code || kind == markup.Pre }

// inPair reports whether a place is between the halves of a surrogate pair.
func inPair(units []uint16, at int) bool {
	return at > 0 && at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xdc00
}

func TestCommonMarkSpecification(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("where goldmark lies is not known: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var cases []struct {
		Markdown string `json:"markdown"`
		Example  int    `json:"example"`
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) < 600 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, c := range cases {
		m := markup.Render(c.Markdown)
		sound(t, m)
		if visible := strings.TrimSpace(c.Markdown) != ""; (m.Text != "") != visible {
			t.Errorf("example %d: %q shows %q", c.Example, c.Markdown, m.Text)
		}
		for _, limit := range []int{7, 40} {
			divided(t, m, limit)
		}
	}
}

// markdown draws what a model might write, and worse.
func markdown() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"*", "**", "_", "~~", "`", "```go\n", "```\n", "> ", "- ", "1. ", "- [x] ", "# ", "|a|b|\n|-|-|\n|", "[a](https://b.de)",
			"![c](d.png)", "](", "[", "\n", "\n\n", "    ", "\t", "😀", "👨‍👩‍👧", "🇩🇪🇫🇷", "é", "각", "漢字。", "word ", "Sentence. ", "&amp;", "\\", "<b>", "<!-- ",
			"\x00", "\u202e", "\u200b", "\xff", "https://x.de ", "---\n", "a*b*c ", "`c` "}),
		rapid.StringN(0, 20, -1))
	return rapid.Map(rapid.SliceOfN(piece, 0, 60), func(all []string) string { return strings.Join(all, "") })
}

func TestWhateverAModelWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := markup.Render(markdown().Draw(t, "markdown"))
		sound(t, m)
		divided(t, m, rapid.IntRange(1, 300).Draw(t, "limit"))
	})
}

func FuzzMessages(f *testing.F) {
	for _, s := range []string{"# a\n\n**b `c` d**\n```go\nx\n```", "> - a\n> - b\n\n|a|b|\n|-|-|\n|漢|😀|", "[a](https://b.de) ![c](d) <e>", "2*3*4 ~5~ &#0;"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		m := markup.Render(s)
		sound(t, m)
		divided(t, m, max(limit, 1))
	})
}

func BenchmarkMessages(b *testing.B) {
	one := "## A heading\n\nSome *text* with **strong** words, `code` and a [link](https://example.org/a).\n\n- one\n- two\n\n" +
		"```go\nfunc main() {\n\tprintln(1)\n}\n```\n\n| a | b |\n|---|---|\n| 1 | 漢字 |\n\n> quoted 😀\n\n"
	text := strings.Repeat(one, 100_000/len(one)+1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if len(markup.Messages(text, markup.MaxText)) == 0 {
			b.Fatal("nothing")
		}
	}
}
