package campaigns

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/saga"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/untrusted"
)

// Repository are the campaigns in the journal's file, and which of them a chat is bound to. Without a journal there are none.
type Repository struct{ db *store.DB }

// New returns the campaigns in db; none for a nil db.
func New(db *store.DB) Repository { return Repository{db} }

// boundTo begins the key of the setting that says which campaign a chat is bound to.
const boundTo = "story/"

// ownText begins the key of the setting that says of a campaign that its texts came with hob, or were made by it, and that nobody untrusted
// has played it. Where there is none, a stranger may have written them: what is forgotten is not trusted.
const ownText = "story-own/"

// groups begins the names of the chats of groups.
const groups = "telegram/-"

// errNoStories says that a command works without the journal.
var errNoStories = errors.New("stories are played in a chat: hob game play")

// List implements [gamemaster.Campaigns].
func (s Repository) List(ctx context.Context) ([]gamemaster.Campaign, error) {
	if s.db == nil {
		return nil, nil
	}
	all, err := s.db.Campaigns().List(ctx)
	list := make([]gamemaster.Campaign, 0, len(all))
	for _, c := range all {
		list = append(list, gamemaster.Campaign{ID: c.ID, Title: shortTitle(c.Title)})
	}
	return list, err
}

// Log implements [gamemaster.Campaigns].
func (s Repository) Log(id string) saga.Log { return EventLog{kept: s.db.Campaigns(), id: id} }

// Add implements [gamemaster.Campaigns].
func (s Repository) Add(ctx context.Context, c gamemaster.Campaign, fill func(saga.Log) error) error {
	if s.db == nil {
		return errNoStories
	}
	if err := CheckName(c.ID); err != nil {
		return err
	}
	log := &DraftLog{Memory: saga.NewMemory()}
	if err := fill(log); err != nil {
		return err
	}
	return s.Keep(ctx, c, log)
}

// Label implements [gamemaster.Campaigns].
func (s Repository) Label(ctx context.Context, id string) (event.Label, error) {
	if s.db == nil {
		return event.Label{}, nil
	}
	own, err := s.db.Settings().Get(ctx, ownText+id)
	strange := own == ""
	if !strange && err == nil {
		strange, err = s.playedByGroup(ctx, id)
	}
	if !strange || err != nil {
		return event.Label{}, err
	}
	return event.Label{Untrusted: true, Source: "story:" + id}, nil
}

// playedByGroup reports whether a group plays a campaign or has played it. An older hob did not keep that: the log says so, whose requests
// begin with the name of their chat.
func (s Repository) playedByGroup(ctx context.Context, id string) (bool, error) {
	if played, err := s.db.Campaigns().EntryBy(ctx, id, groups); played || err != nil {
		return played, err
	}
	bound, err := s.db.Settings().List(ctx, boundTo+groups)
	for _, campaign := range bound {
		if campaign == id {
			return true, nil
		}
	}
	return false, err
}

// Distrust implements [gamemaster.Campaigns].
func (s Repository) Distrust(ctx context.Context, id string) error {
	if s.db == nil {
		return nil
	}
	if own, err := s.db.Settings().Get(ctx, ownText+id); own == "" || err != nil {
		return err
	}
	return s.db.Settings().Set(context.WithoutCancel(ctx), ownText+id, "")
}

// shortTitle is what a story is called in a list: one line, whoever wrote it.
func shortTitle(title string) string {
	const most = 60
	title, _ = untrusted.Plain(strings.Join(strings.Fields(title), " "))
	if r := []rune(title); len(r) > most {
		title = string(r[:most-1]) + "…"
	}
	return title
}

// Bound implements [gamemaster.Campaigns].
func (s Repository) Bound(ctx context.Context, chat event.Chat) (string, error) {
	if s.db == nil {
		return "", nil
	}
	return s.db.Settings().Get(ctx, boundTo+string(chat))
}

// Bind implements [gamemaster.Campaigns].
func (s Repository) Bind(ctx context.Context, chat event.Chat, id string) error {
	if s.db == nil {
		return errNoStories
	}
	return s.db.Settings().Set(ctx, boundTo+string(chat), id)
}

// Keep keeps a new campaign whose log is whole, and whether its texts are hob's own. Dropping one takes that back first, so that no
// other of its name is taken for it.
func (s Repository) Keep(ctx context.Context, c gamemaster.Campaign, log *DraftLog) error {
	err := s.db.Campaigns().Add(ctx, c.ID, c.Title, log.entries(ctx))
	var taken *store.TakenError
	if errors.As(err, &taken) {
		err = exit.Errorf(exit.Usage, "%v", taken)
	}
	if err == nil && !c.Strange {
		err = s.db.Settings().Set(ctx, ownText+c.ID, "1")
	}
	if snapshot, none := log.Snapshot(ctx); err == nil && none == nil && len(snapshot) > 0 {
		_ = s.db.Campaigns().SetCache(ctx, c.ID, snapshot) // without it, it takes longer to load, and that is all
	}
	return err
}

// Drop takes a campaign away.
func (s Repository) Drop(ctx context.Context, id string) error {
	if err := s.db.Settings().Set(ctx, ownText+id, ""); err != nil {
		return err
	}
	return s.db.Campaigns().Drop(ctx, id)
}

// Options returns what a campaign needs from outside.
func Options() (saga.Options, error) {
	book, err := game.Rules()
	opt := game.Options(book, time.Now)
	opt.Keeps = game.Keeps
	return opt, err
}

// CheckName refuses names of campaigns that could not be typed again, or would be taken for something else.
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
