package telegramtest_test

import (
	"maps"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/surface/telegram/telegramtest"
)

const superID = -1001234567890

// managed is a group of the owner 77, an administrator 78 that others have made, and the members 79 and 80.
func managed(id int64) (*telegramtest.Server, *telegramtest.Chat) {
	srv := telegramtest.New(telegramtest.Options{})
	g := srv.Group(id, "Home", telegramtest.Member{User: srv.User(77, "Ada"), Role: telegramtest.Creator},
		telegramtest.Member{User: srv.User(79, "Cem")}, telegramtest.Member{User: srv.User(80, "Dan")})
	g.Admin(srv.User(78, "Bob"), telegramtest.CanPin)
	srv.User(81, "Eve")
	g.AdminBot(telegramtest.CanRestrict, telegramtest.CanPromote, telegramtest.CanPin)
	return srv, g
}

// What is refused is refused as Telegram does, and changes nothing.
func TestManagingIsRefused(t *testing.T) {
	bot := "4321"
	none := `{"can_send_messages":false}`
	for _, c := range []struct {
		name, method string
		args         p
		group        int64
		rights       []string // of the bot, nil for the usual ones
		want         string
	}{
		{"the owner", "banChatMember", p{"user_id": "77"}, superID, nil, "Bad Request: can't remove chat owner"},
		{"an administrator", "banChatMember", p{"user_id": "78"}, superID, nil, "Bad Request: user is an administrator of the chat"},
		{"itself", "banChatMember", p{"user_id": bot}, superID, nil, "Bad Request: can't restrict self"},
		{"nobody", "banChatMember", p{"user_id": "4711"}, superID, nil, "Bad Request: PARTICIPANT_ID_INVALID"},
		{"without the right", "banChatMember", p{"user_id": "79"}, superID, []string{telegramtest.CanPin},
			"Bad Request: not enough rights to restrict/unrestrict chat member"},
		{"unban in a basic group", "unbanChatMember", p{"user_id": "79"}, -42, nil, "Bad Request: method is available only for supergroups"},
		{"mute in a basic group", "restrictChatMember", p{"user_id": "79", "permissions": none}, -42, nil, "Bad Request: method is available only for supergroups"},
		{"mute the owner", "restrictChatMember", p{"user_id": "77", "permissions": none}, superID, nil, "Bad Request: can't remove chat owner"},
		{"mute an administrator", "restrictChatMember", p{"user_id": "78", "permissions": none}, superID, nil, "Bad Request: user is an administrator of the chat"},
		{"mute who is not there", "restrictChatMember", p{"user_id": "81", "permissions": none}, superID, nil, "Bad Request: USER_NOT_PARTICIPANT"},
		{"no permissions", "restrictChatMember", p{"user_id": "79"}, superID, nil, "Bad Request: can't parse permissions JSON object"},
		{"a permission that is none", "restrictChatMember", p{"user_id": "79", "permissions": `{"can_dance":true}`}, superID, nil,
			"Bad Request: unknown permission can_dance"},
		{"promote without the right", "promoteChatMember", p{"user_id": "79", "can_pin_messages": "true"}, superID, []string{telegramtest.CanPin},
			"Bad Request: not enough rights"},
		{"a right that the bot has not", "promoteChatMember", p{"user_id": "79", "can_invite_users": "true"}, superID, nil, "Bad Request: RIGHT_FORBIDDEN"},
		{"demote whom others have made", "promoteChatMember", p{"user_id": "78"}, superID, nil, "Bad Request: user is an administrator of the chat"},
		{"demote the owner", "promoteChatMember", p{"user_id": "77"}, superID, nil, "Bad Request: can't remove chat owner"},
		{"promote who is not there", "promoteChatMember", p{"user_id": "81", "can_pin_messages": "true"}, superID, nil, "Bad Request: USER_NOT_PARTICIPANT"},
		{"pin without the right", "pinChatMessage", p{"message_id": "1"}, superID, []string{telegramtest.CanRestrict},
			"Bad Request: not enough rights to manage pinned messages in the chat"},
		{"pin nothing", "pinChatMessage", p{"message_id": "4711"}, superID, nil, "Bad Request: message to pin not found"},
		{"unpin nothing", "unpinChatMessage", p{"message_id": "4711"}, superID, nil, "Bad Request: message to pin not found"},
		{"administrators of nobody", "getChatAdministrators", p{"chat_id": "4711"}, superID, nil, "Bad Request: chat not found"},
	} {
		srv, g := managed(c.group)
		g.Say(srv.User(79, "Cem"), "hello")
		if c.rights != nil {
			g.AdminBot(c.rights...)
		}
		args := p{"chat_id": num(c.group)}
		maps.Copy(args, c.args)
		r, err := call(t.Context(), srv, c.method, args)
		if err != nil || r.OK || r.Code != 400 || r.Description != c.want {
			t.Errorf("%s: %d %q, %v", c.name, r.Code, r.Description, err)
		}
		for id, want := range map[int64]string{77: "creator", 78: "administrator", 79: "member", 80: "member"} {
			if m, _ := g.Member(id); m.Role != want || m.Muted {
				t.Errorf("%s: %d is %+v", c.name, id, m)
			}
		}
	}
}

