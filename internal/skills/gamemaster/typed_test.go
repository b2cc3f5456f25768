package gamemaster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/game/tales"
)

// TestTyped plays each tale in each language to a good end by what people type, without a model and without picking what is offered:
// testdata/typed/TALE.LANG.txt, "words => what is to be read then". No line is lost on the game, and hardly an answer comes twice
// in a row.
func TestTyped(t *testing.T) {
	files, err := filepath.Glob("testdata/typed/*.txt")
	if err != nil || len(files) != 9 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tale, lang, _ := strings.Cut(name, ".")
			h := newHouse(t, plan{noModel: true})
			written, _ := tales.ByID(tale)
			h.began(tale + " " + lang)
			was, played := "", fmt.Sprintf("# %s\n\n%s\n\n", written.Title(lang), written.Opening(lang, [32]byte{}))
			for line := range strings.Lines(string(data)) {
				words, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
				if words == "" || words[0] == '#' {
					continue
				}
				got := h.say(words)
				t.Logf("> %s\n%s", words, got.reply.Text)
				played += fmt.Sprintf("**%s**\n\n%s\n\n", words, strings.TrimSpace(got.reply.Text))
				if got.ended.Reason != event.Done || !strings.Contains(got.reply.Text, want) || got.reply.Text == was {
					t.Errorf("%q: %q is not in it, or it was said just now: %s: %s", words, want, got.ended.Reason, got.reply.Text)
				}
				for _, lost := range []string{"cannot make that out", "beyond me", "over my head", "plain commands alone", "Без рассказчика", "непонятно", "сказано рассказчику", "Таких слов", "听不懂", "讲给讲述者", "只懂简单"} {
					if strings.Contains(got.reply.Text, lost) {
						t.Errorf("%q is not understood: %s", words, got.reply.Text)
					}
				}
				was = got.reply.Text
			}
			if self := h.log(tale).World().Self(); !self.Ended || self.EndedReason != "goal" {
				t.Errorf("ended %v, %q", self.Ended, self.EndedReason)
			}
			if lang == "en" || tale == "cosy" {
				example(t, name, played)
			}
		})
	}
}

// example holds a whole story against docs/examples, where players can read it.
func example(t *testing.T, name, played string) {
	t.Helper()
	file := "../../../docs/examples/" + name + ".md"
	if *update {
		if err := os.WriteFile(file, []byte(played), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), played); err != nil || diff != "" {
		t.Errorf("%v: %s is another story (-update writes it): %s", err, file, diff)
	}
}

// TestLost says what is not understood, again and again: it is never answered with the same words twice in a row, and every other
// answer says what is still to be done. What is understood in between begins anew; again means what was said last.
func TestLost(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("mystery")
	for _, test := range [][2]string{
		{"recite a poem about the sea", "Say, for example"}, {"juggle nine knives in the dark", "Find the stolen glass"},
		{"recite a poem about the sea", "Say, for example"}, {"north", "You go to The Back Hall"}, {"juggle nine knives in the dark", "Say, for example"},
		{"south", "The Taproom — "}, {"north", "The Back Hall — "}, {"again", "No way leads there"}, {"go to the kitchen", "by way of The Taproom"},
		{"go back", "The Taproom — "}, {"hint", "Not seen yet: The Parlour"},
		{"go to the gallery", "way of The Back Hall"}, {"go back", "The Back Hall — "},
	} {
		if got := h.say(test[0]); !strings.Contains(got.reply.Text, test[1]) || len(got.choices) == 0 {
			t.Errorf("%q: %s", test[0], got.reply.Text)
		}
	}
}

// After several steps at once back is where the last of them came from.
func TestBackAfterSteps(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	h.say("go to the orchard")
	if got := h.say("go to the green").reply.Text; !strings.Contains(got, "by way of The Singing Kettle") {
		t.Fatal(got)
	}
	if h.say("go back"); h.place("pc_001") != "area_teahouse" {
		t.Errorf("back leads to %s", h.place("pc_001"))
	}
}
