package telegramtest

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// What of managing groups is documented (core.telegram.org/bots/api): the methods, their parameters and results, the fields of
// ChatMember, that the bot must be an administrator with the right in question, that a mute or a ban of less than 30 seconds
// or more than 366 days is for ever, that unbanChatMember throws out who is there unless only_if_banned is set, that
// restrictChatMember works in supergroups only, and which bans stay in which kind of group.
//
// What is from experience, and may change without notice: the words of the refusals, in what order they are looked for, and
// that rights which the bot has not got itself cannot be given (RIGHT_FORBIDDEN).

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
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.members[u.ID] = Member{User: u, Role: Administrator, Rights: rights}
}

// AdminBot makes the bot one.
func (c *Chat) AdminBot(rights ...string) { c.Admin(&c.s.bot, rights...) }

// Member returns what a user is in the group now; known is false for who has never been there.
func (c *Chat) Member(id int64) (m Member, known bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m, known = c.member(id, c.s.opts.Now())
	m.Rights = slices.Clone(m.Rights)
	return m, known
}

// Pinned returns the messages that are pinned, the last one last.
func (c *Chat) Pinned() []int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.pinned)
}

// member is what a user is at a time: what was for a while ends. The lock is held.
func (c *Chat) member(id int64, now time.Time) (Member, bool) {
	m, ok := c.members[id]
	if ok && !m.Until.IsZero() && !now.Before(m.Until) {
		switch m.Role {
		case Banned:
			m.Role = Left
		case Restricted:
			m.Role, m.Muted = Ordinary, false
		}
		m.Until = time.Time{}
		c.members[id] = m
	}
	return m, ok
}

// memberWire is a ChatMember.
func (s *Server) memberWire(m Member) map[string]any {
	w := map[string]any{"user": m.User.wire(), "status": m.Role}
	until := int64(0)
	if !m.Until.IsZero() {
		until = m.Until.Unix()
	}
	switch m.Role {
	case Creator:
		w["is_anonymous"] = false
	case Administrator:
		w["can_be_edited"], w["is_anonymous"] = m.By == s.bot.ID, false
		for _, r := range adminRights() {
			w[r] = slices.Contains(m.Rights, r) || r == "can_manage_chat"
		}
	case Restricted:
		w["is_member"], w["until_date"] = true, until
		for _, p := range chatPermissions() {
			w[p] = !m.Muted
		}
	case Banned:
		w["until_date"] = until
	}
	return w
}

// may refuses what needs a right that the bot has not. The lock is held.
func (s *Server) may(chat *Chat, right string, no *refusal) *refusal {
	me := chat.members[s.bot.ID]
	if me.Role == Creator || me.Role == Administrator && slices.Contains(me.Rights, right) {
		return nil
	}
	return no
}

// managed is the group and the user that a call is about.
func (s *Server) managed(c *call) (*Chat, *User, *refusal) {
	chat, no := s.named(c)
	if no == nil && chat.refuses != nil && chat.refuses.code == 403 {
		no = chat.refuses // Refuse with 400 is about writing
	}
	if no != nil {
		return nil, nil, no
	}
	if chat.private() {
		return nil, nil, bad("can't manage members of a private chat") // experience has no better words
	}
	id, err := strconv.ParseInt(c.p["user_id"], 10, 64)
	if err != nil || id <= 0 {
		return nil, nil, bad("invalid user_id specified")
	}
	if id == s.bot.ID {
		return chat, &s.bot, nil
	}
	u := s.users[id]
	if u == nil {
		return nil, nil, bad("PARTICIPANT_ID_INVALID")
	}
	return chat, u, nil
}

// until is when something ends that is for a while, zero for never.
func (c *call) until() time.Time {
	at := time.Unix(c.p.number("until_date", 0), 0)
	if left := at.Sub(c.now); left < 30*time.Second || left > 366*24*time.Hour {
		return time.Time{}
	}
	return at
}

// removable refuses to restrict or remove whom nobody can.
func (s *Server) removable(chat *Chat, u *User) *refusal {
	no := s.may(chat, CanRestrict, bad("not enough rights to restrict/unrestrict chat member"))
	m := chat.members[u.ID]
	switch {
	case u.ID == s.bot.ID:
		return bad("can't restrict self")
	case no != nil:
		return no
	case m.Role == Creator:
		return bad("can't remove chat owner")
	case m.Role == Administrator && m.By != s.bot.ID:
		return bad("user is an administrator of the chat")
	}
	return nil
}

func (s *Server) banChatMember(c *call) (any, *refusal) {
	chat, u, no := s.managed(c)
	if no == nil {
		no = s.removable(chat, u)
	}
	if no != nil {
		return nil, no
	}
	if chat.Type == "group" {
		chat.members[u.ID] = Member{User: u, Role: Left} // nobody stays banned there
		return true, nil
	}
	chat.members[u.ID] = Member{User: u, Role: Banned, Until: c.until()}
	return true, nil
}

