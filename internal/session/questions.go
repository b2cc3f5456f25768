package session

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/policy"
)

// A turn asks whether a call may run: its gate waits on the turn's goroutine (gate.go). The
// functions here journal the question and its answer, on the chat's goroutine.

// Answer is a person's answer to a question.
type Answer struct {
	Chat  event.Chat // the chat with the question
	ID    string     // of the question
	Allow bool
	By    string // who answers, as the surface names them
	event.Principal
	Grants []event.Grant // those of the offered grants that the person gives
}

// YesOrNo reads an answer of one word to a question, in English, German, Russian or
// Chinese. If the text is no such word, ok is false.
func YesOrNo(text string) (yes, ok bool) {
	switch strings.Trim(strings.ToLower(strings.TrimSpace(text)), ".!。！ ") {
	case "yes", "y", "ok", "okay", "allow", "ja", "j", "да", "д", "ок", "是", "是的", "好", "好的", "可以", "允许":
		return true, true
	case "no", "n", "deny", "nein", "нет", "н", "不", "否", "不行", "不是", "不可以", "拒绝":
		return false, true
	}
	return false, false
}

// mayAllow is the lowest level that may answer yes, because a question is about a risk for the
// whole household.
const mayAllow = event.BotAdmin

// Decide answers a question that a turn of the chat asked. The first answer counts. A later answer,
// or one from a person who may not give it, is an error and changes nothing.
func (s *Sessions) Decide(ctx context.Context, a Answer) error {
	return s.onChat(ctx, a.Chat, func(ctx context.Context, c *chat) error { return c.answer(ctx, a) })
}

// ask journals the question, unless it was answered before a restart. An open question from before
// a restart keeps its nonce and its expiry, and is asked again, because its reader may be gone.
func (c *chat) ask(ctx context.Context, ask event.Asked, answer chan event.Decided) (event.Asked, error) {
	cur := c.tr.current()
	if old, ok := cur.newestQuestion(ask.CallID); ok {
		d, answered := cur.decided[old.ID]
		switch {
		case answered && !cur.started[ask.CallID] && (!d.Allow || c.cfg.Now().Before(old.Expires)):
			answer <- d
			return old, nil
		case answered: // the yes was used before the restart, or has expired
		case old.Hash == ask.Hash:
			c.questions[old.ID] = answer
			_, err := c.append(ctx, cur.seq, old)
			return old, err
		default: // the call has changed since
			withdrawn := event.Decided{ID: old.ID, CallID: old.CallID, By: "nobody"}
			if _, err := c.append(ctx, cur.seq, withdrawn); err != nil {
				return old, err
			}
		}
	}
	id, err := nonce(c.cfg.Random)
	if err != nil {
		return ask, err
	}
	ask.ID, ask.Expires = id, c.cfg.Now().Add(policy.Expiry).UTC().Truncate(time.Second)
	c.questions[id] = answer
	_, err = c.append(ctx, cur.seq, ask)
	return ask, err
}

// nonce returns 128 random bits as text without a leading dash, which would look like an option of
// a command. One in 64 would have one.
func nonce(random io.Reader) (string, error) {
	for {
		var raw [16]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return "", fmt.Errorf("make a nonce: %w", err)
		}
		if id := base64.RawURLEncoding.EncodeToString(raw[:]); id[0] != '-' {
			return id, nil
		}
	}
}

// answer journals an answer. The question may be from before a restart, and not asked again yet. It
// runs on the chat's goroutine.
func (c *chat) answer(ctx context.Context, a Answer) error {
	cur := c.tr.current()
	if cur == nil {
		return notWaiting(a.ID)
	}
	ask, ok := cur.asked[a.ID]
	if _, over := cur.decided[a.ID]; !ok || over {
		return notWaiting(a.ID)
	}
	switch {
	case a.Allow && a.Level < mayAllow:
		return fmt.Errorf("only an owner of this hob can allow that: %s is %s", a.By, a.Level)
	case a.Allow && !c.cfg.Now().Before(ask.Expires):
		return fmt.Errorf("the question %s has expired: ask again", a.ID)
	case !a.Allow && len(a.Grants) > 0:
		return errors.New("a no cannot allow anything once and for all")
	}
	for _, grant := range a.Grants {
		if !slices.Contains(ask.Grants, grant) {
			return fmt.Errorf("the question %s does not offer %s", a.ID, grant)
		}
	}
	return c.recordDecision(ctx, event.Decided{
		ID: a.ID, CallID: ask.CallID, Allow: a.Allow, By: a.By, Grants: a.Grants,
	})
}

func notWaiting(id string) error {
	return fmt.Errorf("nothing waits for an answer to %s: "+
		"it was answered or withdrawn, or it never was a question here", id)
}

// recordDecision journals a decision and sends it to the waiting turn.
func (c *chat) recordDecision(ctx context.Context, d event.Decided) error {
	cur := c.tr.current()
	if cur == nil {
		return notWaiting(d.ID)
	}
	if _, err := c.append(ctx, cur.seq, d); err != nil {
		return err
	}
	if waits, ok := c.questions[d.ID]; ok {
		delete(c.questions, d.ID)
		waits <- d
	}
	return nil
}
