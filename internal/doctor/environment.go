package doctor

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/llm"
	"hob/internal/store"
)

// Limits for parts of the checkup. A slow answer comes from a busy machine; this checkup itself
// makes it busy.
const (
	journalTimeout = 1500 * time.Millisecond
	ollamaTimeout  = 10 * time.Second
)

// Free space: less than minSpace fails, less than comfortableSpace is weak.
const (
	minSpace         = 100 << 20
	comfortableSpace = 1 << 30
)

// checkEnvironment checks the configuration and the folders. It returns nil if no other check can
// run.
func checkEnvironment(ctx context.Context, l *app.Loader) (*app.Environment, []Check) {
	found := []Check{checkUser()}
	path, err := l.ConfigPath()
	if err != nil {
		return nil, append(found, fail("configuration", "", "%v", err))
	}
	quiet := *l
	quiet.Stderr = io.Discard // the checks below report the warnings
	s, err := quiet.Load()
	l.Egress = quiet.Egress
	if err != nil {
		return nil, append(found, fail("configuration", "mend it; hob config check says when it is right", "%v", err))
	}
	found = append(found, checkConfigFile(path))
	if _, err := s.Sentences(); err != nil {
		found = append(found, fail("own sentences", "mend them; hob config check says when they are right", "%s", err))
	}
	if _, err := s.APIToken(); err != nil && s.API.Listen != "" {
		found = append(found, fail("token of the API", "make the file, for you alone; without it the API stays off", "%s", err))
	}
	if err := store.CheckFolder(s.StateDir); err != nil {
		return nil, append(found, fail("state folder", err.Do, "%s %s", s.StateDir, err.Problem))
	}
	if err := os.MkdirAll(s.StateDir, 0o700); err != nil {
		return nil, append(found, fail("state folder", "let this user write there, or set HOB_STATE_DIR to another folder", "%s cannot be made: %v", s.StateDir, app.WithoutPath(err)))
	}
	found = append(found, checkFolder("state folder", s.StateDir, true), checkSpace("free space", s.StateDir))
	return s, append(append(found, checkWorkspace(s)), checkJournal(context.WithoutCancel(ctx), s)...)
}

func checkUser() Check {
	if app.IsRoot() {
		return warn("user", "run hob as an ordinary user", "root: whatever gets past hob's walls may do everything on this machine")
	}
	return pass("user", "uid %d, an ordinary user", os.Geteuid())
}

func checkConfigFile(path string) Check {
	const name = "configuration"
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return pass(name, "the defaults: there is no %s", path)
	case err != nil:
		return fail(name, "let this user read it", "%s: %v", path, app.WithoutPath(err))
	}
	if err := config.Check(path); err != nil {
		return warn(name, "mend it; hob config check says when it is right", "%v", err)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return warn(name, "chmod go-w "+path, "%s can be changed by other users", path)
	}
	return pass(name, "%s", path)
}

// checkFolder checks that a folder is writable and, if private, closed to other users.
func checkFolder(name, dir string, private bool) Check {
	info, err := os.Stat(dir)
	if err != nil {
		return fail(name, "let this user reach it", "%s: %v", dir, app.WithoutPath(err))
	}
	probe, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return fail(name, "let this user write there", "%s cannot be written to: %v", dir, app.WithoutPath(err))
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if mode := info.Mode().Perm(); private && mode&0o077 != 0 {
		return warn(name, "chmod 700 "+dir, "%s is open to other users (%#o)", dir, mode)
	}
	return pass(name, "%s", dir)
}

func checkSpace(name, dir string) Check {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return warn(name, "", "cannot be told: %v", err)
	}
	free := int64(fs.Bavail) * int64(fs.Bsize) //nolint:unconvert // 32 bits on some machines
	text := display.Bytes(free)
	switch {
	case free < minSpace:
		return fail(name, "make room on the disk of "+dir, "%s", text)
	case free < comfortableSpace:
		return warn(name, "make room on the disk of "+dir, "%s", text)
	}
	return pass(name, "%s", text)
}

func checkWorkspace(s *app.Environment) Check {
	const name = "workspace"
	_, err := os.Stat(s.WorkspaceDir)
	switch {
	case os.IsNotExist(err):
		return pass(name, "%s, which is made when it is needed", s.WorkspaceDir)
	case s.Workspace.ReadOnly && err == nil:
		return pass(name, "%s, only read", s.WorkspaceDir)
	}
	return checkFolder(name, s.WorkspaceDir, false)
}

// checkJournal reads the journal's pages within journalTimeout, and every event.
func checkJournal(all context.Context, s *app.Environment) []Check {
	const name = "journal"
	info, err := os.Stat(s.JournalPath())
	if err != nil {
		return []Check{pass(name, "not begun yet")}
	}
	ctx, cancel := context.WithTimeout(all, journalTimeout)
	defer cancel()
	db, err := s.OpenJournal(all)
	if err != nil {
		return []Check{journalFailure(name, all, err)}
	}
	pages := pass(name, "whole, %s", display.Bytes(info.Size()))
	if err := db.Check(ctx); err != nil {
		pages = journalFailure(name, ctx, err)
	}
	found := []Check{pages, checkEvents(all, db)}
	if err := db.Close(); err != nil {
		found = append(found, journalFailure(name, all, err))
	}
	return found
}

func journalFailure(name string, ctx context.Context, err error) Check {
	if ctx.Err() != nil {
		return pass(name, "too long to be read to its end here, which was tried for %s", journalTimeout)
	}
	if f := (*store.FileError)(nil); errors.As(err, &f) && f.Do != "" {
		found, _, _ := strings.Cut(err.Error(), ": "+f.Do)
		return fail(name, f.Do, "%s", found)
	}
	return fail(name, "", "%v", err)
}

// checkModel asks Ollama for its version and the model.
func checkModel(ctx context.Context, s *app.Environment) []Check {
	ctx, cancel := context.WithTimeout(ctx, ollamaTimeout)
	defer cancel()
	version, err := s.OllamaClient.Version(ctx)
	if err != nil {
		return []Check{modelFailure(ctx, "Ollama", err)}
	}
	answers := pass("Ollama", "%s at %s", version, s.Hosts[0])
	e := app.NewModel(s)
	if _, err := e.Ready(ctx); err != nil {
		return []Check{answers, modelFailure(ctx, "model", err)}
	}
	if !e.State().Facts.Tools && e.State().Profile.Mode == "" {
		return []Check{answers, warn("model", "`hob model try` finds a way to talk to it", "%s does not say that it can call tools", e.State().Facts.Model)}
	}
	return []Check{answers, pass("model", "%s, context %d tokens", e.State().Facts.Model, e.State().Context)}
}

// modelFailure splits a model's error at the colon into the problem and the advice.
func modelFailure(ctx context.Context, name string, err error) Check {
	if m := (*llm.Error)(nil); ctx.Err() != nil && (!errors.As(err, &m) || m.Kind == llm.Cancelled) {
		return fail(name, "look after the machine of [ollama] host", "no answer within %s", ollamaTimeout)
	}
	found, do, _ := strings.Cut(err.Error(), ": ")
	return fail(name, do, "%s", found)
}

// makeScratchDir makes a scratch folder in the state folder. It returns the folder and its cleanup.
func makeScratchDir(s *app.Environment) (string, func(), error) {
	dir, err := os.MkdirTemp(s.StateDir, "doctor-")
	if err != nil {
		return "", nil, err
	}
	dir, err = filepath.EvalSymlinks(dir)
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
