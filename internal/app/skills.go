package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/agent"
	"hob/internal/campaigns"
	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/lists"
	"hob/internal/mcp"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/calendar"
	"hob/internal/skills/folder"
	"hob/internal/skills/gamemaster"
	listskill "hob/internal/skills/lists"
	"hob/internal/skills/notes"
	"hob/internal/skills/reminders"
	"hob/internal/skills/system"
	group "hob/internal/skills/telegram"
	"hob/internal/skills/web"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	shelltool "hob/internal/tools/shell"
)

// Skills collects the skills of a hob from three sources: hob itself, folders and MCP servers.
type Skills struct {
	disabled   []string // names
	folders    *folder.Loader
	Servers    []*mcp.Client
	Redact     func(text string) string // removes known secrets
	builtin    session.Toolset          // tools without a skill, and skills made of hob's own tools
	GameMaster *gamemaster.Master

	mu          sync.Mutex
	groupSkills []skills.Skill // skills that manage Telegram groups; empty without a bot
}

// NewSkills prepares the sources of skills. It starts no server and reads no folder.
func (s *Environment) NewSkills(ctx context.Context, k Toolset, shell *Shell, kv KV, stories campaigns.Repository, model *storyModel, sessions func() *session.Sessions, journal ToolJournal, t notifier) (*Skills, error) {
	set := &Skills{disabled: s.Skills.Off, builtin: k.SessionToolset(), Redact: func(text string) string { return s.Redactor.Redact(text) }}
	set.folders = folder.NewLoader(folder.LoaderConfig{
		Roots: []folder.Root{{Dir: s.OwnSkillsDir()}, {Dir: s.KeptSkillsDir()}},
		Options: folder.Options{
			Trusted:  func(name string) bool { return slices.Contains(s.Skills.Trust, name) },
			HasTool:  set.hasTool,
			Commands: s.Shell.Enabled && !shell.Disabled,
		},
		Now: time.Now,
	})
	looking, err := s.webSkill(k)
	if err != nil {
		return nil, err
	}
	if set.GameMaster, err = s.newGameMaster(stories, model, sessions); err != nil {
		return nil, err
	}
	set.builtin.Tools = append(set.builtin.Tools, set.GameMaster.Menu())
	machine := system.Machine()
	machine.Now = s.Clock()
	set.builtin.Skills = append(set.builtin.Skills, notes.New(k.FileTool, s.Clock()), listskill.New(k.FileTool), looking, system.New(machine),
		s.remindersSkill(k, journal, t), set.GameMaster.Skill())
	for _, srv := range s.MCP {
		client, err := s.newMCPClient(ctx, srv, shell, kv, k, set.TakenNames(s.MCP, srv.Name))
		if err != nil {
			set.Close()
			return nil, err
		}
		set.Servers = append(set.Servers, client)
	}
	return set, nil
}

// TakenNames returns a function that reports whether a server may not use a tool name. Names of
// hob's own tools are taken, and names with the prefix of another server, if that is the longer
// prefix.
func (set *Skills) TakenNames(all []config.MCPServer, server string) func(string) bool {
	own := map[string]bool{skills.UseSkill: true, agent.Relay: true, session.FindTool: true}
	for _, s := range append([]skills.Skill{group.New(nil), {Tools: set.builtin.Tools}}, set.builtin.Skills...) {
		for _, t := range s.Tools {
			own[t.Name()] = true
		}
	}
	return func(tool string) bool {
		return own[tool] || slices.ContainsFunc(all, func(other config.MCPServer) bool {
			return len(other.Name) > len(server) && strings.HasPrefix(tool, mcp.Prefix(other.Name))
		})
	}
}

// skillFolders returns the folders of skills on disk, whose scripts commands may run. It skips
// links, because a link could expose any folder, such as that of hob's configuration.
func (s *Environment) skillFolders() (shown []shelltool.Folder) {
	for _, root := range []string{s.OwnSkillsDir(), s.KeptSkillsDir()} {
		entries, _ := os.ReadDir(root) // an unreadable folder has no skills
		for _, e := range entries {
			dir, name := filepath.Join(root, e.Name()), e.Name()
			file, err := os.Lstat(filepath.Join(dir, "SKILL.md"))
			if !e.IsDir() || strings.HasPrefix(name, ".") || slices.Contains(s.Skills.Off, name) || err != nil ||
				!file.Mode().IsRegular() || s.holdsSecret(dir) || len(shown) >= maxSkillFolders {
				continue
			}
			one := shelltool.Folder{Dir: ResolvePath(dir), Word: filepath.Join("skills", name)}
			if !slices.Contains(s.Skills.Trust, name) {
				one.Label = event.Label{Untrusted: true, Source: "skill:" + name}
			}
			shown = append(shown, one)
		}
	}
	return shown
}

