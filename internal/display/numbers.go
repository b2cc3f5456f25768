package display

import (
	"fmt"
	"strings"
	"time"
)

// Count is a number of things in English: "1 file", "3 files", "2 entries", "5 matches". The last word is the one that changes.
func Count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func plural(noun string) string {
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(noun, end) {
			return noun + "es"
		}
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return stem + "ies"
	}
	return noun + "s"
}

// Bytes is a measured size in units of a thousand, as disks and networks are sold, with at most three digits: "312 B", "1.5 kB",
// "47.3 MB", "120 GB". [Limit] is for sizes that somebody has set.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, units := float64(n)/1000, []string{"kB", "MB", "GB", "TB"}
	for len(units) > 1 && value >= 999.5 {
		value, units = value/1000, units[1:]
	}
	if value < 99.95 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", value), ".0") + " " + units[0]
	}
	return fmt.Sprintf("%.0f %s", value, units[0])
}

// Limit is a size that somebody has set, exactly: in the largest unit of which it is a whole number, such as "2 GiB" or "5 MB".
func Limit(n int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"kB", 1e3}} {
		if n >= unit.size && n%unit.size == 0 {
			return fmt.Sprintf("%d %s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// Duration is a length of time without the units at its end that are zero: "30m", "9m30s", "2h".
func Duration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
