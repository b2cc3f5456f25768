// Package llm is the vocabulary of a conversation with a language model: messages, calls, tool
// definitions, and the one interface that a model implements. It imports only the standard library
// and knows no wire format; the packages ollama and openai convert to their server's.
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
	Thinking string   `json:"thinking,omitempty"`  // the model's thinking before Text; never shown to a person
	Calls    []Call   `json:"calls,omitempty"`     // of an assistant message
	CallID   string   `json:"call_id,omitempty"`   // of a tool message: the call it answers
	ToolName string   `json:"tool_name,omitempty"` // of a tool message: the tool that answered
	Images   [][]byte `json:"images,omitempty"`    // encoded pictures, of a user message
	Note     bool     `json:"note,omitempty"`      // text of hob in the user's role, or a repeated result
}

// Call is a model's request to run a tool.
type Call struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Args    json.RawMessage `json:"args"`              // a JSON object
	Repairs []string        `json:"repairs,omitempty"` // repairs between the model's text and this call
}

// ToolDefinition describes a tool to a model.
type ToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of an object; its bytes never change

	// Accepts is the schema for checking calls, if the tool has arguments that models are not
	// shown. Empty means Parameters.
	Accepts json.RawMessage `json:"-"`
}

// Think says how long a model may think before it answers.
type Think string

// The levels of thinking. A model that cannot think takes only [ThinkOff]; some models cannot turn
// it off.
const (
	ThinkOff    Think = "off"
	ThinkOn     Think = "on"
	ThinkLow    Think = "low"
	ThinkMedium Think = "medium"
	ThinkHigh   Think = "high"
)

// Options may differ between requests without making the server reload the model.
type Options struct {
	NumPredict  int // limit for the tokens of the reply
	Think       Think
	Temperature float64
	Sampling    Sampling
}

// Sampling is how the next token is chosen, beside the temperature. An unset value is left to the
// server, which takes it from the model's file or has a default.
type Sampling struct {
	TopP             Setting // from 0 to 1: only the likeliest tokens that together have this probability
	TopK             Setting // whole: only so many of the likeliest tokens; 0 is all
	MinP             Setting // from 0 to 1: only tokens with this part of the probability of the likeliest
	RepeatPenalty    Setting // from 0 to 2: divides the score of tokens that came before; 1 has no effect
	PresencePenalty  Setting // from -2 to 2: subtracted from the score of tokens that came before
	FrequencyPenalty Setting // from -2 to 2: subtracted for each time that they came
}

// Each calls use with each number that is set, in a fixed order, under the name that Ollama and
// profile files use.
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

// Setting is an optional number. The zero Setting is not set.
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
	Format   json.RawMessage // JSON Schema that the reply's text must fit; only without Tools, because Ollama cannot combine them

	// SimpleFormat replaces Format if the server cannot make a grammar of it. Empty: then the
	// request fails.
	SimpleFormat json.RawMessage
}

// Delta is news of a reply, or of the wait for it, before it is complete.
type Delta struct {
	Text     string // more of the reply's text
	Thinking string // more of its thinking
	Status   string // a sentence on why nothing arrives yet, such as "loading qwen3:4b"
	Restart  bool   // discard the reply so far: it begins anew
	Queue    Queue  // the request starts to wait in a queue, or stops waiting
	Wait     Wait   // for a Status: how long the wait is
}

// Wait is how long a request waits in a queue.
type Wait struct {
	Passing bool          // the status only shows progress: nobody needs it later
	Ahead   int           // requests that come first
	Time    time.Duration // estimated wait; 0: unknown
}

// Queue says whether a request waits in a queue.
type Queue int

// The steps of a wait. Time spent waiting counts against nobody.
const (
	NoWait    Queue = iota
	WaitBegan       // until WaitOver
	WaitOver        // the model works on the request now; also sent if there was no wait
)

// Reply is a complete answer of a model.
type Reply struct {
	Message   Message // of role assistant
	Truncated bool    // the reply was cut off at NumPredict tokens or at the end of the context
	Usage     Usage
}

// Usage measures one reply.
type Usage struct {
	PromptTokens int           `json:"prompt_tokens"` // all tokens of the prompt, including cached ones
	CachedTokens int           `json:"cached_tokens,omitempty"`
	EvalTokens   int           `json:"eval_tokens"`     // tokens generated
	Model        string        `json:"model,omitempty"` // the model, as its server names it
	Load         time.Duration `json:"load,omitempty"`
	PromptEval   time.Duration `json:"prompt_eval,omitempty"`
	Eval         time.Duration `json:"eval,omitempty"`
}

// Model is a language model.
//
// Chat blocks until the reply is complete, and calls onDelta as parts arrive, one call at a time. A
// nil error means that the model itself ended the reply. Errors are of type *[Error].
// Implementations are safe for concurrent use.
type Model interface {
	Chat(ctx context.Context, req Request, onDelta func(Delta)) (*Reply, error)
}
