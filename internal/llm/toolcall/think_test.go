package toolcall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What was thought is never said, whatever family of models wrote it.
func TestThoughts(t *testing.T) {
	for _, test := range []struct{ name, written, text, thinking string }{
		{"none", "It rains.", "It rains.", ""},
		{"think", "<think>hm</think>It rains.", "It rains.", "hm"},
		{"thinking", "<thinking>\nhm\n</thinking>\nIt rains.", "\nIt rains.", "hm"},
		{"thought, closed by another tag", "<thought>hm</think>It rains.", "It rains.", "hm"},
		{"capitals", "<Think>hm</THINK>It rains.", "It rains.", "hm"},
		{"twice", "<think>a</think>one<think>b</think>two", "one\ntwo", "a\nb"},
		{"in a line", "It <think>hm</think>rains.", "It \nrains.", "hm"},
		{"without an end", "It rains.<think>hm", "It rains.", "hm"},
		{"without a beginning", "hm</think>It rains.", "It rains.", "hm"},
		{"ended twice", "<think>a</think>b</think>It rains.", "It rains.", "a\nb"},
		{"a tag that thoughts would make", "<th<think>x</think>ink>It rains.", "<th\nink>It rains.", "x"},
		{"a tag within", "<think>a <think> b</think>It rains.", "It rains.", "a <think> b"},
		{"gemma", "<|channel>thought\nhm<channel|>It rains.", "It rains.", "hm"},
		{"harmony", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>It rains.", "It rains.", "hm"},
		{"magistral", "[THINK]hm[/THINK]It rains.", "It rains.", "hm"},
		{"cohere", "<|START_THINKING|>hm<|END_THINKING|>It rains.", "It rains.", "hm"},
		{"spoken of", "Write `<think>` and \"</think>\".", "Write `think` and \"think\".", ""},
		{"no tag", "a < b, [1], <thing>", "a < b, [1], <thing>", ""},
		{"half a tag", "It rains.<thin", "It rains.<thin", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, thinking := withoutThoughts(test.written)
			if text != test.text || thinking != test.thinking {
				t.Errorf("%q: text %q, want %q; thinking %q, want %q", test.written, text, test.text, thinking, test.thinking)
			}
		})
	}
}

// It does not matter where the writing is split.
func TestThoughtsAtEverySplit(t *testing.T) {
	all := fragments()
	rapid.Check(t, func(t *rapid.T) {
		written := strings.Join(rapid.SliceOfN(rapid.SampledFrom(all), 0, 10).Draw(t, "written"), "")
		text, thinking := withoutThoughts(written)
		inPieces := thoughts{}
		for rest := written; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 7)).Draw(t, "n")
			inPieces.add(rest[:n], false)
			rest = rest[n:]
		}
		inPieces.add("", true)
		if got := inPieces.text.String(); got != text {
			t.Fatalf("%q: text %q in pieces, %q at once", written, got, text)
		}
		if got := strings.TrimSpace(inPieces.thinking.String()); got != thinking {
			t.Fatalf("%q: thinking %q in pieces, %q at once", written, got, thinking)
		}
	})
}
