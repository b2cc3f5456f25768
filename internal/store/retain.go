package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
)

// Prune removes the records of handled updates and of sent messages older than before, and returns
// their number. It keeps unhandled updates, and messages that may still have to be sent to their
// chat again, after the mark of [event.SendReader].
func (d *Deliveries) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	err = d.db.transact(ctx, func(tx transaction) error {
		for _, query := range []string{
			`DELETE FROM arrival WHERE time < ?1 AND state = 'done'`,
			`DELETE FROM send WHERE time < ?1 AND seq <= (SELECT mark.seq FROM mark WHERE reader = ?2 || send.chat)`,
		} {
			args := []any{before.UnixMilli(), event.SendReader("")}[:strings.Count(query, "?")]
			n, err := rowsAffected(tx.ExecContext(ctx, query, args...))
			if err != nil {
				return err
			}
			removed += n
		}
		return nil
	})
	if err != nil {
		return 0, wrap("prune what was delivered in", d.db.path, err)
	}
	return removed, nil
}

// PruneCopies removes copies of the journal made before migrations, except the newest keep, and
// returns their paths.
func (d *DB) PruneCopies(keep int) (removed []string, err error) {
	copies, err := copiesOf(d.path)
	if err != nil {
		return nil, fmt.Errorf("look for copies of the journal: %w", err)
	}
	for _, path := range copies[:max(0, len(copies)-keep)] {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("remove a copy of the journal: %w", err)
		}
		removed = append(removed, path)
	}
	return removed, nil
}

// copiesOf returns the paths of the copies that [DB.migrate] made of the journal at path, oldest
// first. It ignores files of other names.
func copiesOf(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	type dated struct {
		at   time.Time
		n    int // number within one second
		path string
	}
	var all []dated
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+".v")
		version, rest, dash := strings.Cut(name, "-")
		stamp, number, bak := strings.Cut(rest, ".bak")
		at, err := time.Parse(copyTime, stamp)
		n := 1
		if number != "" {
			var bad error
			n, bad = strconv.Atoi(strings.TrimPrefix(number, "-"))
			err = errors.Join(err, bad)
		}
		if _, bad := strconv.Atoi(version); ok && dash && bak && err == nil && bad == nil && e.Type().IsRegular() {
			all = append(all, dated{at, n, filepath.Join(filepath.Dir(path), e.Name())})
		}
	}
	slices.SortFunc(all, func(a, b dated) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.n, b.n)) })
	return lists.Map(all, func(d dated) string { return d.path }), nil
}
