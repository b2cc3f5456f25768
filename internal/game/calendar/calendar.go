// Package calendar counts the world's time in whole minutes. A moment is an int64: the minutes since 0001-01-01 00:00 of the
// proleptic Gregorian calendar, in which every day has 1,440 minutes; there are no zones and no leap seconds. The years 1 to
// 9999 exist.
//
// It reads no clock and no file: what it returns follows from its arguments alone.
package calendar

import (
	"fmt"
	"time"
)

const (
	minutesPerDay = 24 * 60
	lastYear      = 9999
)

// Last is the moment 9999-12-31 23:59, after which the calendar ends: that many days have passed.
const Last int64 = 3_652_059*minutesPerDay - 1

// Date is a moment as people write it: a month of 1 to 12, a day of 1 to 31, an hour of 0 to 23, a minute of 0 to 59.
type Date struct {
	Year, Month, Day, Hour, Minute int
}

// FromMinutes returns the date of a moment.
func FromMinutes(moment int64) (Date, error) {
	if moment < 0 || moment > Last {
		return Date{}, fmt.Errorf("the calendar holds the years 1 to %d: choose a moment within them", lastYear)
	}
	t := time.Unix(Date{Year: 1, Month: 1, Day: 1}.time().Unix()+60*moment, 0).UTC()
	return Date{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute()}, nil
}

// time returns d as a time of the standard library, whose calendar is the same.
func (d Date) time() time.Time {
	return time.Date(d.Year, time.Month(d.Month), d.Day, d.Hour, d.Minute, 0, 0, time.UTC)
}

// Minutes returns the moment of a date that passes [Date.Check].
func (d Date) Minutes() (int64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return (d.time().Unix() - Date{Year: 1, Month: 1, Day: 1}.time().Unix()) / 60, nil
}

// Check returns an error where d is not a date of the calendar.
func (d Date) Check() error {
	switch {
	case d.Year < 1 || d.Year > lastYear:
		return fmt.Errorf("the year %d is not in the calendar: use 1 to %d", d.Year, lastYear)
	case d.Month < 1 || d.Month > 12:
		return fmt.Errorf("there is no month %d: use 1 to 12", d.Month)
	case d.Day < 1 || d.Day > daysInMonth(d.Year, d.Month):
		return fmt.Errorf("month %d of the year %d has no day %d: use 1 to %d",
			d.Month, d.Year, d.Day, daysInMonth(d.Year, d.Month))
	case d.Hour < 0 || d.Hour > 23:
		return fmt.Errorf("there is no hour %d: use 0 to 23", d.Hour)
	case d.Minute < 0 || d.Minute > 59:
		return fmt.Errorf("there is no minute %d: use 0 to 59", d.Minute)
	}
	return nil
}

// String returns d as 1024-03-14 09:30.
func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d", d.Year, d.Month, d.Day, d.Hour, d.Minute)
}

// daysInMonth returns 28 to 31. The month is 1 to 12.
func daysInMonth(year, month int) int { return Date{Year: year, Month: month + 1}.time().Day() }

// The parts of a day. The words are stable: they stand in logs and in what tools return.
const (
	Night     = "night"     // 21:00 to 04:59
	Dawn      = "dawn"      // 05:00 to 06:59
	Morning   = "morning"   // 07:00 to 10:59
	Noon      = "noon"      // 11:00 to 13:59
	Afternoon = "afternoon" // 14:00 to 17:59
	Evening   = "evening"   // 18:00 to 20:59
)

// Daypart returns the word for the part of the day at that many minutes after the midnight of any day, so a moment does as
// well as the minutes since the story began at 00:00.
func Daypart(minutes int64) string {
	minute := minutes % minutesPerDay
	if minute < 0 {
		minute += minutesPerDay
	}
	switch hour := minute / 60; {
	case hour < 5 || hour >= 21:
		return Night
	case hour < 7:
		return Dawn
	case hour < 11:
		return Morning
	case hour < 14:
		return Noon
	case hour < 18:
		return Afternoon
	}
	return Evening
}
