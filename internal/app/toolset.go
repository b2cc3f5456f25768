package app

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
	"hob/internal/tools/files/blobs"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/recall"
)

// RecallTool finds facts and searches the chat's history.
const RecallTool = recall.Name

// The skill with the tools of recall, and its former name, which [skills] off may have for one
// release.
const (
	recallName = "recall"
	recallWas  = "memory"
)

// recallTools are the tools of the skill recall.
func recallTools() []string { return []string{"remember", RecallTool, "forget"} }

// All returns the tools by name, including those of skills. It hides the registry's All, which
// knows no skills.
func (k Toolset) All() []tools.Tool {
	if k.Skills == nil {
		return k.Registry.All()
	}
	all, _ := k.Skills.Toolset(context.Background()).Merged()
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all
}

// ListedTools returns the tools that lists show. It leaves out the game master's tools, which only
// its own turns call.
func (k Toolset) ListedTools() []tools.Tool {
	if k.Skills == nil {
		return k.Registry.All()
	}
	return slices.DeleteFunc(k.All(), k.isStoryTool)
}

// isStoryTool reports whether only stories use a tool.
func (k Toolset) isStoryTool(t tools.Tool) bool {
	return tools.SourceOf(t) == gamemaster.Name && t.Name() != gamemaster.MenuTool
}

// ByName returns the tool of that name among All.
func (k Toolset) ByName(name string) (tools.Tool, error) {
	if t := tools.Find(k.All(), name); t != nil {
		return t, nil
	}
	return nil, tools.NotFound(name, k.ListedTools())
}

// SessionToolset returns the default tools as sessions take them: some without a skill, some as a
// skill.
func (k Toolset) SessionToolset() session.Toolset {
	loose, told := k.Registry.All(), UsualTools
	var all []skills.Skill
	var known []tools.Tool
	for _, name := range recallTools() {
		if t := tools.Find(loose, name); t != nil {
			known = append(known, t)
		}
	}
	if len(known) > 0 {
		loose = slices.DeleteFunc(loose, func(t tools.Tool) bool { return slices.Contains(recallTools(), t.Name()) })
		all = append(all, skills.Declare(skills.Own(recallName), known...)) // few messages need it
	}
	return session.Toolset{
		Tools: sortByNeed(loose), AlwaysListed: told, ShortList: shortList(), Skills: all, ShortSkills: []skills.Skill{filesSkill(loose)},
	}
}

// filesSkill returns the skill with the file and process tools that a short list leaves out, and
// with those of the list that tools of other skills may replace.
func filesSkill(loose []tools.Tool) skills.Skill {
	var some []tools.Tool
	for _, name := range []string{
		"search_files", "find_files", "move_file", "copy_file", "make_folder", "delete_file", "send_file", "edit_file", "list_files", "write_file", "process",
	} {
		if t := tools.Find(loose, name); t != nil {
			some = append(some, t)
		}
	}
	return skills.Declare(skills.Own("files"), some...)
}

// CommandTools returns the tools that a person may call as commands in a chat.
func (a *App) CommandTools(ctx context.Context, chat event.Chat, of event.Principal) (*tools.Commands, error) {
	all, err := a.Commands(ctx, chat, of)
	if err != nil {
		return nil, err
	}
	index, _ := tools.NewCommands(all)
	return index, nil
}

// OpenFiles opens the workspace and the folders of the configuration. share is how many bytes of
// one result fit into the prompt. commands is the sandbox in which commands change the workspace.
func (s *Environment) OpenFiles(share func() int, outputs *blobs.Store, journal ToolJournal, commands tree.Commands) (*files.FileTool, error) {
	if err := s.MakeState(); err != nil {
		return nil, err
	}
	cfg := files.Config{
		Dir: s.WorkspaceDir, ReadOnly: s.Workspace.ReadOnly, Share: share, Blobs: outputs, Log: journal.Log, Origins: journal.Origins, Commands: commands,
		// The file tools reach none of hob's own files, whichever folder is the workspace.
		Deny: []string{s.ConfigPath, s.JournalPath(), s.LockPath(), s.HistoryPath(), s.OutputsDir(), s.MeasuredProfilesPath(), s.SocketPath(), s.CanaryPath(), s.LastGoodPath(), s.StateDir},
	}
	cfg.Deny = append(cfg.Deny, s.secretPaths()...)
	for _, f := range s.folders {
		cfg.Grants = append(cfg.Grants, tree.Grant{Dir: f.Path, Write: f.Write})
	}
	files, err := files.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return files, nil
}

// Toolset is the default tools and the skills.
type Toolset struct {
	*tools.Registry // of the tools without a skill
	FileTool        *files.FileTool
	Skills          *Skills // nil: no skills
}

// DefaultTools builds the default tools. share is how many bytes of one result fit into the prompt.
// model answers questions about pages, outside of any chat.
func (s *Environment) DefaultTools(share func() int, outputs *blobs.Store, journal ToolJournal, shell *Shell, model llm.Model) (Toolset, error) {
	files, err := s.OpenFiles(share, outputs, journal, shell.Sandbox)
	if err != nil {
		return Toolset{}, err
	}
	dialer, err := s.Egress.Fetch(s.Fetch.Allow, "[fetch] allow")
	if err != nil {
		return Toolset{}, exit.Errorf(exit.Usage, "%v", err)
	}
	pages := fetch.New(fetch.Config{
		Timeout: s.Fetch.Timeout, MaxResponseSize: s.Fetch.MaxResponseSize, UserAgent: s.Fetch.UserAgent,
		Share: share, Dialer: dialer, PDF: shell.pdfReader(s),
	})
	all := append(files.Tools(), pages.Tools()...)
	all = append(all, files.SendTool(), fetch.NewAskPage(pages, pageReader(model)), recall.New(journal.History, journal.Facts, s.Zone),
		recall.NewRemember(journal.Facts), recall.NewForget(journal.Facts), s.Changes(journal.db).Tool())
	commands, err := shell.newTools(s, files)
	if err != nil {
		return Toolset{}, err
	}
	registry := tools.NewRegistry()
	for _, t := range append(all, commands...) {
		if err := registry.Register(t); err != nil {
			return Toolset{}, err
		}
	}
	return Toolset{Registry: registry, FileTool: files}, nil
}

// Find returns the tool for a word on the command line: a name, the first word of a command pattern
// or an alias.
func (k Toolset) Find(ctx context.Context, word string) (tools.Tool, error) {
	tool, err := k.ByName(word)
	if err == nil {
		return tool, nil
	}
	if more, bad := k.Skills.startServerOf(ctx, word); bad != nil {
		return nil, bad
	} else if more {
		return k.Find(ctx, word)
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
