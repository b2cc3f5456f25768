package when_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hob/internal/when"
)

// FuzzRead: no text does harm, and what is read is described so that it is read again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"remind me to call \"Ana\"\ntomorrow at 5", "every! 8 hours", "half an hour later", "am 31.12.2026 um 24:00 Uhr", "через 2 с половиной часа",
		"每周一三五早上八点", "in 99999999999 years", "\xff\xfe at 5", "at 1:60", "every 0 days", "every day until 1 Jan 2020", "-1 hours before sunset", "",
		strings.Repeat("tomorrow at 5 ", 700), strings.Repeat("from Monday ", 700), strings.Repeat("except Monday ", 700), strings.Repeat("周一和", 700),
	} {
		for _, lang := range []string{"", "en", "de", "ru", "zh"} {
			f.Add(text, lang)
		}
	}
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	now := time.Date(2026, 11, 24, 10, 20, 0, 0, loc)
	f.Fuzz(func(t *testing.T, text, lang string) {
		r, err := when.Read(text, lang, now)
		if err != nil {
			var unclear *when.Unclear
			if !errors.As(err, &unclear) || unclear.Question == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if !r.Start.After(now) && r.Sun == "" {
			t.Fatalf("%q is past: %v", text, r.Start)
		}
		for _, in := range []string{"en", "de", "ru", "zh"} {
			readAgain(t, text, r, in, now)
		}
		if _, err := when.Adjust(text, lang, when.Reading{Start: now.Add(time.Hour)}, now); err != nil && !errors.As(err, new(*when.Unclear)) {
			t.Fatal(err)
		}
	})
}

// FuzzReadAnchor: no text does harm, the event stands in it, and the time is counted from any event.
func FuzzReadAnchor(f *testing.F) {
	for _, text := range []string{
		"an hour before the dentist", "am Tag vor Mamas Geburtstag", "за час до начала собрания", "家长会开始前半小时", "when choir starts", "когда начнётся", "开始时",
		"an hour before \xff", "an hour before the", "a day before (x)", "100000 years before x", "前前前一小时", "wenn anfängt", "at the start of",
		strings.Repeat("an hour before ", 300), strings.Repeat("前一小时", 300),
	} {
		for _, lang := range []string{"", "en", "de", "ru", "zh"} {
			f.Add(text, lang)
		}
	}
	at := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text, lang string) {
		a, ok := when.ReadAnchor(text, lang)
		if !ok {
			return
		}
		if a.Event == "" || !strings.Contains(text, a.Event) || a.WithEvent(a.Event) != text {
			t.Fatalf("%q is of %q: %q", text, a.Event, a.WithEvent(a.Event))
		}
		a.At(at, at.AddDate(0, 0, 1), true)
		for short := range a.Shorter() {
			if !strings.HasPrefix(a.Event, short.Event) || short.Event == "" {
				t.Fatalf("%q is shorter than %q", short.Event, a.Event)
			}
		}
	})
}
