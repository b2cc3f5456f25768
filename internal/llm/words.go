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
		if !strings.HasPrefix(head, skillBegins) {
			return text
		}
		_, after, closed := strings.Cut(text[at:], "\n"+skillEnds)
		if _, rest, ok = strings.Cut(after, "]\n\n"); !closed || !ok {
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
		if strings.HasPrefix(head, skillBegins) {
			_, after, closed := strings.Cut(text, "\n"+skillEnds)
			_, rest, ok = strings.Cut(after, "]\n\n")
			if !closed || !ok {
				return text
			}
		} else if _, err := time.Parse(TimeLine, head); err != nil && !strings.HasPrefix(head, FactsBegin) {
			return text
		}
		text = rest
	}
}
