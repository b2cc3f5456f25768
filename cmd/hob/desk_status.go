package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm/queue"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
)

// recentEvents is how far back a short status looks, over all chats.
const recentEvents = 3000

// status says in a few lines how hob stands, within the time that it has. Who does not look after hob is not told of other
// chats, and what hob knows of itself is not told to groups.
func (d *desk) status(ctx context.Context, r chat.Request) (chat.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, statusFor)
	defer cancel()
	trusted := r.Level >= event.BotAdmin && r.Scope == "private"
	here, errs, err := d.recent(ctx, r.Chat)
	if err != nil {
		return chat.Answer{}, err
	}
	waits, err := d.waiting(ctx, r)
	if err != nil {
		return chat.Answer{}, err
	}
	st := standing{Errors: errs}
	st.ask(ctx, d.set, d.hob.Model)
	lines := []string{d.modelLine(ctx, st, trusted), "**Queue**: " + queued(d.hob.Model.Queue.State())}
	here.Chat = "this chat"
	if words := strings.TrimPrefix(here.words(st.Model.Context, true), "this chat: "); words != "this chat" {
		lines = append(lines, "**This chat**: "+safe(words))
	} else {
		lines = append(lines, "**This chat**: nothing goes on")
	}
	switch {
	case len(waits) > 0 && r.Level >= event.BotAdmin:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question")+", see /approve")
	case len(waits) > 0:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question"))
	}
	still, err := d.stillLines(ctx, r, trusted)
	if err != nil {
		return chat.Answer{}, err
	}
	lines = append(lines, still...)
	for _, e := range st.Errors {
		if e.Chat != r.Chat && !trusted {
			continue
		}
		where := ""
		if e.Chat != r.Chat {
			where = " in " + safe(string(e.Chat))
		}
		lines = append(lines, fmt.Sprintf("**Last error**: %s%s: %s", at(e.Time), where, safe(brief(e.Text))))
		break
	}
	return chat.Answer{Text: strings.Join(lines, "\n")}, nil
}

// modelLine says which model it is, or what keeps it away. Where Ollama is is not everybody's business.
func (d *desk) modelLine(ctx context.Context, st standing, trusted bool) string {
	text := "**Model**: " + safe(st.Model.words())
	if st.Model.Name == "" {
		text = "**Model**: none yet"
	}
	problem := st.Ollama.Error
	switch {
	case problem == "":
		return text
	case ctx.Err() != nil:
		problem = fmt.Sprintf("it has not answered within %s", statusFor)
	case !trusted:
		problem = "it does not work now"
	}
	return text + "\n**Ollama**: " + safe(problem)
}

// queued says who uses the model and who waits for it.
func queued(s queue.State) string {
	text := "the model is free"
	if len(s.Running) > 0 {
		text = "the model is at work"
		if n := len(s.Waiting); n > 0 {
			text += fmt.Sprintf(", %d more wait", n)
		}
	}
	if s.Typical >= time.Second/2 {
		text += fmt.Sprintf("; a reply takes about %s", s.Typical.Round(time.Second))
	}
	return text
}

// recent reads how a chat stands, and the last errors of all chats, the newest first.
func (d *desk) recent(ctx context.Context, chat event.Chat) (chatStatus, []oneError, error) {
	st := standing{}
	chats := map[event.Chat]*tally{chat: {chatStatus: chatStatus{Chat: chat, Cached: -1}}}
	end, err := d.hob.Journal.Last(ctx, "")
	if err != nil {
		return chatStatus{}, nil, err
	}
	for e, err := range d.hob.Journal.Since(ctx, "", max(end-recentEvents, 0)) {
		if err != nil {
			return chatStatus{}, nil, err
		}
		if chats[e.Chat] == nil {
			chats[e.Chat] = &tally{}
		}
		chats[e.Chat].add(e, &st, true)
	}
	open, err := d.open(ctx)
	if err != nil {
		return chatStatus{}, nil, err
	}
	here := chats[chat].chatStatus
	for _, c := range open {
		here.Open = here.Open || c.Chat == chat
	}
	st.sort()
	return here, st.Errors, nil
}

// open returns the chats with turns that have not ended and do not stand still.
func (d *desk) open(ctx context.Context) ([]store.ChatInfo, error) {
	all, err := d.hob.Journal.Chats(ctx)
	if err != nil {
		return nil, err
	}
	parked, err := parkedIn(ctx, d.hob.Journal)
	var open []store.ChatInfo
	for _, c := range all {
		if c.Open = atWork(c, parked); len(c.Open) > 0 {
			open = append(open, c)
		}
	}
	return open, err
}
