// Package claims reads what a reply says was done in a turn, what it says will be done later, and what it is about to do. Small models
// say so without a call that does it. It reads English, German, Russian and Chinese, by words and patterns (words/LANGUAGE.txt).
package claims

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// Kinds of [Claim].
const (
	Write      = "write"
	Delete     = "delete"
	RunCommand = "run"
	Send       = "send"
	Change     = "change" // any of these, or something else
	Later      = "later"  // a promise to do something by itself, later
)

// Claim is something that a reply says was done.
type Claim struct {
	Kind     string
	Names    []string // files that the sentence says it was done to, spelt as in the reply
	Well     bool     // the sentence says that it went well, or what came of it
	Whole    bool     // of a deletion: what is gone is a file or a folder, and not a part of one
	Sentence string   // in small letters; several claims may be of one
}

// Find returns what a reply says was changed, sent or run: "I have saved it to notes.md." It reads English, German,
// Russian and Chinese. What is denied, planned, asked, quoted, was done by somebody else or in earlier times is none. Where
// something was read before, "The backup has been deleted" may be what stood there and is none either. A
// promise such as "I will remind you" is a claim, too: that something is there that will keep it.
func Find(text string, read bool) []Claim {
	var all []Claim
	promised := ""
	for c := range Candidates(text) {
		switch {
		case c.Sentence == promised:
		case c.Kind == Later:
			if promises(c.Sentence) {
				promised = c.Sentence
				all = append(all, c)
			}
		case isClaimed(c.Sentence, read):
			all = append(all, c)
		}
	}
	if len(all) > 1 && isAllDone(all[0].Sentence) {
		return all[1:] // which say what was done
	}
	return all
}

// Candidates yields all that [Find] might find in a text, by its words alone: the patterns that decide take a millisecond to compile,
// and are not needed where nothing of this would be untrue.
func Candidates(text string) iter.Seq[Claim] {
	const longest = 8 << 10 // a claim stands at the beginning or at the end
	if len(text) > 2*longest {
		text = text[:longest] + "\n" + text[len(text)-longest:]
	}
	return func(yield func(Claim) bool) {
		if lower := strings.ToLower(text); !mayClaim(lower) && !mayHold(lower, "later") && !holds(lower, "alldone") {
			return
		}
		for i, s := range sentences(unquoted(text)) {
			if i == 0 && isAllDone(s) { // below a poem it may be that which is done
				if !yield(Claim{Kind: Change, Sentence: s}) {
					return
				}
				continue
			}
			if !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "？") && !candidatesIn(s, text, yield) {
				return
			}
		}
	}
}

// candidatesIn yields what a sentence of text might claim, and returns false where yield did.
func candidatesIn(s, text string, yield func(Claim) bool) bool {
	if mayHold(s, "later") && !yield(Claim{Kind: Later, Sentence: s}) {
		return false
	}
	if !mayClaim(s) {
		return true
	}
	names, well := namesIn(s, text), holds(s, "well")
	whole := (len(names) > 0 || holds(s, "whole")) && !holds(s, "part")
	for _, kind := range kindsIn(s) {
		if !yield(Claim{Kind: kind, Names: names, Well: well, Whole: whole, Sentence: s}) {
			return false
		}
	}
	return true
}

// isClaimed reports whether a sentence says that something was done. After something was read, it must say that the speaker did it.
func isClaimed(s string, read bool) bool {
	return (matches(s, "claiming") || !read && (isAllDone(s) || matches(s, "reporting")) || matches(s, "ran")) &&
		!matches(aName().ReplaceAllString(s, " § "), "notClaimed") // a file may be called not.md
}

// isAllDone reports whether a whole sentence says that what was asked for is done: "OK, I've done it".
func isAllDone(s string) bool {
	for l := range languagesOf(s) {
		for _, word := range l.words["agrees"] {
			if rest, ok := strings.CutPrefix(s, word); ok && strings.IndexAny(rest, ",，") == 0 {
				s = strings.TrimLeft(rest, ",， ")
				break
			}
		}
		if slices.Contains(l.words["alldone"], s) {
			return true
		}
	}
	return false
}

