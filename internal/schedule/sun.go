package schedule

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/recurrence"
	"hob/internal/when"
)

// Place is where a house stands, in degrees: north and east are positive.
type Place struct {
	Lat, Lon float64
	Known    bool
}

// ParsePlace reads a place such as "52.52, 13.40"; "" is none.
func ParsePlace(text string) (Place, error) {
	if strings.TrimSpace(text) == "" {
		return Place{}, nil
	}
	lat, lon, ok := strings.Cut(text, ",")
	p := Place{Known: true}
	var bad [2]error
	p.Lat, bad[0] = strconv.ParseFloat(strings.TrimSpace(lat), 64)
	p.Lon, bad[1] = strconv.ParseFloat(strings.TrimSpace(lon), 64)
	if !ok || bad[0] != nil || bad[1] != nil || math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180 || p.Lat != p.Lat || p.Lon != p.Lon {
		return Place{}, fmt.Errorf(`must be latitude and longitude such as "52.52, 13.40", not %q`, text)
	}
	return p, nil
}

// Why there is no sunrise or sunset.
var (
	ErrNoPlace = errors.New("hob does not know where the house stands: set [time] place to its latitude and longitude")
	ErrNoSun   = errors.New("the sun does not rise or set there at this time of the year")
)

// times yields the sunrises or sunsets after a time, with their offset: "sunrise", "sunset-30m", "sunrise+1h".
func (p Place) times(what string, after time.Time, zone *time.Location) iter.Seq2[time.Time, error] {
	name, offset, err := parseSun(what)
	if err == nil && !p.Known {
		err = ErrNoPlace
	}
	if err != nil {
		return failing(err)
	}
	return func(yield func(time.Time, error) bool) {
		day := after.In(zone).AddDate(0, 0, -2)
		for dark := 0; dark < 400; dark++ { // past a winter without a sunrise
			if t, ok := p.sun(day, name == "sunrise"); ok && t.Add(offset).After(after) {
				if dark = 0; !yield(t.Add(offset), nil) {
					return
				}
			}
			day = day.AddDate(0, 0, 1)
		}
		yield(time.Time{}, ErrNoSun)
	}
}

func parseSun(what string) (name string, offset time.Duration, err error) {
	name, offset, err = when.ParseSun(what)
	if err != nil || name != "sunrise" && name != "sunset" || offset.Abs() > 12*time.Hour {
		return "", 0, fmt.Errorf("%q is neither sunrise nor sunset, with up to 12 hours before or after it, such as sunset-30m", what)
	}
	return name, offset, nil
}

// sun returns when the sun rises or sets on the day of t, to about a minute: the equations of the solar calculator of NOAA
// (gml.noaa.gov/grad/solcalc, after Meeus, Astronomical Algorithms), with the centre of the sun 0.833 degrees below the
// horizon. ok is false where it does neither.
func (p Place) sun(t time.Time, rise bool) (at time.Time, ok bool) {
	j2000 := time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC) // the epoch of the equations
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	minutes := 720 - 4*p.Lon
	for range 3 { // the sun moves on while one looks for the minute
		century := (midnight.Add(time.Duration(minutes*float64(time.Minute))).Sub(j2000).Hours() / 24) / 36525
		declination, equation := solar(century)
		cos := math.Cos(rad(90.833))/(math.Cos(rad(p.Lat))*math.Cos(declination)) - math.Tan(rad(p.Lat))*math.Tan(declination)
		if cos < -1 || cos > 1 || math.IsNaN(cos) {
			return time.Time{}, false
		}
		angle := deg(math.Acos(cos))
		if !rise {
			angle = -angle
		}
		minutes = 720 - 4*(p.Lon+angle) - equation
	}
	return midnight.Add(time.Duration(minutes * float64(time.Minute))).Truncate(time.Second), true
}

// solar returns the declination of the sun in radians and the equation of time in minutes, for a time in Julian centuries.
func solar(t float64) (declination, equation float64) {
	longitude := math.Mod(280.46646+t*(36000.76983+t*0.0003032), 360)
	anomaly := rad(357.52911 + t*(35999.05029-0.0001537*t))
	eccentricity := 0.016708634 - t*(0.000042037+0.0000001267*t)
	centre := math.Sin(anomaly)*(1.914602-t*(0.004817+0.000014*t)) + math.Sin(2*anomaly)*(0.019993-0.000101*t) + math.Sin(3*anomaly)*0.000289
	node := rad(125.04 - 1934.136*t)
	apparent := rad(longitude + centre - 0.00569 - 0.00478*math.Sin(node))
	obliquity := rad(23 + (26+(21.448-t*(46.815+t*(0.00059-t*0.001813)))/60)/60 + 0.00256*math.Cos(node))
	declination = math.Asin(math.Sin(obliquity) * math.Sin(apparent))
	y := math.Pow(math.Tan(obliquity/2), 2)
	l := rad(longitude)
	equation = 4 * deg(y*math.Sin(2*l)-2*eccentricity*math.Sin(anomaly)+4*eccentricity*y*math.Sin(anomaly)*math.Cos(2*l)-
		0.5*y*y*math.Sin(4*l)-1.25*eccentricity*eccentricity*math.Sin(2*anomaly))
	return declination, equation
}

func rad(degrees float64) float64 { return degrees * math.Pi / 180 }
func deg(radians float64) float64 { return radians * 180 / math.Pi }

// maxSunDays is how many sunrises or sunsets in a row a rule of days may leave out.
const maxSunDays = 4000

// sunTimes yields the sunrises or sunsets of w after a time: from the day of its Start on, and on the days of its rule alone.
func sunTimes(w event.When, after time.Time, zone *time.Location, at Place) iter.Seq2[time.Time, error] {
	if start, err := time.ParseInLocation(event.StartLayout, w.Start, zone); err == nil && start.After(after) {
		after = start.Add(-time.Second)
	}
	all := at.times(w.Sun, after, zone)
	if w.Repeat == "" || w.Start == "" {
		return all
	}
	return func(yield func(time.Time, error) bool) {
		left := maxSunDays
		for t, err := range all {
			if err == nil {
				var wanted bool
				if wanted, err = isOnDay(w, t.In(zone)); err == nil && !wanted {
					if left--; left == 0 {
						return
					}
					continue
				}
				left = maxSunDays
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// isOnDay reports whether a rule of days has the day of t, on t's clocks.
func isOnDay(w event.When, t time.Time) (bool, error) {
	day := recurrence.Wall(t).Truncate(24 * time.Hour)
	next, err := Next(event.When{Start: w.Start, Zone: w.Zone, Repeat: w.Repeat}, recurrence.Instant(day, t.Location()).Add(-time.Second), Place{})
	return recurrence.Wall(next.In(t.Location())).Truncate(24 * time.Hour).Equal(day), err
}
