package world

// The relation of an object to its parent. No relation may be read as "in" for containers and "on" for places.
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
	Hidden                    bool   // players do not see it before somebody finds it
	Find                      int64  // see [Link.Find]
	Stats                     map[string]int64

	Extra string `json:",raw"` // see [Place.Extra]
}

// Kind implements [Record].
func (*Thing) Kind() Kind { return ThingKind }

// Key implements [Record].
func (t *Thing) Key() string { return t.ID }

func (t *Thing) rank() (order int64, id string) { return t.Order, t.ID }
