package narration

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// draft is a narration that is read.
type draft struct {
	text   string // as it was given, in valid UTF-8, without marks of entities
	open   string // text without speech: what was said is spaces
	quotes []span // where speech was
	marks  []mark // entities that stand there by their id
}

// span is a part of a text, in bytes.
type span struct{ at, end int }

// mark is [object|player|location:ID:name], which is read as the name.
type mark struct {
	span
	kind, id string
}

// mostRead is how many bytes of a draft are read: no narration is that long, and one that is has a flag for it.
const mostRead = 8 << 10

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

// unmark replaces marks by the names in them.
func (d *draft) unmark(s string) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 {
			break
		}
		kind, id, name, n := readMark(s[i:])
		if n == 0 {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		d.marks = append(d.marks, mark{span{b.Len(), b.Len() + len(name)}, kind, id})
		b.WriteString(name)
		s = s[i+n:]
	}
	b.WriteString(s)
	d.text = b.String()
}

// readMark reads the mark at the beginning of s, n bytes of it; 0 where there is none.
func readMark(s string) (kind, id, name string, n int) {
	const longest = 400
	end := strings.IndexByte(s[:min(len(s), longest)], ']')
	if end < 0 {
		return "", "", "", 0
	}
	kind, rest, ok := strings.Cut(s[1:end], ":")
	if !ok || kind != "object" && kind != "player" && kind != "location" {
		return "", "", "", 0
	}
	if id, name, ok = strings.Cut(rest, ":"); !ok {
		name = id
	}
	return kind, id, name, end + 1
}

// closer returns what ends a quotation that r begins, 0 where it begins none.
func closer(r rune) rune {
	switch r {
	case '"':
		return '"'
	case '“', '”':
		return '”'
	case '„':
		return '“'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	case '‘':
		return '’'
	}
	return 0
}

// speeches finds what is said: between quotation marks, and after a dash at the beginning of a line. A name between marks is none,
// nor is a mark that nothing closes.
func speeches(s string) (list []span) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r == '—' || r == '–') && lineStart(s[:i]) {
			end := len(s)
			if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
				end = i + j
			}
			list = append(list, dashed(s, i+n, end)...)
			i = end
			continue
		}
		close := closer(r)
		end := -1
		if close != 0 {
			end = strings.IndexRune(s[i+n:], close)
		}
		if end < 0 {
			i += n
			continue
		}
		if inner := s[i+n : i+n+end]; !titled(s[:i], inner) {
			list = append(list, span{i, i + n + end + utf8.RuneLen(close)})
		}
		i += n + end + utf8.RuneLen(close)
	}
	return list
}

func lineStart(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// dashed finds the speech of a line that begins with a dash: up to a mark and another dash comes speech, then who says it, and so
// on.
func dashed(s string, at, end int) (list []span) {
	speech := true
	from := at
	for i := at; i < end; {
		r, n := utf8.DecodeRuneInString(s[i:end])
		if (r == '—' || r == '–') && i > at && strings.ContainsAny(strings.TrimRight(s[max(at, i-6):i], " "), ",.!?…") {
			if speech {
				list = append(list, span{from, i})
			}
			speech, from = !speech, i+n
		}
		i += n
	}
	if speech {
		list = append(list, span{from, end})
	}
	return list
}

// titled reports whether what stands between quotation marks is what something is called, rather than speech: a few words that
// end in no mark, behind a word.
func titled(before, inner string) bool {
	before = strings.TrimRight(before, " ")
	last, _ := utf8.DecodeLastRuneInString(before)
	if before == "" || !unicode.IsLetter(last) || strings.ContainsAny(inner, ".,!?…。，！？") {
		return false
	}
	return len(strings.Fields(inner)) <= 7 && utf8.RuneCountInString(inner) <= 60 && (last < 0x2e80 || utf8.RuneCountInString(inner) <= 12 && !hasAny(before, "说", "道", "问", "喊", "答", "叫"))
}

// token is a word of a text without speech.
type token struct {
	span
	word, stem string // small letters
	large      bool   // it begins with a capital
	stop       rune   // the mark before it: 0, or one of , ; : ( — . ! ? and " for speech; the strongest, where there are several
}

// tokens returns the words of a text.
func (d *draft) tokens(lang string) []token {
	list := make([]token, 0, len(d.open)/5)
	stop := '.'
	next := 0 // of the quotations
	s := d.open
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		for next < len(d.quotes) && d.quotes[next].at <= i {
			if stop != '.' && stop != '!' && stop != '?' {
				stop = '"'
			}
			next++
		}
		if !lettered(r) {
			if r != '.' || len(list) == 0 || list[len(list)-1].end != i || !abbreviated(list[len(list)-1].word) {
				stop = stronger(stop, r, s[i+n:])
			}
			i += n
			continue
		}
		end := wordEnd(s, i)
		w := lowered(s[i:end])
		list = append(list, token{span: span{i, end}, word: w, stem: stem(lang, w), large: unicode.IsUpper(r), stop: stop})
		stop = 0
		i = end
	}
	return list
}

// abbreviated reports whether the mark behind a word ends no sentence.
func abbreviated(w string) bool { return w == "mr" || w == "mrs" || w == "ms" || w == "dr" }

// wordEnd returns where the word at i ends: letters, digits, and what joins them.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if lettered(r) || r >= 0x300 && unicode.Is(unicode.Mn, r) {
			i += n
			continue
		}
		if r == ' ' {
			break
		}
		after, _ := utf8.DecodeRuneInString(s[i+n:])
		if (r == '\'' || r == '’' || r == '-' || r == '_') && unicode.IsLetter(after) || r == '_' && unicode.IsDigit(after) {
			i += n
			continue
		}
		break
	}
	return i
}

// stronger returns the stronger of two marks.
func stronger(stop, r rune, after string) rune {
	rank := func(r rune) int { return strings.IndexRune(`.?!`, r) }
	switch r {
	case '.', '…', '。', '\n', ';', '；':
		if r == '.' && after != "" && after[0] >= '0' && after[0] <= '9' {
			return stop
		}
		r = '.'
	case '!', '！':
		r = '!'
	case '?', '？':
		return '?'
	case ',', '，', '、':
		r = ','
	case ':', '：', '—', '–', '(', ')', '（', '）', '[', ']', '*':
		r = ':'
	default:
		return stop
	}
	if stop == '?' || rank(stop) >= 0 && rank(r) < 0 || stop == '"' && rank(r) < 0 {
		return stop
	}
	return r
}

// lowered returns s in small letters, without ё, with one kind of apostrophe.
func lowered(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < 0x80 && (s[i] < 'A' || s[i] > 'Z')
	}
	if plain {
		return s
	}
	return string(appendLowered(make([]byte, 0, len(s)+4), s))
}

func appendLowered(b []byte, s string) []byte {
	for _, r := range s {
		b = utf8.AppendRune(b, small(r))
	}
	return b
}

// small returns a letter as lowered has it: most of those there are need no table.
func small(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z', r >= 'А' && r <= 'Я':
		return r + 0x20
	case r < 0x80, r >= 'а' && r <= 'я', r >= 0x2e80 && r < 0xa000:
		return r
	case r == 'ё' || r == 'Ё':
		return 'е'
	case r == '’':
		return '\''
	}
	return unicode.ToLower(r)
}

// lettered reports whether r is a letter or a digit.
func lettered(r rune) bool {
	switch {
	case r < 0x80:
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	case r >= 'А' && r <= 'я':
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// han reports whether a text has Chinese characters.
func han(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
