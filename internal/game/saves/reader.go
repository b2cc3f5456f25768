package saves

import (
	"sort"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/game/world"
)

// mostWarnings is how many are told one by one.
const mostWarnings = 100

// The lists of a save, each by the member that it is, or by the member that it is in.
const (
	locationsList = "locations"
	playersList   = "players"
	objectsList   = "objects"
	areasList     = "areas"
	actorsList    = "actors"
	zonesList     = "zones"
	subZonesList  = "sub_zones"
	mapZonesList  = "map_zones"
	rolesList     = "role_pool"
)

// source is a record and what it was read from.
type source struct {
	rec  world.Record
	from node
	list string
}

// reader makes a world of a save.
type reader struct {
	w        *world.World
	shape    string
	warnings []string
	more     int // warnings that are not told
	order    int64
	items    int64 // ids that were made for what is in inventories

	doc     *node
	taken   map[string]bool // every text of the save; nil before an id had to be made up
	secrets map[string]secrecy
	numbers map[string]int    // how many ids were made up with a number, by what stands before it
	made    map[string]string // ids that were made up for such with control characters
	sources []source
	second  map[string]node // zones by id, as map_snapshot has them
	lists   map[string]*listing
	odd     map[string]bool // lists that are not simply all records in their order
	extras  map[world.Record][]node
	player  string
}

func (r *reader) warn(s string) {
	if len(r.warnings) == mostWarnings {
		r.more++
		return
	}
	r.warnings = append(r.warnings, s)
}

// next returns the place of a new record among all.
func (r *reader) next() int64 {
	r.order++
	return r.order
}

// add puts a record into the world. It is the reader's own until the world is given away, so it may still be changed.
func (r *reader) add(rec world.Record) {
	if err := r.w.Apply(world.Event{New: rec}); err != nil {
		r.warn("A record was not kept: " + err.Error() + ".")
	}
}

// read reads a whole save.
func (r *reader) read(doc *node) {
	r.doc, r.second, r.odd = doc, map[string]node{}, map[string]bool{}
	r.scrub(doc, false)
	r.migrate(doc)
	r.w.Self().Shape = r.shape
	r.readPlaces(doc)
	r.readSelf(doc, r.w.Self())
	r.readActors(doc)
	r.readThings(doc)
	r.readLinks()
	r.finish(doc)
}

// id returns the id that a record has in a save, or one that is made up where it has none that could be told: the same for
// the same text.
func (r *reader) id(raw *node, kind world.Kind, prefix string) (id string, made bool) {
	if raw.is(text) && strings.TrimSpace(raw.text) != "" {
		if !strings.ContainsFunc(raw.text, unicode.IsControl) {
			return raw.text, false
		}
		return r.rename(raw.text, kind), true
	}
	if raw.is(token) && raw.text != "null" {
		return r.unused(raw.text, kind), true
	}
	return r.unused(prefix+"_1", kind), true
}

// rename returns the id for a text with control characters.
func (r *reader) rename(s string, kind world.Kind) string {
	if id, ok := r.made[s]; ok {
		return id
	}
	id := strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return '_'
		}
		return c
	}, s))
	if r.made == nil {
		r.made = map[string]string{}
	}
	r.made[s] = r.unused(id, kind)
	return r.made[s]
}

// unused returns id, or id with a number where the save has it already.
func (r *reader) unused(id string, kind world.Kind) string {
	free := id
	if r.numbers == nil {
		r.numbers = map[string]int{}
	}
	for r.isTaken(free) {
		r.numbers[id]++
		free = strings.TrimSuffix(id, "_1") + "_" + strconv.Itoa(r.numbers[id]+1)
	}
	r.taken[free] = true
	r.warn("A record has no id that can be told: " + spot{kind, free}.String() + " it is called now.")
	return free
}

// isTaken reports whether any text of the save is id.
func (r *reader) isTaken(id string) bool {
	if r.taken == nil {
		r.taken = map[string]bool{}
		r.collect(r.doc)
	}
	return r.taken[id]
}

func (r *reader) collect(n *node) {
	if n.kind == text {
		r.taken[n.text] = true
	}
	for i := range n.kids {
		if n.kind == object {
			r.taken[n.kids[i].name] = true
		}
		r.collect(&n.kids[i])
	}
}

