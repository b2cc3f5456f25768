package event

import (
	"fmt"
	"strings"
	"time"
)

// Fact is something that hob is to know of a person, of a group or of the house, in the words of who said it.
type Fact struct {
	ID      int64     `json:"id"`
	Subject Subject   `json:"subject"`
	State   FactState `json:"state"`
	Key     string    `json:"key,omitempty"` // what it says of them, such as "birthday"; "": nothing that has a name
	Text    string    `json:"text"`
	Rival   int64     `json:"rival,omitempty"` // the fact with the same key that it would take the place of

	By     Party     `json:"by,omitzero"`
	Chat   Chat      `json:"chat,omitempty"`
	Tool   string    `json:"tool,omitempty"`
	Label  Label     `json:"label,omitzero"` // of Text, until a person has said yes to it
	Time   time.Time `json:"time,omitzero"`  // when it was said
	Agreed Party     `json:"agreed,omitzero"`

	Terms string `json:"terms"` // what a search finds it by, as package memory makes them
}

// Subject is whom or what a fact is about: [House], "person/..." or "group/...".
type Subject string

// House is the subject of what all of the household may know.
const House Subject = "house"

// IsGroup reports whether it is a group.
func (s Subject) IsGroup() bool { return strings.HasPrefix(string(s), "group/") }

// FactState says what a fact is good for.
type FactState string

// The states of a fact. One that is forgotten has none: only its changes remember it.
const (
	FactKept    FactState = "kept"    // it is known
	FactWaiting FactState = "waiting" // nobody is told it before a person has said yes
)

// Name is the name of the fact in the log of changes.
func (f Fact) Name() string { return fmt.Sprintf("fact/%d", f.ID) }
