package tree

import "strings"

// Likeness says how much two short texts have in common: 1 for the same text, 0 for nothing. It is the share of pairs
// of neighbouring letters that are in both, case aside (the Dice coefficient).
func Likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	pairsA, pairsB := pairs(a), pairs(b)
	if len(pairsA)+len(pairsB) == 0 {
		return 0
	}
	common, total := 0, 0
	for p, n := range pairsA {
		common += min(n, pairsB[p])
		total += n
	}
	for _, n := range pairsB {
		total += n
	}
	return 2 * float64(common) / float64(total)
}

func pairs(s string) map[[2]rune]int {
	const most = 500 // letters; more of a line says no more about it
	counts := map[[2]rune]int{}
	var last rune
	n := 0
	for _, r := range strings.ToLower(s) {
		if n > 0 {
			counts[[2]rune{last, r}]++
		}
		if last, n = r, n+1; n > most {
			break
		}
	}
	return counts
}
