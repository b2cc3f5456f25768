package store

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"hob/internal/event"
)

// Origins stores the labels of files whose content came from elsewhere: table origin. It is safe
// for concurrent use.
type Origins struct{ db *DB }

// Origins returns the store of labels.
func (d *DB) Origins() *Origins { return &Origins{d} }

// originRows limits the number of marked paths.
const originRows = 100_000

// pathsAtOnce is how many paths one query asks for.
const pathsAtOnce = 200

// Mark makes durable that everything below these paths also comes from this source. Paths are
// absolute; an existing mark is joined. At a hundred thousand marks, it marks a folder above the
// path instead: the nearest one that is marked or has marks below it, which it absorbs. So no mark
// is lost, and more files may be marked than necessary.
func (o *Origins) Mark(ctx context.Context, paths []string, from event.Label) error {
	return o.mark(ctx, paths, from, originRows)
}

func (o *Origins) mark(ctx context.Context, paths []string, from event.Label, most int) error {
	clean, err := cleanPaths(paths)
	if err != nil {
		return fmt.Errorf("mark where files come from: %w", err)
	}
	if len(clean) == 0 || from == (event.Label{}) {
		return nil
	}
	err = o.db.transact(ctx, func(tx transaction) error {
		marked, err := value[int](ctx, tx, `SELECT count(*) FROM origin`)
		if err != nil {
			return err
		}
		for _, p := range clean {
			there, err := joinOrigin(ctx, tx, p, from)
			if err != nil {
				return err
			}
			if there {
				continue
			}
			if marked >= most {
				gone, err := coverOrigin(ctx, tx, p, from)
				if err != nil {
					return err
				}
				marked -= gone
				continue
			}
			if err := putOrigin(ctx, tx, p, from); err != nil {
				return err
			}
			marked++
		}
		return nil
	})
	return wrap("mark where files come from in", o.db.path, err)
}

// joinOrigin joins a label with that of a marked path, and reports whether the path was marked. It
// writes only changes.
func joinOrigin(ctx context.Context, tx transaction, p string, from event.Label) (there bool, err error) {
	l, there, err := find(ctx, tx, scanLabel, `SELECT untrusted, private, source FROM origin WHERE path = ?`, []byte(p))
	if err != nil || !there || l.Join(from) == l {
		return there, err
	}
	return true, putOrigin(ctx, tx, p, l.Join(from))
}

func scanLabel(scan scanner) (l event.Label, err error) {
	err = scan(&l.Untrusted, &l.Private, &l.Source)
	return l, err
}

func putOrigin(ctx context.Context, tx transaction, p string, l event.Label) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO origin (path, untrusted, private, source) VALUES (?, ?, ?, ?)`,
		[]byte(p), l.Untrusted, l.Private, l.Source)
	return err
}

// coverOrigin marks a folder above a path instead of the path, and returns by how many the marks
// decrease.
func coverOrigin(ctx context.Context, tx transaction, p string, from event.Label) (gone int, err error) {
	for folder := path.Dir(p); ; folder = path.Dir(folder) {
		if there, err := joinOrigin(ctx, tx, folder, from); there || err != nil {
			return 0, err
		}
		first, end := rangeBelow(folder)
		n, l, err := joinBelow(ctx, tx, first, end, from)
		if err != nil {
			return 0, err
		}
		if n == 0 && folder != "/" {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM origin WHERE path > ? AND path < ?`, first, end); err != nil {
			return 0, err
		}
		return n - 1, putOrigin(ctx, tx, folder, l)
	}
}

// joinBelow counts the marks in a range of paths, and joins their labels with another.
func joinBelow(ctx context.Context, tx transaction, first, end []byte, from event.Label) (n int, joined event.Label, err error) {
	labels, err := collect(ctx, tx, scanLabel, `SELECT untrusted, private, source FROM origin WHERE path > ? AND path < ?`, first, end)
	for _, l := range labels {
		from = from.Join(l)
	}
	return len(labels), from, err
}

// rangeBelow returns two paths between which all paths below a folder sort; neither is one of them.
func rangeBelow(folder string) (first, end []byte) {
	first = []byte(strings.TrimSuffix(folder, "/") + "/")
	end = bytes.Clone(first)
	end[len(end)-1]++
	return first, end
}

// Of returns the labels of these paths, and of the folders above them, that are marked.
func (o *Origins) Of(ctx context.Context, paths []string) (map[string]event.Label, error) {
	clean, err := cleanPaths(paths)
	if err != nil {
		return nil, fmt.Errorf("look up where files come from: %w", err)
	}
	asked := map[string]bool{}
	var args []any
	for _, p := range clean {
		for ; !asked[p]; p = path.Dir(p) { // "/" is its own folder
			asked[p] = true
			args = append(args, []byte(p))
		}
	}
	found := map[string]event.Label{}
	for some := range slices.Chunk(args, pathsAtOnce) {
		where := `WHERE path IN (?` + strings.Repeat(`, ?`, len(some)-1) + `)`
		if err := o.read(ctx, found, where, some...); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// All returns all marks.
func (o *Origins) All(ctx context.Context) (map[string]event.Label, error) {
	found := map[string]event.Label{}
	if err := o.read(ctx, found, ``); err != nil {
		return nil, err
	}
	return found, nil
}

func (o *Origins) read(ctx context.Context, into map[string]event.Label, where string, args ...any) error {
	_, err := collect(ctx, o.db.read, func(scan scanner) (l event.Label, err error) {
		var p []byte
		if err = scan(&p, &l.Untrusted, &l.Private, &l.Source); err == nil {
			into[string(p)] = l
		}
		return l, err
	}, `SELECT path, untrusted, private, source FROM origin `+where, args...)
	return wrap("read where files come from in", o.db.path, err)
}

// Forget removes the marks of these paths and of everything below them. It becomes durable with the
// next durable write: a power cut may bring a mark back, which is the safe direction.
func (o *Origins) Forget(ctx context.Context, paths []string) error {
	clean, err := cleanPaths(paths)
	if err != nil {
		return fmt.Errorf("forget where files come from: %w", err)
	}
	if len(clean) == 0 {
		return nil
	}
	err = o.db.lazyTransact(ctx, func(tx transaction) error {
		for _, p := range clean {
			first, end := rangeBelow(p)
			_, err := tx.ExecContext(ctx, `DELETE FROM origin WHERE path = ?1 OR path > ?2 AND path < ?3`, []byte(p), first, end)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("forget where files come from in", o.db.path, err)
}

// cleanPaths returns the paths in their shortest form. A relative path is an error, because no
// lookup would find its mark.
func cleanPaths(paths []string) ([]string, error) {
	clean := make([]string, len(paths))
	for i, p := range paths {
		if !path.IsAbs(p) || strings.ContainsRune(p, 0) {
			return nil, fmt.Errorf("%q is not an absolute path", p)
		}
		clean[i] = path.Clean(p)
	}
	return clean, nil
}
