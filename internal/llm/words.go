package llm

import (
	"strings"
	"time"
)

// TimeLine is the layout of the line with the time that begins a person's message for a model.
const TimeLine = "[Monday 2006-01-02 15:04 MST]"

// The marks around the text of a skill in a message.
const (
	skillBegins = "[The skill "
	skillEnds   = "[End of the skill "
)

// RuntimeMark begins text of hob in the user's role that is no [Message.Note], such as a summary of
// earlier messages.
const RuntimeMark = "[hob: "

// IsPersons reports whether a message is a person's, and not hob's in the user's role.
func (m Message) IsPersons() bool {
	return m.Role == UserRole && !m.Note && !strings.HasPrefix(m.Text, RuntimeMark)
}

// FactsBegin begins the known facts above a person's words. The text has no empty line.
const FactsBegin = "[What is known, in people's own words:"

// WithoutTime removes the line with the time from a person's message, wherever it is above the
// words.
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

// Words returns the person's words in a message for a model, without the time, the known facts and
// the texts of skills above them.
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

// behindSkill returns the rest of text if it begins with the text of a skill followed by gap.
func behindSkill(text, gap string) (rest string, ok bool) {
	if !strings.HasPrefix(text, skillBegins) {
		return "", false
	}
	_, behind, _ := strings.Cut(text, "\n"+skillEnds)
	_, rest, ok = strings.Cut(behind, "]"+gap)
	return rest, ok
}

// OwnWords removes everything that hob added to a person's words, wherever it is: lines in
// brackets, and the texts of skills.
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
