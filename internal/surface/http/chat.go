package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/session"
)

// ChatRequest is the body of POST /api/v1/chat. The last message of a user is what is said. Untrusted messages right before or
// behind the user's own words are their attachments; where there are no such words, the last is what is said.
type ChatRequest struct {
	Session  event.Chat `json:"session_id"` // the chat
	Messages []Message  `json:"messages"`
	Request  *string    `json:"request_id,omitempty"` // the same words with the same id are said once
	Command  bool       `json:"command,omitempty"`    // the words call a tool, as in "/list_files notes": no model is asked
}

// Message is one message of a [ChatRequest].
type Message struct {
	Role    string `json:"role"` // user, assistant, system or tool
	Content string `json:"content"`
	// Untrusted says that not the owner wrote a user's message: it is fenced, names nothing and orders nothing.
	Untrusted bool `json:"untrusted,omitempty"`
}

// ChatReply is what came of a [ChatRequest]: of the turn that its words began, or from where they joined another.
type ChatReply struct {
	Session    event.Chat        `json:"session_id"`
	Reply      string            `json:"reply"`
	ToolEvents []ToolEvent       `json:"tool_events"`     // one a call, in the order in which they returned
	Applied    []Applied         `json:"applied_actions"` // the calls that ran and succeeded
	Failed     []FailedCall      `json:"failed_calls"`
	StatePatch []json.RawMessage `json:"state_patch,omitempty"` // what results hold under that name, one after the other
	Conflict   *ConflictReport   `json:"conflict_report,omitempty"`
	Usage      Usage             `json:"usage"`
}

// ToolEvent tells of a call.
type ToolEvent struct {
	Tool       string `json:"tool_name"`
	OK         bool   `json:"ok"`
	Summary    string `json:"summary"` // one line
	Payload    any    `json:"payload"` // the result's data, of a game's tool its documented object; null where there is none
	CallID     string `json:"call_id"`
	Status     string `json:"status"`     // as hob audit has it: ok, failed, denied, refused, stopped, interrupted
	ErrorCode  string `json:"error_code"` // "" where it succeeded; of a game's tool that of seed 003
	ArgsHash   string `json:"args_hash"`  // SHA-256 of the canonical arguments, hexadecimal
	DurationMS int64  `json:"duration_ms"`
}

// Applied is a call that ran and succeeded.
type Applied struct {
	Tool      string          `json:"tool"`
	Args      json.RawMessage `json:"args"`
	Result    any             `json:"result"`    // the payload, else {"text": what the model read}
	Timestamp string          `json:"timestamp"` // RFC 3339, when it returned
}

// FailedCall is a call that did not run, or failed.
type FailedCall struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Status string `json:"status"`           // rejected: it was not allowed here and now; error: its arguments were wrong, or it failed
	Reason string `json:"reason"`           // tool_not_allowed, invalid_args, actor_state_restricted ..., or the code of the error
	Detail string `json:"detail,omitempty"` // of a game's tool: the rule that says so
}

// maxRequestID is how many bytes a request_id has at most.
const maxRequestID = 256

// input checks a request, and returns what it says. The id of the input is the request's, "" if it has none.
func (in ChatRequest) input() (out session.Input, err error) {
	if err := session.CheckName(in.Session); err != nil {
		return out, fmt.Errorf("session_id: %w", err)
	}
	if in.Request != nil {
		if out.ID = *in.Request; strings.TrimSpace(out.ID) == "" || len(out.ID) > maxRequestID {
			return out, fmt.Errorf("request_id has 1 to %d bytes, and not only blanks: leave it out, or make one", maxRequestID)
		}
	}
	for i, m := range in.Messages {
		if !slices.Contains([]string{"user", "assistant", "system", "tool"}, m.Role) {
			return out, fmt.Errorf("messages[%d]: role is user, assistant, system or tool, and not %q", i, m.Role)
		}
	}
	words, beside := said(in.Messages)
	if words == nil {
		return out, errors.New("messages: there is none with the role user")
	}
	if strings.TrimSpace(words.Content) == "" {
		return out, errors.New("messages: the content of the last one of a user is empty")
	}
	if in.Command && len(beside) > 0 {
		return out, errors.New("command: a command takes no untrusted messages beside it: leave them out, or leave command out")
	}
	if words.Untrusted {
		out.Label = elsewhere()
	}
	for _, m := range beside {
		out.Attachments = append(out.Attachments, event.Attachment{Text: m.Content, Label: elsewhere()})
	}
	out.Chat, out.Text, out.Command = in.Session, words.Content, in.Command
	return out, nil
}

