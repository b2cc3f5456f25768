// Package telegramtest is a Telegram Bot API server in a box: one bot, its people and its chats, to hold a bot against.
//
// A test plays the people ([Chat.Say], [Chat.Press], [Server.Inject]), the bot under test speaks HTTP to the [Server], over a
// socket or in memory ([Server.Transport]), and the test reads what a person would see ([Chat.Messages]) and what was asked
// ([Server.Calls]). [Server.Wait] waits for what is expected to happen, without sleeping, in real time and in a bubble of
// testing/synctest.
//
// # What it is strict about
//
//   - getUpdates: offsets forget for ever, a second caller ends the first one's long poll with 409, an offset from the future
//     is ignored, kinds that were not asked for are never queued, updates are kept for a day, who asks for the same offset again
//     at once waits.
//   - Texts: trimmed, 1 to 4096 units of UTF-16 (captions to 1024), entities within them that split no character; of more than
//     100 entities the rest is silently dropped, as Telegram does, and counted in [Message.Dropped].
//   - Buttons: data of 1 to 64 bytes, at most 100. Edits: of the bot's own messages, and only ones that change something.
//   - Photos: pictures that can be read, of at most 10 MB, sides of at most 10,000 together and a ratio of at most 20.
//   - Chats: unknown, blocked, kicked from, moved; replies and topics that are not there; privacy mode in groups.
//   - A question of a pressed button is answered once and in time. Drafts go to private chats only.
//   - Groups that the bot manages: its own rights, owners and administrators, mutes of under half a minute, messages that are
//     not there; see manage.go for which words of the refusals are documented and which were only seen.
//   - Rate limits ([Limits]), and who comes back before retry_after has passed ([Server.Violations]).
//
// It is stricter than Telegram where a bot must have made a mistake: entities of an unknown kind or in broken JSON are refused,
// where Telegram ignores them, so are keyboards and rows of one without a button, and parameters that no method has are listed in [Call.Ignored].
//
// What fails on the way is asked for by call ([Server.Fail]) or drawn by a seed ([Chaos]). A message of which the bot cannot
// know that it arrived says so ([Message.Lost]); over a socket only as far as the server can tell, as a bot that is killed
// after the answer was written to its socket may not have read it.
//
// # What it leaves out
//
// Entities in the bot's own texts that Telegram finds by itself (links, hashtags), entities that cross each other (Telegram
// splits them), previews, keyboards other than inline ones, inline mode, payments, albums of the bot, channels as chats of the
// bot, chats by user name, messages of service about who was thrown out or what was pinned, webhooks that are really called
// (setting one only forbids getUpdates). parse_mode knows the simple styles of HTML and of both kinds of Markdown. Nothing is
// written anywhere but in memory, of which [Options.Keep] bounds the use.
package telegramtest

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say what kind of server it is. The zero value is today's server with the token [Token] and no limits.
type Options struct {
	Token        string           // of the bot, "" for [Token]
	Username     string           // of the bot, "" for "hob_bot"
	Now          func() time.Time // nil for time.Now
	Limits       *Limits          // nil: nobody is too fast
	Chaos        *Chaos           // nil: nothing fails by chance
	Without      []string         // methods that an older server does not know, such as "sendMessageDraft"
	SeesAll      bool             // privacy mode is off: the bot gets all that is said in its groups
	CallbackLife time.Duration    // how long a pressed button can be answered, 0 for 30 s
	Keep         int              // how many messages of a chat, calls and files are remembered, 0 for 10000
	FirstUpdate  int64            // id of the first update, 0 for one in the middle of nowhere
}

// Token is the bot's token where the options name none.
const Token = "4321:AAtelegramtest-AAAAAAAAAAAAAAAAAAAAA"

// Server is the Bot API of one bot. It is safe for concurrent use.
type Server struct {
	opts Options
	bot  User

	mu          sync.Mutex
	changed     chan struct{} // closed and replaced when anything changes
	users       map[int64]*User
	chats       map[int64]*Chat
	files       map[string]*file
	fileIDs     []string // oldest first
	queue       []queued
	next        int64 // update id
	poll        *poll
	allowed     []string // kinds of updates, nil for the usual ones
	webhook     string
	lastPoll    pollMemory
	commands    map[string][]Command
	asked       map[string]*Callback
	askedIDs    []string // oldest first
	serial      int64    // of callbacks and files
	lastMessage int64    // id, of all chats but supergroups
	calls       []*Call
	down        bool
	cuts        int // how often it went down
	faults      faults
	pace        pace
}

