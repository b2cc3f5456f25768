package api

import (
	"encoding/json"

	"hob/internal/event"
	"hob/internal/llm/price"
)

// ChatRequest is the body of POST /api/v1/chat. The last message of a user is the input. Untrusted
// messages right before or behind the user's own message are its attachments; where there is no own
// message, the last one is the input.
type ChatRequest struct {
	Session  event.Chat `json:"session_id"` // the chat
	Messages []Message  `json:"messages"`
	Request  *string    `json:"request_id,omitempty"` // the same message with the same id is one input
	Command  bool       `json:"command,omitempty"`    // the message calls a tool: no model is asked
}

// Message is one message of a [ChatRequest].
type Message struct {
	Role    string `json:"role"` // user, assistant, system or tool
	Content string `json:"content"`
	// Untrusted says that the owner did not write a user's message: it is fenced, names nothing and
	// orders nothing.
	Untrusted bool `json:"untrusted,omitempty"`
}

// ChatReply is the outcome of a [ChatRequest]: of the turn that its input began, or from where it
// joined another.
type ChatReply struct {
	Session    event.Chat        `json:"session_id"`
	Reply      string            `json:"reply"`
	ToolEvents []ToolEvent       `json:"tool_events"`     // one a call, in the order in which they returned
	Applied    []Applied         `json:"applied_actions"` // the calls that ran and succeeded
	Failed     []FailedCall      `json:"failed_calls"`
	Choices    []event.Choice    `json:"choices,omitempty"`     // what can be said next, as the surfaces' buttons offer it
	StatePatch []json.RawMessage `json:"state_patch,omitempty"` // of the results, one after the other
	Conflict   *ConflictReport   `json:"conflict_report,omitempty"`
	Usage      Usage             `json:"usage"`
}

// ToolEvent describes a call.
type ToolEvent struct {
	Tool       string `json:"tool_name"`
	OK         bool   `json:"ok"`
	Summary    string `json:"summary"` // one line
	Payload    any    `json:"payload"` // the data, of a game's tool its documented object; null: none
	CallID     string `json:"call_id"`
	Status     string `json:"status"`     // ok, failed, denied, refused, stopped, interrupted
	ErrorCode  string `json:"error_code"` // "" where it succeeded; of a game's tool that of seed 003
	ArgsHash   string `json:"args_hash"`  // SHA-256 of the canonical arguments, hexadecimal
	DurationMS int64  `json:"duration_ms"`
}

// Applied is a call that ran and succeeded.
type Applied struct {
	Tool      string          `json:"tool"`
	Args      json.RawMessage `json:"args"`
	Result    any             `json:"result"`    // the payload, else {"text": the text that the model read}
	Timestamp string          `json:"timestamp"` // RFC 3339, when it returned
}

// FailedCall is a call that did not run, or failed.
type FailedCall struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Status string `json:"status"`           // rejected: not allowed here and now; error: it failed
	Reason string `json:"reason"`           // such as tool_not_allowed, or the code of the error
	Detail string `json:"detail,omitempty"` // of a game's tool: the rule that says so; of a command that calls nothing: why
}

// ConflictReport says that the model's text contradicted the state. Tools alone write the state, so
// only the text was mended: the model wrote it again, or another text stands in its place.
type ConflictReport struct {
	Retries  int      `json:"retries"`  // how often the model was corrected
	Problems []string `json:"problems"` // the corrections, one each time
	Resolved bool     `json:"resolved"` // the model's last text stands
}

// Usage says how much the turn took, and how it ended.
type Usage struct {
	Reason       event.Reason `json:"reason"`
	Steps        int          `json:"steps"` // model replies
	Calls        int          `json:"calls"`
	PromptTokens int          `json:"prompt_tokens"`  // of the last reply
	EvalTokens   int          `json:"eval_tokens"`    // of all
	Stages       []Stage      `json:"stages"`         // in the order of their names below; no empty ones
	Cost         *price.Cost  `json:"cost,omitempty"` // of all stages, where the model has a price
}

// Stage says how much a stage of the turn took of the model: the simulation finds out what to do,
// the narration describes it, a rewrite mends the narration, a summary shortens the conversation.
// Added up, requests are the turn's steps, and eval_tokens its own.
type Stage struct {
	Stage        string `json:"stage"`         // simulation, narration, rewrite or summary
	Requests     int    `json:"requests"`      // that were answered
	PromptTokens int    `json:"prompt_tokens"` // of all of them
	EvalTokens   int    `json:"eval_tokens"`   // likewise
	DurationMS   int64  `json:"duration_ms"`   // also of those without an answer
}

// AwayReply is the body of a 503 whose turn goes on when the model is back.
type AwayReply struct {
	Error string `json:"error"`
	Input string `json:"input_id"`
	Turn  int64  `json:"turn"`
}
