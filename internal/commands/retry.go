package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
)

// ParkedTurns is the turns that wait for the model or are parked.
type ParkedTurns interface {
	// Parked returns those of a chat, oldest first.
	Parked(ctx context.Context, chat event.Chat) ([]event.ParkedTurn, error)
	// Retry resumes one.
	Retry(ctx context.Context, chat event.Chat, id int64) error
}

// OnlyParked returns the parked turn if there is exactly one. Waiting turns do not count.
func OnlyParked(all []event.ParkedTurn) (p event.ParkedTurn, ok bool) {
	n := 0
	for _, one := range all {
		if !one.Waits() {
			p = one
			n++
		}
	}
	return p, n == 1
}

// retry resumes a parked turn of this chat, or lists them.
func (d Deps) retry(ctx context.Context, by Request) (Answer, error) {
	all, err := d.ParkedTurns.Parked(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	id := int64(0)
	if by.Args != "" {
		if id, err = strconv.ParseInt(by.Args, 10, 64); err != nil {
			return Answer{}, errors.New("say the number of a turn, or none: /retry lists them")
		}
	} else if one, ok := OnlyParked(all); ok {
		id = one.ID
	}
	if id > 0 {
		if err := d.ParkedTurns.Retry(ctx, by.Chat, id); err != nil {
			return Answer{}, fmt.Errorf("turn %d is not parked here: /retry lists those that are", id)
		}
		return Answer{Text: "I try it again."}, nil
	}
	a := Answer{Text: "Nothing is parked here.", Data: append([]event.ParkedTurn{}, all...)}
	if len(all) == 0 {
		return d.offerRedo(ctx, by, a), nil
	}
	lines := lists.Map(all, func(p event.ParkedTurn) string {
		return fmt.Sprintf("- /retry %d: %s", p.ID, escape(p.Describe(d.Now().Location())))
	})
	a.Text = truncateLines(lines, maxLines, ", which hob retry lists")
	return a, nil
}

// offerRedo adds to an answer how what was taken back last is made again, where nothing was changed since: "redo" means that.
func (d Deps) offerRedo(ctx context.Context, by Request, a Answer) Answer {
	chat := event.Chat("")
	if !by.isPrivate() {
		chat = by.Chat
	}
	last, err := d.Changes.Changes(ctx, by.caller(), chat, 1)
	if err != nil || len(last) == 0 || !last[0].Undoes || !last[0].Undo {
		return a
	}
	line := fmt.Sprintf("/undo #%d", last[0].Number)
	a.Text += " " + markdown.Escape(line+" makes again what was taken back.")
	a.Choices = [][]Choice{{{"Make it again", line}}}
	return a
}
