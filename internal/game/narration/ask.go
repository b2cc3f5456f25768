package narration

import (
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// MaxAsk is how many bytes Ask has at most.
const MaxAsk = 1200

// Ask returns what a narrator is told: what happened, what must not be said, in which language and how long; spark are words that may
// color it. It is at most [MaxAsk] bytes: of many facts the last ones are left out, and what players said before those.
func (t Turn) Ask(spark []string) string {
	d := t.digest()
	f := facts{digest: d, words: phrasesOf(t.lang())}
	f.gather()
	list := f.clean()
	head := "Tell the players what just happened. These are all the FACTS:\n"
	tail := t.must(spark)
	room := MaxAsk - len(head) - len(tail)
	var b strings.Builder
	b.WriteString(head)
	if len(list) == 0 {
		b.WriteString("1. Nothing changed: tell how things stand.\n")
	}
	for i, s := range list {
		line := strconv.Itoa(i+1) + ". " + shortened(s.text, 300) + "\n"
		if b.Len()-len(head)+len(line) > room {
			break
		}
		b.WriteString(line)
	}
	for _, l := range t.Says {
		line := "SAID by " + t.speaker(l.Actor) + ": " + strconv.Quote(shortened(plain(l.Text, 150), 240)) + "\n"
		if b.Len()-len(head)+len(line) > room {
			break
		}
		b.WriteString(line)
	}
	return b.String() + tail
}

// speaker names who said something: by an actor's name, where it is one's id.
func (t Turn) speaker(who string) string {
	if t.After != nil && t.After.Actor(who) != nil && t.After.Actor(who).Name != "" {
		who = t.After.Actor(who).Name
	}
	return shortened(plain(who, longestName), 120)
}

// must returns what a narrator may not say, and how it is to write.
func (t Turn) must(spark []string) string {
	var self world.Self
	if t.After != nil {
		self = *t.After.Self()
	}
	s := "MUST NOT: invent items, exits or people; have anybody take, lose, go, be hurt or die unless it is a fact; decide or speak for the " +
		"players' characters; use numbers that are not in FACTS; mention tools or ids"
	for i, line := range self.Lines {
		if line = shortened(plain(line, 60), 90); line != "" && i < 3 {
			s += "; tell of " + line
		}
	}
	s += ".\n"
	if words := shortened(plain(strings.Join(spark, ", "), 60), 100); words != "" {
		s += "Color, if it fits: " + words + ".\n"
	}
	return s + "Write in " + map[string]string{"en": "English", "ru": "Russian", "zh": "Chinese"}[t.lang()] +
		", 2-4 sentences, second person, present tense. End on something to react to."
}

// shortened cuts s to n bytes, never within a rune.
func shortened(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "…"
}
