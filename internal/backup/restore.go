package backup

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/linux"
	"hob/internal/store"
)

// RestoreOptions say how a backup is put back.
type RestoreOptions struct {
	Force bool // what is in the way is kept under another name
	Now   func() time.Time
}

// RestoreReport is the result of a restore.
type RestoreReport struct {
	File     string    `json:"file"`
	Time     time.Time `json:"time"`     // of the backup
	Hob      string    `json:"hob"`      // that made it
	Finished bool      `json:"finished"` // a restore that was cut short came to its end, and nothing was unpacked again
	Paths
	Journal Journal  `json:"journal"`
	Files   int      `json:"files"`
	Moved   int      `json:"moved"` // rows of the journal whose paths are others now
	Aside   []Aside  `json:"aside"`
	Missing []string `json:"missing"` // what this machine lacks, and what could not be looked at
}

// Aside is something that was in the way, and where it is kept.
type Aside struct {
	Was string `json:"was"`
	Now string `json:"now"`
}

// Restore restores the backup at path. No hob may use the state meanwhile.
func Restore(ctx context.Context, l *app.Loader, path string, o RestoreOptions) (RestoreReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return RestoreReport{}, exit.Errorf(exit.Usage, "%s cannot be read: %v", path, app.WithoutPath(err))
	}
	defer f.Close()
	found, err := inspect(ctx, f)
	if err != nil {
		return RestoreReport{}, err
	}
	schema, err := store.Schema()
	if err != nil {
		return RestoreReport{}, err
	}
	if found.manifest.Schema > schema {
		return RestoreReport{}, exit.Errorf(exit.Failed, "the journal in this backup is newer than this hob (schema %d, of hob %s; this one knows %d): update hob, and restore it then",
			found.manifest.Schema, found.manifest.Hob, schema)
	}
	state, err := l.LoadStateDir()
	if err != nil {
		return RestoreReport{}, err
	}
	lock, err := store.Lock(state.LockPath(), "hob restore")
	if held := (*store.LockedError)(nil); errors.As(err, &held) {
		return RestoreReport{}, exit.Errorf(exit.Failed, "%s is using %s: end it first, then restore", held.By, state.StateDir)
	}
	if err != nil {
		return RestoreReport{}, state.ExplainUnwritable(err)
	}
	r := &restorer{loader: l, file: f, found: found, opts: o, state: state, rename: rename}
	done, err := r.restore(ctx)
	if store.IsFull(err) {
		err = exit.Errorf(exit.Failed, "there is no room to unpack the backup: nothing was changed; make room, and restore again (%v)", err)
	}
	return done, errors.Join(err, lock.Release())
}

// restorer puts one backup back.
type restorer struct {
	loader *app.Loader
	file   *os.File
	found  contents
	opts   RestoreOptions
	state  *app.Environment // only the folder
	env    *app.Environment // as it will be
	rename func(from, to string) error

	places    map[string]destination // of the parts of the backup
	staged    []string               // folders in which things lie until they are renamed
	byHand    []Secret               // that a person has to put in their place
	asideOnly bool                   // the configuration's folder cannot be written to
}

// destination is where a part of the backup belongs.
type destination struct {
	staged string // where it is unpacked
	target string
}

func (r *restorer) restore(ctx context.Context) (RestoreReport, error) {
	journal := r.state.JournalPath()
	if old, err := readPlan(journal); err != nil {
		return RestoreReport{}, err
	} else if old != nil {
		if err := old.run(journal, r.rename); err != nil {
			return RestoreReport{}, err
		}
		if old.Sum == r.found.sum {
			if r.env, err = r.loader.Load(); err != nil {
				return RestoreReport{}, err
			}
			done := r.report(ctx, old)
			done.Finished = true
			return done, nil
		}
	}
	if err := r.prepare(); err != nil {
		return RestoreReport{}, err
	}
	defer r.clean() // of what was not renamed
	stamp := r.opts.Now().UTC().Format("20060102T150405Z")
	if err := r.choosePlaces(stamp); err != nil {
		return RestoreReport{}, err
	}
	if err := r.refuseOccupied(); err != nil {
		return RestoreReport{}, err
	}
	files, err := r.unpack(ctx)
	if err != nil {
		return RestoreReport{}, err
	}
	found, moved, err := r.adoptJournal(ctx)
	if err != nil {
		return RestoreReport{}, err
	}
	for _, dir := range r.staged {
		if err := syncDisk(dir); err != nil {
			return RestoreReport{}, err
		}
	}
	p := r.plan(stamp)
	p.Journal, p.Files, p.Moved = found, files, moved
	err = p.write(journal)
	if exists(store.RestorePath(journal)) {
		r.staged = nil // what was unpacked is what is there from here on
	}
	if err != nil {
		return RestoreReport{}, err
	}
	if err := p.run(journal, r.rename); err != nil {
		return RestoreReport{}, err
	}
	return r.report(ctx, p), nil
}

