//go:build linux && !cgo

package inside

// leastData is the smallest limit on data, in bytes: the helper lives under it, too. A smaller one is only watched.
const leastData = 128 << 20
