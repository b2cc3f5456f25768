package event

import (
	"fmt"
	"strings"
	"time"
)

// Fact is something to remember about a person, a group or the house, in the words of the person
// who said it.
type Fact struct {
	ID      int64     `json:"id"`
	Subject Subject   `json:"subject"`
	State   FactState `json:"state"`
	Key     string    `json:"key,omitempty"` // what it is about them, such as "birthday"; "": no key
	Text    string    `json:"text"`
	Rival   int64     `json:"rival,omitempty"` // the fact with the same key that it would replace

	By     Party     `json:"by,omitzero"`
	Chat   Chat      `json:"chat,omitempty"`
	Tool   string    `json:"tool,omitempty"`
	Label  Label     `json:"label,omitzero"` // of Text, until a person has confirmed it
	Time   time.Time `json:"time,omitzero"`  // when it was said
	Agreed Party     `json:"agreed,omitzero"`

	Terms string `json:"terms"` // terms that a search finds it by, made by package memory
}

// Subject is the subject of a fact: [House], "person/..." or "group/...".
type Subject string

// House is the subject of facts for the whole household.
const House Subject = "house"

// IsGroup reports whether the subject is a group.
func (s Subject) IsGroup() bool { return strings.HasPrefix(string(s), "group/") }

// FactState says whether a fact may be used.
type FactState string

// The states of a fact. A forgotten fact has none: only its changes remember it.
const (
	FactKept    FactState = "kept"    // it is used
	FactWaiting FactState = "waiting" // it is not used before a person has confirmed it
)

// Name is the fact's name in the log of changes.
func (f Fact) Name() string { return fmt.Sprintf("fact/%d", f.ID) }
