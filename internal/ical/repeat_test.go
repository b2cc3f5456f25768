package ical_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hob/internal/ical"
)

// between lists the local times of a calendar's occurrences.
func between(c ical.Calendar, from, to time.Time, layout string) string {
	found, cut := c.Between(from, to)
	var list []string
	for _, o := range found {
		list = append(list, o.Start.In(from.Location()).Format(layout))
	}
	if cut {
		list = append(list, "cut")
	}
	return strings.Join(list, " ")
}

// Repeated events are at the times that the clocks of their zone show, around each change of them.
func TestBetween(t *testing.T) {
	const days = "01-02" // of 2026
	for _, c := range []struct{ name, event, from, to, layout, want string }{
		{"weekly, at a time that is skipped", "DTSTART;TZID=Europe/Berlin:20260322T023000\nRRULE:FREQ=WEEKLY", "2026-03-20", "2026-04-06", "01-02T15:04-07",
			"03-22T02:30+01 03-29T03:30+02 04-05T02:30+02"},
		{"weekly, at a time that comes twice", "DTSTART;TZID=Europe/Berlin:20261018T023000\nRRULE:FREQ=WEEKLY", "2026-10-18", "2026-11-02", "01-02T15:04-07",
			"10-18T02:30+02 10-25T02:30+02 11-01T02:30+01"},
		{"the same hour all year", "DTSTART;TZID=Europe/Berlin:20200101T080000\nRRULE:FREQ=DAILY", "2026-03-28", "2026-03-31", "01-02T15:04-07",
			"03-28T08:00+01 03-29T08:00+02 03-30T08:00+02"},
		{"in UTC", "DTSTART:20200101T080000Z\nRRULE:FREQ=DAILY", "2026-03-28", "2026-03-31", "01-02T15:04-07", "03-28T09:00+01 03-29T10:00+02 03-30T10:00+02"},
		{"every eight hours are eight hours", "DTSTART;TZID=Europe/Berlin:20260328T200000\nRRULE:FREQ=HOURLY;INTERVAL=8", "2026-03-28", "2026-03-30", "01-02T15:04-07",
			"03-28T20:00+01 03-29T05:00+02 03-29T13:00+02 03-29T21:00+02"},
		{"UNTIL in UTC", "DTSTART;TZID=Europe/Berlin:20261124T180000\nRRULE:FREQ=DAILY;UNTIL=20261126T170000Z", "2026-11-01", "2026-12-01", days, "11-24 11-25 11-26"},
		{"UNTIL in UTC, a second too early", "DTSTART;TZID=Europe/Berlin:20261124T180000\nRRULE:FREQ=DAILY;UNTIL=20261126T165959Z", "2026-11-01", "2026-12-01", days, "11-24 11-25"},
		{"UNTIL by the clock", "DTSTART;TZID=Europe/Berlin:20261124T180000\nRRULE:FREQ=DAILY;UNTIL=20261126T180000", "2026-11-01", "2026-12-01", days, "11-24 11-25 11-26"},
		{"UNTIL a day", "DTSTART;TZID=Europe/Berlin:20261124T180000\nRRULE:FREQ=DAILY;UNTIL=20261126", "2026-11-01", "2026-12-01", days, "11-24 11-25 11-26"},
		{"UNTIL of days in UTC", "DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;UNTIL=20261125T230000Z", "2026-11-01", "2026-12-01", days, "11-24 11-25 11-26"},
		{"COUNT", "DTSTART:20261124T100000Z\nRRULE:FREQ=DAILY;COUNT=3", "2026-11-25", "2026-12-01", days, "11-25 11-26"},
		{"COUNT long over", "DTSTART:20200101T100000Z\nRRULE:FREQ=DAILY;COUNT=3", "2026-11-25", "2026-12-01", days, ""},
		{"BYSETPOS, the last workday", "DTSTART;TZID=Europe/Berlin:20260130T160000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-10-01", "2026-12-31", days, "10-30 11-30"},
		{"the 31st", "DTSTART;VALUE=DATE:20260131\nRRULE:FREQ=MONTHLY", "2026-01-01", "2026-06-01", days, "01-31 03-31 05-31"},
		{"29 February", "DTSTART;VALUE=DATE:19840229\nRRULE:FREQ=YEARLY", "2026-01-01", "2029-01-01", "2006-01-02", "2028-02-29"},
		{"a week by its number", "DTSTART;VALUE=DATE:20250514\nRRULE:FREQ=YEARLY;BYWEEKNO=20", "2026-01-01", "2027-01-01", days, "05-13"},
		{"two rules and a date twice", "DTSTART:20261124T100000Z\nRRULE:FREQ=WEEKLY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=2\nRDATE:20261125T100000Z,20261130T100000Z", "2026-11-01", "2027-01-01", days, "11-24 11-25 11-30 12-01"},
		{"EXDATE, a day of a timed event", "DTSTART;TZID=Europe/Berlin:20261124T003000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE;VALUE=DATE:20261125", "2026-11-01", "2026-12-01", days, "11-24 11-26 11-27"},
		{"EXDATE, in UTC", "DTSTART;TZID=Europe/Berlin:20261124T003000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261124T233000Z", "2026-11-01", "2026-12-01", days, "11-24 11-26 11-27"},
		{"EXDATE, a time of an event of days", "DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261124T230000Z", "2026-11-01", "2026-12-01", days, "11-24 11-26 11-27"},
		{"EXDATE of the first", "DTSTART:20261124T100000Z\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20261124T100000Z", "2026-11-01", "2026-12-01", days, "11-25"},
		{"not ended yet", "DTSTART:20261120T100000Z\nDTEND:20261126T100000Z", "2026-11-24", "2026-11-25", days, "11-20"},
		{"ends as the day begins", "DTSTART;VALUE=DATE:20261123\nDTEND;VALUE=DATE:20261124", "2026-11-24", "2026-11-25", days, ""},
		{"begins as the day ends", "DTSTART;VALUE=DATE:20261125", "2026-11-24", "2026-11-25", days, ""},
		{"takes no time", "DTSTART;TZID=Europe/Berlin:20261124T000000", "2026-11-24", "2026-11-25", days, "11-24"},
		{"over midnight, repeated", "DTSTART;TZID=Europe/Berlin:20261101T220000\nDTEND;TZID=Europe/Berlin:20261102T060000\nRRULE:FREQ=DAILY", "2026-11-24", "2026-11-25", days, "11-23 11-24"},
		{"cancelled", "DTSTART:20261124T100000Z\nSTATUS:CANCELLED", "2026-11-01", "2026-12-01", days, ""},
		{"another zone than the reader's", "DTSTART;TZID=America/New_York:20261031T200000\nRRULE:FREQ=DAILY;COUNT=3", "2026-10-01", "2026-12-01", "01-02T15:04", "11-01T01:00 11-02T02:00 11-03T02:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			berlin := location(t, "Europe/Berlin")
			cal, problems := parse(t, calendar(c.event))
			from, _ := time.ParseInLocation(time.DateOnly, c.from, berlin)
			to, _ := time.ParseInLocation(time.DateOnly, c.to, berlin)
			if got := between(cal, from, to, c.layout); got != c.want || len(problems) > 0 {
				t.Errorf("problems %v\ngot  %s\nwant %s", problems, got, c.want)
			}
		})
	}
}

