package narration

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// mostTold is how many sentences are told of a turn, beside the look of a new place.
const mostTold = 5

// Tell returns the turn in plain words, in its language: what happened, and what a place looks like for one who has come to it. It
// needs no model and is never empty. It is not held against [Turn.Check]: it is what happened; only what nobody is to know, and what is
// never to be in the story, is left out.
func (t Turn) Tell() string {
	d := t.digest()
	if page := d.page(); page != "" {
		return page
	}
	f := d.gather(t.Pick > 0)
	f.hush = newChecker(d)
	told := f.tale
	if f.voice {
		told = f.recounted
	}
	if kept := slices.DeleteFunc(told(), f.hush.hushed); len(kept) > 0 {
		return joined(kept, t.lang())
	}
	return f.words.say("nothing.1")
}

// page returns the text of the page to which the hero has turned, or at which they looked; "" if they did neither.
func (d *digest) page() string {
	f := facts{digest: d, words: wordingOf(d.lang())}
	place := d.After.Place(f.here())
	if asked, _ := f.looked(); !place.IsPage() || !asked && !f.moved(f.heroID(), "") {
		return ""
	}
	return place.Desc
}

// tale returns the sentences of a turn, before they are checked.
func (f *facts) tale() (told []string) {
	for _, s := range ranked(weighed(f.clean())) {
		told = append(told, s.text)
	}
	seen, _ := f.view(true)
	return f.orAct(append(told, seen...), "nothing."+number(1+int64(len(f.Recent)%3)))
}

// orAct returns what is told, or else what the hero did, or that nothing happened.
func (f *facts) orAct(told []string, nothing string) []string {
	if len(told) > 0 {
		return told
	}
	return []string{cmp.Or(f.act(), f.say(nothing))}
}

// ranked puts what follows from a turn by itself behind what somebody did: a clock, then a task, then the end.
func ranked(list []sentence) []sentence {
	slices.SortStableFunc(list, func(a, b sentence) int { return consequence(a) - consequence(b) })
	return list
}

// consequence returns where a sentence stands among those on what follows from a turn by itself, 0 for all others.
func consequence(s sentence) int {
	kind, _, _ := strings.Cut(s.key, ".")
	return 1 + slices.Index([]string{"clock", "quest", "ended"}, kind)
}

// isTime reports whether a sentence says how much time has passed.
func (s sentence) isTime() bool {
	kind, _, _ := strings.Cut(s.key, ".")
	return kind == "time"
}

// weighed returns the sentences that matter most, in their order: of many, those on time, clocks, rounds and attributes are left out first.
func weighed(list []sentence) []sentence {
	if len(list) > 1 {
		// The time stands below the words of each turn.
		list = slices.DeleteFunc(list, func(s sentence) bool { return s.isTime() })
	}
	for i := len(list) - 1; i >= 0 && len(list) > mostTold; i-- {
		switch list[i].key {
		case "now", "round", "more", "less", "weather", "clock.near", "clock.back":
			list = slices.Delete(list, i, i+1)
		}
	}
	return list[:min(len(list), mostTold)]
}

// joined puts sentences behind each other.
func joined(list []string, lang string) string {
	between := " "
	if lang == "zh" {
		between = ""
	}
	return strings.TrimPrefix(strings.ReplaceAll(strings.Join(list, between), between+"\n", "\n"), "\n") // a caption has a line of its own
}

// scenery returns the texts of a place: what it looks like is for one who looks, or has not been there.
func (f *facts) scenery(place *world.Place, asked bool) (texts []string) {
	list := []string{place.Desc, place.Situation}
	if was := f.Before.Place(place.ID); !asked && was != nil && was.Visited {
		list = list[1:]
	}
	for _, text := range list {
		if text = ended(plain(text, 300), f.lang()); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// named adds a list of names, of the first six.
func (f *facts) named(told []string, key string, n int, name func(i int) string) []string {
	if names := f.firstNames(n, name); names != "" {
		told = append(told, f.words.say(key, names))
	}
	return told
}

// firstNames lists the first six of n names.
func (f *facts) firstNames(n int, name func(i int) string) string {
	const most = 6
	var names []string
	for i := range min(n, most) {
		names = append(names, name(i))
	}
	return strings.Join(names, f.words["list"])
}

// ended returns a text as a sentence of its own.
func ended(s, lang string) string {
	if s == "" || hasAny(s, ".", "!", "?", "…", "。", "！", "？", "”", "»") {
		return s
	}
	if lang == "zh" {
		return s + "。"
	}
	return s + "."
}

// looked reports whether somebody looked about, and at what.
func (f *facts) looked() (bool, string) {
	for i := range f.Outcomes {
		if o := &f.Outcomes[i]; o.OK() && o.Call.Tool == "look" {
			return true, text(o, "target_id")
		}
	}
	return false, ""
}

// closer says what somebody or something looks like.
func (f *facts) closer(id string) (told []string) {
	var name, desc string
	var attrs map[string]string
	if a := f.After.Actor(id); a != nil {
		name, desc, attrs = f.actorName(f.words, id), a.Desc, a.Attrs
	} else if t := f.After.Thing(id); t != nil {
		name, desc, attrs = f.thingName(f.words, t), t.Desc, t.Attrs
	} else {
		return nil
	}
	told = append(told, f.words.say("sees", name))
	if desc = ended(plain(desc, 300), f.lang()); desc != "" {
		told = append(told, desc)
	}
	keys := slices.Sorted(maps.Keys(attrs))
	for _, key := range keys[:min(len(keys), 3)] {
		told = append(told, ended(plain(attrs[key], 120), f.lang()))
	}
	if inside := story.VisibleInside(f.After, id, 1); len(inside) > 0 && f.shows(id) {
		told = f.named(told, "sees", len(inside), func(i int) string { return f.thingName(f.words, inside[i].Thing) })
	}
	return told
}

// shows reports whether what is in or with something can be seen.
func (f *facts) shows(id string) bool {
	t := f.After.Thing(id)
	return t == nil || !t.Closed && !t.Locked
}
