package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"hob/internal/app"
	"hob/internal/exit"
)

// stagingName is how the folder is called in which a restore to this state unpacks.
func (r *restorer) stagingName() string {
	sum := sha256.Sum256([]byte(app.ResolvePath(r.state.StateDir)))
	return ".hob-restore-" + hex.EncodeToString(sum[:4])
}

// prepare removes what a restore that was cut short has unpacked, makes the folders to unpack in, and reads the configuration that
// will be in force.
func (r *restorer) prepare() error {
	configPath, err := r.loader.ConfigPath()
	if err != nil {
		return err
	}
	stateStaging, err := r.stage(r.state.StateDir)
	if err != nil {
		return r.state.ExplainUnwritable(err)
	}
	configStaging, err := r.stage(filepath.Dir(configPath))
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		r.asideOnly, configStaging = true, filepath.Join(stateStaging, "aside")
	} else if err != nil {
		return fmt.Errorf("unpack beside the configuration: %w", err)
	}
	r.places = map[string]destination{
		"journal.db": {filepath.Join(stateStaging, "journal.db"), r.state.JournalPath()},
	}
	for top := range r.found.tops {
		if rest, ok := strings.CutPrefix(top, "state/"); ok {
			r.places[top] = destination{filepath.Join(stateStaging, rest), filepath.Join(r.state.StateDir, rest)}
		}
		if rest, ok := strings.CutPrefix(top, "config/"); ok {
			to := filepath.Join(filepath.Dir(configPath), rest)
			if rest == "config.toml" {
				to = configPath
			}
			r.places[top] = destination{filepath.Join(configStaging, rest), to}
		}
	}
	if r.env, err = r.environment(configPath, configStaging); err != nil || r.found.manifest.WithoutWorkspace || !r.found.tops["workspace"] {
		return err
	}
	above := filepath.Dir(r.env.WorkspaceDir)
	if isMountPoint(r.env.WorkspaceDir) {
		return exit.Errorf(exit.Usage, "[workspace] dir, %s, is a file system of its own, which cannot be exchanged: name a folder in it", r.env.WorkspaceDir)
	}
	workspace, err := r.stage(above)
	if err != nil {
		return exit.Errorf(exit.Usage, "the workspace cannot be put into %s: %v", above, app.WithoutPath(err))
	}
	r.places["workspace"] = destination{filepath.Join(workspace, "workspace"), r.env.WorkspaceDir}
	return nil
}

// stage makes an empty folder in dir to unpack in, once.
func (r *restorer) stage(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(app.ResolvePath(dir), r.stagingName())
	if slices.Contains(r.staged, path) {
		return path, nil
	}
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", err
	}
	r.staged = append(r.staged, path)
	return path, nil
}

// environment returns what will be in force: the configuration of the backup, where that is put into its place.
func (r *restorer) environment(configPath, staging string) (*app.Environment, error) {
	if r.found.config == nil || r.asideOnly {
		return r.loader.Load()
	}
	file := filepath.Join(staging, "config.check")
	if err := os.WriteFile(file, r.found.config, 0o600); err != nil {
		return nil, fmt.Errorf("unpack the configuration: %w", err)
	}
	quiet := *r.loader
	quiet.Stderr = io.Discard // a later reading, in its place, warns of what is odd in it
	env, err := quiet.ReadFile(file, configPath)
	r.loader.Egress = quiet.Egress
	if err != nil {
		return nil, exit.Errorf(exit.StatusOf(err), "the configuration of the backup does not work here: %s", strings.ReplaceAll(err.Error(), file, "config.toml"))
	}
	return env, os.Remove(file)
}

