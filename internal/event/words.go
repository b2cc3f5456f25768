package event

import (
	"errors"
	"strconv"
	"strings"
)

// Error is a typed failure of a call: the model reads Message and Suggestion, programs read Type and Code. The types
// and codes are those of the tool system that asked for this registry; see the constants.
type Error struct {
	Type       string `json:"type"`
	Code       string `json:"code"`
	Message    string `json:"message"`
	Retryable  bool   `json:"retryable"`
	Suggestion string `json:"suggestion,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Sentence is the message with what to do about it, for people.
func (e *Error) Sentence() string {
	if e.Suggestion == "" {
		return e.Message
	}
	return e.Message + "; " + e.Suggestion
}

// SentenceOf is an error for people: the sentence of an [Error] in it, or else its text.
func SentenceOf(err error) string {
	if own := (*Error)(nil); errors.As(err, &own) {
		return own.Sentence()
	}
	return err.Error()
}

// Suggest returns the error with what to do about it.
func (e *Error) Suggest(what string) *Error {
	more := *e
	more.Suggestion = what
	return &more
}

// Retry returns the error of something that may work the next time.
func (e *Error) Retry() *Error {
	more := *e
	more.Retryable = true
	return &more
}

// Types of Error.
const (
	TypeValidation = "validation"
	TypePermission = "permission"
	TypeTimeout    = "timeout"
	TypeNotFound   = "not_found"
	TypeExecution  = "execution"
	TypeRateLimit  = "rate_limit"
	TypeStorage    = "storage"
	TypeDisabled   = "disabled"
	TypeUnknown    = "unknown"
)

// Codes of Error.
const (
	CodeRequiredField     = "required_field"
	CodeInvalidFormat     = "invalid_format"
	CodeInvalidValue      = "invalid_value"
	CodePathTraversal     = "path_traversal"
	CodePermissionDenied  = "permission_denied"
	CodeReadOnly          = "read_only"
	CodeFileNotFound      = "file_not_found"
	CodeDirNotFound       = "dir_not_found"
	CodeToolNotFound      = "tool_not_found"
	CodeExecutionFailed   = "execution_failed"
	CodeTimeout           = "timeout"
	CodeCancelled         = "cancelled"
	CodeRateLimitExceeded = "rate_limit_exceeded"
	CodeToolDisabled      = "tool_disabled"
)

// ReusedIDError says that an input's id was used for another message before.
type ReusedIDError struct{ ID string }

func (e *ReusedIDError) Error() string {
	return "the input id " + strconv.Quote(e.ID) + " was used for another message: give this one an id of its own"
}

// Effect is a typed receipt: something a call did, as the tool that did it reports it.
type Effect struct {
	Kind   string `json:"kind"`             // "wrote", "edited", "deleted", "moved", "copied", "made", "ran", "stopped", "fetched", "sent"
	Target string `json:"target"`           // a path in the workspace, a command, an address
	From   string `json:"from,omitempty"`   // of a file that was moved or copied: its path before, or that of the first
	Detail string `json:"detail,omitempty"` // such as "312 bytes" or "exit status 127"

	// What can be held against the world afterwards.
	Path   string `json:"path,omitempty"`   // of a file: absolute
	Bytes  int64  `json:"bytes,omitempty"`  // that it has, or that came
	Sum    string `json:"sum,omitempty"`    // SHA-256 of its content afterwards, hexadecimal; "" where it is gone
	Status int    `json:"status,omitempty"` // of HTTP, or a command's exit status
	Failed bool   `json:"failed,omitempty"` // it did not come to what it was for: a page with an error, a command with a status

	Change int64 `json:"change,omitempty"` // the number by which it is taken back; 0: it cannot be
}

// File is a file that a result hands to the person, or that came with a person's words.
type File struct {
	Name  string `json:"name"` // without folders
	Type  string `json:"type"` // media type
	Path  string `json:"path"` // in the workspace
	Bytes int64  `json:"bytes,omitempty"`
	Sum   string `json:"sum,omitempty"` // SHA-256 of its content when it was handed over, hexadecimal

	Caption string `json:"caption,omitempty"` // stands below it where it is shown: plain text, at most 1,024 units of UTF-16

	// StateOf names what the file is the newest state of, such as the map of a story. Where the file of a slot was shown before, a
	// surface may change that in place. With Refresh it does only that, and shows nothing where nothing of the slot was shown.
	StateOf string `json:"slot,omitempty"`
	Refresh bool   `json:"refresh,omitempty"`
}

// IsPicture reports whether a model that can see can be shown the file.
func (f File) IsPicture() bool {
	return f.Type == "image/jpeg" || f.Type == "image/png" || f.Type == "image/webp"
}

// fileLines lists files for the prompt, each in a line of its own that says where it is. Pictures themselves go beside the
// text. Names are quoted, because a sender may have chosen them. A file that the text names needs no line.
func fileLines(text string, files []File) string {
	lines := ""
	for _, f := range files {
		if strings.Contains(text, f.Path) {
			continue
		}
		kind := "file"
		if f.IsPicture() {
			kind = "picture"
		}
		lines += "\n[" + kind + ": " + strconv.Quote(f.Path) + "]"
	}
	return lines
}

// Choice is something a person can pick as the next input.
type Choice struct {
	Label string `json:"label"`
	Text  string `json:"text"`           // what picking it says
	Pick  string `json:"pick,omitempty"` // goes with the text: which moment it is a choice of, in the words of who offers it
	// Beside says that it stands in the row of the one before it.
	Beside bool `json:"beside,omitempty"`
	// Trusted says that hob wrote Text, whoever wrote what it stands below: picking it is as good as typing Text.
	Trusted bool `json:"trusted,omitempty"`
	// Asked says that a question in the text beside it asks whether this is meant: a yes picks it.
	Asked bool `json:"asked,omitempty"`
}

// Label says where data came from, so that policy can say where it may go. The zero Label is hob's own.
type Label struct {
	Untrusted bool   `json:"untrusted,omitempty"` // somebody else wrote it: a page, a forwarded message
	Private   bool   `json:"private,omitempty"`   // the household's: files, messages
	Source    string `json:"source,omitempty"`    // such as "web:example.org"
}

// Join is the label of data that came from both: it has what either has. Of two sources it keeps the one that is
// untrusted, or else its own.
func (l Label) Join(other Label) Label {
	if l.Source == "" || other.Untrusted && !l.Untrusted {
		l.Source = other.Source
	}
	l.Untrusted = l.Untrusted || other.Untrusted
	l.Private = l.Private || other.Private
	return l
}
