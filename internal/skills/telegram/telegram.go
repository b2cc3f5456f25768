// Package telegram is the skill that manages Telegram groups: list members, kick, mute, promote, pin. An
// administrator asks in the group, and it is done in that group. No argument names a group, so nobody manages
// another one.
//
// # Checks
//
// There are three. A tool above somebody's level is not offered to them. A tool that runs checks the level
// again, by what the surface vouches for. Right before it acts, it asks Telegram for the role of the person
// now, and whether they could do by hand what they ask for: it refuses people who were demoted since, or may
// not ban people themselves. The levels bot_admin and owner are hob's own and come from no group: of these
// people Telegram only has to say that they are in it. Nothing is done to the group's owner or to the bot
// itself, and to an administrator only for the owner. A right that the bot lacks is named.
//
// # Questions
//
// Everybody in a group can put words before the model, so a call may be any member's idea in an administrator's
// turn. A call that cannot simply be taken back, or gives power, needs a person's yes each time: kick, promote
// and demote have the capabilities sends and destroys. In a group an owner or a bot_admin says that yes. A call
// that is small, that all see, and that administrators can take back needs no question when the administrator
// has named its target in their own words of this turn: mute for a day at most, unmute, pin, unpin
// ([tools.Resource].Here). Words of others name nobody. At worst somebody whom the administrator did name is muted
// for a day for another reason, and the group sees it.
//
// The tools that ask take a number or a user name. Names are for mute and unmute alone: everybody chooses their
// own, and could take one between the question and the yes.
package telegram

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Platform and scope of all that is here, and the name of the skill.
const (
	platform = "telegram"
	scope    = "group"
)

// Group is what managing a group needs. Groups and people are Telegram's numbers. Errors are [*event.Error]s, each one
// sentence; one of type timeout says that nobody knows whether it was done.
type Group interface {
	// Member returns what somebody is in a group now, as Telegram says when it is asked. Nobody, 0, is the bot itself.
	Member(ctx context.Context, group, who int64) (event.Member, error)
	// Members returns the administrators, then those who wrote there lately and whose present role is unknown.
	Members(ctx context.Context, group int64) ([]event.Member, error)
	// Ban throws somebody out and keeps them out, or lets one who is kept out come back.
	Ban(ctx context.Context, group, who int64, out bool) error
	// Mute lets somebody write nothing for a while; 0 lifts all restrictions.
	Mute(ctx context.Context, group, who int64, d time.Duration) error
	// Promote makes somebody an administrator with those rights; without any they are none.
	Promote(ctx context.Context, group, who int64, rights []string) error
	// Pin pins a message, which notifies nobody, or takes it off.
	Pin(ctx context.Context, group, message int64, on bool) error
}

// The rights of administrators, as Telegram calls them.
const (
	mayBan     = "can_restrict_members"
	mayPromote = "can_promote_members"
	mayPin     = "can_pin_messages"
)

// givenRights are the rights that promote gives: the least that helps.
func givenRights() []string { return []string{"can_delete_messages", "can_invite_users", mayPin} }

const (
	timeLimit = 2 * time.Minute // of a tool: Telegram may want to be left alone for a while
	// quietMinutes is the longest mute that needs no question.
	quietMinutes = 24 * 60
	usualMinutes = 60
)

// New returns the skill.
func New(g Group) skills.Skill {
	m := manager{g}
	s := skills.Own("telegram")
	s.Source, s.Level, s.Platforms, s.Scopes = platform, event.GroupAdmin, []string{platform}, []string{scope}
	return skills.Declare(s, m.allTools()...)
}

// manager does what administrators do.
type manager struct{ group Group }

// define is what all tools here have in common.
func define(d tools.Def) tools.Def {
	d.Timeout, d.Platforms, d.Scopes, d.Source = timeLimit, []string{platform}, []string{scope}, platform
	return d
}

