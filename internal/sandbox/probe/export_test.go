//go:build linux

package probe

// Gap is an attack that walls do not promise to stop.
type Gap struct{ Attack, Property, Why string }

// Gaps lists the attacks that w does not promise to stop, in the order of the properties.
func Gaps(w Walls) []Gap {
	var gaps []Gap
	for _, a := range attacks() {
		if why := a.gapIn(w); why != "" {
			gaps = append(gaps, Gap{a.name, a.property, why})
		}
	}
	return gaps
}