// New returns a server without people.
func New(opts Options) *Server {
	if opts.Token == "" {
		opts.Token = Token
	}
	if opts.Username == "" {
		opts.Username = "hob_bot"
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.CallbackLife == 0 {
		opts.CallbackLife = 30 * time.Second
	}
	if opts.Keep == 0 {
		opts.Keep = 10000
	}
	if opts.FirstUpdate == 0 {
		opts.FirstUpdate = 731_264_001
	}
	id, _, _ := strings.Cut(opts.Token, ":")
	number, _ := strconv.ParseInt(id, 10, 64)
	s := &Server{
		opts:     opts,
		bot:      User{ID: number, Name: "hob", Username: opts.Username, Bot: true},
		changed:  make(chan struct{}),
		users:    map[int64]*User{},
		chats:    map[int64]*Chat{},
		files:    map[string]*file{},
		next:     opts.FirstUpdate,
		commands: map[string][]Command{},
		asked:    map[string]*Callback{},
		pace:     pace{until: map[string]time.Time{}, chats: map[int64]*spent{}},
	}
	s.faults.chaos = opts.Chaos
	s.faults.counts = map[Kind]int{}
	s.faults.nth = map[string]uint64{}
	return s
}

// Bot is the bot that the server serves.
func (s *Server) Bot() User { return s.bot }

// Token is the bot's token.
func (s *Server) Token() string { return s.opts.Token }

// touch tells whoever waits that something has changed. The lock is held.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// refusal is an answer that is no result.
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

// call is one request while it is dealt with.
type call struct {
	p     params
	files map[string]upload
	now   time.Time
	cuts  int        // of the server, when it began
	lost  bool       // the answer will not arrive
	made  []*Message // messages that the call has sent or changed
	rec   *Call
}

// method is what a method does, with the server's lock held.
type method func(s *Server, c *call) (any, *refusal)

// methodOf is the method of that name, whatever its case, and how it is written.
func methodOf(name string) (method, string) {
	all := map[string]method{
		"getMe": (*Server).getMe, "sendMessage": (*Server).sendMessage, "sendDocument": (*Server).sendDocument,
		"sendPhoto": (*Server).sendPhoto, "editMessageText": (*Server).editMessageText,
		"editMessageReplyMarkup": (*Server).editMessageReplyMarkup, "editMessageCaption": (*Server).editMessageCaption, "editMessageMedia": (*Server).editMessageMedia,
		"deleteMessage": (*Server).deleteMessage, "sendChatAction": (*Server).sendChatAction,
		"sendMessageDraft": (*Server).sendMessageDraft, "answerCallbackQuery": (*Server).answerCallbackQuery,
		"setMyCommands": (*Server).setMyCommands, "getMyCommands": (*Server).getMyCommands,
		"deleteMyCommands": (*Server).deleteMyCommands, "setWebhook": (*Server).setWebhook,
		"deleteWebhook": (*Server).deleteWebhook, "getWebhookInfo": (*Server).getWebhookInfo,
		"getChatMember": (*Server).getChatMember, "getChat": (*Server).getChat, "getFile": (*Server).getFile,
		"setMessageReaction": (*Server).setMessageReaction, "getUpdates": nil,
		"getChatAdministrators": (*Server).getChatAdministrators, "banChatMember": (*Server).banChatMember,
		"unbanChatMember": (*Server).unbanChatMember, "restrictChatMember": (*Server).restrictChatMember,
		"promoteChatMember": (*Server).promoteChatMember, "pinChatMessage": (*Server).pinChatMessage,
		"unpinChatMessage": (*Server).unpinChatMessage,
	}
	for known, m := range all {
		if strings.EqualFold(known, name) {
			return m, known
		}
	}
	return nil, ""
}

// Jump makes the next update have that id, as Telegram does by chance after a week without any: 0 draws one.
func (s *Server) Jump(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == 0 {
		id = 100_000_000 + rand.Int64N(800_000_000)
	}
	s.next = id
}

// Cut takes the server off the net: calls are refused, those under way end without an answer. Mend puts it back.
func (s *Server) Cut() { s.cut(true) }

// Mend is the end of Cut.
func (s *Server) Mend() { s.cut(false) }

func (s *Server) cut(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down = down; down {
		s.cuts++
	}
	s.touch()
}

// SeeAll switches privacy mode off or on.
func (s *Server) SeeAll(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.SeesAll = on
}
