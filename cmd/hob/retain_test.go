package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A daemon removes at its start what [journal] keeps for a while only. What was said and done stays, the record of calls is whole, and
// nothing is sent or answered again.
func TestServe_Retention(t *testing.T) {
	h, chat, ana := botHouse(t)
	daemon := h.serve()
	chat.Say(ana, "good morning")
	h.answers(chat, 1)
	chat.Say(ana, "write a.txt line")
	h.until("it has written", func() bool { return h.exists("a.txt") })
	h.ended("telegram/7")
	chat.Say(ana, "good night")
	h.answers(chat, 2)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.state, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	count := func(query string) (n int) {
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	h.until("all is dealt with", func() bool {
		return count(`SELECT (SELECT count(*) FROM arrival WHERE state <> 'done') +
			(SELECT count(*) FROM send WHERE seq > (SELECT coalesce(max(seq), 0) FROM mark WHERE reader = 'told/' || chat))`) == 0
	})
	daemon.stop()
	sent := len(chat.FromBot())
	rows := func() int { return count(`SELECT (SELECT count(*) FROM arrival) + (SELECT count(*) FROM send)`) }
	before := rows()
	for _, table := range []string{"arrival", "send"} {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf(`UPDATE %s SET time = time - 91 * 86400000`, table)); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 4 {
		if err := os.WriteFile(filepath.Join(h.state, fmt.Sprintf("journal.db.v%d-20260%d01T000000Z.bak", n, n+1)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := h.output("journal", "dump")
	daemon = h.serve()
	h.until("old records are gone", func() bool { return rows() == 0 })
	h.until("old copies are gone", func() bool {
		left, err := filepath.Glob(filepath.Join(h.state, "*.bak"))
		return err == nil && len(left) == 2
	})
	if now := h.output("journal", "dump"); now != log || before == 0 {
		t.Errorf("of %d records some are gone; the events were\n%s\nand are\n%s", before, log, now)
	}
	chat.Say(ana, "and now?")
	h.answers(chat, 3)
	daemon.stop()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if now := len(chat.FromBot()); now != sent+1 {
		t.Errorf("there were %d messages, and one answer later there are %d", sent, now)
	}
	h.output("audit", "verify")
	h.output("journal", "check")
}
