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
	maxRaw      = 1 << 15 // bytes before markup is read
	maxText     = 4096    // units of UTF-16
	maxCaption  = 1024
	maxEntities = 100
	maxButtons  = 100
	maxData     = 64 // bytes
)

// units is how many units of UTF-16 a text has.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// words is a text with its entities, as Telegram keeps it.
type words struct {
	text     string
	entities []Entity
	dropped  int
}

// words reads a text argument with its entities or its markup, and refuses what Telegram refuses.
func (c *call) words(text, entities string, most int) (words, *refusal) {
	w := words{text: c.p[text]}
	if !utf8.ValidString(w.text) {
		return w, bad("strings must be encoded in UTF-8")
	}
	if len(w.text) > maxRaw {
		return w, bad("text is too long")
	}
	if mode := c.p["parse_mode"]; mode != "" && !strings.EqualFold(mode, "none") {
		var no *refusal
		if w, no = parse(w.text, mode); no != nil {
			return w, no
		}
	} else if raw := c.p[entities]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &w.entities); err != nil {
			return w, bad("can't parse entities JSON object")
		}
	}
	if no := checkEntities(w.text, w.entities); no != nil {
		return w, no
	}
	w.clean()
	w.trim()
	if len(w.entities) > maxEntities {
		w.dropped += len(w.entities) - maxEntities
		w.entities = w.entities[:maxEntities]
	}
	if units(w.text) > most {
		if most == maxCaption {
			return w, bad("message caption is too long")
		}
		return w, bad("message is too long")
	}
	return w, nil
}

// checkEntities refuses entities that Telegram would not understand, and such as it would silently mend: a bot that sends
// those has miscounted.
func checkEntities(text string, all []Entity) *refusal {
	coded := utf16.Encode([]rune(text))
	splits := func(at int) bool {
		return at > 0 && at < len(coded) && utf16.IsSurrogate(rune(coded[at])) && coded[at] >= 0xDC00
	}
	for _, e := range all {
		end := e.Offset + e.Length
		switch {
		case !slices.Contains(entityTypes(), e.Type):
			return bad("can't parse MessageEntity: unsupported type specified")
		case e.Offset < 0:
			return bad(fmt.Sprintf("receive an entity with incorrect offset %d", e.Offset))
		case e.Length < 0:
			return bad(fmt.Sprintf("receive an entity with incorrect length %d", e.Length))
		case e.Offset > len(coded):
			return bad(fmt.Sprintf("entity begins after the end of the text at UTF-16 offset %d", e.Offset))
		case end > len(coded):
			return bad(fmt.Sprintf("entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d",
				e.Offset, end))
		case splits(e.Offset):
			return bad(fmt.Sprintf("entity begins in a middle of a UTF-16 symbol at byte offset %d", bytesAt(coded, e.Offset)))
		case splits(end):
			return bad(fmt.Sprintf("entity beginning at UTF-16 offset %d ends in a middle of a UTF-16 symbol at byte offset %d",
				e.Offset, bytesAt(coded, end)))
		case e.Type == "text_link" && e.URL == "" || e.Type == "text_mention" && e.User == nil:
			return bad("can't parse MessageEntity: a field is missing")
		}
	}
	return nil
}

func entityTypes() []string {
	return []string{"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline",
		"strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "text_mention",
		"custom_emoji", "date_time"}
}

// bytesAt is how many bytes of UTF-8 a number of units are, with the character that they split.
func bytesAt(coded []uint16, n int) int { return len(string(utf16.Decode(coded[:n+1]))) }

// clean makes control characters spaces, and drops carriage returns and what stands within code, where nothing else can be.
func (w *words) clean() {
	var b strings.Builder
	at, gone := 0, []int{} // where carriage returns were
	for _, r := range w.text {
		switch {
		case r == '\r':
			gone = append(gone, at)
		case r < ' ' && r != '\n', r == 0x2028, r == 0x2029:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		at += utf16.RuneLen(r)
	}
	w.text = b.String()
	before := func(offset int) int {
		n, _ := slices.BinarySearch(gone, offset)
		return n
	}
	for i := range w.entities {
		e := &w.entities[i]
		end := e.Offset + e.Length
		e.Offset, e.Length = e.Offset-before(e.Offset), end-before(end)-e.Offset+before(e.Offset)
	}
	all := slices.Clone(w.entities)
	w.entities = slices.DeleteFunc(w.entities, func(e Entity) bool {
		return slices.ContainsFunc(all, func(o Entity) bool {
			code := o.Type == "code" || o.Type == "pre"
			return code && o != e && o.Offset <= e.Offset && e.Offset+e.Length <= o.Offset+o.Length && e.Length > 0
		})
	})
	w.dropped += len(all) - len(w.entities)
}

// trim cuts white space at both ends, moves the entities, and drops those that are left empty.
func (w *words) trim() {
	const space = " \n\t"
	left := strings.TrimLeft(w.text, space)
	cut := units(w.text) - units(left)
	w.text = strings.TrimRight(left, space)
	most := units(w.text)
	var kept []Entity
	for _, e := range w.entities {
		start, end := max(e.Offset-cut, 0), min(e.Offset+e.Length-cut, most)
		if start < end {
			e.Offset, e.Length = start, end-start
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	w.entities = kept
}

// found are the commands, mentions and links that Telegram finds in what a person writes.
func found(text string) []Entity {
	var all []Entity
	at := 0
	before := ' '
	for i, r := range text {
		kind, n := "", 0
		if !wordy(before) && before != '/' {
			kind, n = special(text[i:])
		}
		if n > 0 {
			all = append(all, Entity{Type: kind, Offset: at, Length: units(text[i : i+n])})
		}
		at += utf16.RuneLen(r)
		before = r
	}
	return all
}

// special is what begins a text, and its bytes.
func special(text string) (kind string, bytes int) {
	switch {
	case strings.HasPrefix(text, "/"):
		n := span(text[1:], wordy)
		if n == 0 || n > 32 {
			return "", 0
		}
		if rest := text[1+n:]; strings.HasPrefix(rest, "@") {
			if m := span(rest[1:], wordy); m >= 3 {
				n += 1 + m
			}
		}
		return "bot_command", 1 + n
	case strings.HasPrefix(text, "@"):
		if n := span(text[1:], wordy); n >= 3 && n <= 32 {
			return "mention", 1 + n
		}
	case strings.HasPrefix(text, "https://"), strings.HasPrefix(text, "http://"):
		return "url", span(text, func(r rune) bool { return !unicode.IsSpace(r) })
	}
	return "", 0
}

func wordy(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// span is how many bytes of a text satisfy ok.
func span(text string, ok func(rune) bool) int {
	n := strings.IndexFunc(text, func(r rune) bool { return !ok(r) })
	if n < 0 {
		return len(text)
	}
	return n
}

// Cut is the part of a text at units of UTF-16.
func Cut(text string, offset, length int) string {
	coded := utf16.Encode([]rune(text))
	offset = min(max(offset, 0), len(coded))
	return string(utf16.Decode(coded[offset:min(max(offset+length, offset), len(coded))]))
}

// invisible reports whether nothing of a text can be seen.
func invisible(text string) bool {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF || r == 0x3164
	}) == ""
}
