package telegram

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// handlerConfig is everything that a [Handler] is made of.
type handlerConfig struct {
	Client    inCaller
	Sender    sender
	Cleaner   cleaner
	Callbacks *held
	Sessions  sessions
	Questions questions
	Journal   inJournal
	Updates   updates
	People    people
	Sent      sentMessages
	Seen      observer
	Files     receiveFiles // nil: nothing is received but words
	Story     Story        // nil: nothing leads a chat
	Commands  []chat.Command
	Me        func() client.User // the bot; without an ID until Telegram has said who it is
	Now       func() time.Time
	Log       *slog.Logger
	MaxFile   int64 // bytes of a file that is received; 0 is as many as Telegram gives to bots
	actions
}

// actions is what a [Handler] can do beyond its sessions. Each may be nil.
type actions struct {
	// Tool returns how somebody calls a tool as a command where they are, in plain text, and whether there is one of that name
	// for them. What is no command of this surface is then handed in as a call of a tool. Nil: there are only commands.
	Tool func(ctx context.Context, r chat.Request, name string) (usage string, known bool)
	// Nearest returns the one of words that somebody may have meant by word, or "".
	Nearest func(word string, words []string) string
	// Hear returns the words of a recording in the workspace. An error is one sentence that says why there are none.
	Hear func(ctx context.Context, f event.File) (string, error)
	// Retry goes on with a turn that is parked.
	Retry func(ctx context.Context, chat event.Chat, turn int64) error
	// LetIn is called when an invite has let somebody in.
	LetIn func(ctx context.Context, p event.Person)
	// Alert sends the owner a sentence, elsewhere than here.
	Alert func(problem string)
}

// inCaller calls methods of the Bot API; [*client.API] is one.
type inCaller interface {
	Call(ctx context.Context, method string, p client.Params, out any) error
	// Download writes a file to w, at most so many bytes.
	Download(ctx context.Context, id string, most int64, w io.Writer) error
}

// sessions take what people say; [*session.Sessions] do.
type sessions interface {
	Submit(ctx context.Context, in session.Input) (int64, error)
	Stop(ctx context.Context, chat event.Chat) (bool, error)
	Reset(ctx context.Context, chat event.Chat) error
}

// questions wait for an answer; those of [*session.Sessions] do.
type questions interface {
	Decide(ctx context.Context, a session.Answer) error
	Waiting(ctx context.Context, chat event.Chat, id string) (bool, error)
}

// inJournal is what has happened in the chats.
type inJournal interface {
	Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
}

// updates are the updates that were received.
type updates interface {
	// Undone returns the updates of a platform that have not been dealt with, oldest first.
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	// SetUpdate notes how far the update N has come.
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
}

// people are those who were let in.
type people interface {
	// Person returns the person or group with that id on the platform, if they were let in.
	Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error)
	// Redeem lets in the person who gives the code of an invite that is in force: p with the level of the invite, once. A wrong
	// code uses up a try of each invite that is in force. It reports whether the code was right.
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)
}

// sentMessages are the bot's own messages.
type sentMessages interface {
	// SentAs returns the event, and the part of it, that a message of the platform tells.
	SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error)
}

// observer takes note of the people who are heard in groups.
type observer interface {
	Observe(m *client.Message, now time.Time)
}

// receiveFiles puts files into the workspace.
type receiveFiles interface {
	// Receive puts a file that somebody has sent into the workspace's inbox, marked as a stranger's where from says so. name is the
	// sender's and may be anything; more than most bytes are refused.
	Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error)
}

// Story is what leads chats, as the surface needs it.
type Story interface {
	// Takes reports whether what leads the chat takes the command of that name, such as "undo", in place of hob's own; discreet
	// says that the message is to be deleted once it was handed in.
	Takes(ctx context.Context, chat event.Chat, name string) (takes, discreet bool)
	// Picked says what comes of it if that person picks that choice now.
	Picked(ctx context.Context, chat event.Chat, by chat.Request, c event.Choice) Picking
}

// Picking is what comes of a pick.
type Picking struct {
	Say   string // told to who has pressed alone, in at most 200 characters; "" is nothing
	No    bool   // they cannot pick it now: nothing is handed in
	Stays bool   // the buttons stay, for others and for them: each press is one of its own
}

// sender sends what hob itself says; [*outbound.Senders] does.
type sender interface {
	// Wake has what happens in a chat sent there.
	Wake(name event.Chat)
	// Say sends an answer, in order with what else is sent there, and returns when it was sent or never will be. reply is the
	// message that it answers, 0 none.
	Say(ctx context.Context, to chat.Address, reply int64, a chat.Answer) error
	// Edit puts an answer in the place of a message that was sent. One without text changes the buttons only.
	Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error
}

// cleaner takes away what was sent, after what is to be sent there by now. It does not wait, and nobody hears of a refusal.
type cleaner interface {
	RemoveButtons(to chat.Address, message int64)
	Delete(to chat.Address, message int64)
}
