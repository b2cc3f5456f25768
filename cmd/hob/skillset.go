package main

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

// skillset is where the skills of a hob come from: those that come with it, folders, and other people's servers.
type skillset struct {
	off     []string // names of those that are left out
	shelf   *folder.Shelf
	servers []*mcp.Client
	redact  func(text string) string // leaves out what nobody may be told
	usual   session.Kit              // the tools of no skill, and the skills that are made of hob's own tools
	master  *gamemaster.Master

	mu     sync.Mutex
	groups []skills.Skill // that manages groups on Telegram; none where there is no bot
}

// skillset makes what skills come from. Nothing is started, and no disk is looked at.
func (s *setting) skillset(ctx context.Context, k kit, sh *shell, kept keeper, model llm.Model, sessions func() *session.Sessions) (*skillset, error) {
	set := &skillset{off: s.Skills.Off, usual: k.abilities(), redact: func(text string) string { return s.discreet.Redact(text) }}
	set.shelf = folder.NewShelf(folder.ShelfConfig{
		Roots: []folder.Root{{Dir: s.ownSkills()}, {Dir: s.keptSkills()}, folder.Shipped()},
		Options: folder.Options{
			Trusted:  func(name string) bool { return slices.Contains(s.Skills.Trust, name) },
			HasTool:  set.offers,
			Commands: s.Shell.Enabled && !sh.off,
		},
		Now: time.Now,
	})
	looking, err := s.webSkill(k)
	if err != nil {
		return nil, err
	}
	if set.master, err = s.storyteller(kept, model, sessions); err != nil {
		return nil, err
	}
	set.usual.Tools = append(set.usual.Tools, set.master.Menu())
	set.usual.Skills = append(set.usual.Skills, notes.New(k.files, time.Now), looking, system.New(system.Machine()), set.master.Skill())
	for _, srv := range s.MCP {
		client, err := s.server(ctx, srv, sh, kept, k, set.taken(s.MCP, srv.Name))
		if err != nil {
			set.Close()
			return nil, err
		}
		set.servers = append(set.servers, client)
	}
	return set, nil
}

