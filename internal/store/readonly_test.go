package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/sandbox/sandboxtest"
)

// A journal can be read where nothing can be written, for real: on a medium that is read-only and on a disk that is full.
func TestReadWhereNothingCanBeWritten(t *testing.T) {
	inMountNamespace(t, "unwritable disk")
}

func onUnwritableDisk(ctx context.Context, dir string) error {
	for name, try := range map[string]func(context.Context, string) error{
		"read-only": tryReadOnly, "read-only, with a log": tryReadOnlyLog, "read-only, with a log and no index": tryReadOnlyLogAlone,
		"read-only, of somebody else": tryReadOnlyOther, "full": tryFull,
	} {
		disk := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.Mkdir(disk, 0o700); err != nil {
			return err
		}
		if err := sandboxtest.MountTmpfs(disk, "size=2m,mode=700"); err != nil {
			fmt.Println("no mount:", err)
			return nil
		}
		if err := try(ctx, filepath.Join(disk, "hob.db")); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Println("all is well")
	return nil
}

// appended opens a journal at path with three batches in it.
func appended(ctx context.Context, path string) (*DB, map[int64]int, error) {
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return nil, nil, err
	}
	acked := map[int64]int{}
	for n := 1; n <= 3; n++ {
		events, err := db.Append(ctx, batch(n)...)
		if err != nil {
			return nil, nil, err
		}
		acked[events[0].Seq] = n
	}
	return db, acked, nil
}

func remountReadOnly(path string) error {
	return sandboxtest.RemountReadOnly(filepath.Dir(path))
}

// readable checks that all of acked can be read at path, and that writing fails for a reason, in words.
func readable(ctx context.Context, path string, acked map[int64]int, reason error, words string) error {
	db, err := OpenToRead(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	if db.Lacks() != "" {
		return fmt.Errorf("something is lacking: %s", db.Lacks())
	}
	if err := errors.Join(sameSeqs(ctx, db, acked), db.Check(ctx)); err != nil {
		return err
	}
	_, failed := db.Append(ctx, batch(9)...)
	for _, err := range []error{failed, db.Settings().Set(ctx, "a", "b"), db.Ledger().Begin(ctx, Contact{Host: "h", Reason: "r"})} {
		if !errors.Is(err, reason) || !strings.Contains(err.Error(), words) {
			return fmt.Errorf("writing fails with %w, want %w and %q", err, reason, words)
		}
	}
	return nil
}

func tryReadOnly(ctx context.Context, path string) error {
	db, acked, err := appended(ctx, path)
	if err != nil {
		return err
	}
	if err := errors.Join(db.Close(), remountReadOnly(path)); err != nil {
		return err
	}
	if _, err := Open(ctx, path, time.Now); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "read-only file system") {
		return fmt.Errorf("Open = %w", err)
	}
	return readable(ctx, path, acked, ErrReadOnly, "mount that for writing")
}

// left copies the files of a journal that is open to path, as a crash leaves them.
func left(db *DB, path string, suffixes ...string) error {
	for _, suffix := range suffixes {
		from, err := os.Open(db.path + suffix)
		if err != nil {
			return err
		}
		to, err := os.OpenFile(path+suffix, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = io.Copy(to, from)
			err = errors.Join(err, to.Close())
		}
		if err = errors.Join(err, from.Close()); err != nil {
			return err
		}
	}
	return nil
}

func tryReadOnlyLog(ctx context.Context, path string) error {
	db, acked, err := appended(ctx, path+".live")
	if err != nil {
		return err
	}
	if err := errors.Join(left(db, path, "", "-wal", "-shm"), db.Close(), remountReadOnly(path)); err != nil {
		return err
	}
	return readable(ctx, path, acked, ErrReadOnly, "mount that for writing")
}

