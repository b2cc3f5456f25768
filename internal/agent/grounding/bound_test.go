package grounding

import (
	"fmt"
	"strings"
	"testing"
)

// hostile are texts that make each part of the search work as much as it can.
func hostile(size int) map[string]string {
	fill := func(piece func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(piece(i))
		}
		return b.String()[:size]
	}
	return map[string]string{
		"numbers":          fill(func(i int) string { return fmt.Sprint(i*7+3, " ") }),
		"one number":       strings.Repeat("9", size),
		"decimals in rows": fill(func(i int) string { return fmt.Sprintf("%d.%02d;%d.5;%d\n", i, i%100, i*3, i) }),
		"points":           strings.Repeat("1.", size/2),
		"slashes":          strings.Repeat("1/", size/2),
		"paths":            fill(func(i int) string { return fmt.Sprint("/srv/x", i, "/y.txt ") }),
		"names":            fill(func(i int) string { return fmt.Sprint("der Abc", strings.Repeat("x", i%40), " Dr. Xyz") }),
		"clocks":           fill(func(i int) string { return fmt.Sprintf("%d:%02d ", i%24, i%60) }),
		"dates":            fill(func(i int) string { return fmt.Sprintf("Monday, %d.%d.%d ", i%28+1, i%12+1, 1990+i%40) }),
		"units":            fill(func(i int) string { return fmt.Sprint(i, " km and ", i, " min, ") }),
		"commas":           strings.Repeat("1,", size/2),
		"blanks":           "1" + strings.Repeat(" ", size-2) + "1",
		"Chinese":          fill(func(i int) string { return fmt.Sprintf("%c%c王三个", 0x4e00+i%20000, 0x4e00+i*7%20000) }),
		"words":            fill(func(i int) string { return fmt.Sprint("twenty-three times Wort", i, " ") }),
	}
}

// Whatever the texts are, a check takes at most so many steps: one more search of the sources than [maxSteps] allows.
func TestBound(t *testing.T) {
	results := hostile(64 << 10)
	for name, answer := range hostile(8 << 10) {
		for _, other := range []string{name, "numbers", "decimals in rows", "Chinese"} {
			c := newChecker(answer+" 98765.4 Nobody", Sources{Results: []string{results[other]}, Others: []string{"What is there?"}})
			c.check()
			if most := maxSteps + 4*len(c.low) + offerCost*len(c.claims)*2; c.steps > most {
				t.Errorf("answer of %s, result of %s: %d steps, want at most %d", name, other, c.steps, most)
			}
		}
	}
}

// Each number of an endless sum is read once or twice.
func TestBound_Equations(t *testing.T) {
	c := newChecker(strings.Repeat("1 + ", 2<<10)+"7 = 9", Sources{Results: []string{"What is there?"}})
	for line := range strings.Lines(c.answer) {
		c.claimsOf(line, "")
	}
	if c.equations(); len(c.claims) < 1000 || c.steps > 2*len(c.claims) {
		t.Errorf("%d steps for %d numbers", c.steps, len(c.claims))
	}
}

// A check of an answer of 8 KB against results of 300 KB.
func BenchmarkCheck(b *testing.B) {
	for _, kind := range []string{"numbers", "decimals in rows", "names"} {
		answer, result := hostile(8 << 10)[kind], hostile(300 << 10)[kind]
		b.Run(strings.ReplaceAll(kind, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				Check(answer+" 98765.4 Nobody", Sources{Results: []string{result}})
			}
		})
	}
}
