package backup

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/store"
)

// collector gathers what goes into a backup.
type collector struct {
	db        *store.DB
	opts      Options
	workspace string   // without links
	dir       string   // for files of its own
	spool     *os.File // in dir: the content of a large file; nil until there is one
	out       *writer
	manifest  Manifest

	bytes      int64 // of all files, as they were found first
	journal    Journal
	journalSum [sha256.Size]byte
	newest     int64 // change in the copy of the journal
	files      int
	written    map[string]bool // members of the workspace
	torn       []string
	newer      []string
	unread     []LeftOut
}

// survey finds out how much there is, and what has to be left out.
func (c *collector) survey(ctx context.Context, s *app.Environment) error {
	for _, p := range parts(s) {
		if p.member == "workspace" && c.opts.WithoutWorkspace {
			continue
		}
		err := walk(ctx, p, func(e entry) error {
			switch {
			case e.info.Mode().IsRegular():
				c.bytes += e.info.Size()
			case !e.info.IsDir() && e.info.Mode()&fs.ModeSymlink == 0:
				c.manifest.LeftOut = append(c.manifest.LeftOut, LeftOut{e.path(), whyKind})
			}
			return nil
		}, func(string, error) {})
		if err != nil {
			return err
		}
	}
	for i, f := range s.SecretFiles() {
		if c.opts.Secrets {
			c.manifest.Secrets = append(c.manifest.Secrets, Secret{fmt.Sprintf("secrets/%d", i), f.Path, f.Key})
		} else {
			c.manifest.LeftOut = append(c.manifest.LeftOut, LeftOut{f.Path, whySecret + ": " + f.Key})
		}
	}
	return nil
}

// collect writes all members.
func (c *collector) collect(ctx context.Context, s *app.Environment) error {
	text, err := c.configText(s)
	if err != nil {
		return err
	}
	secrets := c.readSecrets()
	raw, err := json.MarshalIndent(c.manifest, "", "  ")
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err := c.addBytes("manifest.json", raw); err != nil {
		return err
	}
	if err := c.addJournal(); err != nil {
		return err
	}
	if text != nil {
		c.files++
		if err := c.addBytes("config/config.toml", text); err != nil {
			return err
		}
	}
	for i, secret := range secrets {
		c.files++
		if err := c.addBytes(c.manifest.Secrets[i].Member, secret); err != nil {
			return err
		}
	}
	for _, p := range parts(s) {
		if p.member == "workspace" {
			if c.opts.WithoutWorkspace {
				continue
			}
			c.written = map[string]bool{}
		}
		err := walk(ctx, p, func(e entry) error { return c.addEntry(ctx, e) }, func(path string, err error) {
			c.unread = append(c.unread, LeftOut{path, fmt.Sprintf("it cannot be read: %v", app.WithoutPath(err))})
		})
		if err != nil {
			return err
		}
	}
	if c.opts.WithoutWorkspace {
		return nil
	}
	return c.addGone(ctx)
}

// addBytes writes a file that only its owner reads.
func (c *collector) addBytes(name string, content []byte) error {
	return c.addFile(name, int64(len(content)), bytes.NewReader(content))
}

func (c *collector) addFile(name string, size int64, content io.Reader) error {
	return c.out.add(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: size, ModTime: c.manifest.Time}, content)
}

func (c *collector) addJournal() error {
	f, err := os.Open(filepath.Join(c.dir, "journal.db"))
	if err != nil {
		return fmt.Errorf("read the copy of the journal: %w", err)
	}
	defer f.Close()
	return c.addFile("journal.db", c.journal.Bytes, f)
}

// configText returns the configuration as it is backed up; nil where there is none.
func (c *collector) configText(s *app.Environment) ([]byte, error) {
	raw, err := os.ReadFile(s.ConfigPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("back up the configuration: %w", err)
	case c.opts.Secrets:
		return raw, nil
	}
	clean, left, ok := stripConfig(s, string(raw))
	c.manifest.LeftOut = append(c.manifest.LeftOut, left...)
	if !ok {
		return nil, nil
	}
	return []byte(clean), nil
}

