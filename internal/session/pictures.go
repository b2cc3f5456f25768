package session

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
)

// maxPicture limits the size in bytes of a picture for a model.
const maxPicture = 10 << 20

// messagePictures are the pictures of a message.
type messagePictures struct {
	at    int // index of the message
	nth   int // number of earlier pictures in the turn
	files []event.File
}

// showPictures puts pictures into messages. A picture that the model does not get is replaced by a
// line that says why.
func (p *player) showPictures(ctx context.Context, messages []llm.Message, all []messagePictures, set Settings) {
	for _, of := range all {
		m := &messages[of.at]
		for i, f := range of.files {
			picture, why := p.loadPicture(ctx, f, of.nth+i, set)
			if why == "" {
				m.Images = append(m.Images, picture)
				continue
			}
			line := fmt.Sprintf("\n[hob: you are not shown the picture %q: %s]", f.Path, why)
			if !strings.Contains(m.Text, line) { // a shortened conversation has the line already
				m.Text += line
			}
		}
	}
}

// loadPicture returns the nth picture of a turn, or why the model does not get it.
func (p *player) loadPicture(ctx context.Context, f event.File, nth int, set Settings) (picture []byte, why string) {
	switch {
	case !set.Sees || p.c.cfg.Picture == nil:
		return nil, "this model cannot look at pictures"
	case nth >= set.Window.Pictures():
		return nil, "there are too many at once"
	case f.Bytes > maxPicture:
		return nil, "it is too large"
	}
	picture, err := p.c.cfg.Picture(ctx, f)
	switch {
	case err != nil || len(picture) == 0:
		return nil, "it is gone, or cannot be read"
	case len(picture) > maxPicture:
		return nil, "it is too large"
	}
	return picture, ""
}

// findPictures finds the pictures of a turn in its shortened messages. A person's message still
// begins with the same words; a line about a missing picture may follow.
func findPictures(t *turn, messages []llm.Message) (found []messagePictures) {
	next := 0
	for _, p := range t.pictures {
		words := t.messages[p.at].Text
		for i := next; i < len(messages); i++ {
			if m := messages[i]; m.Role == llm.UserRole && strings.HasPrefix(m.Text, words) {
				p.at, next = i, i+1
				found = append(found, p)
				break
			}
		}
	}
	return found
}

// tokensOf returns how many tokens of the context an input takes, with its pictures.
func tokensOf(s event.Said, set Settings) int {
	m, _ := event.Message(s)
	for _, f := range s.Files {
		if f.IsPicture() && set.Sees {
			m.Images = append(m.Images, nil)
		}
	}
	return set.Window.Count(window.Tokens(m))
}
