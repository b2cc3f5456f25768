package telegramtest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

func (s *Server) getMe(*call) (any, *refusal) {
	me := s.bot.wire()
	me["can_join_groups"] = true
	me["can_read_all_group_messages"] = s.opts.SeesAll
	me["supports_inline_queries"] = false
	return me, nil
}

func (s *Server) sendChatAction(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	topic, no := c.thread(chat)
	if no != nil {
		return nil, no
	}
	action := c.p["action"]
	if !slices.Contains([]string{"typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
		"upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note"}, action) {
		return nil, bad("wrong parameter action in request")
	}
	chat.actions = keep(append(chat.actions, Action{action, topic, c.now}), s.opts.Keep)
	return true, nil
}

func (s *Server) sendMessageDraft(c *call) (any, *refusal) {
	w, no := c.words("text", "entities", maxText)
	if no != nil {
		return nil, no
	}
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	topic, no := c.thread(chat)
	if no != nil {
		return nil, no
	}
	id := c.p.number("draft_id", 0)
	switch {
	case !chat.private():
		return nil, bad("TEXTDRAFT_PEER_INVALID")
	case id == 0:
		return nil, bad("RANDOM_ID_INVALID")
	}
	d := Draft{ID: id, Topic: topic, Text: w.text, Entities: w.entities, CanStop: c.p.yes("can_stop"), At: c.now}
	chat.drafted = false
	chat.drafts = keep(append(chat.drafts, d), s.opts.Keep)
	return true, nil
}

func (s *Server) answerCallbackQuery(c *call) (any, *refusal) {
	cb := s.asked[c.p["callback_query_id"]]
	if cb == nil || cb.Answered || c.now.Sub(cb.At) > s.opts.CallbackLife {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if units(c.p["text"]) > 200 {
		return nil, bad("MESSAGE_TOO_LONG")
	}
	cb.Answered, cb.Text, cb.Alert = true, c.p["text"], c.p.yes("show_alert")
	return true, nil
}

// Command is one of the bot's menu.
type Command struct {
	Name        string `json:"command"`
	Description string `json:"description"`
}

// Commands returns the menu of a scope, such as "default" or "all_private_chats", in no language.
func (s *Server) Commands(scope string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands[scope+" "])
}

// menu is the key of the menu that a call is about.
func (c *call) menu() (string, *refusal) {
	var scope struct {
		Type string `json:"type"`
		Chat any    `json:"chat_id"`
		User any    `json:"user_id"`
	}
	scope.Type = "default"
	if raw := c.p["scope"]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &scope); err != nil {
			return "", bad("can't parse BotCommandScope JSON object")
		}
	}
	switch scope.Type {
	case "default", "all_private_chats", "all_group_chats", "all_chat_administrators":
		return scope.Type + " " + c.p["language_code"], nil
	case "chat", "chat_administrators", "chat_member":
		return scope.Type + "/" + jsonText(scope.Chat) + "/" + jsonText(scope.User) + " " + c.p["language_code"], nil
	}
	return "", bad("unsupported type specified")
}

func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

func (s *Server) setMyCommands(c *call) (any, *refusal) {
	key, no := c.menu()
	if no != nil {
		return nil, no
	}
	var all []Command
	if err := json.Unmarshal([]byte(c.p["commands"]), &all); err != nil {
		return nil, bad("can't parse commands JSON object")
	}
	if len(all) > 100 {
		return nil, bad("BOT_COMMANDS_TOO_MUCH")
	}
	for _, cmd := range all {
		if n := len(cmd.Name); n == 0 || n > 32 || strings.ContainsFunc(cmd.Name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
		}) {
			return nil, bad("BOT_COMMAND_INVALID")
		}
		if n := units(strings.TrimSpace(cmd.Description)); n == 0 || n > 256 {
			return nil, bad("BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	s.commands[key] = all
	return true, nil
}

func (s *Server) getMyCommands(c *call) (any, *refusal) {
	key, no := c.menu()
	if no != nil {
		return nil, no
	}
	return append([]Command{}, s.commands[key]...), nil
}

func (s *Server) deleteMyCommands(c *call) (any, *refusal) {
	key, no := c.menu()
	if no != nil {
		return nil, no
	}
	delete(s.commands, key)
	return true, nil
}

func (s *Server) setWebhook(c *call) (any, *refusal) {
	url := c.p["url"]
	if url != "" && !strings.HasPrefix(url, "https://") {
		return nil, bad("bad webhook: An HTTPS URL must be provided for webhook")
	}
	s.webhook = url
	if url != "" {
		s.endPoll("terminated by setWebhook request")
	}
	return true, nil
}

func (s *Server) deleteWebhook(c *call) (any, *refusal) {
	s.webhook = ""
	if c.p.yes("drop_pending_updates") {
		s.queue = nil
	}
	return true, nil
}

func (s *Server) getWebhookInfo(*call) (any, *refusal) {
	return map[string]any{"url": s.webhook, "has_custom_certificate": false, "pending_update_count": len(s.queue)}, nil
}

func (s *Server) getChat(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	w := chat.wire()
	w["accent_color_id"], w["max_reaction_count"] = 0, 11
	return w, nil
}

func (s *Server) getChatMember(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	id, err := strconv.ParseInt(c.p["user_id"], 10, 64)
	if err != nil {
		return nil, bad("invalid user_id specified")
	}
	if chat.private() {
		if id == chat.ID {
			return map[string]any{"user": chat.user.wire(), "status": Ordinary}, nil
		}
		return nil, bad("PARTICIPANT_ID_INVALID")
	}
	if m, ok := chat.member(id, c.now); ok {
		return s.memberWire(m), nil
	}
	u, ok := s.users[id]
	if !ok {
		return nil, bad("PARTICIPANT_ID_INVALID")
	}
	return map[string]any{"user": u.wire(), "status": Left}, nil
}

func (s *Server) setMessageReaction(c *call) (any, *refusal) {
	chat, no := s.target(c)
	if no != nil {
		return nil, no
	}
	m := chat.find(c.p.number("message_id", 0))
	if m == nil {
		return nil, bad("message to react not found")
	}
	var all []struct {
		Type  string `json:"type"`
		Emoji string `json:"emoji"`
	}
	if raw := c.p["reaction"]; raw != "" && json.Unmarshal([]byte(raw), &all) != nil {
		return nil, bad("can't parse reaction types JSON object")
	}
	m.Reaction = ""
	switch {
	case len(all) > 1:
		return nil, bad("REACTIONS_TOO_MANY")
	case len(all) == 1 && (all[0].Type != "emoji" || all[0].Emoji == "" || units(all[0].Emoji) > 8):
		return nil, bad("REACTION_INVALID")
	case len(all) == 1:
		m.Reaction = all[0].Emoji
	}
	return true, nil
}
