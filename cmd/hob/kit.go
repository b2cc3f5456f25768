package main

import (
	"context"
	"slices"
	"sort"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	local "hob/internal/surface/http"
	"hob/internal/surface/telegram"
	"hob/internal/tools"
)

// recallTool finds what was said before.
const recallTool = "search_chat"

// All returns the tools that there are, those of skills too, by name. It hides that of the registry, which knows of no skills.
func (k kit) All() []tools.Tool {
	if k.set == nil {
		return k.Registry.All()
	}
	all, _ := k.set.kit(context.Background()).All()
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all
}

// Shown returns the tools that lists show: those of a skill that leads a chat are its own affair, and called there.
func (k kit) Shown() []tools.Tool {
	if k.set == nil {
		return k.Registry.All()
	}
	return slices.DeleteFunc(k.All(), func(t tools.Tool) bool {
		return tools.SourceOf(t) == gamemaster.Name && t.Name() != gamemaster.MenuTool
	})
}

// ByName returns the tool of that name, as All has it.
func (k kit) ByName(name string) (tools.Tool, error) {
	all := k.All()
	if i := slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name() == name }); i >= 0 {
		return all[i], nil
	}
	return nil, tools.NotFound(name, k.Shown())
}

// abilities is all that can be done in chats with the default tools: those of no skill, and skills of the others.
func (k kit) abilities() session.Kit {
	loose, told := k.Registry.All(), usualTools
	var all []skills.Skill
	if search, err := k.Registry.ByName(recallTool); err == nil {
		loose = slices.DeleteFunc(loose, func(t tools.Tool) bool { return t.Name() == recallTool })
		all = append(all, remembering(search))
	}
	return session.Kit{Tools: needed(loose), Told: told, Skills: all}
}

// remembering is the skill of what was said before. Most messages are about now.
func remembering(search tools.Tool) skills.Skill {
	return skills.Declare(skills.Skill{
		Name: "memory", Description: "What was said in this chat before.",
		Keywords: []string{
			"earlier", "last time", "remember", "previously", "before that", "we talked", "you said", "i said", "i told you",
			"did i say", "did you say", "yesterday",
			"früher", "letztes mal", "letzte woche", "erinner", "neulich", "du hast gesagt", "ich habe dir gesagt", "habe ich gesagt", "gestern",
			"раньше", "прошлый раз", "в прошлый", "помнишь", "вчера", "вспомни", "ты говорил", "я говорил",
			"之前", "以前", "上次", "记得", "說過", "说过", "刚才", "昨天",
		},
	}, search)
}

// commandLine is a tool as a person calls it.
type commandLine struct {
	Name  string `json:"name"`
	Line  string `json:"line"`  // how, in one line
	About string `json:"about"` // what it does
	Usage string `json:"usage"` // how, in several
}

// commandsFor returns the tools that somebody may call as commands in a chat, and their words.
func (h *hob) commandsFor(ctx context.Context, chat event.Chat, of event.Standing) (*tools.Commands, error) {
	all, err := h.Commands(ctx, chat, of)
	if err != nil {
		return nil, err
	}
	index, _ := tools.NewCommands(all)
	return index, nil
}

// commands implements [talk].
func (h *hob) commands(ctx context.Context, chat event.Chat) ([]commandLine, error) {
	index, err := h.commandsFor(ctx, chat, atHome())
	if err != nil {
		return nil, err
	}
	lines := []commandLine{}
	for _, t := range index.All() {
		lines = append(lines, commandLine{t.Name(), tools.Signature(t), t.Description(), tools.Usage(t)})
	}
	return lines, nil
}

// explain is how somebody on Telegram calls a tool, and whether there is one of that name for them.
func (h *hob) explain(ctx context.Context, r telegram.Request, word string) (usage string, known bool) {
	index, err := h.commandsFor(ctx, r.Chat, r.Standing)
	if err != nil {
		return "", false
	}
	t, ok := index.Find(word)
	if !ok {
		return "", false
	}
	return tools.Usage(t), true
}

// skillList implements [talk].
func (h *hob) skillList(ctx context.Context, chat event.Chat) (local.SkillList, error) {
	all, open, err := h.Skills(ctx, chat, atHome())
	if err != nil {
		return local.SkillList{}, err
	}
	out := local.SkillList{Skills: []local.Skill{}, Problems: []string{}}
	for _, s := range all {
		out.Skills = append(out.Skills, shownSkill(s, open))
	}
	if h.engine.ailing != nil {
		out.Problems = append(out.Problems, h.engine.ailing(ctx)...)
	}
	return out, nil
}

// shownSkill is a skill as it stands in a chat where those are open.
func shownSkill(s skills.Skill, open []event.Opened) local.Skill {
	out := local.Skill{
		Name: s.Name, Description: s.Description, Source: sourceOf(s), Trusted: !s.Label.Untrusted, Tools: []local.SkillTool{},
		Conventions: s.Conventions, Instructions: s.Instructions, Keywords: s.Keywords, Tags: s.Tags, Leads: s.Lead != nil,
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

// sourceOf is where a skill comes from, for people.
func sourceOf(s skills.Skill) string {
	if s.Source == "" {
		return "built-in"
	}
	return s.Source
}
