package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	"hob/internal/tools/files"
	"hob/internal/tools/recall"
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

// commandsFor returns the tools that somebody may call as commands in a chat, and their words.
func (h *hob) commandsFor(ctx context.Context, chat event.Chat, of event.Standing) (*tools.Commands, error) {
	all, err := h.Commands(ctx, chat, of)
	if err != nil {
		return nil, err
	}
	index, _ := tools.NewCommands(all)
	return index, nil
}

// files opens the workspace and the folders of the configuration. share is how many bytes of one result the model is
// shown, and commands what runs in the workspace.
func (s *setting) files(share func() int, outputs *files.Outputs, said memory, commands files.Commands) (*files.Tool, error) {
	if err := s.makeState(); err != nil {
		return nil, err
	}
	cfg := files.Config{
		Dir: s.workspace, ReadOnly: s.Workspace.ReadOnly, Share: share, Outputs: outputs, Keeper: said, Origins: said, Commands: commands,
		// Whatever folder the owner makes the workspace, hob's own configuration and memory stay out of reach.
		Deny: []string{s.path, s.journal(), s.lockFile(), s.history(), s.outputs(), s.trials(), s.socket(), s.canary(), s.lastGood(), s.state},
	}
	cfg.Deny = append(cfg.Deny, s.serverSecrets()...)
	for _, t := range []tokenFile{s.bot, s.key} {
		if t.path != "" {
			cfg.Deny = append(cfg.Deny, t.path)
		}
	}
	for _, f := range s.folders {
		cfg.Grants = append(cfg.Grants, files.Grant{Dir: f.Path, Write: f.Write})
	}
	files, err := files.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return files, nil
}

// kit is the default tools.
type kit struct {
	*tools.Registry // of no skill
	files           *files.Tool
	set             *skillset // nil: there are no skills
}

// tools builds the default tools. share is how many bytes of one result the model is shown; model reads pages apart from any
// conversation.
func (s *setting) tools(share func() int, outputs *files.Outputs, said memory, sh *shell, model llm.Model) (kit, error) {
	files, err := s.files(share, outputs, said, sh.walls)
	if err != nil {
		return kit{}, err
	}
	dialer, err := s.exit.Fetch(s.Fetch.Allow, "[fetch] allow")
	if err != nil {
		return kit{}, exit.Errorf(exit.Usage, "%v", err)
	}
	pages := fetch.New(fetch.Config{
		Timeout: s.Fetch.Timeout, MaxResponseSize: s.Fetch.MaxResponseSize, UserAgent: s.Fetch.UserAgent,
		Share: share, Dialer: dialer, PDF: sh.readPDF(s),
	})
	all := append(files.Tools(), pages.Tools()...)
	all = append(all, files.SendTool(), fetch.NewAskPage(pages, reader(model)), recall.New(said))
	commands, err := sh.tools(s, files)
	if err != nil {
		return kit{}, err
	}
	registry, err := tools.NewRegistry(append(all, commands...)...)
	return kit{Registry: registry, files: files}, err
}

// find returns the tool that a word on the command line is for: its name, the first word of its pattern or an alias.
func (k kit) find(ctx context.Context, word string) (tools.Tool, error) {
	tool, err := k.ByName(word)
	if err == nil {
		return tool, nil
	}
	if more, bad := k.set.wake(ctx, word); bad != nil {
		return nil, bad
	} else if more {
		return k.find(ctx, word)
	}
	commands, _ := tools.NewCommands(k.All())
	if tool, ok := commands.Find(word); ok {
		return tool, nil
	}
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		if near := commands.Nearest(word); near != "" {
			bad.Suggestion = "did you mean " + near + "? hob tool lists what there is"
		}
	}
	return nil, err
}
