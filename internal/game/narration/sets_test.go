package narration_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/narration"
)

// score is how well the checker does on narrations whose truth is known.
type score struct {
	truths, alarms int
	lies, found    map[string]int // by kind
}

func newScore() *score { return &score{lies: map[string]int{}, found: map[string]int{}} }

// add counts a narration: kind is "true", or what is wrong with it.
func (s *score) add(kind string, flags []narration.Flag) {
	if kind == "true" {
		s.truths++
		if len(flags) > 0 {
			s.alarms++
		}
		return
	}
	s.lies[kind]++
	if len(flags) > 0 {
		s.found[kind]++
	}
}

func (s *score) recall(kind string) float64 {
	lies, found := s.lies[kind], s.found[kind]
	if kind == "" {
		for k, n := range s.lies {
			lies += n
			found += s.found[k]
		}
	}
	if lies == 0 {
		return 1
	}
	return float64(found) / float64(lies)
}

func (s *score) falseAlarms() float64 { return float64(s.alarms) / float64(max(1, s.truths)) }

func (s *score) String() string {
	var kinds []string
	n := 0
	for kind := range s.lies {
		kinds = append(kinds, kind)
		n += s.lies[kind]
	}
	sort.Strings(kinds)
	text := fmt.Sprintf("%d true: false alarms %.3f; %d false: recall %.3f", s.truths, s.falseAlarms(), n, s.recall(""))
	for _, kind := range kinds {
		text += fmt.Sprintf(", %s %.2f of %d", kind, s.recall(kind), s.lies[kind])
	}
	return text
}

// floor is what a set must not fall below: the share of false narrations that are found, and how many true ones may be taken for false.
type floor struct {
	recall float64
	alarms int
}

// setFloors are a lie or two below what is reached. The rules and the words were made with all sets but "last" and "eleventh", but of each something is
// known from its first reading. Of "labelled/first" 0.41 (en), 0.45 (ru) and 0.44 (zh) were found, and 5, 3 and 1 of 100 true ones
// flagged; of "labelled/second" 0.34, 0.41 and 0.40, with 7, 2 and 8 flagged; of "third", which is plain throughout, 0.72, 0.73 and 0.74,
// with 2 of 63; of "fresh" 0.39, 0.42 and 0.49, with 4, 2 and 6 of 72; of "blind" 0.52, 0.60 and 0.67, with 2, 0 and 1 of 40. "last" was
// read once, when the rules stood, and nothing was mended on it. Half of the false narrations in the
// labelled sets and in "blind" are artful, all in "second", most in "fresh", two in five of "last". "ninth", of plain lies, was written
// before the rules were read: at its first reading 0.87 (en), 0.81 (ru) and 0.87 (zh) were found, and 3, 1 and 1 of 20 true ones flagged; after 500 lines of rules were taken away 0.87,
// 0.81 and 0.80, with 2, 1 and 2. "tenth" is what a small model makes of twenty turns, half plain and half not: at its first reading 0.57 (en),
// 0.62 (ru) and 0.57 (zh) were found, and 0, 1 and 0 of 20 true ones flagged. "eleventh" was
// written when the words had been widened and the rules stood, and nothing was mended on it: 0.64, 0.59 and 0.54 were found, and 0, 1 and 2
// of 8 true ones flagged. That is what new narrations come to.
// "twelfth" and "thirteenth" were written by one who had not read the rules, half of their lies plain and half artful. At the first
// reading of "twelfth" 0.48 (en), 0.50 (ru) and 0.56 (zh) were found, and 4, 4 and 2 of 54 true ones flagged; with the rules on two words
// and on ways 0.50, 0.56 and 0.58, with 6, 6 and 2; then the rules were mended on it, and eight labels. Nothing was mended on "thirteenth": before
// these rules 0.49, 0.50 and 0.54 were found, with 7, 4 and 4 of 54 flagged, at the first reading with them 0.51, 0.58 and 0.58, with
// 11, 4 and 8; after that rules and words that true narrations may meet by chance were taken back, two of them by what was flagged in
// "thirteenth": that in English any noun behind "a" may be had, and what stands behind "as a".
// Which rules were later taken away was measured over all sets, "last" and "eleventh" too: no set is unread since, and what new
// narrations come to is what the first readings say.
// "fourteenth" was written by one who had not read the rules, half of its lies plain: at the first reading 49, 45 and 41 of 81 were found,
// and 3, 1 and 4 of 44, 45 and 50 true ones flagged; then the rules were mended on it and on the true ones of "thirteenth", against what
// is flagged falsely first. In both sets those in which a dead man nods or speaks, eleven that were meant to be true, are labelled
// as false. "lively", all of it true, was written in four parts by the one who mended, each before it was read: of the first 0, 2 and 1 of
// 22 were flagged, of the second, with the first mended, 6, 4 and 4 of 39, of the third 4, 1 and 3 of 22, of the fourth 0, 2 and 2
// of 12.
// "fifteenth" was written by one who had not read the rules, half of its lies plain, when the classifier had learned from all other sets. At the first
// reading the rules alone found 24, 22 and 22 of 42, and flagged 3, 3 and 2 of 45 true ones; with the classifier, at a chance of 0.8, 29, 29 and 26,
// and 7, 3 and 2. Then the least chance was set by it, and sentences like its true ones that were flagged were added. Now the classifier learns from it, too.
// "sixteenth" was written the same way by another one: at the first reading 22, 28 and 25 of 42 were found, and 7, 1 and 3 of 45 flagged. With twice as many
// labelled sentences, and the tables as evidence for the classifier in place of flags of their own, it was 26, 30 and 28, and 5, 1 and 2. Now it learns from it, too.
// "seventeenth" was written the same way by a third one: at the first reading 28, 29 and 24 of 42 were found, and 3, 5 and 1 of 45 flagged. With fewer
// features, half as many labelled sentences more and the least chances set anew it is 29, 29 and 28, and 4, 2 and 2. It does not learn from this set. Then rules were mended on what was flagged falsely in "fifteenth",
// "sixteenth" and this one, and the least chance was set by all three: 29, 31 and 27, and 1, 0 and 1. So for what is flagged this set is no longer unread.
func setFloors() map[string]map[string]floor {
	return map[string]map[string]floor{
		"plain": {"en": {0.89, 0}, "ru": {0.88, 0}, "zh": {0.85, 0}}, "heldout": {"en": {0.97, 0}, "ru": {0.95, 0}, "zh": {0.94, 0}},
		"later": {"en": {0.97, 0}, "ru": {0.97, 0}, "zh": {0.97, 0}}, "second": {"en": {0.70, 0}, "ru": {0.70, 0}, "zh": {0.70, 0}},
		"labelled/first": {"en": {0.81, 0}, "ru": {0.80, 0}, "zh": {0.80, 0}}, "labelled/second": {"en": {0.86, 1}, "ru": {0.87, 0}, "zh": {0.82, 0}},
		"third": {"en": {0.97, 0}, "ru": {0.94, 0}, "zh": {0.90, 0}}, "fresh": {"en": {0.73, 2}, "ru": {0.80, 1}, "zh": {0.76, 6}},
		"blind": {"en": {0.89, 0}, "ru": {0.85, 0}, "zh": {0.85, 0}}, "last": {"en": {0.87, 0}, "ru": {0.82, 0}, "zh": {0.87, 0}},
		"ninth": {"en": {0.97, 1}, "ru": {0.92, 0}, "zh": {0.97, 1}}, "tenth": {"en": {0.92, 0}, "ru": {0.89, 0}, "zh": {0.87, 0}},
		"eleventh": {"en": {0.86, 0}, "ru": {0.89, 1}, "zh": {0.86, 0}}, "twelfth": {"en": {0.79, 0}, "ru": {0.83, 0}, "zh": {0.85, 0}},
		"thirteenth": {"en": {0.74, 0}, "ru": {0.79, 0}, "zh": {0.82, 0}}, "fourteenth": {"en": {0.87, 0}, "ru": {0.78, 0}, "zh": {0.78, 0}},
		"fifteenth": {"en": {0.80, 2}, "ru": {0.80, 1}, "zh": {0.80, 1}}, "sixteenth": {"en": {0.69, 2}, "ru": {0.88, 0}, "zh": {0.88, 2}},
		"seventeenth": {"en": {0.66, 1}, "ru": {0.71, 0}, "zh": {0.62, 1}},
		"lively":      {"en": {1, 1}, "ru": {1, 0}, "zh": {1, 0}},
	}
}

