package author_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"hob/internal/game/author"
	"hob/internal/game/proof"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
)

func order(lang, size string) author.Order {
	return author.Order{ID: "keeper", Lang: lang, Size: size, Premise: "a lighthouse keeper's divorce"}
}

func silent(string, int, string) {}

// Whatever a model answers, a tale is proven, or it is refused with the part that failed, and no part is asked for more than three
// times. 500 seeds with HOB_TEST_FULL, else 45.
func TestDrafts(t *testing.T) {
	seeds := 45
	if os.Getenv("HOB_TEST_FULL") != "" {
		seeds = 500
	}
	prove := proof.NewProver()
	longest := 0
	made, refused, proven, questions := map[string]int{}, map[string]int{}, 0, map[int]int{}
	for seed := range seeds {
		lang, size := rules.Langs()[seed%3], author.Sizes()[seed/3%3]
		d := newDrafter(uint64(seed), lang)
		o := order(lang, size)
		o.Premise = fmt.Sprint("a tale of seed ", seed)
		files, asked, err := author.Write(t.Context(), o, func(ctx context.Context, q author.Question) (string, string, error) {
			longest = max(longest, utf8.RuneCountInString(q.System+q.Text+string(q.Schema)))
			return d.ask(ctx, q)
		}, prove, silent)
		for _, a := range asked {
			if questions[a.Questions]++; a.Questions < 1 || a.Questions > author.MostQuestions {
				t.Errorf("seed %d: %d questions for %s", seed, a.Questions, a.Part)
			}
		}
		for f, n := range d.made {
			made[string(f)] += n
		}
		refusal := (*author.Refusal)(nil)
		switch {
		case errors.As(err, &refusal):
			if last := asked[len(asked)-1]; refusal.Part != last.Part || last.Questions != author.MostQuestions || files != nil || refusal.Problem == "" {
				t.Errorf("seed %d: %v after %v", seed, err, asked)
			}
			part, _, _ := strings.Cut(refusal.Part, " ")
			refused[part]++
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
		default:
			proven++
			tale := tales.FromFiles(o.ID, files).WithProver(prove)
			for _, p := range tale.Problems() {
				t.Errorf("seed %d: %v\n%s", seed, p, files)
			}
			for other, b := range banks() {
				for _, sentence := range b.sentences {
					if other != lang && strings.Contains(files[1].Text, sentence) {
						t.Errorf("seed %d has words that are not in %s: %s", seed, lang, sentence)
					}
				}
			}
			if tale.Written() == nil {
				t.Errorf("seed %d does not say that a model wrote it", seed)
			}
		}
		keep(t, seed, files, err)
	}
	if longest > mostAsked {
		t.Errorf("a question has %d characters: a small context holds no more than %d besides the answer", longest, mostAsked)
	}
	t.Logf("figure: the longest question has %d characters", longest)
	t.Logf("figure: %d of %d proven, refused by part %v, parts by questions %v, faults made %v", proven, seeds, refused, questions, made)
	for _, f := range faults() {
		if made[string(f)] == 0 {
			t.Errorf("no draft has %s", f)
		}
	}
	if proven == 0 || len(refused) < 3 {
		t.Errorf("%d are proven, and these parts were refused: %v", proven, refused)
	}
}

// mostAsked is how many characters a question may have: at worst a token each, which is what a context of 8,192 has besides an answer.
const mostAsked = 5000

// keep writes what came of a seed where a person can read it, in the folder that HOB_TEST_TALES names.
func keep(t *testing.T, seed int, files []tales.File, err error) {
	dir := os.Getenv("HOB_TEST_TALES")
	if dir == "" {
		return
	}
	text := fmt.Sprintln(err)
	for _, f := range files {
		text += "\n--- " + f.Name + "\n" + f.Text
	}
	if err := os.WriteFile(fmt.Sprintf("%s/%03d.txt", dir, seed), []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

// An asker that fails ends the writing with its error.
func TestAskerFails(t *testing.T) {
	broken := errors.New("nothing answers")
	_, asked, err := author.Write(t.Context(), order("en", "short"), func(context.Context, author.Question) (string, string, error) { return "", "", broken }, nil, silent)
	if !errors.Is(err, broken) || len(asked) != 1 {
		t.Error(err, asked)
	}
}

// German has the letters of English, and is another language all the same. English words that are none of the common ones are no proof.
func TestLanguagesOfAScript(t *testing.T) {
	frame := func(text string) author.Asker {
		return func(_ context.Context, q author.Question) (string, string, error) {
			var form struct{ Required []string }
			if err := json.Unmarshal(q.Schema, &form); err != nil || form.Required[0] != "title" {
				return "", "", io.EOF // the frame was taken
			}
			fields := map[string]string{}
			for _, name := range form.Required {
				fields[name] = text
			}
			raw, err := json.Marshal(fields)
			return string(raw), "fake:1b", err
		}
	}
	for text, want := range map[string]string{
		"Der Wind kommt vom Meer":  "the model failed at its story in 3 questions: its texts are not in English",
		"Le vent vient de la mer":  "its texts are not in English",
		"Wind comes from the sea":  "write the tale's places: EOF",
		"Ветер приходит с моря":    "title is not in English",
		"Größe über Öl für Äpfel":  "title is not in English",
		"Storm, rain, and thunder": "write the tale's places: EOF",
	} {
		if _, _, err := author.Write(t.Context(), order("en", "short"), frame(text), nil, silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
