package world

// The states of a [Quest].
const (
	Offered = "offered"
	Active  = "active"
	Done    = "done"
	Failed  = "failed"
)

// Quest is something to be done.
type Quest struct {
	ID         string
	Order      int64
	Title      string
	State      string   // Offered, Active, Done, Failed
	Objectives []string // each text once
	Met        []string // those of Objectives that are done
	Giver      string   // an actor, or ""
	// When is, by objective, the [Condition] under which it is met by itself.
	When map[string]string
	Ends bool // once it is done or failed, the story is over
	// Ending is the last words of the story, told when the quest that ends it is done; "" is none.
	Ending string
}

// Kind implements [Record].
func (*Quest) Kind() Kind { return QuestKind }

// Key implements [Record].
func (q *Quest) Key() string { return q.ID }

func (q *Quest) rank() (order int64, id string) { return q.Order, q.ID }

// Clock is a progress clock: something that comes nearer segment by segment.
type Clock struct {
	ID               string
	Order            int64
	Name             string
	Segments, Filled int64  // 4, 6, 8, 10 or 12; 0 to Segments
	Visible          bool   // players see it
	OnFull           string // what happens then
	PerMinutes       int64  // it ticks by itself every so many minutes of the world's clock; 0: never
	Since            int64  // the minute from which PerMinutes counts
	OnFail           bool   // it ticks with each failed check
	Closed           bool   // it is over
	Fails            string // the quest that fails when it is full, or ""
	Thing            string // the object that it is of, such as a lamp, or what a hero of a tale has of it; "": of none
}

// Kind implements [Record].
func (*Clock) Kind() Kind { return ClockKind }

// Key implements [Record].
func (c *Clock) Key() string { return c.ID }

func (c *Clock) rank() (order int64, id string) { return c.Order, c.ID }

// Fact is something that happened and that its witnesses remember.
type Fact struct {
	ID         string
	Order      int64
	Text       string
	Turn       int64
	Place      string
	About      []string // ids of any kind
	Witnesses  []string // actors
	Importance int64    // 1 to 10
	Secret     bool     // see [Actor.Secret]
}

// Kind implements [Record].
func (*Fact) Kind() Kind { return FactKind }

// Key implements [Record].
func (f *Fact) Key() string { return f.ID }

func (f *Fact) rank() (order int64, id string) { return f.Order, f.ID }

// Lore is what is known about the world, brought up by its keywords.
type Lore struct {
	ID        string
	Order     int64
	Keys      []string // one of them in the words brings it up
	Secondary []string // and, where there are any, as Logic says of these
	Logic     string   // any (also ""), all, none
	Text      string
	Priority  int64
	Sticky    int64 // for so many turns more it stays up
	Cooldown  int64 // for so many turns after that it does not come up again
	Constant  bool  // it is always up
	Secret    bool
}

// Kind implements [Record].
func (*Lore) Kind() Kind { return LoreKind }

// Key implements [Record].
func (l *Lore) Key() string { return l.ID }

func (l *Lore) rank() (order int64, id string) { return l.Order, l.ID }

// Encounter is a fight, or anything else in which people act in an order. There is one at a time: its id is "encounter".
type Encounter struct {
	Round, Turn int64            // Round counts from 1; Turn is an index of Actors
	Actors      []string         // in the order in which they act
	Initiative  map[string]int64 // by actor
	Started     int64            // the minute of the world's clock
}

// Kind implements [Record].
func (*Encounter) Kind() Kind { return EncounterKind }

// Key implements [Record].
func (*Encounter) Key() string { return EncounterKind.String() }
