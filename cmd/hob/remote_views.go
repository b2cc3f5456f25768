package main

import (
	"context"
	"slices"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/skills"
	local "hob/internal/surface/http"
	"hob/internal/tools"
)

// commandLine is a tool as a person calls it.
type commandLine struct {
	Name  string `json:"name"`
	Line  string `json:"line"`  // how, in one line
	About string `json:"about"` // what it does
	Usage string `json:"usage"` // how, in several
}

// commands implements [talk].
func (h inProcess) commands(ctx context.Context, chat event.Chat) ([]commandLine, error) {
	index, err := h.CommandsFor(ctx, chat, app.LocalOwner())
	if err != nil {
		return nil, err
	}
	lines := []commandLine{}
	for _, t := range index.All() {
		lines = append(lines, commandLine{t.Name(), tools.Signature(t), t.Description(), tools.Usage(t)})
	}
	return lines, nil
}

// skillList implements [talk].
func (h inProcess) skillList(ctx context.Context, chat event.Chat) (local.SkillList, error) {
	all, open, err := h.Skills(ctx, chat, app.LocalOwner())
	if err != nil {
		return local.SkillList{}, err
	}
	out := local.SkillList{Skills: []local.Skill{}, Problems: []string{}}
	for _, s := range all {
		out.Skills = append(out.Skills, shownSkill(s, open))
	}
	if h.Model.Problems != nil {
		out.Problems = append(out.Problems, h.Model.Problems(ctx)...)
	}
	return out, nil
}

// shownSkill is a skill as it stands in a chat where those are open.
func shownSkill(s skills.Skill, open []event.Opened) local.Skill {
	out := local.Skill{
		Name: s.Name, Description: s.Description, Source: app.SourceOf(s), Trusted: !s.Label.Untrusted, Tools: []local.SkillTool{},
		Conventions: s.Conventions, Instructions: s.Instructions, Keywords: s.Keywords, Tags: s.Tags, Leads: s.Driver != nil,
		Level: s.Level, Platforms: s.Platforms, Scopes: s.Scopes, Narrows: s.Allowed != nil, Allowed: s.Allowed,
	}
	if s.Pages != nil {
		out.Pages = s.Pages.Names()
	}
	var listed []string
	if i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Skill == s.Name }); i >= 0 {
		out.Open, out.By, listed = true, open[i].By, open[i].Tools
	}
	for _, t := range s.Tools {
		listed := slices.Contains(listed, t.Name())
		out.Tools = append(out.Tools, local.SkillTool{Name: t.Name(), Usage: tools.Signature(t), Listed: listed})
	}
	for _, name := range listed { // of a server whose tools are known while it is open
		if !slices.ContainsFunc(out.Tools, func(t local.SkillTool) bool { return t.Name == name }) {
			out.Tools = append(out.Tools, local.SkillTool{Name: name, Listed: true})
		}
	}
	return out
}
