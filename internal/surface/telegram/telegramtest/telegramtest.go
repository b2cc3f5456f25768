// Package telegramtest is a strict Telegram Bot API server for tests: one bot, its people and its chats.
//
// A test plays the people ([Chat.Say], [Chat.Press], [Server.Inject]). The bot under test speaks HTTP to the
// [Server], over a socket or in memory ([Server.Transport]). The test reads what a person would see
// ([Chat.Messages]) and what was asked ([Server.Calls]). [Server.Wait] waits without sleeping, in real time and
// in a bubble of testing/synctest.
//
// # Checks
//
//   - getUpdates: offsets forget for ever, a second caller ends the first one's long poll with 409, an offset
//     from the future is ignored, kinds that were not asked for are never queued, updates are kept for a day,
//     and who asks for the same offset again at once has to wait.
//   - Texts: trimmed, 1 to 4096 units of UTF-16 (captions to 1024), entities within them that split no
//     character. Of more than 100 entities the rest is silently dropped, as Telegram does, and counted in
//     [Message.Dropped].
//   - Buttons: data of 1 to 64 bytes, at most 100. Edits: of the bot's own messages, and only ones that change
//     something.
//   - Photos: pictures that can be read, of at most 10 MB, sides of at most 10,000 together and a ratio of at most 20.
//   - Chats: unknown, blocked, kicked from, moved; replies and topics that are not there; privacy mode in groups.
//   - A pressed button is answered once and in time. Drafts go to private chats only.
//   - Groups: the bot's own rights, owners and administrators, mutes of under half a minute. manage.go says
//     which of it is documented.
//   - Rate limits ([Limits]), and requests that come before retry_after has passed ([Server.Violations]).
//
// It is stricter than Telegram where a bot must have made a mistake: it refuses parse_mode, and entities and
// buttons of kinds that hob does not use; parameters that no method has are listed in [Call.Ignored].
//
// # Faults
//
// A test asks for a failure ([Server.Fail]), or a seed draws it ([Chaos]). A message of which the bot cannot
// know that it arrived says so ([Message.Lost]). Over a socket that holds as far as the server can see: a bot
// that is killed after the answer was written to its socket may not have read it.
//
// # Limits
//
// It has the methods and the fields that hob uses, and no others. It writes nothing but memory; [Options.Keep]
// bounds that.
package telegramtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say what kind of server it is. The zero value is today's server with the token [Token] and no limits.
type Options struct {
	Token        string        // of the bot, "" for [Token]
	Limits       *Limits       // nil: nobody is too fast
	Chaos        *Chaos        // nil: nothing fails by chance
	Without      []string      // methods that an older server does not know, such as "sendMessageDraft"
	SeesAll      bool          // privacy mode is off: the bot gets every message of its groups
	CallbackLife time.Duration // how long a pressed button can be answered, 0 for 30 s
	Keep         int           // how many messages of a chat, calls and updates are remembered, 0 for 10000
	FirstUpdate  int64         // id of the first update, 0 for one in the middle of nowhere
}

// Token is the bot's token where the options name none.
const Token = "4321:AAtelegramtest-AAAAAAAAAAAAAAAAAAAAA"

// username is the name of the bot, without the @.
const username = "hob_bot"

// Server is the Bot API of one bot. It is safe for concurrent use.
type Server struct {
	opts Options
	bot  User

	mu          sync.Mutex
	changed     chan struct{} // closed and replaced when anything changes
	users       map[int64]*User
	chats       map[int64]*Chat
	files       map[string]*file // by id
	updates     []update
	nextUpdate  int64
	poll        *poll
	allowed     []string // kinds of updates, nil for all
	webhook     string
	lastPoll    pollMemory
	commands    map[string][]Command // by scope
	presses     []*Callback
	serial      int64 // of presses and files
	lastMessage int64 // id, of all chats but supergroups
	calls       []*Call
	down        bool
	cuts        int // how often it went down
	faults      faults
	rates       rates
}

