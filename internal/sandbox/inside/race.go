//go:build linux && race

package inside

// raceDetector says that this program maps terabytes for the race detector, which no limit on data would allow.
const raceDetector = true
