package telegram

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

// liftTime is how long lifting a ban may take after somebody was thrown out, also when nobody waits for it any more.
const liftTime = 40 * time.Second

// isSuper reports whether a group is a supergroup, in which who was thrown out stays out.
func isSuper(group int64) bool { return group <= -1_000_000_000_000 }

// resultOf is the result of something that was done.
func resultOf(kind, target, detail, format string, args ...any) tools.Result {
	return tools.Result{Text: fmt.Sprintf(format, args...), Effects: []event.Effect{{Kind: kind, Target: target, Detail: detail}}}
}

func person(id int64) string { return fmt.Sprintf("Telegram user %d", id) }

// isUnknownOutcome reports whether nobody knows what came of something that ended in this error.
func isUnknownOutcome(err error) bool {
	var e *tools.Error
	return !errors.As(err, &e) || e.Type == event.TypeTimeout
}

// kick bans, which throws out, and lifts the ban. What was begun is done to the end, whoever stops it meanwhile.
func (m manager) kick(ctx context.Context, in kickArgs) (tools.Result, error) {
	a, who, err := m.prepare(ctx, order{user: in.User, least: event.GroupAdmin, right: mayBan, out: true})
	if err != nil {
		return tools.Result{}, err
	}
	if who.Role == banned {
		return m.liftBan(ctx, a, who, in.Ban)
	}
	err = m.group.Ban(ctx, a.group, who.ID, true)
	switch {
	case err != nil && isUnknownOutcome(err):
		return tools.Result{}, fmt.Errorf("%d may be out of the group and banned, and may be neither: %w", who.ID, err)
	case err != nil:
		return tools.Result{}, err
	case !isSuper(a.group):
		text := "%d is out of the group, and may come back"
		if in.Ban {
			text += ": in a basic group nobody stays banned"
		}
		return resultOf("kicked", person(who.ID), "", text, who.ID), nil
	case in.Ban:
		return resultOf("banned", person(who.ID), "", "%d is out of the group, banned: they may not come back", who.ID), nil
	}
	lifting, cancel := context.WithTimeout(context.WithoutCancel(ctx), liftTime)
	defer cancel()
	if err := m.group.Ban(lifting, a.group, who.ID, false); err != nil {
		res := resultOf("banned", person(who.ID), "the ban could not be lifted", "")
		why := fmt.Errorf("%d is out of the group and still banned, because the ban could not be lifted: %w", who.ID, err)
		if isUnknownOutcome(err) {
			why = fmt.Errorf("%d is out of the group and perhaps still banned, because Telegram did not say that the ban was lifted: %w", who.ID, err)
		}
		return res, halfDone(why)
	}
	return resultOf("kicked", person(who.ID), "", "%d is out of the group, and may come back", who.ID), nil
}

// halfDone is the error of a kick that is only half done.
func halfDone(why error) error {
	return &tools.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: why.Error(),
		Suggestion: "kick_member with the same user once more lifts the ban; tell the user that they are still banned until then"}
}

// liftBan lifts the ban of somebody who was thrown out before.
func (m manager) liftBan(ctx context.Context, a asker, who event.Member, keep bool) (tools.Result, error) {
	if keep {
		return tools.Result{Text: fmt.Sprintf("%d is out of the group and banned already: nothing was done", who.ID)}, nil
	}
	if err := m.group.Ban(ctx, a.group, who.ID, false); err != nil {
		return tools.Result{}, fmt.Errorf("%d is out of the group already and still banned: %w", who.ID, err)
	}
	return resultOf("unbanned", person(who.ID), "", "%d was out of the group already; the ban is lifted, they may come back", who.ID), nil
}

