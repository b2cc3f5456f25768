package proof

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Step is a turn of a player, without the words of any language.
type Step struct {
	Do    string `json:"do"`             // go, opendoor, open, take, give, put, leave, ask, attack, wait
	ID    string `json:"id"`             // the place, the thing or the person; of a door, the place before it
	To    string `json:"to,omitempty"`   // who or what gets a thing; the place behind a door
	Talk  int    `json:"talk,omitempty"` // which of the lines of a person, from 0
	Tries int    `json:"tries"`          // how often at most if dice decide, else 1
}

// String returns the step as a line of words: go area_mill, give obj_coin npc_osric.
func (s Step) String() string {
	return strings.TrimSpace(s.Do + " " + s.ID + " " + s.To)
}

// Call returns the call of a step in a world, and what a player says with it if that matters; false if the step is
// impossible.
func (s Step) Call(w *world.World, hero string) (call rules.Call, words string, ok bool) {
	args := rules.NewObj()
	var tool string
	switch s.Do {
	case "go":
		args.Text("player_id", hero).Text("target_location_id", s.ID)
		tool = "move_player"
	case "opendoor":
		args.Text("from", s.ID).Text("to", s.To).Text("state", world.OpenDoor)
		tool = "set_link"
	case "open":
		args.Text("object_id", s.ID).Text("state", world.OpenDoor).Text("actor_id", hero)
		tool = "set_container"
	case "take":
		args.Text("object_id", s.ID).Text("target_id", hero)
		tool = "move_object"
	case "give", "put", "leave":
		args.Text("object_id", s.ID).Text("target_id", s.To)
		tool = "move_object"
	case "attack":
		args.Text("attacker_id", hero).Text("target_id", s.ID)
		if weapon := rules.Weapon(w, hero); weapon != nil {
			args.Text("weapon_id", weapon.ID)
		}
		tool = "attack"
	case "wait":
		c := w.Clock(s.ID)
		if c == nil || c.PerMinutes <= 0 {
			return rules.Call{}, "", false
		}
		args.Int("minutes", max(1, min(longestWait, c.Since+c.PerMinutes-w.Self().Minute)))
		tool = "advance_time"
	default:
		return s.ask(w, hero)
	}
	return rules.Call{Tool: tool, Args: args.Bytes(), Actor: hero}, "", true
}

// longestWait is how many minutes a player can wait at once while a clock runs that ends the story.
const longestWait = 60

// ask returns the call that asks somebody for one of their lines.
func (s Step) ask(w *world.World, hero string) (call rules.Call, words string, ok bool) {
	a := w.Actor(s.ID)
	if a == nil || s.Talk < 0 || s.Talk >= len(a.Talk) {
		return rules.Call{}, "", false
	}
	open, t := w.OpenTalk(a), &a.Talk[s.Talk]
	args := rules.NewObj().Text("npc_id", a.ID)
	if len(t.Keys) == 0 {
		return rules.Call{Tool: "talk", Args: args.Text("actor_id", hero).Bytes(), Actor: hero}, "", rules.Greeting(a, open) == s.Talk
	}
	for _, words := range append([]string{t.Topic}, t.Keys...) {
		if words != "" && rules.FindTopic(a.Talk, open, words) == s.Talk {
			args.Text("topic", words).Text("actor_id", hero)
			return rules.Call{Tool: "talk", Args: args.Bytes(), Actor: hero}, words, true
		}
	}
	return rules.Call{}, "", false
}

// isDone reports whether a step has done what it is for.
func (s Step) isDone(w *world.World) bool {
	switch s.Do {
	case "ask":
		a := w.Actor(s.ID)
		return a != nil && s.Talk < len(a.Talk) && a.Talk[s.Talk].Said
	case "attack":
		a := w.Actor(s.ID)
		return a == nil || !rules.CanAct(a)
	case "wait":
		c := w.Clock(s.ID)
		return c == nil || c.Filled >= c.Segments
	}
	return true
}

// mayFail reports whether dice or time decide how often a step must be repeated.
func (s Step) mayFail() bool { return s.Do == "ask" || s.Do == "attack" || s.Do == "wait" }

// Label returns the step in words, as the game calls the choice in a language.
func (s Step) Label(book *rules.Book, lang string, w *world.World, hero string) string {
	say := func(key string, words ...any) string { return book.Text(lang, rules.NewSentence(key, words...)) }
	name := func(id string) any {
		for _, r := range []world.Record{w.Record(world.PlaceKind, id), w.Record(world.ActorKind, id), w.Record(world.ThingKind, id)} {
			if r != nil {
				return r
			}
		}
		return id
	}
	switch p := w.Place(s.ID); {
	case s.Do == "go" && p.IsPage():
		return rules.NameOf(p)
	}
	switch s.Do {
	case "go":
		return say("choices.go", name(s.ID))
	case "opendoor":
		return say("choices.open", name(s.To))
	case "open":
		if t := w.Thing(s.ID); t != nil && t.Locked {
			return say("choices.unlock", t, name(t.Lock))
		}
		return say("choices.lid", name(s.ID))
	case "take", "attack":
		return say("choices."+s.Do, name(s.ID))
	case "give", "put":
		return say("choices."+s.Do, name(s.ID), name(s.To))
	case "leave":
		return say("choices.leave", name(s.ID))
	case "wait":
		return say("choices.pass")
	}
	a := w.Actor(s.ID)
	if _, words, ok := s.Call(w, hero); ok && words != "" {
		return say("choices.ask", a, words)
	}
	return say("choices.talk", name(s.ID))
}

// journey returns the steps of the shortest way to a place, through doors that can be opened, false where there is none.
func journey(w *world.World, hero *world.Actor, to string) ([]Step, bool) {
	type arrival struct {
		minutes int64
		by      *world.Link
	}
	best, done := map[string]arrival{hero.Place: {}}, map[string]bool{}
	for !done[to] {
		here, found := "", false
		for _, p := range w.Places() { // in their order, so that it is always the same of two equally short ways
			if r, known := best[p.ID]; known && !done[p.ID] && (!found || r.minutes < best[here].minutes) {
				here, found = p.ID, true
			}
		}
		if !found {
			return nil, false
		}
		done[here] = true
		for _, l := range w.Outs(here) {
			p := w.Place(l.To)
			if p == nil || l.Hidden || l.Blocked != "" || rules.Secret(p) || l.Needs != "" && !w.Carries(hero.ID, l.Needs) ||
				l.Door == world.LockedDoor && (l.Lock == "" || !w.Carries(hero.ID, l.Lock)) {
				continue
			}
			n := best[here].minutes + max(1, l.Minutes)
			if r, known := best[l.To]; !known || n < r.minutes {
				best[l.To] = arrival{n, l}
			}
		}
	}
	var steps []Step
	for place := to; place != hero.Place; place = best[place].by.From {
		l := best[place].by
		steps = append(steps, Step{Do: "go", ID: l.To, Tries: 1})
		if l.Door == world.ClosedDoor {
			steps = append(steps, Step{Do: "opendoor", ID: l.From, To: l.To, Tries: 1})
		}
	}
	slices.Reverse(steps)
	return steps, true
}
