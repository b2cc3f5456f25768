package gamemaster_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"hob/internal/game/tales"
)

// A moment is kept in plain words, too, where they are no deed: to keep a note one has to have one.
func TestMomentsInWords(t *testing.T) {
	for lang, lines := range map[string][]string{
		"en": {"save the game as tea → “tea”", "load the game tea → “tea”", "save as two words → “two words”", "load two words → “two words”"},
		"ru": {"сохранить чай → «чай»", "загрузить чай → «чай»", "сохрани игру как утро → «утро»", "загрузи утро → «утро»"},
		"zh": {"存档 茶 → “茶”", "读档 茶 → “茶”"},
	} {
		h := newHouse(t, plan{noModel: true})
		h.began("cosy " + lang)
		for _, line := range lines {
			words, want, _ := strings.Cut(line, " → ")
			h.hears("ana", words, want)
		}
	}
}

// A tale of choices has moments, too, sums up what was chosen, has no map, and counts the choices alone.
func TestPagesInWords(t *testing.T) {
	folder := fstest.MapFS{}
	what := "begin 1-1-1 12:00 page_1\nquest end ends offered\ngoal end read when at page_3\ntrade reader hp=10\nchoice page_1 page_2\nchoice page_2 page_3\n"
	words := "title = Bell\npitch = A bell.\nopening = A bell.\ngoal = Read on.\nending = The end.\nmilestone = A bell.\nstyle = Plain.\nweather = calm\nhero = Robin\n" +
		"reader = reader\nreader.line = You read.\nend = An end\nend.read = Come to an end\n"
	for n, name := range []string{"Begin", "Ring the bell", "Go in"} {
		what = strings.Replace(what, "quest", fmt.Sprintf("page page_%d\nquest", n+1), 1)
		words += fmt.Sprintf("page_%d = %s\npage_%d.text = Page %d.\n", n+1, name, n+1, n+1)
	}
	folder["bell.txt"], folder["bell.en.txt"] = &fstest.MapFile{Data: []byte(what)}, &fstest.MapFile{Data: []byte(words)}
	h := newHouse(t, plan{noModel: true, tales: tales.NewLibrary(folder)})
	h.began("bell")
	for _, line := range []string{
		"/teller off → No model", "ring → Page 2.", "save here → “here”", "map → no map", "recap → You choose “Ring the bell”.", "go in → Turns: 2.", "undo → Page 2.", "load here → “here”", "1 → Turns: 2.",
	} {
		words, want, _ := strings.Cut(line, " → ")
		h.hears("ana", words, want)
	}
}
