package skills

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/tools"
)

// The bounds of a choice.
const (
	MostSkills = 3   // that [Search] finds
	MostTools  = 8   // that [Filter] leaves
	MinScore   = 0.3 // that a tool needs for it
)

// UseSkill is the name of the tool with which a model opens a skill.
const UseSkill = "use_skill"

// Scored is a skill and how much a message is about it.
type Scored struct {
	Skill Skill
	Score float64 // more than 0
}

// Ranked is a tool and how much a message is about it.
type Ranked struct {
	Tool  tools.Tool
	Score float64 // more than 0
}

// points are hundredths of a score: sums of them are exact, and equal scores are equal.
type points int

func (p points) score() float64 { return float64(p) / 100 }

// Search returns the skills that a message is about, the best first and at most most of them (0 means [MostSkills]). Each
// keyword in the message counts 1.0, each tag 0.5 and the skill's name 0.3; 0.2 that what it is about (see [Skill.About])
// contains the message, 0.15 that the message contains all of that; the name of each of its tools 0.4, the first ten
// letters of what each is for 0.1.
//
// Where none of this finds anything, the pairs of neighbouring Chinese, Japanese and Korean letters do that the message
// shares with the words of a skill: each counts 0.1, divided by the number of skills that have it.
func Search(all []Skill, message string, most int) []Scored {
	message = fold(message)
	score := func(i int) points { return scoreSkill(all[i], message) }
	picked := pick(len(all), score)
	if len(picked) == 0 {
		picked = pickByPairs(message, len(all), func(i int) []string { return skillWords(all[i]) })
	}
	found := make([]Scored, 0, len(picked))
	for _, p := range picked[:min(len(picked), atMost(most, MostSkills))] {
		found = append(found, Scored{all[p.index], p.points.score()})
	}
	return found
}

// Rank returns the tools that a message is about, the best first. Each keyword in the message counts 1.0, each tag of two
// letters and more 0.5, each part of the name of two letters and more 0.3; each word of its description that is in the
// message 0.15, each word of the message that is in its description 0.2. Where none of this finds anything, pairs of
// letters do as in [Search].
func Rank(all []tools.Tool, message string) []Ranked {
	message = fold(message)
	picked := pickTools(all, message)
	if len(picked) == 0 {
		picked = pickByPairs(message, len(all), func(i int) []string { return toolWords(tools.DefOf(all[i])) })
	}
	ranked := make([]Ranked, 0, len(picked))
	for _, p := range picked {
		ranked = append(ranked, Ranked{all[p.index], p.points.score()})
	}
	return ranked
}

// Filter returns those of all that a message is about, the best first and at most most of them (0 means [MostTools]): those
// that [Rank] gives [MinScore], pairs of letters not counted. When the message names one of the closed skills and all has
// [UseSkill], that comes first, whatever it scores.
func Filter(all []tools.Tool, message string, most int, closed ...Skill) []tools.Tool {
	message, most = fold(message), atMost(most, MostTools)
	var kept []tools.Tool
	if slices.ContainsFunc(closed, func(s Skill) bool { return containsName(message, s) }) {
		if i := slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name() == UseSkill }); i >= 0 {
			kept = append(kept, all[i])
		}
	}
	for _, p := range pickTools(all, message) {
		if p.points.score() < MinScore || len(kept) >= most {
			break
		}
		if t := all[p.index]; len(kept) == 0 || t.Name() != kept[0].Name() {
			kept = append(kept, t)
		}
	}
	return kept
}

func atMost(most, normal int) int {
	if most <= 0 {
		return normal
	}
	return most
}

// picked is one of many things that scored.
type picked struct {
	index  int
	points points
}

// pick returns what of n things scores, the best first, equals in their order.
func pick(n int, score func(i int) points) []picked {
	var found []picked
	for i := range n {
		if p := score(i); p > 0 {
			found = append(found, picked{i, p})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].points > found[j].points })
	return found
}

