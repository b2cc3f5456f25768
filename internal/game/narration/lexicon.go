package narration

import (
	_ "embed"
	"strings"
)

var (
	//go:embed lexicon/en.txt
	lexiconEN string
	//go:embed lexicon/ru.txt
	lexiconRU string
	//go:embed lexicon/zh.txt
	lexiconZH string
)

// class is what a word can mean to the check; a word may mean several things.
type class uint64

// The classes, as the sections of the lexicons are called.
const (
	cTake class = 1 << iota
	cFind
	cGive
	cDrop
	cHave
	cGo
	cWalk
	cBe
	cDie
	cKill
	cDead
	cWound
	cStrike
	cHurt
	cHeal
	cSay
	cAct
	cNot
	cMay
	cIf
	cYou
	cYours
	cPron
	cDet
	cIndef
	cPrep
	cArrive
	cToward
	cConj
	cAdverb
	cManaged
	cOutward
	cPeople
	cCreature
	cGoods
	cVague
	cMeasure
	cHPWord
	cHarmWord
	cDiceWord
	cGoldWord
	cAgainst
	cBody
	cLeft
	cChange
	cSpot
	cAway
	cTitle
	cHuman
	cDream
	cCome

	cClaim = cTake | cFind | cGive | cDrop | cHave | cGo | cWalk | cDie | cKill | cWound | cStrike | cHeal
	cNoun  = cOutward | cPeople | cCreature | cGoods | cVague | cMeasure
)

func classNamed(name string) class {
	names := [...]string{"take", "find", "give", "drop", "have", "go", "walk", "be", "die", "kill", "dead", "wound", "strike", "hurt",
		"heal", "say", "act", "not", "may", "if", "you", "yours", "pron", "det", "indef", "prep", "arrive", "toward", "conj", "adverb", "managed",
		"outward", "people", "creature", "goods", "vague", "measure", "hpword", "harmword", "diceword", "goldword", "against", "body", "left", "change",
		"spot", "away", "title", "human", "dream", "come"}
	for i, n := range names {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// lexicon is the words of a language.
type lexicon struct {
	words   map[string]class
	starts  map[string]class    // of words with any ending
	phrases map[string][]phrase // of several words, by the first
	list    []entry             // all of them in their order, for a language without spaces
	gap     int                 // within how many words behind the first one those of a phrase stand
}

// phrase is words that mean something together; others may stand between them.
type phrase struct {
	rest []string
	class
}

// entry is a word as it stands in the file.
type entry struct {
	word string
	class
}

func lexiconOf(lang string) *lexicon {
	switch lang {
	case "ru":
		return readLexicon(lang, lexiconRU, 1500, classNamed)
	case "zh":
		return readLexicon(lang, lexiconZH, 1000, classNamed)
	}
	return readLexicon(lang, lexiconEN, 1500, classNamed)
}

// readLexicon reads a file of about n words.
func readLexicon(lang, text string, n int, classNamed func(string) class) *lexicon {
	l := &lexicon{starts: map[string]class{}, phrases: map[string][]phrase{}, gap: 5}
	if lang == "zh" {
		l.list = make([]entry, 0, n)
	} else {
		l.words = make(map[string]class, n)
	}
	var c class
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			c = classNamed(line[1 : len(line)-1])
			continue
		}
		for rest := line; rest != ""; {
			var word string
			if word, rest, _ = strings.Cut(rest, " "); word != "" {
				l.learn(lang, word, c)
			}
		}
	}
	return l
}

func (l *lexicon) learn(lang, word string, c class) {
	if lang == "zh" {
		l.list = append(l.list, entry{word, c})
		return
	}
	if first, rest, ok := strings.Cut(word, "_"); ok {
		l.phrases[first] = append(l.phrases[first], phrase{strings.Split(rest, "_"), c})
		return
	}
	if start, ok := strings.CutSuffix(word, "*"); ok {
		l.starts[start] |= c
		return
	}
	l.words[word] |= c
}

// of returns what a word by itself means.
func (l *lexicon) of(w string) class {
	c := l.words[w]
	if len(l.starts) == 0 {
		return c
	}
	for i := 4; i <= len(w); i++ {
		if s, ok := l.starts[w[:i]]; ok {
			c |= s
		}
	}
	return c
}

// at returns what the word at i means with the words behind it.
func (l *lexicon) at(list []token, i int) class {
	c := l.of(list[i].word)
	for _, p := range l.phrases[list[i].word] {
		if follows(list[i+1:], p.rest, l.gap) {
			c |= p.class
		}
	}
	return c
}

// follows reports whether words come in their order within the next few words of the clause.
func follows(list []token, rest []string, gap int) bool {
	for j := 0; j < len(list) && j < gap && list[j].stop == 0; j++ {
		start, open := strings.CutSuffix(rest[0], "*")
		if list[j].word == start || open && strings.HasPrefix(list[j].word, start) {
			if rest = rest[1:]; len(rest) == 0 {
				return true
			}
		}
	}
	return false
}
