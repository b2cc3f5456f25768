package cli

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/receipt"
)

// Know takes an event that is not shown, such as an input that stands on the screen as it was typed.
func (p *Printer) Know(e event.Event) {
	p.receive(e)
	if b, ok := e.Body.(event.Said); ok && b.Command {
		p.commands[e.Seq] = true
	}
}

// literal returns the output of a tool as it is, since that is no Markdown. It only changes long lines, and lines that look like hob's own.
func (p *Printer) literal(text string) string {
	if text = strings.TrimRight(display.Clean(text), "\n"); text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" && isMark([]rune(line)[0]) {
			lines[i] = " " + line
		}
	}
	lines = strings.Split(Wrap(strings.Join(lines, "\n"), p.look.Width), "\n")
	p.folded = ""
	if more := len(lines) - p.look.Fold; p.look.Fold > 0 && more > 1 {
		p.folded = strings.Join(lines[p.look.Fold:], "\n") + "\n"
		return strings.Join(lines[:p.look.Fold], "\n") + "\n" + p.renderLine("·", p.Text("more", more), dim)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Unfold returns what was left out of the last output, once.
func (p *Printer) Unfold() string {
	text := p.folded
	p.folded = ""
	return text
}

// renderCall returns the line of a call.
func (p *Printer) renderCall(b event.Called) string {
	p.called = b.ID
	mended := ""
	if len(b.Repairs) > 0 {
		mended = " " + p.Text("mended")
	}
	return p.renderLine("→", display.OneLine(b.Tool)+arguments(b.SaidArgs())+mended, dim)
}

// renderSkill returns the line of a skill that opens or closes. An open skill is shown once.
func (p *Printer) renderSkill(e event.Event) string {
	switch b := e.Body.(type) {
	case event.Opened:
		in := skillIn{e.Chat, b.Skill}
		if p.skills[in] {
			return ""
		}
		p.skills[in] = true
		names := lists.Map(b.Tools, display.OneLine)
		text := p.Text("skill.open", display.OneLine(b.Skill))
		if len(names) > 0 && !b.Lead { // who is led need not know them
			text += ": " + strings.Join(names, ", ")
		}
		return p.renderLine("·", text, dim)
	case event.Closed:
		delete(p.skills, skillIn{e.Chat, b.Skill})
		return p.renderLine("·", p.Text("skill.closed", display.OneLine(b.Skill)), dim)
	}
	return ""
}

// played is the kind of the effect that says what the turn of a story came to.
const played = "played"

// renderExtras returns the lines below a reply that no model gave: effects, files and choices. A person picks a choice by typing it.
func (p *Printer) renderExtras(b event.Replied) string {
	s := ""
	told := func(e event.Effect) bool { return e.Kind == played } // the receipt has it
	if effects := slices.DeleteFunc(slices.Clone(b.Effects), told); len(effects) > 0 {
		s += p.renderLine(markOf(effects), p.outcome(event.Returned{Effects: effects}, false), dim)
	}
	for _, f := range b.Files {
		if !f.Refresh {
			s += p.renderText("·", p.Text("file", display.OneLine(f.Path)), dim)
		}
	}
	for i, c := range b.Choices {
		if c.Pick != "" { // saying its number picks it
			s += p.renderText(strconv.Itoa(i+1), display.OneLine(c.Label), dim)
			continue
		}
		text := display.OneLine(c.Label)
		if c.Text != c.Label {
			text += ": " + display.OneLine(c.Text)
		}
		s += p.renderText("·", text, dim)
	}
	return s
}

// renderCalling returns a note that calls the person, and what they can type about it.
func (p *Printer) renderCalling(b event.Noted) string {
	s := ""
	for line := range strings.SplitSeq(b.Text, "\n") {
		s += strings.TrimPrefix(p.renderText("", display.Visible(line), bold), " ")
	}
	lines := lists.Map(b.Choices, func(c event.Choice) string { return display.OneLine(c.Text) })
	if len(lines) > 0 {
		s += p.renderText("·", strings.Join(lines, " · "), dim)
	}
	return "\n" + s
}

// renderHint returns the line with the hint of a failed call, which is for the owner alone.
func (p *Printer) renderHint(b event.Returned) string {
	if hint := ownersHint(b.Data); hint != "" && !b.OK {
		return p.renderText("·", display.OneLine(hint), dim)
	}
	return ""
}

// markOf returns the mark before effects.
func markOf(all []event.Effect) string {
	if slices.ContainsFunc(all, func(e event.Effect) bool { return e.Failed }) { // a good result for the model, not for who reads this
		return "✗"
	}
	return "✓"
}

// ownersHint returns the hint of a failed call for the owner, such as the setting that would allow it: the member "hint" of
// its data. The model does not see it.
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

// outcome describes the result of a call: its effects, else the size of its answer. A command that stands right above is not
// shown again, so that its result fits on the line.
func (p *Printer) outcome(b event.Returned, above bool) string {
	if len(b.Effects) > 0 {
		parts := make([]string, 0, len(b.Effects))
		for _, e := range b.Effects {
			target := firstLine(e.Target)
			if e.Kind == ranKind {
				if above && e.Detail != "" {
					parts = append(parts, display.OneLine(p.translate("receipt", firstLine(e.Detail))))
					continue
				}
				target = truncate(display.OneLine(target), shownOf)
			}
			part := receipt.Language{Name: p.Language()}.Did(e.Kind, target)
			if e.Detail != "" {
				part += " (" + p.translate("receipt", firstLine(e.Detail)) + ")"
			}
			parts = append(parts, display.OneLine(part))
		}
		return strings.Join(parts, ", ")
	}
	text := strings.TrimSpace(b.Text)
	switch lines := strings.Count(text, "\n") + 1; {
	case text == "":
		return p.Text("result.none")
	case lines > 1:
		return p.Text("result.lines", lines)
	case Width(text) <= 60:
		return display.OneLine(text)
	}
	return p.Text("result.line")
}

// unreadable describes an event that cannot be read.
func (p *Printer) unreadable(seq int64, b event.Unreadable) string {
	why := "unreadable.skipped"
	if b.Damaged {
		why = "unreadable.damaged"
	}
	return display.OneLine(p.Text("unreadable", seq, b.Of, p.Text(why), b.Reason))
}