// allTools returns the tools of the skill.
func (m manager) allTools() []tools.Tool {
	return []tools.Tool{
		tools.New(define(tools.Def{
			Name: "group_members", Level: event.GroupAdmin, Capabilities: tools.Reads | tools.Untrusted,
			Description: "List the group's administrators and who wrote lately, with their ids.",
			Command:     "members [name:string...]", Aliases: []string{"who", "成员"}, Examples: []string{"members", "members cem"},
			Keywords: []string{"who is in the group", "group members", "list members", "mitglieder", "wer ist in der gruppe", "участники",
				"кто в группе", "群成员", "成员列表", "谁在群里"},
		}), m.members),
		tools.New(define(tools.Def{
			Name: "kick_member", Level: event.GroupAdmin, Capabilities: tools.Sends | tools.Destroys,
			Description: "Throw somebody out of the group. They may come back, unless ban is true. Of somebody who is banned it lifts the ban.",
			Command:     "kick <user:string> [ban:boolean]", Aliases: []string{"踢人"}, Examples: []string{"kick 4711", "kick @cem ban=true"},
			Keywords: []string{"kick", "throw out", "ban him", "ban her", "ban them", "ban user", "ban @", "unban", "rauswerfen", "wirf", "verbanne",
				"кикни", "выгони", "забань", "разбань", "踢人", "踢出", "踢掉", "封禁", "拉黑"},
		}), m.kick),
		tools.New(define(tools.Def{
			Name: "mute_member", Level: event.GroupAdmin, Capabilities: tools.Sends, ResourcesOf: muteAim,
			Description: "Keep somebody from writing in the group for some minutes, at most 527040 (366 days).",
			Command:     "mute <user:string> [minutes:integer]", Aliases: []string{"silence", "禁言"}, Examples: []string{"mute 4711 60", "mute @cem 1440"},
			Keywords: []string{"mute", "silence", "stummschalten", "schalte stumm", "stumm", "замуть", "мут ", "заглуши", "禁言", "闭嘴"},
		}), m.mute),
		tools.New(define(tools.Def{
			Name: "unmute_member", Level: event.GroupAdmin, Capabilities: tools.Sends, ResourcesOf: userAim,
			Description: "Let somebody write in the group again. It lifts all their restrictions.",
			Command:     "unmute <user:string>", Aliases: []string{"解除禁言"}, Examples: []string{"unmute 4711"},
			Keywords: []string{"unmute", "let speak again", "entstummen", "stummschaltung aufheben", "размуть", "解除禁言", "取消禁言"},
		}), m.unmute),
		tools.New(define(tools.Def{
			Name: "pin_message", Level: event.GroupAdmin, Capabilities: tools.Sends, ResourcesOf: messageAim,
			Description: "Pin a message of the group. Nobody is notified.",
			Command:     "pin <message:integer>", Aliases: []string{"置顶"}, Examples: []string{"pin 123"},
			Keywords: []string{"pin this", "pin that", "pin the", "pin message", "pin it", "anpinnen", "pinne", "anheften", "закрепи", "置顶"},
		}), func(ctx context.Context, in messageArgs) (tools.Result, error) { return m.pin(ctx, in.Message, true) }),
		tools.New(define(tools.Def{
			Name: "unpin_message", Level: event.GroupAdmin, Capabilities: tools.Sends, ResourcesOf: messageAim,
			Description: "Take a pinned message off.",
			Command:     "unpin <message:integer>", Aliases: []string{"取消置顶"}, Examples: []string{"unpin 123"},
			Keywords: []string{"unpin", "loslösen", "открепи", "取消置顶"},
		}), func(ctx context.Context, in messageArgs) (tools.Result, error) { return m.pin(ctx, in.Message, false) }),
		tools.New(define(tools.Def{
			Name: "promote_member", Level: event.GroupOwner, Capabilities: tools.Sends | tools.Destroys,
			Description: "Make somebody an administrator who may delete messages, invite people and pin messages.",
			Command:     "promote <user:string>", Aliases: []string{"设为管理员"}, Examples: []string{"promote 4711"},
			Keywords: []string{"promote", "make admin", "as admin", "zum admin", "befördere", "сделай админом", "назначь админ", "管理员", "设为管理"},
		}), m.promote),
		tools.New(define(tools.Def{
			Name: "demote_member", Level: event.GroupOwner, Capabilities: tools.Sends | tools.Destroys,
			Description: "Make an administrator an ordinary member again.",
			Command:     "demote <user:string>", Aliases: []string{"取消管理员"}, Examples: []string{"demote 4711"},
			Keywords: []string{"demote", "remove admin", "kein admin", "degradiere", "сними админ", "разжалуй", "取消管理员", "撤销管理"},
		}), m.demote),
	}
}

// What the tools take.
type (
	userArgs struct {
		User string `json:"user" jsonschema:"id or @username"`
	}
	kickArgs struct {
		User string `json:"user" jsonschema:"id or @username"`
		Ban  bool   `json:"ban,omitempty" jsonschema:"they may not come back"`
	}
	muteArgs struct {
		User    string `json:"user" jsonschema:"id, @username or name, as the user wrote it"`
		Minutes int    `json:"minutes,omitempty" min:"1" max:"527040" default:"60"`
	}
	unmuteArgs struct {
		User string `json:"user" jsonschema:"id, @username or name, as the user wrote it"`
	}
	messageArgs struct {
		Message int64 `json:"message" jsonschema:"number of the message" min:"1"`
	}
	membersArgs struct {
		Name string `json:"name,omitempty" jsonschema:"part of a name or username"`
	}
)

// muteAim is nobody for a mute that is not small.
func muteAim(raw json.RawMessage) []tools.Resource {
	in := muteArgs{Minutes: usualMinutes}
	if json.Unmarshal(raw, &in) != nil || in.Minutes > quietMinutes {
		return nil
	}
	return []tools.Resource{{InGroup: in.User}}
}

func userAim(raw json.RawMessage) []tools.Resource {
	var in userArgs
	if json.Unmarshal(raw, &in) != nil {
		return nil
	}
	return []tools.Resource{{InGroup: in.User}}
}

func messageAim(raw json.RawMessage) []tools.Resource {
	var in messageArgs
	if json.Unmarshal(raw, &in) != nil || in.Message <= 0 {
		return nil
	}
	return []tools.Resource{{InGroup: strconv.FormatInt(in.Message, 10)}}
}
