package world

import "strconv"

// Kind is what sort of record something is.
type Kind uint8

// The kinds of record, in the order in which a state lists them.
const (
	PlaceKind Kind = iota + 1
	LinkKind
	ActorKind
	ThingKind
	QuestKind
	ClockKind
	FactKind
	LoreKind
	EncounterKind
	SelfKind
	kinds = int(SelfKind)
)

// kindNames returns the names of the kinds, one and many, by kind.
func kindNames() [kinds + 1][2]string {
	return [...][2]string{
		PlaceKind: {"place", "places"}, LinkKind: {"link", "links"}, ActorKind: {"actor", "actors"}, ThingKind: {"object", "objects"},
		QuestKind: {"quest", "quests"}, ClockKind: {"clock", "clocks"}, FactKind: {"fact", "facts"}, LoreKind: {"lore", "lore"},
		EncounterKind: {"encounter", "encounters"}, SelfKind: {"world", "worlds"},
	}
}

// String returns the kind's name, such as "actor".
func (k Kind) String() string { return kindNames()[k][0] }

// Plural returns the name of many of the kind, such as "actors": where they stand in a state.
func (k Kind) Plural() string { return kindNames()[k][1] }

// Record is one thing in a [World]. A record is never changed once a world has it: whoever changes something puts a changed
// copy in its place, with copies of the maps and lists that differ ([With], [Without], [Append]).
type Record interface {
	Kind() Kind
	Key() string // by which a world finds it among its kind
	visit(v visitor)
}

// Place is where actors and objects are: an area of a map (seed 002), a location (seed 000), a zone or sub zone (seed 003).
type Place struct {
	ID    string
	Order int64 // places are listed by it, then by id

	Name, Desc string
	Situation  string            // what is going on there just now (seed 000's currentSituation)
	Attrs      map[string]string // prose; nil is not the same as empty: an imported save may have had none
	Parent     string            // the place it lies within, "" at the root
	Type       string            // area, location, zone, sub_zone
	Tags       []string

	ZoneType, Size string // of a zone: road, forest ...; small, medium, large
	Radius         int64  // metres
	Overland       bool   // people walk to it across country, in a straight line
	Pos            *Point // nil: it lies nowhere in particular
	Laid           bool   // Pos was laid out by hob
	Grid           *Cell  // where its room is drawn among its siblings
	Visited        bool
	Secret         bool   // nobody is told of it before it was visited, or a way there was found
	Search         string // the skill with which it is searched, of a place that invites it; "" is the usual one

	Extra string // the members of an imported record that hob has no use for: canonical JSON of an object, or ""
}

// Kind implements [Record].
func (*Place) Kind() Kind { return PlaceKind }

// Key implements [Record].
func (p *Place) Key() string { return p.ID }

func (p *Place) visit(v visitor) {
	v.words("attrs", &p.Attrs)
	v.text("desc", &p.Desc)
	v.raw("extra", &p.Extra)
	v.cell("grid", &p.Grid)
	v.text("id", &p.ID)
	v.flag("laid", &p.Laid)
	v.text("name", &p.Name)
	v.num("order", &p.Order)
	v.flag("overland", &p.Overland)
	v.text("parent", &p.Parent)
	v.point("pos", &p.Pos)
	v.num("radius", &p.Radius)
	v.text("search", &p.Search)
	v.flag("secret", &p.Secret)
	v.text("situation", &p.Situation)
	v.text("size", &p.Size)
	v.list("tags", &p.Tags)
	v.text("type", &p.Type)
	v.flag("visited", &p.Visited)
	v.text("zone_type", &p.ZoneType)
}

// Point is a position in whole millimetres.
type Point struct{ X, Y, Z int64 }

// Cell is a cell of a map's grid: x to the east, y to the south.
type Cell struct{ X, Y int64 }

// The states of the door of a [Link].
const (
	NoDoor     = "" // an open passage
	OpenDoor   = "open"
	ClosedDoor = "closed"
	LockedDoor = "locked"
)

// LinkKey names a link: one way from a place to another.
type LinkKey struct{ From, To string }

// Link is a way that can be taken from one place to another, in that direction only. A passage that goes both ways is two links.
type Link struct {
	From, To string
	Order    int64 // the links of a place are listed by it, then by where they lead

	Dir     string // n, e, s, w, u, d and the like, or ""
	Door    string // [NoDoor], [OpenDoor], [ClosedDoor], [LockedDoor]
	DoorID  string // the object that is the door, or ""
	Lock    string // the object that opens it, or ""
	Minutes int64  // how long it takes, 0: as far as the places lie apart
	Needs   string // an object that whoever takes it must carry, or ""
	Blocked string // why it cannot be taken at all, or ""
	Hidden  bool   // nobody is told of it before somebody found or took it
	Find    int64  // how hard it is to find, 0: as hard as what has no number of its own

	// Declared is how an imported save of seed 000 said it: out (here) or in (at its target), or bidirectional at From ("both")
	// or at To ("htob"); "" is not declared there.
	Declared string
	Extra    string // see [Place.Extra]
}

// Kind implements [Record].
func (*Link) Kind() Kind { return LinkKind }

// Key implements [Record].
func (l *Link) Key() string { return linkKey(l.From, l.To) }

func (l *Link) visit(v visitor) {
	v.text("blocked", &l.Blocked)
	v.text("declared", &l.Declared)
	v.text("dir", &l.Dir)
	v.text("door", &l.Door)
	v.text("door_id", &l.DoorID)
	v.raw("extra", &l.Extra)
	v.num("find", &l.Find)
	v.text("from", &l.From)
	v.flag("hidden", &l.Hidden)
	v.text("lock", &l.Lock)
	v.num("minutes", &l.Minutes)
	v.text("needs", &l.Needs)
	v.num("order", &l.Order)
	v.text("to", &l.To)
}

// The states of an [Actor]. No state at all counts as Alive.
const (
	Alive       = "alive"
	Dying       = "dying"
	Unconscious = "unconscious"
	Restrained  = "restrained_permanent"
	Dead        = "dead"
)

// Actor is somebody: a player's character, anybody else, or a monster.
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
	Secret string // what it knows and does not say: never shown to a model before it is revealed
	Talk   []Talk // what it can be asked about, without a model
	Extra  string // see [Place.Extra]
}

// Kind implements [Record].
func (*Actor) Kind() Kind { return ActorKind }

// Key implements [Record].
func (a *Actor) Key() string { return a.ID }

func (a *Actor) visit(v visitor) {
	v.num("attitude", &a.Attitude)
	v.words("attrs", &a.Attrs)
	v.nums("conditions", &a.Conditions)
	v.text("desc", &a.Desc)
	v.raw("extra", &a.Extra)
	v.maybe("hp", &a.HP)
	v.maybe("hp_max", &a.HPMax)
	v.text("id", &a.ID)
	v.text("name", &a.Name)
	v.num("order", &a.Order)
	v.text("owner", &a.Owner)
	v.text("place", &a.Place)
	v.point("pos", &a.Pos)
	v.text("role", &a.Role)
	v.nums("rounds", &a.Rounds)
	v.text("secret", &a.Secret)
	v.maybe("speed", &a.Speed)
	v.text("state", &a.State)
	v.nums("stats", &a.Stats)
	v.talks("talk", &a.Talk)
	v.text("wants", &a.Wants)
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

// String returns the number, "?" where it is unknown.
func (n Number) String() string {
	if !n.Known {
		return "?"
	}
	return strconv.FormatInt(n.N, 10)
}
