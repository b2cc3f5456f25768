package parser

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// searchSkill is the skill with which a place is searched that names none of its own.
const searchSkill = "wits"

// searchesHere searches the place.
func (r *reader) searchesHere() (Meaning, *refusal) {
	here := r.sight().place
	if here == nil {
		return Meaning{}, unplain()
	}
	return r.searchesIn(here.ID)
}

// searches searches what a slot names: something in sight, or somebody who cannot help it. Of what the description of the place
// speaks of, and what is nothing by itself, the place is searched. A close look is a look, too, and of people that alone.
func (r *reader) searches(looks bool) (m Meaning, bad *refusal) {
	p, here := r.phrase(1), r.sight().place
	if here == nil {
		return m, unplain()
	}
	if r.forced[1] == nil && r.is(p, here.Name) {
		return r.searchesIn(here.ID)
	}
	e, bad := r.need(1, near|carried, person)
	switch {
	case bad != nil && (len(bad.many) > 0 || !r.ear.Alone):
		return Meaning{}, bad
	case bad != nil:
		return r.searchesWhatIsSaid(p)
	case looks:
		if bad = r.call("look", rules.NewObj().Text("target_id", e.id), &m); bad != nil || e.kind == person || shutIn(e) {
			return m, bad
		}
		more, bad := r.searchesIn(e.id)
		m.Calls = append(m.Calls, more.Calls...)
		return m, bad
	case e.kind == person && rules.CanAct(e.actor):
		if !r.ear.Alone {
			return m, unplain()
		}
		return m, r.because("awake", e.name)
	case shutIn(e):
		return m, r.shut(e)
	}
	return r.searchesIn(e.id)
}

// shutIn reports whether something has an inside that cannot be looked into.
func shutIn(e *entity) bool { return e.thing != nil && holds(e) && (e.thing.Closed || e.thing.Locked) }

// searchesWhatIsSaid searches for the sake of something that has no name of its own here; nobody else understands it. It is a part of
// the one thing in sight whose name has a word of it, or else something that the description of the place speaks of.
func (r *reader) searchesWhatIsSaid(p []token) (m Meaning, bad *refusal) {
	if len(p) > mostName {
		return m, unplain()
	}
	var part *entity
	for _, e := range r.sight().list {
		if e.kind&(near|carried) == 0 || !r.partly(p, e.words()) {
			continue
		}
		if part != nil {
			return m, unplain()
		}
		part = e
	}
	switch {
	case part != nil && shutIn(part):
		return m, r.shut(part)
	case part != nil:
		return r.searchesIn(part.id)
	case len(r.best(p, nil, way)) > 0 || r.partly(p, r.description()):
		return r.searchesHere()
	}
	r.vague = false
	return m, r.absent(p, []kind{near | carried, person})
}

// partly reports whether tokens and words have one in common that means something; of Chinese, two characters in a row.
func (r *reader) partly(p []token, words []string) bool {
	for i := range p {
		if isHan(p[i].text) {
			if i+1 < len(p) && fitPart(texts(p[i:i+2]), words) > noFit {
				return true
			}
			continue
		}
		means := len(p[i].text) > 2 && !r.odd(p[i:i+1]) && r.table.leading("article", p[i:i+1]) == 0
		if means && slices.ContainsFunc(words, func(word string) bool { return akin(p[i].text, word) }) {
			return true
		}
	}
	return false
}

// description returns the words of the place's name, and those that say what it is like.
func (r *reader) description() []string {
	here := r.sight().place
	return texts(tokens(here.Name + " " + here.Desc + " " + here.Situation).tokens)
}

// searchesFor looks for something that is named: at it where it is in sight, else everywhere here. Who was met elsewhere is not hidden.
func (r *reader) searchesFor() (Meaning, *refusal) {
	if e, bad := r.need(2, near|carried|held|person|myself); bad == nil {
		return r.single("look", rules.NewObj().Text("target_id", e.id))
	} else if len(bad.many) > 0 {
		return Meaning{}, bad
	}
	if a := r.met(r.phrase(2)); a != nil && r.ear.Alone {
		return Meaning{}, r.because("elsewhere", a.Name, r.w.Place(a.Place).Name)
	}
	return r.searchesHere()
}

// searchesIn is the attempt: a check by the rules, which know what is hidden and how hard that is to find. Nothing of it is looked
// at here.
func (r *reader) searchesIn(id string) (Meaning, *refusal) {
	if r.w.Encounter() != nil || r.w.Self().Mode == "combat" {
		return Meaning{}, r.because("fighting")
	}
	skill := skillOfSearch(r.w, r.actor)
	return r.single("skill_check", rules.NewObj().Text("actor_id", r.actor.ID).Text("skill", skill).Text("find", id))
}

// skillOfSearch returns the skill with which an actor searches where it is.
func skillOfSearch(w *world.World, actor *world.Actor) string {
	if here := w.Place(actor.Place); here != nil && here.Search != "" {
		if _, known := rules.Skill(actor, here.Search); known {
			return here.Search
		}
	}
	return searchSkill
}
