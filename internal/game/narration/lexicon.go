package narration

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
)

// texts are the tables of the languages.
//
//go:embed claims
var texts embed.FS

// class is what a word can claim, or what it is to a claim; a word may be several things.
type class uint64

// The classes, in the order of their names in [classNames].
const (
	cTake, cStash, cFind, cGive, cPut, cLose, cGo, cEnter class = 1 << (8 * iota), 2 << (8 * iota), 4 << (8 * iota), 8 << (8 * iota),
		16 << (8 * iota), 32 << (8 * iota), 64 << (8 * iota), 128 << (8 * iota)
	cAway, cHurt, cSlam, cStrike, cHeal, cDie, cKill, cDead
	cOpen, cShut, cHit, cMiss, cRefuse, cAppear, cLie, cNot
	cMay, cIf, cLike, cPast, cYou, cYour, cPron, cIt
	cDet, cPrep, cParticle, cPerson, cConj, cAux, cLight, cGoods
	cSpot, cOut, cDoor, cPeople, cTitle, cMild, cHP, cHarm
	cGold, cAgainst, cLeft, cChange, cMinute, cNumber, cMachine, cDream
	cMeasure, cWhich, cFollow, cClock, cChest, cAlive, cSafe, cPain

	cHands   = cTake | cFind | cGive | cPut | cLose | cStash | cRefuse
	cWay     = cGo | cEnter | cAway
	cVerb    = cTake | cFind | cGive | cPut | cLose | cGo | cEnter | cAway | cHurt | cStrike | cHeal | cDie | cKill | cOpen | cRefuse | cAppear
	cGrammar = cNot | cMay | cIf | cLike | cYou | cYour | cPron | cIt | cDet | cPrep | cParticle | cConj | cAux
)

// classNames returns the sections of a table, in the order of the classes.
func classNames() []string {
	return strings.Fields("take stash find give put lose go enter away hurt slam strike heal die kill dead open shut hit miss refuse " +
		"appear lie not may if like past you your pron it det prep particle person conj aux light goods spot out door people title mild " +
		"hpword harmword goldword against left change minute number machine dream measure which follow clock chest alive safe pain")
}

// listNames returns the sections of a table that are lists.
func listNames() []string {
	return strings.Fields("denials into theirs ago about joining ordinal adjective gates anybody saying holds")
}

// The signs that a rule asks for, at their places in [signNames].
const (
	sBody   class = 1 << 0
	sDamage class = 1 << 1
	sSettle class = 1 << 6
)

// signNames returns the sections of a table that are signs, in their order: small classes of words that claim nothing alone.
func signNames() []string {
	return strings.Fields("body damage path along look enters settle opening tread fading behind round")
}

// lexicon is what the words of a language claim.
type lexicon struct {
	lang     string
	words    map[string]class
	starts   map[string]class    // of words with any ending
	phrases  map[string][]phrase // of several words, by the first
	numbers  map[string]int64
	exact    map[string]bool // words that are no form of another
	hours    []hourForm
	ordinals map[string]int64
	whiles   map[string]int64 // minutes that words for an hour take
	lists    lists
	signs    *lexicon // the same for signs
	longest  int      // bytes of a word
}

// phrase is words that claim something together; others may stand between them.
type phrase struct {
	rest []string
	class
}

// lists are words and endings of which a rule says what they are for, by their section.
type lists map[string][]string

// has reports whether a word is in a list.
func (l lists) has(list string, t token) bool { return slices.Contains(l[list], t.word) }

// gap is how many words may stand between two words of a phrase.
const gap = 3

// lexicons returns the words of the languages. Each is read when it is first needed.
var lexicons = sync.OnceValue(func() map[string]func() *lexicon {
	all := map[string]func() *lexicon{}
	for _, lang := range rules.Langs() {
		all[lang] = sync.OnceValue(func() *lexicon { return readLexicon(lang) })
	}
	return all
})

func newLexicon(lang string) *lexicon {
	return &lexicon{lang: lang, words: map[string]class{}, starts: map[string]class{}, phrases: map[string][]phrase{}, numbers: map[string]int64{},
		exact: map[string]bool{}, ordinals: map[string]int64{}, whiles: map[string]int64{}, lists: lists{}}
}

// readLexicon reads the words of a language from its file. An unknown section is a mistake of the program.
func readLexicon(lang string) *lexicon {
	data, err := texts.ReadFile("claims/" + lang + ".txt")
	if err != nil {
		panic(err)
	}
	l := newLexicon(lang)
	l.signs = newLexicon(lang)
	sections := map[string]class{"none": 0, "hours": 0, "while": 0}
	for i, name := range classNames() {
		sections[name] = 1 << i
	}
	section := ""
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		} else if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		class, ok := sections[section]
		sign := slices.Index(signNames(), section)
		if !ok && sign < 0 && !slices.Contains(listNames(), section) {
			panic("narration: " + lang + " has an unknown section " + section)
		} else if !ok && sign < 0 {
			l.lists[section] = append(l.lists[section], strings.Fields(line)...)
			continue
		}
		for _, word := range strings.Fields(line) {
			switch {
			case sign >= 0:
				for _, w := range expand(word) {
					l.signs.learn(w, 1<<sign)
					l.part([]string{w})
				}
			case section == "hours":
				l.learnHour(word)
			case section == "while":
				name, n, _ := strings.Cut(word, "=")
				l.whiles[name], _ = strconv.ParseInt(n, 10, 64)
			default:
				for _, w := range expand(word) {
					l.learn(w, class)
				}
			}
		}
	}
	return l
}

