package campaigns

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/lists"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/untrusted"
)

// Repository stores the campaigns in the journal's file, and the campaign of each chat. Without a
// journal it is empty.
type Repository struct{ db *store.DB }

// New returns the repository in db. A nil db is an empty one.
func New(db *store.DB) Repository { return Repository{db} }

// bindingPrefix begins the setting that stores the campaign of a chat.
const bindingPrefix = "story/"

// ownTextPrefix begins the setting that marks a campaign as trusted: its texts come from hob, and
// no stranger has played it. Without the setting a stranger may have written them.
const ownTextPrefix = "story-own/"

// groupPrefix begins the names of group chats.
const groupPrefix = "telegram/-"

// errNoJournal means that the command runs without the journal.
var errNoJournal = errors.New("stories are played in a chat: hob game play")

// List implements [gamemaster.Campaigns].
func (r Repository) List(ctx context.Context) ([]gamemaster.Campaign, error) {
	if r.db == nil {
		return nil, nil
	}
	all, err := r.db.Campaigns().List(ctx)
	return lists.Map(all, func(c store.Campaign) gamemaster.Campaign {
		return gamemaster.Campaign{ID: c.ID, Title: shortTitle(c.Title)}
	}), err
}

// Log implements [gamemaster.Campaigns].
func (r Repository) Log(id string) eventlog.Storage { return EventLog{db: r.db.Campaigns(), id: id} }

// Add implements [gamemaster.Campaigns].
func (r Repository) Add(ctx context.Context, c gamemaster.Campaign, fill func(eventlog.Storage) error) error {
	if r.db == nil {
		return errNoJournal
	}
	if err := CheckName(c.ID); err != nil {
		return err
	}
	log := eventlog.NewMemoryStorage()
	if err := fill(log); err != nil {
		return err
	}
	return r.Keep(ctx, c, log)
}

// Label implements [gamemaster.Campaigns].
func (r Repository) Label(ctx context.Context, id string) (event.Label, error) {
	if r.db == nil {
		return event.Label{}, nil
	}
	own, err := r.db.Settings().Get(ctx, ownTextPrefix+id)
	strange := own == ""
	if !strange && err == nil {
		strange, err = r.playedByGroup(ctx, id)
	}
	if !strange || err != nil {
		return event.Label{}, err
	}
	return event.Label{Untrusted: true, Source: "story:" + id}, nil
}

// playedByGroup reports whether a group plays or has played a campaign. Older versions did not
// store that; the log shows it, because its request ids begin with the chat's name.
func (r Repository) playedByGroup(ctx context.Context, id string) (bool, error) {
	if played, err := r.db.Campaigns().EntryBy(ctx, id, groupPrefix); played || err != nil {
		return played, err
	}
	bound, err := r.db.Settings().List(ctx, bindingPrefix+groupPrefix)
	for _, campaign := range bound {
		if campaign == id {
			return true, nil
		}
	}
	return false, err
}

// Distrust implements [gamemaster.Campaigns].
func (r Repository) Distrust(ctx context.Context, id string) error {
	if r.db == nil {
		return nil
	}
	if own, err := r.db.Settings().Get(ctx, ownTextPrefix+id); own == "" || err != nil {
		return err
	}
	return r.db.Settings().Set(context.WithoutCancel(ctx), ownTextPrefix+id, "")
}

// shortTitle returns a story's title for a list: one line without control characters.
func shortTitle(title string) string {
	title, _ = untrusted.Plain(display.Join(title))
	return display.Truncate(title, 60)
}

// Bound implements [gamemaster.Campaigns].
func (r Repository) Bound(ctx context.Context, chat event.Chat) (string, error) {
	if r.db == nil {
		return "", nil
	}
	return r.db.Settings().Get(ctx, bindingPrefix+string(chat))
}

// Bind implements [gamemaster.Campaigns].
func (r Repository) Bind(ctx context.Context, chat event.Chat, id string) error {
	if r.db == nil {
		return errNoJournal
	}
	return r.db.Settings().Set(ctx, bindingPrefix+string(chat), id)
}

// Keep stores a complete new campaign, and whether its texts are hob's own. [Repository.Drop]
// removes that mark first, so that a later campaign of that name does not inherit it.
func (r Repository) Keep(ctx context.Context, c gamemaster.Campaign, log *eventlog.MemoryStorage) error {
	entries, err := entriesOf(ctx, log)
	if err == nil {
		err = r.db.Campaigns().Add(ctx, c.ID, c.Title, entries)
	}
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = exit.Errorf(exit.Usage, "%v", taken)
	}
	if err == nil && !c.Strange {
		err = r.db.Settings().Set(ctx, ownTextPrefix+c.ID, "1")
	}
	if snapshot, none := log.Snapshot(ctx); err == nil && none == nil && len(snapshot) > 0 {
		_ = r.db.Campaigns().SetCache(ctx, c.ID, snapshot) // without a snapshot it only loads more slowly
	}
	return err
}

// Drop deletes a campaign.
func (r Repository) Drop(ctx context.Context, id string) error {
	if err := r.db.Settings().Set(ctx, ownTextPrefix+id, ""); err != nil {
		return err
	}
	return r.db.Campaigns().Drop(ctx, id)
}

// Options returns the rules, the clock and the snapshots of a campaign.
func Options() eventlog.Options {
	opt := game.Options(game.Rules(), time.Now)
	opt.CarryOver = game.Keeps
	return opt
}

// CheckName returns an error for a name that is hard to type or could be taken for something else.
func CheckName(id string) error {
	odd := strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	first, _ := utf8.DecodeRuneInString(id)
	if odd || !utf8.ValidString(id) || utf8.RuneCountInString(id) > 64 || !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return exit.Errorf(exit.Usage, "%q is no name for a campaign: it begins with a letter or a digit, and has besides these -, _ and dots, at most 64 "+
			"in all", id)
	}
	return nil
}
