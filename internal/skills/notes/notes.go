// Package notes is the skill that keeps the notes of a household: files that people ask for. What is remembered of people and the
// house is a fact, see package memory.
//
// Notes are Markdown in the workspace, for people to read and edit with anything: notes/TOPIC.md is a heading and a list,
//
//	# shopping
//
//	- 2026-11-22 oat milk
//
// with one line a note, the newest last. What people add there by hand in other forms, such as paragraphs, items without a
// date or with lines below them, is found like a note and left as it is. A note that is removed is gone from the page, and
// undo brings it back.
//
// See package pages for how they are kept.
package notes

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/pages"
	"hob/internal/tools"
)

const (
	folder     = "notes"   // in the workspace
	plainTopic = "general" // of notes without one

	maxText = 4000 // bytes of a note
)

// New returns the skill, with the tools note_add, note_find and note_remove. It tells the days of notes by now.
func New(files pages.Files, now func() time.Time) skills.Skill {
	b := &notebook{pages.Folder{Files: files, Dir: folder}, now}
	home := []string{"private"}
	return skills.Declare(skills.Own("notes"), tools.New(tools.Def{
		Name: "note_add", Description: "Save one note.",
		Capabilities: tools.Writes | tools.Persists, Level: event.BotAdmin, Scopes: home,
		Command: "note <text:string...>", Examples: []string{"note the key is with Ann", "note topic=shopping oat milk"},
		Check: tools.CheckArgs(addIn.check),
	}, b.add), tools.New(tools.Def{
		Name: "note_find", Description: "Find notes. Without a query: the newest notes and all topics.",
		Capabilities: tools.Reads | tools.Private, Scopes: home,
		Command: "notes [query:string...]", Aliases: []string{"notes_find"},
		Examples: []string{"notes", "notes wifi password", "notes topic=shopping"},
	}, b.find), tools.New(tools.Def{
		Name: "note_remove", Description: "Remove one note that is done or wrong.",
		Capabilities: tools.Writes | tools.Private, Level: event.BotAdmin, Scopes: home,
		Command: "unnote <note:string...>", Aliases: []string{"note_done"},
		Examples: []string{"unnote #4711", "unnote topic=shopping oat milk"},
	}, b.remove))
}

// notebook is all notes.
type notebook struct {
	pages.Folder
	now func() time.Time
}

type addIn struct {
	Text  string `json:"text"`
	Topic string `json:"topic,omitempty" jsonschema:"such as garden"`
}

// check says what is wrong with the text.
func (in addIn) check() error {
	switch text := pages.Tidy(in.Text); {
	case text == "":
		return tools.Invalid(event.CodeRequiredField, "text: says nothing")
	case len(text) > maxText:
		return tools.Invalid(event.CodeInvalidValue, "text: has %d bytes, and a note has at most %d", len(text), maxText).
			Suggest("put it into a file with write_file, and note where that is")
	}
	return nil
}

func (b *notebook) add(ctx context.Context, in addIn) (tools.Result, error) {
	text := pages.Tidy(in.Text)
	name, _, err := b.Find(topicName(in.Topic))
	if err != nil {
		return tools.Result{}, err
	}
	n := note{topic: topicName(name), date: b.now().Format(time.DateOnly), text: text}
	known := false
	res, err := b.Change(ctx, name, "note_add", func(page string) (string, error) {
		known = false
		for _, old := range parse(n.topic, page) {
			if old.text == text {
				n, known = old, true
				return page, nil
			}
		}
		return add(page, n), nil
	})
	if err != nil {
		return res, err
	}
	if known {
		res.Text = "this is noted already: " + n.render(maxText)
	} else {
		res.Text, res.Label = "noted as "+n.render(maxText), event.Label{} // nothing of the page is in it
	}
	return res, nil
}

// allNotes is what all pages hold.
type allNotes struct {
	topics []topic
	notes  []note   // the newest first
	broken []string // pages that could not be read, and why
}

// topic is a page that was read.
type topic struct {
	name string
	from event.Label
	size int // notes
}

// labelOf joins where the pages of those topics come from; without any, where all do.
func (s *allNotes) labelOf(topics ...string) (from event.Label) {
	wanted := map[string]bool{}
	for _, t := range topics {
		wanted[t] = true
	}
	for _, t := range s.topics {
		if len(topics) == 0 || wanted[t.name] {
			from = from.Join(t.from)
		}
	}
	return from
}

// read returns all notes.
func (b *notebook) read(ctx context.Context) (*allNotes, error) {
	names, err := b.Names()
	if err != nil {
		return nil, err
	}
	s := &allNotes{}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("look through the notes: %w", err)
		}
		text, from, err := b.Load(ctx, name)
		t := topic{name: topicName(name), from: from}
		if err != nil {
			s.broken, s.topics = append(s.broken, err.Error()), append(s.topics, t)
			continue
		}
		notes := parse(t.name, text)
		for i := range notes {
			notes[i].file = name
		}
		t.size = len(notes)
		s.topics, s.notes = append(s.topics, t), append(s.notes, notes...)
	}
	s.sort()
	return s, nil
}

// topicList names the topics with the number of their notes.
func (s *allNotes) topicList() string {
	var parts []string
	for _, t := range s.topics {
		if t.size > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d)", t.name, t.size))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}
