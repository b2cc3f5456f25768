package groups

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

const (
	testToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
	homeID    = -1001234567890 // of a group
)

func testAPI(t *testing.T, over http.RoundTripper) *client.API {
	t.Helper()
	a, err := client.NewAPI(client.APIConfig{Token: testToken, Transport: over})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// groupsOf manages the groups of srv's bot; nobody was heard in them.
func groupsOf(t *testing.T, srv *telegramtest.Server) *Groups {
	me := srv.Bot()
	self := func() client.User { return client.User{ID: me.ID, IsBot: true, Username: me.Username} }
	return New(testAPI(t, srv.Transport()), self, &SeenUsers{}, time.Now)
}

// What somebody is in a group is what Telegram says now.
func TestAMemberAsTelegramSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		ada, bob, cem := srv.User(77, "Ada"), srv.User(78, "Bob [x]"), srv.User(79, "Cem")
		g := srv.Group(homeID, "Home", telegramtest.Member{User: ada, Role: telegramtest.Creator}, telegramtest.Member{User: cem})
		g.Admin(bob, telegramtest.CanPin, telegramtest.CanRestrict)
		g.AdminBot(telegramtest.CanPromote, telegramtest.CanPin, telegramtest.CanRestrict)
		b := groupsOf(t, srv)
		see := func(id int64) event.Member {
			m, err := b.Member(t.Context(), homeID, id)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		for _, want := range []event.Member{
			{ID: 77, Name: "Ada", Handle: "ada", Role: "creator"},
			{ID: 78, Name: "Bob x", Handle: "bob_x", Role: "administrator", Rights: []string{"can_manage_chat", "can_pin_messages", "can_restrict_members"}},
			{ID: 79, Name: "Cem", Handle: "cem", Role: "member"},
		} {
			if d := cmp.Diff(want, see(want.ID)); d != "" {
				t.Error(d)
			}
		}
		if me := see(0); me.ID != srv.Bot().ID || !me.Bot || me.Role != "administrator" {
			t.Errorf("the bot is %+v", me)
		}
		if err := b.Mute(t.Context(), homeID, 79, time.Hour); err != nil {
			t.Fatal(err)
		}
		if m := see(79); !m.Muted || !m.Until.Equal(time.Now().Add(time.Hour)) || !m.In() {
			t.Errorf("muted: %+v", m)
		}
		if err := errors.Join(b.Mute(t.Context(), homeID, 79, 0), b.Promote(t.Context(), homeID, 79, []string{telegramtest.CanPin})); err != nil {
			t.Fatal(err)
		}
		if m := see(79); !m.Editable || m.Muted || !cmp.Equal(m.Rights, []string{"can_manage_chat", "can_pin_messages"}) {
			t.Errorf("promoted: %+v", m)
		}
		if err := b.Ban(t.Context(), homeID, 79, true); err != nil {
			t.Fatal(err)
		}
		if m := see(79); m.Role != "kicked" || m.In() {
			t.Errorf("banned: %+v", m)
		}
	})
}

// A restricted member who has left is no member.
func TestWhoHasLeft(t *testing.T) {
	var w wireMember
	if err := w.UnmarshalJSON([]byte(`{"user":{"id":79},"status":"restricted","is_member":false,"can_send_messages":false,"until_date":0}`)); err != nil {
		t.Fatal(err)
	}
	if m := w.member(); m.Role != "left" || m.In() {
		t.Errorf("%+v", m)
	}
}

// A bot that does not know itself, and a server that answers about somebody else, say nothing of anybody's rights.
func TestAMemberThatIsNotSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		srv.Group(homeID, "Home")
		b := groupsOf(t, srv)
		b.me = func() client.User { return client.User{} }
		if m, err := b.Member(t.Context(), homeID, 0); err == nil {
			t.Errorf("the bot is %+v", m)
		}
		b.client = testAPI(t, telegramtest.Answering(200, `{"ok":true,"result":{"user":{"id":77},"status":"creator"}}`))
		if m, err := b.Member(t.Context(), homeID, 78); err == nil {
			t.Errorf("78 is %+v", m)
		}
	})
}

