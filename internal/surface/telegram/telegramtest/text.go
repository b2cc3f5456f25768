package telegramtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a message.
const (
	maxText     = 4096 // units of UTF-16
	maxCaption  = 1024
	maxEntities = 100
	maxButtons  = 100
	maxData     = 64 // bytes
)

// units returns how many units of UTF-16 a text has.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// text is a text with its entities, as Telegram keeps it.
type text struct {
	words    string
	entities []Entity
	dropped  int
}

// checkText reads a text with entities as JSON, and refuses what Telegram refuses.
func checkText(words, entities string, limit int) text {
	t := text{words: words}
	if !utf8.ValidString(words) {
		panic(bad("strings must be encoded in UTF-8"))
	}
	if entities != "" {
		if err := json.Unmarshal([]byte(entities), &t.entities); err != nil {
			panic(bad("can't parse entities JSON object"))
		}
	}
	checkEntities(words, t.entities)
	t.words = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, words)
	t.dropInCode()
	t.trim()
	if len(t.entities) > maxEntities {
		t.dropped += len(t.entities) - maxEntities
		t.entities = t.entities[:maxEntities]
	}
	switch {
	case units(t.words) <= limit:
		return t
	case limit == maxCaption:
		panic(bad("message caption is too long"))
	}
	panic(bad("message is too long"))
}

// checkEntities refuses entities that Telegram would not understand, and such as it would silently mend: a bot
// that sends those has miscounted.
func checkEntities(words string, all []Entity) {
	coded := utf16.Encode([]rune(words))
	splits := func(at int) bool {
		return at > 0 && at < len(coded) && utf16.IsSurrogate(rune(coded[at])) && coded[at] >= 0xDC00
	}
	for _, e := range all {
		end := e.Offset + e.Length
		switch {
		case !slices.Contains([]string{"bold", "italic", "strikethrough", "code", "pre", "text_link", "blockquote"}, e.Type):
			panic(bad("can't parse MessageEntity: unsupported type specified"))
		case e.Type == "text_link" && e.URL == "":
			panic(bad("can't parse MessageEntity: a field is missing"))
		case e.Offset < 0 || e.Length < 0:
			panic(bad(fmt.Sprintf("receive an entity with incorrect offset %d or length %d", e.Offset, e.Length)))
		case end > len(coded):
			panic(bad(fmt.Sprintf("entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d", e.Offset, end)))
		case splits(e.Offset) || splits(end):
			panic(bad(fmt.Sprintf("entity at UTF-16 offset %d begins or ends in a middle of a UTF-16 symbol", e.Offset)))
		}
	}
}

// dropInCode drops entities within code, where nothing else can be.
func (t *text) dropInCode() {
	all := slices.Clone(t.entities)
	t.entities = slices.DeleteFunc(t.entities, func(e Entity) bool {
		return slices.ContainsFunc(all, func(o Entity) bool {
			code := o.Type == "code" || o.Type == "pre"
			return code && o != e && o.Offset <= e.Offset && e.Offset+e.Length <= o.Offset+o.Length && e.Length > 0
		})
	})
	t.dropped += len(all) - len(t.entities)
}

// trim cuts white space at both ends, moves the entities, and drops those that are left empty.
func (t *text) trim() {
	const space = " \n"
	left := strings.TrimLeft(t.words, space)
	cut := units(t.words) - units(left)
	t.words = strings.TrimRight(left, space)
	length := units(t.words)
	var kept []Entity
	for _, e := range t.entities {
		start, end := max(e.Offset-cut, 0), min(e.Offset+e.Length-cut, length)
		if start < end {
			e.Offset, e.Length = start, end-start
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	t.entities = kept
}

// findEntities returns the commands and mentions that Telegram finds in what a person writes.
func findEntities(words string) []Entity {
	var all []Entity
	at := 0
	before := ' '
	for i, r := range words {
		if !isWord(before) && before != '/' {
			if kind, n := entityAt(words[i:]); n > 0 {
				all = append(all, Entity{Type: kind, Offset: at, Length: units(words[i : i+n])})
			}
		}
		at += utf16.RuneLen(r)
		before = r
	}
	return all
}

// entityAt returns the kind of the entity with which a text begins, and its bytes.
func entityAt(words string) (kind string, bytes int) {
	switch {
	case strings.HasPrefix(words, "/"):
		n := wordLength(words[1:])
		if n == 0 || n > 32 {
			return "", 0
		}
		if rest := words[1+n:]; strings.HasPrefix(rest, "@") {
			if m := wordLength(rest[1:]); m >= 3 {
				n += 1 + m
			}
		}
		return "bot_command", 1 + n
	case strings.HasPrefix(words, "@"):
		if n := wordLength(words[1:]); n >= 3 && n <= 32 {
			return "mention", 1 + n
		}
	}
	return "", 0
}

func isWord(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// wordLength returns how many bytes at the beginning of a text are a word.
func wordLength(s string) int { return len(s) - len(strings.TrimLeftFunc(s, isWord)) }

// cutUnits returns the part of a text that an entity marks.
func cutUnits(words string, e Entity) string {
	return string(utf16.Decode(utf16.Encode([]rune(words))[e.Offset : e.Offset+e.Length]))
}

// isInvisible reports whether nothing of a text can be seen.
func isInvisible(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF || r == 0x3164
	}) == ""
}
