package saves

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/game/world"
)

// mostWarnings is the number of warnings that are given one by one.
const mostWarnings = 100

// source is a record with the item of a list that it was read from.
type source struct {
	record world.Record
	from   node
	list   string
}

// reader makes a world of a save.
type reader struct {
	w        *world.World
	doc      *node
	shape    string
	warnings []string
	more     int   // warnings beyond mostWarnings
	order    int64 // of the last record
	items    int64 // of the last id that was made for an object in an inventory

	taken   map[string]bool   // every text of the save; nil until an id has to be made
	numbers map[string]int    // the last number of the ids that were made, by their beginning
	made    map[string]string // the ids that were made for such with control characters
	sources []source
	second  map[string]node // zones by id, as map_snapshot has them
	lists   map[string]*listing
	odd     map[string]bool // lists that are not simply all records in their order
	extras  map[world.Record][]node
	player  string
}

func newReader(doc *node) *reader {
	return &reader{
		w: world.Empty(), doc: doc, numbers: map[string]int{}, made: map[string]string{}, second: map[string]node{},
		lists: map[string]*listing{}, odd: map[string]bool{}, extras: map[world.Record][]node{},
	}
}

// read reads a whole save.
func (r *reader) read() {
	r.scrub(r.doc, false, map[string]secrecy{})
	r.modernize()
	r.w.Self().Shape, r.w.Self().Integrity = r.shape, world.Free
	r.readPlaces()
	r.readSelf()
	r.readActors()
	r.readObjects()
	r.readLinks()
	r.compare()
}

func (r *reader) warn(s string) {
	if len(r.warnings) == mostWarnings {
		r.more++
		return
	}
	r.warnings = append(r.warnings, s)
}

// allWarnings returns the warnings of the reader, and then the world's.
func (r *reader) allWarnings() []string {
	if r.more > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("There are %d more of such warnings.", r.more))
	}
	return append(r.warnings, r.w.Validate()...)
}

// nextOrder returns the Order of a new record.
func (r *reader) nextOrder() int64 {
	r.order++
	return r.order
}

// add puts a record into the world. The reader may change it until it gives the world away.
func (r *reader) add(rec world.Record) {
	if err := r.w.Apply(world.Event{New: rec}); err != nil {
		r.warn("A record was not kept: " + err.Error() + ".")
	}
}

// id returns the id of a record in a save, or makes one if that has none that can be shown. Equal ids become equal ones.
func (r *reader) id(raw *node, kind world.Kind, prefix string) (id string, made bool) {
	switch {
	case raw.is(text) && strings.TrimSpace(raw.text) != "":
		if !strings.ContainsFunc(raw.text, unicode.IsControl) {
			return raw.text, false
		}
		if _, known := r.made[raw.text]; !known {
			r.made[raw.text] = r.unused(strings.TrimSpace(withoutControls(raw.text)), kind)
		}
		return r.made[raw.text], true
	case raw.is(token) && raw.text != "null":
		return r.unused(raw.text, kind), true
	}
	return r.unused(prefix+"_1", kind), true
}

func withoutControls(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return '_'
		}
		return c
	}, s)
}

// unused returns id, or id with a number if the save has it already.
func (r *reader) unused(id string, kind world.Kind) string {
	free := id
	for r.isTaken(free) {
		r.numbers[id]++
		free = strings.TrimSuffix(id, "_1") + "_" + strconv.Itoa(r.numbers[id]+1)
	}
	r.taken[free] = true
	r.warn("A record has no id that can be told: " + subject{kind, free}.String() + " it is called now.")
	return free
}

// isTaken reports whether any text of the save is id.
func (r *reader) isTaken(id string) bool {
	if r.taken == nil {
		r.taken = map[string]bool{}
		r.collectTexts(r.doc)
	}
	return r.taken[id]
}

func (r *reader) collectTexts(n *node) {
	if n.kind == text {
		r.taken[n.text] = true
	}
	for i := range n.kids {
		if n.kind == object {
			r.taken[n.kids[i].name] = true
		}
		r.collectTexts(&n.kids[i])
	}
}

// isTwice reports whether the world has a record of that kind and id already, and warns of the second one.
func (r *reader) isTwice(kind world.Kind, id string) bool {
	if r.w.Record(kind, id) == nil {
		return false
	}
	r.warn(subject{kind, id}.String() + " stands twice: the second is kept in the save and is not played.")
	return true
}

// ref returns the id that a record got for its id in the save.
func (r *reader) ref(id string) string {
	if made, ok := r.made[id]; ok {
		return made
	}
	return id
}

// counts returns the last number of the ids of each kind.
func (r *reader) counts() map[string]int64 {
	counts := map[string]int64{"order": r.order}
	if r.items > 0 {
		counts["obj"] = r.items
	}
	count := func(kind, id string) {
		if digits, ok := strings.CutPrefix(id, kind+"_"); ok {
			digits, _, _ = strings.Cut(digits, "_")
			if n, ok := whole(digits); ok && n > counts[kind] && n < 1<<40 {
				counts[kind] = n
			}
		}
	}
	for _, s := range r.sources {
		switch rec := s.record.(type) {
		case *world.Place:
			count("area", rec.ID)
		case *world.Thing:
			count("obj", rec.ID)
		}
	}
	for _, log := range r.doc.get("game_logs").of(array) {
		if id := log.get("id"); id.is(text) {
			count("log", id.text)
		}
	}
	return counts
}
