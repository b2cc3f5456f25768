package author

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/tales"
)

// language is what must be known of a language to write in it.
type language struct {
	name, you string
	letters   *unicode.RangeTable
	other     string // letters of its script that other languages have and it does not
	common    string // words of which some stand in any text of it, with blanks around them; "" is not asked
}

func languages() map[string]language {
	return map[string]language{
		"en": {"English", "you", unicode.Latin, "äöüßñøåœęłșțğıőűčěřž",
			" the a an of and is in to you your it that with on at for from are has was his her they their there no not "},
		"ru": {"Russian", "вы", unicode.Cyrillic, "іїєґўјљњћђџѓќ", ""},
		"zh": {"Chinese", "你", unicode.Han, "", ""},
	}
}

// reading takes the texts out of an answer, mends them, and notes what cannot be mended.
type reading struct {
	lang     string
	names    map[string]string // that are taken, in their plain form
	problems []string
	all      []string // the words of all texts, in small letters
}

func (r *reading) fail(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// read reads the object of an answer, and reports whether it could. Words around it do not count.
func (r *reading) read(answer string, into any) bool {
	at := strings.IndexByte(answer, '{')
	if at < 0 {
		r.fail("there is no JSON object in it")
		return false
	}
	err := json.NewDecoder(strings.NewReader(answer[at:])).Decode(into)
	wrong := (*json.UnmarshalTypeError)(nil)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.fail("it breaks off before its end: write shorter texts")
	case errors.As(err, &wrong):
		r.fail("%s is a %s and must be a %s", plain(strings.ToLower(wrong.Field), mostName), wrong.Value, kindOf(wrong))
	case err != nil:
		r.fail("it is no JSON object of the form that was asked for")
	}
	return err == nil
}

// kindOf returns what was wanted where something else stood.
func kindOf(wrong *json.UnmarshalTypeError) string {
	switch wrong.Type.Kind().String() {
	case "slice":
		return "list"
	case "string":
		return "text"
	}
	return "object"
}

// letters reports whether a text has a letter.
func letters(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// plain returns a text on one line, without what a tale must not have, and cut.
func plain(s string, most int) string {
	s = tales.Mend(strings.ReplaceAll(s, "*", ""))
	if runes := []rune(s); len(runes) > most {
		s = strings.TrimSpace(string(runes[:most]))
	}
	return s
}

// text takes a text of at most so many characters. One that is too long ends with the last sentence that fits.
func (r *reading) text(name, s string, most int) string {
	s = plain(s, len(s))
	switch {
	case !letters(s):
		r.fail("%s is missing", name)
		return ""
	case utf8.RuneCountInString(s) > most:
		short := string([]rune(s)[:most])
		end := strings.LastIndexAny(short, ".!?…。！？")
		if end < len(short)/2 {
			r.fail("%s has %d characters: write at most %d", name, utf8.RuneCountInString(s), most)
			return ""
		}
		_, width := utf8.DecodeRuneInString(short[end:])
		s = short[:end+width]
	}
	r.language(name, s)
	return s
}

// language notes a text of another script. Which of the languages of a script it is, the whole of an answer says.
func (r *reading) language(name, s string) {
	l := languages()[r.lang]
	own, others := 0, 0
	for _, c := range strings.ToLower(s) {
		switch {
		case unicode.Is(l.letters, c) && !strings.ContainsRune(l.other, c):
			own++
		case unicode.IsLetter(c):
			others++
		}
	}
	if own <= 3*others {
		r.fail("%s is not in %s", name, l.name)
	}
	r.all = append(r.all, strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) })...)
}

// end returns the problems of an answer.
func (r *reading) end() []string {
	l := languages()[r.lang]
	common := 0
	for _, w := range r.all {
		if strings.Contains(l.common, " "+w+" ") {
			common++
		}
	}
	if len(r.problems) == 0 && l.common != "" && len(r.all) >= fewWords && common*rareCommon < len(r.all) {
		r.fail("its texts are not in %s", l.name)
	}
	return r.problems
}

// A text of fewer words may have no common one in it. Of others one word in so many is.
const (
	fewWords   = 20
	rareCommon = 12
)

// bare returns the form of a name by which names are compared.
func bare(name string) string {
	fields := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(name), "ё", "е"), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if len(fields) > 1 && slices.Contains([]string{"the", "a", "an"}, fields[0]) {
		fields = fields[1:]
	}
	return strings.Join(fields, " ")
}

// name takes a name that nothing else has.
func (r *reading) name(field, s string) string {
	s = strings.Trim(strings.ReplaceAll(s, ",", " "), " .:;!?\"'«»„“”‘’《》「」。")
	if s = r.text(field, s, mostName); s == "" {
		return ""
	}
	key := bare(s)
	if other, is := r.names[key]; is {
		r.fail("%s is called %q as %s is: give it another name", field, s, other)
	}
	r.names[key] = field
	return s
}

// pick returns which of some names is meant, -1 if none is. A name that is a part of one of them, or has one of them in it, will do
// where no other is meant.
func (r *reading) pick(field, s string, options []string) int {
	want := bare(s)
	found := -1
	for i, o := range options {
		if have := bare(o); have == want {
			return i
		} else if want != "" && (strings.Contains(have, want) || strings.Contains(want, have)) {
			if found >= 0 {
				found = len(options)
				continue
			}
			found = i
		}
	}
	if found >= 0 && found < len(options) {
		return found
	}
	r.fail("%s is %q and must be one of: %s", field, plain(s, mostName), strings.Join(options, "; "))
	return -1
}

// count cuts a list that is too long, and notes one that is too short.
func count[T any](r *reading, name string, items []T, n int) []T {
	if len(items) < n && len(r.problems) == 0 {
		r.fail("there are %d %s: write %d", len(items), name, n)
	}
	return items[:min(len(items), n)]
}
