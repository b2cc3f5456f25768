package system

import (
	"context"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

type timeIn struct {
	About string `json:"about,omitempty" enum:"date"`
	Zone  string `json:"zone,omitempty" jsonschema:"such as Asia/Tokyo"`
}

// timeData is the Data of time.
type timeData struct {
	Time string `json:"time"` // RFC 3339
	Zone string `json:"zone"` // its abbreviation, such as CET
}

// time says what time and day it is, here or in a time zone.
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
	text := now.Format("15:04, Monday 2 January 2006") + " (" + short + ")"
	if in.About == "date" {
		text = now.Format("Monday 2 January 2006")
	}
	return tools.Result{Text: text, Data: timeData{now.Format(time.RFC3339), short}}, nil
}

// noZone is the error that there is no time zone of that name.
func (m machine) noZone(name string) *tools.Error {
	if _, err := m.Zone("Europe/Berlin"); err != nil {
		return tools.Disabled("this machine knows no time zones but its own").Suggest("install the package tzdata")
	}
	return tools.Invalid(event.CodeInvalidValue, "zone: there is no time zone %q", name).
		Suggest("use the name of the IANA for it, such as Europe/Berlin or Asia/Tokyo")
}
