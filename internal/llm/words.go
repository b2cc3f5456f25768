package llm

import (
	"strings"
	"time"
)

// TimeLine is the layout of the line with the time, which a person's message begins with when a model reads it.
const TimeLine = "[Monday 2006-01-02 15:04 MST]"

// The marks around the text of a skill in a message.
const (
	skillBegins = "[The skill "
	skillEnds   = "[End of the skill "
)

// RuntimeMark begins what the runtime writes in a user's place, except for [Message.Note]: earlier messages in short.
const RuntimeMark = "[hob: "

// IsPersons reports whether a message is of a person, and not of the runtime in their place.
func (m Message) IsPersons() bool {
	return m.Role == UserRole && !m.Note && !strings.HasPrefix(m.Text, RuntimeMark)
}

// FactsBegin begins the text before a person's words that has what is known and bears on them. It has no empty line in it.
const FactsBegin = "[What is known, in people's own words:"

// WithoutTime returns a person's message as a model reads it without the line with the time, wherever among the texts before their
// words it stands.
func WithoutTime(text string) string {
	at := 0
	for {
		head, rest, ok := strings.Cut(text[at:], "\n\n")
		if !ok {
			return text
		}
		if _, err := time.Parse(TimeLine, head); err == nil {
			return text[:at] + rest
		}
		if rest, ok = behindSkill(text[at:], "\n\n"); !ok {
			return text
		}
		at = len(text) - len(rest)
	}
}

// Words returns a person's message as a model reads it without what stands before their words: the time, what is known, and the texts
// of skills that were opened for them.
func Words(text string) string {
	for {
		head, rest, ok := strings.Cut(text, "\n\n")
		if !ok {
			return text
		}
		if behind, ok := behindSkill(text, "\n\n"); ok {
			rest = behind
		} else if _, err := time.Parse(TimeLine, head); err != nil && !strings.HasPrefix(head, FactsBegin) {
			return text
		}
		text = rest
	}
}

// behindSkill returns what stands behind a gap behind the text of a skill, ok if text begins with these.
func behindSkill(text, gap string) (rest string, ok bool) {
	if !strings.HasPrefix(text, skillBegins) {
		return "", false
	}
	_, behind, _ := strings.Cut(text, "\n"+skillEnds)
	_, rest, ok = strings.Cut(behind, "]"+gap)
	return rest, ok
}

// OwnWords returns a text without what the runtime wrote beside a person's words, wherever it stands: lines in brackets, and the texts
// of skills.
func OwnWords(text string) string {
	var own []string
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if behind, ok := behindSkill(text, ""); ok {
			rest = behind
		} else if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
			own = append(own, line)
		}
		text = rest
	}
	return strings.Join(own, "\n")
}
