package world

// Place holds actors and objects: an area of a map (seed 002), a location (seed 000), a zone or sub zone (seed 003).
type Place struct {
	ID    string
	Order int64 // places are listed by it, then by id

	Name, Desc string
	Situation  string            // the present events there (seed 000's currentSituation)
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
	Secret         bool   // players do not see it before they visit it or find a way there
	Search         string // the skill with which it is searched, of a place that invites it; "" is the usual one

	Extra string `json:",raw"` // the members of an imported record that hob has no use for: canonical JSON of an object, or ""
}

// Page is the type of a place that is a page of a tale of choices: where players have read to. Its links are what can be chosen, by the
// names of where they lead.
const Page = "page"

// IsPage reports whether a place is a page.
func (p *Place) IsPage() bool { return p != nil && p.Type == Page }

// Kind implements [Record].
func (*Place) Kind() Kind { return PlaceKind }

// Key implements [Record].
func (p *Place) Key() string { return p.ID }

func (p *Place) rank() (order int64, id string) { return p.Order, p.ID }

// Point is a position in whole millimetres.
type Point struct{ X, Y, Z int64 }

// Step returns how far a direction moves on the grid: one cell, and false for a direction that has no cell of its own.
func Step(dir string) (c Cell, ok bool) {
	c, ok = map[string]Cell{"n": {Y: -1}, "s": {Y: 1}, "e": {X: 1}, "w": {X: -1}}[dir]
	return c, ok
}

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
	Needs   string // an object that a traveller must carry, or ""
	Blocked string // why it cannot be taken at all, or ""
	Hidden  bool   // players do not see it before somebody finds or takes it
	Find    int64  // the difficulty of finding it, 0: the default

	// Declared is the direction in an imported save of seed 000: out (here) or in (at its target), or bidirectional at From ("both")
	// or at To ("htob"); "" is not declared there.
	Declared string
	Extra    string `json:",raw"` // see [Place.Extra]
}

// Kind implements [Record].
func (*Link) Kind() Kind { return LinkKind }

// Key implements [Record].
func (l *Link) Key() string { return linkKey(l.From, l.To) }
