package things

import (
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runAdjustQty runs the tool adjust_qty. Its result is {"qty"}, with moved_children and to of delete_object where
// nothing is left.
func runAdjustQty(s *rules.Step, a rules.Args, t *world.Thing) *rules.Verdict {
	delta, cause := a.Int("delta", 0), strings.TrimSpace(a.Text("cause"))
	had := min(pieceCount(t), maxQty)
	left := had + delta
	if left < 0 {
		return rules.Refuse(notEnough, "adjust_qty.not_enough", t, had, -delta)
	}
	if left > maxQty {
		return rules.Refuse(overLimit, "adjust_qty.limit", t, maxQty)
	}
	holder := ownerOf(s.World, t.Parent).thing()
	if delta > 0 && holder != nil && rules.Encloses(t.Rel) && !hasRoom(s.World, holder, left, t.ID) {
		return rules.Refuse(overCapacity, "things.over_capacity", holder, holder.Capacity)
	}
	why := ""
	if cause != "" {
		why = "_why"
	}
	result := rules.NewObj().Int("qty", left)
	if left == 0 {
		if moved, to := removeObject(s, t); len(moved) > 0 {
			result.List("moved_children", lists.Map(moved, (*world.Thing).Key)).Text("to", to.id)
		}
		return rules.Accept(result, "adjust_qty.gone"+why, t, cause)
	}
	if delta != 0 {
		rules.Change(s, t, func(next *world.Thing) { next.Qty = storedQty(left) })
	}
	return rules.Accept(result, "adjust_qty.done"+why, t, had, left, cause)
}

// runInventory runs the tool inventory. Its result is
// {"actor_id","items":[{"id","name","qty","relation"?,"container"?,"closed"?,"items"?}]}: what the actor has, in order, and in
// it what is inside. Hidden objects are left out, and what is inside of closed ones is not seen.
func runInventory(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	items, words := listContents(s, actor.ID, nil)
	result := rules.NewObj().Text("actor_id", actor.ID).Objs("items", items)
	if len(words) == 0 {
		return rules.Accept(result, "inventory.empty", actor)
	}
	return rules.Accept(result, "inventory.list", actor, s.Join("things.traits", words))
}

// listContents lists the visible objects with a parent; holder is the parent where it is an object.
func listContents(s *rules.Step, parent string, holder *world.Thing) (items []*rules.Obj, words []string) {
	for _, t := range s.World.Contents(parent) {
		if t.Hidden || holder != nil && (holder.Closed || holder.Locked) && rules.Encloses(t.Rel) {
			continue
		}
		item := rules.NewObj().Text("id", t.ID).Text("name", t.Name).Int("qty", pieceCount(t)).
			Some("relation", t.Rel).Some("container", t.Container).Some("closed", t.Closed || t.Locked)
		word := countedName(s, t)
		if t.Closed || t.Locked {
			word = s.Say("inventory.closed", word)
		}
		if ownerOf(s.World, t.ID).thing() == t {
			if inner, names := listContents(s, t.ID, t); len(inner) > 0 {
				item.Objs("items", inner)
				word = s.Say("inventory.with", word, s.Join("things.list", names))
			}
		}
		items, words = append(items, item), append(words, word)
	}
	return items, words
}
