package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A story in Ink becomes a tale: it is listed and proven, and played by numbers and by words, with undo and saves. What cannot be taken leaves nothing.
func TestTaleAdd(t *testing.T) {
	h := newHouse(t, nowhereToAsk)
	folder := filepath.Join(filepath.Dir(h.config), "tales")
	file := func(name string) string {
		return filepath.Join("..", "..", "internal", "game", "ink", "testdata", name)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"add", file("lists.json")}, 1, "lists.json cannot be a tale: it has a LIST, which hob does not take"},
		{[]string{"add", file("orchard.ink")}, 1, "orchard.ink cannot be a tale: this is no compiled Ink story: compile it with inklecate"},
		{[]string{"add", "nothing.json"}, 2, "there is no file nothing.json"},
		{[]string{"add", file("orchard.json"), "--name", "cosy"}, 2, "cosy comes with hob"},
		{[]string{"add", file("orchard.json"), "--lang", "de"}, 1, `no tale can be in "de"`},
		{[]string{"add", file("orchard.json")}, 0, "orchard is there: orchard. It has 1 end, and hob has come to each."},
		{[]string{"add", file("ferry.json"), "--name", "orchard"}, 2, "there is a tale orchard in " + folder + " already"},
		{[]string{"add", file("letter.json")}, 0, "letter is there: The Letter. It has 2 ends"},
		{[]string{"add", file("mayak.json"), "--lang", "ru"}, 0, "mayak is there: mayak."},
		{[]string{"list"}, 0, "letter  The Letter (en)\nmayak  mayak (ru)\norchard  orchard (en)\n"},
		{[]string{"check", "mayak", "--replay"}, 0, "  1. Спросить о ключе\n     «Ключ? Возьмите», — говорит он."},
	} {
		out, status := h.run("", append([]string{"game", "tale"}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q ends with %d: %s", c.args, status, out)
		}
	}
	played := "1\n2\nmap\nrest\n/save pocket\n/undo\nI pick the red one\n1\n1\n/load pocket\n1\nGo home.\n"
	out, status := h.run(played, "game", "play", "orchard", "--no-model")
	if status != 0 {
		t.Fatal(out)
	}
	rest := out
	for _, want := range []string{
		"You come to the orchard gate at dusk. The gate is shut.", "You climb, and tear a sleeve. Apples hang over you, more than you can carry.",
		"It is hard as a stone. Apples hang over you, and 1 are in your pocket.", "it has no map",
		"Here you can only choose: Pick a red one.", "This moment is kept", "Turns taken back: 1.",
		"It is warm from the day.", "Two apples are enough for a pie.", "There are leaves in your hair.", "“orchard” has come to its end", "Turns: 4.\n\n",
		"Back at “pocket”.", "It is warm from the day. Apples hang over you, and 2 are in your pocket.", "There are leaves in your hair.",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("there is no %q in:\n%s", want, out)
		}
		rest = after
	}
	if out, status := h.run("", "game", "import", file("orchard.json")); status != 2 || !strings.Contains(out, "is a story in Ink, and no campaign: hob game tale add ") {
		t.Errorf("%d: %s", status, out)
	}
	if out, _ := h.run("", "game", "recap", "-c", "orchard"); !strings.Contains(out, "Chosen: Pick a red one") {
		t.Error(out)
	}
	if out, status := h.run("", "game", "verify", "-c", "orchard"); status != 0 {
		t.Error(out)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 6 {
		t.Errorf("%v: %v", files, err)
	}
}
