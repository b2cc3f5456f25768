// Package calendar counts the world's time in whole minutes. A moment is an int64: the minutes since 0001-01-01 00:00 of the
// proleptic Gregorian calendar, in which every day has 1,440 minutes; there are no zones and no leap seconds. The years 1 to
// 9999 exist.
//
// It reads no clock and no file: what it returns follows from its arguments alone.
package calendar

import (
	"fmt"
	"strconv"
)

const (
	minutesPerDay = 24 * 60
	lastYear      = 9999
	daysIn400     = 146_097 // the calendar repeats itself after this many days
	daysIn100     = 36_524  // a century whose last year is no leap year
	daysIn4       = 1_461
)

// Last is the moment 9999-12-31 23:59, after which the calendar ends.
const Last int64 = (25*daysIn400-366)*minutesPerDay - 1

// Date is a moment as people write it: a month of 1 to 12, a day of 1 to 31, an hour of 0 to 23, a minute of 0 to 59.
type Date struct {
	Year, Month, Day, Hour, Minute int
}

// FromMinutes returns the date of a moment.
func FromMinutes(moment int64) (Date, error) {
	if moment < 0 || moment > Last {
		return Date{}, fmt.Errorf("the calendar holds the years 1 to %d: choose a moment within them", lastYear)
	}
	days, minute := int(moment/minutesPerDay), int(moment%minutesPerDay)
	year := 1 + 400*(days/daysIn400)
	days %= daysIn400
	centuries := min(days/daysIn100, 3) // the fourth is a day longer
	year += 100 * centuries
	days -= centuries * daysIn100
	year += 4 * (days / daysIn4)
	days %= daysIn4
	years := min(days/365, 3) // as is the fourth year
	year += years
	days -= years * 365
	month := 1
	for days >= daysInMonth(year, month) {
		days -= daysInMonth(year, month)
		month++
	}
	return Date{year, month, days + 1, minute / 60, minute % 60}, nil
}

// Minutes returns the moment of a date that [Date.Check] finds nothing wrong with.
func (d Date) Minutes() (int64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	past := d.Year - 1
	days := 365*past + past/4 - past/100 + past/400 + d.Day - 1
	for month := 1; month < d.Month; month++ {
		days += daysInMonth(d.Year, month)
	}
	return int64(days)*minutesPerDay + int64(60*d.Hour+d.Minute), nil
}

// Add returns the date that many minutes later, or earlier where they are negative.
func (d Date) Add(minutes int64) (Date, error) {
	moment, err := d.Minutes()
	if err != nil {
		return Date{}, err
	}
	return FromMinutes(moment + minutes) // a sum that runs over is negative, and refused like any other
}

// Check says in one sentence what keeps d from being a date.
func (d Date) Check() error {
	switch {
	case d.Year < 1 || d.Year > lastYear:
		return fmt.Errorf("the year %d is not in the calendar: use 1 to %d", d.Year, lastYear)
	case d.Month < 1 || d.Month > 12:
		return fmt.Errorf("there is no month %d: use 1 to 12", d.Month)
	case d.Day < 1 || d.Day > daysInMonth(d.Year, d.Month):
		last := daysInMonth(d.Year, d.Month)
		return fmt.Errorf("month %d of the year %d has no day %d: use 1 to %d", d.Month, d.Year, d.Day, last)
	case d.Hour < 0 || d.Hour > 23:
		return fmt.Errorf("there is no hour %d: use 0 to 23", d.Hour)
	case d.Minute < 0 || d.Minute > 59:
		return fmt.Errorf("there is no minute %d: use 0 to 59", d.Minute)
	}
	return nil
}

// String returns d as 1024-03-14 09:30.
func (d Date) String() string {
	day := padded(d.Year, 4) + "-" + padded(d.Month, 2) + "-" + padded(d.Day, 2)
	return day + " " + padded(d.Hour, 2) + ":" + padded(d.Minute, 2)
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	for len(s) < width {
		s = "0" + s
	}
	return s
}

// daysInMonth returns 28 to 31. The month is 1 to 12.
func daysInMonth(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

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
