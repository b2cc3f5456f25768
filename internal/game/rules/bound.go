package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
	"hob/internal/lists"
)

// Gate is what a tool declares for bound stories ([world.Self.IsBound]): what a call may do there, and for which acts a
// check must succeed first. It holds for models, players and programs alike. In such a story a tool without a Judge may
// only read. Calls by the engine itself and changes of settings pass no gate.
type Gate struct {
	// Judge refuses a call, or returns nil to let it pass. See [Attempt.Need] for what wants a check.
	Judge func(t *Attempt, a Args) *Verdict
	// Difficulty returns how hard the act on a target is, or refuses a target on which no check helps. Nil: no check ever does.
	Difficulty func(t *Attempt, target string) (dc int64, no *Verdict)
}

// Open is the Judge of a tool that may always be used.
func Open(*Attempt, Args) *Verdict { return nil }

// Closed is the Judge of a tool that may never be used in a bound story.
func Closed(t *Attempt, _ Args) *Verdict { return t.Never() }

// The codes of the gate. With each nothing was done.
const (
	CheckNeeded Code = "check_needed" // a check for the act must succeed first
	CheckSpent  Code = "check_spent"  // it was tried in this scene, or in this turn
	OutOfReach  Code = "out_of_reach" // it is hidden, elsewhere or shut in
	NotByCall   Code = "not_by_call"  // play decides it, and no call does
)

// The difficulties of acts that no tale gives another one.
const (
	Least      = 12 // of any act that gains or opens something, whatever a tale says
	Uncertain  = 15
	Forbidding = 18
)

// Attempt is a call in a bound story while the tool's gate judges it.
type Attempt struct {
	World *world.World
	Actor *world.Actor // who does it: of the party, and able to act
	Words string       // what the player has said in this turn, "" where that is not known

	book  *Book
	tool  *Tool
	turn  int64
	waits bool // see [Turn.Waits]
	now   *Step
	uses  *use
}

// use is the result of a check that a call uses up. [world.Actor.Tried] keeps results by "TOOL TARGET": 1 for a
// success, -1 for a failure, 0 for a result that was used. By "once WHAT" it keeps the last turn in which somebody did
// something that they may do once a turn.
type use struct{ actor, key string }

// checkGate asks the gate of a call's tool. Nil lets the call run.
func (t *Turn) checkGate(s *Step, tool *Tool, a *Args) *Verdict {
	if !s.bound || tool.Class == Reading && tool.Gate.Judge == nil {
		return nil
	}
	try := &Attempt{World: t.World, Words: t.Words, book: t.Book, tool: tool, turn: t.Number, waits: t.Waits, now: s}
	if tool.Gate.Judge == nil {
		return try.Never()
	}
	if try.Actor = t.doer(s, a); try.Actor == nil && tool.Class != Reading {
		return Refuse(ActorRestricted, "gate.nobody")
	}
	no := tool.Gate.Judge(try, *a)
	if no == nil && try.uses != nil {
		s.uses = try.uses
	}
	return no
}

// Effective returns the id of who acts in a call of an [Acting] tool.
func (t *Attempt) Effective() string { return t.now.Actor }

// doer returns who of the party acts in a call: whom the call names, else the acting actor, else the first of the party
// who can act; nil if nobody can.
func (t *Turn) doer(s *Step, a *Args) *world.Actor {
	self := t.World.Self()
	named := lists.Map(Doers(), a.Text)
	for _, id := range slices.Concat(named, []string{s.Actor, self.Active}, self.Party) {
		if who := t.World.Actor(id); who != nil && CanAct(who) && slices.Contains(self.Party, id) {
			return who
		}
	}
	return nil
}

// Never refuses what no call can do in a bound story.
func (t *Attempt) Never() *Verdict { return Refuse(NotByCall, "gate.never", t.tool.Name) }

// Decided refuses what only play can decide: an objective, a clock, a trait that the story waits for.
func (t *Attempt) Decided() *Verdict { return Refuse(NotByCall, "gate.decided") }

// Unseen refuses what is not in sight or out of reach. It is the same answer for something hidden and for something
// that does not exist.
func (t *Attempt) Unseen() *Verdict { return Refuse(OutOfReach, "gate.unseen", t.Actor) }

// Holding is who has an object, from the view of the acting actor.
type Holding int

// The holdings of an object.
const (
	OutOfSight Holding = iota // hidden, elsewhere, or in something that is shut
	Loose                     // it lies about, or with somebody who cannot help it
	Own                       // somebody of the party has it
	Others                    // somebody else has it, who is able to keep it
)

// Holding returns who has an object. If somebody else of the party has it, the call is theirs.
func (t *Attempt) Holding(o *world.Thing) Holding {
	if kind, id := t.World.Holder(o.ID); kind == world.ActorKind && InParty(t.World, id) {
		if who := t.World.Actor(id); CanAct(who) {
			t.Actor = who
		}
	}
	return t.holding(o)
}

