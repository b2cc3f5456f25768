package world

import "strconv"

// The states of an [Actor]. No state at all counts as Alive.
const (
	Alive       = "alive"
	Dying       = "dying"
	Unconscious = "unconscious"
	Restrained  = "restrained_permanent"
	Dead        = "dead"
)

// WalkingPace is the speed of a person of whom nothing else is said, in metres per hour (seed 003).
const WalkingPace = 4500

// Actor is a character of a player, another person, or a monster.
type Actor struct {
	ID    string
	Order int64

	Role       string // pc, npc, monster
	Name, Desc string
	Attrs      map[string]string // prose, as [Place.Attrs]
	Place      string
	Pos        *Point // where within the world, when that is known more exactly than by Place

	HP, HPMax Number
	State     string
	Stats     map[string]int64 // abilities and skills
	// Conditions is until when each holds, in minutes of the world's clock; 0 is until it is taken away. Rounds is for how many
	// more rounds of an encounter each holds.
	Conditions, Rounds map[string]int64
	Speed              Number // metres per hour
	Attitude           int64  // -3 (hates the party) to 3

	Owner  string // the user who plays it, or ""
	Wants  string // of an npc
	Secret string // its hidden knowledge: never in a prompt before it is revealed
	Talk   []Talk // its answers that need no model
	Extra  string `json:",raw"` // see [Place.Extra]

	// Tried is what the actor tried in a bound story since it came to its place, as package rules writes it.
	Tried map[string]int64
}

// Kind implements [Record].
func (*Actor) Kind() Kind { return ActorKind }

// Key implements [Record].
func (a *Actor) Key() string { return a.ID }

func (a *Actor) rank() (order int64, id string) { return a.Order, a.ID }

// Talk is an answer of an actor to a question. The first without keys whose condition holds is the greeting.
type Talk struct {
	Topic string   // what it is called among the things that can be asked about; "" is not listed
	Keys  []string // one of them in the words asks for it
	Text  string   // what is said, in the words of who says it
	When  string   // the [Condition] under which it is said; "" is always
	// Skill and DC are a check that the one who asks must pass first; "" is none.
	Skill   string
	DC      int64
	Reveals string // a fact that the party knows from then on, or ""
	Gives   string // an object that changes hands, or ""
	Said    bool   // it was given before: it gives and reveals nothing more
}

// OpenTalk returns the indexes of the [Talk] of an actor whose conditions hold.
func (w *World) OpenTalk(a *Actor) (list []int) {
	for i := range a.Talk {
		if w.Holds(Condition(a.Talk[i].When)) {
			list = append(list, i)
		}
	}
	return list
}

// Number is a whole number that may be unknown.
type Number struct {
	Known bool
	N     int64
}

// Known returns a number that is known.
func Known(n int64) Number { return Number{Known: true, N: n} }

// Or returns n's value, or other when it is unknown.
func (n Number) Or(other int64) int64 {
	if n.Known {
		return n.N
	}
	return other
}

// AppendJSON implements [Value].
func (n *Number) AppendJSON(b []byte) []byte {
	if !n.Known {
		return b
	}
	return strconv.AppendInt(b, n.N, 10)
}

// ReadJSON implements [Value].
func (n *Number) ReadJSON(s *Scanner) { *n = Known(s.Int()) }

// String returns the number, "?" where it is unknown.
func (n Number) String() string {
	if !n.Known {
		return "?"
	}
	return strconv.FormatInt(n.N, 10)
}
