// Package editdistance says how far apart two words are.
package editdistance

// Of counts the letters to insert, remove or replace to make one word of the other. The time it takes is the product of their
// lengths.
func Of(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0] // of the row above, one to the left
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