// holding returns who has an object, as seen by who acts.
func (t *Attempt) holding(o *world.Thing) Holding {
	for range t.World.Size() {
		if o == nil || o.Hidden {
			return OutOfSight
		}
		if who := t.World.Actor(o.Parent); who != nil {
			switch {
			case who.Place != t.Actor.Place:
				return OutOfSight
			case InParty(t.World, who.ID):
				return Own
			case CanAct(who):
				return Others
			}
			return Loose
		}
		if t.World.Place(o.Parent) != nil {
			if o.Parent == t.Actor.Place {
				return Loose
			}
			return OutOfSight
		}
		shut := Encloses(o.Rel)
		if o = t.World.Thing(o.Parent); o != nil && shut && (o.Closed || o.Locked) {
			return OutOfSight
		}
	}
	return OutOfSight
}

// Sees reports whether the acting actor sees the thing with an id: this place, somebody here, or an object that is not
// [OutOfSight].
func (t *Attempt) Sees(id string) bool {
	if who := t.World.Actor(id); who != nil {
		return who.Place == t.Actor.Place
	}
	if id == t.Actor.Place {
		return true
	}
	o := t.World.Thing(id)
	return o != nil && t.holding(o) != OutOfSight
}

// Carried reports whether one of the party who is here carries an object.
func (t *Attempt) Carried(id string) bool {
	kind, holder := t.World.Holder(id)
	return kind == world.ActorKind && InParty(t.World, holder) && t.World.Actor(holder).Place == t.Actor.Place
}

// IsNeeded reports whether the story needs an object: a condition names it, it opens a lock or a way, or somebody has
// it to give.
func (t *Attempt) IsNeeded(o *world.Thing) bool {
	return t.World.InConditions(o.ID) || slices.ContainsFunc(t.World.ReferencesTo(o.ID), func(r world.Record) bool { return r.Kind() != world.FactKind })
}

// Way returns the way to or from a place that the acting actor sees, nil if there is none.
func (t *Attempt) Way(to string) *world.Link {
	here := t.World.Place(t.Actor.Place)
	if here == nil {
		return nil
	}
	for _, from := range [...]string{here.ID, here.Parent} {
		l := t.World.Link(from, to)
		if l == nil {
			l = t.World.Link(to, from)
		}
		if p := t.World.Place(to); l != nil && from != "" && p != nil && !l.Hidden && !Secret(p) {
			return l
		}
	}
	return nil
}

// Need refuses an act on a target unless a check for it has succeeded in this scene. The act uses that check up.
func (t *Attempt) Need(target string) *Verdict { return t.need(target, true) }

// NeedFailure is Need for something bad that may only happen to somebody whose check has failed.
func (t *Attempt) NeedFailure(target string) *Verdict { return t.need(target, false) }

func (t *Attempt) need(target string, passed bool) *Verdict {
	if _, _, no := t.difficulty(target); no != nil {
		return no
	}
	key := actKey(t.tool.Name, target)
	for _, who := range t.present() {
		n, tried := who.Tried[key]
		if tried && n != 0 && (n > 0) == passed {
			t.uses = &use{who.ID, key}
			return nil
		}
		if tried {
			return Refuse(CheckSpent, "gate.tried", t.tool.Name)
		}
	}
	return Refuse(CheckNeeded, "gate.check", t.tool.Name, target)
}

// present returns those of the party who are where the act is done.
func (t *Attempt) present() []*world.Actor {
	return slices.DeleteFunc(t.World.Party(), func(who *world.Actor) bool { return who.Place != t.Actor.Place })
}

// difficulty returns how hard an act is and which skill it needs ("" for any): as the tale says, or else as the tool
// does.
func (t *Attempt) difficulty(target string) (dc int64, skill string, no *Verdict) {
	if t.tool.Gate.Difficulty == nil {
		return 0, "", t.Never()
	}
	acts := t.World.Self().Acts
	said := cmp.Or(acts[actKey(t.tool.Name, target)], acts[t.tool.Name])
	if said == NeverAct {
		return 0, "", t.Never()
	}
	dc, no = t.tool.Gate.Difficulty(t, target)
	if written, n, ok := ReadAct(said); ok && (no == nil || no.Code == NotByCall) { // what a tale allows, the engine does
		return max(Least, n), written, nil
	}
	return max(Least, dc), "", no
}

// NeverAct is what a tale writes for an act that no check can make possible.
const NeverAct = "never"

// ReadAct reads how hard a tale says that an act is: "DC" or "SKILL DC".
func ReadAct(said string) (skill string, dc int64, ok bool) {
	words := strings.Fields(said)
	if len(words) == 0 || len(words) > 2 {
		return "", 0, false
	}
	if len(words) == 2 {
		skill = words[0]
	}
	dc, err := strconv.ParseInt(words[len(words)-1], 10, 64)
	return skill, dc, err == nil
}

