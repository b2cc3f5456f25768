package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMarkdownInATerminalWithoutColour(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"headings", "# One *two*\n\nSetext\n---\n\n### ", "# One two\n\n## Setext\n"},
		{"paragraphs", "one\ntwo **three** `four` ~~five~~\n\n\n\nsix\\\nseven  \neight", "one two three `four` ~~five~~\n\nsix\nseven\neight\n"},
		{"wrapping", "one two three four five six seven eight", "one two three four five six\nseven eight\n"},
		{"a word longer than a line", strings.Repeat("x", 35) + " y", strings.Repeat("x", 30) + "\nxxxxx y\n"},
		{"wide text", strings.Repeat("漢字、", 6), "漢字、漢字、漢字、漢字、漢字、\n漢字、\n"},
		{"no closing mark at a line's beginning", strings.Repeat("漢", 15) + "。", strings.Repeat("漢", 14) + "\n漢。\n"},
		{"lists", "- a\n  - b\n    1. c\n    2. d\n- [x] e\n- [ ] f", "- a\n  - b\n    1. c\n    2. d\n- [x] e\n- [ ] f\n"},
		{"a loose list", "9. a\n\n   more\n\n10. b", "9. a\n\n   more\n\n10. b\n"},
		{"a wrapped item", "- one two three four five six seven", "- one two three four five six\n  seven\n"},
		{"quotes", "> a\n> > b\n>\n> - c", "> a\n>\n> > b\n>\n> - c\n"},
		{"code", "```go\nfunc f() {\n\tif x {\n\n\ta\t+b }\n\n```\n\n    old\n      way", "```go\nfunc f() {\n    if x {\n\n    a   +b }\n```\n\n```\nold\n  way\n```\n"},
		{"long code", "```\n" + strings.Repeat("x ", 30) + "\n```", "```\n" + strings.Repeat("x ", 30) + "\n```\n"},
		{"links", "[text](http://a.b/c) [http://a.b](http://a.b) <me@a.b> ![alt](x.png) www.a.bc", "text (http://a.b/c) http://a.b\nme@a.b [image: alt] (x.png)\nwww.a.bc\n"},
		{"a link that is too long", "see http://example.org/" + strings.Repeat("x", 30) + " now", "see\nhttp://example.org/" + strings.Repeat("x", 30) + "\nnow\n"},
		{"definitions", "[a] b\n\n[a]: http://evil.example", "[a] b\n\n[a]: http://evil.example\n"},
		{"rules", "a\n\n***", "a\n\n---\n"},
		{"html", "<b>x</b><br>y\n\n<div>\nz\n</div>", "<b>x</b>\ny\n\n<div>\nz\n</div>\n"},
		{"entities", "&lt;&amp;&#65; &nosuch; \\&amp; & `&lt;`", "<&A &nosuch; &amp; & `&lt;`\n"},
		{"a table", "| n | amount |\n|---|--:|\n| 漢字 | 5 |\n| a\\|b |\n", "n     amount\n----  ------\n漢字       5\na|b\n"},
		{"a centred table", "|a|long name|\n|-|:-:|\n|b|c|", "a  long name\n-  ---------\nb      c\n"},
		{"a table wrapped", "| a | words |\n|-|-|\n| one | two three four five six seven eight |", "a    words\n---  -------------------------\none  two three four five six\n     seven eight\n"},
		{"a table too wide", "|aaaaaaa|bbbbbb|cccccc|dddddd|eeeeee|\n|-|-|-|-|-|\n|111111|2|333333|444444|5|\n|1", "aaaaaaa: 111111\nbbbbbb: 2\ncccccc: 333333\ndddddd: 444444\neeeeee: 5\n\naaaaaaa: 1\nbbbbbb:\ncccccc:\ndddddd:\neeeeee:\n"},
		{"a table too wide without rows", "|aaaaaaa|bbbbbb|cccccc|dddddd|eeeeee|\n|-|-|-|-|-|", "aaaaaaa\nbbbbbb\ncccccc\ndddddd\neeeeee\n"},
		{"nothing", " \n\n", ""},
	} {
		if diff := cmp.Diff(c.want, Markdown(c.src, 30, false)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMarkdownInColour(t *testing.T) {
	src := "# T **b**\n\n*i* **b *bi*** `c` ~~s~~ [l](u)\n\n- x\n\n> q\n\n```\nk\n```\n\n---\n\n|h|\n|-|\n|d|\n"
	want := "\x1b[1;4mT b\x1b[0m\n\n" +
		"\x1b[3mi\x1b[0m \x1b[1mb \x1b[0m\x1b[1;3mbi\x1b[0m \x1b[36mc\x1b[0m \x1b[9ms\x1b[0m \x1b[4ml\x1b[0m (\x1b[34mu\x1b[0m)\n\n" +
		"• x\n\n\x1b[2m│ \x1b[0mq\n\n\x1b[2m```\x1b[0m\n\x1b[36mk\x1b[0m\n\x1b[2m```\x1b[0m\n\n\x1b[2m──────────\x1b[0m\n\n\x1b[1mh\x1b[0m\n\x1b[2m─\x1b[0m\nd\n"
	got := Markdown(src, 40, true)
	got = strings.Replace(got, strings.Repeat("─", 40), strings.Repeat("─", 10), 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPipeGetsLinesOfAnyLength(t *testing.T) {
	long := strings.Repeat("word ", 100) + "end"
	src := long + "\n\n```\n\tcode\n```\n\n| " + long + " |\n|-|\n| x |\n"
	want := long + "\n\n```\n\tcode\n```\n\n" + long + "\n" + strings.Repeat("-", len(long)) + "\nx\n"
	if diff := cmp.Diff(want, Markdown(src, 0, false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAHostileModelCannotCommandTheTerminal(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a sequence", "a\x1b[2Jb", "a␛[2Jb\n"},
		{"a title", "\x1b]0;root#\x07", "␛]0;root#␇\n"},
		{"an entity", "&#27;[2J &#x9b;2J &#10;x &#8238;", "␛[2J ›2J  x ⟨U+202E⟩\n"},
		{"an eight bit control", "\u009b2J \x9b2J", "⟨U+009B⟩2J \uFFFD2J\n"},
		{"code", "```\n\x1b[31m\u202e\r\n\x08\n```", "```\n␛[31m⟨U+202E⟩\n␈\n```\n"},
		{"a code span", "`a\x1b[0mb`", "`a␛[0mb`\n"},
		{"an address", "[ok](<http://a/\x1b]8;;evil>)", "ok (http://a/␛]8;;evil)\n"},
		{"a carriage return", "all is well\rrm -rf", "all is well␍rm -rf\n"},
		{"html", "<a \x1b[1m>", "<a ␛[1m>\n"},
		{"a line of hob's", "✓ wrote file\n\n→ run\n\n◆ ok?\n\n· note", " ✓ wrote file\n\n → run\n\n ◆ ok?\n\n · note\n"},
		{"one by wrapping", strings.Repeat("x", 29) + " ✓ done", strings.Repeat("x", 29) + "\n ✓ done\n"},
		{"one by a hard break", "x\\\n✓ done<br>✗ y", "x\n ✓ done\n ✗ y\n"},
		{"one in a heading", "Title  \n✓ done\n===", "# Title\n ✓ done\n"},
		{"one in a table", "| → | b |\n|-|-|\n| ✓ | c |", " →  b\n--  -\n ✓  c\n"},
		{"one in a list", "- ✓ done", "- ✓ done\n"},
		{"one in a long line of code", "```\n" + strings.Repeat("x", 30) + "✓ done\n```", "```\n" + strings.Repeat("x", 30) + " ✓ done\n```\n"},
		{"one that begins code", "```\n✓ done\n```", "```\n ✓ done\n```\n"},
		{"hidden words", "a\U000E0061\U000E0062b", "a⟨U+E0061⟩⟨U+E0062⟩b\n"},
	} {
		if diff := cmp.Diff(c.want, Markdown(c.src, 30, false)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzMarkdown holds whatever a model may write against the rules of the package comment, on a screen that refuses
// what it does not know.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"# a\n\n- b\n  1. c\n\n> d\n\n```\ne\n```\n\n|f|\n|-|\n|✓|\n", "&#27;[2J", "[a](<\x1b>)", "→", "\xff\xfe", "* * *\n\t- a", "漢✓漢→", "\u0301✓", "`\u0300→`",
		strings.Repeat(">", 40) + "✓", strings.Repeat("- ", 40) + "→ x", "<!--\n✓\n-->", "    ✓" + strings.Repeat("x", 40) + "✓",
	} {
		f.Add(seed, 20, true)
		f.Add(seed, 3, false)
	}
	f.Fuzz(func(t *testing.T, src string, width int, colour bool) {
		obeysTheRules(t, src, max(width%100, 2), colour)
	})
}

func TestMarkdownOfAnythingObeysTheRules(t *testing.T) {
	piece := rapid.SampledFrom([]string{"→", "✓", " ", "\n", "\n\n", "- ", "1. ", "> ", "|", "-", "\\", "`", "```\n", "*", "**", "x", "漢", "[", "](", ")", "<", ">", "http://a.bc/", "<br>", "# ", "\t", "\u200d", "\u0301", "&#27;", "\x1b", "&#8594;", "\u2028"})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		obeysTheRules(t, src, rapid.IntRange(2, 40).Draw(t, "width"), rapid.Bool().Draw(t, "colour"))
	})
}

func obeysTheRules(t interface{ Fatalf(string, ...any) }, src string, width int, colour bool) {
	s := newScreen(t, width, 1<<20)
	s.Write([]byte(Markdown(src, width, colour)))
	for _, line := range s.lines {
		if len(line) == 0 {
			continue
		}
		cell := line[0]
		for strings.HasPrefix(cell, "\x1b") {
			cell = cell[strings.Index(cell, "m")+1:]
		}
		if r, _ := utf8.DecodeRuneInString(cell); isMark(r) {
			t.Fatalf("%q in %d columns has the line %q", src, width, strings.Join(line, ""))
		}
	}
}

func TestWidthsAreColumns(t *testing.T) {
	for s, want := range map[string]int{
		"abc": 3, "привет": 6, "漢字": 4, "ｱ": 1, "Ａ": 2, "한국": 4, "e\u0301": 1, "👍": 2, "❤️": 2, "": 0, "\u200b": 0, "한": 2, "🇩🇪": 2, "…": 1, "\u00ad": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
	for _, c := range []struct {
		s     string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"漢字", 3, "漢…"}, {"漢字", 2, "…"}, {"abcd", 0, "abcd"}} {
		if got := truncate(c.s, c.width); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.s, c.width, got, c.want)
		}
	}
}
