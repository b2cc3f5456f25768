// Package chattemplate finds out what a model's chat template prints of a conversation, from the template's text.
//
// Ollama makes each prompt with a template in the language of Go's text/template. Some templates print the list of tools
// only while the last message is the user's, so that a model which has called a tool once no longer sees any; some print
// the system text in another place in each request, and some leave out a call that has words beside it. /api/show has
// the text. [Read] parses it and has it print small conversations of the shapes that hob sends, with the data and the
// functions that Ollama gives to templates. What is in the prompts, and where, are the [Facts]. So a condition counts by
// what it does and not by how it is written.
//
// A template comes with a model, and models come from anywhere. Each list of nodes counts its steps, and texts have a
// limit: a template that loops for long is an error, as is one that Go cannot read. Models that Ollama renders with code
// of its own, or with the Jinja template of the model's file, have no Facts.
package chattemplate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"hob/internal/llm"
)

// Presence says in which prompts a part of the request is printed.
type Presence string

// The kinds of presence.
const (
	Always   Presence = "always"    // in every prompt, in one place
	Moves    Presence = "moves"     // in every prompt, with the user's last message
	LastUser Presence = "last user" // only while the last message is the user's
	Never    Presence = "never"     // in no prompt, or not where it can be relied on
)

// Facts says what of a request a template prints.
type Facts struct {
	Tools    Presence `json:"tools"`    // the list of tools
	System   Presence `json:"system"`   // the system text
	Calls    bool     `json:"calls"`    // the model's own calls
	Results  bool     `json:"results"`  // the results of calls
	Thinking llm.Keep `json:"thinking"` // which thoughts of the model are printed again, if they are sent

	// WordsHideCalls says that a call is left out where the same message has words.
	WordsHideCalls bool `json:"words_hide_calls"`

	// NamesTools says that the list of tools occurs in the text at all. Where it does not and the server says that the
	// model takes tools, the server renders with something else.
	NamesTools bool `json:"-"`
}

// HasToolTurns reports whether the model sees its tools, its calls and their results in every request of a turn.
func (f Facts) HasToolTurns() bool {
	return (f.Tools == Always || f.Tools == Moves) && f.Calls && f.Results
}

// maxText bounds a template, in bytes: the longest public ones have some twelve thousand.
const maxText = 128 << 10

// Read returns the facts of the template text, or an error if it is not in the language of Ollama's templates or does
// not print a conversation.
func Read(text string) (Facts, error) {
	if len(text) > maxText {
		return Facts{}, fmt.Errorf("read chat template: it has more than %d bytes", maxText)
	}
	t, err := newPrinter(text)
	if err != nil {
		return Facts{}, fmt.Errorf("read chat template: %w", err)
	}
	if !slices.Contains(t.names, "Messages") { // an old form: Ollama gives it one exchange after the other, and no tools
		f := Facts{Tools: Never, System: Never, Thinking: llm.KeepNone}
		if slices.Contains(t.names, "System") {
			f.System = Always
		}
		if !slices.Contains(t.names, "Prompt") {
			return Facts{}, errors.New("read chat template: it has no place for messages")
		}
		return f, nil
	}
	words, err := t.prompts(inWords(), values{})
	if err == nil && strings.TrimSpace(words[0]) == "" {
		err = errFails
	}
	if err != nil {
		return Facts{}, fmt.Errorf("read chat template: %w", err)
	}
	native, err := t.prompts(turns(), values{tools: true})
	if err != nil {
		return Facts{}, fmt.Errorf("read chat template: %w", err)
	}
	last := turns()[4]
	thought, err := t.prompts([][]message{last}, values{tools: true, think: true})
	if err != nil {
		return Facts{}, fmt.Errorf("read chat template: %w", err)
	}
	spoken, err := t.prompts([][]message{withWords(turns()[1])}, values{tools: true})
	if err != nil {
		return Facts{}, fmt.Errorf("read chat template: %w", err)
	}
	f := Facts{NamesTools: slices.Contains(t.names, "Tools")}
	f.Tools = worse(presence(turns(), native, firstTool), presence(turns(), native, secondTool))
	f.System = systemPresence(f.Tools, native, words)
	f.Calls, f.Results = hasEach(native[4], argument), hasEach(native[4], resultWord)
	f.WordsHideCalls = f.Calls && !strings.Contains(spoken[0], argument+"one")
	f.Thinking = thoughts(thought[0])
	return f, nil
}

