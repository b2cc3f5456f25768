package telegram_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/skills"
	group "hob/internal/skills/telegram"
	"hob/internal/surface/telegram/telegramtest"
	"hob/internal/tools"
)

// The first check: what is above somebody's level, or is not for where they are, is not offered.
func TestWhatIsOffered(t *testing.T) {
	s := group.New(nil)
	const admin = "group_members kick_member mute_member unmute_member pin_message unpin_message"
	for _, c := range []struct {
		platform, scope string
		level           event.Level
		want            string
	}{
		{"telegram", "group", event.User, ""},
		{"telegram", "group", event.GroupAdmin, admin},
		{"telegram", "group", event.GroupOwner, admin + " promote_member demote_member"},
		{"telegram", "group", event.Owner, admin + " promote_member demote_member"},
		{"telegram", "private", event.Owner, ""},
		{"cli", "group", event.Owner, ""},
		{"", "", event.Owner, ""},
	} {
		by := tools.Caller{Principal: event.Principal{Platform: c.platform, Scope: c.scope, Level: c.level}}
		var names []string
		for _, one := range skills.Collect(by, []skills.Skill{s}, nil) {
			names = append(names, one.Name())
		}
		if d := cmp.Diff(c.want, strings.Join(names, " ")); d != "" {
			t.Errorf("%+v:\n%s", c, d)
		}
	}
	if s.Level != event.GroupAdmin || s.Source != "telegram" {
		t.Errorf("the skill is for %s, from %q", s.Level, s.Source)
	}
}

// valid is each tool with arguments that would do.
var valid = []string{"group_members", "kick_member 79", "mute_member 79 5", "unmute_member 79", "pin_message 1", "unpin_message 1",
	"promote_member 79", "demote_member 79"}

// The second check: a call that is valid in all else is refused when it runs, and Telegram is not even asked.
func TestTheLevelIsCheckedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		as   func(*tools.Caller)
		only string // tools whose names have it
		want string
	}{
		{"a member", func(c *tools.Caller) { c.Level = event.User }, "", "this is for "},
		{"an administrator", func(c *tools.Caller) { c.Level = event.GroupAdmin }, "mote_member", "this is for the owner of the group"},
		{"nobody", func(c *tools.Caller) { *c = tools.Caller{} }, "", "this is not a Telegram group"},
		{"elsewhere", func(c *tools.Caller) { c.Platform = "cli" }, "", "this is not a Telegram group"},
		{"in private", func(c *tools.Caller) { c.Scope = "private" }, "", "this is not a Telegram group"},
		{"a chat of another surface", func(c *tools.Caller) { c.Chat = "main" }, "", "this is not a Telegram group"},
		{"a chat with a person", func(c *tools.Caller) { c.Chat = "telegram/77" }, "", "this is not a Telegram group"},
		{"a chat that is none", func(c *tools.Caller) { c.Chat = "telegram/home" }, "", "this is not a Telegram group"},
		{"somebody unknown", func(c *tools.Caller) { c.User = "" }, "", "nobody knows who asks"},
		{"the household", func(c *tools.Caller) { c.User = "owner" }, "", "nobody knows who asks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, homeID, func(w *world) {
				before := len(w.srv.Calls())
				for _, line := range valid {
					name, _, _ := strings.Cut(line, " ")
					if !strings.Contains(name, c.only) {
						continue
					}
					by := w.caller(adaID, event.GroupOwner)
					c.as(&by)
					if res, got := w.call(w.t.Context(), by, line); !strings.HasPrefix(got, c.want) || len(res.Effects) > 0 {
						t.Errorf("%s: %s", line, got)
					}
				}
				for _, call := range w.srv.Calls()[before:] {
					if call.Method != "getUpdates" {
						t.Errorf("Telegram was asked: %s", call.Method)
					}
				}
			})
		})
	}
}

// The third check: what the one who asks is by now, Telegram says. Between the offer and the call much can happen.
func TestTelegramHasTheLastWord(t *testing.T) {
	const none = "this is for administrators of the group, and Telegram says that whoever asks is none now"
	for _, c := range []struct {
		name  string
		level event.Level
		by    int64
		first func(w *world)
		line  string
		want  string
	}{
		{"demoted", event.GroupAdmin, bobID, func(w *world) { w.chat.Join(w.user[bobID], telegramtest.Ordinary) }, "kick_member 79", none},
		{"never was one", event.GroupAdmin, danID, nil, "mute_member 79", none},
		{"thrown out", event.GroupAdmin, bobID, func(w *world) { w.chat.Join(w.user[bobID], telegramtest.Banned) }, "pin_message 1",
			"who asks for this is not in the group any more"},
		{"may not ban", event.GroupAdmin, bobID, func(w *world) { w.chat.Admin(w.user[bobID], telegramtest.CanPin) }, "kick_member 79",
			"whoever asks is an administrator who may not ban users in this group themselves"},
		{"may not pin", event.GroupAdmin, bobID, func(w *world) { w.chat.Admin(w.user[bobID], telegramtest.CanRestrict) }, "pin_message 1",
			"whoever asks is an administrator who may not pin messages in this group themselves"},
		{"no owner any more", event.GroupOwner, adaID, func(w *world) { w.chat.Join(w.user[adaID], telegramtest.Administrator) }, "promote_member 79",
			"this is for the owner of the group, and Telegram says that whoever asks is not"},
		{"a level of no group", event.BotAdmin, danID, nil, "kick_member 79", "79 is out of the group, and may come back"},
		{"a level of no group, from outside", event.Owner, 81, nil, "kick_member 79", "who asks for this is not in the group any more"},
		{"Telegram does not say", event.GroupAdmin, bobID, func(w *world) {
			w.srv.Fail(telegramtest.Fault{Method: "getChatMember", Kind: telegramtest.DropBefore, Times: 100})
		}, "kick_member 79", "Telegram cannot be reached: nothing was done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, homeID, func(w *world) {
				w.chat.Say(w.user[danID], "hello")
				if c.first != nil {
					c.first(w)
				}
				w.says(w.caller(c.by, c.level), c.line, c.want)
				if acted := w.acted(); strings.HasPrefix(c.want, "79") != (len(acted) > 0) {
					t.Errorf("done: %v", acted)
				}
				if c.by == bobID {
					w.is(cemID, "member")
				}
			})
		})
	}
}

