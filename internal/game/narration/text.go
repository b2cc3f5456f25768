package narration

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/spelling"
	"hob/internal/lazyregexp"
)

// mostRead is how many bytes of a draft are read: no narration is that long, and one that is has a flag for it.
const mostRead = 8 << 10

// span is a part of a text, in bytes.
type span struct{ at, end int }

// token is a word of a text; in Chinese a word that is known, or a character.
type token struct {
	span
	word, stem    string // in small letters
	stop          rune   // the strongest mark before it: 0, or one of , : . ! ?, or speechMark
	large         bool   // it begins with a capital
	class, phrase class  // what it claims, and what of that only with the words behind it
	sign          class  // what it may claim with others
	names         []name // what the words that it belongs to name
}

// draft is a narration that is read.
type draft struct {
	text   string // valid UTF-8, with names for marks of entities
	open   string // text without speech, which is spaces
	quotes []span // where speech was
	marks  []mark
}

// mark is [object|player|location:ID:name], which is read as the name.
type mark struct {
	span
	kind, id string
}

func newDraft(s string) *draft {
	if len(s) > mostRead {
		s = s[:mostRead]
	}
	d := &draft{}
	d.unmark(strings.ToValidUTF8(s, " "))
	open := []byte(d.text)
	d.quotes = speeches(d.text)
	for _, q := range d.quotes {
		for i := q.at; i < q.end; i++ {
			open[i] = ' '
		}
	}
	d.open = string(open)
	return d
}

// marked is a mark of an entity: [object:ID:name], or without a name.
var marked = lazyregexp.New(`\[(object|player|location)(?::([^\]:]*))?(?::([^\]]*))?\]`)

// unmark replaces marks by the names in them.
func (d *draft) unmark(s string) {
	var b strings.Builder
	from := 0
	for _, m := range marked().FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(s[from:m[0]])
		part := func(n int) string { return s[max(0, m[2*n]):max(0, m[2*n+1])] }
		name := cmp.Or(part(3), part(2))
		d.marks = append(d.marks, mark{span{b.Len(), b.Len() + len(name)}, part(1), part(2)})
		b.WriteString(name)
		from = m[1]
	}
	b.WriteString(s[from:])
	d.text = b.String()
}

// spoken is what may be speech: a line that begins with a dash, and what stands between marks that belong together.
var spoken = lazyregexp.New(`(?m)^[ \t]*[—–].*|"[^"]*"|[“”][^”]*”|„[^“]*“|«[^»]*»|「[^」]*」|『[^』]*』|‘[^’]*’`)

// speeches finds what is said. A mark that nothing closes begins no speech.
func speeches(s string) (list []span) {
	for _, m := range spoken().FindAllStringIndex(s, -1) {
		if utf8.RuneCountInString(s[m[0]:m[1]]) < 4 {
			continue // “咔”
		}
		if inner := strings.TrimLeft(s[m[0]:m[1]], " \t"); strings.HasPrefix(inner, "«") || strings.HasPrefix(inner, "—") || strings.HasPrefix(inner, "–") {
			list = append(list, dashed(s, m[0], m[1])...)
		} else {
			list = append(list, span{m[0], m[1]})
		}
	}
	return list
}

// dash is a dash within such a line, from which speech begins or ends: behind a mark.
var dash = lazyregexp.New(`[,.!?…:] *[—–]`)

// dashed finds the speech of a line that begins with a dash, or of «a, — says he. — b»: up to a mark and another dash comes speech, then who says it, and so on.
func dashed(s string, at, end int) (list []span) {
	from, speech := at, true
	for _, m := range append(dash().FindAllStringIndex(s[at:end], -1), []int{end - at, end - at}) {
		if speech {
			list = append(list, span{from, at + m[1]})
		}
		from, speech = at+m[1], !speech
	}
	return list
}

// tokens returns the words of a text, and an empty one that closes it. In Chinese known says whether characters are a word, which has at most so many bytes.
func (d *draft) tokens(lang string, known func(string) bool, longest int) []token {
	list := make([]token, 0, len(d.open)/4)
	stop, next, s := '.', 0, d.open
	for i := 0; i < len(s); {
		for next < len(d.quotes) && d.quotes[next].at <= i {
			stop = stronger(stop, speechMark, "")
			next++
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !spelling.IsLetter(r) {
			if r != '.' || len(list) == 0 || list[len(list)-1].end != i || !strings.Contains(" mr mrs ms dr ", " "+list[len(list)-1].word+" ") {
				stop = stronger(stop, r, s[i+n:])
			}
			i += n
			continue
		}
		end := i + n
		if unicode.Is(unicode.Han, r) {
			for e := min(len(s), i+longest); e > end; e-- {
				if utf8.RuneStart(at(s, e)) && known(s[i:e]) {
					end = e
				}
			}
		} else {
			end = max(end, wordEnd(s, i))
		}
		w := spelling.Lower(s[i:end])
		list = append(list, token{span: span{i, end}, word: w, stem: spelling.Stem(lang, w), large: unicode.IsUpper(r), stop: stop})
		stop, i = 0, end
	}
	if !ends(stop) {
		stop = '.'
	}
	return append(list, token{span: span{len(s), len(s)}, stop: stop})
}

func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return ' '
}

// wordEnd returns where the word at i ends: letters, digits, and what joins them.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if spelling.IsLetter(r) && !unicode.Is(unicode.Han, r) || r >= 0x300 && unicode.Is(unicode.Mn, r) {
			i += n
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+n:])
		if !strings.ContainsRune("'’-_", r) || !unicode.IsLetter(after) && (r != '_' || !unicode.IsDigit(after)) {
			break
		}
		i += n
	}
	return i
}

// speechMark stands among the marks for speech that was left out.
const speechMark = '\x01'

// stops are the marks that part words, the weakest first; the first of each stands for those behind it.
func stops() []string {
	return []string{",，、", ":：—–()（）[]*", string(speechMark), ".…。\n;；", "!！", "?？"}
}

// stronger returns the stronger of two marks.
func stronger(stop, r rune, after string) rune {
	rank := func(r rune) int {
		return slices.IndexFunc(stops(), func(s string) bool { return strings.ContainsRune(s, r) })
	}
	if n := rank(r); n > rank(stop) && (r != '.' || after == "" || after[0] < '0' || after[0] > '9') {
		return rune(stops()[n][0])
	}
	return stop
}