// The words of the probes. Each stands for one part of a request, and a prompt that has it printed that part.
const (
	systemWord = "probesystem"
	firstTool  = "probefirst" // offered, and never called
	secondTool = "probesecond"
	calledTool = "probecalled"
	argument   = "probeargument" // of calls, each with its number behind
	resultWord = "proberesult"
	answerWord = "probeanswer"
	thoughtOld = "probethoughtold" // before the user's last message
	thoughtNew = "probethoughtnew"
)

// turns are the conversations of a turn with two calls and of the turn that follows, as requests: the message of the
// user, after the first result, after the second, the next message of the user, after its result.
func turns() [][]message {
	call := func(n, thought string) message {
		called := calledFunction{Name: calledTool, Arguments: arguments{"path": argument + n}}
		return message{Role: "assistant", Thinking: thought, ToolCalls: []toolCall{{ID: n, Function: called}}}
	}
	result := func(n string) message {
		return message{Role: "tool", Content: resultWord + n, ToolName: calledTool, ToolCallID: n}
	}
	all := []message{
		{Role: "system", Content: systemWord}, {Role: "user", Content: "probeuser"},
		call("one", thoughtOld), result("one"), call("two", thoughtOld), result("two"),
		{Role: "assistant", Content: answerWord, Thinking: thoughtOld},
		{Role: "user", Content: "probeuseragain"}, call("three", thoughtNew), result("three"),
	}
	return [][]message{all[:2], all[:4], all[:6], all[:8], all[:10]}
}

// inWords is a turn as it is put to a model without tools in the request: calls in its words, results in the user's.
func inWords() [][]message {
	all := []message{
		{Role: "system", Content: systemWord}, {Role: "user", Content: "probeuser"},
		{Role: "assistant", Content: "probecall"}, {Role: "user", Content: resultWord},
		{Role: "assistant", Content: answerWord}, {Role: "user", Content: "probeuseragain"},
	}
	return [][]message{all[:2], all[:4], all[:6]}
}

// withWords returns a turn with words beside its call.
func withWords(messages []message) []message {
	beside := slices.Clone(messages)
	beside[2].Content = "probewords"
	return beside
}

// presence says in which of the prompts of the conversations the word is.
func presence(conversations [][]message, prompts []string, word string) Presence {
	before, there := map[string]bool{}, 0 // what stands before the word
	onlyLast := true
	for i, prompt := range prompts {
		messages := conversations[i]
		head, _, has := strings.Cut(prompt, word)
		if has {
			there++
			before[head] = true
		}
		onlyLast = onlyLast && has == (messages[len(messages)-1].Role == "user")
	}
	switch {
	case there == len(prompts) && len(before) == 1:
		return Always
	case there == len(prompts):
		return Moves
	case onlyLast:
		return LastUser
	}
	return Never
}

// systemPresence looks at the prompts with tools and at those without: a template may treat them differently. Where the
// requests will have none, the prompts with tools count no further.
func systemPresence(tools Presence, native, words []string) Presence {
	without := presence(inWords(), words, systemWord)
	with := presence(turns(), native, systemWord)
	if tools == Never || tools == LastUser && with == Moves { // behind tools that come and go, it moves with them
		return without
	}
	return worse(with, without)
}

// hasEach reports whether the prompt has the word with the number of each call.
func hasEach(prompt, word string) bool {
	return !slices.ContainsFunc([]string{"one", "two", "three"}, func(n string) bool { return !strings.Contains(prompt, word+n) })
}

// thoughts says which thoughts are in the prompt of the second turn.
func thoughts(prompt string) llm.Keep {
	switch {
	case !strings.Contains(prompt, thoughtNew):
		return llm.KeepNone
	case strings.Contains(prompt, thoughtOld):
		return llm.KeepAll
	}
	return llm.KeepChain
}

// worse returns the one that can be relied on less.
func worse(a, b Presence) Presence {
	order := []Presence{Always, Moves, LastUser, Never}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// namesIn returns the names of fields and variables that the nodes of a template have.
func namesIn(n parse.Node) (names []string) {
	walk(n, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.FieldNode:
			names = append(names, n.Ident...)
		case *parse.VariableNode:
			names = append(names, n.Ident...)
		case *parse.ChainNode:
			names = append(names, n.Field...)
		}
		return true
	})
	return names
}
