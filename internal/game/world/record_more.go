package world

// How an object is related to what holds it. No relation is "in" for containers and "on" for places, as one likes.
const (
	In   = "in"
	On   = "on"
	Held = "held"
	Worn = "worn"
	Part = "part"
)

// Thing is an object. At any time it has exactly one parent: an actor, a place, another object, or nothing at all.
type Thing struct {
	ID    string
	Order int64

	Name, Desc string
	Attrs      map[string]string // prose, as [Place.Attrs]
	Parent     string            // an actor, a place or an object, in this order where several have the id; "" is a root
	Rel        string            // In, On, Held, Worn, Part or ""
	Qty        int64             // how many of the same it is; 0 counts as 1

	Container, Closed, Locked bool
	Lock                      string // the object that opens it, or ""
	Capacity                  int64  // how many objects it holds, 0: any number
	Fixed                     bool   // cannot be taken
	Hidden                    bool   // nobody is told of it before it was found
	Find                      int64  // see [Link.Find]
	Stats                     map[string]int64

	Extra string // see [Place.Extra]
}

// Kind implements [Record].
func (*Thing) Kind() Kind { return ThingKind }

// Key implements [Record].
func (t *Thing) Key() string { return t.ID }

func (t *Thing) visit(v visitor) {
	v.words("attrs", &t.Attrs)
	v.num("capacity", &t.Capacity)
	v.flag("closed", &t.Closed)
	v.flag("container", &t.Container)
	v.text("desc", &t.Desc)
	v.raw("extra", &t.Extra)
	v.num("find", &t.Find)
	v.flag("fixed", &t.Fixed)
	v.flag("hidden", &t.Hidden)
	v.text("id", &t.ID)
	v.text("lock", &t.Lock)
	v.flag("locked", &t.Locked)
	v.text("name", &t.Name)
	v.num("order", &t.Order)
	v.text("parent", &t.Parent)
	v.num("qty", &t.Qty)
	v.text("rel", &t.Rel)
	v.nums("stats", &t.Stats)
}

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

func (q *Quest) visit(v visitor) {
	v.text("ending", &q.Ending)
	v.flag("ends", &q.Ends)
	v.text("giver", &q.Giver)
	v.text("id", &q.ID)
	v.list("met", &q.Met)
	v.list("objectives", &q.Objectives)
	v.num("order", &q.Order)
	v.text("state", &q.State)
	v.text("title", &q.Title)
	v.words("when", &q.When)
}

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
}

// Kind implements [Record].
func (*Clock) Kind() Kind { return ClockKind }

// Key implements [Record].
func (c *Clock) Key() string { return c.ID }

func (c *Clock) visit(v visitor) {
	v.flag("closed", &c.Closed)
	v.text("fails", &c.Fails)
	v.num("filled", &c.Filled)
	v.text("id", &c.ID)
	v.text("name", &c.Name)
	v.flag("on_fail", &c.OnFail)
	v.text("on_full", &c.OnFull)
	v.num("order", &c.Order)
	v.num("per_minutes", &c.PerMinutes)
	v.num("segments", &c.Segments)
	v.num("since", &c.Since)
	v.flag("visible", &c.Visible)
}

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

func (f *Fact) visit(v visitor) {
	v.list("about", &f.About)
	v.text("id", &f.ID)
	v.num("importance", &f.Importance)
	v.num("order", &f.Order)
	v.text("place", &f.Place)
	v.flag("secret", &f.Secret)
	v.text("text", &f.Text)
	v.num("turn", &f.Turn)
	v.list("witnesses", &f.Witnesses)
}

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

func (l *Lore) visit(v visitor) {
	v.flag("constant", &l.Constant)
	v.num("cooldown", &l.Cooldown)
	v.text("id", &l.ID)
	v.list("keys", &l.Keys)
	v.text("logic", &l.Logic)
	v.num("order", &l.Order)
	v.num("priority", &l.Priority)
	v.list("secondary", &l.Secondary)
	v.flag("secret", &l.Secret)
	v.num("sticky", &l.Sticky)
	v.text("text", &l.Text)
}

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

func (e *Encounter) visit(v visitor) {
	v.list("actors", &e.Actors)
	v.nums("initiative", &e.Initiative)
	v.num("round", &e.Round)
	v.num("started", &e.Started)
	v.num("turn", &e.Turn)
}

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

	// Heroes is who further players can be, as package tales writes it: canonical JSON of a list, or "".
	Heroes string

	Extra string // see [Place.Extra]: what is left of an imported save as a whole
	Shape string // the seed whose save it came from: 000, 002, 003, or ""
}

// Kind implements [Record].
func (*Self) Kind() Kind { return SelfKind }

// Key implements [Record].
func (*Self) Key() string { return SelfKind.String() }

func (s *Self) visit(v visitor) {
	v.text("active", &s.Active)
	v.list("allow", &s.Allow)
	v.flag("allow_all", &s.AllowAll)
	v.text("calendar", &s.Calendar)
	v.flag("clock_set", &s.ClockSet)
	v.text("desc", &s.Desc)
	v.text("dice_policy", &s.DicePolicy)
	v.flag("ended", &s.Ended)
	v.text("ended_reason", &s.EndedReason)
	v.num("ended_turn", &s.EndedTurn)
	v.raw("extra", &s.Extra)
	v.text("genre", &s.Genre)
	v.text("goal_status", &s.GoalStatus)
	v.text("goal_text", &s.GoalText)
	v.raw("heroes", &s.Heroes)
	v.text("lang", &s.Lang)
	v.list("lines", &s.Lines)
	v.num("max_calls", &s.MaxCalls)
	v.text("milestone", &s.Milestone)
	v.text("milestone_summary", &s.MilestoneSummary)
	v.num("minute", &s.Minute)
	v.text("mode", &s.Mode)
	v.nums("pace", &s.Pace)
	v.list("party", &s.Party)
	v.nums("rules", &s.Rules)
	v.nums("searched", &s.Searched)
	v.text("session", &s.Session)
	v.text("shape", &s.Shape)
	v.text("style", &s.Style)
	v.text("title", &s.Title)
	v.text("turn_mode", &s.TurnMode)
	v.list("veils", &s.Veils)
	v.text("weather", &s.Weather)
}
