package telegram

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// What Telegram calls what people are in groups.
const (
	creator       = "creator"
	administrator = "administrator"
	banned        = "kicked"
)

// asker is who asks, and in which group.
type asker struct {
	group, id int64
	level     event.Level
}

// askerOf returns the person who asks, as the surface vouches for them, if their level is enough: the second of three checks.
func askerOf(ctx context.Context, least event.Level) (asker, *tools.Error) {
	c := tools.CallerFrom(ctx)
	rest, ok := strings.CutPrefix(string(c.Chat), platform+"/")
	if c.Platform != platform || c.Scope != scope || !ok {
		return asker{}, refuse("this is not a Telegram group: groups are managed from within")
	}
	name, _, _ := strings.Cut(rest, "/") // a topic is a part of its group
	group, err := strconv.ParseInt(name, 10, 64)
	if err != nil || group >= 0 {
		return asker{}, refuse("this is not a Telegram group: groups are managed from within")
	}
	id, err := strconv.ParseInt(strings.TrimPrefix(c.User, platform+"/"), 10, 64)
	if err != nil || id <= 0 {
		return asker{}, refuse("nobody knows who asks for this, and it is done for an administrator of the group only")
	}
	if c.Level < least {
		return asker{}, refuse("this is for %s of the group, and whoever asks is none", levelName(least))
	}
	return asker{group, id, c.Level}, nil
}

func levelName(l event.Level) string {
	if l >= event.GroupOwner {
		return "the owner"
	}
	return "administrators"
}

// checkBot checks what the bot itself may do.
func (m manager) checkBot(ctx context.Context, a asker, rights ...string) (me event.Member, err error) {
	if me, err = m.group.Member(ctx, a.group, 0); err != nil {
		return me, err
	}
	var missing []string
	for _, r := range rights {
		if me.Role != creator && (me.Role != administrator || !slices.Contains(me.Rights, r)) {
			missing = append(missing, rightName(r))
		}
	}
	switch {
	case len(missing) == 0:
		return me, nil
	case me.Role != administrator:
		return me, refuse("I am not an administrator of this group: its owner can make me one who may %s", strings.Join(missing, ", "))
	}
	return me, refuse("I am an administrator of this group who may not %s: its owner can give me the right", strings.Join(missing, ", "))
}

func rightName(right string) string {
	switch right {
	case mayBan:
		return "ban users"
	case mayPromote:
		return "add new admins"
	case mayPin:
		return "pin messages"
	}
	return strings.ReplaceAll(strings.TrimPrefix(right, "can_"), "_", " ")
}

// checkAsker asks Telegram what the one who asks is in the group now: the third check, and the last thing
// before anything is done. It returns whether they are the group's owner.
func (m manager) checkAsker(ctx context.Context, a asker, least event.Level, right string) (owner bool, err error) {
	is, err := m.group.Member(ctx, a.group, a.id)
	if err != nil {
		return false, fmt.Errorf("whether you may do this could not be checked: %w", err)
	}
	owner = is.Role == creator
	switch {
	case !is.In():
		return false, refuse("who asks for this is not in the group any more")
	case owner, a.level >= event.BotAdmin:
		return owner, nil
	case least >= event.GroupOwner:
		return false, refuse("this is for the owner of the group, and Telegram says that whoever asks is not")
	case is.Role != administrator:
		return false, refuse("this is for administrators of the group, and Telegram says that whoever asks is none now")
	case !slices.Contains(is.Rights, right):
		return false, refuse("whoever asks is an administrator who may not %s in this group themselves", rightName(right))
	}
	return false, nil
}

// order is something to be done to somebody.
type order struct {
	user   string // as it was given
	least  event.Level
	right  string   // that who asks needs
	rights []string // that the bot needs; nil: the same
	names  bool     // a name will do
	out    bool     // also to who is out and banned
	own    bool     // it concerns an administrator, whoever asks
}

// prepare checks all that must be so before an order is carried out, and returns to whom.
func (m manager) prepare(ctx context.Context, o order) (a asker, who event.Member, err error) {
	a, bad := askerOf(ctx, o.least)
	if bad != nil {
		return a, who, bad
	}
	if o.rights == nil {
		o.rights = []string{o.right}
	}
	me, err := m.checkBot(ctx, a, o.rights...)
	if err != nil {
		return a, who, err
	}
	if who, err = m.find(ctx, a.group, o.user, o.names); err != nil {
		return a, who, err
	}
	owner, err := m.checkAsker(ctx, a, o.least, o.right)
	switch {
	case err != nil:
		return a, who, err
	case who.ID == me.ID:
		return a, who, refuse("%d is me: I do not do that to myself", who.ID)
	case who.Role == creator:
		return a, who, refuse("%d is the group's owner, to whom nobody can do that", who.ID)
	case !who.In() && (!o.out || who.Role != banned):
		return a, who, tools.Missing(event.CodeInvalidValue, "%d is not in the group", who.ID)
	case who.Role == administrator && !owner && !o.own:
		return a, who, refuse("%d is an administrator, and only the group's owner may have that done to one", who.ID)
	}
	return a, who, nil
}

func refuse(format string, args ...any) *tools.Error {
	return tools.Denied(event.CodePermissionDenied, format, args...).Suggest("do not retry; say so")
}
