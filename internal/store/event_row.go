package store

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
)

// row is an event as stored in the journal.
type row struct {
	seq, time, turn int64 // time in Unix milliseconds
	chat, typ, key  string
	body            []byte        // JSON
	crc             sql.NullInt64 // see checksum; NULL in an old row
	decoded         event.Body    // only in a row just made by newRows

	// Stored together with the event; also only in such a row.
	audit  *event.Audit
	grants []event.Grant
}

// newRows turns entries into rows without seq and time. It reads every body back, so that Append
// returns what a later read returns, and refuses bodies that could not be read.
func newRows(entries []Entry) ([]row, error) {
	rows := make([]row, len(entries))
	for i, e := range entries {
		if err := checkChat(e.Chat); err != nil {
			return nil, fmt.Errorf("append to journal: %w", err)
		}
		if e.Body == nil {
			return nil, errors.New("append to journal: an entry has no body")
		}
		if e.Turn < 0 {
			return nil, fmt.Errorf("append to journal: turn %d is negative", e.Turn)
		}
		typ := e.Body.Type()
		if event.IsTransient(e.Body) || typ == (event.Unreadable{}).Type() {
			return nil, fmt.Errorf("append to journal: %s is never journaled", typ)
		}
		raw, err := event.Marshal(e.Body)
		if err != nil {
			return nil, fmt.Errorf("append to journal: %w", err)
		}
		body, err := event.Unmarshal(typ, raw)
		if err != nil {
			return nil, fmt.Errorf("append to journal: %w", err)
		}
		rows[i] = row{turn: e.Turn, chat: string(e.Chat), typ: typ, key: event.Key(body), body: raw, decoded: body}
		if rows[i].audit, err = auditOf(e, body); err != nil {
			return nil, fmt.Errorf("append to journal: %w", err)
		}
		if rows[i].grants, err = decidedGrants(e, body); err != nil {
			return nil, fmt.Errorf("append to journal: %w", err)
		}
	}
	return rows, nil
}

// setPlaces sets the seq and time of rows; last is the highest Seq so far.
func setPlaces(rows []row, last int64, now time.Time) {
	ms := now.UnixMilli()
	for i := range rows {
		last++
		rows[i].seq, rows[i].time = last, ms
		if _, said := rows[i].decoded.(event.Said); said && rows[i].turn == 0 {
			rows[i].turn = last
		}
		rows[i].crc = sql.NullInt64{Int64: int64(rows[i].checksum()), Valid: true}
	}
}

// checksum is the CRC32C of all columns: the numbers as 8 bytes each, big endian, then the texts,
// each but the last preceded by its length. A row that was moved to another seq does not match it.
func (r row) checksum() uint32 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli) // made once; processors have an instruction for it
	b := make([]byte, 0, 6*8+len(r.chat)+len(r.typ)+len(r.key))
	for _, n := range []int64{r.seq, r.time, r.turn} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for _, text := range []string{r.chat, r.typ, r.key} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	return crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, r.body)
}

// event decodes a row. If it cannot be read, or was changed, the body is an [event.Unreadable]. For
// an unknown type the checksum is not compared.
func (r row) event() event.Event {
	e := event.Event{
		Seq:  r.seq,
		Time: time.UnixMilli(r.time).UTC(),
		Chat: event.Chat(r.chat),
		Turn: r.turn,
		Body: r.decoded,
	}
	if e.Body != nil {
		return e
	}
	e.Body = event.Read(r.typ, r.body)
	if u, ok := e.Body.(event.Unreadable); (!ok || u.Damaged) && r.crc.Valid && r.crc.Int64 != int64(r.checksum()) {
		e.Body = event.Unreadable{Of: r.typ, Damaged: true, Reason: "it does not have the checksum with which it was written"}
	}
	return e
}

// eventsOf returns rows from newRows as events.
func eventsOf(rows []row) []event.Event {
	var events []event.Event
	for _, r := range rows {
		events = append(events, r.event())
	}
	return events
}

func checkChat(chat event.Chat) error {
	switch bad := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }; {
	case chat == "":
		return errors.New("an entry names no chat")
	case !utf8.ValidString(string(chat)):
		return fmt.Errorf("chat %q is not UTF-8", chat)
	case strings.ContainsFunc(string(chat), bad):
		return fmt.Errorf("chat %q has a blank or a control character", chat)
	}
	return nil
}
