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
	maxFound = 3 // entries that come up
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
	if l.Secret { // what is said ends up where players read it
		return rules.Accept(result, "story.quiet").With(l.ID)
	}
	return rules.Accept(result, "lore_add.done", strings.Join(keys, ", ")).With(l.ID)
}

// usableKeys returns the words of a list that are some, each once.
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

// ActiveLore returns the lore that words bring up, what comes first by its priority, at most n. What is
// secret never comes up.
//
// recent is the words of the turns before, the newest first; from them, and from nothing else,
// follows what stays up and what rests: what was brought up stays for [world.Lore.Sticky] turns
// more and then does not come up for [world.Lore.Cooldown] turns, whatever is said. How many turns
// are to be given [LoreReach] says.
func ActiveLore(w *world.World, words string, n int, recent ...string) []*world.Lore {
	now := newUtterance(words)
	var heard []utterance // of recent, the oldest first; most worlds need none of it
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
	stays, rests := int64(0), int64(0) // turns that are left of each
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

// LoreReach returns how many of the turns before a turn, by the number of turns that led to it, are to
// be given to [ActiveLore]: none where no lore stays or rests. It is 16 to 31, and all turns of sixteen
// look back to the same one, so that what rests does not begin to rest anew each turn.
func LoreReach(w *world.World, depth int64) int {
	const span = 16
	if !slices.ContainsFunc(w.LoreList(), func(l *world.Lore) bool { return !l.Secret && (l.Sticky > 0 || l.Cooldown > 0) }) {
		return 0
	}
	return int(span + max(depth, 0)%span)
}

// Search returns the lore that a query brings up, or that has the query in its keys or its text, at
// most n.
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

// utterance is a text that keys are looked for in.
type utterance struct {
	text  string   // in small letters
	words []string // of it
}

// newUtterance prepares a text.
func newUtterance(text string) utterance {
	text = spelling.Lower(text)
	return utterance{text: text, words: rules.Words(text)}
}

// triggers reports whether the text brings a piece of lore up.
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

// hasKey reports whether the text has a key in it: its words one after the other, each in any form
// that it may have; of a script that sets no words apart, as Chinese is, wherever it is.
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
