package story

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// The bounds of lore, of texts in runes.
const (
	maxKeys  = 12
	maxKey   = 60
	maxLore  = 600
	maxFound = 3 // most entries that come up at once
)

// runLoreAdd runs the tool lore_add. Its result is {"lore_id"}.
func runLoreAdd(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	keys, secondary, text := usableKeys(a.List("keys")), usableKeys(a.List("secondary")), a.Text("text")
	switch {
	case len(keys) == 0 || len(keys) > maxKeys || len(secondary) > maxKeys:
		return rules.Refuse(rules.InvalidArgs, "lore_add.keys", maxKeys, maxKey)
	case len([]rune(text)) > maxLore:
		return rules.Refuse(rules.InvalidArgs, "lore_add.long", maxLore)
	}
	l := &world.Lore{
		ID: s.NewID("lore"), Order: s.NewOrder(), Keys: keys, Text: text, Secondary: secondary, Logic: a.Text("logic"),
		Priority: a.Int("priority", 0), Constant: a.Flag("constant", false), Secret: a.Flag("secret", false),
	}
	s.Put(l)
	result := rules.NewObj().Text("lore_id", l.ID)
	if l.Secret { // players would read the result
		return rules.Accept(result, "story.quiet").With(l.ID)
	}
	return rules.Accept(result, "lore_add.done", strings.Join(keys, ", ")).With(l.ID)
}

// usableKeys returns the words of a list without blank and repeated ones.
func usableKeys(list []string) (words []string) {
	for _, w := range list {
		if len(rules.Words(w)) > 0 && len([]rune(w)) <= maxKey && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// runLoreSearch runs the tool lore_search. Its result is {"entries":[{"lore_id","keys","text"}]}.
func runLoreSearch(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	list := Search(s.World, a.Text("query"), maxFound)
	var entries rules.Items
	for _, l := range list {
		entries.Add(rules.NewObj().Text("lore_id", l.ID).List("keys", l.Keys).Text("text", l.Text), l.Text)
	}
	if len(list) == 0 {
		return rules.Accept(rules.NewObj().Objs("entries", nil), "lore_search.none", a.Text("query"))
	}
	return rules.Accept(rules.NewObj().Objs("entries", entries.Objs), "look.text", strings.Join(entries.Lines, "\n"))
}

// ActiveLore returns at most n pieces of lore that words bring up, by their priority. Secret lore never comes up.
// recent is the words of the turns before, the newest first. They alone decide which lore stays up and which rests:
// once brought up, it stays for [world.Lore.Sticky] turns and then rests for [world.Lore.Cooldown] turns, whatever is
// said. [LoreReach] says how many turns to give.
func ActiveLore(w *world.World, words string, n int, recent ...string) []*world.Lore {
	now := newUtterance(words)
	var heard []utterance // recent, the oldest first, made only if some lore stays up or rests
	return selectLore(w, n, func(l *world.Lore) bool {
		switch {
		case l.Constant:
			return true
		case l.Sticky <= 0 && l.Cooldown <= 0:
			return now.triggers(l)
		}
		for i := len(recent) - 1; i >= 0 && len(heard) < len(recent); i-- {
			heard = append(heard, newUtterance(recent[i]))
		}
		return isActive(l, heard, now)
	})
}

// isActive goes through the turns, the oldest first, and reports whether a piece of lore is up now.
func isActive(l *world.Lore, heard []utterance, now utterance) bool {
	stays, rests := int64(0), int64(0) // how many turns are left of each
	turn := func(words utterance) bool {
		switch {
		case stays > 0:
			stays--
			return true
		case rests > 0:
			rests--
			return false
		case !words.triggers(l):
			return false
		}
		stays, rests = max(l.Sticky, 0), max(l.Cooldown, 0)
		return true
	}
	for _, words := range heard {
		turn(words)
	}
	return turn(now)
}

// LoreReach returns how many earlier turns [ActiveLore] needs, from the number of turns that led here: none if no lore
// stays up or rests, else 16 to 31. The turns come in blocks of sixteen that all look back to the same turn, so that
// lore does not start to rest anew in each turn.
func LoreReach(w *world.World, depth int64) int {
	const span = 16
	if !slices.ContainsFunc(w.LoreList(), func(l *world.Lore) bool { return !l.Secret && (l.Sticky > 0 || l.Cooldown > 0) }) {
		return 0
	}
	return int(span + max(depth, 0)%span)
}

// Search returns at most n pieces of lore that a query brings up, or that contain it.
func Search(w *world.World, query string, n int) []*world.Lore {
	said := newUtterance(query)
	return selectLore(w, n, func(l *world.Lore) bool {
		return said.triggers(l) || newUtterance(l.Text).hasKey(query) || newUtterance(strings.Join(l.Keys, "\n")).hasKey(query)
	})
}

func selectLore(w *world.World, n int, wanted func(*world.Lore) bool) (list []*world.Lore) {
	for _, l := range w.LoreList() {
		if !l.Secret && wanted(l) {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b *world.Lore) int { return cmp.Compare(b.Priority, a.Priority) })
	return list[:min(n, len(list))]
}

// utterance is a text in which keys are looked for.
type utterance struct {
	text  string   // in lower case
	words []string // of it
}

// newUtterance prepares a text.
func newUtterance(text string) utterance {
	text = spelling.Lower(text)
	return utterance{text: text, words: rules.Words(text)}
}

// triggers reports whether the text brings up a piece of lore.
func (s utterance) triggers(l *world.Lore) bool {
	if !slices.ContainsFunc(l.Keys, s.hasKey) {
		return false
	}
	n := 0
	for _, k := range l.Secondary {
		if s.hasKey(k) {
			n++
		}
	}
	switch {
	case len(l.Secondary) == 0:
		return true
	case l.Logic == "all":
		return n == len(l.Secondary)
	case l.Logic == "none":
		return n == 0
	}
	return n > 0
}

// hasKey reports whether the text contains a key: its words in a row, each in any form. In a script without spaces,
// such as Chinese, the key may stand anywhere.
func (s utterance) hasKey(key string) bool {
	key = spelling.Lower(key)
	if strings.ContainsFunc(key, rules.Unspaced) {
		return strings.Contains(s.text, key)
	}
	words := rules.Words(key)
	for i := range len(s.words) - len(words) + 1 {
		if len(words) > 0 && slices.EqualFunc(s.words[i:i+len(words)], words, spelling.Akin) {
			return true
		}
	}
	return false
}