// said returns which message is what is said, nil none, and which are its attachments.
func said(all []Message) (words *Message, beside []Message) {
	end := len(all)
	for end > 0 && all[end-1].Role != "user" {
		end--
	}
	at := end - 1 // the owner's own words, or the last of a user
	for i := end - 1; i >= 0 && all[i].Role == "user"; i-- {
		if !all[i].Untrusted {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, nil
	}
	from := at
	for from > 0 && all[from-1].Role == "user" && all[from-1].Untrusted {
		from--
	}
	for i := from; i < end; i++ {
		if i != at && strings.TrimSpace(all[i].Content) != "" {
			beside = append(beside, all[i])
		}
	}
	return &all[at], beside
}

// elsewhere is the label of what a program hands on that the owner did not write.
func elsewhere() event.Label { return event.Label{Untrusted: true, Source: "api"} }

// errBusy says that a chat has something else to do.
var errBusy = errors.New("a turn runs or waits in this session: ask again when it has ended, or stop it with POST /api/v1/stop")

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in ChatRequest
	if !s.read(w, r, &in) {
		return
	}
	input, err := in.input()
	if err != nil {
		answer(w, http.StatusBadRequest, problem{Error: err.Error()})
		return
	}
	if input.ID == "" {
		input.ID = "api-once/" + s.cfg.NewID()
	} else {
		input.ID = "api/" + input.ID
	}
	input.From, input.Standing = "owner", event.Standing{Platform: "http", Scope: "private", Level: event.Owner, Unattended: true}
	ctx, leave := s.until(r)
	defer leave()
	said, err := s.enter(ctx, input)
	if errors.Is(err, errBusy) {
		answer(w, http.StatusConflict, problem{Error: err.Error()})
		return
	}
	var out ChatReply
	if err == nil {
		out, err = s.came(ctx, in.Session, said, in.Command)
	}
	if away := (*awayError)(nil); errors.As(err, &away) {
		answer(w, http.StatusServiceUnavailable, awayReply{Error: err.Error(), Input: input.ID, Turn: away.parked.ID})
		return
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, out)
}

// enter hands in what a request says, if its chat is free or it was handed in before.
func (s *Server) enter(ctx context.Context, in session.Input) (int64, error) {
	select {
	case s.cfg.Entry <- struct{}{}:
		defer func() { <-s.cfg.Entry }()
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	known, err := s.cfg.Journal.Keyed(ctx, in.Chat, event.Key(event.Said{InputID: in.ID}))
	if err != nil {
		return 0, err
	}
	if known == 0 {
		busy, err := s.cfg.Sessions.Resume(ctx, in.Chat)
		if err != nil {
			return 0, err
		}
		if busy {
			return 0, errBusy
		}
	}
	return s.cfg.Sessions.Submit(ctx, in)
}

// came waits for what comes of something that was said. Where that has to wait for the model it is an [*awayError].
func (s *Server) came(ctx context.Context, chat event.Chat, said int64, command bool) (ChatReply, error) {
	out := newOutcome(chat, said, s.cfg.ArgsHash)
	last, err := s.cfg.Journal.Last(ctx, chat) // what happened before says nothing of now
	if err != nil {
		return ChatReply{}, err
	}
	looked := false
	for e, err := range s.happens(ctx, chat, said-1) {
		if err != nil {
			return ChatReply{}, err
		}
		if out.add(e) {
			return s.accounted(ctx, out)
		}
		if _, parks := e.Body.(event.Parked); e.Seq < last || looked && !parks {
			continue
		}
		looked = true
		if p, err := s.aside(ctx, chat, out.turn, command); err != nil {
			return ChatReply{}, err
		} else if p != nil {
			return ChatReply{}, &awayError{*p}
		}
	}
	if err := context.Cause(ctx); err != nil {
		return ChatReply{}, err
	}
	return ChatReply{}, session.ErrClosed
}

// accounted is the reply with what its turn took. Of words that joined another turn that is all that it took from its beginning
// on, as in the rest of its usage.
func (s *Server) accounted(ctx context.Context, o *outcome) (ChatReply, error) {
	spent := &o.spent
	if o.turn != o.said {
		spent = &ledger{turn: o.turn}
		for e, err := range s.happens(ctx, o.reply.Session, o.turn-1) {
			if err != nil {
				return ChatReply{}, err
			}
			if spent.add(e) {
				break
			}
		}
	}
	var prices price.Table
	if s.cfg.Prices != nil {
		prices = s.cfg.Prices()
	}
	o.reply.Usage = spent.usage(o.reply.Usage, prices)
	return o.reply, nil
}