// choosePlaces says where secrets go, and what this user may not put into its place. A secret has its own place only in the folder of
// the configuration: a backup says where it was, and must not choose where it is written.
func (r *restorer) choosePlaces(stamp string) error {
	hold := filepath.Join(r.state.StateDir, "restored-"+stamp)
	staging := filepath.Join(r.staged[0], "aside")
	held := func(name string) destination {
		return destination{filepath.Join(staging, name), filepath.Join(hold, name)}
	}
	was := filepath.Dir(r.found.manifest.Config)
	for _, s := range r.found.manifest.Secrets {
		if !r.found.tops[s.Member] {
			return damagedError("it lacks %s", s.Member)
		}
		rel, err := filepath.Rel(was, s.Path)
		top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		own := err == nil && filepath.IsLocal(rel) && rel != "." && !slices.Contains([]string{"config.toml", app.OwnSentences, "skills", "tales", filepath.Base(r.env.ConfigPath)}, top) &&
			!strings.HasPrefix(top, ".hob-restore-")
		if own && !r.asideOnly {
			r.places[s.Member] = destination{filepath.Join(r.stagingOfConfig(), "secrets", filepath.Base(s.Member)), filepath.Join(filepath.Dir(r.env.ConfigPath), rel)}
			continue
		}
		p := held("secret-" + filepath.Base(s.Member))
		r.places[s.Member] = p
		s.Member = p.target
		r.byHand = append(r.byHand, s)
	}
	if r.asideOnly {
		for top, p := range r.places {
			if name, ok := strings.CutPrefix(top, "config/"); ok {
				by := held(name)
				by.staged = p.staged
				r.places[top] = by
				r.byHand = append(r.byHand, Secret{Member: by.target, Path: p.target})
			}
		}
		slices.SortFunc(r.byHand, func(a, b Secret) int { return strings.Compare(a.Member, b.Member) })
	}
	for top := range r.found.tops {
		if _, ok := r.places[top]; !ok && top != "workspace" {
			return damagedError("its manifest does not name %s", top)
		}
	}
	return nil
}

func (r *restorer) stagingOfConfig() string {
	return filepath.Join(app.ResolvePath(filepath.Dir(r.env.ConfigPath)), r.stagingName())
}

// refuseOccupied refuses to put anything where something is.
func (r *restorer) refuseOccupied() error {
	if r.opts.Force {
		return nil
	}
	var there []string
	for top, p := range r.places {
		if top != "config/config.toml" && isOccupied(p.target) || top == "config/config.toml" && hasOtherContent(p.target, r.found.config) {
			there = append(there, p.target)
		}
	}
	if len(there) == 0 {
		return nil
	}
	slices.Sort(there)
	return exit.Errorf(exit.Failed, "something is there already: %s; add --force to put the backup in its place, and the old is kept beside it", strings.Join(there, ", "))
}

// isOccupied reports whether something is at path that is no empty folder.
func isOccupied(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	entries, err := os.ReadDir(path)
	return err != nil || len(entries) > 0
}

// hasOtherContent reports whether a file is there that holds something else.
func hasOtherContent(path string, content []byte) bool {
	raw, err := os.ReadFile(path)
	return err == nil && string(raw) != string(content) || err != nil && isOccupied(path)
}

// isMountPoint reports whether a file system is mounted at path.
func isMountPoint(path string) bool {
	_, err := os.Stat(path)
	return err == nil && !onOneDisk(path, filepath.Dir(path))
}

// newMover returns a function from where a file was to where it is.
func newMover(was, is Paths) func(string) string {
	type step struct{ from, to string }
	var steps []step
	for _, s := range []step{
		{was.RealWorkspace, is.RealWorkspace}, {was.Workspace, is.RealWorkspace}, {was.RealState, is.RealState}, {was.State, is.RealState},
		{filepath.Dir(was.Config), filepath.Dir(is.Config)},
	} {
		if filepath.IsAbs(s.from) && filepath.Clean(s.from) != "/" {
			steps = append(steps, step{filepath.Clean(s.from), filepath.Clean(s.to)})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return len(b.from) - len(a.from) }) // the nearest folder first
	return func(path string) string {
		for _, s := range steps {
			if rest, ok := strings.CutPrefix(path, s.from); ok && (rest == "" || rest[0] == '/') {
				return s.to + rest
			}
		}
		return path
	}
}