func (s *Server) unbanChatMember(c *call) (any, *refusal) {
	chat, u, no := s.managed(c)
	if no == nil && chat.Type != "supergroup" {
		no = bad("method is available for supergroup and channel chats only")
	}
	if no == nil {
		no = s.removable(chat, u)
	}
	if no != nil {
		return nil, no
	}
	m, _ := chat.member(u.ID, c.now)
	if m.Role == Banned || !c.p.yes("only_if_banned") {
		chat.members[u.ID] = Member{User: u, Role: Left}
	}
	return true, nil
}

func (s *Server) restrictChatMember(c *call) (any, *refusal) {
	chat, u, no := s.managed(c)
	if no == nil && chat.Type != "supergroup" {
		no = bad("method is available only for supergroups")
	}
	if no == nil {
		no = s.removable(chat, u)
	}
	if no != nil {
		return nil, no
	}
	m, _ := chat.member(u.ID, c.now)
	var may map[string]bool
	if json.Unmarshal([]byte(c.p["permissions"]), &may) != nil || may == nil {
		return nil, bad("can't parse permissions JSON object")
	}
	for p := range may {
		if !slices.Contains(chatPermissions(), p) {
			return nil, bad("unknown permission " + p) // Telegram ignores it: a mistake of the bot
		}
	}
	switch m.Role {
	case Administrator:
		return nil, bad("user is an administrator of the chat")
	case Ordinary, Restricted:
	default:
		return nil, bad("USER_NOT_PARTICIPANT")
	}
	if slices.IndexFunc(chatPermissions(), func(p string) bool { return !may[p] }) < 0 {
		chat.members[u.ID] = Member{User: u, Role: Ordinary}
		return true, nil
	}
	chat.members[u.ID] = Member{User: u, Role: Restricted, Muted: !may["can_send_messages"], Until: c.until()}
	return true, nil
}

func (s *Server) promoteChatMember(c *call) (any, *refusal) {
	chat, u, no := s.managed(c)
	if no == nil && chat.Type != "supergroup" {
		no = bad("method is available for supergroup and channel chats only")
	}
	if no == nil {
		no = s.may(chat, CanPromote, bad("not enough rights"))
	}
	if no != nil {
		return nil, no
	}
	var rights []string
	for _, r := range adminRights() {
		if c.p.yes(r) {
			rights = append(rights, r)
		}
	}
	m, _ := chat.member(u.ID, c.now)
	switch {
	case u.ID == s.bot.ID:
		return nil, bad("can't promote self")
	case m.Role == Creator:
		return nil, bad("can't remove chat owner")
	case m.Role == Administrator && m.By != s.bot.ID:
		return nil, bad("CHAT_ADMIN_REQUIRED")
	case m.Role == Restricted && len(rights) > 0, m.Role == Ordinary, m.Role == Administrator:
	case len(rights) == 0:
		return true, nil
	default:
		return nil, bad("USER_NOT_PARTICIPANT")
	}
	for _, r := range rights {
		if r != "can_manage_chat" && s.may(chat, r, bad("RIGHT_FORBIDDEN")) != nil {
			return nil, bad("RIGHT_FORBIDDEN")
		}
	}
	if len(rights) == 0 {
		chat.members[u.ID] = Member{User: u, Role: Ordinary}
		return true, nil
	}
	chat.members[u.ID] = Member{User: u, Role: Administrator, Rights: rights, By: s.bot.ID}
	return true, nil
}

func (s *Server) pinChatMessage(c *call) (any, *refusal) {
	chat, id, no := s.pins(c)
	if no != nil {
		return nil, no
	}
	if chat.find(id) == nil {
		return nil, bad("message to pin not found")
	}
	if !slices.Contains(chat.pinned, id) {
		chat.pinned = append(chat.pinned, id)
	}
	return true, nil
}

func (s *Server) unpinChatMessage(c *call) (any, *refusal) {
	chat, id, no := s.pins(c)
	if no != nil {
		return nil, no
	}
	n := len(chat.pinned)
	switch {
	case c.p["message_id"] == "" && n == 0, id != 0 && chat.find(id) == nil:
		return nil, bad("message to unpin not found")
	case c.p["message_id"] == "":
		id = chat.pinned[n-1]
	}
	chat.pinned = slices.DeleteFunc(chat.pinned, func(p int64) bool { return p == id })
	return true, nil
}

// pins is the chat and the message that a call about pins is about.
func (s *Server) pins(c *call) (*Chat, int64, *refusal) {
	chat, no := s.named(c)
	if no == nil && chat.refuses != nil && chat.refuses.code == 403 {
		no = chat.refuses
	}
	if no == nil && !chat.private() {
		no = s.may(chat, CanPin, bad("not enough rights to manage pinned messages in the chat"))
	}
	return chat, c.p.number("message_id", 0), no
}

func (s *Server) getChatAdministrators(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	if chat.private() {
		return nil, bad("there are no administrators in the private chat")
	}
	all := []any{}
	ids := make([]int64, 0, len(chat.members))
	for id := range chat.members {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		// Other bots are left out, as documented; whether this one is depends on the server, and here it is.
		if m := chat.members[id]; (m.Role == Creator || m.Role == Administrator) && !m.User.Bot {
			all = append(all, s.memberWire(m))
		}
	}
	return all, nil
}