// report is the result of a plan that was carried out.
func (r *restorer) report(ctx context.Context, p *plan) RestoreReport {
	return RestoreReport{
		File: r.file.Name(), Time: r.found.manifest.Time, Hob: r.found.manifest.Hob,
		Paths: p.Paths, Journal: p.Journal, Files: p.Files, Moved: p.Moved,
		Aside:   append([]Aside{}, p.aside()...),
		Missing: append([]string{}, findMissing(ctx, r.loader, r.env, p.Manifest, p.Journal, p.ByHand)...),
	}
}

// unpack writes all members where they wait, and returns how many files there are.
func (r *restorer) unpack(ctx context.Context) (files int, err error) {
	size, sum, err := checkSum(r.file)
	if err != nil {
		return 0, err
	}
	if sum != r.found.sum {
		return 0, damagedError("it was changed while it was read")
	}
	if err := r.checkRoom(); err != nil {
		return 0, err
	}
	u := &unpacker{roots: map[string]*os.Root{}}
	defer u.close()
	err = each(ctx, r.file, size, func(h *tar.Header, content io.Reader) error {
		top, _ := topOf(h.Name)
		p, ok := r.places[top]
		if !ok {
			return nil
		}
		if h.Typeflag != tar.TypeDir && top != "journal.db" {
			files++
		}
		return u.add(p.staged, strings.TrimPrefix(strings.TrimPrefix(h.Name, top), "/"), h, content)
	})
	return files, errors.Join(err, u.finish())
}

// checkRoom refuses to begin what cannot end.
func (r *restorer) checkRoom() error {
	var at unix.Statfs_t
	p, ok := r.places["workspace"]
	known := unix.Statfs(r.state.StateDir, &at) == nil && (!ok || onOneDisk(r.state.StateDir, filepath.Dir(p.staged)))
	if free := int64(at.Bavail) * int64(at.Bsize); known && r.found.bytes > free { //nolint:unconvert // 32 bits on some machines; what is not known, writing finds out
		return exit.Errorf(exit.Failed, "the backup unpacks to %s, and the disk of %s has room for %s: make room, and restore again", display.Bytes(r.found.bytes), r.state.StateDir, display.Bytes(free))
	}
	return nil
}

// onOneDisk reports whether two folders are on the same file system.
func onOneDisk(one, other string) bool {
	var a, b unix.Stat_t
	return unix.Stat(one, &a) == nil && unix.Stat(other, &b) == nil && a.Dev == b.Dev
}

// adoptJournal brings the journal that was unpacked up to date, and the paths in it to where things will lie.
func (r *restorer) adoptJournal(ctx context.Context) (j Journal, moved int, err error) {
	path := r.places["journal.db"].staged
	db, err := store.Open(ctx, path, r.opts.Now)
	if bad := (*store.FileError)(nil); errors.As(err, &bad) {
		return j, 0, damagedError("the journal in it is %v (%v)", bad.Reason, bad.Err)
	}
	if err != nil {
		return j, 0, fmt.Errorf("open the journal that was unpacked: %w", err)
	}
	move := newMover(r.found.manifest.Paths, pathsOf(r.env))
	moved, err = db.Rebase(ctx, move)
	if err == nil {
		j, err = examine(ctx, db)
	}
	if err = cmp.Or(err, db.Close()); err != nil {
		return j, 0, fmt.Errorf("the journal in the backup cannot be used: %w", err)
	}
	copies, err := filepath.Glob(path + ".v*.bak") // the backup is that copy
	for _, c := range copies {
		err = errors.Join(err, os.Remove(c))
	}
	return j, moved, err
}

// plan returns the renames that put everything in its place.
func (r *restorer) plan(stamp string) *plan {
	p := &plan{Sum: r.found.sum, Manifest: r.found.manifest, Paths: pathsOf(r.env), ByHand: r.byHand, Staged: r.staged}
	aside := func(target string) string {
		for n, path := 2, target+".before-"+stamp; ; n++ {
			if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
				return path
			}
			path = fmt.Sprintf("%s.before-%s-%d", target, stamp, n)
		}
	}
	journal := r.state.JournalPath()
	old := aside(journal)
	for _, suffix := range []string{"-wal", "-shm"} { // they belong to the old journal
		if isOccupied(journal + suffix) {
			p.Steps = append(p.Steps, move{Target: journal + suffix, Aside: old + suffix})
		}
	}
	for _, top := range slices.Sorted(maps.Keys(r.places)) {
		at := r.places[top]
		m := move{Staged: at.staged, Target: at.target}
		if isOccupied(at.target) && (top != "config/config.toml" || hasOtherContent(at.target, r.found.config)) {
			if m.Aside = aside(at.target); top == "journal.db" {
				m.Aside = old
			}
		}
		p.Steps = append(p.Steps, m)
	}
	return p
}

// clean removes the folders that were unpacked in.
func (r *restorer) clean() {
	for _, dir := range r.staged {
		_ = os.RemoveAll(dir) // the next restore does so, too
	}
}

// syncDisk brings all that was written to the file system of dir to the disk.
func syncDisk(dir string) error {
	f, err := os.Open(dir)
	if err == nil {
		err = errors.Join(linux.Syncfs(int(f.Fd())), f.Close())
	}
	if err != nil {
		return fmt.Errorf("bring what was unpacked to the disk: %w", err)
	}
	return nil
}
