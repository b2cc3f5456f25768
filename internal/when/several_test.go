package when_test

import (
	"os"
	"strings"
	"testing"

	"hob/internal/when"
)

// What was written as one thing is one: each phrase of testdata, and each of the differential run.
func TestReadAll_OneThing(t *testing.T) {
	now := parseNow(t, "2026-06-10 09:00 America/New_York")
	texts := map[string][]string{}
	for _, file := range []string{"phrases", "fresh"} {
		for _, p := range phrases(t, file) {
			texts[p.lang] = append(texts[p.lang], p.text)
		}
	}
	generated, err := os.ReadFile("testdata/differential/phrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(generated)) {
		lang, rest, _ := strings.Cut(line, "\t")
		text, _, _ := strings.Cut(rest, "\t")
		texts[lang] = append(texts[lang], text)
	}
	n := 0
	for lang, all := range texts {
		for _, text := range all {
			n++
			one, failed := when.Read(text, lang, now)
			got, err := when.ReadAll(text, lang, now)
			if len(got) != 1 || summary(got[0], err) != summary(one, failed) {
				t.Errorf("%s is read as %s, want %s", text, summaries(got, err), summary(one, failed))
			}
		}
	}
	if n < 3400 {
		t.Errorf("only %d texts", n)
	}
}

// Two things with a time each before their words are two, whatever the times are: each is read as it is alone.
func TestReadAll_Two(t *testing.T) {
	now := parseNow(t, "2026-11-24 10:20 Europe/Berlin")
	for lang, words := range map[string]struct {
		times  []string
		things [2]string
		and    []string
	}{
		"en": {[]string{"in 20 minutes", "in an hour", "tomorrow at 18:00", "on Friday", "every day at 8:00", "in 2 days", "at the end of the month", "tonight", "on 3 December at noon"},
			[2]string{"check the oven", "turn it off"}, []string{" and ", " and then ", ", and "}},
		"de": {[]string{"in 20 Minuten", "in einer Stunde", "morgen um 18:00 Uhr", "am Freitag", "jeden Tag um 8:00 Uhr", "heute Abend"},
			[2]string{"nach dem Ofen sehen", "Ofen ausschalten"}, []string{" und ", " und dann ", ", und "}},
		"ru": {[]string{"через 20 минут", "через час", "завтра в 18:00", "в пятницу", "каждый день в 8:00", "сегодня вечером"},
			[2]string{"проверить духовку", "выключить её"}, []string{" и ", ", а ", ", а потом "}},
		"zh": {[]string{"20分钟后", "一个小时后", "明天下午六点", "周五", "每天早上八点", "今晚"},
			[2]string{"看烤箱", "关掉它"}, []string{"，然后", "，再", "，并且"}},
	} {
		for _, first := range words.times {
			for _, second := range words.times {
				gap := " "
				if lang == "zh" {
					gap = ""
				}
				for _, and := range words.and {
					a, b := first+gap+words.things[0], second+gap+words.things[1]
					want := summary(when.Read(a, lang, now)) + " + " + summary(when.Read(b, lang, now))
					repeats := strings.HasPrefix(first, "every") || strings.HasPrefix(first, "jeden") || strings.HasPrefix(first, "кажд") || strings.HasPrefix(first, "每")
					got := summaries(when.ReadAll(a+and+b, lang, now))
					if got != want && !(repeats && got == "there are several times") {
						t.Errorf("%s\n got %s\nwant %s", a+and+b, got, want)
					}
				}
			}
		}
	}
}

// A text of many is not cut off: it asks.
func TestReadAll_TooMany(t *testing.T) {
	text := strings.TrimSuffix(strings.Repeat("in 5 minutes tea and ", 11), " and ")
	if got := summaries(when.ReadAll(text, "en", parseNow(t, "2026-11-24 10:20 Europe/Berlin"))); got != "there are several times" {
		t.Errorf("%s", got)
	}
}
