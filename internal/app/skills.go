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
	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/mcp"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/folder"
	"hob/internal/skills/gamemaster"
	"hob/internal/skills/notes"
	"hob/internal/skills/system"
	group "hob/internal/skills/telegram"
	"hob/internal/skills/web"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	shelltool "hob/internal/tools/shell"
)

// Skills is where the skills of a hob come from: those that come with it, folders, and other people's servers.
type Skills struct {
	disabled        []string // names of those that are left out
	folders      *folder.Shelf
	Servers    []*mcp.Client
	Redact     func(text string) string // leaves out what nobody may be told
	builtin      session.Kit              // the tools of no skill, and the skills that are made of hob's own tools
	GameMaster *gamemaster.Master

	mu     sync.Mutex
	groupSkills []skills.Skill // that manages groups on Telegram; none where there is no bot
}

// NewSkills makes what skills come from. Nothing is started, and no disk is looked at.
func (s *Environment) NewSkills(ctx context.Context, k Toolset, shell *Shell, kv KV, stories campaigns.Repository, model llm.Model, sessions func() *session.Sessions) (*Skills, error) {
	set := &Skills{disabled: s.Skills.Off, builtin: k.SessionKit(), Redact: func(text string) string { return s.Redactor.Redact(text) }}
	set.folders = folder.NewShelf(folder.ShelfConfig{
		Roots: []folder.Root{{Dir: s.OwnSkillsDir()}, {Dir: s.KeptSkillsDir()}, folder.Shipped()},
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
	set.builtin.Skills = append(set.builtin.Skills, notes.New(k.FileTool, time.Now), looking, system.New(system.Machine()), set.GameMaster.Skill())
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

// Taken reports which names of tools a server cannot have: those of hob's own, whose calls would be its, and those that begin as
// another server's do, where that is the longer beginning.
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

// skillFolders are the folders of skills on the disk: commands may run the scripts in them. What is no skill on the shelf is
// none here: a link would show commands whatever it leads to, hob's own configuration with it.
func (s *Environment) skillFolders() (shown []shelltool.Shown) {
	for _, root := range []string{s.OwnSkillsDir(), s.KeptSkillsDir()} {
		entries, _ := os.ReadDir(root) // what cannot be read has no skills
		for _, e := range entries {
			dir, name := filepath.Join(root, e.Name()), e.Name()
			file, err := os.Lstat(filepath.Join(dir, "SKILL.md"))
			if !e.IsDir() || strings.HasPrefix(name, ".") || slices.Contains(s.Skills.Off, name) || err != nil ||
				!file.Mode().IsRegular() || s.holdsSecret(dir) || len(shown) >= maxSkillFolders {
				continue
			}
			one := shelltool.Shown{Dir: ResolvePath(dir), Word: filepath.Join("skills", name)}
			if !slices.Contains(s.Skills.Trust, name) {
				one.Label = event.Label{Untrusted: true, Source: "skill:" + name}
			}
			shown = append(shown, one)
		}
	}
	return shown
}

// keepsSecret reports whether something lies in a folder that nobody may be told.
func (s *Environment) holdsSecret(dir string) bool {
	return slices.ContainsFunc(append(s.ServerSecretPaths(), s.BotTokenFile.Path, s.APITokenFile.Path, s.ConfigPath), func(path string) bool {
		return path != "" && isWithin(path, dir)
	})
}

const maxSkillFolders = 200

// offers reports whether there is a tool of that name. No folder is looked at: those that are in folders ask it.
func (set *Skills) hasTool(name string) bool {
	k := set.kitWithoutFolders()
	for _, s := range append(k.Skills, skills.Skill{Tools: k.Tools}) {
		if slices.ContainsFunc(s.Tools, func(t tools.Tool) bool { return t.Name() == name }) {
			return true
		}
	}
	return false
}

// own is all that can be done now but for what is in folders.
func (set *Skills) kitWithoutFolders() session.Kit {
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

// Toolset is all that can be done now.
func (set *Skills) Toolset(ctx context.Context) session.Kit {
	k := set.kitWithoutFolders()
	written, _ := set.folders.Load(ctx)
	seen := map[string]bool{}
	k.Skills = slices.DeleteFunc(append(k.Skills, written...), func(s skills.Skill) bool { // the first of a name stays
		gone := seen[s.Name] || slices.Contains(set.disabled, s.Name)
		seen[s.Name] = true
		return gone
	})
	return k
}

// wake starts the server that a tool of that name would be of, where no server of the name has been started yet, and reports
// whether there are more tools now. The error says why it does not start.
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
			if st := c.Status(); st.Error != "" { // the owner may read what the server says of itself
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

// Asleep says why a server does not start.
type ServerStartError struct{ error }

func (a *ServerStartError) Unwrap() error { return a.error }

// Problems say what is wrong with skills, a sentence each.
func (set *Skills) Problems(ctx context.Context) (all []string) {
	written, found := set.folders.Load(ctx)
	for _, p := range found {
		all = append(all, p.String())
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
	all = append(all, collisions(k)...)
	for i, p := range all {
		all[i] = set.Redact(p) // it may be a server's last words
	}
	return all
}

// collisions says which tools of a kit give way to others of their name.
func collisions(k session.Kit) (all []string) {
	_, dropped := k.All()
	for _, d := range dropped {
		all = append(all, d.String())
	}
	return all
}

// AddGroups has groups on Telegram managed through a bot.
func (set *Skills) AddGroupSkill(bot group.Group) {
	if set == nil {
		return
	}
	managing := group.New(bot)
	set.mu.Lock()
	defer set.mu.Unlock()
	set.groupSkills = []skills.Skill{managing}
}

// Close ends the servers, and waits until they have ended.
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

// webSkill is the skill for pages.
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

// serverDir is where a server of the configuration lives that does not see the workspace.
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

// Searches is the host of the server that searches for the owner, if there is one.
func (s *Environment) SearchHosts() []string {
	if s.Web.Search == "" {
		return nil
	}
	aim, ok := fetch.AimAt(s.Web.Search)
	host, err := policy.NormalHost(aim.Host)
	if !ok || err != nil {
		return nil
	}
	return []string{host}
}

// SourceOf is where a skill comes from, for people.
func SkillSource(s skills.Skill) string {
	if s.Source == "" {
		return "built-in"
	}
	return s.Source
}
