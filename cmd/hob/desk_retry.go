package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
)

// retry goes on with a turn that was parked in this chat, or lists those that there are.
func (d *desk) retry(ctx context.Context, r chat.Request) (chat.Answer, error) {
	all, err := d.hob.Parked(ctx, r.Chat)
	if err != nil {
		return chat.Answer{}, err
	}
	stays := slices.DeleteFunc(slices.Clone(all), session.Parked.Waits)
	id := int64(0)
	if arg := strings.TrimSpace(r.Args); arg != "" {
		if id, err = strconv.ParseInt(arg, 10, 64); err != nil {
			return chat.Answer{}, fmt.Errorf("say the number of a turn, or none: /retry lists them")
		}
	} else if len(stays) == 1 {
		id = stays[0].ID
	}
	if id > 0 {
		if err := d.hob.Retry(ctx, r.Chat, id); err != nil {
			return chat.Answer{}, fmt.Errorf("turn %d is not parked here: /retry lists those that are", id)
		}
		return chat.Answer{Text: "I try it again."}, nil
	}
	var lines []string
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("- /retry %d: %s", p.ID, safe(parkedWords(p))))
	}
	if len(lines) == 0 {
		return chat.Answer{Text: "Nothing is parked here."}, nil
	}
	return chat.Answer{Text: few(lines)}, nil
}

// stillLines tells of turns that wait for the model or are parked: in this chat, and to who looks after hob in all.
func (d *desk) stillLines(ctx context.Context, r chat.Request, trusted bool) ([]string, error) {
	all, err := parkedIn(ctx, d.hob.Journal)
	if err != nil {
		return nil, err
	}
	if !trusted {
		all = slices.DeleteFunc(all, func(p session.Parked) bool { return p.Chat != r.Chat })
	}
	var lines []string
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("**Stands still**: %d in %s", p.ID, safe(brief(parkedWords(p)))))
	}
	return lines, nil
}
