package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/recall"
)

// CommandSessions is how commands reach sessions. A daemon passes its own, because a reload
// replaces those of the [App]; a terminal that wants to see each call does, too.
type CommandSessions interface {
	Decide(ctx context.Context, a session.Answer) error
	Retry(ctx context.Context, chat event.Chat, turn int64) error
	OpenSkill(ctx context.Context, in session.SkillRequest) error
	CloseSkill(ctx context.Context, in session.SkillRequest) error
}

// CommandTable returns the commands of this hob, which answer in the language of the caller. who
// names the shell command that runs it.
func (a *App) CommandTable(to CommandSessions, who string) commands.Table {
	p := commandPorts{a, to}
	d := commands.Deps{
		Status: p, Log: p, Memory: Known(a.Journal), Processes: a.Shell.Background, Changes: a, Questions: p, ParkedTurns: p, Tools: p, Skills: p, Contacts: p, Models: p, Stories: p, Inbox: p, Household: a,
		Pages: a.pages, Now: a.Env.Clock(),
	}
	if who == DaemonCommand {
		d.KeepHint = "With " + who + " what runs in the background ends with its turn, unless [shell] keep_jobs = true lets all of it run on"
	}
	return commands.New(d).Translated(TranslateAnswer)
}

// commandPorts implements the interfaces of [commands.Deps] for an [App]. Methods of the App or the
// sessions with a fitting name are promoted.
type commandPorts struct {
	*App
	CommandSessions
}

// firstLogWindow is how many events of all chats Log reads at first. If they hold too few lines, it
// reads more.
const firstLogWindow = 400

// Log implements [commands.Log].
func (p commandPorts) Log(ctx context.Context, chat event.Chat, n int) ([]commands.LogLine, error) {
	end, err := p.Journal.Last(ctx, chat)
	if err != nil {
		return nil, err
	}
	for window := int64(firstLogWindow); ; window *= 8 {
		after := max(end-window, 0)
		lines, err := p.logAfter(ctx, chat, after, n)
		if err != nil || len(lines) == n || after == 0 {
			return lines, err
		}
	}
}

// logAfter returns the last n lines of a chat after the event with that Seq.
func (p commandPorts) logAfter(ctx context.Context, chat event.Chat, after int64, n int) ([]commands.LogLine, error) {
	lines := []commands.LogLine{}
	for e, err := range p.Journal.Chat(ctx, chat, after) {
		if err != nil {
			return nil, err
		}
		kind, text, ok := DescribeEvent(e, "")
		if !ok {
			continue
		}
		if lines = append(lines, commands.LogLine{Time: e.Time, Kind: kind, Text: text}); len(lines) > n {
			lines = lines[1:]
		}
	}
	return lines, nil
}

// DescribeEvent returns an event as one line of text, centred on the words of a search, and its
// kind. ok is false for an event without text.
func DescribeEvent(e event.Event, words string) (kind, text string, ok bool) {
	if b, unreadable := e.Body.(event.Unreadable); unreadable {
		return b.Type(), fmt.Sprintf("event %d (%s): %s", e.Seq, display.Clean(b.Of), b.Reason), true
	}
	found, ok := recall.HitOf(e, words)
	kind = found.Kind
	if found.Kind == "called" || found.Kind == "returned" {
		kind += " " + found.By
	}
	return kind, commands.OneLine(found.Text), ok
}

// Questions implements [commands.Questions].
func (p commandPorts) Questions(ctx context.Context) ([]commands.Question, error) {
	open, err := openTurns(ctx, p.Journal)
	if err != nil {
		return nil, err
	}
	parked, err := ParkedTurns(ctx, p.Journal)
	if err != nil {
		return nil, err
	}
	for i, c := range open {
		open[i].Open = RunningTurns(c, parked)
	}
	return collectQuestions(ctx, p.Journal, slices.DeleteFunc(open, func(c store.ChatInfo) bool { return len(c.Open) == 0 }))
}

// Decide implements [commands.Questions].
func (p commandPorts) Decide(ctx context.Context, by commands.Request, q commands.Question, allow bool) error {
	return p.CommandSessions.Decide(ctx, session.Answer{Chat: q.Chat, ID: q.ID, Allow: allow, By: by.From, Principal: by.Principal})
}

// SkillList returns the skills that a person can use in a chat.
func (a *App) SkillList(ctx context.Context, chat event.Chat, of event.Principal) (commands.SkillList, error) {
	list := commands.SkillList{Skills: []commands.Skill{}, Problems: []string{}}
	all, open, err := a.Skills(ctx, chat, of)
	if err != nil {
		return list, err
	}
	for _, s := range all {
		one := describeSkill(s, open)
		one.Server = a.Tools.Skills.serverOf(s, of.Level)
		list.Skills = append(list.Skills, one)
	}
	if of.Level >= event.Owner {
		faults, warnings := a.SkillSources.Problems(ctx)
		list.Problems = append(append(list.Problems, faults...), warnings...)
	}
	return list, nil
}

// describeSkill returns a skill as commands show it. open lists the open skills of the chat.
func describeSkill(s skills.Skill, open []event.Opened) commands.Skill {
	out := commands.Skill{
		Name: s.Name, Description: s.Description, Source: SkillSource(s), Trusted: !s.Label.Untrusted, Tools: []commands.SkillTool{},
		Conventions: s.Conventions, Instructions: s.Instructions, Keywords: s.Keywords, Tags: s.Tags, IsDriver: s.Driver != nil,
		Level: s.Level, Platforms: s.Platforms, Scopes: s.Scopes, RestrictsTools: s.Allowed != nil, Allowed: s.Allowed,
	}
	if s.Pages != nil {
		out.Pages = s.Pages.Names()
	}
	var listed []string
	if i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Skill == s.Name }); i >= 0 {
		out.Open, out.By, listed = true, open[i].By, open[i].Tools
	}
	for _, t := range s.Tools {
		out.Tools = append(out.Tools, commands.SkillTool{Name: t.Name(), Usage: tools.Signature(t), Listed: slices.Contains(listed, t.Name())})
	}
	for _, name := range listed { // an MCP server's tools are known only while it is open
		if !slices.ContainsFunc(out.Tools, func(t commands.SkillTool) bool { return t.Name == name }) {
			out.Tools = append(out.Tools, commands.SkillTool{Name: name, Listed: true})
		}
	}
	return out
}

// Models implements [commands.Models].
func (p commandPorts) Models(ctx context.Context) ([]commands.Model, error) {
	return ListModels(ctx, p.Model)
}

// UseModel implements [commands.Models].
func (p commandPorts) UseModel(ctx context.Context, name string) error {
	return p.Env.UseModel(ctx, p.Model, name)
}

// OpenSkill implements [commands.Skills].
func (p commandPorts) OpenSkill(ctx context.Context, by commands.Request, name string) error {
	return p.CommandSessions.OpenSkill(ctx, session.SkillRequest{Chat: by.Chat, Skill: name, By: by.From, Principal: by.Principal})
}

// CloseSkill implements [commands.Skills].
func (p commandPorts) CloseSkill(ctx context.Context, by commands.Request, name string) error {
	return p.CommandSessions.CloseSkill(ctx, session.SkillRequest{Chat: by.Chat, Skill: name, By: by.From, Principal: by.Principal})
}

// SubmitCommand implements [commands.Inbox].
func (p commandPorts) SubmitCommand(ctx context.Context, by commands.Request, line string) error {
	_, err := p.Submit(ctx, session.Input{
		Chat: by.Chat, ID: "desk/" + rand.Text(), From: by.From, Text: line, Principal: by.Principal, Command: true,
	})
	return err
}
