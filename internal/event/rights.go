package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Level is a person's permission level. Higher includes lower.
type Level int

// The levels, lowest first. The zero Level is the lowest: a missing level never gives rights.
const (
	User Level = iota
	GroupAdmin
	GroupOwner
	BotAdmin
	Owner
)

// levelNames are the names of the levels, in order, in JSON and configuration files.
func levelNames() []string {
	return []string{"user", "group_admin", "group_owner", "bot_admin", "owner"}
}

// String returns the name of the level, such as "group_admin".
func (l Level) String() string {
	if names := levelNames(); 0 <= l && int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("level %d", int(l))
}

// ParseLevel returns the level of that name; "" is the lowest. Any other name is an error.
func ParseLevel(name string) (Level, error) {
	if name == "" {
		return User, nil
	}
	if i := slices.Index(levelNames(), name); i >= 0 {
		return Level(i), nil
	}
	return User, fmt.Errorf("there is no permission level %q: it is one of %q", name, levelNames())
}

// ParseRole returns the level for a word that people use for one when they add somebody.
func ParseRole(word string) (Level, error) {
	switch word {
	case "owner":
		return Owner, nil
	case "admin":
		return BotAdmin, nil
	case "user":
		return User, nil
	}
	return User, fmt.Errorf("there is no %q: it is owner, admin or user", word)
}

// MarshalJSON writes the name of a level.
func (l Level) MarshalJSON() ([]byte, error) { return json.Marshal(l.String()) }

// UnmarshalJSON reads the name of a level.
func (l *Level) UnmarshalJSON(raw []byte) error {
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return err
	}
	level, err := ParseLevel(name)
	*l = level
	return err
}

// Principal says where a sender speaks and what rights they have there. The surface sets it from
// facts that its platform guarantees; nothing in a message or from a model changes it.
type Principal struct {
	Platform   string `json:"platform,omitempty"` // "cli", "telegram", "http"
	Scope      string `json:"scope,omitempty"`    // "private", "group", "channel"
	Level      Level  `json:"level,omitzero"`
	Unattended bool   `json:"unattended,omitempty"` // nobody can be asked: a question is a denial
}

// Binding is what a call will run in and on, beside its arguments. An approval holds only for that.
type Binding struct {
	Profile string      `json:"profile,omitempty"` // of the sandbox: tier, network, limits
	Dir     string      `json:"dir,omitempty"`     // working folder, absolute
	Files   []BoundFile `json:"files,omitempty"`   // files that it will run, by path
	Changes string      `json:"changes,omitempty"` // what it changes, if its arguments do not say so: "2 timers"
}

// BoundFile is a file in the state that a person was shown.
type BoundFile struct {
	Path string `json:"path"` // relative to the working folder, or absolute
	Sum  string `json:"sum"`  // SHA-256 of its content, hexadecimal
}

// Grant is a permission that a person gave for good: one tool may use one host or one folder
// without asking. There are no grants for running programs.
type Grant struct {
	ID   int64     `json:"id,omitempty"` // 0: not in force
	Time time.Time `json:"time,omitzero"`
	By   string    `json:"by,omitempty"`
	Tool string    `json:"tool"`
	Host string    `json:"host,omitempty"` // in lower case, with the port unless that is the scheme's default
	Path string    `json:"path,omitempty"` // absolute; covers everything below it
}

// String describes what a grant allows, such as "fetch on example.org".
func (g Grant) String() string {
	if g.Host != "" {
		return g.Tool + " on " + g.Host
	}
	return g.Tool + " in " + g.Path
}

// In describes the grant in a language, whose texts text returns by key: grant.host with tool and
// host, or grant.path with tool and path.
func (g Grant) In(text func(key string, args ...string) string) string {
	if g.Host != "" {
		return text("grant.host", g.Tool, g.Host)
	}
	return text("grant.path", g.Tool, g.Path)
}

// Audit is the record of one call: who made it, its outcome, and the rule that decided. The records
// form a chain: each holds the hash of the one before.
type Audit struct {
	ID         int64     `json:"id"`
	Time       time.Time `json:"time"`
	Chat       Chat      `json:"chat"`
	Session    string    `json:"session_id"` // the conversation: the chat, and the Seq of the input that began it
	Turn       int64     `json:"turn,omitempty"`
	CallID     string    `json:"call_id,omitempty"`
	User       string    `json:"user,omitempty"`
	Platform   string    `json:"platform,omitempty"`
	Tool       string    `json:"tool_name"`
	Source     string    `json:"source"`    // where the tool comes from: built-in, a skill, a server
	ArgsHash   string    `json:"args_hash"` // SHA-256 of the canonical arguments, hexadecimal
	DurationMS int64     `json:"duration_ms"`
	Status     string    `json:"status"` // ok, failed, denied, refused, stopped, interrupted
	Error      string    `json:"error,omitempty"`
	Rule       string    `json:"rule,omitempty"`
	Tokens     int       `json:"tokens,omitempty"` // of the reply with the call, prompt and answer
	Repairs    []string  `json:"repairs,omitempty"`
	Prev       string    `json:"prev,omitempty"` // the Hash of the record before it; "" for the first
	Hash       string    `json:"hash"`           // SHA-256 of all other fields, see package store
}
