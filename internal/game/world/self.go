package world

// Self is what a world is as a whole. There is exactly one: its id is "world".
type Self struct {
	Session string // of seed 003; also the id of a campaign of seed 002; "": bound to none
	Title   string
	Desc    string
	Genre   string
	Style   string
	Lang    string // en, ru, zh; "" is en

	ClockSet bool   // whether there is a clock at all
	Minute   int64  // of it, since 0001-01-01 00:00; see package calendar
	Calendar string // its name
	Weather  string

	Party  []string // actors, in their order
	Active string   // the one who acts, or ""
	Mode   string   // explore (also ""), talk, combat, setup

	// Allow is what may be called. Nil is what such a campaign has by itself: see AllowAll.
	Allow    []string
	AllowAll bool // every tool

	TurnMode   string           // free (also ""), round, initiative
	DicePolicy string           // locked (also ""), burn
	Lines      []string         // never in the story
	Veils      []string         // only off screen
	MaxCalls   int64            // batches of calls a turn, 0 is 5
	Rules      map[string]int64 // switches (1 is on) and numbers of the rules, such as hp_zero_ends_game

	GoalText, GoalStatus string
	Milestone            string // the current one: intro, milestone_1, milestone_2 ...
	MilestoneSummary     string
	// Pace is last_advanced_turn, turn_trigger_interval, pressure, pressure_threshold, and what the rules remember of turns.
	Pace map[string]int64
	// Searched is how often a place, an object or somebody who cannot help it was searched, by id.
	Searched map[string]int64

	Ended       bool
	EndedReason string
	EndedTurn   int64

	// Integrity is [Bound] or [Free]; see [Self.IsBound]. Acts is the difficulty that a tale gives an act in a bound story, by
	// "TOOL TARGET" or "TOOL" for whatever target: "DC", "SKILL DC", or "never".
	Integrity string
	Acts      map[string]string

	// Heroes is who further players can be, as package tales writes it: canonical JSON of a list, or "".
	Heroes string `json:",raw"`

	Extra string `json:",raw"` // see [Place.Extra]: what is left of an imported save as a whole
	Shape string // the seed whose save it came from: 000, 002, 003, or ""
}

// The integrities of a story.
const (
	Bound = "bound" // calls obey sight, reach, ownership and goals, and what is uncertain wants a check
	Free  = "free"  // what is called happens
)

// IsBound reports whether the story is bound. A campaign from before there was a choice is, unless it came from the save of an older
// system.
func (s *Self) IsBound() bool { return s.Integrity == Bound || s.Integrity == "" && s.Shape == "" }

// Kind implements [Record].
func (*Self) Kind() Kind { return SelfKind }

// Key implements [Record].
func (*Self) Key() string { return SelfKind.String() }
