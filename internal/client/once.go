package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/http/api"
	"hob/internal/tools"
)

// Stop asks the running hob to stop its turns in a chat, or in all chats for "". Without a running
// hob it ends the turns that a killed one has left.
func Stop(ctx context.Context, l *app.Loader, s *app.Environment, chat event.Chat) (api.StopReply, error) {
	done, err := api.NewClient(s.SocketPath()).Stop(ctx, api.StopRequest{Chat: chat})
	if errors.Is(err, api.ErrNotRunning) {
		done.Stopped, err = endOpenTurns(ctx, l, s, chat)
	}
	return done, err
}

// endOpenTurns ends the turns that are open though no hob runs.
func endOpenTurns(ctx context.Context, l *app.Loader, s *app.Environment, chat event.Chat) ([]event.Chat, error) {
	stopped := []event.Chat{}
	open, err := s.OpenTurns(ctx)
	if err != nil || len(open) == 0 {
		return stopped, err
	}
	if s, err = l.Load(); err != nil {
		s, err = l.ReadFile(os.DevNull, os.DevNull) // ending turns needs no configuration
	}
	if err != nil {
		return nil, err
	}
	h, err := l.Open(ctx, s, app.NewModel(s), "hob stop")
	if err != nil {
		return nil, err
	}
	for _, c := range open {
		if chat != "" && c.Chat != chat {
			continue
		}
		some := false
		for range c.Open {
			ran, err := h.Halt(ctx, c.Chat)
			if err != nil {
				_ = h.Close() // err matters more
				return nil, err
			}
			if !ran { // the rest is parked
				break
			}
			some = true
		}
		if some {
			stopped = append(stopped, c.Chat)
		}
	}
	return stopped, h.Close()
}

// Undo asks the running hob to undo changes, or locks the state and does so itself.
func Undo(ctx context.Context, l *app.Loader, s *app.Environment, u commands.UndoRequest) (done commands.UndoReport, err error) {
	reply, err := api.NewClient(s.SocketPath()).Command(ctx, api.CommandRequest{Name: "undo", Args: u.Args(), Chat: u.Chat})
	switch {
	case err == nil:
		return done, json.Unmarshal(reply.Data, &done)
	case !errors.Is(err, api.ErrNotRunning) && !errors.Is(err, api.ErrGone):
		return commands.UndoReport{DryRun: u.DryRun}, err
	}
	lock, err := l.LockState(ctx, s, "hob undo")
	if err != nil {
		return done, err
	}
	u.By = tools.Caller{User: "owner", Principal: app.LocalOwner(), Chat: u.Chat}
	err = s.EditJournal(ctx, func(db *store.DB) (err error) {
		if err = s.Changes(db).Finish(ctx); err != nil {
			return err
		}
		done, err = s.Changes(db).Undo(ctx, u)
		return err
	})
	return done, cmp.Or(err, lock.Release())
}

// SwitchSkill opens or closes a skill for the owner at this machine, and returns a sentence about
// it.
func SwitchSkill(ctx context.Context, b Skills, chat event.Chat, name string, open bool) (string, error) {
	s, err := FindSkill(ctx, b, chat, name)
	if err != nil {
		return "", err
	}
	w := session.SkillRequest{Chat: chat, Skill: s.Name, By: "owner", Principal: app.LocalOwner()}
	switch {
	case open && s.Open:
		return fmt.Sprintf("The skill %s is open in %s already.", s.Name, chat), nil
	case !open && !s.Open:
		return fmt.Sprintf("The skill %s is not open in %s.", s.Name, chat), nil
	case !open:
		return fmt.Sprintf("The skill %s is closed in %s.", s.Name, chat), b.CloseSkill(ctx, w)
	}
	if err := b.OpenSkill(ctx, w); err != nil {
		if s, bad := FindSkill(ctx, b, chat, name); bad == nil && s.Server != nil && s.Server.Error != "" { // the owner may read what a model may not
			err = exit.Errorf(exit.Failed, "the skill %s cannot be opened: %s", s.Name, s.Server.Error)
		}
		return "", err
	}
	list, err := b.SkillList(ctx, chat)
	if err != nil {
		return "", err
	}
	names := ""
	if s, err := list.Find(s.Name); err == nil && len(s.Tools) > 0 {
		names = ": " + strings.Join(s.ToolNames(), ", ")
	}
	return fmt.Sprintf("The skill %s is open in %s%s.", s.Name, chat, names), nil
}

// FindSkill returns a skill and its state in a chat. The error suggests a similar name.
func FindSkill(ctx context.Context, b Skills, chat event.Chat, name string) (commands.Skill, error) {
	list, err := b.SkillList(ctx, chat)
	if err != nil {
		return commands.Skill{}, err
	}
	s, err := list.Find(name)
	if err != nil {
		return s, exit.Errorf(exit.Usage, "%v", err)
	}
	return s, nil
}
