package event

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strings"
	"time"
)

// Change is one change by a tool of one file or folder, or of one row of hob's store, with
// everything needed to undo it.
type Change struct {
	ID   int64     `json:"id"`
	Time time.Time `json:"time"`
	Cause
	Path    string    `json:"path"`              // absolute, without links in its folders; for a row its name, such as "fact/12"
	Folders int       `json:"folders,omitempty"` // number of parent folders that were created for it
	Before  FileState `json:"before"`
	After   FileState `json:"after"`
	Fate
}

// Cause says who made a change.
type Cause struct {
	By     string `json:"by,omitempty"` // the person, as PLATFORM/ID; "": unknown
	Chat   Chat   `json:"chat,omitempty"`
	Turn   int64  `json:"turn,omitempty"` // 0: no turn
	Tool   string `json:"tool"`
	Undoes int64  `json:"undoes,omitempty"` // the change that this one takes back
	Part   int64  `json:"part,omitempty"`   // the first change of the same call; 0: this is the first
	What   string `json:"what,omitempty"`   // the command, in one line
}

// WithCause returns a context for a change that a person makes.
func WithCause(ctx context.Context, c Cause) context.Context {
	return context.WithValue(ctx, causeKey{}, c)
}

// CauseFrom returns the cause in ctx; known is false if there is none.
func CauseFrom(ctx context.Context) (c Cause, known bool) {
	c, known = ctx.Value(causeKey{}).(Cause)
	return c, known
}

type causeKey struct{}

// IsBy reports whether a person, as PLATFORM/ID, made the change. An old change without this field
// counts as theirs if it was made in their private chat with hob.
func (c Cause) IsBy(person string) bool {
	return person != "" && (c.By == person || c.By == "" && string(c.Chat) == person)
}

// Fate is what happened to a change later.
type Fate struct {
	Stage    Stage `json:"stage"`
	UndoneBy int64 `json:"undone_by,omitempty"` // the change in force that took it back
	Lost     bool  `json:"lost,omitempty"`      // the content before it is not stored, or no longer
}

// Stage is how far a change got.
type Stage string

// The stages of a change.
const (
	StageBegun Stage = "begun" // announced; only the file shows whether it happened
	StageMade  Stage = "made"
	StageVoid  Stage = "void" // it did not happen
)

// FileState is the state of a path. The zero FileState means that nothing is there.
type FileState struct {
	Kind  FileKind          `json:"kind"`
	Size  int64             `json:"size,omitempty"` // bytes of the content; of a link, of its target
	Sum   string            `json:"sum,omitempty"`  // SHA-256 of the content in hexadecimal; "" if the content is too large to hash
	Mode  fs.FileMode       `json:"mode,omitempty"` // permissions, including set-user-id and similar bits
	Time  time.Time         `json:"time,omitzero"`  // of the last change of the content
	User  int               `json:"user,omitempty"`
	Group int               `json:"group,omitempty"`
	Attrs map[string][]byte `json:"attrs,omitempty"` // extended attributes
}

// FileKind is the kind of a file.
type FileKind string

// The kinds of files that tools change. Only commands change folders.
const (
	NoFile  FileKind = ""
	RegFile FileKind = "file"
	Link    FileKind = "link" // symbolic; its content is its target
	Folder  FileKind = "folder"
	Row     FileKind = "row" // a row of hob's store, such as a fact; its content is the row as JSON
)

// Same reports whether two states have the same kind, content and permissions. A state with unknown
// content equals no other.
func (s FileState) Same(other FileState) bool {
	return s.Kind == other.Kind && s.Mode == other.Mode && s.Sum == other.Sum && (!s.HasContent() || s.Sum != "")
}

// HasContent reports whether the state has a content that can be stored.
func (s FileState) HasContent() bool { return s.Kind == RegFile || s.Kind == Link || s.Kind == Row }

// RowState returns the state of a row with this content; nil means that there is no row.
func RowState(content []byte) FileState {
	if content == nil {
		return FileState{}
	}
	sum := sha256.Sum256(content)
	return FileState{Kind: Row, Size: int64(len(content)), Sum: hex.EncodeToString(sum[:])}
}

// IsRow reports whether a row of hob's store changed, and not a file.
func (c Change) IsRow() bool { return c.Before.Kind == Row || c.After.Kind == Row }

// GroupID returns the number under which all changes of the call are undone together: that of the
// first.
func (c Change) GroupID() int64 { return cmp.Or(c.Part, c.ID) }

// InForce reports whether a change happened, as far as hob knows, and was not undone.
func (c Change) InForce() bool { return c.UndoneBy == 0 && c.Stage != StageVoid }

// The verbs of [Change.Verb] for switching a tool.
const (
	SwitchedOn  = "switched on"
	SwitchedOff = "switched off"
)

// Verb describes the change in a word or two.
func (c Change) Verb() string {
	isSwitch := c.IsRow() && strings.HasPrefix(c.Path, "tool/") // a row exists while the tool is off
	switch {
	case isSwitch && c.After.Kind == NoFile:
		return SwitchedOn
	case isSwitch:
		return SwitchedOff
	case c.Before.Kind == NoFile:
		return "created"
	case c.After.Kind == NoFile:
		return "deleted"
	}
	return "changed"
}

// Fates finds out which changes were undone. The zero Fates is ready to use.
type Fates struct{ undone map[int64]int64 }

// Complete fills in the Fate of c. Call it for all newer changes first, newest first. An undo
// counts only while it is in force itself.
func (f *Fates) Complete(c *Change) {
	if f.undone == nil {
		f.undone = map[int64]int64{}
	}
	c.UndoneBy = f.undone[c.ID]
	if c.Undoes != 0 && c.UndoneBy == 0 && c.Stage == StageMade {
		f.undone[c.Undoes] = cmp.Or(f.undone[c.Undoes], c.ID)
	}
}
