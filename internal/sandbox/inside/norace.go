//go:build linux && !race

package inside

const raceDetector = false
