package main

import (
	"fmt"
	"testing"

	"hob/internal/llm/ollamatest"
)

// On a real Ollama, what a skill says costs the server its own length: the tools of one that is opened are read once, with what
// follows them, and the messages after that are read on from where the last one ended.
func TestTheServerReadsASkillOnce(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	h := newHouse(t, server.URL())
	h.skill("tea-time", "metadata:\n  keywords: kettle\n", "Boil the water first. Then wait for five minutes, and no longer.")
	h.good("", "tool", "write_file", "path=notes.md", "content=buy milk")
	turns := []string{"good evening", "put the kettle on", "and a cup for her", "what did we say last time?", "and what else?"}
	for _, words := range turns {
		h.good(ollamatest.OneToolAnswer, "ask", "--model", ollamatest.OneTool, words)
	}
	h.good("tea-time  open (a message was about it)", "skill", "list")
	h.good("recall  open (a message was about it)", "skill", "list")
	prefills, err := server.Prefills(t.Context(), 2*len(turns))
	if err != nil {
		t.Fatal(err)
	}
	if len(prefills) != 2*len(turns) {
		t.Fatalf("%d requests, want two for each of %d turns", len(prefills), len(turns))
	}
	of := func(turn int) string {
		p := prefills[2*turn]
		return fmt.Sprintf("%d of %d", p.Remaining, p.Prompt)
	}
	figure(t, "tokens evaluated where a message opens a skill of words", "%s, with the next message %s", of(1), of(2))
	figure(t, "tokens evaluated where a message opens a skill with tools", "%s, with the next message %s", of(3), of(4))
	for i, p := range prefills {
		if i == 0 || i == 6 { // the first one, and that with another list of tools
			continue
		}
		if p.Remaining*4 > p.Prompt {
			t.Errorf("request %d evaluates %d of %d tokens anew", i+1, p.Remaining, p.Prompt)
		}
	}
}
