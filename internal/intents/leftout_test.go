package intents_test

import (
	"strings"
	"testing"

	"hob/internal/intents"
)

// Words that say nothing are left out where they stand outside of what a person fills in.
func TestRead_EmptyWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"which reminders are still open?":                           `reminders {}`,
		"what can you still undo":                                   `undo {"list":""}`,
		"Welche Listen gibt es eigentlich gerade?":                  `list_show {}`,
		"Welche Zeitzone ist derzeit eingestellt?":                  `zone {}`,
		"останови там фоновый процесс номер два":                    `process {"id":2,"stop":true}`,
		"мне ещё батарейки нужны, внеси их в список покупок":        `list_add {"list":"shopping","items":["батарейки"]}`,
		"请把我们所有的清单都给我看看":                                            `list_show {}`,
		"note that the reminders are really still open":             `note_add {"text":"the reminders are really still open"}`,
		"run the command ls -la now":                                ``, // it may be one of the command's
		"lösch alt.txt, es sei denn, Ana braucht sie noch":          ``,
		"schreib \"was ist noch\" auf die Einkaufsliste eigentlich": ``, // in quotes words are meant
	} {
		r := intents.Default().Read(text).At(midday)
		got := r.Call.Name + " " + string(r.Call.Args)
		if got == " " {
			got = ""
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// A guess leaves out what no sentence has room for, and says that it is none of the certain ones.
func TestGuess(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"take the mushrooms off the shopping list, Dan hates them":         `list_remove {"list":"shopping","items":["mushrooms"]}`,
		"When's my next reminder due?":                                     `reminders {"only":"next"}`,
		"Du kannst die Erinnerung an die Tabletten als erledigt markieren": `reminder {"about":"Tabletten","change":"done"}`,
		"welche Version von dir läuft hier":                                `version {}`,
		"Тот файл старое.txt удали поскорее":                               `delete_file {"path":"старое.txt"}`,
		"这周日大概还有没有约什么事情":                                                   `calendar {"from":"sunday","lang":"zh"}`,

		"turn the web tool off, Dan hates it": `tools {"disable":"fetch"}`,

		// A time and what is to be done then stand anywhere, a name stands in quotes, and the words around a name are told from it.
		"I never remember to lock the back door, so how about a reminder every evening at nine?": `remind {"at":"2026-11-25T21:00:00Z","repeat":"FREQ=DAILY","text":"lock the back door","lang":"en"}`,
		"Завтра мне рано выезжать, разбудишь без четверти шесть утра?":                           `remind {"at":"2026-11-26T05:45:00Z","text":"⏰","lang":"ru"}`,
		"В каком из моих файлов внутри встречается слово «гарантия»?":                            `search_files {"pattern":"гарантия"}`,
		"草稿.txt 这名字不合适了，改叫 定稿.txt 吧":                                                             `move_file {"path":"草稿.txt","to":"定稿.txt"}`,

		"just in case add milk to the shopping list":             ``,
		"es sei denn ben kommt setz milch auf die einkaufsliste": ``,
		"no, take nothing off the shopping list, Dan hates them": ``, // the meaning turns on it
		"если спросят, удали файл старое.txt":                    ``,
		"Учительница говорит детям: запишите домашнее задание":   ``,
		"cancel the reminder about Ben's dentist at nine":        ``, // which one is not left out
		"in quotes \"show my next reminder\" please":             ``,
		"Super, vielen Dank dir!":                                ``,
		"what's the time like in Paris":                          ``, // nor is a city, a list or a day
		"note “call Ben”: he asked twice":                        ``, // nor other words in quotes
		"write log.txt one":                                      ``,
		"/etc/fstab is broken":                                   ``,
		"flip the pancake":                                       ``,
		"my dog ate the shopping list":                           ``,
	} {
		r := intents.Default().Guess(text)
		got := r.At(midday).Call.Name + " " + string(r.At(midday).Call.Args)
		if got == " " {
			got = ""
		}
		if got != want {
			t.Errorf("the guess at %q is %q, want %q", text, got, want)
		}
		for _, lang := range []string{"en", "de", "ru", "zh"} {
			if got != "" && r.In(lang).Score >= 1 {
				t.Errorf("the guess at %q is certain in %s", text, lang)
			}
		}
	}
}

// Of sentences by strangers from which nothing was learned, a guess finds what most of them mean, and takes little talk for a chore.
func TestGuess_Fresh(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]struct{ right, wrong, taken int }{
		"fresh_2811": {11, 3, 2},
		"fresh_2911": {60, 8, 3}, // what people say around a chore, and talk
	} {
		count := map[string]int{}
		for _, s := range corpus(t, "testdata/guess/"+file+".jsonl") {
			r := intents.Default().Read(s.Text).At(midday)
			if r.Kind == "" {
				r = intents.Default().Guess(s.Text).At(midday)
			}
			how := outcome(t, s, r)
			if r.Acts && how == "asked" {
				how = "right" // it asks: that is as it should be
			}
			if s.Intent == "" && r.Kind != "" {
				how = "taken"
			}
			if count[how]++; how != "none" {
				t.Logf("%s: %q is taken for %s %s", how, s.Text, r.Kind, r.Call.Args)
			}
		}
		if t.Log(file, count); count["right"] < least.right || count["wrong"] > least.wrong || count["taken"] > least.taken {
			t.Errorf("%s: %+v shall be, got %v", file, least, count)
		}
	}
}

// Whatever is guessed at, it ends, and soon.
func TestGuess_OddText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "?", "❤️", "\xff\xfe", "; .", ", , ,", "\u200d", strings.Repeat("的", 5000), strings.Repeat("a ", 20000), strings.Repeat("x", 100000),
		"ß 3 👩\u200d👩\u200d👧 tomorrow Einkaufsliste \xff Einkaufsliste ; . last list Milch add", "put ; . on the shopping list", "note : ; .", "remind me ; . tomorrow",
	} {
		intents.Default().Guess(text)
		intents.Default().Suggest("en", text)
	}
}
