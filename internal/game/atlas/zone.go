package atlas

import (
	"slices"
	"strconv"

	"hob/internal/game/spelling"
)

// Bounds is the range of the zones of one size.
type Bounds struct {
	Least, Usual, Most             int64 // radius in metres
	LeastSubs, UsualSubs, MostSubs int   // zones within it
}

// The sizes of zones.
const (
	Small  = "small"
	Medium = "medium"
	Large  = "large"
)

// Sized returns the extent of a size. The radii of small and the usual one of medium are those of the sessions of docs/spec/older-saves.md; the others go on in the same steps.
func Sized(size string) (Bounds, bool) {
	switch size {
	case Small:
		return Bounds{60, 120, 180, 3, 3, 5}, true
	case Medium:
		return Bounds{120, 210, 300, 5, 5, 10}, true
	case Large:
		return Bounds{180, 300, 420, 8, 8, 15}, true
	}
	return Bounds{}, false
}

// Radius returns the radius for a zone that was given one, in metres, brought within the limits.
func (e Bounds) Radius(given int64) int64 {
	return min(max(given, e.Least), e.Most)
}

// Zone is a zone of the fallback, complete but for its id.
type Zone struct {
	Name, Kind, Description, Size string

	Radius int64 // metres
	Tags   []string
	Centre Point
	Subs   []SubZone
}

// SubZone is a spot within a zone.
type SubZone struct {
	Name, Description string
	Offset            Point // from the zone's centre, at most its radius long
}

// Kinds returns the kinds of zones that have words, in a fixed order. The last one stands for all others.
func Kinds() []string {
	return []string{"road", "settlement", "wood", "ruin", "water", "heights", "place"}
}

// Request describes the zones of a fallback, when no model writes them.
type Request struct {
	Key    Key
	Lang   string   // en, ru or zh; any other is en
	Prompt string   // what the world is like; where it speaks of a kind of zone, the first zone is of that kind
	Count  int      // below 1 is none
	Taken  []string // names that are not given again
}

// FallbackZones writes zones and places them as [Place] does, from the player outwards: each zone tries a ring of 16
// directions, and then rings that are 80 to 200 m wider. Wanted near, the first is small and has its centre within [Close]
// of the player.
func FallbackZones(w Request, g Ground) []Zone {
	random := w.Key.stream(forZones)
	kinds := random.shuffled(Kinds())
	if about := findMatch("match zones", w.Prompt); about != "" {
		at := slices.Index(kinds, about)
		kinds[0], kinds[at] = kinds[at], kinds[0]
	}
	p := newPlacing(g, w.Count)
	taken := slices.Clone(w.Taken)
	var zones []Zone
	for i := range w.Count {
		z := writeZone(&random, spelling.Language(w.Lang), kinds[i%len(kinds)], g.Near, i == 0, taken)
		p.placeZone(i, Circle{p.wantedSpot(&random, z.Radius, i == 0), z.Radius}, g.Near && i == 0)
		z.Centre = p.spots[i]
		z.Subs = SubZones(KeyOf(string(w.Key[:]), strconv.Itoa(i)), w.Lang, z.Kind, z.Size, z.Radius)
		zones, taken = append(zones, z), append(taken, z.Name)
	}
	return zones
}

// writeZone returns a zone that has no place yet. Where zones are wanted near, large ones would lie over each other.
func writeZone(random *chance, lang, kind string, near, first bool, taken []string) Zone {
	sizes := []string{Small, Small, Small, Medium, Medium, Large}
	if near {
		sizes = sizes[:5]
	}
	if near && first {
		sizes = sizes[:1]
	}
	size := sizes[random.below(len(sizes))]
	extent, _ := Sized(size)
	words := section("zone " + kind + " " + lang)
	looks := list(words, "looks")
	return Zone{
		Name:        zoneName(random, lang, words, taken),
		Kind:        kind,
		Description: joinSentences(lang, looks[random.below(len(looks))], value(section("size "+lang), size)),
		Size:        size,
		Radius:      extent.Least + 10*int64(random.below(int(extent.Usual-extent.Least)/10+1)),
		Tags:        []string{"generated", kind},
	}
}

// zoneName returns a name that is not taken; when all are, one with a number.
func zoneName(random *chance, lang, words string, taken []string) string {
	nouns, traits := random.shuffled(list(words, "nouns")), random.shuffled(list(words, "traits"))
	for number := 1; ; number++ {
		for i := range len(nouns) * len(traits) {
			noun := i % len(nouns)
			name := joinName(lang, traits[(noun+i/len(nouns))%len(traits)], nouns[noun])
			if number > 1 {
				name += " " + strconv.Itoa(number)
			}
			if !slices.Contains(taken, name) {
				return name
			}
		}
	}
}

// SubZones returns as many zones within a zone as its size usually has, with different names. A kind there are no words for is
// the last of [Kinds], a size that is not known is small.
func SubZones(key Key, lang, kind, size string, radius int64) []SubZone {
	lang = spelling.Language(lang)
	if !slices.Contains(Kinds(), kind) {
		kind = Kinds()[len(Kinds())-1]
	}
	extent, ok := Sized(size)
	if !ok {
		extent, _ = Sized(Small)
	}
	random := key.stream(forZones)
	names := random.shuffled(list(section("zone "+kind+" "+lang), "spots"))
	looks := random.shuffled(list(section("any "+lang), "looks"))
	winds, turn := compass16(), random.below(len(compass16()))
	subs := make([]SubZone, extent.UsualSubs)
	for i := range subs {
		wind := winds[(turn+i*len(winds)/len(subs))%len(winds)]
		way := radius * int64(20+random.below(66)) / 100
		subs[i] = SubZone{names[i%len(names)], looks[i%len(looks)], wind.times(way)}
	}
	return subs
}

// compass16 returns 16 directions as points a thousand metres away, rounded towards the origin.
func compass16() [16]Point {
	var all [16]Point
	quarter := [4]Point{{X: 1000}, {X: 923, Y: 382}, {X: 707, Y: 707}, {X: 382, Y: 923}}
	for i := range all {
		q := quarter[i%4]
		all[i] = [4]Point{q, {X: -q.Y, Y: q.X}, {X: -q.X, Y: -q.Y}, {X: q.Y, Y: -q.X}}[i/4]
	}
	return all
}

// times returns the point in the direction of a wind at that many metres, or up to two fewer.
func (p Point) times(metres int64) Point {
	return Point{X: p.X * metres / 1000, Y: p.Y * metres / 1000}
}

// wantedSpot returns where to want the next zone of the fallback: where it keeps all rules, if such a spot is found.
func (p *placing) wantedSpot(random *chance, radius int64, first bool) Point {
	winds := compass16()
	order := random.order(len(winds))
	way := int64(80 + random.below(121))
	if first && p.ground.Near {
		way = int64(70 + random.below(Close-70+1))
	}
	for {
		for _, i := range order {
			step := winds[i].times(way)
			spot := Point{p.ground.Around.X + step.X, p.ground.Around.Y + step.Y, p.ground.Around.Z}
			if !p.isInReach(spot) {
				return spot // the rest is for put
			}
			if p.keepsApart(Circle{spot, radius}) {
				return spot
			}
		}
		if first && p.ground.Near {
			return p.ground.Around
		}
		way += int64(80 + random.below(121))
	}
}
