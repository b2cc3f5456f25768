package gamemaster_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/proof"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/llm"
)

// Each tale is played to its good end by a scripted narrator: of every turn that the proof of the tale has it makes the call and tells it in
// words of its own, in two requests, so that nothing that it says is thrown away. No prompt on the way weighs too much or has the day of today in it.
// In English a person speaks and a storyteller tells, as testdata/told/TALE.txt has it, and docs/examples has what they read.
func TestAWholeStory(t *testing.T) {
	book := game.Rules()
	for _, tale := range tales.All() {
		r, err := proof.Find(t.Context(), book, tale)
		if err != nil || len(r.Proofs) == 0 {
			t.Fatal(err, r.NotProven())
		}
		for _, lang := range rules.Langs() {
			t.Run(tale.ID+" "+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { playWhole(t, tale.ID, lang, r.Proofs[0].Steps) })
			})
		}
	}
}

func playWhole(t *testing.T, tale, lang string, steps []proof.Step) {
	var call rules.Call
	turn, requests := 0, 0
	lines := wholeLines(t, tale, lang, len(steps))
	written, _ := tales.ByID(tale)
	played := fmt.Sprintf("# %s\n\n%s\n\n", written.Title(lang), written.Opening(lang, [32]byte{}))
	h := newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
		requests++
		if asksToTell(req) {
			if n := account.Weight(newest(req)); n > mostTell || strings.Contains(newest(req), "2026") {
				t.Errorf("turn %d: a weight of %d: %s", turn, n, newest(req))
			}
			return llm.Say(lines[turn].tell)
		}
		if results(req) > 0 {
			return llm.Say("Done.")
		}
		return llm.Do(called(1, call.Tool, string(call.Args)))
	})})
	h.say("/game new " + tale + " " + lang)
	var last said
	for i, step := range steps {
		turn = i
		c, words, ok := step.Call(h.log(tale).World(), "pc_001")
		if !ok {
			t.Fatalf("turn %d: %s cannot be done", i, step)
		}
		call, requests = c, 0
		if lang != "en" {
			lines[i].say += " " + words
		}
		words = lines[i].say
		if last = h.say(words); last.ended.Reason != event.Done {
			t.Fatalf("turn %d, %s: %s: %s", i, step, last.ended.Reason, last.reply.Text)
		}
		want := 2
		if strings.Contains(words, " and ") || strings.Contains(words, " и ") {
			want = 3 // there may be more to do, so it is asked
		}
		if requests != want {
			t.Errorf("turn %d, %s: %d requests: %s", i, step, requests, last.reply.Text)
		}
		if !strings.HasPrefix(last.reply.Text, lines[i].tell) {
			t.Errorf("turn %d, %s: the narrator says %q, and to be read is %q", i, step, lines[i].tell, last.reply.Text)
		}
		played += fmt.Sprintf("**%s**\n\n%s\n\n", words, strings.TrimSpace(last.reply.Text))
	}
	self := h.log(tale).World().Self()
	text, _ := tales.ByID(tale)
	if !self.Ended || self.EndedReason != "goal" || !strings.Contains(last.reply.Text, lines[turn].tell) {
		t.Errorf("ended %v, %q: %s", self.Ended, self.EndedReason, last.reply.Text)
	}
	if ending := tales.Ending(h.log(tale).World(), lang); ending == "" || !strings.Contains(last.reply.Text, ending) {
		t.Errorf("the ending of %s is not told: %s", text.Title(lang), last.reply.Text)
	}
	h.legal(tale)
	if lang == "en" {
		example(t, tale+".told", played)
	}
}

// wholeLine is a turn of a whole story: what a player says, and how it is told.
type wholeLine struct{ say, tell string }

// wholeLines returns the turns of a whole story: in English those of a storyteller, else words that only count them.
func wholeLines(t *testing.T, tale, lang string, n int) (list []wholeLine) {
	t.Helper()
	if lang != "en" {
		for i := range n {
			list = append(list, wholeLine{
				map[string]string{"ru": "Эх, ", "zh": "嗯，"}[lang] + countedWord(i),
				fmt.Sprintf(map[string]string{"ru": "Таков миг %s.", "zh": "这便是%s的一刻。"}[lang], countedWord(i)),
			})
		}
		return list
	}
	text, err := os.ReadFile("testdata/told/" + tale + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if say, tell, ok := strings.Cut(strings.TrimSpace(line), " => "); ok && line[0] != '#' {
			list = append(list, wholeLine{say, tell})
		}
	}
	if len(list) != n {
		t.Fatalf("%d turns are written, and the way to win has %d", len(list), n)
	}
	return list
}

// countedWord returns a word for a number, of letters alone.
func countedWord(n int) string { return strings.Repeat("q", n/7+1) + string(rune('a'+n%7)) }
