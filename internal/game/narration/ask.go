package narration

import (
	"strconv"
	"strings"
)

// MaxAsk is how many bytes Ask has at most.
const MaxAsk = 1200

// Ask returns what a narrator is told: what happened, what must not be said, in which language and how long; spark are words that may
// color it. It is at most [MaxAsk] bytes: of many facts the last ones are left out, and what players said before those.
func (t Turn) Ask(spark []string) string { return t.ask(spark, nil) }

// AskFenced is Ask where somebody untrusted may have written what the world is called by: fence returns the facts, what was said and the
// players' lines as a model may read them, and all else is hob's own words. What fence adds is not counted.
func (t Turn) AskFenced(spark []string, fence func(string) string) string { return t.ask(spark, fence) }

func (t Turn) ask(spark []string, fence func(string) string) string {
	d := t.digest()
	f := facts{digest: d, words: phrasesOf(t.lang())}
	f.gather()
	list := f.clean()
	head := "Tell the players what just happened. These are all the FACTS:\n"
	lines := t.lines()
	tail := t.must(spark, lines, fence != nil)
	room := MaxAsk - len(head) - len(tail)
	var b strings.Builder
	if fence != nil && len(lines) > 0 {
		b.WriteString("LINES: " + strings.Join(lines, "; ") + "\n")
	}
	if len(list) == 0 {
		b.WriteString("1. Nothing changed: tell how things stand.\n")
	}
	for i, s := range list {
		line := strconv.Itoa(i+1) + ". " + shortened(s.text, 300) + "\n"
		if b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
	}
	for _, l := range t.Says {
		line := "SAID by " + t.speaker(l.Actor) + ": " + strconv.Quote(shortened(plain(l.Text, 150), 240)) + "\n"
		if b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
	}
	if fence != nil {
		return head + fence(strings.TrimSuffix(b.String(), "\n")) + "\n" + tail
	}
	return head + b.String() + tail
}

// mostLines is how many of the players' lines a narrator is told.
const mostLines = 3

// lines are what the players want to hear nothing of, as a narrator is told.
func (t Turn) lines() (all []string) {
	if t.After == nil {
		return nil
	}
	for i, line := range t.After.Self().Lines {
		if line = shortened(plain(line, 60), 90); line != "" && i < mostLines {
			all = append(all, line)
		}
	}
	return all
}

// speaker names who said something: by an actor's name, where it is one's id.
func (t Turn) speaker(who string) string {
	if t.After != nil && t.After.Actor(who) != nil && t.After.Actor(who).Name != "" {
		who = t.After.Actor(who).Name
	}
	return shortened(plain(who, longestName), 120)
}

// must returns what a narrator may not say, and how it is to write. Where the lines stand in a fence, it only points to them.
func (t Turn) must(spark, lines []string, fenced bool) string {
	s := "MUST NOT: invent items, exits or people; have anybody take, lose, go, be hurt or die unless it is a fact; decide or speak for the " +
		"players' characters; use numbers that are not in FACTS; mention tools or ids"
	if fenced && len(lines) > 0 {
		lines = []string{"what stands behind LINES"}
	}
	for _, line := range lines {
		s += "; tell of " + line
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
