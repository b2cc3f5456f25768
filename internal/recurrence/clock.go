package recurrence

import "time"

// Wall is what a clock on the wall shows at t, as a time in UTC.
func Wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// Instants lists, the first first, when the clocks of a zone show a wall time: twice where they go back, and never where they skip it.
func Instants(wall time.Time, zone *time.Location) (all []time.Time) {
	for _, around := range []time.Duration{-36 * time.Hour, 36 * time.Hour} {
		_, offset := wall.Add(around).In(zone).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if Wall(t).Equal(wall) && (len(all) == 0 || !all[0].Equal(t)) {
			all = append(all, t)
		}
	}
	if len(all) == 2 && all[1].Before(all[0]) {
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// Instant is the first of [Instants], and of a time that is skipped the first behind it.
func Instant(wall time.Time, zone *time.Location) time.Time {
	if all := Instants(wall, zone); len(all) > 0 {
		return all[0]
	}
	_, before := wall.Add(-36 * time.Hour).In(zone).Zone()
	behind, _ := wall.Add(-time.Duration(before) * time.Second).In(zone).ZoneBounds()
	return behind.In(zone)
}
