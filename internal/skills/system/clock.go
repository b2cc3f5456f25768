package system

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

type timeIn struct {
	About string `json:"about,omitempty" jsonschema:"date, 2026-12-24"`
	Zone  string `json:"zone,omitempty" jsonschema:"Asia/Tokyo"`
}

// timeData is the Data of time.
type timeData struct {
	Time string `json:"time"`           // RFC 3339
	Zone string `json:"zone"`           // its abbreviation, such as CET
	Days *int   `json:"days,omitempty"` // until a date; less than 0 where it is past
}

// time says what time and day it is, here or in a time zone, or how many days there are until a date.
func (m machine) time(_ context.Context, in timeIn) (tools.Result, error) {
	now := m.Now()
	if name := strings.TrimSpace(in.Zone); name != "" {
		zone, err := m.Zone(name)
		if err != nil {
			return tools.Result{}, m.noZone(name)
		}
		now = now.In(zone)
	}
	short, _ := now.Zone()
	if strings.HasPrefix(short, "+") || strings.HasPrefix(short, "-") {
		short = "UTC" + short // a zone without a name of its own
	}
	data := timeData{Time: now.Format(time.RFC3339), Zone: short}
	text := now.Format("15:04, Monday 2 January 2006") + " (" + short + ")"
	switch in.About {
	case "":
	case "date":
		text = now.Format("Monday 2 January 2006")
	default:
		date, err := time.Parse(time.DateOnly, in.About)
		if err != nil {
			return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "about: %q is no date", display.Truncate(in.About, 40)).
				Suggest(`use "date", or a date such as 2026-12-24 to count the days until it`)
		}
		days := daysUntil(now, date)
		data.Days, text = &days, countedDays(days)+" "+date.Format("Monday 2 January 2006")
	}
	return tools.Result{Text: text, Data: data}, nil
}

// daysUntil counts the midnights from the day of now to a date, less than 0 where it is past.
func daysUntil(now, date time.Time) int {
	year, month, day := now.Date()
	return int(date.Sub(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour))
}

// countedDays says how far a date is, before the date.
func countedDays(days int) string {
	switch {
	case days == 0:
		return "today is"
	case days == 1:
		return "1 day until"
	case days > 1:
		return strconv.Itoa(days) + " days until"
	case days == -1:
		return "1 day since"
	}
	return strconv.Itoa(-days) + " days since"
}

// noZone is the error that there is no time zone of that name.
func (m machine) noZone(name string) *tools.Error {
	if _, err := m.Zone("Europe/Berlin"); err != nil {
		return tools.Disabled("this machine knows no time zones but its own").Suggest("install the package tzdata")
	}
	return tools.Invalid(event.CodeInvalidValue, "zone: there is no time zone %q", name).
		Suggest("use the name of the IANA for it, such as Europe/Berlin or Asia/Tokyo")
}
