package atlas

// maxCell is the most metres between the rooms of a map: less than half a minute's walk at 4,500 metres an hour.
const maxCell = 30

// Lay returns where the rooms of a layout lie on the ground, in whole metres: the grid with its middle at the centre, as wide
// as the radius allows and at most 30 m from room to room. The points are distinct; where the radius has no room for that
// many, they go beyond it, a metre apart. Z is the centre's.
func Lay(l Layout, centre Point, radius int64) []Point {
	if len(l.Rooms) == 0 {
		return nil
	}
	west, north := l.Rooms[0].GX, l.Rooms[0].GY
	east, south := west, north
	for _, r := range l.Rooms {
		west, east = min(west, r.GX), max(east, r.GX)
		north, south = min(north, r.GY), max(south, r.GY)
	}
	points := make([]Point, len(l.Rooms))
	for cell := int64(maxCell); ; cell-- {
		inside := true
		for i, r := range l.Rooms {
			// Twice the way from the middle is whole. A shift rounds all halves the same way, so no two points meet.
			dx, dy := int64(2*r.GX-west-east)*cell>>1, int64(2*r.GY-north-south)*cell>>1
			points[i] = Point{centre.X + dx, centre.Y + dy, centre.Z}
			inside = inside && isWithin(Point{X: dx, Y: dy}, Point{}, radius)
		}
		if inside || cell == 1 {
			return points
		}
	}
}
