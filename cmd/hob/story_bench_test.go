package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"hob/internal/game/account"
)

// The aims of a story. Times depend on the machine and are only printed.
const (
	aimStory = 7200 // bytes of what a request begins with while a story leads the chat; 1,800 tokens at four bytes each
	aimScene = 1800 // bytes of the scene below the newest words
)

// begun begins a story in a chat and waits until it is told.
func (h *townhouse) begun(n int, tale string) {
	h.t.Helper()
	h.chats[n].Say(h.people[n], "/game new "+tale)
	h.shows(n, "The dice are sealed")
}

// shows waits until the bot's last message in a chat has these words.
func (h *townhouse) shows(n int, words string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	last := func() string {
		if all := h.chats[n].FromBot(); len(all) > 0 {
			return all[len(all)-1].Text
		}
		return ""
	}
	if err := h.bot.Wait(ctx, func() bool { return strings.Contains(last(), words) }); err != nil {
		h.t.Fatalf("no %q, but %q: %v", words, last(), err)
	}
}

// TestFixedPromptOfStory keeps small what a request begins with while a story leads the chat, and what its scene adds to each.
func TestFixedPromptOfStory(t *testing.T) {
	fake := newFakeOllama(t)
	h := newTownhouse(t, fake.URL, 1)
	s := h.serve()
	h.begun(0, "mystery")
	h.ask(0, "I hum a tune that nobody here can know, and watch their faces")
	s.stop()
	if len(fake.requests) == 0 {
		t.Fatal("the model was not asked")
	}
	var req api.ChatRequest
	if err := json.Unmarshal([]byte(fake.requests[0]), &req); err != nil {
		t.Fatal(err)
	}
	schemas, err := json.Marshal(req.Tools)
	// Twelve are all that the model holds apart: ten of the story, and the two that find others.
	if err != nil || len(req.Tools) != 12 || len(req.Messages) < 2 || req.Messages[0].Role != "system" {
		t.Fatalf("%v: %d tools, %d messages", err, len(req.Tools), len(req.Messages))
	}
	said := req.Messages[len(req.Messages)-1].Content
	from, to, at := strings.Index(said, "[The skill gamemaster"), strings.Index(said, "[End of the skill gamemaster.]"), strings.LastIndex(said, "SCENE ")
	if from < 0 || to < from || at < to {
		t.Fatalf("the skill's words and a scene do not stand in %q", said)
	}
	opened, scene := said[from:to+len("[End of the skill gamemaster.]")], said[at:]
	system := len(req.Messages[0].Content)
	total := system + len(schemas) + len(opened)
	figure(t, "fixed prompt of a story", "%d bytes, about %d tokens (aim %d and %d): system text %d, %d tool schemas %d, the skill %d; with the scene "+
		"of %d bytes about %d tokens", total, total/4, aimStory, aimStory/4, system, len(req.Tools), len(schemas), len(opened),
		len(scene), (total+len(scene))/4)
	tell := ""
	for _, raw := range fake.requests {
		var r api.ChatRequest
		if err := json.Unmarshal([]byte(raw), &r); err != nil {
			t.Fatal(err)
		}
		if last := r.Messages[len(r.Messages)-1].Content; strings.HasPrefix(last, "Tell what just happened") {
			tell = last
		}
	}
	figure(t, "what a model is told of a story's turn", "%d tokens (aim %d)", account.Weight(tell), account.MaxAsk)
	if n := account.Weight(tell); n == 0 || n > account.MaxAsk {
		t.Errorf("what is told of a turn weighs %d", n)
	}
	if total > aimStory {
		t.Errorf("the fixed prompt of a story has %d bytes, more than %d", total, aimStory)
	}
	if len(scene) > aimScene {
		t.Errorf("the scene has %d bytes, more than %d", len(scene), aimScene)
	}
}

// TestFiguresOfStory measures a story on Telegram that is played in plain commands: no model is asked.
func TestFiguresOfStory(t *testing.T) {
	notShort(t)
	hob, fake := buildHob(t), newFakeOllama(t)
	h := newTownhouse(t, fake.URL, 1)
	s := h.startOf(hob)
	s.hear("READY=1")
	h.begun(0, "cosy")
	measure := func(name string, words ...string) {
		var took []float64
		const turns = 90 // a longer walk would bring the story to its end
		used := usedBy(t, s.cmd.Process.Pid)
		for i := range turns {
			took = append(took, ms(h.ask(0, words[i%len(words)])))
		}
		slices.Sort(took)
		figure(t, "a story's turn on Telegram without a model, durable: "+name, "%.1f ms (aim 10 ms), of 100 five take more than %.1f ms; "+
			"%.1f ms of the processor", median(took), took[turns*95/100], float64(usedBy(t, s.cmd.Process.Pid)-used)/turns/1e6)
	}
	measure("a step", "go east", "go west")
	h.shows(0, "The Singing Kettle")
	measure("a look", "look")
	if len(fake.requests) > 0 {
		t.Errorf("a model was asked: %s", fake.requests[0])
	}
	s.stop()
}
