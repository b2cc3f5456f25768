package gamemaster_test

import (
	"cmp"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// mostAlike is how often an evening may have the same sentence of the engine.
const mostAlike = 5

// TestEvening plays an evening of some 150 commands with each tale in each language; those of the cosy one were typed before the parser
// knew what they ask for. Hardly anything is not understood, and no sentence of the engine's comes more than five times, whoever and
// whatever it names.
func TestEvening(t *testing.T) {
	for _, tale := range tales.All() {
		for _, lang := range rules.Langs() {
			t.Run(tale.ID+" "+lang, func(t *testing.T) { playEvening(t, tale.ID, lang) })
		}
	}
}

func playEvening(t *testing.T, tale, lang string) {
	{
		data, err := os.ReadFile("testdata/evening/" + tale + "." + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		h := newHouse(t, plan{noModel: true})
		h.began(tale + " " + lang)
		authored := withoutAuthor(h.log(tale).World())
		lost, commands, alike := 0, 0, map[string]int{}
		for words := range strings.Lines(string(data)) {
			commands++
			got := h.say(strings.TrimSpace(words)).reply.Text
			for _, text := range []string{
				"cannot make that out", "beyond me", "over my head", "plain commands alone", "Без рассказчика", "мне непонятно", "сказано рассказчику", "Таких слов",
				"听不懂", "讲给讲述者", "只懂简单",
			} {
				if strings.Contains(got, text) {
					lost++
					t.Logf("%s: %s", lang, words)
				}
			}
			for _, s := range engineSentences(authored, got) {
				alike[s]++
			}
		}
		for _, s := range slices.SortedFunc(maps.Keys(alike), func(a, b string) int { return cmp.Or(alike[b]-alike[a], strings.Compare(a, b)) }) {
			if alike[s] > mostAlike {
				t.Errorf("%s: %d times: %s", lang, alike[s], s)
			}
		}
		if lost > 2 || commands < 140 {
			t.Errorf("%s: of %d lines %d are not understood", lang, commands, lost)
		}
	}
}

// withoutAuthor returns what takes out of a text all that an author has written, and puts … for names.
func withoutAuthor(w *world.World) *strings.Replacer {
	var authored, names []string
	for _, p := range w.Places() {
		authored, names = append(authored, p.Desc, p.Situation), append(names, p.Name)
	}
	for _, a := range w.Actors() {
		authored, names = append(authored, a.Desc), append(names, a.Name)
		for _, t := range a.Talk {
			authored, names = append(authored, t.Text), append(names, t.Topic)
		}
	}
	for _, o := range w.Things() {
		authored, names = append(authored, o.Desc), append(names, o.Name)
	}
	for _, q := range w.Quests() {
		authored, names = append(authored, q.Ending), append(append(names, q.Title), q.Objectives...)
	}
	for _, c := range w.Clocks() {
		authored, names = append(authored, c.OnFull), append(names, c.Name)
	}
	for _, f := range w.Facts() {
		authored = append(authored, f.Text)
	}
	for _, b := range w.Beats() {
		authored = append(authored, b.Texts...)
	}
	// What a text mentions is answered with one of its sentences.
	for _, whole := range slices.Clone(authored) {
		authored = append(authored, sentence.FindAllString(whole, -1)...)
	}
	var pairs []string
	for _, cut := range []struct {
		of []string
		by string
	}{{authored, ""}, {append(names, w.Self().Title), "…"}} {
		slices.SortFunc(cut.of, func(a, b string) int { return len(b) - len(a) })
		for _, s := range cut.of {
			if s = strings.TrimSpace(s); len(s) > 2 {
				first, n := utf8.DecodeRuneInString(s)
				pairs = append(pairs, s, cut.by, string(unicode.ToUpper(first))+s[n:], cut.by)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// engineSentences returns the sentences of a text that are the engine's: without what an author has written, and with … for names and #
// for numbers. Lists and labels are no sentences.
func engineSentences(authored *strings.Replacer, text string) (list []string) {
	text = strings.NewReplacer(`\`, "", "  \n", "\n").Replace(text)
	if before, _, fenced := strings.Cut(text, "```"); fenced {
		text = before
	}
	text = digits.ReplaceAllString(authored.Replace(text), "#")
	for line := range strings.Lines(text) {
		for _, s := range sentence.FindAllString(strings.ReplaceAll(line, "…", "\x00"), -1) {
			if s = strings.TrimSpace(strings.ReplaceAll(s, "\x00", "…")); letters.MatchString(s) {
				list = append(list, s)
			}
		}
	}
	return list
}

var (
	sentence = regexp.MustCompile(`[^.!?。！？\n]+[.!?。！？]+[”»"）)]*`)
	digits   = regexp.MustCompile(`[0-9]+`)
	letters  = regexp.MustCompile(`\p{L}{2}`)
)