// expand returns the words that an entry stands for: each part of it between "_" and "+" may be one of several, "a/b_c" is a_c and b_c.
// What "+" joins is one word.
func expand(entry string) (list []string) {
	at := strings.IndexAny(entry, "_+")
	if at < 0 {
		return strings.Split(entry, "/")
	}
	rest, mark := expand(entry[at+1:]), strings.Trim(entry[at:at+1], "+")
	for _, first := range strings.Split(entry[:at], "/") {
		for _, r := range rest {
			list = append(list, first+mark+r)
		}
	}
	return list
}

func (l *lexicon) learn(word string, c class) {
	if name, n, ok := strings.Cut(word, "="); ok {
		l.numbers[spelling.Stem(l.lang, name)], _ = strconv.ParseInt(n, 10, 64)
		word = name
	}
	if first, rest, ok := strings.Cut(word, "_"); ok {
		l.phrases[first] = append(l.phrases[first], phrase{strings.Split(rest, "_"), c})
		l.part(strings.Split(word, "_"))
		return
	}
	if start, ok := strings.CutSuffix(word, "*"); ok {
		l.starts[start] |= c
		return
	}
	l.words[word] |= c
	l.exact[word] = l.exact[word] || c == 0
	l.longest = max(l.longest, len(word))
}

// part learns words of a phrase.
func (l *lexicon) part(words []string) {
	for _, w := range words {
		l.words[w] |= 0
		l.longest = max(l.longest, len(w))
	}
}

// of returns what a word by itself claims. An English verb stands for its regular forms.
func (l *lexicon) of(w string) class {
	if l.exact[w] {
		return l.words[w]
	}
	var c class
	for _, form := range l.forms(w) {
		c |= l.words[form]
	}
	if len(l.starts) > 0 {
		for i := 3; i <= len(w); i++ {
			c |= l.starts[w[:i]]
		}
	}
	return c
}

// forms returns a word and what it may be a form of.
func (l *lexicon) forms(w string) []string {
	list := []string{w}
	if len(w) < 4 {
		return list
	}
	add := func(end string, more ...string) {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) > 1 {
			for _, m := range more {
				list = append(list, base+m)
			}
			if n := len(base); end != "s" && n > 2 && base[n-1] == base[n-2] {
				list = append(list, base[:n-1])
			}
		}
	}
	add("ies", "y")
	add("ied", "y")
	add("es", "")
	add("s", "")
	add("ed", "", "e")
	add("ing", "", "e")
	return list
}

// means reports whether a word is one of a phrase, or a form of it.
func (l *lexicon) means(word, part string) bool {
	if start, open := strings.CutSuffix(part, "*"); open {
		return strings.HasPrefix(word, start)
	}
	for _, form := range l.forms(word) {
		if form == part {
			return true
		}
	}
	return false
}

// classify says what the words of a text claim, by themselves and together.
func (l *lexicon) classify(list []token) {
	for i := range list {
		list[i].class |= l.of(list[i].word)
		list[i].sign |= l.signs.of(list[i].word)
	}
	for i := range list {
		for _, form := range l.forms(list[i].word) {
			l.joined(list, i, l.phrases[form])
		}
		for n := 3; n <= len(list[i].word); n++ {
			l.joined(list, i, l.phrases[list[i].word[:n]+"*"])
		}
	}
}

func (l *lexicon) joined(list []token, i int, phrases []phrase) {
	for _, p := range phrases {
		if n := l.follows(list[i+1:], p.rest); n > 0 && p.class == 0 {
			list[i+n].class = 0
		} else if n > 0 {
			list[i].class |= p.class
			list[i].phrase |= p.class
		}
	}
}

// follows returns how far words reach that come in their order, within the same clause; 0 if they do not.
func (l *lexicon) follows(list []token, rest []string) int {
	for j, between := 0, 0; j < len(list) && list[j].stop == 0 && between <= gap; j++ {
		if between++; l.means(list[j].word, rest[0]) {
			if rest, between = rest[1:], 0; len(rest) == 0 {
				return j + 1
			}
		} else if list[j].class&cNot != 0 {
			return 0 // "the lock does not give"
		}
	}
	return 0
}

// has reports whether characters are a word.
func (l *lexicon) has(s string) bool {
	_, ok := l.words[s]
	return ok
}