func num(n int64) string { return strconv.FormatInt(n, 10) }

// A mute that is too short or too long is for ever.
func TestMutesEnd(t *testing.T) {
	for after, ends := range map[time.Duration]bool{
		29 * time.Second: false, 30 * time.Second: true, 366 * 24 * time.Hour: true, 366*24*time.Hour + time.Second: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			srv, g := managed(superID)
			until := time.Now().Add(after)
			r, err := call(t.Context(), srv, "restrictChatMember", p{"chat_id": num(superID), "user_id": "80", "until_date": num(until.Unix()),
				"permissions": `{"can_send_messages":false}`})
			m, _ := g.Member(80)
			if err != nil || !r.OK || m.Role != telegramtest.Restricted || !m.Muted || m.Until.IsZero() == ends {
				t.Errorf("%v: %+v, %+v, %v", after, m, r, err)
			}
		})
	}
}

// unbanChatMember throws out whoever is there, unless it is told not to.
func TestUnbanThrowsOut(t *testing.T) {
	srv, g := managed(superID)
	chat := num(superID)
	call(t.Context(), srv, "unbanChatMember", p{"chat_id": chat, "user_id": "79", "only_if_banned": "true"})
	call(t.Context(), srv, "unbanChatMember", p{"chat_id": chat, "user_id": "80"})
	stays, _ := g.Member(79)
	goes, _ := g.Member(80)
	if stays.Role != telegramtest.Ordinary || goes.Role != telegramtest.Left {
		t.Errorf("79 is %s, 80 is %s", stays.Role, goes.Role)
	}
}

func TestPins(t *testing.T) {
	srv, g := managed(superID)
	chat, cem := num(superID), srv.User(79, "Cem")
	one, two := g.Say(cem, "one"), g.Say(cem, "two")
	for _, c := range []struct {
		method string
		args   p
		want   []int64
	}{
		{"pinChatMessage", p{"message_id": num(one)}, []int64{one}},
		{"pinChatMessage", p{"message_id": num(two)}, []int64{one, two}},
		{"pinChatMessage", p{"message_id": num(one)}, []int64{one, two}},
		{"unpinChatMessage", p{"message_id": num(two)}, []int64{one}},
		{"unpinChatMessage", p{"message_id": num(one)}, []int64{}},
	} {
		args := p{"chat_id": chat}
		maps.Copy(args, c.args)
		if r, err := call(t.Context(), srv, c.method, args); err != nil || !r.OK {
			t.Fatal(c, r, err)
		}
		if d := cmp.Diff(c.want, g.Pinned()); d != "" {
			t.Errorf("%v\n%s", c, d)
		}
	}
}
