package agent

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stops reports after how many bytes a text that comes in pieces of n bytes is stopped, or 0, and what is kept of it.
func stops(text string, n int) (int, string) {
	var g tailGuard
	for at := 0; at < len(text); at += n {
		if g.add(text[at:min(at+n, len(text))]) {
			return len(g.text), g.cut()
		}
	}
	return 0, text
}

// A model that repeats itself is stopped soon after the eighth time, and its words are kept once.
func TestRepeats(t *testing.T) {
	for _, c := range []struct{ before, unit string }{
		{"", "I will read the note. "}, {"It is Monday. ", "the "}, {"", "I will read the note.\n\n"},
		{"Sure.\n", "我会读笔记。"}, {"Here it is: ", "Я прочитаю файл, и "}, {"", "ha"},
		{"A. ", "Let me check the file once more, and then the other one, which is longer. I see that it holds a list of names. I will read each of them. "},
	} {
		at, kept := stops(c.before+strings.Repeat(c.unit, 300), 5)
		most := len(c.before) + (maxRepeatsInWords+1)*max(len(c.unit), leastUnit) + repeatStep + len(c.unit)
		if at == 0 || at > most {
			t.Errorf("%q: stopped after %d bytes, want at most %d", c.unit, at, most)
		}
		if want := strings.Trim(c.unit, " .,\n"); len(kept) > len(c.before)+2*len(c.unit)+3 || !strings.HasPrefix(kept, strings.TrimSpace(c.before)) || !strings.Contains(kept, want) {
			t.Errorf("kept %q, want %q", kept, want)
		}
	}
	if at, kept := stops("A. "+strings.Repeat("I look. ", 10_000), 1<<20); at == 0 || len(kept) > 12 {
		t.Errorf("all at once: %d bytes, kept %q", at, kept)
	}
	for _, unit := range []string{"- item\n", "| a | b |\n", "0, ", `{"a": 1}, `} { // longer, but not for ever
		if at, _ := stops(strings.Repeat(unit, 10_000), 50); at == 0 || at > repeatWindow+2*repeatStep {
			t.Errorf("%q: stopped after %d bytes", unit, at)
		}
	}
}

// Lists, tables and code have pieces that come again and again.
func TestNoRepeats(t *testing.T) {
	row := "[" + strings.Repeat("null, ", 7) + "null],\n"
	for name, text := range map[string]string{
		"a matrix of zeros":      "```\n" + strings.Repeat("["+strings.Repeat("0, ", 9)+"0],\n", 10) + "```\n",
		"a board":                "Here is the board:\n```python\nboard = [\n" + strings.Repeat("    "+row, 8) + "]\n```\n",
		"JSON":                   "[" + strings.Repeat(`{"name": "empty", "used": false}, `, 30) + "1]",
		"a rule":                 "A\n" + strings.Repeat("-", 300) + "\nB",
		"a wide table":           "|" + strings.Repeat(" name |", 40) + "\n|" + strings.Repeat("---|", 40) + "\n",
		"a table of free days":   strings.Repeat("| free | free | free |\n", 31),
		"a check list":           strings.Repeat("- [ ] to do\n", 30),
		"a song":                 strings.Repeat("Row, row, row your boat,\nGently down the stream.\n", 4) + "The end.",
		"laughter":               strings.Repeat("ha ", 40),
		"code":                   "```go\n" + strings.Repeat("\t\tfmt.Println(\"hello\")\n", 20) + "```\n",
		"a call":                 `<tool_call>{"name":"write_file","arguments":{"content":"` + strings.Repeat(`false, `, 60) + `"}}</tool_call>`,
		"dots":                   "Wait" + strings.Repeat(".", 400),
		"asterisks, then words":  strings.Repeat("* ", 150) + "done",
		"a long line of numbers": strings.Repeat("1 ", 300),
	} {
		for _, n := range []int{1, 7, len(text)} {
			if at, _ := stops(text, n); at > 0 {
				t.Errorf("%s: stopped after %d of %d bytes", name, at, len(text))
			}
		}
	}
}

// Text whose lines differ, as those of lists, tables, code and prose do, is never stopped, wherever it is cut into pieces.
func TestNoRepeatsInLinesThatDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"- item %d\n", "| %d | yes | yes | no |\n", "    x[%d] = 0\n", "%d. Read the file and close it.\n", "Day %d: rest.\n", `{"id": %d, "ok": true},` + "\n",
			"echo %d\n", "On day %d I will read the note. ",
		}).Draw(t, "line")
		var text strings.Builder
		text.WriteString(rapid.SampledFrom([]string{"", "Here:\n", "```\n", "| a | b |\n|---|---|\n"}).Draw(t, "before"))
		for i := range rapid.IntRange(1, 200).Draw(t, "lines") {
			fmt.Fprintf(&text, line, i)
		}
		if at, _ := stops(text.String(), rapid.IntRange(1, 300).Draw(t, "piece")); at > 0 {
			t.Fatalf("stopped after %d of %d bytes: %q", at, text.Len(), text.String()[max(0, at-300):at])
		}
	})
}

// Whatever is repeated as words is stopped, and what is kept is a beginning of the text.
func TestWhateverRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.StringMatching(`[a-z]{2,9}( [a-zé]{1,9}){0,20}[.,!]? `).Draw(t, "unit")
		before := rapid.StringMatching(`([A-Z][a-z]{1,9} ){0,30}`).Draw(t, "before")
		text := before + strings.Repeat(unit, 400)
		at, kept := stops(text, rapid.IntRange(1, 300).Draw(t, "piece"))
		if at == 0 || !strings.HasPrefix(text, kept) || len(kept) > len(before)+2*len(unit)+2 {
			t.Fatalf("stopped after %d, kept %q", at, kept)
		}
	})
}

// The guard takes little time, also where the end of the text is nearly a repeat everywhere.
func BenchmarkRepeats(b *testing.B) {
	for name, text := range map[string]string{
		"words": strings.Repeat("The quick brown fox number jumps. ", 7) + strings.Repeat(strings.Repeat("ab ", 6)+"c ", 2000),
		"data":  "[" + strings.Repeat(strings.Repeat("0, ", 200)+"1, ", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				stops(text, 4)
			}
		})
	}
}