// What Telegram says is told in one sentence that people can do something with.
func TestWhatTelegramRefuses(t *testing.T) {
	for says, want := range map[string]string{
		"Bad Request: not enough rights to restrict/unrestrict chat member":    "permission: Telegram says that I have not the right",
		"Bad Request: not enough rights to manage pinned messages in the chat": "permission: Telegram says that I have not the right",
		"Bad Request: CHAT_ADMIN_REQUIRED":                                     "permission: Telegram says that I have not the right",
		"Bad Request: RIGHT_FORBIDDEN":                                         "permission: Telegram says that I have not the right",
		"Bad Request: can't remove chat owner":                                 "permission: it is the group's owner",
		"Bad Request: user is an administrator of the chat":                    "permission: they are an administrator",
		"Bad Request: message to pin not found":                                "not_found: there is no message",
		"Bad Request: message to unpin not found":                              "not_found: there is no message",
		"Bad Request: PARTICIPANT_ID_INVALID":                                  "not_found: Telegram knows nobody",
		"Bad Request: user not found":                                          "not_found: Telegram knows nobody",
		"Bad Request: USER_NOT_PARTICIPANT":                                    "not_found: they are not in the group",
		"Bad Request: method is available only for supergroups":                "permission: Telegram does that in supergroups only",
		"Bad Request: group chat was upgraded to a supergroup chat":            "not_found: this group has become another chat",
		"Bad Request: something new":                                           "execution: Telegram refuses it: Bad Request: something new",
		"Forbidden: bot is not a member of the supergroup chat":                "permission: Telegram does not let me in",
		"Unauthorized": "execution: Telegram does not accept me",
	} {
		code := 400
		switch {
		case strings.HasPrefix(says, "Forbidden"):
			code = 403
		case says == "Unauthorized":
			code = 401
		}
		e := explain(&client.Error{Method: "banChatMember", Code: code, Message: says})
		if got := e.Type + ": " + e.Message; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", says, got)
		}
	}
}

// What Telegram wants to be left alone for is waited for, but not for longer than somebody waits, and never cut short.
func TestManagingWaits(t *testing.T) {
	for _, c := range []struct {
		retry time.Duration
		times int
		want  string
		took  time.Duration
	}{
		{20 * time.Second, 1, "", 20 * time.Second},
		{3 * time.Second, 2, "", 6 * time.Second},
		{3 * time.Second, 3, "Telegram wants to be left alone for 3s: try again then", 6 * time.Second},
		{21 * time.Second, 1, "Telegram wants to be left alone for 21s: try again then", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			srv := telegramtest.New(telegramtest.Options{Token: testToken})
			g := srv.Group(homeID, "Home", telegramtest.Member{User: srv.User(79, "Cem")})
			g.AdminBot(telegramtest.CanRestrict)
			srv.Fail(telegramtest.Fault{Method: "banChatMember", Kind: telegramtest.TooMany, RetryAfter: c.retry, Times: c.times})
			start, got := time.Now(), ""
			if err := groupsOf(t, srv).Ban(t.Context(), homeID, 79, true); err != nil {
				got = err.Error()
			}
			if took := time.Since(start); got != c.want || took != c.took || len(srv.Violations()) > 0 {
				t.Errorf("%v %d times: %q after %v, %v", c.retry, c.times, got, took, srv.Violations())
			}
		})
	}
}

func TestOnlySoManyAreHeard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k SeenUsers
		now := time.Unix(0, 0)
		last := map[int64]int64{}
		for i := range rapid.IntRange(1, 600).Draw(t, "messages") {
			group, id := -rapid.Int64Range(1, 130).Draw(t, "group"), rapid.Int64Range(1, 300).Draw(t, "person")
			if rapid.Bool().Draw(t, "here") {
				group = -1
			}
			k.note(group, client.User{ID: id}, now.Add(time.Duration(i)*time.Second))
			last[group] = id
			if all := k.Members(group); all[0].ID != id || len(all) > maxUsers {
				t.Fatalf("%d are known, the last is %d and not %d", len(all), all[0].ID, id)
			}
			if len(k.groups) > maxGroups {
				t.Fatalf("%d groups are known", len(k.groups))
			}
			seen := map[int64]bool{}
			for _, m := range k.Members(group) {
				if seen[m.ID] {
					t.Fatalf("%d is known twice", m.ID)
				}
				seen[m.ID] = true
			}
		}
	})
}

func TestWhoIsNobody(t *testing.T) {
	var k SeenUsers
	for _, u := range []client.User{{ID: 5, IsBot: true}, {ID: 1087968824}, {ID: 0}, {ID: -3}} {
		k.Observe(&client.Message{Chat: client.Chat{ID: homeID}, From: &u}, time.Now())
	}
	if all := k.Members(homeID); len(all) > 0 {
		t.Errorf("heard: %+v", all)
	}
	for i := range int64(maxUsers + 50) {
		k.note(homeID, client.User{ID: i + 1}, time.Now())
	}
	if all := k.Members(homeID); len(all) != maxUsers || all[0].ID != maxUsers+50 {
		t.Errorf("%d are known, the last is %d", len(all), all[0].ID)
	}
}
