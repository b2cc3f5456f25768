package campaigns_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// A campaign that somebody untrusted has played is untrusted for good, also after a restart; so is one that a group played with an older
// hob, which only the log says. Another of its name is not.
func TestWhoHasPlayedAStory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	open := func() campaigns.Repository {
		db, err := store.Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return campaigns.New(db)
	}
	s := open()
	book := game.Rules()
	opt := game.Options(book, time.Now)
	add := func(s campaigns.Repository, id string) {
		t.Helper()
		w, counts, err := game.Begin(t.Context(), book, game.Start{Session: id, Title: id, Lang: "en", Theme: id, Size: 8, Hero: "Mara"})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Add(t.Context(), gamemaster.Campaign{ID: id, Title: id}, func(log eventlog.Storage) error {
			_, err := eventlog.Create(t.Context(), log, eventlog.Beginning{ID: id, World: w, Counts: counts}, opt)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	played := func(s campaigns.Repository, id, request string) {
		t.Helper()
		campaign, err := eventlog.Load(t.Context(), s.Log(id), opt)
		if err == nil {
			_, err = campaign.Play(t.Context(), eventlog.Request{ID: request, Input: "hello"})
		}
		if err == nil {
			_, err = campaign.Undo(t.Context(), 1, eventlog.Origin{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"clean", "played", "old", "bound", "again"} {
		add(s, id)
	}
	played(s, "clean", "telegram/4711/3/1.0")
	played(s, "old", "telegram/-100200/3/1.0")
	for _, err := range []error{
		s.Bind(t.Context(), "telegram/-100200", "bound"), s.Bind(t.Context(), "telegram/4711", "clean"), s.Distrust(t.Context(), "played"), s.Distrust(t.Context(), "again"),
		s.Drop(t.Context(), "again"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	add(s, "again")
	s = open()
	for id, want := range map[string]bool{"clean": false, "played": true, "old": true, "bound": true, "again": false, "unknown": true} {
		wanted := event.Label{}
		if want {
			wanted = event.Label{Untrusted: true, Source: "story:" + id}
		}
		if got, err := s.Label(t.Context(), id); err != nil || got != wanted {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := s.Label(ended, "clean"); err == nil {
		t.Errorf("nobody could look, and the label is %+v", got)
	}
}
