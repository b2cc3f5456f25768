package narration_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hob/internal/classify"
	"hob/internal/game/account"
	"hob/internal/game/narration"
)

var update = flag.Bool("update", false, "learn anew, and write learned.bin")

// notLearned is the set that the classifier does not learn from: what new narrations come to is read off it.
const notLearned = "seventeenth"

// tellsOf returns the classifier's kind for a kind of lie, or for what a labelled sentence tells of.
func tellsOf(kind string) string {
	switch strings.TrimSuffix(kind, "!") {
	case "moved", "move", "go", "come":
		return "moved"
	case "hands", "item", "take", "give", "pass":
		return "hands"
	case "hurt", "hp", "harm", "harm_other", "heal":
		return "hurt"
	case "died", "death", "die":
		return "died"
	case "opened", "door", "open", "shut":
		return "opened"
	case "absent", "person", "newcomer":
		return "absent"
	case "none":
		return classify.None
	}
	return ""
}

// learned returns what the classifier learns from: of true narrations that each sentence tells of nothing, or of what happened; of false ones that one of
// their sentences tells of what did not; and of sentences what somebody has said that they tell of. Some sets it does without.
func learned(t *testing.T, lang string, without ...string) (all []classify.Example) {
	var turns []account.Turn
	tell := func(turn account.Turn, text string, kinds ...string) {
		for _, sentence := range narration.Sentences(turn, text) {
			all = append(all, classify.Example{Texts: [][]classify.Token{sentence}, Kinds: kinds})
		}
	}
	eachNarration(t, lang, func(set string, turn account.Turn, kind, text string) {
		if slices.Contains(without, set) {
			return
		}
		turns = append(turns, turn)
		happened := narration.Happened(turn)
		lie := tellsOf(kind)
		switch sentences := narration.Sentences(turn, text); {
		case kind == "true":
			tell(turn, text, append(happened, classify.None)...)
		case lie != "" && !slices.Contains(happened, lie) && len(sentences) > 0:
			all = append(all, classify.Example{Texts: sentences, Kinds: []string{lie}})
		}
	})
	n := 0
	for _, line := range labelledLines(t, "testdata/told_"+lang+".txt", "|") {
		for text := ""; text == ""; n++ {
			turn := turns[n*7%len(turns)]
			if text = named(turn, line[1], n); text != "" {
				tell(turn, text, tellsOf(line[0]))
			}
		}
	}
	return all
}

// labelledLines returns the lines of a file that a mark cuts into two.
func labelledLines(t *testing.T, file, mark string) (all [][2]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if label, text, ok := strings.Cut(strings.TrimSpace(line), mark); ok {
			all = append(all, [2]string{label, text})
		}
	}
	return all
}

// named returns a sentence with names of a turn for {person}, {absent}, {thing} and {place}; "" where the turn has too few. n says which.
func named(turn account.Turn, text string, n int) string {
	d, names := turn.Digest(), map[string][]string{}
	for _, a := range turn.After.Actors() {
		kind := "absent"
		if d.Seen[a.ID] {
			kind = "person"
		}
		if a.ID != d.HeroID() {
			names[kind] = append(names[kind], a.Name)
		}
	}
	for _, o := range turn.After.Things() {
		if d.Seen[o.ID] {
			names["thing"] = append(names["thing"], o.Name)
		}
	}
	for _, p := range turn.After.Places() {
		names["place"] = append(names["place"], p.Name)
	}
	for kind, list := range names {
		for i := range min(3, len(list)) {
			mark := "{" + kind + strings.TrimSuffix(fmt.Sprint(i+1), "1") + "}"
			text = strings.ReplaceAll(text, mark, list[(n+i)%len(list)])
		}
	}
	if strings.ContainsAny(text, "{}") {
		return ""
	}
	return text
}

// TestLearned checks that learned.bin was made of the examples as they are, and with -update makes it.
func TestLearned(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.txt", "testdata/labelled/*.txt", "claims/*.txt"} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	sum := sha256.New()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(file, notLearned) {
			sum.Write(data)
		}
	}
	const of, file = "testdata/learned.sum", "learned.bin"
	sumWith := func(model []byte) string { return fmt.Sprintf("%x\n", sha256.Sum256(append(sum.Sum(nil), model...))) }
	if !*update {
		model, err := os.ReadFile(file)
		if got, errOf := os.ReadFile(of); err != nil || errOf != nil || string(got) != sumWith(model) {
			t.Errorf("learned.bin is of other examples: go test ./internal/game/narration -run TestLearned -update")
		}
		return
	}
	models := map[string]string{}
	for _, lang := range []string{"en", "ru", "zh"} {
		models[lang] = classify.Train(learned(t, lang, notLearned), classify.Words, 0.1)
		t.Logf("%s: %d bytes", lang, len(models[lang]))
	}
	model := []byte(classify.Pack(models))
	if err := os.WriteFile(file, model, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(of, []byte(sumWith(model)), 0o644); err != nil {
		t.Fatal(err)
	}
}