// ref returns what a save means by an id.
func (r *reader) ref(id string) string {
	if now, ok := r.made[id]; ok {
		return now
	}
	return id
}

// each reads one of the lists of a save, which is an array, or an object of items by id. Take returns the id of the record
// that it makes of an item, or "" where it makes none: such an item stays in the list as it is.
func (r *reader) each(name string, from *node, take func(item *node) string) {
	if isNull(from) {
		return
	}
	if from.kind != array && from.kind != object || from.kind == object && name != areasList && name != actorsList ||
		from.kind == array && (name == areasList || name == actorsList) {
		r.warn("The save has something else than a list for its " + quoted(name) + ".")
		return
	}
	l := &listing{items: make([]node, 0, len(from.kids))}
	for i := range from.kids {
		item, id := &from.kids[i], ""
		if item.kind == object {
			id = take(item)
		} else {
			r.warn("The list of " + name + " has an item that is no object: it is kept as it is.")
		}
		switch {
		case id != "":
			l.items = append(l.items, str("", id))
			continue
		case from.kind == object:
			l.items = append(l.items, list("", str("", item.name), item.named("")))
		default:
			l.items = append(l.items, list("", item.named("")))
		}
		r.odd[name] = true
	}
	r.lists[name] = l
}

// twice warns of a record whose id another of its kind has.
func (r *reader) twice(kind world.Kind, id string) {
	r.warn(spot{kind, id}.String() + " stands twice: the second is kept in the save and is not played.")
}

// scrub removes secrets. What is the story's own, such as prose and positions, may be about tokens.
func (r *reader) scrub(n *node, story bool) {
	kept := n.kids[:0]
	for i := range n.kids {
		kid := &n.kids[i]
		if n.kind == object && r.isSecret(kid, story) {
			r.warn("The member " + quoted(kid.name) + " looks like a secret: it was left out.")
			continue
		}
		if len(kid.kids) > 0 {
			r.scrub(kid, story || isStory(kid.name))
		}
		kept = append(kept, *kid)
	}
	n.kids = kept
}

func isStory(name string) bool {
	switch name {
	case "attributes", "inventory", "positions", "character_states", "positions_parent", "positions_child":
		return true
	}
	return false
}

// isSecret reports whether a member is something that gives access.
func (r *reader) isSecret(n *node, story bool) bool {
	if isNull(n) {
		return false
	}
	says, ok := r.secrets[n.name]
	if !ok {
		if r.secrets == nil {
			r.secrets = map[string]secrecy{}
		}
		says = secrecyOf(n.name)
		r.secrets[n.name] = says
	}
	return says == always || says == asText && !story && n.kind == text
}

// secrecy is what the name of a member says about its value.
type secrecy uint8

const (
	public secrecy = iota
	asText         // a secret if it is text; a number of tokens is none
	always
)

func secrecyOf(name string) secrecy {
	name = strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
	switch {
	case strings.Contains(name, "apikey"), name == "aiconfig", strings.Contains(name, "openai") && strings.Contains(name, "key"):
		return always
	case strings.Contains(name, "token"), strings.Contains(name, "password"), strings.Contains(name, "secretkey"):
		return asText
	}
	return public
}

// counts returns how many ids are taken: numbers go on after the largest of those that are there.
func (r *reader) counts() map[string]int64 {
	counts := map[string]int64{"order": r.order}
	most := func(kind, id string) {
		if digits, ok := strings.CutPrefix(id, kind+"_"); ok {
			digits, _, _ = strings.Cut(digits, "_")
			if n, ok := whole(digits); ok && n > counts[kind] && n < 1<<40 {
				counts[kind] = n
			}
		}
	}
	if r.items > 0 {
		counts["obj"] = r.items
	}
	for _, s := range r.sources {
		switch rec := s.rec.(type) {
		case *world.Place:
			most("area", rec.ID)
		case *world.Thing:
			most("obj", rec.ID)
		}
	}
	if logs := r.doc.get("game_logs"); logs.is(array) {
		for i := range logs.kids {
			if id := logs.kids[i].get("id"); id.is(text) {
				most("log", id.text)
			}
		}
	}
	return counts
}

// sortedNames returns the keys of m in order.
func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