// An occurrence that was changed is not where the rule has it.
func TestBetween_Changed(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, berlin)
	rule := "UID:a\nDTSTART;TZID=Europe/Berlin:20261102T100000\nRRULE:FREQ=WEEKLY;COUNT=4\n"
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{"moved", []string{rule, "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261109T100000\nDTSTART;TZID=Europe/Berlin:20261110T110000"}, "02T10 10T11 16T10 23T10"},
		{"moved, before the event in the file", []string{"UID:a\nRECURRENCE-ID:20261109T090000Z\nDTSTART:20261110T100000Z", rule}, "02T10 10T11 16T10 23T10"},
		{"cancelled", []string{rule, "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261109T100000\nDTSTART;TZID=Europe/Berlin:20261109T100000\nSTATUS:CANCELLED"}, "02T10 16T10 23T10"},
		{"of another event", []string{rule, "UID:b\nRECURRENCE-ID;TZID=Europe/Berlin:20261109T100000\nDTSTART;TZID=Europe/Berlin:20261110T110000"}, "02T10 09T10 10T11 16T10 23T10"},
		{"made a whole day", []string{rule, "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261109T100000\nDTSTART;VALUE=DATE:20261110"}, "02T10 10T00 16T10 23T10"},
		{"and those after it", []string{rule, "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261109T100000\nDTSTART;TZID=Europe/Berlin:20261110T113000"}, "02T10 10T11 17T11 24T11"},
		{"those after it cancelled", []string{rule, "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261116T100000\nDTSTART;TZID=Europe/Berlin:20261116T100000\nSTATUS:CANCELLED"}, "02T10 09T10"},
		{"days", []string{"UID:a\nDTSTART;VALUE=DATE:20261102\nRRULE:FREQ=WEEKLY;COUNT=3", "UID:a\nRECURRENCE-ID;VALUE=DATE:20261109\nDTSTART;VALUE=DATE:20261110"}, "02T00 10T00 16T00"},
		{"a day got a time", []string{"UID:a\nDTSTART;VALUE=DATE:20261102\nRRULE:FREQ=WEEKLY;COUNT=3", "UID:a\nRECURRENCE-ID;VALUE=DATE:20261109\nDTSTART;TZID=Europe/Berlin:20261109T120000"}, "02T00 09T12 16T00"},
	} {
		cal, problems := parse(t, calendar(c.events...))
		if got := between(cal, from, from.AddDate(0, 1, 0), "02T15"); got != c.want || len(problems) > 0 {
			t.Errorf("%s: problems %v\ngot  %s\nwant %s", c.name, problems, got, c.want)
		}
	}
}

