package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
)

// JournalCheck is the result of reading the whole journal.
type JournalCheck struct {
	OK         bool      `json:"ok"`
	Path       string    `json:"path"`
	There      bool      `json:"there"`
	Chats      int       `json:"chats"`
	Events     int       `json:"events"`
	Unverified int       `json:"unverified"` // events from before there were checksums
	Damaged    int       `json:"damaged"`    // events that are not what was written
	Unknown    int       `json:"unknown"`    // events of a newer hob
	Calls      int       `json:"calls"`
	Head       string    `json:"head"` // hash of the newest record of a call
	Problems   []Problem `json:"problems"`
}

// Problem is something that is wrong, and what to do about it.
type Problem struct {
	What string `json:"what"`
	Do   string `json:"do"`
}

// CheckJournal reads all of the journal. What is wrong with it is no error.
func CheckJournal(ctx context.Context, s *app.Environment) (JournalCheck, error) {
	c := JournalCheck{Path: s.JournalPath(), There: s.HasJournal(), Problems: []Problem{}}
	if !c.There {
		c.OK = true
		return c, nil
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return c, c.addFileError(err)
	}
	defer db.Close()
	if err := db.Check(ctx); err != nil {
		if err := c.addFileError(err); err != nil {
			return c, err
		}
	}
	for _, look := range []func(context.Context, *store.DB) error{c.lookAtChats, c.lookAtEvents, c.lookAtCalls} {
		if err := look(ctx, db); err != nil {
			if len(c.Problems) > 0 && errors.Is(err, store.ErrDamaged) {
				continue // it is said
			}
			if err := c.addFileError(err); err != nil {
				return c, err
			}
		}
	}
	c.OK = len(c.Problems) == 0
	return c, nil
}

// addFileError takes what is wrong with the file as a problem. Any other error it returns.
func (c *JournalCheck) addFileError(err error) error {
	bad := (*store.FileError)(nil)
	if !errors.As(err, &bad) {
		return err
	}
	what, _, _ := strings.Cut(bad.Error(), ": "+bad.Do)
	c.Problems = append(c.Problems, Problem{what, bad.Do})
	return nil
}

func (c *JournalCheck) lookAtChats(ctx context.Context, db *store.DB) error {
	chats, err := db.Chats(ctx)
	c.Chats = len(chats)
	return err
}

func (c *JournalCheck) lookAtEvents(ctx context.Context, db *store.DB) error {
	found, err := db.CheckEvents(ctx)
	if err != nil {
		return err
	}
	c.Events, c.Unverified, c.Damaged, c.Unknown = found.Events, found.Unverified, found.Damaged, found.Unknown
	for _, e := range found.Unreadable {
		b, _ := e.Body.(event.Unreadable)
		do := "each chat goes on behind it, and nothing of it is deleted; a backup may hold it whole: hob restore"
		if !b.Damaged {
			do = "update hob: a newer one wrote it"
		}
		c.Problems = append(c.Problems, Problem{fmt.Sprintf("event %d of %s (%s) cannot be read: %s", e.Seq, e.Chat, b.Of, b.Reason), do})
	}
	if more := found.Damaged + found.Unknown - len(found.Unreadable); more > 0 {
		c.Problems = append(c.Problems, Problem{"and " + display.Count(more, "more event") + " cannot be read", ""})
	}
	return nil
}

func (c *JournalCheck) lookAtCalls(ctx context.Context, db *store.DB) error {
	audit, err := app.VerifyAudit(ctx, db, "")
	if err != nil {
		return err
	}
	if c.Calls, c.Head = audit.Calls, audit.Head; audit.Problem != "" {
		c.Problems = append(c.Problems, Problem{"the record of calls is not whole: " + audit.Problem,
			"find out who could write to the journal; a backup from before may show what it was: hob restore, with another HOB_STATE_DIR"})
	}
	return nil
}
