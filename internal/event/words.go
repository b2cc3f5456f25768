package event

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is a typed failure of a call: models read Message and Suggestion, programs read Type and
// Code. The constants list the types and codes.
type Error struct {
	Type       string `json:"type"`
	Code       string `json:"code"`
	Message    string `json:"message"`
	Retryable  bool   `json:"retryable"`
	Suggestion string `json:"suggestion,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Sentence returns the message with the suggestion, for people. Behind a question, such as "When?",
// the suggestion is a sentence of its own.
func (e *Error) Sentence() string {
	switch {
	case e.Suggestion == "":
		return e.Message
	case strings.HasSuffix(e.Message, "?") || strings.HasSuffix(e.Message, "？"):
		first, size := utf8.DecodeRuneInString(e.Suggestion)
		return e.Message + " " + string(unicode.ToUpper(first)) + e.Suggestion[size:]
	}
	return e.Message + "; " + e.Suggestion
}

// SentenceOf returns an error's text for people: the sentence of an [Error] in it, or else its own
// text.
func SentenceOf(err error) string {
	if own := (*Error)(nil); errors.As(err, &own) {
		return own.Sentence()
	}
	return err.Error()
}

// Suggest returns the error with a suggestion.
func (e *Error) Suggest(what string) *Error {
	more := *e
	more.Suggestion = what
	return &more
}

// Retry returns the error marked as one that may pass.
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

// ReusedIDError says that the id of an input was already used for another message.
type ReusedIDError struct{ ID string }

func (e *ReusedIDError) Error() string {
	return "the input id " + strconv.Quote(e.ID) + " was used for another message: give this one an id of its own"
}

// Effect is a typed receipt: one thing that a call did, reported by its tool.
type Effect struct {
	Kind   string `json:"kind"`             // "wrote", "edited", "deleted", "moved", "copied", "made", "ran", "stopped", "fetched", "sent"
	Target string `json:"target"`           // a path in the workspace, a command, an address
	From   string `json:"from,omitempty"`   // for a moved or copied file: its former path, or the path of the original
	Detail string `json:"detail,omitempty"` // such as "312 bytes" or "exit status 127"

	// Facts that can be checked against the world later.
	Path   string `json:"path,omitempty"`   // absolute path of a file
	Bytes  int64  `json:"bytes,omitempty"`  // size of the file, or bytes received
	Sum    string `json:"sum,omitempty"`    // SHA-256 of the content afterwards, hexadecimal; "" if the file is gone
	Status int    `json:"status,omitempty"` // HTTP status, or exit status of a command
	Failed bool   `json:"failed,omitempty"` // it did not succeed: a page with an error, a command with a status

	Change int64 `json:"change,omitempty"` // the number for undo; 0: it cannot be undone
}

// File is a file that a result gives to the person, or that came with a message.
type File struct {
	Name  string `json:"name"` // without folders
	Type  string `json:"type"` // media type
	Path  string `json:"path"` // in the workspace
	Bytes int64  `json:"bytes,omitempty"`
	Sum   string `json:"sum,omitempty"` // SHA-256 of its content at that time, hexadecimal

	Caption string `json:"caption,omitempty"` // shown below the file: plain text, at most 1,024 UTF-16 units

	// StateOf names the thing of which the file is the newest state, such as the map of a story. A
	// surface may replace an earlier file with the same StateOf in place. With Refresh it does only
	// that, and shows nothing new.
	StateOf string `json:"slot,omitempty"`
	Refresh bool   `json:"refresh,omitempty"`
}

// IsPicture reports whether the file can be shown to a model that can see.
func (f File) IsPicture() bool {
	return f.Type == "image/jpeg" || f.Type == "image/png" || f.Type == "image/webp"
}

// fileLines lists files for the prompt, a line each, with their paths. Pictures are sent beside the
// text. Names are quoted, because a sender may have chosen them. A file that the text already names
// gets no line.
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

// Choice is something that a person can pick as the next input.
type Choice struct {
	Label string `json:"label"`
	Text  string `json:"text"`           // what the person says by picking it
	Pick  string `json:"pick,omitempty"` // sent with the text: identifies the moment that offered the choice, in terms of whoever offered it
	// Beside puts it in the same row as the choice before.
	Beside bool `json:"beside,omitempty"`
	// Trusted says that hob wrote Text, whoever wrote the message above it: picking it is as good
	// as typing Text.
	Trusted bool `json:"trusted,omitempty"`
	// Asked says that the message asks whether this choice is meant: a yes picks it.
	Asked bool `json:"asked,omitempty"`
}

// Label says where data came from, so that policy can decide where it may go. The zero Label is
// that of hob's own text.
type Label struct {
	Untrusted bool   `json:"untrusted,omitempty"` // somebody else wrote it: a page, a forwarded message
	Private   bool   `json:"private,omitempty"`   // it belongs to the household: files, messages
	Source    string `json:"source,omitempty"`    // such as "web:example.org"
}

// Join returns the label of data from both sources: it has the marks of either. Source is that of
// the untrusted one, or else l's own.
func (l Label) Join(other Label) Label {
	if l.Source == "" || other.Untrusted && !l.Untrusted {
		l.Source = other.Source
	}
	l.Untrusted = l.Untrusted || other.Untrusted
	l.Private = l.Private || other.Private
	return l
}
