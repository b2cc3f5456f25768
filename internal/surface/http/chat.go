package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/price"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// maxRequestID is how many bytes a request_id has at most.
const maxRequestID = 256

// inputOf checks a request, and returns its input. The id of the input is the request's, "" if it has none.
func inputOf(in api.ChatRequest) (out session.Input, err error) {
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
func said(all []api.Message) (words *api.Message, beside []api.Message) {
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
	var in api.ChatRequest
	if !s.read(w, r, &in) {
		return
	}
	input, err := inputOf(in)
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
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
		answer(w, http.StatusConflict, api.Problem{Error: err.Error()})
		return
	}
	var out api.ChatReply
	if err == nil {
		out, err = s.came(ctx, in.Session, said, in.Command)
	}
	if away := (*awayError)(nil); errors.As(err, &away) {
		answer(w, http.StatusServiceUnavailable, api.AwayReply{Error: err.Error(), Input: input.ID, Turn: away.parked.ID})
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
func (s *Server) came(ctx context.Context, chat event.Chat, said int64, command bool) (api.ChatReply, error) {
	out := newOutcome(chat, said, s.cfg.ArgsHash)
	last, err := s.cfg.Journal.Last(ctx, chat) // what happened before says nothing of now
	if err != nil {
		return api.ChatReply{}, err
	}
	looked := false
	for e, err := range s.happens(ctx, chat, said-1) {
		if err != nil {
			return api.ChatReply{}, err
		}
		if out.add(e) {
			return s.accounted(ctx, out)
		}
		if _, parks := e.Body.(event.Parked); e.Seq < last || looked && !parks {
			continue
		}
		looked = true
		if p, err := s.aside(ctx, chat, out.turn, command); err != nil {
			return api.ChatReply{}, err
		} else if p != nil {
			return api.ChatReply{}, &awayError{*p}
		}
	}
	if err := context.Cause(ctx); err != nil {
		return api.ChatReply{}, err
	}
	return api.ChatReply{}, session.ErrClosed
}

// accounted is the reply with what its turn took. Of words that joined another turn that is all that it took from its beginning
// on, as in the rest of its usage.
func (s *Server) accounted(ctx context.Context, o *outcome) (api.ChatReply, error) {
	spent := &o.spent
	if o.turn != o.said {
		spent = &ledger{turn: o.turn}
		for e, err := range s.happens(ctx, o.reply.Session, o.turn-1) {
			if err != nil {
				return api.ChatReply{}, err
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
