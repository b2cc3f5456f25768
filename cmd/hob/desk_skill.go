package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/session"
	local "hob/internal/surface/http"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
	"hob/internal/tools"
)

// tools lists what somebody can call. The owner, where nobody else reads it, also has a button for each tool that switches it
// to the other state: pressed twice, it still is that one.
func (d *desk) tools(ctx context.Context, r chat.Request) (chat.Answer, error) {
	index, err := d.hob.CommandsFor(ctx, r.Chat, r.Standing)
	if err != nil {
		return chat.Answer{}, err
	}
	var lines []string
	for _, t := range index.All() {
		lines = append(lines, "- `/"+strings.ReplaceAll(inLine(tools.Signature(t)), "`", "'")+"`")
	}
	a := chat.Answer{Text: "**Tools.** Each is a command; /help and a name says more.\n" + strings.Join(lines, "\n")}
	if len(lines) == 0 {
		a.Text = "There are no tools for you here."
	}
	if !maySwitch(r) {
		return a, nil
	}
	off, err := d.hob.Journal.Settings(ctx, app.SwitchedOff)
	if err != nil {
		return chat.Answer{}, err
	}
	a.Text += "\n\nPress one to switch it."
	var left []string
	for _, name := range allNames(d.hob.Model.Tools) {
		if leavesOut(d.set, d.hob.Model.Tools, name) {
			left = append(left, "`"+name+"`")
			continue
		}
		_, isOff := off[app.SwitchedOff+name]
		a.Buttons = append(a.Buttons, []chat.Button{{Text: switched(name, !isOff), Press: d.flip(name, isOff)}})
	}
	if len(left) > 0 {
		a.Text += "\n\nThe configuration leaves out " + strings.Join(left, ", ") + "."
	}
	return a, nil
}

// maySwitch reports whether somebody may switch tools on and off where they are.
func maySwitch(r chat.Request) bool { return r.Level >= event.Owner && r.Scope == "private" }

// flip switches a tool and lists them again.
func (d *desk) flip(name string, on bool) func(context.Context, chat.Request) (chat.Answer, error) {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		if !maySwitch(by) {
			return chat.Answer{}, errors.New("only an owner switches tools, in their private chat")
		}
		if err := switchTool(ctx, d.hob.Journal, name, on); err != nil {
			return chat.Answer{}, err
		}
		return d.tools(ctx, by)
	}
}

// mostSkills is how many skills have a button each.
const mostSkills = 40

// skill lists the skills that are there for somebody, opens one in their chat, or closes it.
func (d *desk) skill(ctx context.Context, r chat.Request) (chat.Answer, error) {
	words := strings.Fields(r.Args)
	if len(words) == 0 {
		return d.skills(ctx, r, "")
	}
	open := true
	if len(words) == 2 && (words[0] == "close" || words[0] == "open") {
		open, words = words[0] == "open", words[1:]
	}
	if len(words) != 1 {
		return chat.Answer{}, errors.New("/skill lists the skills, /skill NAME opens one, /skill close NAME closes it")
	}
	list, err := d.skillsFor(ctx, r)
	if err != nil {
		return chat.Answer{}, err
	}
	s, err := skillNamed(list, words[0])
	if err != nil {
		return chat.Answer{}, err
	}
	return d.turnSkill(ctx, r, s.Name, open)
}

// skillsFor are the skills that are there for somebody.
func (d *desk) skillsFor(ctx context.Context, r chat.Request) (local.SkillList, error) {
	var out local.SkillList
	all, open, err := d.hob.Skills(ctx, r.Chat, r.Standing)
	for _, s := range all {
		out.Skills = append(out.Skills, shownSkill(s, open))
	}
	return out, err
}

// mayTurn reports whether somebody may open and close skills where they are: a group's are for all who are in it.
func mayTurn(r chat.Request) bool { return r.Scope == "private" || r.Level >= event.GroupAdmin }

// turnSkill opens or closes a skill and lists them again.
func (d *desk) turnSkill(ctx context.Context, r chat.Request, name string, open bool) (chat.Answer, error) {
	if !mayTurn(r) {
		return chat.Answer{}, errors.New("only an admin of the group can open and close skills here")
	}
	list, err := d.skillsFor(ctx, r)
	if err != nil {
		return chat.Answer{}, err
	}
	s, err := skillNamed(list, name)
	if err != nil {
		return chat.Answer{}, err
	}
	if s.Open == open { // pressed twice, it still is that one
		return d.skills(ctx, r, "**"+safe(name)+"** "+map[bool]string{true: "is open already.", false: "is not open."}[open])
	}
	do, words := d.hob.CloseSkill, "is closed."
	if open {
		do, words = d.hob.OpenSkill, "is open."
	}
	if err := do(ctx, session.Wish{Chat: r.Chat, Skill: s.Name, By: r.From, Standing: r.Standing}); err != nil {
		return chat.Answer{}, err
	}
	return d.skills(ctx, r, "**"+safe(s.Name)+"** "+words)
}

// skills lists the skills below a sentence, with a button for each that opens or closes it.
func (d *desk) skills(ctx context.Context, r chat.Request, first string) (chat.Answer, error) {
	list, err := d.skillsFor(ctx, r)
	if err != nil {
		return chat.Answer{}, err
	}
	if len(list.Skills) == 0 {
		return chat.Answer{Text: strings.TrimSpace(first + "\n\nThere are no skills here.")}, nil
	}
	var lines []string
	a := chat.Answer{}
	for i, s := range list.Skills {
		if i == mostSkills {
			lines = append(lines, fmt.Sprintf("- and %d more, which hob skill list lists", len(list.Skills)-mostSkills))
			break
		}
		state, press := "", "Open "
		if s.Open {
			state, press = " \\(open\\)", "Close "
		}
		lines = append(lines, "- **"+safe(s.Name)+"**"+state+": "+markup.Escape(brief(inLine(s.Description)))+markup.Escape(trustOf(s)))
		if mayTurn(r) {
			a.Buttons = append(a.Buttons, []chat.Button{{Text: press + inLine(s.Name), Press: d.skillButton(s.Name, !s.Open)}})
		}
	}
	a.Text = strings.TrimSpace(first + "\n\n**Skills**\n" + strings.Join(lines, "\n"))
	return a, nil
}

func (d *desk) skillButton(name string, open bool) func(context.Context, chat.Request) (chat.Answer, error) {
	return func(ctx context.Context, by chat.Request) (chat.Answer, error) {
		return d.turnSkill(ctx, by, name, open)
	}
}
