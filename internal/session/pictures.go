package session

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
)

// maxPicture is how many bytes a picture has that a model is shown.
const maxPicture = 10 << 20

// messagePictures are pictures that came with a message.
type messagePictures struct {
	at    int // index of the message
	nth   int // how many came before them in the turn
	files []event.File
}

// showPictures puts pictures into messages. For a picture that is not shown the message gets a line
// that says why.
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
			if !strings.Contains(m.Text, line) { // a conversation that was made shorter meanwhile has it
				m.Text += line
			}
		}
	}
}

// loadPicture returns the nth picture of a turn, or why the model does not see it.
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

// findPictures finds the pictures of a turn in the messages that its conversation was shortened to.
// What a person said begins there with the same words; a line about a picture that is not shown may
// follow them.
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

// tokensOf is the share of the model's context that an input takes, with its pictures.
func tokensOf(s event.Said, set Settings) int {
	m, _ := event.Message(s)
	for _, f := range s.Files {
		if f.IsPicture() && set.Sees {
			m.Images = append(m.Images, nil)
		}
	}
	return set.Window.Count(window.Tokens(m))
}