func (m manager) mute(ctx context.Context, in muteArgs) (tools.Result, error) {
	a, who, err := m.prepare(ctx, order{user: in.User, least: event.GroupAdmin, right: mayBan, names: true})
	if err != nil {
		return tools.Result{}, err
	}
	if who.Role == administrator {
		return tools.Result{}, refuse("%d is an administrator, and administrators cannot be muted: demote them first", who.ID)
	}
	if err := m.group.Mute(ctx, a.group, who.ID, time.Duration(in.Minutes)*time.Minute); err != nil {
		return tools.Result{}, err
	}
	long := fmt.Sprintf("for %d minutes", in.Minutes)
	if in.Minutes == 1 {
		long = "for a minute"
	}
	// Telegram takes less than half a minute by its own clock for ever, and this machine's may be late.
	switch is, err := m.group.Member(ctx, a.group, who.ID); {
	case err == nil && is.Muted && is.Until.IsZero():
		return resultOf("muted", person(who.ID), "for ever",
			"%d may not write any more, for ever and not %s: the clocks of Telegram and of this machine differ, so unmute_member has to end it", who.ID, long), nil
	case err == nil && is.Muted:
		long += ", until " + is.Until.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	return resultOf("muted", person(who.ID), long, "%d may not write in the group %s", who.ID, long), nil
}

func (m manager) unmute(ctx context.Context, in unmuteArgs) (tools.Result, error) {
	a, who, err := m.prepare(ctx, order{user: in.User, least: event.GroupAdmin, right: mayBan, names: true})
	if err != nil {
		return tools.Result{}, err
	}
	if who.Role != "restricted" {
		return tools.Result{Text: fmt.Sprintf("%d is not muted: nothing was done", who.ID)}, nil
	}
	if err := m.group.Mute(ctx, a.group, who.ID, 0); err != nil {
		return tools.Result{}, err
	}
	return resultOf("unmuted", person(who.ID), "", "%d may write in the group again", who.ID), nil
}

func (m manager) promote(ctx context.Context, in userArgs) (tools.Result, error) {
	a, who, err := m.prepare(ctx, order{user: in.User, least: event.GroupOwner, right: mayPromote, rights: append(givenRights(), mayPromote), own: true})
	switch {
	case err != nil:
		return tools.Result{}, err
	case who.Role == administrator:
		return tools.Result{Text: fmt.Sprintf("%d is an administrator already: nothing was done", who.ID)}, nil
	case who.Bot:
		return tools.Result{}, refuse("%d is a bot, and bots are made administrators by hand", who.ID)
	}
	if err := m.group.Promote(ctx, a.group, who.ID, givenRights()); err != nil {
		return tools.Result{}, err
	}
	return resultOf("promoted", person(who.ID), "", "%d is an administrator now who may delete messages, invite people and pin messages", who.ID), nil
}

// demote is for who made somebody an administrator: the bot can take back only what it has given, and Telegram
// says so of each.
func (m manager) demote(ctx context.Context, in userArgs) (tools.Result, error) {
	a, who, err := m.prepare(ctx, order{user: in.User, least: event.GroupOwner, right: mayPromote, own: true})
	switch {
	case err != nil:
		return tools.Result{}, err
	case who.Role != administrator:
		return tools.Result{Text: fmt.Sprintf("%d is no administrator: nothing was done", who.ID)}, nil
	case !who.Editable:
		return tools.Result{}, refuse("%d was not made an administrator by me, and only who did that can take it back", who.ID)
	}
	if err := m.group.Promote(ctx, a.group, who.ID, nil); err != nil {
		return tools.Result{}, err
	}
	return resultOf("demoted", person(who.ID), "", "%d is an ordinary member of the group now", who.ID), nil
}

func (m manager) pin(ctx context.Context, message int64, on bool) (tools.Result, error) {
	a, bad := askerOf(ctx, event.GroupAdmin)
	if bad != nil {
		return tools.Result{}, bad
	}
	if _, err := m.checkBot(ctx, a, mayPin); err != nil {
		return tools.Result{}, err
	}
	if _, err := m.checkAsker(ctx, a, event.GroupAdmin, mayPin); err != nil {
		return tools.Result{}, err
	}
	if err := m.group.Pin(ctx, a.group, message, on); err != nil {
		return tools.Result{}, err
	}
	target := fmt.Sprintf("message %d", message)
	if !on {
		return resultOf("unpinned", target, "", "message %d is not pinned any more", message), nil
	}
	return resultOf("pinned", target, "", "message %d is pinned; nobody was notified", message), nil
}
