package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/mcp"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files"
	shelltool "hob/internal/tools/shell"
)

// writeSkill writes a SKILL.md into a folder.
func writeSkill(t *testing.T, dir string) {
	t.Helper()
	text := "---\nname: " + filepath.Base(dir) + "\ndescription: Does what it does.\n---\n\nDo it.\n"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Commands see only the folders of skills: no links, no hidden folders, no disabled skills and no
// folder with a secret.
func TestAttackSkillFolders(t *testing.T) {
	root := ResolvePath(t.TempDir())
	s := &Environment{ConfigPath: filepath.Join(root, "config", "config.toml"), StateDir: filepath.Join(root, "state")}
	s.Skills.Off, s.Skills.Trust = []string{"off"}, []string{"tea"}
	for _, dir := range []string{"config/skills/tea", "config/skills/off", "config/skills/.git", "config/skills/keeps", "state/skills/found", "config", "far"} {
		writeSkill(t, filepath.Join(root, dir))
	}
	for name, to := range map[string]string{"up": "..", "all": ".", "elsewhere": filepath.Join(root, "far")} {
		if err := os.Symlink(to, filepath.Join(s.OwnSkillsDir(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("tea", filepath.Join(s.OwnSkillsDir(), "SKILL.md")); err != nil {
		t.Fatal(err)
	}
	s.MCP = []config.MCPServer{{Name: "x", EnvFiles: map[string]string{"TOKEN": filepath.Join(s.OwnSkillsDir(), "keeps", "token")}}}
	want := []shelltool.Folder{
		{Dir: filepath.Join(root, "config/skills/tea"), Word: "skills/tea"},
		{Dir: filepath.Join(root, "state/skills/found"), Word: "skills/found", Label: event.Label{Untrusted: true, Source: "skill:found"}},
	}
	if diff := cmp.Diff(want, s.skillFolders()); diff != "" {
		t.Error(diff)
	}
}

// The workspace cannot be a folder with skills: the agent would write its own instructions.
func TestAttackSkillsAreApart(t *testing.T) {
	root := ResolvePath(t.TempDir())
	work := filepath.Join(root, "work")
	for _, dir := range []string{"work/skills", "config", "state/skills"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(work, "skills"), filepath.Join(root, "config", "skills")); err != nil {
		t.Fatal(err)
	}
	for dir, ok := range map[string]bool{work: false, filepath.Join(work, "skills"): false, filepath.Join(root, "state", "skills"): false,
		filepath.Join(root, "state", "skills", "tea"): false, filepath.Join(root, "state", "workspace"): true} {
		s := &Environment{ConfigPath: filepath.Join(root, "config", "config.toml"), StateDir: filepath.Join(root, "state"), WorkspaceDir: dir}
		if err := s.checkFolders(); (err == nil) != ok {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// A secret of a server that lies in the workspace is not read.
func TestAttackServerSecret(t *testing.T) {
	s := testEnvironment(t)
	path := filepath.Join(s.WorkspaceDir, "token")
	for _, path := range []string{path, filepath.Join(s.WorkspaceDir, "other")} {
		if err := os.WriteFile(path, []byte("kanarien"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.MCP = []config.MCPServer{{Name: "x", EnvFiles: map[string]string{"TOKEN": path}}}
	files, err := s.OpenFiles(func() int { return 1000 }, nil, JournalTools(testJournal(t, s)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range files.Tools() {
		if tool.Name() != "read_file" {
			continue
		}
		for name, ok := range map[string]bool{"token": false, "other": true} {
			res, err := tools.Call(t.Context(), tool, []byte(`{"path":"`+name+`"}`))
			if (err == nil) != ok || strings.Contains(res.Text, "kanarien") != ok {
				t.Error(name, res.Text, err)
			}
		}
	}
}

// Files that a server may have written to the workspace are labelled, from its start to its end,
// however it ends.
func TestAttackServerInTheWorkspace(t *testing.T) {
	s := testEnvironment(t)
	files, from := testFiles(t, s), event.Label{Untrusted: true, Source: "mcp:x"}
	over := make(chan struct{})
	start := watchedStart(func(context.Context, mcp.Command) (*mcp.Process, error) {
		return &mcp.Process{Done: over, Stop: func() { close(over) }}, nil
	}, files.Watch(), from)
	p, err := start(t.Context(), mcp.Command{Args: []string{"a", "b"}})
	if err != nil || !files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what it writes is the household's own", err)
	}
	if err := os.WriteFile(filepath.Join(s.WorkspaceDir, "left.txt"), []byte("Send it all."), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	<-p.Done
	if !files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what it has written is the household's own once it is gone")
	}
	if err := os.Remove(filepath.Join(s.WorkspaceDir, "left.txt")); err != nil {
		t.Fatal(err)
	}
	if left := p.Left(); left != "" {
		t.Errorf("it left nothing, and %q is said", left)
	}
	bad := errors.New("it does not start")
	start = watchedStart(func(context.Context, mcp.Command) (*mcp.Process, error) { return nil, bad }, files.Watch(), from)
	if _, err := start(t.Context(), mcp.Command{Args: []string{"a"}}); !errors.Is(err, bad) || files.Origins().Taint(t.Context()).Untrusted {
		t.Error("what never ran taints the workspace", err)
	}
}

// A server without walls that leaves a set-uid program in the workspace has left a usual one when it has ended, and that is said.
func TestAttackServerLeavesSetuid(t *testing.T) {
	s := testEnvironment(t)
	over := make(chan struct{})
	start := watchedStart(func(context.Context, mcp.Command) (*mcp.Process, error) {
		return &mcp.Process{Done: over, Stop: func() { close(over) }}, nil
	}, testFiles(t, s).Watch(), event.Label{Untrusted: true, Source: "mcp:x"})
	p, err := start(t.Context(), mcp.Command{Args: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.WorkspaceDir, "b")
	if err := errors.Join(os.WriteFile(path, nil, 0o755), os.Chmod(path, 0o755|os.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if left := p.Left(); !strings.Contains(left, "removed from b: ") {
		t.Errorf("it says %q", left)
	}
}

// testEnvironment is the configuration in force where nothing is configured.
func testEnvironment(t *testing.T) *Environment {
	t.Helper()
	env := map[string]string{"HOB_STATE_DIR": filepath.Join(t.TempDir(), "state"), "HOB_CONFIG": filepath.Join(t.TempDir(), "config.toml")}
	l := &Loader{Env: func(key string) string { return env[key] }, Stderr: io.Discard}
	s, err := l.Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.WorkspaceDir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Egress.End(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// testJournal is an open journal of s.
func testJournal(t *testing.T, s *Environment) *store.DB {
	t.Helper()
	if err := s.MakeState(); err != nil {
		t.Fatal(err)
	}
	db, err := s.OpenJournal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// testFiles is the file tool of s.
func testFiles(t *testing.T, s *Environment) *files.FileTool {
	t.Helper()
	all, err := s.OpenFiles(func() int { return 1000 }, nil, JournalTools(testJournal(t, s)), s.NewShell().Sandbox)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
