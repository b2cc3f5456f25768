package app

import (
	"context"

	"hob/internal/intents"
	"hob/internal/memory"
	"hob/internal/skills/lists"
	"hob/internal/skills/notes"
	"hob/internal/skills/reminders"
	"hob/internal/tools"
	"hob/internal/tools/recall"
)

// lookUp returns the calls that find what a question is about among the asker's facts, notes,
// reminders and lists. The zero Reading means that nothing fits, or that the words are no such
// question.
func (c chores) lookUp(ctx context.Context, lang, words string) intents.Reading {
	if in, ok := c.sentences.Wonders(lang, words); ok {
		return c.find(ctx, in, words)
	}
	return intents.Reading{}
}

// find returns the calls that find things about some words, for the caller of ctx. In a group it
// finds nothing, because private things stay private.
func (c chores) find(ctx context.Context, lang, words string) (found intents.Reading) {
	caller, query := tools.CallerFrom(ctx), memory.Asked(words)
	if caller.Chat.Shared() || query == "" {
		return found
	}
	add := func(kind, tool string, args map[string]any) {
		if found.Kind != "" {
			found.Kind += "+"
		}
		found.Kind += kind
		found.Parts = append(found.Parts, intents.Reading{Kind: kind, Call: callOf(tool, args), Score: 1, Lang: lang})
	}
	if c.hasFact(ctx, words) {
		add("fact_find", "recall", map[string]any{"query": recall.OnlyFacts + words})
	}
	cfg := c.app.Env.reminderConfig(JournalTools(c.app.Journal), c.app.notes)
	if some, err := reminders.Named(ctx, cfg, query); err == nil && len(some) > 0 {
		add("reminders", "reminders", map[string]any{"about": query, "lang": lang})
	}
	most, of, err := notes.Holding(ctx, c.toolset.FileTool, query)
	isNear := len(found.Parts) == 0 && most*2 >= of // notes with half of the words count if nothing else fits
	if err == nil && most > 0 && (most == of || isNear) {
		add("note_find", "note_find", map[string]any{"query": query})
	}
	for _, list := range c.listsWith(callOf("list_show", map[string]any{"items": []string{query}}), lists.Hold) {
		add("list_show", "list_show", map[string]any{"list": list})
	}
	found.Score, found.Lang = 1, lang
	return found
}

// hasFact reports whether a known fact is about words.
func (c chores) hasFact(ctx context.Context, words string) bool {
	facts := factsOf(c.app.Journal)
	who, err := facts.Who(ctx)
	if err != nil {
		return false
	}
	some, err := facts.Riding(ctx, who, words)
	return err == nil && len(some) > 0
}
