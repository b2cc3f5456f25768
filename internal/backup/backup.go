// Package backup writes everything that hob keeps into one file, and restores it.
//
// # The file
//
// A backup is a gzip'd tar, which tar reads as it is, and behind it [trailerSize] bytes: a gzip member without content, whose
// comment is "sha256 " and the SHA-256, in hexadecimal, of all bytes before it. So nothing can be changed, cut off or added
// without being seen. The file has mode 0600. Its members, in this order:
//
//	manifest.json    a [Manifest]: versions, where everything lay, and what was left out
//	journal.db       the journal as it was at one moment, with the contents that undo needs
//	config/          config.toml, sentences.toml, skills, tales
//	state/           history, profiles.toml, outputs, skills, mcp
//	secrets/0, 1 ... the files of [Manifest].Secrets, one secret each; only if they were asked for
//	workspace/       the workspace
//
// Members are files, folders and symbolic links, which stay links. Permissions and times are kept, owners and the bits for
// set-user-id and the like are not.
//
// # One moment
//
// The journal is copied first. A file of the workspace that a tool of hob's changes after that is taken from what undo keeps: as
// it was when the journal was copied. What other programs change, commands among them, is taken as it is found; a file that is
// being written to is read again until two readings agree, and else named in [Report].Torn.
//
// # Putting it back
//
// [Restore] checks everything first, unpacks beside the places where things belong, and then writes the plan of its renames
// to [store.RestorePath]. From then on nobody opens the journal until all renames are done, by this restore or by the next one,
// which finds the plan. Before that nothing has changed except for folders whose names begin with ".hob-restore-", which the next restore removes.
package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/atomicfile"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/store"
)

// format is the version of the file that this package writes.
const format = 1

// Manifest describes a backup, in the backup.
type Manifest struct {
	Format int       `json:"format"`
	Hob    string    `json:"hob"`
	Time   time.Time `json:"time"`
	Schema int       `json:"schema"` // of the journal
	Paths
	WithoutWorkspace bool      `json:"without_workspace,omitempty"`
	Secrets          []Secret  `json:"secrets,omitempty"` // that are in it
	LeftOut          []LeftOut `json:"left_out,omitempty"`
}

// Paths are where things lie on a machine. The journal names files by paths without links.
type Paths struct {
	State         string `json:"state"`
	RealState     string `json:"real_state"`
	Workspace     string `json:"workspace"`
	RealWorkspace string `json:"real_workspace"`
	Config        string `json:"config"` // the file
}

func pathsOf(s *app.Environment) Paths {
	return Paths{
		State: s.StateDir, RealState: app.ResolvePath(s.StateDir), Workspace: s.WorkspaceDir, RealWorkspace: app.ResolvePath(s.WorkspaceDir),
		Config: s.ConfigPath,
	}
}

// Secret is a file with a secret.
type Secret struct {
	Member string `json:"member,omitempty"` // of the backup, such as "secrets/0"
	Path   string `json:"path"`
	Key    string `json:"key"` // of the configuration, which names it
}

// LeftOut is something that is not in a backup.
type LeftOut struct {
	Path string `json:"path"` // or a key of the configuration
	Why  string `json:"why"`
}

// The reasons why something is left out.
const (
	whySecret = "a secret"
	whyKind   = "no file, folder or link"
)

// Options say what goes into a backup.
type Options struct {
	WithoutWorkspace bool
	Secrets          bool
	Version          string // of hob
	// Confirm is asked where there are more than askFrom bytes of files. Nil: it is fine.
	Confirm func(ctx context.Context, bytes int64) error
	Now     func() time.Time
}

// askFrom is how many bytes of files are backed up without a question.
const askFrom = 1 << 30

// Report is the result of a backup.
type Report struct {
	File     string    `json:"file"`
	Bytes    int64     `json:"bytes"`
	SHA256   string    `json:"sha256"` // of all bytes but the last, as the file says itself
	Time     time.Time `json:"time"`
	Schema   int       `json:"schema"`
	Journal  Journal   `json:"journal"`
	Files    int       `json:"files"`    // besides the journal
	Verified bool      `json:"verified"` // it was read back; not where it went to standard output
	LeftOut  []LeftOut `json:"left_out"`
	Torn     []string  `json:"torn"`  // members that were being written to whenever they were read
	Newer    []string  `json:"newer"` // members that a tool has changed since the journal was copied, and that undo does not keep
}

// Write writes a backup to the file at path, or to out where that is not nil. Another hob may be at work.
func Write(ctx context.Context, s *app.Environment, path string, out io.Writer, o Options) (Report, error) {
	if !s.HasJournal() {
		return Report{}, exit.Errorf(exit.Failed, "there is no journal in %s: there is nothing to back up yet", s.StateDir)
	}
	if err := checkPlace(s, path, out); err != nil {
		return Report{}, err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return Report{}, err
	}
	report, err := write(ctx, s, db, path, out, o)
	if err = cmp.Or(err, db.Close()); out == nil && store.IsFull(err) {
		err = exit.Errorf(exit.Failed, "there is no room for the backup on the disk of %s: no file was written", path)
	}
	return report, err
}

// Stream writes a backup to out, for the hob that has the journal open: it must not open the file once more.
func Stream(ctx context.Context, s *app.Environment, db *store.DB, out io.Writer, o Options) (Report, error) {
	return write(ctx, s, db, "", out, o)
}

