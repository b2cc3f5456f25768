package ollamatest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// walk follows the automaton from a marker, for at most limit tokens, and returns what it says.
func walk(a *automaton, marker string, limit int) string {
	var said strings.Builder
	at, ok := a.number[marker]
	if !ok {
		return "no such marker"
	}
	for range limit {
		if at, ok = a.Next[at]; !ok || at == endToken {
			break
		}
		if a.Tokens[at].Type != unusedToken {
			said.WriteString(a.Tokens[at].Text)
		}
	}
	return said.String()
}

// Every model says exactly what its scenario says, though all of them share one vocabulary.
func TestScript(t *testing.T) {
	a := newAutomaton()
	script(a)
	got, want := map[string]string{}, map[string]string{}
	hears := func(s scenario, what, says string) {
		marker := s.marker(what)
		got[marker], want[marker] = walk(a, marker, 1000), says
	}
	for _, s := range scenarios() {
		if s.endless {
			continue
		}
		hears(s, "user", s.opening)
		if s.needs != "" {
			hears(s, "unarmed", s.withoutTool)
		}
		for start, says := range s.byWords {
			hears(s, start, says)
		}
		for tool, says := range s.after {
			hears(s, tool, says)
		}
		for tool, says := range s.failed {
			hears(s, tool+"!", says)
		}
		hears(s, "other", s.other)
		hears(s, "other!", s.broken)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(got) < 20 {
		t.Errorf("%d markers were compared", len(got))
	}
}

func TestLoopHasNoEnd(t *testing.T) {
	a := newAutomaton()
	script(a)
	said := walk(a, scenario{model: Endless}.marker("user"), 10_000)
	want := EndlessPrefix + strings.Repeat(EndlessRound, 3)
	if !strings.HasPrefix(said, want) {
		t.Errorf("said %q", said[:min(len(said), len(want))])
	}
	if words := strings.Count(said, " fourth;"); words < 30 {
		t.Errorf("ended after %d rounds", words)
	}
}

// A piece of text that would need two successors becomes longer instead, whichever end of the text it stands at.
func TestSayKeepsTextsApart(t *testing.T) {
	texts := map[string]string{
		"<1>": "red then green then blue",
		"<2>": "red then blue then green",
		"<3>": "green then blue",
		"<4>": "then then then then",
		"<5>": "red then green then blue",
		"<6>": "red then green",
	}
	a := newAutomaton()
	for _, marker := range []string{"<1>", "<2>", "<3>", "<4>", "<5>", "<6>"} {
		a.answer(marker, texts[marker])
	}
	got := map[string]string{}
	for marker := range texts {
		got[marker] = walk(a, marker, 100)
	}
	if diff := cmp.Diff(texts, got); diff != "" {
		t.Error(diff)
	}
}

// The server refuses a vocabulary that has a text twice, and looks for its own tokens at fixed numbers.
func TestVocabulary(t *testing.T) {
	a := newAutomaton()
	script(a)
	seen := map[string]bool{}
	for _, token := range a.Tokens {
		if seen[token.Text] {
			t.Errorf("%q is there twice", token.Text)
		}
		seen[token.Text] = true
	}
	want := []token{{"<unk>", unknownToken, 0}, {"<s>", controlToken, 0}, {"</s>", controlToken, 0}, {"<0x00>", byteToken, 0}}
	if diff := cmp.Diff(want, a.Tokens[:4]); diff != "" {
		t.Error(diff)
	}
	if len(a.Tokens) > 4096 || len(a.Next) > mostNext {
		t.Errorf("%d tokens, of which %d have a successor", len(a.Tokens), len(a.Next))
	}
}
