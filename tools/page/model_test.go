package page

import (
	"strings"

	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
)

// model is what the model of a test does, by the words that it is told last:
//
//	write FILE TEXT     calls write_file                           peruse FILE  calls read_file
//	pair FILE FILE      calls write_file for each                  say TEXT     says it
//	wander PATH         calls fetch, of what nobody has named
//	recite              says what the test hands to it, piece by piece, until the test ends that
//
// To the result of a tool it says "It is done.", and to anything else "Good evening."
type model struct {
	site    string        // that it wanders on
	pieces  chan string   // of recite; closing it ends the reply
	reciter chan struct{} // has a value when a reply begins
	over    chan struct{}
}

func newModel() *model {
	return &model{pieces: make(chan string), reciter: make(chan struct{}, 1), over: make(chan struct{})}
}

// end ends a reply that the model still recites.
func (m *model) end() { close(m.over) }

// steps are the script of the model.
func (m *model) steps() ollamafake.Step { return ollamafake.Forever(ollamafake.Choose(m.step)) }

func (m *model) step(r ollamafake.Request) ollamafake.Step {
	last := r.Messages[len(r.Messages)-1]
	for i := len(r.Messages) - 1; i > 0 && strings.HasPrefix(last.Content, "[note: "); i-- {
		last = r.Messages[i-1] // what hob itself adds is no one's words
	}
	if last.Role == "tool" {
		return ollamafake.Say("It is done.")
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(llm.Words(last.Content)), " ")
	switch verb {
	case "write":
		file, text, _ := strings.Cut(rest, " ")
		return ollamafake.CallTool("write_file", map[string]string{"path": file, "content": text + "\n", "mode": "append"})
	case "pair":
		first, second, _ := strings.Cut(rest, " ")
		return ollamafake.CallTool("write_file", map[string]string{"path": first, "content": "1\n"},
			ollamafake.CallOf("write_file", map[string]string{"path": second, "content": "2\n"}))
	case "peruse": // "read FILE" is a chore that needs no model
		return ollamafake.CallTool("read_file", map[string]string{"path": rest})
	case "wander":
		return ollamafake.CallTool("fetch", map[string]string{"url": m.site + rest})
	case "say":
		return ollamafake.Say(rest)
	case "recite":
		return ollamafake.Do(m.recite)
	}
	return ollamafake.Say("Good evening.")
}

// recite says pieces as the test hands them over.
func (m *model) recite(x *ollamafake.Exchange) {
	m.reciter <- struct{}{}
	n := 0
	for {
		select {
		case p, more := <-m.pieces:
			if !more {
				x.End("stop", n/4+1)
				return
			}
			x.Stream(p)
			n += len(p)
		case <-m.over:
			return
		}
	}
}
