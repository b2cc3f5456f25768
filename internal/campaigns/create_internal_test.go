package campaigns

import (
	"context"
	"errors"
	"testing"

	"hob/internal/game/eventlog"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// failingJournal is a journal that fails the test if anything is written.
type failingJournal struct{ t *testing.T }

func (j failingJournal) MakeState() error { j.t.Error("a state folder is made"); return nil }

func (j failingJournal) OpenJournal(context.Context) (*store.DB, error) {
	return nil, errors.New("opened")
}

func (j failingJournal) WithJournal(context.Context, func(*store.DB) error) error { return nil }

// A campaign whose making fails half way is not kept.
func TestCreate_CutOff(t *testing.T) {
	stop := errors.New("stop")
	err := createCampaign(t.Context(), failingJournal{t}, gamemaster.Campaign{ID: "half"}, func(log eventlog.Storage, _ eventlog.Options) (string, error) {
		return "", errors.Join(log.Append(t.Context(), 0, []byte("{}"), ""), stop)
	})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}
