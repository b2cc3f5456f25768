package narration

import (
	"slices"
	"strings"
)

// foundIDs returns what came to light in this turn: objects, and the places to which ways lead.
func (d *digest) foundIDs() (ids []string) {
	for i := range d.results {
		if d.Outcomes[i].OK() {
			ids = append(ids, d.results[i].Found...)
		}
	}
	return ids
}

// searching flags words by which nothing was found, where something was and the draft does not name it.
func (c *checker) searching() {
	ids := c.d.foundIDs()
	if len(ids) == 0 || slices.ContainsFunc(c.found, func(f found) bool { return slices.Contains(ids, f.id) }) {
		return
	}
	low := lowered(c.draft.open)
	for _, vain := range vainly(c.lang) {
		if i := strings.Index(low, vain); i >= 0 && len(low) == len(c.draft.open) {
			c.flag(Item, span{i, i + len(vain)}, "something was found in this turn: tell what")
			return
		}
	}
}

// vainly returns how it is said that nothing was found.
func vainly(lang string) []string {
	switch lang {
	case "ru":
		return []string{"ничего не наход", "ничего не обнаруж", "не находите ничего", "не находит ничего", "ничего не найд", "ничего не нашл",
			"ничего не нашел", "с пустыми руками", "безуспешно", "безрезультатно"}
	case "zh":
		return []string{"什么也没找到", "什么都没找到", "什么也没发现", "什么都没发现", "一无所获", "没有找到任何", "没有任何发现", "空手", "徒劳", "没有收获"}
	}
	return []string{"find nothing", "finds nothing", "found nothing", "nothing is found", "nothing to be found", "nothing of note", "empty-handed",
		"empty handed", "in vain", "turns up nothing", "turn up nothing", "fruitless", "discover nothing", "uncover nothing"}
}

// uncovering flags a way or a hiding place that somebody is said to find by the verb from at on, in words up to end, where nothing of
// the kind came to light.
func (c *checker) uncovering(at span, end int) {
	if len(c.d.foundIDs()) > 0 || at.end > end {
		return
	}
	low := lowered(c.draft.open[at.end:end])
	for _, word := range coverts(c.lang) {
		if strings.Contains(low, word) && !c.knows(strings.TrimSpace(word)) {
			c.flag(Item, span{at.at, end}, "nothing hidden was found in this turn")
			return
		}
	}
}

// coverts returns what hidden things and ways are called. What stands in them is lowered.
func coverts(lang string) []string {
	switch lang {
	case "ru":
		return []string{"тайн", "потайн", "скрыт", "секретн", "спрятан", " лаз"}
	case "zh":
		return []string{"密道", "暗门", "暗格", "机关", "密室", "暗道", "夹层", "隐藏的", "隐秘的", "秘密通道"}
	}
	return []string{"hidden ", "secret ", "concealed ", "trapdoor", "trap door", "a passage", "a tunnel", "a compartment", "a hatch", "a cache"}
}
