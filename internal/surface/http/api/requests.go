package api

import (
	"encoding/json"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
)

// StopRequest is the body of POST /api/v1/stop.
type StopRequest struct {
	Chat event.Chat `json:"chat,omitempty"` // "" means all
	Wait *bool      `json:"wait,omitempty"` // false: do not wait until the turn has ended
}

// StopReply names the chats in which a turn was stopped; nothing of those turns runs any more, if
// the request waited for it.
type StopReply struct {
	Stopped []event.Chat `json:"stopped"`
}

// CommandRequest is the body of POST /api/v1/command.
type CommandRequest struct {
	Name string     `json:"name"`           // "status"
	Args string     `json:"args,omitempty"` // as a person writes them behind the name
	Chat event.Chat `json:"chat,omitempty"` // "" is main
}

// CommandReply is the answer of a command.
type CommandReply struct {
	Text    string              `json:"text"` // Markdown
	Data    json.RawMessage     `json:"data,omitempty"`
	Choices [][]commands.Choice `json:"choices,omitempty"` // commands that can follow
}

// ParkedReply is the body of GET /api/v1/parked: the turns that wait for the model, and those that
// are parked.
type ParkedReply struct {
	Parked []event.ParkedTurn `json:"parked"`
}

// RetryRequest is the body of POST /api/v1/retry.
type RetryRequest struct {
	Chat event.Chat `json:"chat"`
	ID   int64      `json:"id"` // of the turn
}

// ParkRequest is the body of POST /api/v1/park.
type ParkRequest struct {
	Chat event.Chat `json:"chat"`
}

// ParkReply is the turn that does not wait any more, null where none did.
type ParkReply struct {
	Parked *event.ParkedTurn `json:"parked"`
}

// DecideRequest is the body of POST /api/v1/decide.
type DecideRequest struct {
	Chat   event.Chat    `json:"chat"`
	ID     string        `json:"id"` // of the question
	Allow  bool          `json:"allow"`
	Grants []event.Grant `json:"grants,omitempty"`
	Nobody bool          `json:"nobody,omitempty"` // nobody could be asked, and so it is a no
}

// SayRequest is the body of POST /api/v1/say: an input of the owner.
type SayRequest struct {
	Chat event.Chat `json:"chat"`
	ID   string     `json:"id"` // of the input: the same id twice is one input
	Text string     `json:"text"`

	Command     bool               `json:"command,omitempty"` // the text calls a tool: no model is asked
	Typed       bool               `json:"typed,omitempty"`   // a person has typed the text: it may be a chore that needs no model
	Label       event.Label        `json:"label,omitzero"`    // of a text that somebody else wrote
	Attachments []event.Attachment `json:"attachments,omitempty"`
}

// ResetRequest is the body of POST /api/v1/reset.
type ResetRequest struct {
	Chat event.Chat `json:"chat"`
}

// SkillRequest is the body of POST /api/v1/skills/open and of POST /api/v1/skills/close.
type SkillRequest struct {
	Chat  event.Chat `json:"chat"`
	Skill string     `json:"skill"`
}

// SeqReply names an event.
type SeqReply struct {
	Seq int64 `json:"seq"`
}

// WaitsReply says whether a question waits for an answer.
type WaitsReply struct {
	Waits bool `json:"waits"`
}

// Status describes a running hob.
type Status struct {
	Serves   string               `json:"serves"` // the command, such as "hob serve"
	PID      int                  `json:"pid"`
	Since    time.Time            `json:"since"`
	Config   string               `json:"config,omitempty"`   // the file of its configuration
	Telegram string               `json:"telegram,omitempty"` // its state in words; "" where it is not set up
	Problems []string             `json:"problems,omitempty"` // what else does not work, and why
	Queue    commands.QueueStatus `json:"queue"`
	Running  []event.Chat         `json:"running"` // chats with an open turn
	Held     []event.Chat         `json:"held"`    // chats that stand still until a person looks
}

// Problem is the body of an answer that is no success.
type Problem struct {
	Error   string `json:"error"`
	Code    string `json:"code,omitempty"`    // for [Client]
	Subject string `json:"subject,omitempty"` // likewise: the id of an input
}

// Codes of a [Problem].
const (
	CodeReusedID = "other_input"
	CodeClosed   = "closed"
)