// mayClaim reports whether a verb of what was done stands in s, which is in small letters, with no letter before it: that somebody ran is
// not in "France". It is true of everything in Russian and Chinese.
func mayClaim(s string) bool {
	if strings.ContainsFunc(s, isRussianOrChinese) {
		return true
	}
	for l := range languagesOf(s) {
		for _, list := range append(verbs(), "ended") {
			if slices.ContainsFunc(l.words[list], func(verb string) bool { return beginsWord(s, verb) }) {
				return true
			}
		}
	}
	return false
}

// beginsWord reports whether verb stands in s with no letter before it.
func beginsWord(s, verb string) bool {
	for {
		before, behind, found := strings.Cut(s, verb)
		if !found {
			return false
		}
		if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) {
			return true
		}
		s = behind
	}
}

// mayHold reports whether s, which is in small letters, holds a word of that list, or letters of Russian or Chinese.
func mayHold(s, list string) bool {
	return holds(s, list) || strings.ContainsFunc(s, isRussianOrChinese)
}

// promises reports whether a sentence says that something will be done by itself, later.
func promises(s string) bool {
	if !matches(s, "promising") || matches(s, "notPromised") {
		return false
	}
	return !strings.Contains(s, "ich werde") && !strings.Contains(s, "werde ich") || matches(s, "will")
}

// Admits reports whether a reply says somewhere that something went wrong.
func Admits(text string) bool { return holds(strings.ToLower(text), "vain") }

// unquoted is text without what it quotes: code, quoted lines, and phrases in quotes, but not names. A text that is one
// quotation stays.
func unquoted(text string) string {
	if !strings.ContainsAny(text, ">`\"“„«「『") {
		return text
	}
	short := quotation().ReplaceAllString(text, " ")
	if !strings.ContainsFunc(short, unicode.IsLetter) {
		return text
	}
	return short
}

var (
	quotation = lazyregexp.New("(?s)```.*?(?:```|$)" + `|(?m:^[ \t]*>[^\n]*$)` +
		`|"[^"\s]+(?: [^"\s]+){2,}"|“[^“”\s]+(?: [^“”\s]+){2,}”|„[^„“”\s]+(?: [^„“”\s]+){2,}[“”]|«[^«»\s]+(?: [^«»\s]+){2,}»|[「『][^「」『』]{6,}[」』]|“[^“” ]{6,}”`)

	// aName is a file with an extension, with blanks in it where it stands in quotes, or a path.
	aName = lazyregexp.New("(?i)`[^`]{0,100}\\.[a-z][a-z0-9]{0,4}`" + `|"[^"]{0,100}\.[a-z][a-z0-9]{0,4}"|[\p{Latin}\p{Cyrillic}\p{N}_~./-]*[\p{Latin}\p{Cyrillic}\p{N}_-]\.(?:[a-z][a-z0-9]{1,4}|[chr])(?:$|[^\p{Latin}\p{Cyrillic}\p{N}_@/-])` +
		`|(?:~|\.\.?|/[\p{Latin}\p{N}_.-]+)/[\p{Latin}\p{Cyrillic}\p{N}_./-]+`)

	// aHost ends names that are hosts.
	aHost = lazyregexp.New(`\.(?:com|org|net|edu|gov|info|io|de|ru|cn|uk|eu)$`)

	// fromIt is said before a name that something was taken from.
	fromIt = lazyregexp.New("(?:^|[^\\p{L}])(?:from|of|by|like|with|using|per|via|than|on|aus|von|mit|laut|wie|из|от|с|со|по|как)[ `'\"“„«*]*$|[从由用][ `'\"“*]*$")

	// alsoIt stands between two names of one list.
	alsoIt = lazyregexp.New("^[ `'\"”“»«*]*(?:,|、|&|和|与|(?:, )?(?:and|und|и|as well as|sowie)(?: also)?)?[ `'\"“„«*]*$")
)

