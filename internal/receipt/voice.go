package receipt

import (
	"embed"
	"strconv"

	"hob/internal/event"
	"hob/internal/phrases"
)

//go:embed words
var files embed.FS

// Language is what a line is written in. The zero Language is English.
type Language struct {
	Name string // such as "de"
	// Translate translates the few words that a tool says of what it did, such as "exit status 1". Nil: they stay.
	Translate func(words string) string
}

// voice is a line's words.
type voice struct {
	phrases.Words
	detail func(string) string
	named  bool // commands are told apart
}

func (l Language) voice() voice {
	v := voice{Words: phrases.In(files, l.Name), detail: l.Translate}
	if v.detail == nil {
		v.detail = func(words string) string { return words }
	}
	return v
}

// Did says what was done to a target.
func (l Language) Did(kind, target string) string { return l.voice().did(kind, target) }

// did says what was done to a target.
func (v voice) did(kind, target string) string {
	if text, ok := v.Find("did."+kind, target); ok {
		return text
	}
	return name(kind) + " " + target
}

// failed says what was not done to a target.
func (v voice) failed(kind, target string) string {
	if text, ok := v.Find("failed."+kind, target); ok {
		return text
	}
	return v.Text("failed", name(kind)+" "+target)
}

// cause says in a few words why a call failed; "" is not known.
func (v voice) cause(err *event.Error) string {
	if err == nil {
		return ""
	}
	if text, ok := v.Find("cause." + err.Code); ok {
		return text
	}
	return v.detail(err.Message)
}

// rule says by which rule a call was denied. One without words is named.
func (v voice) rule(name string) string {
	if text, ok := v.Find("rule." + name); ok {
		return text
	}
	return name
}

func (v voice) times(n int) string {
	if n < 2 {
		return ""
	}
	return v.Text("times", strconv.Itoa(n))
}
