// Package editdistance says how far apart two words are.
package editdistance

// Of counts the letters to insert, remove or replace to make one word of the other. The time it takes is the product of their
// lengths.
func Of(a, b []rune) int { return of(a, b, false) }

// WithSwaps is [Of] where two neighbours that were swapped are one change.
func WithSwaps(a, b []rune) int { return of(a, b, true) }

func of(a, b []rune, swaps bool) int {
	var rows [3][32]int // most words are shorter
	above2, above, row := rows[0][:], rows[1][:], rows[2][:]
	if len(b) >= len(row) {
		above2, above, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range a {
		above2, above, row = above, row, above2
		row[0] = i + 1
		for j := range b {
			cost := above[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, above[j+1]+1, row[j]+1)
			if swaps && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], above2[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
