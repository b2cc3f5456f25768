//go:build race

package inside_test

const raceDetector = true
