package telegramtest

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Documented (core.telegram.org/bots/api) of the management of groups are: the methods, their parameters and
// results, the fields of ChatMember, that the bot must be an administrator with the right in question, that a
// mute of less than 30 seconds or more than 366 days is for ever, that unbanChatMember throws out who is there
// unless only_if_banned is set, that restrictChatMember works in supergroups only, and which bans stay in which
// kind of group.
//
// The words of the refusals, their order, and that rights which the bot has not got itself cannot be given
// (RIGHT_FORBIDDEN), are from experience, and may change without notice.

// The rights of administrators that methods here ask for.
const (
	CanRestrict = "can_restrict_members"
	CanPromote  = "can_promote_members"
	CanPin      = "can_pin_messages"
	CanDelete   = "can_delete_messages"
	CanInvite   = "can_invite_users"
)

// adminRights are all rights of administrators that are known here, as parameters and fields.
func adminRights() []string {
	return []string{"can_manage_chat", CanDelete, "can_manage_video_chats", CanRestrict, CanPromote, "can_change_info", CanInvite, CanPin,
		"can_manage_topics"}
}

// chatPermissions are the fields of ChatPermissions.
func chatPermissions() []string {
	return []string{"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
		"can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_change_info", "can_invite_users",
		"can_pin_messages", "can_manage_topics"}
}

// Admin makes a user an administrator with those rights and no others, as the group's owner does.
func (c *Chat) Admin(u *User, rights ...string) {
	c.setMember(Member{User: u, Role: Administrator, Rights: rights})
}

// AdminBot makes the bot one.
func (c *Chat) AdminBot(rights ...string) { c.Admin(&c.s.bot, rights...) }

// Member returns what a user is in the group now; known is false for who has never been there.
func (c *Chat) Member(id int64) (m Member, known bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m, known = c.members[id]
	m.Rights = slices.Clone(m.Rights)
	return m, known
}

// Pinned returns the messages that are pinned, the last one last.
func (c *Chat) Pinned() []int64 { return copied(c.s, &c.pinned) }

// wire returns a ChatMember.
func (m Member) wire(bot int64) map[string]any {
	w := map[string]any{"user": m.User.wire(), "status": m.Role}
	switch m.Role {
	case Administrator:
		w["can_be_edited"] = m.By == bot
		for _, r := range adminRights() {
			w[r] = slices.Contains(m.Rights, r) || r == "can_manage_chat"
		}
	case Restricted:
		w["is_member"], w["until_date"] = true, 0
		if !m.Until.IsZero() {
			w["until_date"] = m.Until.Unix()
		}
		for _, p := range chatPermissions() {
			w[p] = !m.Muted
		}
	}
	return w
}

// requireRight refuses a call that needs a right that the bot has not.
func (c *call) requireRight(chat *Chat, right, refusal string) {
	me := chat.members[c.bot.ID]
	if me.Role != Administrator || !slices.Contains(me.Rights, right) {
		panic(bad(refusal))
	}
}

// managed returns the group and the member that a call is about, of whom it asks what the bot may do.
func (c *call) managed(right, refusal string) (*Chat, Member) {
	chat := c.chat()
	m, known := chat.members[c.p.number("user_id")]
	if !known {
		if m.User = c.users[c.p.number("user_id")]; m.User == nil {
			panic(bad("PARTICIPANT_ID_INVALID"))
		}
		m.Role = Left
	}
	if m.User.ID == c.bot.ID {
		panic(bad("can't restrict self"))
	}
	c.requireRight(chat, right, refusal)
	switch {
	case m.Role == Creator:
		panic(bad("can't remove chat owner"))
	case m.Role == Administrator && m.By != c.bot.ID:
		panic(bad("user is an administrator of the chat"))
	}
	return chat, m
}

// restricted is managed for the methods that restrict or remove a member.
func (c *call) restricted() (*Chat, Member) {
	return c.managed(CanRestrict, "not enough rights to restrict/unrestrict chat member")
}

func (c *call) requireSuper(chat *Chat) {
	if chat.Type != "supergroup" {
		panic(bad("method is available only for supergroups"))
	}
}

func (c *call) banChatMember() any {
	chat, m := c.restricted()
	role := Banned
	if chat.Type == "group" {
		role = Left // nobody stays banned there
	}
	chat.members[m.User.ID] = Member{User: m.User, Role: role}
	return true
}

func (c *call) unbanChatMember() any {
	chat, m := c.restricted()
	c.requireSuper(chat)
	if m.Role == Banned || !c.p.yes("only_if_banned") {
		chat.members[m.User.ID] = Member{User: m.User, Role: Left}
	}
	return true
}

func (c *call) restrictChatMember() any {
	chat, m := c.restricted()
	c.requireSuper(chat)
	var may map[string]bool
	if json.Unmarshal([]byte(c.p["permissions"]), &may) != nil || len(may) == 0 {
		panic(bad("can't parse permissions JSON object"))
	}
	for p := range may {
		if !slices.Contains(chatPermissions(), p) {
			panic(bad("unknown permission " + p)) // Telegram ignores it: a mistake of the bot
		}
	}
	if m.Role != Ordinary && m.Role != Restricted {
		panic(bad("USER_NOT_PARTICIPANT"))
	}
	next := Member{User: m.User, Role: Ordinary}
	if slices.ContainsFunc(chatPermissions(), func(p string) bool { return !may[p] }) {
		next = Member{User: m.User, Role: Restricted, Muted: !may["can_send_messages"]}
		at := time.Unix(c.p.number("until_date"), 0)
		if left := at.Sub(c.now); left >= 30*time.Second && left <= 366*24*time.Hour {
			next.Until = at
		}
	}
	chat.members[m.User.ID] = next
	return true
}

func (c *call) promoteChatMember() any {
	chat, m := c.managed(CanPromote, "not enough rights")
	c.requireSuper(chat)
	if m.Role != Ordinary && m.Role != Restricted && m.Role != Administrator {
		panic(bad("USER_NOT_PARTICIPANT"))
	}
	next := Member{User: m.User, Role: Ordinary}
	for _, r := range adminRights() {
		if c.p.yes(r) {
			c.requireRight(chat, r, "RIGHT_FORBIDDEN")
			next.Role, next.By = Administrator, c.bot.ID
			next.Rights = append(next.Rights, r)
		}
	}
	chat.members[m.User.ID] = next
	return true
}

// pinnedMessage returns the chat and the message that a call about pins is about.
func (c *call) pinnedMessage() (*Chat, int64) {
	chat, id := c.chat(), c.p.number("message_id")
	c.requireRight(chat, CanPin, "not enough rights to manage pinned messages in the chat")
	if chat.find(id) == nil {
		panic(bad("message to pin not found"))
	}
	return chat, id
}

func (c *call) pinChatMessage() any {
	if chat, id := c.pinnedMessage(); !slices.Contains(chat.pinned, id) {
		chat.pinned = append(chat.pinned, id)
	}
	return true
}

func (c *call) unpinChatMessage() any {
	chat, id := c.pinnedMessage()
	chat.pinned = slices.DeleteFunc(chat.pinned, func(p int64) bool { return p == id })
	return true
}

func (c *call) getChatAdministrators() any {
	chat := c.chat()
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(chat.members)) {
		// Other bots are left out, as documented; whether this one is depends on the server, and here it is.
		if m := chat.members[id]; (m.Role == Creator || m.Role == Administrator) && !m.User.Bot {
			all = append(all, m.wire(c.bot.ID))
		}
	}
	return all
}
