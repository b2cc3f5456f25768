package ical

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/lazyregexp"
	"hob/internal/recurrence"
)

// windows has the names of zones that Windows, and so Outlook and Exchange, write, and what Unicode's CLDR says they are. The
// zones that people of one household most likely are in come first, because [zones.match] takes the first that fits.
//
//go:embed windows.txt
var windows string

// zones finds the zones of a file.
type zones struct {
	home    *time.Location
	found   map[string]zone // by TZID
	written []vtimezone
}

type zone struct {
	name string
	*time.Location
}

// vtimezone is a VTIMEZONE of the file.
type vtimezone struct {
	id       string
	location string // X-LIC-LOCATION
	part     *component
}

func newZones(home *time.Location) *zones { return &zones{home: home, found: map[string]zone{}} }

// add remembers a VTIMEZONE.
func (z *zones) add(p *parser, c *component) {
	if len(z.written) == maxZones {
		return
	}
	v := vtimezone{part: c}
	for _, i := range c.own {
		prop, err := parseProperty(p.lines[i].text)
		if err != nil {
			continue // nothing else is needed
		}
		switch prop.name {
		case "TZID":
			v.id = strings.TrimSpace(prop.value)
		case "X-LIC-LOCATION":
			v.location = strings.TrimSpace(prop.value)
		}
	}
	z.written = append(z.written, v)
}

// find returns the zone that a TZID means at about a time. If it is unknown, that is a problem, and the times are at home.
func (z *zones) find(p *parser, id string, at time.Time) (string, *time.Location) {
	id = strings.Trim(strings.TrimSpace(id), `"`)
	found, ok := z.found[id]
	if !ok {
		if len(z.found) < maxZones {
			found = z.search(p, id, at)
		}
		if found.Location == nil {
			p.report(1, "the time zone %q is unknown; its times are taken as local ones", shorten(id))
			found = zone{"", z.home}
		}
		if len(z.found) < maxZones {
			z.found[id] = found
		}
	}
	return found.name, found.Location
}

func (z *zones) search(p *parser, id string, at time.Time) zone {
	if found := loadZone(id); found.Location != nil {
		return found
	}
	for line := range strings.Lines(windows) {
		if name, iana, _ := strings.Cut(strings.TrimSpace(line), "\t"); strings.EqualFold(name, id) {
			return loadZone(iana)
		}
	}
	for _, v := range z.written {
		if v.id != id {
			continue
		}
		if found := loadZone(v.location); found.Location != nil {
			return found
		}
		return z.match(p.observances(v.part), at)
	}
	return zone{}
}

var zonePath = lazyregexp.New(`^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$`)

// loadZone returns the zone of an IANA name, or of one that ends with it: /freeassociation.sourceforge.net/Europe/Berlin.
func loadZone(name string) zone {
	for rest := name; ; {
		if zonePath().MatchString(rest) && len(rest) < 64 && rest != "Local" {
			if found, err := time.LoadLocation(rest); err == nil {
				return zone{rest, found}
			}
		}
		_, next, ok := strings.Cut(rest, "/")
		if !ok || strings.Count(next, "/") > maxDepth {
			return zone{}
		}
		rest = next
	}
}

// observance is a STANDARD or DAYLIGHT of a VTIMEZONE: from a time on, or from each of the times of a rule on, clocks are so far
// ahead of UTC.
type observance struct {
	start    time.Time // by the clock before the change, as a time in UTC
	from, to time.Duration
	rules    []string
	dates    []time.Time
}

const maxObservances = 200 // of a zone

func (p *parser) observances(c *component) (all []observance) {
	for _, part := range c.parts[:min(len(c.parts), maxObservances)] {
		var o observance
		complete := 0
		for _, i := range part.own {
			prop, err := parseProperty(p.lines[i].text)
			if err != nil {
				continue
			}
			switch value := strings.TrimSpace(prop.value); prop.name {
			case "DTSTART":
				if start, err := time.Parse(localLayout, value); err == nil {
					o.start = start
					complete++
				}
			case "TZOFFSETFROM", "TZOFFSETTO":
				offset, ok := parseOffset(value)
				if !ok {
					continue
				}
				complete++
				if prop.name == "TZOFFSETTO" {
					o.to = offset
				} else {
					o.from = offset
				}
			case "RRULE":
				o.rules = append(o.rules, strings.ToUpper(value))
			case "RDATE":
				for one := range strings.SplitSeq(value, ",") {
					if at, err := time.Parse(localLayout, one); err == nil {
						o.dates = append(o.dates, at)
					}
				}
			}
		}
		if complete >= 3 {
			all = append(all, o)
		}
	}
	return all
}

func parseOffset(text string) (time.Duration, bool) {
	if (len(text) != 5 && len(text) != 7) || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	n, err := strconv.Atoi(text[1:])
	if err != nil {
		return 0, false
	}
	if len(text) == 5 {
		n *= 100
	}
	d := time.Duration(n/10000)*time.Hour + time.Duration(n/100%100)*time.Minute + time.Duration(n%100)*time.Second
	if text[0] == '-' {
		d = -d
	}
	return d, true
}

// change is a time at which clocks change, and how far ahead of UTC they are then.
type change struct {
	at     time.Time
	offset time.Duration
}

// changes are those of a VTIMEZONE about a year.
func changes(all []observance, year int) (list []change) {
	from, to := time.Date(year-2, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+2, 1, 1, 0, 0, 0, 0, time.UTC)
	work := recurrence.MaxWork
	for _, o := range all {
		add := func(local time.Time) bool {
			list = append(list, change{local.Add(-o.from), o.to})
			return true
		}
		add(o.start)
		for _, at := range o.dates {
			add(at)
		}
		before := time.FixedZone("", int(o.from/time.Second)) // that of UNTIL
		for _, text := range o.rules {
			if r, err := recurrence.Parse(text, before); err == nil {
				_ = r.Walls(o.start, from, to, &work, add)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return a.at.Compare(b.at) })
	return list
}

// match returns the first known zone whose clocks are those of a VTIMEZONE in the year of a time: that at home, or else the first
// of the table.
func (z *zones) match(all []observance, at time.Time) zone {
	list := changes(all, at.Year())
	if len(list) == 0 {
		return zone{}
	}
	fits := func(zone *time.Location) bool {
		i, offset := 0, all[0].from
		for t := time.Date(at.Year(), 1, 1, 12, 0, 0, 0, time.UTC); t.Year() == at.Year(); t = t.AddDate(0, 0, 1) {
			for ; i < len(list) && !list[i].at.After(t); i++ {
				offset = list[i].offset
			}
			if _, seconds := t.In(zone).Zone(); time.Duration(seconds)*time.Second != offset {
				return false
			}
		}
		return true
	}
	if name := z.home.String(); fits(z.home) && loadZone(name).name == name {
		return zone{name, z.home}
	}
	for line := range strings.Lines(windows) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if known := loadZone(name); known.Location != nil && fits(known.Location) {
			return known
		}
	}
	return zone{}
}
