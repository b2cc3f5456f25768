// Package store keeps the journal of everything that happened, and small durable state beside it, in one SQLite file.
//
// # Invariants
//
//   - What [DB.Append] returned without an error is on the disk: it survives a kill, a full disk and a power cut.
//   - A batch is journaled whole or not at all.
//   - Events become visible in the order of their Seq. A reader that has seen Seq n never later finds a smaller one that
//     it has not seen, so one number is enough to remember how far somebody has read. Seqs rise over all chats; no Seq is
//     used twice, even if rows are deleted by hand. They may have holes.
//   - An event reads back exactly as Append returned it, times cut to milliseconds in UTC.
//   - An event that this hob cannot read, or that is not what was written, is an [event.Unreadable], never a hole.
//   - A journal is never deleted, overwritten, or started anew over a file that is there. A file that cannot be used is a
//     *[FileError] that says what to do.
//
// # On disk
//
// The file PATH (mode 0600) is an SQLite database with application_id 0x686f6221 ("hob!") and, as user_version, the number of
// the last migration it has seen. It holds, all STRICT and all times in Unix milliseconds:
//
//	event      seq, time, chat, turn, type, key, body,   one row an event; body is the JSON of [event.Marshal];
//	           crc                                      (chat, key) is unique where key is not ''; crc is a CRC32C
//	                                                    of all other columns, NULL in rows from before schema 8: those
//	                                                    are not verified
//	event_terms rowid, terms                            what an event is found by (FTS5): see [Texts]; rowid is its seq
//	open_turn  turn, chat                               turns that were begun and have not ended; kept by triggers
//	                                                    on event, so whoever appends cannot forget it
//	mark       reader, seq                              how far a reader has read
//	setting    key, value                               small state
//	change     id, time, chat, turn, tool, undoes,      one row a change of a file by a tool: see [Changes]; before and after
//	           path, folders, before, after, image,     are JSON of [event.FileState], image is the sum of the content that
//	           stage                                    was replaced
//	image      sum, used, stored, size, data            contents that changes replaced, compressed (DEFLATE) where stored is
//	                                                    less than size
//	contact    day, reason, host, and what was counted  who was contacted: see [Contact]
//	audit      id, seq, and an [event.Audit]            one row a call that was made: its record. seq is of the Returned that is
//	                                                    the call's result, 0 for a call outside of a turn; repairs is JSON
//	granted    id, time, by, tool, host, path, revoked  one row an [event.Grant]; revoked is NULL while it is in force
//	origin     path, untrusted, private, source         where what is below a path comes from: an [event.Label]
//	person     platform, id, name, level, since, by     one row an [event.Person]
//	invite     platform, level, expires, tries, sum     the [event.Invite] of a platform; sum is the SHA-256 of its code
//	arrival    n, time, platform, bot, id, hash, state, one row an [event.Update], until [Deliveries.Prune]; bot is 0
//	           raw                                      and hash '' in rows from before schema 8
//	send       chat, seq, part, time, state, tries,     one row an [event.Send], until [Deliveries.Prune]
//	           message
//	shown      chat, name, message                      which message of a chat shows what changes
//	request    n, time, chat, id, hash, outcome         requests that may be made again; outcome is JSON, NULL before the end
//	reminder   id, state, due, chat, person, author,    one row an [event.Reminder]; body is JSON of all of it, due is when
//	           body                                     it is told next: the later of its Due and Held, NULL for never
//	consent    person, author, answer, time             whether a person may be reminded by another
//	campaign   id, title, made, played, cache           one row a [Campaign]; cache is a snapshot that may be NULL
//	entry      campaign, n, line                        its log: what package eventlog writes, and only ever adds to
//	entry_request campaign, request, n                  which entry answered a request
//	revision   n                                        one row: how often granted and setting were written; kept by triggers
//
// The records of calls are a chain. Their ids are 1, 2, 3 and so on; prev is the hash of the record before, nothing for the first;
// hash is the SHA-256, in hexadecimal, of the JSON that encoding/json makes of the [event.Audit] with an empty Hash: its Time
// in UTC, cut to milliseconds, its strings UTF-8, without Repairs where there are none. A result and its record are journaled
// in one transaction. The setting audit/begin holds the Seq of the last event from before hob kept records.
//
// The file does not shrink when contents go; what follows takes their room.
//
// Beside it lie PATH-wal and PATH-shm while hob runs and after a crash: PATH-wal holds the newest events and belongs to PATH;
// move or copy the three together. A clean [DB.Close] folds PATH-wal into PATH and removes both. Before an existing journal is
// migrated, a copy is kept as PATH.v<old version>-<UTC time>.bak; [DB.PruneCopies] removes those that are too many. PATH.restore
// says that a restore was cut short: nothing opens PATH until it is finished.
//
// A new journal is built under another name and linked into place when it is whole. An empty file at PATH is therefore always
// damage, never a new journal; PATH.new-* are files that a killed hob left unfinished; they may be deleted.
//
// # Parts
//
// [DB] is the journal: events, marks, records of calls, and what is found in them. Each other group of tables is a small type
// of its own, over the same connections: [Deliveries], [People], [Grants], [Settings], [Ledger], [Origins], [Requests],
// [Campaigns] and [Changes]. A transaction over several groups is a method of the one whose write it is: [DB.Append] adds
// records and grants with their events, [Deliveries.SetSend] marks a reader with what was sent.
//
// Files have the names of their tables. event_*, mark, audit* are the journal; db, migrate, readonly, inspect, wal, statements,
// copy, retain, salvage, folder, lock and error are about the file, not its tables. Package storetest has a fake of the journal.
//
// # Processes
//
// Several processes may have the file open: readers never wait, and a writer waits up to five seconds for another's
// transaction (a context does not cut that wait short). Code in a process that has the journal open must not open and close these
// files by itself: with that, the kernel drops SQLite's locks. That one hob at a time works on a state directory is not this
// file's business but that of [Lock].
package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"hob/internal/event"
)

