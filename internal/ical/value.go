package ical

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/lazyregexp"
	"hob/internal/recurrence"
)

const (
	dateLayout  = "20060102"
	localLayout = "20060102T150405"
	utcLayout   = "20060102T150405Z"
)

// moment is a DATE or a DATE-TIME.
type moment struct {
	at   time.Time
	day  bool
	zone string // IANA, "" for a DATE and for a floating time
}

// moment reads a time of a property.
func (p *parser) moment(prop property, value string) (moment, error) {
	value = strings.ToUpper(strings.TrimSpace(value))
	wrong := fmt.Errorf("%s has no time: %q", prop.name, shorten(value))
	if strings.EqualFold(prop.param("VALUE"), "DATE") && len(value) > len(dateLayout) {
		value = value[:len(dateLayout)] // some write the time of a day, too
	}
	if len(value) == len(dateLayout) {
		day, err := time.Parse(dateLayout, value)
		if err != nil || !isYear(day) {
			return moment{}, wrong
		}
		return moment{at: instant(day, p.zones.home), day: true}, nil
	}
	local, isUTC := strings.CutSuffix(value, "Z")
	at, err := time.Parse(localLayout, local)
	if err != nil && strings.HasSuffix(local, "60") { // a leap second
		at, err = time.Parse(localLayout, strings.TrimSuffix(local, "60")+"59")
	}
	if err != nil || !isYear(at) {
		return moment{}, wrong
	}
	if isUTC {
		return moment{at: at, zone: "UTC"}, nil
	}
	id := prop.param("TZID")
	if id == "" {
		return moment{at: instant(at, p.zones.home)}, nil
	}
	name, zone := p.zones.find(p, id, at)
	return moment{at: instant(at, zone), zone: name}, nil
}

// isYear reports whether a year can be written again, whatever zone it is in.
func isYear(t time.Time) bool { return t.Year() > 1 && t.Year() < 9000 }

// instant is when the clocks of a zone show the wall time w. As RFC 5545 has it (3.3.5), it is the first of two such times; and
// a time that is skipped is read with the clock from before, so 02:30 becomes 03:30.
func instant(w time.Time, zone *time.Location) time.Time {
	if all := recurrence.Instants(w, zone); len(all) > 0 {
		return all[0]
	}
	_, before := w.Add(-day).In(zone).Zone()
	return w.Add(-time.Duration(before) * time.Second).In(zone)
}

// durations are RFC 5545's, 3.3.6.
var durations = lazyregexp.New(`^([+-]?)P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$`)

const (
	day        = 24 * time.Hour
	maxLasting = 36_600 * day // a hundred years
)

// parseDuration reads a duration. A day of it is 24 hours.
func parseDuration(text string) (time.Duration, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	parts := durations().FindStringSubmatch(text)
	if parts == nil || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		return 0, fmt.Errorf("%q is no duration", shorten(text))
	}
	var d time.Duration
	for i, unit := range []time.Duration{7 * day, day, time.Hour, time.Minute, time.Second} {
		if parts[i+2] == "" {
			continue
		}
		n, err := strconv.ParseInt(parts[i+2], 10, 64)
		if err != nil || n > int64(maxLasting/unit) {
			return 0, fmt.Errorf("%q is too long", text)
		}
		d += time.Duration(n) * unit
	}
	if d > maxLasting {
		return 0, fmt.Errorf("%q is too long", text)
	}
	if parts[1] == "-" {
		d = -d
	}
	return d, nil
}

// formatDuration is the other way.
func formatDuration(d time.Duration) string {
	var b strings.Builder
	if d < 0 {
		d = -d
		b.WriteByte('-')
	}
	b.WriteByte('P')
	if d%day == 0 {
		return fmt.Sprintf("%s%dD", b.String(), d/day)
	}
	if d >= day {
		fmt.Fprintf(&b, "%dD", d/day)
	}
	b.WriteByte('T')
	for _, u := range []struct {
		n    time.Duration
		name byte
	}{{d % day / time.Hour, 'H'}, {d % time.Hour / time.Minute, 'M'}, {d % time.Minute / time.Second, 'S'}} {
		if u.n > 0 {
			fmt.Fprintf(&b, "%d%c", u.n, u.name)
		}
	}
	return b.String()
}