// readSecrets returns what the files of the manifest's secrets hold. One that cannot be read is left out.
func (c *collector) readSecrets() (all [][]byte) {
	var there []Secret
	for _, s := range c.manifest.Secrets {
		raw, err := readAtMost(s.Path, 64<<10)
		if err != nil {
			c.manifest.LeftOut = append(c.manifest.LeftOut, LeftOut{s.Path, fmt.Sprintf("%s: %s: %v", whySecret, s.Key, app.WithoutPath(err))})
			continue
		}
		there, all = append(there, s), append(all, raw)
	}
	c.manifest.Secrets = there
	return all
}

func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil, cmp.Or(err, errors.New("it is no file that holds a secret"))
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// addEntry writes what lies in a part as a member.
func (c *collector) addEntry(ctx context.Context, e entry) error {
	h := &tar.Header{Name: e.name}
	var was reading
	var err error
	switch mode := e.info.Mode(); {
	case mode.IsDir():
		h.Typeflag = tar.TypeDir
	case mode.IsRegular():
		h.Typeflag = tar.TypeReg
		was, err = c.read(&e)
		h.Size = was.size
	case mode&fs.ModeSymlink != 0:
		h.Typeflag = tar.TypeSymlink
		h.Linkname, err = e.root.Readlink(e.rel)
	default:
		return nil
	}
	if errors.Is(err, errSpool) {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if c.written != nil && !e.info.IsDir() { // the file was read before: a change of what was read is known already
		c.written[e.name] = true
		if done, err := c.addAsCopied(ctx, e); done || err != nil {
			return err
		}
	}
	if err != nil {
		c.unread = append(c.unread, LeftOut{e.path(), fmt.Sprintf("it cannot be read: %v", app.WithoutPath(err))})
		return nil
	}
	h.Mode, h.ModTime = int64(e.info.Mode().Perm()), e.info.ModTime()
	if was.torn {
		c.torn = append(c.torn, e.name)
	}
	if h.Typeflag != tar.TypeDir {
		c.files++
	}
	return c.out.add(h, was.content)
}

// addAsCopied writes a file of the workspace as it was when the journal was copied, where a tool has changed it since, and reports
// whether it has.
func (c *collector) addAsCopied(ctx context.Context, e entry) (bool, error) {
	change, found, err := c.before(ctx, filepath.Join(c.workspace, e.rel))
	if err != nil || !found {
		return false, err
	}
	kept, err := c.addBefore(ctx, e.name, change)
	if err == nil && !kept {
		c.newer = append(c.newer, e.name)
	}
	return kept, err
}

// before returns the first change of a file since the journal was copied, if there is one.
func (c *collector) before(ctx context.Context, path string) (first event.Change, found bool, err error) {
	since, err := c.db.Changes(store.Limits{}).Since(ctx, c.newest)
	for _, change := range slices.Backward(since) {
		if change.Path == path {
			return change, true, err
		}
	}
	return first, false, err
}

// addBefore writes a member as it was before a change, and reports whether that is known.
func (c *collector) addBefore(ctx context.Context, name string, change event.Change) (bool, error) {
	was := change.Before
	h := &tar.Header{Name: name, Mode: int64(was.Mode.Perm()), ModTime: was.Time}
	switch was.Kind {
	case event.NoFile:
		return true, nil
	case event.Folder:
		h.Typeflag = tar.TypeDir
		return true, c.out.add(h, nil)
	}
	content, err := c.db.Changes(store.Limits{}).Image(ctx, was.Sum)
	if err != nil {
		return false, nil //nolint:nilerr // it is not kept: the caller says so
	}
	c.files++
	if was.Kind == event.Link {
		h.Typeflag, h.Linkname = tar.TypeSymlink, string(content)
		return true, c.out.add(h, nil)
	}
	h.Typeflag, h.Size = tar.TypeReg, int64(len(content))
	return true, c.out.add(h, bytes.NewReader(content))
}

// addGone writes what tools have taken away since the journal was copied.
func (c *collector) addGone(ctx context.Context) error {
	since, err := c.db.Changes(store.Limits{}).Since(ctx, c.newest)
	if err != nil {
		return err
	}
	for _, change := range slices.Backward(since) {
		rel, err := filepath.Rel(c.workspace, change.Path)
		if name := "workspace/" + rel; err == nil && filepath.IsLocal(rel) && rel != "." && !c.written[name] {
			c.written[name] = true
			if _, err := c.addBefore(ctx, name, change); err != nil {
				return err
			}
		}
	}
	return nil
}
