// Package phrase writes numbers, names and faults as they stand in the sentences of all families of tools.
package phrase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count writes a number of things: "1 file", "3 files".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Bytes writes a size in bytes as people read it: "512 B", "1.5 MiB".
func Bytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	value, units := float64(n)/(1<<10), []string{"KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && value >= 1<<10 {
		value, units = value/(1<<10), units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// Brief is a command in one line of at most 60 characters.
func Brief(command string) string {
	command = strings.Join(strings.Fields(command), " ")
	if r := []rune(command); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return command
}

// Quote writes a file's name in a sentence: as it is when it is plain, quoted when it could be misread. Of
// more than 200 bytes the last 200 are left.
func Quote(name string) string {
	if len(name) > 200 {
		name = "..." + strings.ToValidUTF8(name[len(name)-200:], "")
	}
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` || strings.Contains(name, " ") {
		return quoted
	}
	return name
}

// Plain is err without the operation and the path, which may name folders of this machine.
func Plain(err error) string {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// CutAt returns the last place at or before n that is between two runes of s.
func CutAt(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

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