func tryReadOnlyLogAlone(ctx context.Context, path string) error {
	db, acked, err := appended(ctx, path+".live")
	if err != nil {
		return err
	}
	if err := errors.Join(left(db, path, "", "-wal"), db.Close(), remountReadOnly(path)); err != nil {
		return err
	}
	db, err = OpenToRead(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	if db.Lacks() == "" {
		return sameSeqs(ctx, db, acked)
	}
	if !strings.Contains(db.Lacks(), path+"-wal") {
		return fmt.Errorf("what is lacking is told as %q", db.Lacks())
	}
	return nil
}

// Root reads what lies on a medium of somebody else's, and nobody can have it write there.
func tryReadOnlyOther(ctx context.Context, path string) error {
	db, acked, err := appended(ctx, path)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	if err := os.Chown(filepath.Dir(path), 65534, 65534); err != nil {
		return nil //nolint:nilerr // only root can
	}
	if _, err := OpenToRead(ctx, path, time.Now); !errors.As(err, new(*FolderError)) {
		return fmt.Errorf("before it was read-only OpenToRead = %w", err)
	}
	if err := remountReadOnly(path); err != nil {
		return err
	}
	db, err = OpenToRead(ctx, path, time.Now)
	if err != nil {
		return err
	}
	_, failed := db.Append(ctx, batch(9)...)
	if !errors.As(failed, new(*FolderError)) {
		return fmt.Errorf("Append = %w", failed)
	}
	return errors.Join(sameSeqs(ctx, db, acked), db.Close())
}

func tryFull(ctx context.Context, path string) error {
	db, acked, err := appended(ctx, path)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	f, err := os.Create(path + ".ballast")
	if err != nil {
		return err
	}
	for size := 1 << 16; size > 0; size /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return err
		}
		err = nil
	}
	if err := errors.Join(f.Close(), readable(ctx, path, acked, ErrFull, "make room")); err != nil {
		return err
	}
	if err := os.Remove(path + ".ballast"); err != nil {
		return err
	}
	if db, err = Open(ctx, path, time.Now); err != nil {
		return err
	}
	_, err = db.Append(ctx, batch(1)...)
	return errors.Join(err, db.Close())
}

func TestReadAnOlderSchemaWhereNothingCanBeWritten(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, path)
	run(t, db, "PRAGMA user_version = 1")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := openReadOnly(t.Context(), path, time.Now)
	if !errors.Is(err, errOutdated) || !strings.Contains(err.Error(), "copy it to a folder") {
		t.Errorf("openReadOnly = %v", err)
	}
}

func TestFileThatIsGone(t *testing.T) {
	for name, take := range map[string]func(dir string) error{
		"removed": os.RemoveAll,
		"renamed": func(dir string) error { return os.Rename(dir, dir+".old") },
		"another": func(dir string) error {
			err := errors.Join(os.Rename(dir, dir+".old"), os.Mkdir(dir, 0o700))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "hob.db"), []byte("another"), 0o600))
		},
		"a restored copy": func(dir string) error {
			raw, err := os.ReadFile(filepath.Join(dir, "hob.db"))
			return errors.Join(err, os.Remove(filepath.Join(dir, "hob.db")), os.WriteFile(filepath.Join(dir, "hob.db"), raw, 0o600))
		},
		"only the file": func(dir string) error { return os.Remove(filepath.Join(dir, "hob.db")) },
		"a file in place of the folder": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			held, err := Lock(filepath.Join(dir, "lock"), "test")
			if err != nil {
				t.Fatal(err)
			}
			defer held.Release()
			db := mustOpen(t, filepath.Join(dir, "hob.db"))
			append1(t, db, "there")
			if err := errors.Join(db.InPlace(), held.InPlace()); err != nil {
				t.Fatal(err)
			}
			if err := take(dir); err != nil {
				t.Fatal(err)
			}
			_, appended := db.Append(t.Context(), batch(1)...)
			for what, err := range map[string]error{
				"InPlace": db.InPlace(), "Append": appended, "SetSetting": db.Settings().Set(t.Context(), "a", "b"), "Mark": db.Mark(t.Context(), "r", 1),
				"BeginContact": db.Ledger().Begin(t.Context(), Contact{Host: "h", Reason: "r"}),
			} {
				wantFileError(t, err, ErrGone, "start hob again")
				if err == nil {
					t.Errorf("%s says that all is well", what)
				}
			}
			// A connection that is made only now is not one to whatever lies there.
			held1, err := db.read.Conn(t.Context())
			if err == nil {
				defer held1.Close()
				var held2 *sql.Conn
				if held2, err = db.read.Conn(t.Context()); err == nil {
					defer held2.Close()
				}
			}
			if !errors.Is(err, ErrGone) {
				t.Errorf("another connection was made: %v", err)
			}
			if info, err := os.Stat(filepath.Join(dir, "hob.db")); err == nil && info.Size() == 0 {
				t.Error("an empty journal was made where it was")
			}
			wholeFolder := name == "only the file" || name == "a restored copy"
			if err := held.InPlace(); errors.Is(err, ErrGone) == wholeFolder {
				t.Errorf("of the folder is said: %v", err)
			}
		})
	}
}

// A folder that nobody may enter any more is still there.
func TestFileThatCannotBeLookedAt(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root looks at everything")
	}
	dir := t.TempDir()
	db := mustOpen(t, filepath.Join(dir, "state", "hob.db"))
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	append1(t, db, "it goes on")
}