// Journal is the record of all events in order, with the marks of its readers. It is safe for
// concurrent use.
type Journal interface {
	// Append journals entries in one durable transaction and returns them as events, in the given
	// order, with Seq, Time and Turn filled in. If the [event.Key] of a body is taken in its chat,
	// it returns a *[DuplicateError] and journals nothing. Without entries it does nothing.
	Append(ctx context.Context, entries ...Entry) ([]event.Event, error)

	// Since yields, in order, the events with a Seq greater than after of the chats whose names
	// start with prefix; "" is all chats. It ends at the newest event. It reads in pages: memory is
	// bounded, and nothing is locked while the caller works. An error is yielded once and ends the
	// iteration.
	Since(ctx context.Context, prefix string, after int64) iter.Seq2[event.Event, error]

	// Mark records that a reader has handled everything up to and including seq. A smaller seq than
	// the recorded one changes nothing.
	Mark(ctx context.Context, reader string, seq int64) error

	// Marked returns the last mark of a reader, or 0.
	Marked(ctx context.Context, reader string) (int64, error)
}

// Entry is an event to be journaled.
type Entry struct {
	Chat event.Chat
	Turn int64 // the Seq of the Said that began the turn; 0 for a Said that begins one
	Body event.Body
	// Audit is the record of the call whose result Body, a Returned, is. It is journaled with it or
	// not at all. Nil: none. Append fills in ID, Time, Prev and Hash, and copies from the entry:
	// Chat, Turn, CallID, Tool, DurationMS, and Rule if Body has one. Status must be "ok" if and
	// only if Body is OK.
	Audit *event.Audit
	// Grants are what Body, a Decided, puts in force; they are journaled with it or not at all. An
	// empty By becomes that of the Decided.
	Grants []event.Grant
}

// ChatInfo is a chat in [DB.Chats].
type ChatInfo struct {
	Chat event.Chat
	Last int64     // Seq of its newest event
	Time time.Time // of its newest event
	Open []int64   // the turns that have begun and not ended, oldest first
}

// ErrDuplicate matches every *[DuplicateError].
var ErrDuplicate = errors.New("already in the journal")

// DuplicateError says that an entry's [event.Key] is taken.
type DuplicateError struct {
	Chat event.Chat
	Key  string
	Seq  int64 // of the event with the key; 0 if it is an earlier entry of the batch
}

func (e *DuplicateError) Error() string {
	if e.Seq == 0 {
		return fmt.Sprintf("append to journal: %q is twice in one batch for chat %q", e.Key, e.Chat)
	}
	return fmt.Sprintf("append to journal: %q of chat %q is already in the journal as %d", e.Key, e.Chat, e.Seq)
}

// Is makes a DuplicateError match [ErrDuplicate].
func (e *DuplicateError) Is(target error) bool { return target == ErrDuplicate }
