package account

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// looked reports whether the hero looked around, and at what.
func (d *Digest) looked() (bool, string) {
	for i := range d.Outcomes {
		if o := &d.Outcomes[i]; o.OK() && o.Call.Tool == "look" {
			return true, o.Call.Text("target_id")
		}
	}
	return false, ""
}

// page returns the text of the page that the hero turned to or looked at, else "".
func (d *Digest) page() string {
	place := d.After.Place(d.Here())
	if asked, _ := d.looked(); !place.IsPage() || !asked && !d.Moved(d.HeroID(), "") {
		return ""
	}
	return place.Desc
}

// view describes a place for a hero who has just come there or who looked. With a voice, people, things and ways come
// in a caption of their own.
func (f *facts) view(alone bool) (told []string, caption string) {
	place := f.After.Place(f.Here())
	asked, target := f.looked()
	came := f.Moved(f.HeroID(), "")
	if place == nil || !came && !asked {
		return nil, ""
	}
	if target != "" && target != place.ID {
		if alone {
			return f.closer(target), ""
		}
		return nil, ""
	}
	sight := story.SightFrom(f.After, place, f.HeroID())
	if f.manner == voiced {
		return f.scenery(place, asked), f.caption(sight)
	}
	if !came {
		told = append(told, f.words.say("at", f.placeName(place.ID)))
	}
	told = append(told, f.scenery(place, asked)...)
	people, things, ways := f.inSight(sight, false)
	for _, list := range [][2]string{{"people", people}, {"sees", things}, {"exits", ways}} {
		if list[1] != "" {
			told = append(told, f.words.say(list[0], list[1]))
		}
	}
	return told, ""
}

// scenery returns the texts of a place. Its description is for a hero who looks or is there for the first time.
func (f *facts) scenery(place *world.Place, asked bool) []string {
	list := []string{place.Desc, place.Situation}
	if was := f.Before.Place(place.ID); !asked && was != nil && was.Visited {
		list = list[1:]
	}
	for i, text := range list {
		list[i] = f.words.ended(spelling.Line(text, 300))
	}
	return lists.NonEmpty(list...)
}

// caption is the line below a place: people and things, and the ways behind arrows.
func (f *facts) caption(sight story.Sight) string {
	people, things, ways := f.inSight(sight, true)
	line := f.placeName(sight.Place.ID)
	if names := lists.NonEmpty(people, things); len(names) > 0 {
		line += " — " + strings.Join(names, f.words["list"])
	}
	if ways != "" {
		line += " → " + ways
	}
	return line
}

// inSight names the people, things and ways that the hero sees, as a sentence has them or as bare names.
func (f *facts) inSight(sight story.Sight, bare bool) (people, things, ways string) {
	var a, t, w []string
	for _, x := range sight.Actors {
		a = append(a, either(bare, spelling.Line(x.Name, longestName), f.actorName(x.ID)))
	}
	for _, x := range sight.Things {
		t = append(t, either(bare, spelling.Line(x.Name, longestName), f.thingName(x.Thing)))
	}
	for _, x := range sight.Exits {
		w = append(w, either(bare, spelling.Line(cmp.Or(f.After.Place(x.To), &world.Place{}).Name, longestName), f.placeName(x.To)))
	}
	return f.firstNames(a), f.firstNames(t), f.firstNames(w)
}

// firstNames lists the first six of some names.
func (f *facts) firstNames(names []string) string {
	return strings.Join(names[:min(len(names), 6)], f.words["list"])
}

// closer describes somebody or something.
func (f *facts) closer(id string) (told []string) {
	var name, desc string
	var attrs map[string]string
	shut := false
	if a := f.After.Actor(id); a != nil {
		name, desc, attrs = f.actorName(id), a.Desc, a.Attrs
	} else if t := f.After.Thing(id); t != nil {
		name, desc, attrs, shut = f.thingName(t), t.Desc, t.Attrs, t.Closed || t.Locked
	} else {
		return nil
	}
	told = lists.NonEmpty(f.words.say("sees", name), f.words.ended(spelling.Line(desc, 300)))
	keys := slices.Sorted(maps.Keys(attrs))
	for _, key := range keys[:min(len(keys), 3)] {
		told = append(told, f.words.ended(spelling.Line(attrs[key], 120)))
	}
	var inside []string
	for _, t := range story.VisibleInside(f.After, id, 1) {
		inside = append(inside, f.thingName(t.Thing))
	}
	if len(inside) > 0 && !shut {
		told = append(told, f.words.say("sees", f.firstNames(inside)))
	}
	return told
}
