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

// Change is one change of one file or folder by a tool, or of one row of hob's own store, with what it takes to take it back.
type Change struct {
	ID   int64     `json:"id"`
	Time time.Time `json:"time"`
	Cause
	Path    string    `json:"path"`              // absolute, without links in its folders; of a row its name, such as "fact/12"
	Folders int       `json:"folders,omitempty"` // so many folders right above it were made for it
	Before  FileState `json:"before"`
	After   FileState `json:"after"`
	Fate
}

// Cause says who made a change.
type Cause struct {
	By     string `json:"by,omitempty"` // the person, as PLATFORM/ID; "": not known
	Chat   Chat   `json:"chat,omitempty"`
	Turn   int64  `json:"turn,omitempty"` // 0: it belongs to none
	Tool   string `json:"tool"`
	Undoes int64  `json:"undoes,omitempty"` // the change that this one takes back
	Part   int64  `json:"part,omitempty"`   // the first change of the same call; 0: it is that itself, or the only one
	What   string `json:"what,omitempty"`   // the command, in a line
}

// WithCause returns ctx for a change that a person makes.
func WithCause(ctx context.Context, c Cause) context.Context {
	return context.WithValue(ctx, causeKey{}, c)
}

// CauseFrom returns the cause of ctx; known is false where no person makes a change.
func CauseFrom(ctx context.Context) (c Cause, known bool) {
	c, known = ctx.Value(causeKey{}).(Cause)
	return c, known
}

type causeKey struct{}

// IsBy reports whether a person, as PLATFORM/ID, made the change. One from before that was kept is theirs if it was made in the chat
// that they have alone with hob.
func (c Cause) IsBy(person string) bool {
	return person != "" && (c.By == person || c.By == "" && string(c.Chat) == person)
}

// Fate is what became of a change.
type Fate struct {
	Stage    Stage `json:"stage"`
	UndoneBy int64 `json:"undone_by,omitempty"` // the change that took it back and is in force
	Lost     bool  `json:"lost,omitempty"`      // what was there before is not kept, or not any more
}

// Stage is how far a change has come.
type Stage string

// The stages of a change.
const (
	StageBegun Stage = "begun" // it was announced; only the file can show whether it happened
	StageMade  Stage = "made"
	StageVoid  Stage = "void" // it did not happen
)

// FileState is what is at a path. The zero FileState is nothing.
type FileState struct {
	Kind  FileKind          `json:"kind"`
	Size  int64             `json:"size,omitempty"` // bytes of the content; of a link, of its target
	Sum   string            `json:"sum,omitempty"`  // SHA-256 of the content in hexadecimal; "" where it is too large to know
	Mode  fs.FileMode       `json:"mode,omitempty"` // permissions, with the bits for set-user-id and the like
	Time  time.Time         `json:"time,omitzero"`  // of the last change of the content
	User  int               `json:"user,omitempty"`
	Group int               `json:"group,omitempty"`
	Attrs map[string][]byte `json:"attrs,omitempty"` // extended attributes
}

// FileKind is what a file is.
type FileKind string

// The kinds of files that tools change; folders only by commands.
const (
	NoFile  FileKind = ""
	RegFile FileKind = "file"
	Link    FileKind = "link" // symbolic; its content is its target
	Folder  FileKind = "folder"
	Row     FileKind = "row" // no file: a row of hob's store, such as a fact; its content is the row as JSON
)

// Same reports whether two states have the same kind, content and permissions. One whose content is not known is the
// same as none.
func (s FileState) Same(other FileState) bool {
	return s.Kind == other.Kind && s.Mode == other.Mode && s.Sum == other.Sum && (!s.HasContent() || s.Sum != "")
}

// HasContent reports whether there is a content, which can be kept.
func (s FileState) HasContent() bool { return s.Kind == RegFile || s.Kind == Link || s.Kind == Row }

// RowState returns the state of a row with that content; nil is no row.
func RowState(content []byte) FileState {
	if content == nil {
		return FileState{}
	}
	sum := sha256.Sum256(content)
	return FileState{Kind: Row, Size: int64(len(content)), Sum: hex.EncodeToString(sum[:])}
}

// IsRow reports whether it is a row of hob's store that changed, and no file.
func (c Change) IsRow() bool { return c.Before.Kind == Row || c.After.Kind == Row }

// GroupID returns the number of all that its call changed, which is taken back together: that of the first change.
func (c Change) GroupID() int64 { return cmp.Or(c.Part, c.ID) }

// InForce reports whether a change, as far as anybody knows, happened and was not taken back.
func (c Change) InForce() bool { return c.UndoneBy == 0 && c.Stage != StageVoid }

// What the change of a tool's switch did, as [Change.Verb] says it.
const (
	SwitchedOn  = "switched on"
	SwitchedOff = "switched off"
)

// Verb says in a word or two what the change did.
func (c Change) Verb() string {
	isSwitch := c.IsRow() && strings.HasPrefix(c.Path, "tool/") // which has a row while its tool is off
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

// Fates finds out which changes were taken back. The zero Fates is ready.
type Fates struct{ undone map[int64]int64 }

// Complete completes the Fate of c. Call it with all newer changes before, the newest first. A change that
// takes another back counts while it is in force itself.
func (f *Fates) Complete(c *Change) {
	if f.undone == nil {
		f.undone = map[int64]int64{}
	}
	c.UndoneBy = f.undone[c.ID]
	if c.Undoes != 0 && c.UndoneBy == 0 && c.Stage == StageMade {
		f.undone[c.Undoes] = cmp.Or(f.undone[c.Undoes], c.ID)
	}
}
