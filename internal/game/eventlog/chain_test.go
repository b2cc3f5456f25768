package eventlog

import "testing"

// BenchmarkChain reports how many short lines a second the chain of hashes is looked at.
func BenchmarkChain(b *testing.B) {
	h := noHash()
	var lines [][]byte
	for range 10_000 {
		e := entry{kind: "more", turn: 1, after: 17, part: Part{Time: "2024-03-14T08:30:03Z"}}
		sealed, own := seal(e.append(nil), h[:])
		lines, h = append(lines, sealed), own
	}
	b.SetBytes(int64(len(lines) * len(lines[0])))
	for b.Loop() {
		h := noHash()
		for _, l := range lines {
			prev, own, ok := readHashes(l)
			if !ok || string(prev) != string(h[:]) {
				b.Fatal("a line is not sound")
			}
			copy(h[:], own)
		}
	}
	b.ReportMetric(float64(len(lines))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