// New returns a server without people.
func New(opts Options) *Server {
	opts.Token = cmp.Or(opts.Token, Token)
	opts.CallbackLife = cmp.Or(opts.CallbackLife, 30*time.Second)
	opts.Keep = cmp.Or(opts.Keep, 10000)
	opts.FirstUpdate = cmp.Or(opts.FirstUpdate, 731_264_001)
	id, _, _ := strings.Cut(opts.Token, ":")
	number, _ := strconv.ParseInt(id, 10, 64)
	return &Server{
		opts:       opts,
		bot:        User{ID: number, Name: "hob", Username: username, Bot: true},
		changed:    make(chan struct{}),
		users:      map[int64]*User{},
		chats:      map[int64]*Chat{},
		files:      map[string]*file{},
		nextUpdate: opts.FirstUpdate,
		commands:   map[string][]Command{},
		faults:     faults{chaos: opts.Chaos, counts: map[Kind]int{}, nth: map[string]uint64{}},
		rates:      rates{until: map[string]time.Time{}, chats: map[int64]*chatRate{}},
	}
}

// Bot returns the bot that the server serves.
func (s *Server) Bot() User { return s.bot }

// Token returns the bot's token.
func (s *Server) Token() string { return s.opts.Token }

// notify wakes all who wait for a change. The lock is held.
func (s *Server) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// call is one request while it is handled.
type call struct {
	*Server
	p       params
	uploads map[string]upload
	now     time.Time
	cuts    int        // of the server, when it began
	lost    bool       // the answer will not arrive
	made    []*Message // messages that the call has sent or changed
	rec     *Call
}

// refusal is an answer that is no result. A method panics with one, and [call.run] recovers it.
type refusal struct {
	code    int
	text    string
	retry   int   // seconds, with 429
	migrate int64 // the chat has become that one
}

func bad(text string) *refusal {
	return &refusal{code: http.StatusBadRequest, text: "Bad Request: " + text}
}

func forbidden(text string) *refusal {
	return &refusal{code: http.StatusForbidden, text: "Forbidden: " + text}
}

// methods are what the methods do, with the server's lock held. getUpdates waits, and is another matter.
func methods() map[string]func(*call) any {
	return map[string]func(*call) any{
		"getUpdates": nil, "getMe": (*call).getMe, "getFile": (*call).getFile,
		"sendMessage": (*call).sendMessage, "sendDocument": (*call).sendDocument, "sendPhoto": (*call).sendPhoto,
		"sendChatAction": (*call).sendChatAction, "sendMessageDraft": (*call).sendMessageDraft,
		"editMessageText": (*call).editMessageText, "editMessageReplyMarkup": (*call).editMessageReplyMarkup,
		"editMessageMedia": (*call).editMessageMedia, "deleteMessage": (*call).deleteMessage,
		"answerCallbackQuery": (*call).answerCallbackQuery, "setMyCommands": (*call).setMyCommands,
		"setWebhook": (*call).setWebhook, "deleteWebhook": (*call).deleteWebhook,
		"getChatMember": (*call).getChatMember, "getChatAdministrators": (*call).getChatAdministrators,
		"banChatMember": (*call).banChatMember, "unbanChatMember": (*call).unbanChatMember,
		"restrictChatMember": (*call).restrictChatMember, "promoteChatMember": (*call).promoteChatMember,
		"pinChatMessage": (*call).pinChatMessage, "unpinChatMessage": (*call).unpinChatMessage,
	}
}

// Jump makes the next update have that id, as Telegram does by chance after a week without any.
func (s *Server) Jump(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextUpdate = id
}

// Cut takes the server off the net: calls are refused, those under way end without an answer. Mend puts it back.
func (s *Server) Cut() { s.setDown(true) }

// Mend is the end of Cut.
func (s *Server) Mend() { s.setDown(false) }

func (s *Server) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down = down; down {
		s.cuts++
	}
	s.notify()
}

// keep returns the last n of all.
func keep[T any](all []T, n int) []T {
	if len(all) > n {
		all = slices.Delete(all, 0, len(all)-n)
	}
	return all
}
