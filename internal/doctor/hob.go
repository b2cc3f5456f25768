package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/llm"
	"hob/internal/store"
)

// How long parts of the checkup may take. What is not there is known at once; what answers late is on a machine that is busy, perhaps with
// this very checkup.
const (
	journalFor = 1500 * time.Millisecond
	ollamaFor  = 10 * time.Second
)

// Free space below which hob is in trouble, and below which it may soon be.
const (
	tooLittle = 100 << 20
	little    = 1 << 30
)

// checkSetting checks what everything else needs. Without a setting nothing else can be checked.
func checkSetting(ctx context.Context, l *app.Loader) (*app.Environment, []Check) {
	found := []Check{checkUser()}
	path, err := l.ConfigPath()
	if err != nil {
		return nil, append(found, bad("configuration", "", "%v", err))
	}
	quiet := *l
	quiet.Stderr = io.Discard // what load warns of is said below
	s, err := quiet.Load()
	l.Egress = quiet.Egress
	if err != nil {
		return nil, append(found, bad("configuration", "mend it; hob config check says when it is right", "%v", err))
	}
	found = append(found, checkConfigFile(path))
	if err := store.CheckFolder(s.StateDir); err != nil {
		return nil, append(found, bad("state folder", err.Do, "%s %s", s.StateDir, err.Problem))
	}
	if err := os.MkdirAll(s.StateDir, 0o700); err != nil {
		return nil, append(found, bad("state folder", "let this user write there, or set HOB_STATE_DIR to another folder", "%s cannot be made: %v", s.StateDir, app.WithoutPath(err)))
	}
	found = append(found, checkFolder("state folder", s.StateDir, true), checkSpace("free space", s.StateDir))
	return s, append(append(found, checkWorkspace(s)), checkJournal(context.WithoutCancel(ctx), s)...)
}

func checkUser() Check {
	if app.IsRoot() {
		return poor("user", "run hob as an ordinary user", "root: whatever gets past hob's walls may do everything on this machine")
	}
	return good("user", "uid %d, an ordinary user", os.Geteuid())
}

func checkConfigFile(path string) Check {
	const name = "configuration"
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return good(name, "the defaults: there is no %s", path)
	case err != nil:
		return bad(name, "let this user read it", "%s: %v", path, app.WithoutPath(err))
	}
	if err := config.Check(path); err != nil {
		return poor(name, "mend it; hob config check says when it is right", "%v", err)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return poor(name, "chmod go-w "+path, "%s can be changed by other users", path)
	}
	return good(name, "%s", path)
}

// checkFolder checks that a folder is hob's, can be written to, and, if private, that nobody else can look into it.
func checkFolder(name, dir string, private bool) Check {
	info, err := os.Stat(dir)
	if err != nil {
		return bad(name, "let this user reach it", "%s: %v", dir, app.WithoutPath(err))
	}
	probe, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return bad(name, "let this user write there", "%s cannot be written to: %v", dir, app.WithoutPath(err))
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if mode := info.Mode().Perm(); private && mode&0o077 != 0 {
		return poor(name, "chmod 700 "+dir, "%s is open to other users (%#o)", dir, mode)
	}
	return good(name, "%s", dir)
}

func checkSpace(name, dir string) Check {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return poor(name, "", "cannot be told: %v", err)
	}
	free := int64(fs.Bavail) * fs.Bsize
	text := fmt.Sprintf("%.1f GiB", float64(free)/(1<<30))
	switch {
	case free < tooLittle:
		return bad(name, "make room on the disk of "+dir, "%d MiB", free>>20)
	case free < little:
		return poor(name, "make room on the disk of "+dir, "%s", text)
	}
	return good(name, "%s", text)
}

func checkWorkspace(s *app.Environment) Check {
	const name = "workspace"
	_, err := os.Stat(s.WorkspaceDir)
	switch {
	case os.IsNotExist(err):
		return good(name, "%s, which is made when it is needed", s.WorkspaceDir)
	case s.Workspace.ReadOnly && err == nil:
		return good(name, "%s, only read", s.WorkspaceDir)
	}
	return checkFolder(name, s.WorkspaceDir, false)
}

// checkJournal reads the journal's pages, as far as there is time for it, and every event.
func checkJournal(all context.Context, s *app.Environment) []Check {
	const name = "journal"
	info, err := os.Stat(s.JournalPath())
	if err != nil {
		return []Check{good(name, "not begun yet")}
	}
	ctx, cancel := context.WithTimeout(all, journalFor)
	defer cancel()
	db, err := s.OpenJournal(all)
	if err != nil {
		return []Check{unhealthy(name, all, err)}
	}
	pages := good(name, "whole, %.1f MiB", float64(info.Size())/(1<<20))
	if err := db.Check(ctx); err != nil {
		pages = unhealthy(name, ctx, err)
	}
	found := []Check{pages, checkEvents(all, db)}
	if err := db.Close(); err != nil {
		found = append(found, unhealthy(name, all, err))
	}
	return found
}

func unhealthy(name string, ctx context.Context, err error) Check {
	if ctx.Err() != nil {
		return good(name, "too long to be read to its end here, which was tried for %s", journalFor)
	}
	if f := (*store.FileError)(nil); errors.As(err, &f) && f.Do != "" {
		found, _, _ := strings.Cut(err.Error(), ": "+f.Do)
		return bad(name, f.Do, "%s", found)
	}
	return bad(name, "", "%v", err)
}

// checkModel asks Ollama.
func checkModel(ctx context.Context, s *app.Environment) []Check {
	ctx, cancel := context.WithTimeout(ctx, ollamaFor)
	defer cancel()
	version, err := s.OllamaClient.Version(ctx)
	if err != nil {
		return []Check{modelWords(ctx, "Ollama", err)}
	}
	answers := good("Ollama", "%s at %s", version, s.Hosts[0])
	e := app.NewModel(s)
	if _, err := e.Ready(ctx); err != nil {
		return []Check{answers, modelWords(ctx, "model", err)}
	}
	if !e.Facts.Tools && e.Profile.Mode == "" {
		return []Check{answers, poor("model", "`hob model try` finds a way to talk to it", "%s does not say that it can call tools", e.Facts.Model)}
	}
	return []Check{answers, good("model", "%s, context %d tokens", e.Facts.Model, e.NumCtx)}
}

// modelWords takes an error of the model apart, which says what is wrong and, after a colon, what to do.
func modelWords(ctx context.Context, name string, err error) Check {
	if m := (*llm.Error)(nil); ctx.Err() != nil && (!errors.As(err, &m) || m.Kind == llm.Cancelled) {
		return bad(name, "look after the machine of [ollama] host", "no answer within %s", ollamaFor)
	}
	found, do, _ := strings.Cut(err.Error(), ": ")
	return bad(name, do, "%s", found)
}

// scratch makes a folder in the state folder to try things in, and returns what takes it away.
func scratch(s *app.Environment) (string, func(), error) {
	dir, err := os.MkdirTemp(s.StateDir, "doctor-")
	if err != nil {
		return "", nil, err
	}
	dir, err = filepath.EvalSymlinks(dir)
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
