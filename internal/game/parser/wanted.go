package parser

import (
	"cmp"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// showTo shows a thing to a person, who says what they have to say about it. It stays with the actor.
func (r *reader) showTo() (m Meaning, bad *refusal) {
	to, bad := r.other(2)
	if bad != nil {
		return m, bad
	}
	e, bad := r.hand()
	if bad != nil || !r.options.NoModel {
		return m, cmp.Or(bad, notPlain())
	}
	r.named = to
	if talk := r.lineOn(to, e.id); talk != nil {
		if len(talk.Keys) == 0 {
			return r.talkTo(to, "")
		}
		return r.talkTo(to, cmp.Or(talk.Topic, talk.Keys[0]))
	}
	if e.kind == carried && r.isAwaited(to.actor, e.id) {
		return r.offer(e, to)
	}
	if seen := r.beat(to.id + ".shown." + e.id); seen != "" {
		return m, &refusal{text: seen, done: true}
	}
	return r.react(to, "shown", e.name, e.name)
}

// offer asks whether to give a person a thing that they wait for.
func (r *reader) offer(e, to *entity) (Meaning, *refusal) {
	m, bad := r.moveTo([]*entity{e}, to.id, "", 0)
	if bad != nil {
		return m, bad
	}
	label := r.text("hand", e.name, to.name)
	problem := r.text("awaited", to.name, e.name, r.text("option", "1", label))
	if seen := r.beat(to.id+".shown."+e.id, to.id+".shown"); seen != "" {
		problem = seen + " " + r.text("option", "1", label)
	}
	return Meaning{Problem: problem, Options: []Option{{Label: label, Calls: m.Calls}}}, nil
}

// use opens something with a key. A thing that is used on a person who waits for it is offered to them.
func (r *reader) use() (m Meaning, bad *refusal) {
	if !r.options.NoModel || len(r.phrase(2)) > mostName {
		return r.turnWithKey(world.OpenDoor)
	}
	to := r.ownerOf(r.phrase(2))
	if to == nil {
		to = r.beside(r.phrase(2))
	}
	if e, no := r.need(1, carried); no == nil && to != nil && r.isAwaited(to.actor, e.id) {
		return r.offer(e, to)
	}
	return r.turnWithKey(world.OpenDoor)
}

// lineOn returns the line that a person can say because the actor has a thing, or nil.
func (r *reader) lineOn(to *entity, thing string) *world.Talk {
	for _, i := range r.w.OpenTalk(to.actor) {
		t := &to.actor.Talk[i]
		when := world.Condition(t.When)
		if (t.Skill == "" || t.Said) && (when.Wants("has", thing) || when.Wants("in", thing, to.id)) {
			return t
		}
	}
	return nil
}

// react lets a person say their line on a topic, or else answers with the words of a key.
func (r *reader) react(to *entity, key, topic string, args ...string) (m Meaning, bad *refusal) {
	if topic != "" && r.book.Tool("talk") != nil && r.freeTopicOf(to, topic) >= 0 {
		return r.talkTo(to, topic)
	}
	return m, r.refuseAs([]string{to.id + "." + key}, key, append([]string{to.name}, args...)...).settled()
}

// tell tells a person about a topic: they answer with their line on it, or just hear it.
func (r *reader) tell() (m Meaning, bad *refusal) {
	to, bad := r.other(1)
	if bad != nil {
		return m, bad
	}
	topic, bad := r.topic(2, to.actor.Talk)
	if bad != nil {
		return m, bad
	}
	if !r.options.NoModel {
		return r.talk(true)
	}
	return r.react(to, "told", topic)
}

// courtesy answers an act toward a person that changes nothing: thanks, an apology, company.
func (r *reader) courtesy(key string) (m Meaning, bad *refusal) {
	if !r.options.NoModel {
		return m, notPlain()
	}
	to, bad := r.other(1)
	if p := r.phrase(1); bad != nil && len(p) > 1 && !r.hasOdd(p[1:]) {
		if whose := r.ownerOf(p); whose != nil {
			to, bad = whose, nil // "compliment his coat"
		}
	}
	switch {
	case bad != nil && r.smallTalk() != "":
		return m, notPlain() // "thank you"
	case bad != nil && len(r.listeners()) == 0 && len(r.phrase(1)) == 0:
		return m, r.refuse("nobody")
	case bad != nil:
		return m, bad
	}
	return r.react(to, key, "")
}

// steal takes a thing that another person has, with a check; the tale may say how hard that is. Other things are just
// taken.
func (r *reader) steal() (m Meaning, bad *refusal) {
	if len(r.phrase(2)) > 0 {
		if _, bad := r.need(2, person); bad != nil {
			if _, no := r.need(2, near); no != nil {
				return m, bad
			}
		}
	}
	e, bad := r.need(1, held, near, carried)
	switch {
	case bad != nil && r.guess == absent && len(r.phrase(2)) > 0:
		if from, no := r.need(2, person); no == nil && rules.CanAct(from.actor) {
			return m, r.refuse("awake", from.name)
		}
		return m, bad
	case bad != nil:
		return m, bad
	case e.kind != held || !rules.CanAct(e.actor):
		return r.take(false)
	case !r.w.Self().IsBound() || r.w.Encounter() != nil:
		return m, r.refuseUnfit([]*entity{e})
	}
	said := cmp.Or(r.w.Self().Acts["move_object "+e.id], r.w.Self().Acts["move_object"])
	skill, _, ok := rules.ReadAct(said)
	if said != "" && !ok {
		return m, r.refuse("theirs", e.name, rules.NameOrID(e.actor.Name, e.actor.ID))
	}
	args := rules.NewObj().Text("actor_id", r.actor.ID).Text("skill", cmp.Or(skill, "finesse")).Text("act", "move_object").Text("target", e.id)
	if bad := r.call("skill_check", args, &m); bad != nil {
		return Meaning{}, bad
	}
	more, bad := r.moveTo([]*entity{e}, r.actor.ID, "", 0)
	m.Calls = append(m.Calls, more.Calls...)
	return m, bad
}

// isAwaited reports whether a person waits for a thing: one of their lines, or a quest, needs them to have it.
func (r *reader) isAwaited(a *world.Actor, thing string) bool {
	return slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return world.Condition(t.When).Wants("in", thing, a.ID) }) || r.isWanted("in", thing, a.ID)
}

// isNeededElsewhere reports whether a quest needs a thing that this person has no use for. Nobody gives things back.
func (r *reader) isNeededElsewhere(to *world.Actor, thing string) bool {
	if !r.options.NoModel || to.Role == "pc" || r.isOurs(to) || r.isAwaited(to, thing) {
		return false
	}
	return r.isWanted("in", thing) || r.isWanted("has", thing)
}

// isWanted reports whether an open objective has a term with these words: see [world.Condition.Wants].
func (r *reader) isWanted(words ...string) bool {
	return slices.ContainsFunc(r.w.Quests(), func(q *world.Quest) bool {
		return !rules.Over(q) && slices.ContainsFunc(q.Objectives, func(o string) bool {
			return !slices.Contains(q.Met, o) && world.Condition(q.When[o]).Wants(words...)
		})
	})
}
