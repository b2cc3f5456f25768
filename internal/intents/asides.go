package intents

import "strings"

// behindAside returns the position behind words of politeness that stand at pos between two commas, as in "cancel, please, reminder 4"; pos
// where there are none.
func (m *matcher) behindAside(pos int) int {
	if !strings.HasSuffix(strings.TrimRight(m.norm[:pos], " "), ",") {
		return pos
	}
	end := strings.IndexByte(m.norm[pos:], ',')
	if end <= 0 || !m.lang.has("asides", strings.TrimRight(m.norm[pos:pos+end], " ")) {
		return pos
	}
	return m.skip(pos + end)
}

// behindComma returns the last of some positions that stands behind a comma, 0 where none does.
func (m *matcher) behindComma(begins map[int]bool) (last int) {
	for begin := range begins {
		if strings.HasSuffix(strings.TrimRight(m.norm[:begin], " "), ",") {
			last = max(last, begin)
		}
	}
	return last
}
