package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
)

// Know takes in an event that is not shown, such as words that stand on the screen as they were typed.
func (p *Printer) Know(e event.Event) {
	if b, ok := e.Body.(event.Said); ok && b.Command {
		p.commands[e.Seq] = true
	}
}

// literal is a text to the letter: what a tool says is no Markdown.
func literal(text string) string {
	if text = strings.TrimRight(display.Clean(text), "\n"); text == "" {
		return ""
	}
	return text + "\n"
}

// call is the line of a call.
func (p *Printer) call(b event.Called) string {
	p.called = b.ID
	mended := ""
	if len(b.Repairs) > 0 {
		mended = " (mended)"
	}
	return p.line("→", display.OneLine(b.Tool)+arguments(b.Args)+mended, dim)
}

// skill is the line of a skill that is open from here on, or is not any more. That it is open is told once.
func (p *Printer) skill(e event.Event) string {
	switch b := e.Body.(type) {
	case event.Opened:
		in := skillIn{e.Chat, b.Skill}
		if p.skills[in] {
			return ""
		}
		p.skills[in] = true
		names := make([]string, 0, len(b.Tools))
		for _, name := range b.Tools {
			names = append(names, display.OneLine(name))
		}
		text := "skill " + display.OneLine(b.Skill) + " is open"
		if len(names) > 0 {
			text += ": " + strings.Join(names, ", ")
		}
		return p.line("·", text, dim)
	case event.Closed:
		delete(p.skills, skillIn{e.Chat, b.Skill})
		return p.line("·", "skill "+display.OneLine(b.Skill)+" is closed", dim)
	}
	return ""
}

// played is the kind of the effect that says what the turn of a story came to.
const played = "played"

// beside is what comes with a reply that no model gave: what was done, files, and what can be picked, which is done by saying it.
func (p *Printer) beside(b event.Replied) string {
	s := ""
	told := func(e event.Effect) bool { return e.Kind == played } // the receipt has it
	if effects := slices.DeleteFunc(slices.Clone(b.Effects), told); len(effects) > 0 {
		s += p.line(markOf(effects), outcome(event.Returned{Effects: effects}, false), dim)
	}
	for _, f := range b.Files {
		if !f.Refresh {
			s += p.line("·", "file "+display.OneLine(f.Path), dim)
		}
	}
	for i, c := range b.Choices {
		if c.Pick != "" { // saying its number picks it
			s += p.line(strconv.Itoa(i+1), display.OneLine(c.Label), dim)
			continue
		}
		text := display.OneLine(c.Label)
		if c.Text != c.Label {
			text += ": " + display.OneLine(c.Text)
		}
		s += p.line("·", text, dim)
	}
	return s
}

// hint is the line of what a failed call tells the owner alone.
func (p *Printer) hint(b event.Returned) string {
	p.called = ""
	if hint := ownersHint(b.Data); hint != "" && !b.OK {
		return p.line("·", display.OneLine(hint), dim)
	}
	return ""
}

// markOf is the mark before effects.
func markOf(all []event.Effect) string {
	if slices.ContainsFunc(all, func(e event.Effect) bool { return e.Failed }) { // a good result for the model, not for who reads this
		return "✗"
	}
	return "✓"
}

// ownersHint is what a failed call tells the owner and not the model, such as the setting that would allow it: the
// member "hint" of its data.
func ownersHint(data any) string {
	raw, err := json.Marshal(data)
	if err != nil {
		return ""
	}
	var owner struct {
		Hint string `json:"hint"`
	}
	_ = json.Unmarshal(raw, &owner) // data of another shape holds no hint
	return owner.Hint
}

// ranKind is the kind of effect that is a command, and shownOf how much of one is shown again.
const (
	ranKind = "ran"
	shownOf = 30
)

// outcome says what a call did: what its receipts say, else how much it answered. A command that stands right above is
// not shown again: what it came to must fit on the line.
func outcome(b event.Returned, above bool) string {
	if len(b.Effects) > 0 {
		parts := make([]string, 0, len(b.Effects))
		for _, e := range b.Effects {
			target := firstLine(e.Target)
			if e.Kind == ranKind {
				if above && e.Detail != "" {
					parts = append(parts, display.OneLine(firstLine(e.Detail)))
					continue
				}
				target = truncate(display.OneLine(target), shownOf)
			}
			part := e.Kind + " " + target
			if e.Detail != "" {
				part += " (" + firstLine(e.Detail) + ")"
			}
			parts = append(parts, display.OneLine(part))
		}
		return strings.Join(parts, ", ")
	}
	text := strings.TrimSpace(b.Text)
	switch lines := strings.Count(text, "\n") + 1; {
	case text == "":
		return "nothing to say"
	case lines > 1:
		return fmt.Sprintf("%d lines", lines)
	case stringWidth(text) <= 60:
		return display.OneLine(text)
	}
	return "1 line"
}

// unreadable says which event cannot be read, and why.
func unreadable(seq int64, b event.Unreadable) string {
	why := "skipped"
	if b.Damaged {
		why = "damaged"
	}
	return display.OneLine(fmt.Sprintf("event %d (%s) cannot be read, it is %s: %s", seq, b.Of, why, b.Reason))
}
