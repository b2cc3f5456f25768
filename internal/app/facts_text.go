package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/memory"
)

// The names by which facts are edited.
const (
	ofMe    = "me"
	ofHouse = "house"
)

// Text returns the facts about a person, or the house, as Markdown to edit: one fact a line, with
// its number.
func (k known) Text(ctx context.Context, by commands.Request, of string) (string, error) {
	who, err := k.writer(ctx, by, of)
	if err != nil {
		return "", err
	}
	kept, _, err := k.memory.List(ctx, who)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# What is known of %s\n\n<!-- One line a fact. Change the text, remove a line to forget it, add one without a number. -->\n\n", of)
	for _, f := range kept {
		if f.Subject != who.Own {
			continue
		}
		fmt.Fprintf(&b, "- #%d ", f.ID)
		if f.Key != "" {
			fmt.Fprintf(&b, "[%s] ", f.Key)
		}
		b.WriteString(f.Text + "\n")
	}
	return b.String(), nil
}

// writer returns the person who edits the facts of that name.
func (k known) writer(ctx context.Context, by commands.Request, of string) (memory.Person, error) {
	who, err := k.person(ctx, by)
	switch of {
	case ofMe:
	case ofHouse:
		who.Own = event.House
	default:
		err = fmt.Errorf("there are facts of me and of house, and none of %s", strconv.Quote(of))
	}
	return who, err
}

// Apply applies the differences between two texts of the same facts, all or none. If somebody else
// has changed a fact since the first text was written, it applies nothing.
func (k known) Apply(ctx context.Context, by commands.Request, of, before, after string) (changed int, err error) {
	who, err := k.writer(ctx, by, of)
	if err != nil {
		return 0, err
	}
	had, _, err := parseFacts(before)
	if err != nil {
		return 0, err
	}
	has, added, err := parseFacts(after)
	if err != nil {
		return 0, err
	}
	var remove []int64
	for id, s := range had {
		switch now, stays := has[id]; {
		case !stays:
			remove = append(remove, id)
		case now.Text == s.Text && now.Key == s.Key:
			delete(has, id)
		}
	}
	for id := range has {
		if _, known := had[id]; !known {
			return 0, fmt.Errorf("there was no line #%d: leave the number of a new fact out", id)
		}
	}
	slices.Sort(remove)
	for _, id := range slices.Concat(slices.Sorted(maps.Keys(has)), remove) {
		f, err := k.memory.Find(ctx, who, id)
		if err != nil {
			return 0, err
		}
		if was := had[id]; f.Text != was.Text || f.Key != was.Key {
			return 0, fmt.Errorf("fact %d was changed meanwhile, to: %s; edit again", id, f.Text)
		}
	}
	return k.memory.Rewrite(ctx, who, has, added, remove, causeOf(by, "memory"))
}

// parseFacts parses a text of [known.Text] that a person may have changed.
func parseFacts(text string) (numbered map[int64]memory.Saying, added []memory.Saying, err error) {
	numbered = map[int64]memory.Saying{}
	for line := range strings.Lines(text) {
		line, isFact := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !isFact {
			continue
		}
		s, id := memory.Saying{}, int64(0)
		if word, rest, _ := strings.Cut(line, " "); strings.HasPrefix(word, "#") {
			if id, err = strconv.ParseInt(word[1:], 10, 64); err == nil {
				line = strings.TrimSpace(rest)
			}
			if _, twice := numbered[id]; twice || err != nil {
				return nil, nil, fmt.Errorf("%s: a line begins with the number of one fact, such as #12, or with none", strconv.Quote(word))
			}
		}
		if key, rest, ok := strings.Cut(strings.TrimPrefix(line, "["), "] "); ok && strings.HasPrefix(line, "[") {
			s.Key, line = key, rest
		}
		if s.Text = strings.TrimSpace(line); s.Text == "" {
			continue // an emptied line means that the fact is to be forgotten
		}
		if id == 0 {
			added = append(added, s)
		} else {
			numbered[id] = s
		}
	}
	return numbered, added, nil
}