// checkPlace refuses a file that would be a part of itself, or that the agent could read, and one that is there and is no backup.
func checkPlace(s *app.Environment, path string, out io.Writer) error {
	if out != nil {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return exit.Errorf(exit.Usage, "%s is no file: name one, such as %s", path, filepath.Join(path, "hob.tgz"))
	} else if err == nil && info.Size() > 0 && !looksLikeBackup(path, info.Size()) {
		return exit.Errorf(exit.Usage, "%s is there, and is no backup of hob's: name another file, or delete it first", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, os.ErrNotExist) {
		return exit.Errorf(exit.Usage, "there is no folder %s", filepath.Dir(path))
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	full = app.ResolvePath(full)
	for _, p := range parts(s) {
		if rel, err := filepath.Rel(app.ResolvePath(p.path), full); err == nil && filepath.IsLocal(rel) {
			return exit.Errorf(exit.Usage, "%s lies in %s, which is backed up itself: name a file elsewhere", path, p.path)
		}
	}
	return nil
}

func write(ctx context.Context, s *app.Environment, db *store.DB, path string, out io.Writer, o Options) (report Report, err error) {
	c := &collector{db: db, opts: o, workspace: app.ResolvePath(s.WorkspaceDir)}
	if err := c.survey(ctx, s); err != nil {
		return report, err
	}
	if c.bytes > askFrom && o.Confirm != nil {
		if err := o.Confirm(ctx, c.bytes); err != nil {
			return report, err
		}
	}
	at := os.TempDir()
	if out == nil {
		at = filepath.Dir(path)
	}
	if c.dir, err = os.MkdirTemp(at, ".hob-backup-"); err != nil {
		return report, fmt.Errorf("make a folder for the copy of the journal: %w", err)
	}
	defer func() {
		c.spool.Close() // nil is fine
		err = errors.Join(err, os.RemoveAll(c.dir))
	}()
	if err := c.copyJournal(ctx); err != nil {
		return report, err
	}
	schema, err := store.Schema()
	if err != nil {
		return report, err
	}
	c.manifest.Format, c.manifest.Hob, c.manifest.Schema = format, o.Version, schema
	c.manifest.Time, c.manifest.Paths, c.manifest.WithoutWorkspace = o.Now().UTC().Truncate(time.Second), pathsOf(s), o.WithoutWorkspace
	var sum [sha256.Size]byte
	if out != nil {
		report.Bytes, sum, err = c.archive(ctx, s, out)
	} else {
		err = atomicfile.Replace(path, 0o600, func(f *os.File) (err error) {
			if report.Bytes, sum, err = c.archive(ctx, s, f); err != nil {
				return err
			}
			if err := f.Sync(); err != nil {
				return fmt.Errorf("write the backup: %w", err)
			}
			return c.readBack(ctx, f)
		})
		report.Verified = err == nil
	}
	report.File, report.SHA256, report.Time, report.Schema = path, hex.EncodeToString(sum[:]), c.manifest.Time, schema
	report.Journal, report.Files, report.Torn, report.Newer = c.journal, c.files, append([]string{}, c.torn...), append([]string{}, c.newer...)
	report.LeftOut = append(append([]LeftOut{}, c.manifest.LeftOut...), c.unread...)
	return report, err
}

// archive writes the whole file to w, and returns how long it is and the sum that it ends with.
func (c *collector) archive(ctx context.Context, s *app.Environment, w io.Writer) (int64, [sha256.Size]byte, error) {
	c.out = newWriter(w)
	if err := c.collect(ctx, s); err != nil {
		return 0, [sha256.Size]byte{}, err
	}
	return c.out.finish()
}

// readBack holds the file that was written against what was to be written. That the journal in it is whole is known of the copy,
// whose bytes it has.
func (c *collector) readBack(ctx context.Context, f *os.File) error {
	found, err := inspect(ctx, f)
	if err != nil {
		return fmt.Errorf("read back the backup: %w", err)
	}
	if found.journal != c.journalSum || found.members != c.out.members {
		return errors.New("read back the backup: it is not what was written; look after the disk")
	}
	return nil
}

// part is something that is backed up as it lies there: a file, or a folder with all that is in it.
type part struct{ member, path string }

// parts are those of an environment, the workspace last. config.toml is not among them: see [collector.addConfig].
func parts(s *app.Environment) []part {
	return []part{
		{"config/" + app.OwnSentences, filepath.Join(filepath.Dir(s.ConfigPath), app.OwnSentences)},
		{"config/skills", filepath.Join(filepath.Dir(s.ConfigPath), "skills")},
		{"config/tales", s.TalesDir()},
		{"state/history", s.HistoryPath()},
		{"state/profiles.toml", s.MeasuredProfilesPath()},
		{"state/outputs", s.OutputsDir()},
		{"state/skills", s.KeptSkillsDir()},
		{"state/mcp", filepath.Join(s.StateDir, "mcp")},
		{"workspace", s.WorkspaceDir},
	}
}

// Summary describes a backup in a line.
func (r Report) Summary() string {
	text := fmt.Sprintf("%s: %s; %s, %s", r.File, display.Bytes(r.Bytes), r.Journal.Summary(), display.Count(r.Files, "file"))
	if r.Verified {
		text += "; read back, and whole"
	}
	return text
}

// stripConfig returns the text of a configuration without what could be a secret, and what was left out of it.
func stripConfig(s *app.Environment, text string) (clean string, left []LeftOut, ok bool) {
	known := s.Redactor.Redact(text)
	clean, at, ok := config.StripSecrets(known)
	if known != text {
		at = append(at, "values of files with secrets")
	}
	for _, where := range at {
		left = append(left, LeftOut{Path: s.ConfigPath + ": " + where, Why: whySecret})
	}
	return clean, left, ok && !strings.Contains(clean, "\x00")
}