// taken reports which names of tools a server cannot have: those of hob's own, whose calls would be its, and those that begin as
// another server's do, where that is the longer beginning.
func (set *skillset) taken(all []config.MCPServer, server string) func(string) bool {
	own := map[string]bool{skills.UseSkill: true, agent.Relay: true, session.FindTool: true}
	for _, s := range append([]skills.Skill{group.New(nil), {Tools: set.usual.Tools}}, set.usual.Skills...) {
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
func (s *setting) skillFolders() (shown []shelltool.Shown) {
	for _, root := range []string{s.ownSkills(), s.keptSkills()} {
		entries, _ := os.ReadDir(root) // what cannot be read has no skills
		for _, e := range entries {
			dir, name := filepath.Join(root, e.Name()), e.Name()
			file, err := os.Lstat(filepath.Join(dir, "SKILL.md"))
			if !e.IsDir() || strings.HasPrefix(name, ".") || slices.Contains(s.Skills.Off, name) || err != nil ||
				!file.Mode().IsRegular() || s.keepsSecret(dir) || len(shown) >= mostSkillFolders {
				continue
			}
			one := shelltool.Shown{Dir: resolved(dir), Word: filepath.Join("skills", name)}
			if !slices.Contains(s.Skills.Trust, name) {
				one.Label = event.Label{Untrusted: true, Source: "skill:" + name}
			}
			shown = append(shown, one)
		}
	}
	return shown
}

// keepsSecret reports whether something lies in a folder that nobody may be told.
func (s *setting) keepsSecret(dir string) bool {
	return slices.ContainsFunc(append(s.serverSecrets(), s.bot.path, s.key.path, s.path), func(path string) bool {
		return path != "" && within(path, dir)
	})
}

const mostSkillFolders = 200

// offers reports whether there is a tool of that name. No folder is looked at: those that are in folders ask it.
func (set *skillset) offers(name string) bool {
	k := set.own()
	for _, s := range append(k.Skills, skills.Skill{Tools: k.Tools}) {
		if slices.ContainsFunc(s.Tools, func(t tools.Tool) bool { return t.Name() == name }) {
			return true
		}
	}
	return false
}

// own is all that can be done now but for what is in folders.
func (set *skillset) own() session.Kit {
	k := set.usual
	k.Skills = slices.Clone(k.Skills)
	set.mu.Lock()
	k.Skills = append(k.Skills, set.groups...)
	set.mu.Unlock()
	for _, c := range set.servers {
		k.Skills = append(k.Skills, set.discreetly(c.Skill()))
	}
	return k
}

// kit is all that can be done now.
func (set *skillset) kit(ctx context.Context) session.Kit {
	k := set.own()
	written, _ := set.shelf.Load(ctx)
	seen := map[string]bool{}
	k.Skills = slices.DeleteFunc(append(k.Skills, written...), func(s skills.Skill) bool { // the first of a name stays
		gone := seen[s.Name] || slices.Contains(set.off, s.Name)
		seen[s.Name] = true
		return gone
	})
	return k
}

// wake starts the server that a tool of that name would be of, where no server of the name has been started yet, and reports
// whether there are more tools now. The error says why it does not start.
func (set *skillset) wake(ctx context.Context, tool string) (bool, error) {
	if set == nil {
		return false, nil
	}
	for _, c := range set.servers {
		s := c.Skill()
		if len(s.Tools) > 0 || slices.Contains(set.off, s.Name) || !strings.HasPrefix(tool, strings.ReplaceAll(s.Name, "-", "_")+"_") {
			continue
		}
		s, err := c.Begin(ctx)
		if err != nil {
			if st := c.Status(); st.Error != "" { // the owner may read what the server says of itself
				err = errors.New(set.redact(st.Error))
			}
			return false, &asleep{fmt.Errorf("the server [mcp.%s] does not start: %w", s.Name, err)}
		}
		if len(s.Tools) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// asleep says why a server does not start.
type asleep struct{ error }

func (a *asleep) Unwrap() error { return a.error }

// problems say what is wrong with skills, a sentence each.
func (set *skillset) problems(ctx context.Context) (all []string) {
	written, found := set.shelf.Load(ctx)
	for _, p := range found {
		all = append(all, p.String())
	}
	k := set.kit(ctx)
	for _, c := range set.servers {
		written = append(written, c.Skill())
	}
	for _, w := range written {
		for _, s := range k.Skills {
			if s.Name == w.Name && s.Source != w.Source {
				all = append(all, fmt.Sprintf("the skill %s of %s is left out, because there is one of that name (%s): give it another",
					w.Name, sourceOf(w), sourceOf(s)))
			}
		}
	}
	for _, c := range set.servers {
		if st := c.Status(); st.Error != "" {
			all = append(all, fmt.Sprintf("[mcp.%s] does not run: %s", st.Name, st.Error))
		} else if len(st.Missing) > 0 {
			all = append(all, fmt.Sprintf("[mcp.%s] has no tool %s", st.Name, strings.Join(st.Missing, ", ")))
		}
	}
	all = append(all, collisions(k)...)
	for i, p := range all {
		all[i] = set.redact(p) // it may be a server's last words
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

// manages has groups on Telegram managed through a bot.
func (set *skillset) manages(bot group.Group) {
	if set == nil {
		return
	}
	managing := group.New(bot)
	set.mu.Lock()
	defer set.mu.Unlock()
	set.groups = []skills.Skill{managing}
}

// Close ends the servers, and waits until they have ended.
func (set *skillset) Close() {
	if set == nil {
		return
	}
	var all sync.WaitGroup
	for _, c := range set.servers {
		all.Go(c.Close)
	}
	all.Wait()
}

// webSkill is the skill for pages.
func (s *setting) webSkill(k kit) (skills.Skill, error) {
	c := web.Config{Server: s.Web.Search, Setting: "[web] search"}
	for _, name := range []string{"fetch", "ask_page"} {
		if t, err := k.ByName(name); err == nil {
			c.Pages = append(c.Pages, t)
		}
	}
	if s.Web.Search != "" {
		var err error
		if c.Client, err = s.clientOf("web search", s.Web.Search, "[web] search", nil); err != nil {
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
func (s *setting) serverDir(srv config.MCPServer) (string, error) {
	if srv.Workspace {
		return s.workspace, nil
	}
	dir := filepath.Join(s.state, "mcp", srv.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", s.unwritable(err)
	}
	return dir, nil
}

// searches is the host of the server that searches for the owner, if there is one.
func (s *setting) searches() []string {
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

// sourceOf is where a skill comes from, for people.
func sourceOf(s skills.Skill) string {
	if s.Source == "" {
		return "built-in"
	}
	return s.Source
}
