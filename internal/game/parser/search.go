package parser

import (
	"cmp"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// searchSkill is the skill for searching a place that does not name one.
const searchSkill = "wits"

// searchHere searches the place.
func (r *reader) searchHere() (Meaning, *refusal) {
	here := r.sight().place
	if here == nil {
		return Meaning{}, notPlain()
	}
	return r.searchIn(here.ID)
}

// search searches the thing or helpless person that a slot names, or the place for a detail of its text. With looks it
// looks first, and only looks at people.
func (r *reader) search(looks bool) (m Meaning, bad *refusal) {
	p, here := r.phrase(1), r.sight().place
	if here == nil {
		return m, notPlain()
	}
	if r.forced[1] == nil && r.is(p, here.Name) {
		return r.searchIn(here.ID)
	}
	e, bad := r.need(1, near|carried, person)
	switch {
	case bad != nil && (len(bad.many) > 0 || !r.options.NoModel):
		return Meaning{}, bad
	case bad != nil:
		return r.searchUnnamed(p)
	case looks:
		if bad = r.call("look", rules.NewObj().Text("target_id", e.id), &m); bad != nil || e.kind == person || e.holdsThings() && e.shut() {
			return m, bad
		}
		more, bad := r.searchIn(e.id)
		m.Calls = append(m.Calls, more.Calls...)
		return m, bad
	case e.kind == person && rules.CanAct(e.actor):
		if !r.options.NoModel {
			return m, notPlain()
		}
		return m, r.refuse("awake", e.name)
	case e.holdsThings() && e.shut():
		return m, r.refuseShut(e)
	}
	return r.searchIn(e.id)
}

// leaf turns the leaves of a thing, which is to look at it; a container is searched.
func (r *reader) leaf() (Meaning, *refusal) {
	if e, bad := r.need(1, near|carried|held); bad == nil && !e.holdsThings() {
		return r.lookAt(1)
	}
	return r.search(false)
}

// searchUnnamed searches for words that name nothing here, in a game without a model: for a part of the only thing whose
// name has one of the words, or for a detail of the place.
func (r *reader) searchUnnamed(p []token) (m Meaning, bad *refusal) {
	if len(p) > mostName {
		return m, notPlain()
	}
	var part *entity
	for e := range r.visible(near|carried, nil) {
		if !r.sharesWord(p, e.words()) {
			continue
		}
		if part != nil {
			return m, notPlain()
		}
		part = e
	}
	switch {
	case part != nil && part.kind == carried && isCyrillic(p[0].text) && len(p) > 1 && r.scenery(p[:len(p)-1]) != "":
		return r.searchHere() // простучать плитки киркой
	case part != nil && part.holdsThings() && part.shut():
		return m, r.refuseShut(part)
	case part != nil:
		return r.searchIn(part.id)
	case r.ownerOf(p) != nil && rules.CanAct(r.ownerOf(p).actor):
		r.named = r.ownerOf(p)
		return m, r.refuse("awake", r.named.name)
	case len(r.findBest(p, nil, way)) > 0 || r.sharesWord(p, r.description()) || r.scenery(p) != "" || !isHan(p[0].text) && r.scenery(p[len(p)-1:]) != "":
		return r.searchHere()
	}
	r.vague = false
	return m, r.refuseAbsent(p, []kind{near | carried, person})
}

// sharesWord reports whether tokens and words have a meaningful word in common; in Chinese, two characters in a row.
func (r *reader) sharesWord(p []token, words []string) bool {
	for i := range p {
		if isHan(p[i].text) {
			if i+1 < len(p) && fitPart(texts(p[i:i+2]), words) > noFit {
				return true
			}
			continue
		}
		means := len(p[i].text) > 2 && !r.isOdd(p[i:i+1]) && r.table.leading("article", p[i:i+1]) == 0
		if means && slices.ContainsFunc(words, func(word string) bool { return spelling.Akin(p[i].text, word) }) {
			return true
		}
	}
	return false
}

// description returns the words of the place's name and description.
func (r *reader) description() []string {
	here := r.sight().place
	return texts(tokens(here.Name + " " + here.Desc + " " + here.Situation).tokens)
}

// beginsWithPerson reports whether Chinese tokens begin with a person's name and go on.
func (r *reader) beginsWithPerson(list []token) bool {
	for n := 2; n < len(list) && isHan(list[0].text); n++ {
		if len(r.findBest(list[:n], nil, person)) > 0 || r.findMet(list[:n]) != nil || r.findHeardOf(list[:n]) != nil {
			return true
		}
	}
	return false
}

// searchFor looks for something. What is in sight is looked at, and a person who is known to be elsewhere is named. For
// everything else it offers a search of the place, which takes time.
func (r *reader) searchFor() (m Meaning, bad *refusal) {
	p := r.phrase(2)
	if r.options.NoModel && len(r.listeners()) > 0 && r.table.leading("yours", p) > 0 {
		return m, notPlain() // it is promised to whom it belongs
	}
	if _, bad := r.need(2, near|carried|held|person|myself); bad == nil || len(bad.many) > 0 {
		return r.lookAt(2)
	}
	if r.options.NoModel && r.beginsWithPerson(p) {
		return m, notPlain() // 找玛尔塔聊聊
	}
	if bad := r.refuseElsewhere(p, person); bad != nil && r.options.NoModel {
		return m, bad
	}
	if far := r.findKnown(p); far != nil {
		return m, r.refuse("leads", rules.NameOrID(far.Name, far.ID))
	}
	if line := cmp.Or(r.scenery(p), r.doorLines(p)); line != "" {
		return Meaning{Problem: line, Done: true}, nil
	}
	one, bad := r.searchHere()
	if bad != nil {
		return m, bad
	}
	here := r.sight().place
	label := r.text("comb", rules.NameOrID(here.Name, here.ID))
	m.Options = []Option{{Label: label, Calls: one.Calls}}
	m.Problem = r.text("sought", r.spoken(p), r.text("option", "1", label))
	return m, nil
}

// searchIn returns the check for a search. The rules know what is hidden and how hard it is to find; the parser does not
// look.
func (r *reader) searchIn(id string) (Meaning, *refusal) {
	if r.w.Encounter() != nil || r.w.Self().Mode == "combat" {
		return Meaning{}, r.refuse("fighting")
	}
	skill := skillOfSearch(r.w, r.actor)
	return r.oneCall("skill_check", rules.NewObj().Text("actor_id", r.actor.ID).Text("skill", skill).Text("find", id))
}

// skillOfSearch returns the skill with which an actor searches a place.
func skillOfSearch(w *world.World, actor *world.Actor) string {
	if here := w.Place(actor.Place); here != nil && here.Search != "" {
		if _, known := rules.Skill(actor, here.Search); known {
			return here.Search
		}
	}
	return searchSkill
}