// eachNarration calls do with each narration of the sets in a language.
func eachNarration(t testing.TB, lang string, do func(set string, turn account.Turn, kind, text string)) {
	t.Helper()
	scripts := secondScripts(t, labelledTurns, "fresh_turns.txt", "blind_turns.txt", "ninth_turns.txt", "tenth_turns.txt", "eleventh_turns.txt")
	turns := map[string]account.Turn{}
	for _, set := range slices.Sorted(maps.Keys(setFloors())) {
		data, err := os.ReadFile("testdata/" + set + "_" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			parts := strings.SplitN(line, "|", 3)
			turn, ok := turns[parts[0]]
			if !ok {
				if script := scripts[parts[0]]; script != nil {
					turn = secondTurn(t, script, lang)
				} else {
					turn = turntest.Scene(t, lang, parts[0])
				}
				turns[parts[0]] = turn
			}
			do(set, turn, parts[1], strings.ReplaceAll(parts[2], `\n`, "\n"))
		}
	}
}

// TestSets says how the check does on narrations whose truth is known, by set, language and kind.
func TestSets(t *testing.T) {
	for _, lang := range []string{"en", "ru", "zh"} {
		scores := map[string]*score{}
		eachNarration(t, lang, func(set string, turn account.Turn, kind, text string) {
			s := scores[set]
			if s == nil {
				s = newScore()
				scores[set] = s
			}
			flags := narration.Check(turn, text)
			if s.add(kind, flags); testing.Verbose() && (len(flags) > 0) == (kind == "true") {
				t.Logf("%s %s: %s: %s: %v", set, lang, kind, text, flags)
			}
		})
		for set, floors := range setFloors() {
			s := scores[set]
			t.Logf("%s %s: %s", set, lang, s)
			if got := s.recall(""); got < floors[lang].recall {
				t.Errorf("%s %s: recall is %.3f, want %.2f", set, lang, got, floors[lang].recall)
			}
			if s.alarms > floors[lang].alarms {
				t.Errorf("%s %s: %d true narrations are taken for false, want %d", set, lang, s.alarms, floors[lang].alarms)
			}
		}
	}
}