// holdsSecret reports whether a folder contains a file with a secret.
func (s *Environment) holdsSecret(dir string) bool {
	return slices.ContainsFunc(append(s.secretPaths(), s.ConfigPath), func(path string) bool { return isWithin(path, dir) })
}

const maxSkillFolders = 200

// hasTool reports whether a tool of that name exists. It ignores folders, because the skills in
// folders ask it.
func (set *Skills) hasTool(name string) bool {
	k := set.toolsetWithoutFolders()
	return tools.Find(k.Tools, name) != nil ||
		slices.ContainsFunc(k.Skills, func(s skills.Skill) bool { return tools.Find(s.Tools, name) != nil })
}

// toolsetWithoutFolders returns the current tools and skills except those in folders.
func (set *Skills) toolsetWithoutFolders() session.Toolset {
	k := set.builtin
	k.Skills = slices.Clone(k.Skills)
	set.mu.Lock()
	k.Skills = append(k.Skills, set.groupSkills...)
	set.mu.Unlock()
	for _, c := range set.Servers {
		k.Skills = append(k.Skills, set.redactSkill(c.Skill()))
	}
	return k
}

// Toolset returns the current tools and skills.
func (set *Skills) Toolset(ctx context.Context) session.Toolset {
	k := set.toolsetWithoutFolders()
	written, _ := set.folders.Load(ctx)
	seen := map[string]bool{}
	k.ShortSkills = slices.DeleteFunc(slices.Clone(k.ShortSkills), func(s skills.Skill) bool {
		seen[s.Name] = true
		return slices.Contains(set.disabled, s.Name)
	})
	k.Skills = slices.DeleteFunc(append(k.Skills, written...), func(s skills.Skill) bool { // the first skill of a name wins
		gone := seen[s.Name] || slices.Contains(set.disabled, s.Name) || s.Name == recallName && slices.Contains(set.disabled, recallWas)
		seen[s.Name] = true
		return gone
	})
	return k
}

