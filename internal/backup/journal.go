package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/store"
)

// Journal is what was found in a journal.
type Journal struct {
	Bytes    int64  `json:"bytes"`
	Chats    int    `json:"chats"`
	Telegram bool   `json:"telegram"` // some of them are there
	Events   int    `json:"events"`
	Damaged  int    `json:"damaged"` // events that are not what was written
	Calls    int    `json:"calls"`   // that are recorded
	Problem  string `json:"problem"` // what is wrong with the records of calls, "" if nothing is
}

// Summary says in a line what there is.
func (j Journal) Summary() string {
	return fmt.Sprintf("the journal of %s with %s", display.Count(j.Chats, "chat"), display.Count(j.Events, "event"))
}

// Warnings say what is wrong with a journal that is whole as a file.
func (j Journal) Warnings() (all []string) {
	if j.Damaged > 0 {
		all = append(all, display.Count(j.Damaged, "event")+" of the journal cannot be read: hob journal check names them")
	}
	if j.Problem != "" {
		all = append(all, "the record of calls is not whole: "+j.Problem)
	}
	return all
}

// examine reads all of a journal, and says what is in it and what is wrong with what was written to it. An error means that the
// file is damaged.
func examine(ctx context.Context, db *store.DB) (j Journal, err error) {
	if err := db.Check(ctx); err != nil {
		return j, err
	}
	chats, err := db.Chats(ctx)
	if err != nil {
		return j, err
	}
	events, err := db.CheckEvents(ctx)
	if err != nil {
		return j, err
	}
	audit, err := app.VerifyAudit(ctx, db, "")
	if err != nil {
		return j, err
	}
	info, err := os.Stat(db.Path())
	if err != nil {
		return j, fmt.Errorf("look at the journal: %w", err)
	}
	onTelegram := slices.ContainsFunc(chats, func(c store.ChatInfo) bool { return strings.HasPrefix(string(c.Chat), "telegram/") })
	return Journal{info.Size(), len(chats), onTelegram, events.Events, events.Damaged, audit.Calls, audit.Problem}, nil
}

// copyJournal copies the journal as it is now, and examines the copy.
func (c *collector) copyJournal(ctx context.Context) error {
	path := filepath.Join(c.dir, "journal.db")
	if err := c.db.Copy(ctx, path); err != nil {
		return err
	}
	db, err := store.Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	c.journal, err = examine(ctx, db)
	if err == nil {
		c.newest, _, err = db.Changes(store.Limits{}).Mark(ctx)
	}
	if err = cmp.Or(err, db.Close()); err != nil {
		return fmt.Errorf("the journal cannot be backed up as it is (hob journal check says more): %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read the copy of the journal: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	c.journal.Bytes, err = io.Copy(sum, f)
	c.journalSum = [sha256.Size]byte(sum.Sum(nil))
	if err != nil {
		return fmt.Errorf("read the copy of the journal: %w", err)
	}
	return nil
}
