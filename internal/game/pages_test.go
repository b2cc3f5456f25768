package game_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/show"
	"hob/internal/game/tales"
)

// pagesTale is a tale of choices with six of them on its first page, and a long text behind the last.
func pagesTale(more string) []tales.File {
	long := strings.Repeat("The crow looks at you. ", 40) + "It nods."
	what := "begin 1-1-1 12:00 page_1\n" + more
	words := "title = Fork\npitch = A fork.\nopening = A fork.\ngoal = Read on.\nending = The end.\nmilestone = A fork.\nstyle = Plain.\nweather = calm\nhero = Robin\n" +
		"reader = reader\nreader.line = You read.\nend = An end\nend.read = Come to an end\n"
	for n := 1; n <= 7; n++ {
		what += fmt.Sprintf("page page_%d\n", n)
		words += fmt.Sprintf("page_%d = Choose %d\npage_%d.text = Page %d. %s\n", n, n, n, n, strings.TrimSpace(strings.Repeat(long, n/7)))
	}
	for n := 2; n <= 7; n++ {
		what += fmt.Sprintf("choice page_1 page_%d\nchoice page_%d page_1\n", n, n)
	}
	what += "quest end ends offered\ngoal end read when at page_7\ntrade reader hp=10\n"
	return []tales.File{{Name: "fork.txt", Text: what}, {Name: "fork.en.txt", Text: words}}
}

// A page of a tale of choices is its text and all that can be chosen there, in the words of the tale, and nothing else is told of it. A
// turn to a page is taken back like any other.
func TestPages(t *testing.T) {
	book := game.Rules()
	tale := tales.FromFiles("fork", pagesTale(""))
	for _, p := range tale.Problems() {
		t.Error(p)
	}
	w, counts, err := tale.Begin(book, tales.Start{Session: "fork", Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	log, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), eventlog.Beginning{ID: "fork", Seed: game.SeedOf("fork"), World: w, Counts: counts}, game.Options(book, noon))
	if err != nil {
		t.Fatal(err)
	}
	labels := func() (all []string) {
		for _, c := range story.Choices(log.World(), book, "en", log.World().Actor("pc_001")) {
			all = append(all, c.Label)
		}
		return all
	}
	if diff := cmp.Diff([]string{"Choose 2", "Choose 3", "Choose 4", "Choose 5", "Choose 6", "Choose 7"}, labels()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		choice int
		text   string
	}{{0, "Page 2."}, {0, "Page 1."}, {5, "Page 7. " + strings.Repeat("The crow looks at you. ", 40) + "It nods."}} {
		pick := story.Choices(log.World(), book, "en", log.World().Actor("pc_001"))[c.choice]
		p, err := log.Play(t.Context(), eventlog.Request{Actor: "pc_001", Calls: []rules.Call{{Tool: pick.Tool, Args: pick.Args.Bytes()}}, Counts: true})
		if err != nil || !p.Outcomes[0].OK() {
			t.Fatalf("%s: %v %v", pick.Label, err, p.Outcomes)
		}
		before, changes, err := log.BeforeAndChanges(t.Context(), p.Turn)
		if err != nil {
			t.Fatal(err)
		}
		told := account.Turn{Book: book, Lang: "en", Before: before, After: log.World(), Actor: "pc_001", Outcomes: p.Outcomes, Events: changes}.Tell()
		if told != c.text || show.Look(log.World(), book, "en", "") != c.text {
			t.Errorf("%s tells %q and shows %q", pick.Label, told, show.Look(log.World(), book, "en", ""))
		}
	}
	if self := log.World().Self(); !self.Ended || self.EndedReason != "goal" || labels() != nil {
		t.Errorf("the end is none: %v", self)
	}
	if _, err := log.Undo(t.Context(), 1, eventlog.Origin{}); err != nil || len(labels()) != 6 || log.World().Self().Ended {
		t.Errorf("%v: %q", err, labels())
	}
}

// What a tale of choices gets wrong is said by line.
func TestPagesWrong(t *testing.T) {
	for more, want := range map[string]string{
		"page page_8\n":                      "fork.txt:2: page: nobody gets to page_8: add a choice, or leave it out",
		"choice page_1 page_9\n":             `fork.txt:2: choice: there is no page "page_9": make it in a line of its own, or mend the id`,
		"page area_1\nway area_1 e page_1\n": `fork.txt:3: way: there is no place "area_1": make it in a line of its own, or mend the id`,
	} {
		files := pagesTale(more)
		files[1].Text += "page_8 = Choose 8\npage_8.text = Page 8.\n"
		if !strings.Contains(more, "page_8") {
			files[1].Text = strings.ReplaceAll(files[1].Text, "page_8", "area_1")
		}
		var all []string
		for _, p := range tales.FromFiles("fork", files).Problems() {
			all = append(all, p.String())
		}
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%q: %q", more, all)
		}
	}
}