// startServerOf starts the server that a tool name belongs to by its prefix, if it has not started
// yet. It reports whether there are more tools now. The error says why the server does not start.
func (set *Skills) startServerOf(ctx context.Context, tool string) (bool, error) {
	if set == nil {
		return false, nil
	}
	for _, c := range set.Servers {
		s := c.Skill()
		if len(s.Tools) > 0 || slices.Contains(set.disabled, s.Name) || !strings.HasPrefix(tool, strings.ReplaceAll(s.Name, "-", "_")+"_") {
			continue
		}
		s, err := c.Begin(ctx)
		if err != nil {
			if st := c.Status(); st.Error != "" { // the owner may read the server's own message
				err = errors.New(set.Redact(st.Error))
			}
			return false, &ServerStartError{fmt.Errorf("the server [mcp.%s] does not start: %w", s.Name, err)}
		}
		if len(s.Tools) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// ServerStartError says why a server does not start.
type ServerStartError struct{ error }

func (a *ServerStartError) Unwrap() error { return a.error }

// Problems returns one sentence for each fault that leaves out a skill or a part of one, and for
// each warning about a loaded skill.
func (set *Skills) Problems(ctx context.Context) (all, warnings []string) {
	written, found := set.folders.Load(ctx)
	for _, p := range found {
		if p.Severity == folder.Warning {
			warnings = append(warnings, p.String())
		} else {
			all = append(all, p.String())
		}
	}
	k := set.Toolset(ctx)
	for _, c := range set.Servers {
		written = append(written, c.Skill())
	}
	for _, w := range written {
		for _, s := range k.Skills {
			if s.Name == w.Name && s.Source != w.Source {
				all = append(all, fmt.Sprintf("the skill %s of %s is left out, because there is one of that name (%s): give it another",
					w.Name, SkillSource(w), SkillSource(s)))
			}
		}
	}
	for _, c := range set.Servers {
		if st := c.Status(); st.Error != "" {
			all = append(all, fmt.Sprintf("[mcp.%s] does not run: %s", st.Name, st.Error))
		} else if len(st.Missing) > 0 {
			all = append(all, fmt.Sprintf("[mcp.%s] has no tool %s", st.Name, strings.Join(st.Missing, ", ")))
		}
	}
	all = append(all, findCollisions(k)...)
	return lists.Map(all, set.Redact), lists.Map(warnings, set.Redact) // they may quote a server
}

// serverOf returns the state of a skill's MCP server, as a person of this level may read it, or nil
// for a skill without a server.
func (set *Skills) serverOf(s skills.Skill, level event.Level) *commands.Server {
	if set == nil {
		return nil
	}
	for _, c := range set.Servers {
		if c.Skill().Source != s.Source {
			continue
		}
		st := c.Status()
		out := &commands.Server{State: commands.ServerIdle, Next: st.Next}
		if st.Running {
			out.State = commands.ServerConnected
		} else if st.Error != "" {
			out.State = commands.ServerFailing
		}
		if level >= event.Owner {
			out.Error = set.Redact(st.Error) // it may quote the server
		}
		return out
	}
	return nil
}

// findCollisions returns one sentence for each tool that is left out because of its name.
func findCollisions(k session.Toolset) []string {
	_, dropped := k.Merged()
	return lists.Map(dropped, tools.Dropped.String)
}

// AddGroupSkill adds the skill that manages Telegram groups through a bot.
func (set *Skills) AddGroupSkill(bot group.Group) {
	if set == nil {
		return
	}
	managing := group.New(bot)
	set.mu.Lock()
	defer set.mu.Unlock()
	set.groupSkills = []skills.Skill{managing}
}

// Close stops the servers and waits for their end.
func (set *Skills) Close() {
	if set == nil {
		return
	}
	var all sync.WaitGroup
	for _, c := range set.Servers {
		all.Go(c.Close)
	}
	all.Wait()
}

// remindersSkill returns the skill for reminders, to which that for calendar files belongs.
func (s *Environment) remindersSkill(k Toolset, j ToolJournal, t notifier) skills.Skill {
	cfg := s.reminderConfig(j, t)
	files := s.calendarFiles(k)
	files.Reminders = func(ctx context.Context, from, to time.Time, lang string) ([]calendar.Reminder, event.Label, error) {
		coming, label, err := reminders.Between(ctx, cfg, from, to, lang)
		return lists.Map(coming, func(c reminders.Coming) calendar.Reminder { return calendar.Reminder(c) }), label, err
	}
	cfg.Calendar, cfg.Appointments = calendar.New(files), s.appointments(k, j)
	return reminders.New(cfg)
}

// calendarFiles returns where calendars are.
func (s *Environment) calendarFiles(k Toolset) calendar.Config {
	return calendar.Config{Files: k.FileTool, Patterns: s.calendars, Now: s.Clock()}
}

// appointments returns the function that looks up appointments for reminders. Who may not look at calendars has none.
func (s *Environment) appointments(k Toolset, j ToolJournal) func(context.Context, time.Time, time.Time, string) (reminders.Appointments, error) {
	return func(ctx context.Context, from, to time.Time, lang string) (all reminders.Appointments, err error) {
		rules, err := s.CurrentPolicy(ctx, j.db)
		if err != nil {
			return all, err
		}
		const tool = "calendar"
		if rules.Disabled[tool] || rules.DisabledIn[tools.CallerFrom(ctx).Chat][tool] || len(rules.Only) > 0 && !slices.Contains(rules.Only, tool) {
			return all, tools.Disabled("the tool %s is switched off", tool)
		}
		found, label, notes, err := calendar.Appointments(ctx, s.calendarFiles(k), from, to, lang)
		all.Label, all.Notes = label, notes
		all.All = lists.Map(found, func(a calendar.Appointment) reminders.Appointment { return reminders.Appointment(a) })
		return all, err
	}
}

// webSkill returns the skill for web pages and search.
func (s *Environment) webSkill(k Toolset) (skills.Skill, error) {
	c := web.Config{Server: s.Web.Search, Setting: "[web] search"}
	for _, name := range []string{"fetch", "ask_page"} {
		if t, err := k.ByName(name); err == nil {
			c.Pages = append(c.Pages, t)
		}
	}
	if s.Web.Search != "" {
		var err error
		if c.Client, err = s.newHTTPClient("web search", s.Web.Search, "[web] search", nil); err != nil {
			return skills.Skill{}, err
		}
	}
	skill, err := web.New(c)
	if err != nil {
		return skill, exit.Errorf(exit.Usage, "[web] search: %v", err)
	}
	return skill, nil
}

// serverDir returns the working directory of an MCP server: the workspace if it may see that, else
// one of its own.
func (s *Environment) serverDir(srv config.MCPServer) (string, error) {
	if srv.Workspace {
		return s.WorkspaceDir, nil
	}
	dir := filepath.Join(s.StateDir, "mcp", srv.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", s.ExplainUnwritable(err)
	}
	return dir, nil
}

// SearchHosts returns the host of the owner's search server, if there is one.
func (s *Environment) SearchHosts() []string {
	if s.Web.Search == "" {
		return nil
	}
	server, ok := fetch.ResourceOf(s.Web.Search)
	host, err := policy.NormalHost(server.Host)
	if !ok || err != nil {
		return nil
	}
	return []string{host}
}

// SkillSource returns the origin of a skill, for people.
func SkillSource(s skills.Skill) string {
	if s.Source == "" {
		return "built-in"
	}
	return s.Source
}
