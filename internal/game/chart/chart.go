// Package chart draws maps of a game: as SVG, as PNG and as text for a terminal. It does not know the world. Its caller gives
// the rooms, their positions and their links, and only those that the reader may know: a secret that is not in a Map is not in
// its picture.
//
// A map first becomes a plan: clean names, at most MaxRooms rooms, each on a place of its own, and one line for each pair of
// linked rooms. A display list is made of the plan, and SVG and PNG are its two writers. It holds only whole pixels, so that
// equal maps are equal bytes on every machine. Text writes the plan in letters.
//
// The kind of a place is its shape: rooms and halls have straight walls, towers eight sides, caves rock, open ground grass or
// trees, water waves. Each colour has a shape with the same meaning: the current room has a thick edge, places not visited have
// dashed edges, doors are bars, and locked doors have a padlock. A key below the map shows the signs that it has.
package chart

// MaxRooms is the most rooms that are laid out or drawn. A larger map shows the rooms that are fewest links away from the
// current one, and its legend says how many places there are.
const MaxRooms = 2000

// Layer is the meaning of the coordinates of rooms.
type Layer string

// The layers.
const (
	Areas Layer = "area" // X and Y are cells of a grid; rooms are boxes
	Zones Layer = "zone" // X and Y are metres; rooms are circles with a radius
)

// Map is the content of a picture. X grows to the east and Y to the south in both layers.
type Map struct {
	Title  string
	Lang   string // of the legend: "en", "ru" or "zh"; another is English
	Layer  Layer  // another than Zones is Areas
	Rooms  []Room
	Links  []Link
	Beyond int   // known places that are not among Rooms; the legend counts them
	Dark   bool  // light on dark instead of dark on light
	North  bool  // directions mean something: an arrow points to the north
	Trail  []int // where the party went, as indices of Rooms, the oldest first
}

// Room is a place on a map.
type Room struct {
	ID, Name string // the ID is shown where the name is blank
	X, Y     int64
	Radius   int64 // metres, for zones
	Visited  bool
	Known    bool // not visited, but its name is known; a room that is neither is a "?"
	Current  bool // the first such room is where the reader is
	Up, Down bool // ways that lead off the map; those between rooms follow from the links
	Party    []string
	Kind     Kind // of a room that was visited
	People   int  // who are there beside the party
	Things   int  // that lie there
}

// Door is the door of a link.
type Door string

// The doors. No door is the zero value; any other text is no door either.
const (
	Open   Door = "open"
	Closed Door = "closed"
	Locked Door = "locked"
)

// Link joins two rooms, given by their indices in Map.Rooms. Links with indices outside it, and from a room to itself, are
// left out. Two links of one pair are one line: it is one way only if both are, in the same direction, and has the stronger
// of their doors.
type Link struct {
	From, To int
	OneWay   bool
	Door     Door
	Dir      string // from From: n, ne, e, se, s, sw, w, nw, u (up), d (down), or blank where it is not known
}

// Picture is a PNG with what belongs below it.
type Picture struct {
	PNG           []byte
	Width, Height int
	Legend        []string // lines: names of numbered rooms, who is who, what the signs mean
}

// Caption joins the lines of a legend that fit into a number of UTF-16 units, in which Telegram counts. It returns the other
// lines; both together hold each line once.
func Caption(legend []string, units int) (caption string, rest []string) {
	used := 0
	for i, line := range legend {
		n := 1
		for _, r := range line {
			n++
			if r > 0xffff {
				n++
			}
		}
		if i == 0 {
			n--
		}
		if used += n; used > units {
			return caption, legend[i:]
		}
		if i > 0 {
			caption += "\n"
		}
		caption += line
	}
	return caption, nil
}