// The caller is the last who is looked up before anything is done.
func TestTheCallerIsLookedUpLast(t *testing.T) {
	play(t, homeID, func(w *world) {
		w.says(w.caller(bobID, event.GroupAdmin), "mute_member 79 5", "79 may not write in the group for 5 minutes, until 2000-01-01 00:05 UTC")
		calls := w.srv.Calls()
		for i, c := range calls {
			if c.Method == "restrictChatMember" && (calls[i-1].Method != "getChatMember" || calls[i-1].Params["user_id"] != "78") {
				t.Errorf("before it: %s %v", calls[i-1].Method, calls[i-1].Params)
			}
		}
	})
}

// Some nobody does it to, and some only the owner does.
func TestToWhom(t *testing.T) {
	me := telegramtest.New(telegramtest.Options{}).Bot().ID
	for _, line := range []string{"kick_member ", "mute_member ", "unmute_member "} {
		for _, c := range []struct {
			name  string
			by    int64
			who   int64
			first func(w *world)
			want  string
		}{
			{"the owner", bobID, adaID, nil, "77 is the group's owner, to whom nobody can do that"},
			{"the owner, by themselves", adaID, adaID, nil, "77 is the group's owner, to whom nobody can do that"},
			{"the bot", adaID, me, nil, itoa(me) + " is me: I do not do that to myself"},
			{"another administrator", bobID, 81, func(w *world) { w.chat.Admin(w.user[81]) },
				"81 is an administrator, and only the group's owner may have that done to one"},
			{"themselves", bobID, bobID, nil, "78 is an administrator, and only the group's owner may have that done to one"},
			{"who left", bobID, danID, func(w *world) { w.chat.Join(w.user[danID], telegramtest.Left) }, "80 is not in the group"},
			{"who was never there", bobID, 81, nil, "81 is not in the group"},
			{"nobody", bobID, 4711, nil, "Telegram knows nobody with this number in the group"},
		} {
			play(t, homeID, func(w *world) {
				if c.first != nil {
					c.first(w)
				}
				level := event.GroupAdmin
				if c.by == adaID {
					level = event.GroupOwner
				}
				w.says(w.caller(c.by, level), line+itoa(c.who), c.want)
				if acted := w.acted(); len(acted) > 0 {
					t.Errorf("%s%s: done: %v", line, c.name, acted)
				}
			})
		}
	}
}

// hob's own owner, who is no owner of the group, has nothing done to its administrators either; the group's owner has, as far
// as Telegram lets the bot.
func TestAdministrators(t *testing.T) {
	play(t, homeID, func(w *world) {
		w.says(w.caller(danID, event.Owner), "kick_member 78", "78 is an administrator, and only the group's owner may have that done to one")
		w.says(w.caller(adaID, event.GroupOwner), "kick_member 78",
			"they are an administrator of the group, and only who made them one can take that away first")
		w.says(w.caller(adaID, event.GroupOwner), "mute_member 78", "78 is an administrator, and administrators cannot be muted: demote them first")
		w.is(bobID, "administrator")
	})
}

