// Package llm is the vocabulary of a conversation with a language model: messages, calls, tool definitions, and the
// one interface a model implements. It imports only the standard library and knows no wire format; package ollama
// converts at the model's door.
//
// A conversation is a slice of [Message] values. It is legal when every [Call] of an assistant message is followed,
// before the next assistant or user message, by exactly one message of role [ToolRole] with the call's ID. Everything
// in this module that builds conversations keeps them legal.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Role says who speaks in a [Message].
type Role string

// The roles of a conversation. System text is a field of [Request], not a message.
const (
	UserRole      Role = "user"
	AssistantRole Role = "assistant"
	ToolRole      Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role     Role     `json:"role"`
	Text     string   `json:"text,omitempty"`
	Thinking string   `json:"thinking,omitempty"`  // what the model thought before Text; never shown to a person
	Calls    []Call   `json:"calls,omitempty"`     // of an assistant message
	CallID   string   `json:"call_id,omitempty"`   // of a tool message: the call it answers
	ToolName string   `json:"tool_name,omitempty"` // of a tool message: the tool that answered
	Images   [][]byte `json:"images,omitempty"`    // encoded pictures, of a user message
	Note     bool     `json:"note,omitempty"`      // hob's own words in a user's place, or a result that was given before
}

// Call is a model's wish to run a tool.
type Call struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Args    json.RawMessage `json:"args"`              // a JSON object
	Repairs []string        `json:"repairs,omitempty"` // what was mended between the model's words and this call
}

// ToolDefinition describes a tool to a model.
type ToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of an object; its bytes are stable

	// Accepts is the schema that calls are checked against, if the tool takes arguments that models are not shown.
	// Empty means Parameters.
	Accepts json.RawMessage `json:"-"`
}

// Think says how long a model may think before it answers.
type Think string

// The levels of thinking. A model that cannot think takes [ThinkOff] only; some models cannot be switched off.
const (
	ThinkOff    Think = "off"
	ThinkOn     Think = "on"
	ThinkLow    Think = "low"
	ThinkMedium Think = "medium"
	ThinkHigh   Think = "high"
)

// Options are what may differ from one request to the next without making the server load the model anew.
type Options struct {
	NumPredict  int // tokens the reply may have at most
	Think       Think
	Temperature float64
	Sampling    Sampling
}

// Sampling is how the next token is chosen, beside the temperature. What is not set is left to the server, which takes it
// from the model's file or has a default.
type Sampling struct {
	TopP             Setting // from 0 to 1: only the likeliest tokens that together have this probability
	TopK             Setting // whole: only so many of the likeliest tokens; 0 is all
	MinP             Setting // from 0 to 1: only tokens with this part of the probability of the likeliest
	RepeatPenalty    Setting // from 0 to 2: what divides the score of tokens that came before; 1 changes nothing
	PresencePenalty  Setting // from -2 to 2: taken from the score of tokens that came before
	FrequencyPenalty Setting // from -2 to 2: the same, each time that they came
}

// Each calls use with each number that is set, in an order that stays, by the name that Ollama and files of profiles have
// for it.
func (s Sampling) Each(use func(name string, value float64)) {
	for _, n := range []struct {
		name string
		Setting
	}{
		{"top_p", s.TopP}, {"top_k", s.TopK}, {"min_p", s.MinP}, {"repeat_penalty", s.RepeatPenalty},
		{"presence_penalty", s.PresencePenalty}, {"frequency_penalty", s.FrequencyPenalty},
	} {
		if n.IsSet {
			use(n.name, n.Value)
		}
	}
}

// Setting is a number that may not be set. The zero Setting is not.
type Setting struct {
	Value float64
	IsSet bool
}

// Set returns a Setting of that value.
func Set(value float64) Setting { return Setting{Value: value, IsSet: true} }

// Request asks a model for its next message.
type Request struct {
	System   string
	Messages []Message
	Tools    []ToolDefinition
	Options  Options
	Format   json.RawMessage // JSON Schema that the reply's text has to fit; only without Tools, Ollama cannot do both

	// SimpleFormat stands in for Format where the server cannot make a grammar of that. Empty: then the request fails.
	SimpleFormat json.RawMessage
}

// Delta is what is known of a reply, or of the wait for it, before it is complete.
type Delta struct {
	Text     string // more of the reply's text
	Thinking string // more of its thinking
	Status   string // a sentence on why nothing comes yet, such as "loading qwen3:4b"
	Restart  bool   // what came of this reply so far is void: it begins anew
	Queue    Queue  // the request begins to wait for others, or its wait is over
	Wait     Wait   // of a Status: how long the wait is
}

// Wait is how long a request waits for others.
type Wait struct {
	Passing bool          // the status is about progress: nobody needs to know it later
	Ahead   int           // requests that have to end first
	Time    time.Duration // until it begins, estimated; 0 unknown
}

// Queue says where a request stands that had to wait for others.
type Queue int

// The steps of a wait. Time that is spent waiting is nobody's doing.
const (
	NoWait    Queue = iota
	WaitBegan       // until WaitOver
	WaitOver        // the request is with the model from here on, also where it did not have to wait
)

// Reply is a complete answer of a model.
type Reply struct {
	Message   Message // of role assistant
	Truncated bool    // the reply was cut at NumPredict tokens or at the end of the context
	Usage     Usage
}

// Usage measures one reply.
type Usage struct {
	PromptTokens int           `json:"prompt_tokens"` // all tokens of the prompt, cached ones included
	CachedTokens int           `json:"cached_tokens,omitempty"`
	EvalTokens   int           `json:"eval_tokens"`     // tokens generated
	Model        string        `json:"model,omitempty"` // that made it, as its server names it
	Load         time.Duration `json:"load,omitempty"`
	PromptEval   time.Duration `json:"prompt_eval,omitempty"`
	Eval         time.Duration `json:"eval,omitempty"`
}

// Model is a language model.
//
// Chat blocks until the reply is complete and calls onDelta, from the calling goroutine's point of view one at a time,
// as parts arrive. A nil error means that the model said it was done, nothing less. Errors are of type *[Error].
// Implementations are safe for concurrent use.
type Model interface {
	Chat(ctx context.Context, req Request, onDelta func(Delta)) (*Reply, error)
}