func pickTools(all []tools.Tool, message string) []picked {
	words := slices.Collect(split(message))
	return pick(len(all), func(i int) points { return scoreTool(tools.DefOf(all[i]), message, words) })
}

// scoreSkill scores a skill for a folded message.
func scoreSkill(s Skill, message string) (p points) {
	for _, word := range s.Keywords {
		p += pointsIf(100, containsWord(message, word))
	}
	for _, tag := range s.Tags {
		p += pointsIf(50, containsWord(message, tag))
	}
	p += pointsIf(30, containsName(message, s))
	about := fold(s.About())
	p += pointsIf(20, strings.ContainsFunc(message, isWordRune) && strings.Contains(about, message))
	p += pointsIf(15, containsWord(message, about))
	for _, t := range s.Tools {
		d := tools.DefOf(t)
		p += pointsIf(40, containsWord(message, d.Name))
		p += pointsIf(10, containsWord(message, first(10, d.Description)))
	}
	return p
}

// scoreTool scores a tool for a folded message, which has these words.
func scoreTool(d tools.Def, message string, words []string) (p points) {
	for _, word := range d.Keywords {
		p += pointsIf(100, containsWord(message, word))
	}
	for _, tag := range d.Tags {
		p += pointsIf(50, isLong(tag) && containsWord(message, tag))
	}
	for _, part := range nameParts(d.Name) {
		p += pointsIf(30, containsWord(message, part))
	}
	description := lower(d.Description)
	for word := range split(description) {
		p += pointsIf(15, strings.Contains(message, word))
	}
	for _, word := range words {
		p += pointsIf(20, strings.Contains(description, word))
	}
	return p
}

func pointsIf(p points, is bool) points {
	if is {
		return p
	}
	return 0
}

// containsWord reports whether a folded message contains a word that is not blank.
func containsWord(message, word string) bool {
	word = fold(word)
	return word != "" && strings.Contains(message, word)
}

// containsName reports whether a folded message contains the name of a skill, with blanks for its hyphens or without.
func containsName(message string, s Skill) bool {
	return containsWord(message, s.Name) || strings.Contains(s.Name, "-") && containsWord(message, strings.ReplaceAll(s.Name, "-", " "))
}

// nameParts returns the parts of a tool's name that are words.
func nameParts(name string) []string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	return slices.DeleteFunc(parts, func(part string) bool { return !isLong(part) })
}

// split yields the words of a text that have two letters and more. Where there are no blanks, a word is what stands between
// two marks.
func split(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin, letters := 0, 0
		for i, r := range text {
			if !isSeparator(r) {
				letters++
				continue
			}
			if letters > 1 && !yield(text[begin:i]) {
				return
			}
			begin, letters = i+utf8.RuneLen(r), 0
		}
		if letters > 1 {
			yield(text[begin:])
		}
	}
}

// isSeparator reports whether r stands between words.
func isSeparator(r rune) bool {
	switch r {
	case ' ', ',', '.', ':', ';', '!', '?', '(', ')', '[', ']', '"', '\'',
		'，', '。', '：', '；', '！', '？', '、', '（', '）', '【', '】', '“', '”', '‘', '’', '「', '」', '『', '』':
		return true
	}
	return unicode.IsSpace(r)
}

// isLong reports whether a word has two letters and more: one alone says nothing.
func isLong(word string) bool { return utf8.RuneCountInString(strings.TrimSpace(word)) > 1 }

// isWordRune reports whether r can be in a word. A message without any is in each description that has its mark.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// first returns the first n runes of a text.
func first(n int, text string) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

func skillWords(s Skill) []string {
	words := slices.Concat([]string{s.Name, s.About()}, s.Keywords, s.Tags)
	for _, t := range s.Tools {
		words = append(words, toolWords(tools.DefOf(t))...)
	}
	return words
}

func toolWords(d tools.Def) []string {
	return slices.Concat([]string{d.Name, d.Description}, d.Keywords, d.Tags)
}
