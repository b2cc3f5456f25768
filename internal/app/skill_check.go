package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hob/internal/exit"
	"hob/internal/lists"
	"hob/internal/skills"
	"hob/internal/skills/folder"
)

// SkillCheck is the result of a check: `hob skill check --json` prints it.
type SkillCheck struct {
	Name         string   `json:"name"` // "": the skill cannot be loaded
	OK           bool     `json:"ok"`
	Problems     []string `json:"problems"`
	ClosedTokens int      `json:"tokens_closed"` // estimated, in every prompt
	OpenTokens   int      `json:"tokens_open"`   // estimated, while it is open
	Hint         string   `json:"hint,omitempty"`
}

// CheckSkill checks the skill in a folder, or of a name in the owner's folders, and estimates its
// tokens.
func (s *Environment) CheckSkill(ctx context.Context, named string) (dir string, out SkillCheck, err error) {
	if dir, err = s.findSkillFolder(named); err != nil {
		return "", out, err
	}
	set, err := s.StandaloneTools(ctx, JournalTools(nil))
	if err != nil {
		return dir, out, err
	}
	defer set.Skills.Close()
	r := folder.Check(dir, folder.Options{
		Trusted: func(name string) bool { return slices.Contains(s.Skills.Trust, name) },
		HasTool: func(name string) bool { _, bad := set.ByName(name); return bad == nil }, Commands: s.Shell.Enabled,
	})
	out = SkillCheck{
		Name: r.Skill.Name, OK: r.OK, Problems: lists.Map(r.Problems, folder.Problem.String), ClosedTokens: r.Line.Tokens, OpenTokens: r.Body.Tokens, Hint: r.Hint,
	}
	if slices.ContainsFunc(slices.Concat(set.Skills.builtin.Skills, set.Skills.builtin.ShortSkills), func(own skills.Skill) bool { return r.OK && own.Name == r.Skill.Name }) {
		out.OK = false
		out.Problems = append(out.Problems, filepath.Join(dir, "SKILL.md")+": hob has a skill called "+r.Skill.Name+
			" of its own, which it uses instead: choose another name")
	}
	return dir, out, nil
}

// findSkillFolder returns the folder of a skill that is given by path or by name.
func (s *Environment) findSkillFolder(named string) (string, error) {
	roots := []string{s.OwnSkillsDir(), s.KeptSkillsDir()}
	if !strings.ContainsRune(named, filepath.Separator) {
		for _, root := range roots {
			if dir := filepath.Join(root, named); isFolder(dir) {
				return dir, nil
			}
		}
	}
	dir, err := filepath.Abs(strings.TrimSuffix(named, string(filepath.Separator)+"SKILL.md"))
	if err != nil || !isFolder(dir) {
		return "", exit.Errorf(exit.Usage, "there is no folder %s, and no skill of that name in %s", named, strings.Join(roots, " or "))
	}
	return dir, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
