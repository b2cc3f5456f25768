// Package groups manages groups as their administrators do, and remembers who wrote in them.
//
// Each call asks Telegram, stores nothing, and may be repeated: if the outcome is unknown, it is
// repeated. Errors are [*event.Error]s for models and people; type timeout says that the outcome is
// unknown.
package groups

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/retry"
	"hob/internal/surface/telegram/client"
)

const (
	maxTries = 3
	// longestWait is the longest wait that Telegram may ask for; beyond it the call fails.
	longestWait = 20 * time.Second
	// longestMute is the longest temporary mute; Telegram makes a longer one permanent.
	longestMute = 366 * 24 * time.Hour
)

// caller calls a method of the Bot API; [*client.API] is one.
type caller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
}

// Groups manages the groups of a bot as their administrators do.
type Groups struct {
	client caller
	me     func() client.User // the bot; without an ID until Telegram has reported it
	seen   *SeenUsers
	now    func() time.Time
}

// New returns the manager of a bot's groups. seen are the people who wrote in them.
func New(api caller, me func() client.User, seen *SeenUsers, now func() time.Time) *Groups {
	return &Groups{client: api, me: me, seen: seen, now: now}
}

// wireMember is a ChatMember.
type wireMember struct {
	User     client.User `json:"user"`
	Status   string      `json:"status"`
	Editable bool        `json:"can_be_edited"`
	IsMember bool        `json:"is_member"`
	Until    int64       `json:"until_date"`
	Write    bool        `json:"can_send_messages"`
	rights   []string
}

// UnmarshalJSON decodes a ChatMember. It collects the rights by prefix, because Telegram adds some
// every year.
func (w *wireMember) UnmarshalJSON(raw []byte) error {
	type plain wireMember
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, (*plain)(w)); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	w.rights = nil
	for name, value := range all {
		if strings.HasPrefix(name, "can_") && name != "can_be_edited" && string(value) == "true" {
			w.rights = append(w.rights, name)
		}
	}
	slices.Sort(w.rights)
	return nil
}

func (w *wireMember) member() event.Member {
	m := memberOf(w.User)
	m.Role = w.Status
	switch w.Status {
	case "administrator":
		m.Rights, m.Editable = w.rights, w.Editable
	case "restricted":
		m.Muted = !w.Write
		if !w.IsMember {
			m.Role = "left"
		}
	}
	if w.Until > 0 {
		m.Until = time.Unix(w.Until, 0).UTC()
	}
	return m
}

// Member returns a person's present state in a group. User 0 is the bot itself.
func (g *Groups) Member(ctx context.Context, chat, who int64) (event.Member, error) {
	if who == 0 {
		if who = g.me().ID; who == 0 {
			return event.Member{}, failure("Telegram has not said yet who I am: try again in a minute").Retry()
		}
	}
	var w wireMember
	if err := g.call(ctx, "getChatMember", ofMember(chat, who), &w); err != nil {
		return event.Member{}, err
	}
	if w.User.ID != who {
		return event.Member{}, failure("Telegram has answered about somebody else: try again")
	}
	return w.member(), nil
}

// Members returns the administrators of a group, then the people who wrote there since the start,
// the latest first. The state of the latter is not known.
func (g *Groups) Members(ctx context.Context, chat int64) ([]event.Member, error) {
	var admins []wireMember
	if err := g.call(ctx, "getChatAdministrators", client.Params{"chat_id": number(chat)}, &admins); err != nil {
		return nil, err
	}
	all := lists.Map(admins, func(w wireMember) event.Member { return w.member() })
	for _, m := range g.seen.Members(chat) {
		if !slices.ContainsFunc(all, func(known event.Member) bool { return known.ID == m.ID }) {
			all = append(all, m)
		}
	}
	return all, nil
}

// Ban removes a person from a group and keeps them out, or ends that for a banned person; it
// changes nothing for anybody else. A basic group cannot keep anybody out.
func (g *Groups) Ban(ctx context.Context, chat, who int64, out bool) error {
	p := ofMember(chat, who)
	if out {
		return g.call(ctx, "banChatMember", p, nil)
	}
	p["only_if_banned"] = "true"
	return g.call(ctx, "unbanChatMember", p, nil)
}

// Mute stops a person from writing in a group for a while, from 30 seconds to 366 days; 0 lifts all
// restrictions. By Telegram's clock a shorter or longer time is permanent; [Groups.Member] reports
// the real time.
func (g *Groups) Mute(ctx context.Context, chat, who int64, d time.Duration) error {
	p := ofMember(chat, who)
	may := map[string]bool{}
	for _, what := range []string{"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos",
		"can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews",
		"can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics"} {
		may[what] = d == 0
	}
	text, err := json.Marshal(may)
	if err != nil {
		return fmt.Errorf("write permissions: %w", err)
	}
	p["permissions"], p["use_independent_chat_permissions"] = string(text), "true"
	if d > 0 {
		// The longest mute is a minute shorter, because two clocks never agree exactly.
		p["until_date"] = number(g.now().Add(min(d, longestMute-time.Minute)).Unix())
	}
	return g.call(ctx, "restrictChatMember", p, nil)
}

// Promote makes a person an administrator with exactly these rights, in Telegram's terms. Without
// rights they are no administrator.
func (g *Groups) Promote(ctx context.Context, chat, who int64, rights []string) error {
	p := ofMember(chat, who)
	for _, r := range []string{"is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members",
		"can_promote_members", "can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics"} {
		p[r] = "false"
	}
	for _, r := range rights {
		p[r] = "true"
	}
	return g.call(ctx, "promoteChatMember", p, nil)
}

