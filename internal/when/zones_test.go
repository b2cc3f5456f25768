package when_test

import (
	"testing"
	"time"

	"hob/internal/when"
)

// zoneNames are zones whose clocks change at other hours, by other amounts, and one that has no change any more.
func zoneNames() []string {
	return []string{"Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "America/Santiago"}
}

// changes lists the clock changes of a zone in a year and a half; for one without, a day of the spring.
func changes(loc *time.Location) []time.Time {
	var all []time.Time
	end := time.Date(2027, 7, 1, 0, 0, 0, 0, time.UTC)
	for t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); t.Before(end); {
		_, next := t.In(loc).ZoneBounds()
		if next.IsZero() || !next.Before(end) {
			break
		}
		all = append(all, next)
		t = next
	}
	if len(all) == 0 {
		all = append(all, time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC))
	}
	return all
}

// eachChange runs a test for each zone and each of its clock changes.
func eachChange(t *testing.T, test func(t *testing.T, change time.Time, loc *time.Location)) {
	t.Helper()
	for _, name := range zoneNames() {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes(loc) {
			t.Run(name+" "+change.In(loc).Format(time.DateOnly), func(t *testing.T) { test(t, change, loc) })
		}
	}
}

// TestConfirmationAroundClockChanges: each quarter of an hour around a clock change is described so that it is read as the
// same instant, also the one that exists twice, and rules that begin there.
func TestConfirmationAroundClockChanges(t *testing.T) {
	eachChange(t, func(t *testing.T, change time.Time, loc *time.Location) {
		now := change.Add(-30 * time.Hour).In(loc)
		languages := []string{"en", "de", "ru", "zh"}
		for i := -48; i < 48; i++ {
			at := change.Add(time.Duration(i) * 15 * time.Minute).In(loc)
			for k, r := range []when.Reading{{Start: at}, {Start: at, Repeat: "FREQ=HOURLY;INTERVAL=2"}, {Start: at, AfterDone: 8 * time.Hour}} {
				readAgain(t, at.String(), r, languages[(i+k+48)%4], now)
			}
		}
	})
}

// TestSaidAroundClockChanges: texts that are said around a clock change are read, and their confirmation is read as the
// same instant and rule.
func TestSaidAroundClockChanges(t *testing.T) {
	texts := map[string][]string{
		"en": {"in 1 hour", "in 90 minutes", "in 24 hours", "in 2 days", "tomorrow at 2:30", "at 1:45 am", "tomorrow at midnight", "every day at 02:30", "every Sunday at 01:15", "every 2 hours", "every! 8 hours", "every month on the 31st at 2", "tomorrow"},
		"de": {"in einer Stunde", "in 25 Stunden", "morgen um halb drei", "um Mitternacht", "jeden Tag um 2:30 Uhr", "sonntags um 2 Uhr", "übermorgen um 3"},
		"ru": {"через час", "через полтора часа", "завтра в полтретьего", "в полночь", "каждый день в 2:30", "по воскресеньям в 3 ночи", "послезавтра в 2 часа ночи"},
		"zh": {"一个小时后", "25小时后", "明天凌晨两点半", "每天凌晨2点半", "每周日凌晨三点", "今晚十二点", "后天两点"},
	}
	eachChange(t, func(t *testing.T, change time.Time, loc *time.Location) {
		for now := change.Add(-49 * time.Hour); now.Before(change.Add(3 * time.Hour)); now = now.Add(517 * time.Minute) {
			for lang, all := range texts {
				for _, text := range all {
					r, err := when.Read(text, lang, now.In(loc))
					if err != nil {
						t.Fatalf("%s at %v: %v", text, now.In(loc), err)
					}
					readAgain(t, text+" at "+now.In(loc).String(), r, lang, now.In(loc))
				}
			}
		}
	})
}

// TestClockChangesDecided: a time that does not exist is the first that does, and one that exists twice the first of them.
// Hours elapse, days are of the calendar.
func TestClockChangesDecided(t *testing.T) {
	for _, test := range []struct{ zone, now, text, want string }{
		{"Europe/Berlin", "2027-03-27 12:00", "tomorrow at 02:30", "2027-03-28T03:00:00+02:00"},
		{"Europe/Berlin", "2026-10-24 12:00", "tomorrow at 02:30", "2026-10-25T02:30:00+02:00"},
		{"Europe/Berlin", "2026-10-24 12:00", "in 24 hours", "2026-10-25T11:00:00+01:00"},
		{"Europe/Berlin", "2026-10-24 12:00", "in 1 day", "2026-10-25T12:00:00+01:00"},
		{"Europe/Berlin", "2026-10-24 12:00", "tomorrow at 02:30 (UTC+01:00)", "2026-10-25T02:30:00+01:00"},
		{"America/New_York", "2027-03-13 12:00", "tomorrow at 2:30am", "2027-03-14T03:00:00-04:00"},
		{"America/New_York", "2026-10-31 12:00", "tomorrow at 1:30am", "2026-11-01T01:30:00-04:00"},
		{"Australia/Lord_Howe", "2026-10-03 12:00", "tomorrow at 02:15", "2026-10-04T02:30:00+11:00"},
		{"Australia/Lord_Howe", "2027-04-03 12:00", "tomorrow at 01:45", "2027-04-04T01:45:00+11:00"},
		{"America/Santiago", "2026-09-05 12:00", "at midnight", "2026-09-06T01:00:00-03:00"},
		{"America/Santiago", "2027-04-03 12:00", "at 23:30", "2027-04-03T23:30:00-03:00"},
		{"Asia/Shanghai", "2027-03-27 12:00", "tomorrow at 02:30", "2027-03-28T02:30:00+08:00"},
	} {
		r, err := when.Read(test.text, "en", parseNow(t, test.now+" "+test.zone))
		if got := r.Start.Format(time.RFC3339); err != nil || got != test.want {
			t.Errorf("%s, %s: %q is %s %v, want %s", test.zone, test.now, test.text, got, err, test.want)
		}
	}
}
