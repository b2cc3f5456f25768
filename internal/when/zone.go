package when

import "time"

// localTime returns the instant that a clock in loc shows so. One that does not exist, since clocks go forward, is the
// first that does; one that exists twice is the first of them. Days and months may overflow, as in [time.Date].
func localTime(year int, month time.Month, day, hour, minute, second int, loc *time.Location) time.Time {
	all := instants(time.Date(year, month, day, hour, minute, second, 0, time.UTC), loc)
	if len(all) > 0 {
		return all[0]
	}
	wall := time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	_, before := wall.Add(-36 * time.Hour).In(loc).Zone()
	start, _ := wall.Add(-time.Duration(before) * time.Second).In(loc).ZoneBounds()
	return start.In(loc)
}

// instants lists, the first first, the instants when a clock in loc shows what wall, in UTC, shows.
func instants(wall time.Time, loc *time.Location) []time.Time {
	var all []time.Time
	for _, around := range []time.Duration{-36 * time.Hour, 36 * time.Hour} {
		_, offset := wall.Add(around).In(loc).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second).In(loc)
		if showsAs(t, wall) && (len(all) == 0 || !all[0].Equal(t)) {
			all = append(all, t)
		}
	}
	if len(all) == 2 && all[1].Before(all[0]) {
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// showsAs says whether two clocks show the same.
func showsAs(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay() && a.Hour() == b.Hour() && a.Minute() == b.Minute() && a.Second() == b.Second()
}

// wallOf returns what t's clock shows, in UTC, where days are all of 24 hours.
func wallOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}
