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

// levelNames are the names of the levels in JSON and in configuration files.
func levelNames() []string {
	return []string{"user", "group_admin", "group_owner", "bot_admin", "owner"}
}

// String returns the name of a level, such as "group_admin".
func (l Level) String() string {
	if names := levelNames(); 0 <= l && int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("level %d", int(l))
}

// ParseLevel returns the level of that name; "" is the lowest.
func ParseLevel(name string) (Level, error) {
	if name == "" {
		return User, nil
	}
	if i := slices.Index(levelNames(), name); i >= 0 {
		return Level(i), nil
	}
	return User, fmt.Errorf("there is no permission level %q: it is one of %q", name, levelNames())
}

// ParseRole returns the level that people give others by a word.
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

// Principal is in what place somebody speaks and what they may ask for there. The surface says it, from what its platform
// vouches for; nothing that a message or a model says changes it.
type Principal struct {
	Platform   string `json:"platform,omitempty"` // "cli", "telegram", "http"
	Scope      string `json:"scope,omitempty"`    // "private", "group", "channel"
	Level      Level  `json:"level,omitzero"`
	Unattended bool   `json:"unattended,omitempty"` // nobody is there to be asked: what would ask is denied
}

// Binding is what a call will run in and on beside its arguments. An approval holds for that and nothing else.
type Binding struct {
	Profile string      `json:"profile,omitempty"` // of the sandbox: tier, network, limits
	Dir     string      `json:"dir,omitempty"`     // working folder, absolute
	Files   []BoundFile `json:"files,omitempty"`   // what it will run, by path
	Changes string      `json:"changes,omitempty"` // what it changes, where its arguments do not say that: "2 timers"
}

// BoundFile is a file as it was when a person was asked.
type BoundFile struct {
	Path string `json:"path"` // relative to the working folder, or absolute
	Sum  string `json:"sum"`  // SHA-256 of its content, hexadecimal
}

// Grant is something that a person has allowed once and for all: one tool, and one host or one folder that it may use
// without asking. There is none for what runs programs.
type Grant struct {
	ID   int64     `json:"id,omitempty"` // 0: it is not in force
	Time time.Time `json:"time,omitzero"`
	By   string    `json:"by,omitempty"`
	Tool string    `json:"tool"`
	Host string    `json:"host,omitempty"` // in small letters, with a port where that is not the scheme's own
	Path string    `json:"path,omitempty"` // absolute; it and all below it
}

// String says what a grant allows, such as "fetch on example.org".
func (g Grant) String() string {
	if g.Host != "" {
		return g.Tool + " on " + g.Host
	}
	return g.Tool + " in " + g.Path
}

// In is the grant in a language, whose words text returns: of grant.host with tool and host, or of grant.path with tool and path.
func (g Grant) In(text func(key string, args ...string) string) string {
	if g.Host != "" {
		return text("grant.host", g.Tool, g.Host)
	}
	return text("grant.path", g.Tool, g.Path)
}

// Audit is the record of one call: who made it, what came of it, and by which rule. The records are a chain: each holds
// the hash of the one before it.
type Audit struct {
	ID         int64     `json:"id"`
	Time       time.Time `json:"time"`
	Chat       Chat      `json:"chat"`
	Session    string    `json:"session_id"` // the conversation: the chat, and the Seq of the words that began it
	Turn       int64     `json:"turn,omitempty"`
	CallID     string    `json:"call_id,omitempty"`
	User       string    `json:"user,omitempty"`
	Platform   string    `json:"platform,omitempty"`
	Tool       string    `json:"tool_name"`
	Source     string    `json:"source"`    // of the tool: built-in, a skill, a server
	ArgsHash   string    `json:"args_hash"` // SHA-256 of the canonical arguments, hexadecimal
	DurationMS int64     `json:"duration_ms"`
	Status     string    `json:"status"` // ok, failed, denied, refused, stopped, interrupted
	Error      string    `json:"error,omitempty"`
	Rule       string    `json:"rule,omitempty"`
	Tokens     int       `json:"tokens,omitempty"` // of the reply that made the call, prompt and answer
	Repairs    []string  `json:"repairs,omitempty"`
	Prev       string    `json:"prev,omitempty"` // the Hash of the record before it; "" for the first
	Hash       string    `json:"hash"`           // SHA-256 of all the others, see package store
}
