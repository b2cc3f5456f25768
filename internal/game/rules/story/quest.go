package story

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runQuest runs the tool quest. Its result is {"quest":{"id","title","state","objectives":[{"text","done"}]}}.
func runQuest(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if a.Text("action") == "add" {
		return newQuest(s, a)
	}
	return changeQuest(s, a)
}

// The bounds of quests, of texts in runes.
const (
	maxObjectives = 20
	maxTitle      = 120
	maxObjective  = 200
)

func newQuest(s *rules.Step, a rules.Args) *rules.Verdict {
	title, giver := a.Text("title"), a.Text("giver")
	if title == "" || len([]rune(title)) > maxTitle {
		return rules.Refuse(rules.InvalidArgs, "quest.title", maxTitle)
	}
	if giver != "" && s.World.Actor(giver) == nil {
		return rules.Refuse(rules.EntityNotFound, "actor_not_found", giver)
	}
	q := &world.Quest{ID: s.NewID("quest"), Order: s.NewOrder(), Title: title, State: world.Active, Giver: giver}
	for _, o := range a.List("objectives") {
		if o != "" && objectiveOf(q, o) == "" {
			q.Objectives = append(q.Objectives, o)
		}
	}
	if bad := checkQuest(q); bad != nil {
		return bad
	}
	s.Put(q)
	return rules.Accept(questObj(q), "quest.added", q.Title).With(q.ID)
}

// checkQuest refuses a quest with too many objectives, or too long ones.
func checkQuest(q *world.Quest) *rules.Verdict {
	long := slices.ContainsFunc(q.Objectives, func(o string) bool { return len([]rune(o)) > maxObjective })
	if !long && len(q.Objectives) <= maxObjectives {
		return nil
	}
	return rules.Refuse(rules.InvalidArgs, "quest.many", maxObjectives, maxObjective)
}

// objectiveOf returns the objective that words mean, in its own spelling, or "". Models often change capitals.
func objectiveOf(q *world.Quest, words string) string {
	for _, o := range q.Objectives {
		if strings.EqualFold(o, words) {
			return o
		}
	}
	return ""
}

func questObj(q *world.Quest) *rules.Obj {
	list := lists.Map(q.Objectives, func(o string) *rules.Obj {
		return rules.NewObj().Text("text", o).Flag("done", slices.Contains(q.Met, o))
	})
	inner := rules.NewObj().Text("id", q.ID).Text("title", q.Title).Text("state", q.State).Objs("objectives", list)
	return rules.NewObj().Obj("quest", inner)
}

// questNamed finds a quest by its id, or by its title, which people use.
func questNamed(w *world.World, a rules.Args) *world.Quest {
	name := a.Text("id")
	if q := w.Quest(name); q != nil {
		return q
	}
	name = cmp.Or(name, a.Text("title"))
	for _, q := range w.Quests() {
		if strings.EqualFold(q.Title, name) && !rules.Over(q) {
			return q
		}
	}
	return nil
}

func changeQuest(s *rules.Step, a rules.Args) *rules.Verdict {
	q := questNamed(s.World, a)
	switch {
	case q == nil:
		return rules.Refuse(rules.EntityNotFound, "quest.unknown", rules.NameOrID(a.Text("id"), a.Text("title")))
	case rules.Over(q):
		return rules.Refuse("quest_over", "quest.over", q.Title)
	}
	next := *q
	switch a.Text("action") {
	case "complete":
		next.State, next.Met = world.Done, slices.Clone(q.Objectives)
	case "fail":
		next.State = world.Failed
	default:
		words := a.Text("objective")
		if words == "" {
			return rules.Refuse(rules.InvalidArgs, "arg_missing", "objective")
		}
		o := objectiveOf(q, words)
		done := a.Flag("done", o != "")
		if o == "" {
			o = words
			next.Objectives = world.Append(q.Objectives, o)
		}
		if bad := checkQuest(&next); bad != nil {
			return bad
		}
		if next.State = world.Active; done != slices.Contains(q.Met, o) {
			if next.Met = world.Remove(q.Met, o); done {
				next.Met = append(next.Met, o)
			}
		}
	}
	s.Put(&next)
	met, all := len(next.Met), len(next.Objectives)
	return rules.Accept(questObj(&next), "quest."+next.State, next.Title, met, all)
}