// Pin pins a message of a group without a notification, or unpins it.
func (g *Groups) Pin(ctx context.Context, chat, message int64, on bool) error {
	p := client.Params{"chat_id": number(chat), "message_id": number(message)}
	if !on {
		return g.call(ctx, "unpinChatMessage", p, nil)
	}
	p["disable_notification"] = "true"
	return g.call(ctx, "pinChatMessage", p, nil)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func ofMember(chat, who int64) client.Params {
	return client.Params{"chat_id": number(chat), "user_id": number(who)}
}

// call makes a call, and repeats it for a short time if that may help. It returns nil only after a
// success.
func (g *Groups) call(ctx context.Context, method string, p client.Params, out any) error {
	var failed *client.Error
	policy := retry.Policy{
		Backoff: retry.Backoff{First: time.Second}, Tries: maxTries, GiveUpEarly: true,
		Permanent: func(error) bool { return !mayWorkLater(failed) },
		Wait:      func(_ error, backoff time.Duration) time.Duration { return cmp.Or(failed.RetryAfter, backoff) },
	}
	last := error(nil)
	err := policy.Do(ctx, func() error {
		if last = g.client.Call(ctx, method, p, out); last != nil && !errors.As(last, &failed) {
			failed = &client.Error{Method: method, Err: last, Unknown: true}
		}
		return last
	})
	switch {
	case err == nil:
		return nil
	case last != err && (!failed.Unknown || strings.HasPrefix(method, "get")): // ctx ended during the wait
		return &event.Error{Type: event.TypeExecution, Code: event.CodeCancelled, Message: "it was stopped before anything was done"}
	}
	return explain(failed)
}

// mayWorkLater reports whether a call may succeed soon: Telegram asked for a short wait, or did not
// answer.
func mayWorkLater(e *client.Error) bool {
	if e.RetryAfter > 0 {
		return e.RetryAfter <= longestWait
	}
	return e.Unknown || e.Code == 0 || e.Code >= 500
}

// explain says in one sentence why an action failed.
func explain(e *client.Error) *event.Error {
	says := strings.ToLower(e.Message)
	switch {
	case e.MovedTo != 0 || strings.Contains(says, "upgraded to a supergroup"):
		return &event.Error{Type: event.TypeNotFound, Code: event.CodeExecutionFailed, Message: "this group has become another chat, a supergroup: ask there, nothing can be done in the old one"}
	case e.RetryAfter > 0:
		return &event.Error{Type: event.TypeRateLimit, Code: event.CodeRateLimitExceeded, Retryable: true,
			Message: fmt.Sprintf("Telegram wants to be left alone for %s: try again then", e.RetryAfter)}
	case e.Unknown && strings.HasPrefix(e.Method, "get"), e.Code == 0 && !e.Unknown:
		return failure("Telegram cannot be reached: nothing was done").Retry()
	case e.Unknown:
		return &event.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "Telegram has not answered: nobody knows whether it was done, so look before you try again"}
	case errors.Is(e, client.ErrForbidden):
		return denied("Telegram does not let me in there: I am not in this group, or not any more")
	case errors.Is(e, client.ErrUnauthorized):
		return failure("Telegram does not accept me as a bot at the moment: nothing was done")
	}
	for _, known := range refusals() {
		if strings.Contains(says, known.words) {
			return known.means
		}
	}
	return failure("Telegram refuses it: " + e.Message)
}

func failure(text string) *event.Error {
	return &event.Error{Type: event.TypeExecution, Code: event.CodeExecutionFailed, Message: text}
}

func denied(text string) *event.Error {
	return &event.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: text}
}

func notFound(text string) *event.Error {
	return &event.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: text}
}

// refusal is a text of a refusal by Telegram, in lower case, with its meaning.
type refusal struct {
	words string
	means *event.Error
}

// refusals lists those that people can act on. The first match counts.
func refusals() []refusal {
	noRight := denied("Telegram says that I have not the right to do that here: the group's owner can give it to me among its administrators")
	nobody := notFound("Telegram knows nobody with this number in the group")
	noMessage := notFound("there is no message with this number in the group")
	const noSuper = "Telegram does that in supergroups only, and this is a basic group: its owner can make it one in its settings on Telegram"
	return []refusal{
		{"can't remove chat owner", denied("it is the group's owner, to whom nobody can do that")},
		{"user is an administrator of the chat", denied("they are an administrator of the group, and only who made them one can take that away first")},
		{"can't restrict self", denied("that is me: I do not do that to myself")},
		{"can't promote self", denied("that is me: I do not do that to myself")},
		{"not enough rights", noRight},
		{"need administrator rights", noRight},
		{"chat_admin_required", noRight},
		{"right_forbidden", noRight},
		{"supergroup", &event.Error{Type: event.TypePermission, Code: event.CodeExecutionFailed, Message: noSuper}},
		{"user_not_participant", notFound("they are not in the group")},
		{"participant_id_invalid", nobody},
		{"user_id_invalid", nobody},
		{"invalid user_id", nobody},
		{"user not found", nobody},
		{"member not found", nobody},
		{"pin not found", noMessage}, // and "to unpin not found"
		{"message not found", noMessage},
		{"message_id_invalid", noMessage},
		{"chat not found", &event.Error{Type: event.TypeNotFound, Code: event.CodeExecutionFailed, Message: "Telegram does not know this group, or not any more"}},
	}
}