const (
	mostClaimed = 32 // of a sentence
	longestLink = 32 // bytes of what is said before a name
)

// namesIn returns the names in a sentence that something was done to, spelt as in text.
func namesIn(sentence, text string) []string {
	if !strings.ContainsAny(sentence, "./") {
		return nil // before a pattern is compiled that needs one of them
	}
	var all []string
	before, source := -1, false // where the last name ended, and whether something was taken from it
	for _, at := range aName().FindAllStringIndex(sentence, mostClaimed) {
		name := trimName(sentence[at[0]:at[1]])
		from := at[0] + strings.Index(sentence[at[0]:at[1]], name)
		if strings.HasPrefix(name, "//") || aHost().MatchString(name) || from > 0 && strings.ContainsRune("@:", rune(sentence[from-1])) {
			continue
		}
		if before < 0 || !alsoIt().MatchString(sentence[before:from]) {
			source = fromIt().MatchString(strings.ToValidUTF8(sentence[max(0, from-longestLink):from], ""))
		}
		before = from + len(name)
		if !source && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	for _, as := range aName().FindAllString(text, -1) {
		as = trimName(as)
		if i := slices.Index(all, strings.ToLower(as)); i >= 0 {
			all[i] = as
		}
	}
	return all
}

// trimName cuts off what ended the name, and what quotes it.
func trimName(s string) string {
	return strings.TrimRightFunc(strings.TrimLeft(s, "`\""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// kindsIn returns the kinds of what a sentence says was done, each once; [Change] where it cannot be told.
func kindsIn(s string) []string {
	var all []string
	add := func(kind string) {
		if kind == RunCommand && !holds(s, "command") {
			kind = Change // a plan may be executed, too
		}
		if kind != "" && !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	for n, clause := range strings.Split(s, ",") {
		before := ""
		for i, word := range strings.FieldsFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
			if aside(word, n > 0 && i == 0) {
				break // what follows says more of a thing, and not what was done
			}
			if !isIn(before, "thing") {
				add(kindOf(word))
			}
			before = word
		}
	}
	if len(all) == 0 && matches(s, "ran") {
		add(RunCommand)
	}
	if len(all) == 0 {
		add(kindInChinese(s))
	}
	if len(all) == 0 {
		add(Change)
	}
	return all
}

// aside reports whether a word begins a clause about a thing. German articles do so only where they are the first after a
// comma.
func aside(word string, first bool) bool {
	return isIn(word, "aside") || first && isIn(word, "article")
}

// verbs are the kinds of what verbs say, by which the lists of words are called.
func verbs() []string { return []string{Write, Delete, Send, RunCommand, Change} }

// kindOf is the kind of what a word says was done; "" for any other word, and in Chinese, which has no blanks between words.
func kindOf(word string) string {
	isStem := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
	for l := range languagesOf(word) {
		for _, kind := range verbs() {
			if slices.ContainsFunc(l.words[kind], func(verb string) bool { return word == verb || isStem && strings.HasPrefix(word, verb) }) {
				return kind
			}
		}
	}
	return ""
}

// kindInChinese is the kind of what a Chinese sentence says was done: of its verb that is marked as done, or else its first.
func kindInChinese(s string) string {
	found, at, marked := "", len(s), false
	all := languages()
	chinese := all[len(all)-1].load()
	for _, kind := range verbs() {
		for _, verb := range chinese.words[kind] {
			i := strings.Index(s, verb)
			if i < 0 {
				continue
			}
			rest := s[i+len(verb):]
			done := rest == "" || slices.ContainsFunc(chinese.words["mark"], func(mark string) bool { return strings.HasPrefix(rest, mark) })
			if done && !marked || done == marked && i < at {
				found, at, marked = kind, i, done
			}
		}
	}
	return found
}