// Swayed returns how hard it is to win somebody over.
func Swayed(who *world.Actor) int64 { return Least + 3*max(0, -who.Attitude) }

// Finding is how hard it is to find something here that the tale does not mention: new ground beside or inside this
// place, or somebody.
func Finding(t *Attempt, target string) (int64, *Verdict) {
	if target != t.Actor.Place {
		return 0, t.Unseen()
	}
	return Uncertain, nil
}

// Winning is how hard it is to win over somebody who is in sight and outside of the party.
func Winning(t *Attempt, target string) (int64, *Verdict) {
	who := t.World.Actor(target)
	switch {
	case who == nil || !t.Sees(target):
		return 0, t.Unseen()
	case InParty(t.World, target) || !CanAct(who):
		return 0, t.Never()
	}
	return Swayed(who), nil
}

// actKey is the key of an act in [world.Actor.Tried] and [world.Self.Acts].
func actKey(tool, target string) string { return tool + " " + target }

// onceKey is the key of something that may be done once a turn. Its number is the last turn in which it was done.
func onceKey(what string) string { return once + what }

const once = "once "

// NewScene removes what somebody has tried in the scene that they leave. What they may do only once a turn stays, since
// the turn may go on.
func NewScene(tried map[string]int64) (left map[string]int64) {
	for key, n := range tried {
		if strings.HasPrefix(key, once) {
			left = world.With(left, key, n)
		}
	}
	return left
}

// Once refuses what somebody has already done in this turn. Otherwise it counts, if the call is executed.
func (t *Attempt) Once(who *world.Actor, what string) *Verdict {
	if n, tried := who.Tried[onceKey(what)]; tried && n == t.turn {
		return Refuse(CheckSpent, "gate.once", who, t.tool.Name)
	}
	t.now.once = append(t.now.once, use{who.ID, onceKey(what)})
	return nil
}

// Wait refuses time that would end the story. While a clock runs that can end it, it also refuses more than the given
// number of minutes (0 is no limit). A player's own wish to wait has no limit. Time passes only once a turn.
func (t *Attempt) Wait(minutes, most int64) *Verdict {
	if c, left := TimeLeft(t.World); c != nil && !t.waits {
		if minutes > left {
			return Refuse(NotByCall, "gate.time", c.Name, left)
		}
		if most > 0 && minutes > most {
			return Refuse(NotByCall, "gate.wait", c.Name, most)
		}
	}
	return t.Once(t.Actor, "wait")
}

// Ignore drops an argument that would let the caller decide the odds. In a bound story it does not count.
func (t *Attempt) Ignore(name string) { t.now.args.drop(name) }

// Plan prepares a check for an act: the use of a tool on a target, with a skill. [Step.Act] then returns how hard it
// is.
func (t *Attempt) Plan(tool, target, skill string) *Verdict {
	of := t.book.Tool(tool)
	if of == nil || of.Gate.Difficulty == nil || target == "" {
		return Refuse(InvalidArgs, "gate.no_act", tool)
	}
	act := *t
	act.tool = of
	dc, wanted, no := act.difficulty(target)
	if no != nil {
		return no
	}
	if wanted != "" && wanted != skill {
		return Refuse(InvalidArgs, "gate.skill", wanted)
	}
	if no := t.Once(t.Actor, "check"); no != nil {
		return no
	}
	key := actKey(tool, target)
	for _, who := range t.present() {
		if _, tried := who.Tried[key]; tried {
			return Refuse(CheckSpent, "gate.tried", tool)
		}
	}
	t.now.act = &plan{dc: dc, key: key}
	return nil
}

// plan is the act that a check is for.
type plan struct {
	dc  int64
	key string
}

// Act returns how hard the act is that a check is for. ok is false if the check is for no act.
func (s *Step) Act() (dc int64, ok bool) {
	if s.act == nil {
		return 0, false
	}
	return s.act.dc, true
}

// Judged records how the check for an act ended.
func (s *Step) Judged(actor string, passed bool) {
	n := int64(1)
	if !passed {
		n = -1
	}
	s.try(actor, s.act.key, n)
}

// try records the result of something that somebody tried.
func (s *Step) try(actor, key string, n int64) {
	if a := s.World.Actor(actor); a != nil {
		Change(s, a, func(next *world.Actor) { next.Tried = world.With(next.Tried, key, n) })
	}
}

// countAttempts records what an executed call used up.
func (s *Step) countAttempts() {
	if s.uses != nil {
		s.try(s.uses.actor, s.uses.key, 0)
	}
	for _, u := range s.once {
		s.try(u.actor, u.key, s.Turn)
	}
}
