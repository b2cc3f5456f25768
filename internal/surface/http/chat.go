package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// maxRequestID is how many bytes a request_id has at most.
const maxRequestID = 256

// errBusy says that a turn runs or waits in the chat of a request.
var errBusy = errors.New("a turn runs or waits in this session: ask again when it has ended, or stop it with POST /api/v1/stop")

// chat serves POST /api/v1/chat.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in api.ChatRequest
	if !readBody(w, r, &in) {
		return
	}
	input, err := inputOf(in)
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err)
		return
	}
	if input.ID == "" {
		input.ID = "api-once/" + s.cfg.NewID()
	} else {
		input.ID = "api/" + input.ID
	}
	input.From, input.Principal = "owner", programPrincipal()
	ctx, leave := s.waitContext(r)
	defer leave()
	out, err := s.play(ctx, input)
	if errors.Is(err, errBusy) {
		answerProblem(w, http.StatusConflict, err)
		return
	}
	if away := (*awayError)(nil); errors.As(err, &away) {
		answer(w, http.StatusServiceUnavailable, api.AwayReply{Error: err.Error(), Input: input.ID, Turn: away.turn.ID})
		return
	}
	answerResult(w, out, err)
}

// inputOf checks a request, and returns its input. The id of the input is the request's, "" if it
// has none.
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
	message, attached := splitMessages(in.Messages)
	if message == nil {
		return out, errors.New("messages: there is none with the role user")
	}
	if strings.TrimSpace(message.Content) == "" {
		return out, errors.New("messages: the content of the last one of a user is empty")
	}
	if in.Command && len(attached) > 0 {
		return out, errors.New("command: a command takes no untrusted messages beside it: leave them out, or leave command out")
	}
	if message.Untrusted {
		out.Label = untrustedLabel()
	}
	out.Attachments = lists.Map(attached, func(m api.Message) event.Attachment {
		return event.Attachment{Text: m.Content, Label: untrustedLabel()}
	})
	out.Chat, out.Text = in.Session, message.Content
	out.Command = in.Command && !message.Untrusted // also in a group's chat, where people command what their level allows
	return out, nil
}

// splitMessages returns the message that is the input, nil if there is none, and those that are its
// attachments.
func splitMessages(all []api.Message) (message *api.Message, attached []api.Message) {
	end := len(all)
	for end > 0 && all[end-1].Role != "user" {
		end--
	}
	at := end - 1 // the owner's own message, or the last of a user
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
			attached = append(attached, all[i])
		}
	}
	return &all[at], attached
}

// untrustedLabel is the label of a text that a program hands on and the owner did not write.
func untrustedLabel() event.Label { return event.Label{Untrusted: true, Source: "api"} }

// play hands in an input, and returns the outcome of its turn.
func (s *Server) play(ctx context.Context, in session.Input) (api.ChatReply, error) {
	seq, err := s.submit(ctx, in)
	if err != nil {
		return api.ChatReply{}, err
	}
	return s.awaitReply(ctx, in.Chat, seq, in.Command)
}

// submit hands in an input, if its chat is free or it was handed in before.
func (s *Server) submit(ctx context.Context, in session.Input) (int64, error) {
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
		busy, err := s.cfg.Sessions.IsBusy(ctx, in.Chat)
		if err != nil {
			return 0, err
		}
		if busy {
			return 0, errBusy
		}
	}
	return s.cfg.Sessions.Submit(ctx, in)
}

// awaitReply waits for the outcome of an input. Where its turn has to wait for the model it returns
// an [*awayError].
func (s *Server) awaitReply(ctx context.Context, chat event.Chat, seq int64, command bool) (api.ChatReply, error) {
	out := newOutcome(chat, seq, s.cfg.ArgsHash)
	last, err := s.cfg.Journal.Last(ctx, chat) // older events say nothing of the present
	if err != nil {
		return api.ChatReply{}, err
	}
	looked := false
	for e, err := range s.eventsAfter(ctx, chat, seq-1) {
		if err != nil {
			return api.ChatReply{}, err
		}
		if out.add(e) {
			return s.addUsage(ctx, out)
		}
		if _, parks := e.Body.(event.Parked); e.Seq < last || looked && !parks {
			continue
		}
		looked = true
		if t, err := s.parkedTurn(ctx, chat, out.turn, command); err != nil {
			return api.ChatReply{}, err
		} else if t != nil {
			return api.ChatReply{}, &awayError{*t}
		}
	}
	if err := context.Cause(ctx); err != nil {
		return api.ChatReply{}, err
	}
	return api.ChatReply{}, session.ErrClosed
}

// addUsage returns the reply with the usage of its turn. Where the input joined another turn, that
// is the usage of the whole turn from its beginning on.
func (s *Server) addUsage(ctx context.Context, o *outcome) (api.ChatReply, error) {
	spent := &o.usage
	if o.turn != o.input {
		spent = &ledger{turn: o.turn}
		for e, err := range s.eventsAfter(ctx, o.reply.Session, o.turn-1) {
			if err != nil {
				return api.ChatReply{}, err
			}
			if spent.add(e) {
				break
			}
		}
	}
	o.reply.Usage = spent.complete(o.reply.Usage, s.cfg.Prices())
	return o.reply, nil
}