// A day that is left out by its midnight in a zone is that day, wherever it is read.
func TestBetween_DaysElsewhere(t *testing.T) {
	york := location(t, "America/New_York")
	c, _, err := ical.Parse(strings.NewReader(calendar("DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=Europe/Berlin:20261125T000000")), york)
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, york)
	if got, want := between(c, from, from.AddDate(0, 1, 0), "01-02"), "11-24 11-26"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Rules that go on for ever or never come end, hide no other event, and a cut is reported.
func TestBetween_Bombs(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	from := time.Date(2026, 11, 24, 0, 0, 0, 0, berlin)
	for _, c := range []struct {
		rule    string
		problem string
		times   int
		cut     bool
	}{
		{"FREQ=SECONDLY", "", 1000, true},
		{"FREQ=MINUTELY", "", 1000, true},
		{"FREQ=SECONDLY;COUNT=10", "", 0, false},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "", 0, false},
		{"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "", 0, false},
		{"FREQ=DAILY;INTERVAL=7;BYDAY=SU", "", 0, false},
		{"FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "takes an interval and an end alone", 0, false},
		{"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "takes an interval and an end alone", 0, false},
		{"FREQ=DAILY;COUNT=2000000000", "", 1, false},
		{"FREQ=DAILY;INTERVAL=2000000000", "the interval is", 0, false},
		{"FREQ=DAILY;INTERVAL=-1", "the interval is", 0, false},
		{"FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,10,20,30,40,50", "more than 48 times", 0, false},
		{"FREQ=DAILY;BYHOUR=25", "byhour", 0, false},
		{"FREQ=YEARLY;BYEASTER=1", "BYEASTER", 0, false},
		{"FREQ=YEARLY;BYMONTHDAY=1" + strings.Repeat(",1", 400), "more than 400", 0, false},
		{"BYDAY=MO", "FREQ", 0, false},
		{"FREQ=WEEKLY;BYDAY=", "BYDAY", 0, false},
	} {
		cal, problems := parse(t, calendar("DTSTART:20000101T110000Z\nSUMMARY:bomb\nRRULE:"+c.rule, "DTSTART:20261124T100000Z\nSUMMARY:dentist"))
		found, cut := cal.Between(from, from.AddDate(0, 0, 1))
		bombs, others := 0, 0
		for _, o := range found {
			if o.Event.Summary == "bomb" {
				bombs++
			} else {
				others++
			}
		}
		told := fmt.Sprint(problems)
		if bombs != c.times || others != 1 || cut != c.cut || (c.problem == "") != (len(problems) == 0) || !strings.Contains(told, c.problem) {
			t.Errorf("%.60s: %d times, %d others, cut %t, problems %s; want %d, 1, %t, %q", c.rule, bombs, others, cut, told, c.times, c.cut, c.problem)
		}
	}
	// Many of them share one bound, which is reported as well.
	cal, _ := parse(t, calendar(many("DTSTART:20000101T110000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 500)...))
	if found, cut := cal.Between(from, from.AddDate(0, 0, 1)); len(found) != 0 || !cut {
		t.Errorf("500 rules that never come: %d times, cut %t", len(found), cut)
	}
	cal, _ = parse(t, calendar(many("DTSTART:20000101T110000Z\nRRULE:FREQ=SECONDLY", 50)...))
	if found, cut := cal.Between(from, from.AddDate(0, 0, 1)); len(found) != ical.MaxOccurrences || !cut {
		t.Errorf("50 rules for each second: %d times, cut %t", len(found), cut)
	}
}

func many(event string, n int) (all []string) {
	for range n {
		all = append(all, event)
	}
	return all
}
