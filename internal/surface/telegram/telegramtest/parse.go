package telegramtest

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf16"
)

// marked collects a text and its entities while markup is read.
type marked struct {
	text  strings.Builder
	at    int // units so far
	open  []opened
	found []Entity
}

// opened is an entity of which the end has not been read.
type opened struct {
	tag    string
	entity Entity
}

func (m *marked) add(text string) {
	m.text.WriteString(text)
	m.at += units(text)
}

func (m *marked) start(tag string, e Entity) {
	e.Offset = m.at
	m.open = append(m.open, opened{tag, e})
}

// end closes the last entity that was opened.
func (m *marked) end() {
	e := m.open[len(m.open)-1].entity
	m.open = m.open[:len(m.open)-1]
	if e.Length = m.at - e.Offset; e.Length > 0 && e.Type != "" {
		m.found = append(m.found, e)
	}
}

func (m *marked) last() string {
	if len(m.open) == 0 {
		return ""
	}
	return m.open[len(m.open)-1].tag
}

func unparsable(format string, args ...any) *refusal {
	return bad("can't parse entities: " + fmt.Sprintf(format, args...))
}

// parse turns a marked text into words.
func parse(text, mode string) (words, *refusal) {
	m := &marked{}
	var no *refusal
	switch strings.ToLower(mode) {
	case "html":
		no = m.html(text)
	case "markdownv2":
		no = m.markdown(text, true)
	case "markdown":
		no = m.markdown(text, false)
	default:
		no = bad("unsupported parse_mode")
	}
	if no != nil {
		return words{}, no
	}
	return words{text: m.text.String(), entities: m.found}, nil
}

// html reads tags and character references.
func (m *marked) html(text string) *refusal {
	for i := 0; i < len(text); {
		switch text[i] {
		case '<':
			n := strings.IndexByte(text[i:], '>')
			if n < 0 {
				return unparsable("Unclosed start tag at byte offset %d", i)
			}
			if no := m.tag(text[i+1:i+n], i); no != nil {
				return no
			}
			i += n + 1
		case '&':
			n := strings.IndexByte(text[i:], ';')
			if n > 0 && n < 10 {
				m.add(html.UnescapeString(text[i : i+n+1]))
				i += n + 1
				continue
			}
			m.add("&")
			i++
		default:
			n := strings.IndexAny(text[i:], "<&")
			if n < 0 {
				n = len(text) - i
			}
			m.add(text[i : i+n])
			i += n
		}
	}
	if len(m.open) > 0 {
		return unparsable("Can't find end tag corresponding to start tag %q", m.last())
	}
	return nil
}

// tag reads what stands between < and >.
func (m *marked) tag(tag string, at int) *refusal {
	if name, ok := strings.CutPrefix(tag, "/"); ok {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case len(m.open) == 0:
			return unparsable("Unexpected end tag at byte offset %d", at)
		case name != m.last():
			return unparsable(`Unmatched end tag at byte offset %d, expected "</%s>", found "</%s>"`, at, m.last(), name)
		}
		m.end()
		return nil
	}
	name, rest, _ := strings.Cut(tag, " ")
	name = strings.ToLower(name)
	e := Entity{}
	switch name {
	case "b", "strong":
		e.Type = "bold"
	case "i", "em":
		e.Type = "italic"
	case "u", "ins":
		e.Type = "underline"
	case "s", "strike", "del":
		e.Type = "strikethrough"
	case "tg-spoiler", "span":
		e.Type = "spoiler"
	case "code", "pre":
		e.Type = name
		if lang := attribute(rest, "class"); name == "code" && m.last() == "pre" {
			m.open[len(m.open)-1].entity.Language = strings.TrimPrefix(lang, "language-")
			e.Type = "" // of the block around it
		}
	case "blockquote":
		e.Type = "blockquote"
		if strings.Contains(rest, "expandable") {
			e.Type = "expandable_blockquote"
		}
	case "a":
		e.Type, e.URL = "text_link", attribute(rest, "href")
	default:
		return unparsable("Unsupported start tag %q at byte offset %d", name, at)
	}
	m.start(name, e)
	return nil
}

// attribute is the value of a tag's attribute, "" for none.
func attribute(tag, name string) string {
	_, value, ok := strings.Cut(tag, name+"=")
	if !ok || value == "" {
		return ""
	}
	if q := value[0]; q == '"' || q == '\'' {
		value, _, _ = strings.Cut(value[1:], value[:1])
		return html.UnescapeString(value)
	}
	value, _, _ = strings.Cut(value, " ")
	return value
}

// markdown reads MarkdownV2, or the old kind, which lets stray characters pass.
func (m *marked) markdown(text string, v2 bool) *refusal {
	for i := 0; i < len(text); {
		c := text[i]
		mark := markAt(text[i:], v2)
		switch {
		case c == '\\' && i+1 < len(text) && text[i+1] > 0 && text[i+1] < 127:
			m.add(text[i+1 : i+2])
			i += 2
		case strings.HasPrefix(mark, "`"):
			n := strings.Index(text[i+len(mark):], mark)
			if n < 0 {
				return unparsable("Can't find end of the entity starting at byte offset %d", i)
			}
			m.start(mark, Entity{Type: map[bool]string{true: "pre", false: "code"}[len(mark) == 3]})
			m.add(text[i+len(mark) : i+len(mark)+n])
			m.end()
			i += n + 2*len(mark)
		case mark != "" && m.last() == mark:
			m.end()
			i += len(mark)
		case mark != "":
			m.start(mark, Entity{Type: markType(mark)})
			i += len(mark)
		case c == '[':
			m.start("]", Entity{Type: "text_link"})
			i++
		case c == ']' && m.last() == "]":
			target, ok := strings.CutPrefix(text[i+1:], "(")
			n := strings.IndexByte(target, ')')
			if !ok || n < 0 {
				return unparsable("Can't find end of a URL at byte offset %d", i)
			}
			m.open[len(m.open)-1].entity.URL = target[:n]
			m.end()
			i += n + 3
		case v2 && strings.IndexByte("[]()~>#+-=|{}.!", c) >= 0:
			return unparsable("Character '%c' is reserved and must be escaped with the preceding '\\'", c)
		default:
			m.text.WriteByte(c)
			if c < 0x80 || c >= 0xC0 { // the first byte of a character
				m.at++
			}
			if c >= 0xF0 {
				m.at += utf16.RuneLen(0x10000) - 1
			}
			i++
		}
	}
	if len(m.open) > 0 {
		return unparsable("Can't find end of the entity starting at UTF-16 offset %d", m.open[0].entity.Offset)
	}
	return nil
}

// markAt is the mark that a text begins with, "" for none.
func markAt(text string, v2 bool) string {
	marks := []string{"```", "`", "*", "_"}
	if v2 {
		marks = []string{"```", "`", "*", "__", "_", "~", "||"}
	}
	for _, m := range marks {
		if strings.HasPrefix(text, m) {
			return m
		}
	}
	return ""
}

func markType(mark string) string {
	switch mark {
	case "*":
		return "bold"
	case "__":
		return "underline"
	case "~":
		return "strikethrough"
	case "||":
		return "spoiler"
	}
	return "italic"
}
