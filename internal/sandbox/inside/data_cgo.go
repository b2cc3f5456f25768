//go:build linux && cgo

package inside

// leastData is the smallest limit on data, in bytes: the helper lives under it, too, and where it is built with the C
// library each of its threads counts with a whole stack. A smaller one is only watched.
const leastData = 512 << 20