// What the bot itself may not do is named.
func TestWhatTheBotMayNotDo(t *testing.T) {
	all := []string{telegramtest.CanRestrict, telegramtest.CanPromote, telegramtest.CanDelete, telegramtest.CanInvite, telegramtest.CanPin}
	for _, c := range []struct{ line, without, want string }{
		{"kick_member 79", "*", "I am not an administrator of this group: its owner can make me one who may ban users"},
		{"kick_member 79", telegramtest.CanRestrict, "I am an administrator of this group who may not ban users: its owner can give me the right"},
		{"mute_member 79", telegramtest.CanRestrict, "I am an administrator of this group who may not ban users: its owner can give me the right"},
		{"unmute_member 79", telegramtest.CanRestrict, "I am an administrator of this group who may not ban users: its owner can give me the right"},
		{"pin_message 1", telegramtest.CanPin, "I am an administrator of this group who may not pin messages: its owner can give me the right"},
		{"unpin_message 1", telegramtest.CanPin, "I am an administrator of this group who may not pin messages: its owner can give me the right"},
		{"demote_member 79", telegramtest.CanPromote, "I am an administrator of this group who may not add new admins: its owner can give me the right"},
		{"promote_member 79", telegramtest.CanInvite, "I am an administrator of this group who may not invite users: its owner can give me the right"},
		{"promote_member 79", "*", "I am not an administrator of this group: its owner can make me one who may delete messages, invite users, pin messages, add new admins"},
	} {
		play(t, homeID, func(w *world) {
			var rights []string
			for _, r := range all {
				if r != c.without {
					rights = append(rights, r)
				}
			}
			if w.chat.AdminBot(rights...); c.without == "*" {
				w.chat.JoinBot(telegramtest.Ordinary)
			}
			w.says(w.caller(adaID, event.GroupOwner), c.line, c.want)
			if acted := w.acted(); len(acted) > 0 {
				t.Errorf("%s: done: %v", c.line, acted)
			}
		})
	}
}

// What is small and was named by who asks needs no question; all else does, whatever strangers say.
func TestWhatAsks(t *testing.T) {
	for _, c := range []struct{ line, said, want string }{
		{"group_members", "", "allow reads"},
		{"mute_member @cem 60", "mute @cem for an hour", "allow named-here"},
		{"mute_member 79", "mute 79", "allow named-here"},
		{"mute_member Cem 1440", "Cem is too loud", "allow named-here"},
		{"mute_member 79 1441", "mute 79 for ever", "ask sends-unknown"},
		{"mute_member 80 5", "mute 79", "ask sends"},
		{"mute_member 80 5", "", "ask sends"},
		{"unmute_member 79", "79 may speak again", "allow named-here"},
		{"unmute_member 80", "what is the weather?", "ask sends"},
		{"pin_message 123", "pin 123", "allow named-here"},
		{"pin_message 124", "pin 123", "ask sends"},
		{"unpin_message 123", "https://t.me/c/1234567890/123 off", "allow named-here"},
		{"kick_member 79", "kick 79", "ask destroys"},
		{"promote_member 79", "promote 79", "ask destroys"},
		{"demote_member 79", "demote 79", "ask destroys"},
	} {
		name, rest, _ := strings.Cut(c.line, " ")
		tool := toolOf(t, group.New(nil), name)
		args, err := tools.ParseCommand(tool, rest)
		if err != nil {
			t.Fatal(err)
		}
		r := policy.Policy{}.Judge(t.Context(), policy.Call{
			Call: llm.Call{Name: name, Args: args}, Tool: tool, Asks: []string{c.said}, Words: []string{c.line},
			Caller: tools.Caller{Label: event.Label{Untrusted: true}, Principal: event.Principal{Platform: "telegram", Scope: "group", Level: event.GroupOwner}},
		})
		if got := r.Verdict.String() + " " + string(r.Rule); got != c.want || len(r.Grants) > 0 {
			t.Errorf("%s after %q: %s %v, want %s", c.line, c.said, got, r.Grants, c.want)
		}
	}
}

// Each tool is a command with examples that can be read, and none has a place for a group.
func TestCommands(t *testing.T) {
	for _, tool := range group.New(nil).Tools {
		d := tools.DefOf(tool)
		if len(d.Examples) == 0 || len(d.Keywords) == 0 || len(d.Aliases) == 0 {
			t.Errorf("%s has %q, %q, %q", d.Name, d.Examples, d.Keywords, d.Aliases)
		}
		for _, line := range d.Examples {
			word, rest, _ := strings.Cut(line, " ")
			if pattern, _ := tools.CommandOf(tool); !strings.HasPrefix(pattern, word) {
				t.Errorf("%q is no example of %q", line, pattern)
			}
			if _, err := tools.ParseCommand(tool, rest); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		schema, _ := json.Marshal(tool.Parameters())
		if strings.Contains(string(schema), "chat") || strings.Contains(string(schema), `"group"`) {
			t.Errorf("%s: %s", d.Name, schema)
		}
	}
}

// People are understood in four languages, and the skill stays closed where it is not meant.
func TestWhichMessagesAreAboutIt(t *testing.T) {
	all := []skills.Skill{group.New(nil)}
	for _, text := range []string{"kick 4711", "please mute @cem for an hour", "pin this message", "make admin out of Cem", "wirf ihn raus: rauswerfen!",
		"Cem bitte stummschalten", "кикни его", "замуть Джема на час", "закрепи это", "把他踢出去", "禁言小明十分钟", "置顶这条消息", "谁是管理员？"} {
		if len(skills.Search(all, text, 0)) == 0 {
			t.Errorf("%q finds nothing", text)
		}
	}
	for _, text := range []string{"what is the opinion of the bank?", "we go shopping", "wie wird das Wetter?", "какая погода?", "今天天气怎么样", ""} {
		if found := skills.Search(all, text, 0); len(found) > 0 {
			t.Errorf("%q scores %v", text, found[0].Score)
		}
	}
}
