package telegramtest

import (
	"encoding/json"
	"slices"
	"strings"
)

func (c *call) getMe() any {
	me := c.bot.wire()
	me["can_read_all_group_messages"] = c.opts.SeesAll
	return me
}

func (c *call) sendChatAction() any {
	chat := c.chat()
	topic := c.topic(chat)
	if c.p["action"] != "typing" {
		panic(bad("wrong parameter action in request"))
	}
	chat.actions = keep(append(chat.actions, Action{topic, c.now}), c.opts.Keep)
	return true
}

func (c *call) sendMessageDraft() any {
	t := checkText(c.p["text"], c.p["entities"], maxText)
	chat := c.chat()
	id := c.p.number("draft_id")
	switch {
	case !chat.private():
		panic(bad("TEXTDRAFT_PEER_INVALID"))
	case id == 0:
		panic(bad("RANDOM_ID_INVALID"))
	}
	d := Draft{ID: id, Text: t.words, Entities: t.entities, CanStop: c.p.yes("can_stop"), At: c.now}
	chat.drafted = false
	chat.drafts = keep(append(chat.drafts, d), c.opts.Keep)
	return true
}

func (c *call) answerCallbackQuery() any {
	cb := c.press(c.p["callback_query_id"])
	if cb == nil || cb.Answered || c.now.Sub(cb.At) > c.opts.CallbackLife {
		panic(bad("query is too old and response timeout expired or query ID is invalid"))
	}
	if units(c.p["text"]) > 200 {
		panic(bad("MESSAGE_TOO_LONG"))
	}
	cb.Answered, cb.Text = true, c.p["text"]
	return true
}

// Command is one of the bot's menu.
type Command struct {
	Name        string `json:"command"`
	Description string `json:"description"`
}

// Commands returns the menu of a scope, as setMyCommands names it in JSON, for apps in no language of their own.
func (s *Server) Commands(scope string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands[scope])
}

func (c *call) setMyCommands() any {
	var all []Command
	if err := json.Unmarshal([]byte(c.p["commands"]), &all); err != nil {
		panic(bad("can't parse commands JSON object"))
	}
	if len(all) > 100 {
		panic(bad("BOT_COMMANDS_TOO_MUCH"))
	}
	for _, cmd := range all {
		if n := len(cmd.Name); n == 0 || n > 32 || strings.Trim(cmd.Name, "_0123456789abcdefghijklmnopqrstuvwxyz") != "" {
			panic(bad("BOT_COMMAND_INVALID"))
		}
		if n := units(strings.TrimSpace(cmd.Description)); n == 0 || n > 256 {
			panic(bad("BOT_COMMAND_DESCRIPTION_INVALID"))
		}
	}
	c.commands[c.p["scope"]+c.p["language_code"]] = all
	return true
}

func (c *call) setWebhook() any {
	c.webhook = c.p["url"]
	c.endPoll("terminated by setWebhook request")
	return true
}

func (c *call) deleteWebhook() any {
	c.webhook = ""
	return true
}

func (c *call) getChatMember() any {
	if m, ok := c.chat().members[c.p.number("user_id")]; ok {
		return m.wire(c.bot.ID)
	}
	u, ok := c.users[c.p.number("user_id")]
	if !ok {
		panic(bad("PARTICIPANT_ID_INVALID"))
	}
	return map[string]any{"user": u.wire(), "status": Left}
}
