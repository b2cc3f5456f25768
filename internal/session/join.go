package session

import (
	"context"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
)

// TurnOf returns the turn that answers an input, as known after event e. At first that is the turn
// that begins with the input's Said; it changes if an event says that the Said joined another turn.
// To wait for an answer, follow the chat from the Said on, keep the value that TurnOf returns, and
// stop at the Ended of that turn:
//
//	turn := said
//	for e := range follow(said - 1) {
//		turn = session.TurnOf(said, turn, e)
//		if _, over := e.Body.(event.Ended); over && e.Turn == turn { ... }
//	}
func TurnOf(said, turn int64, e event.Event) int64 {
	if j, ok := e.Body.(event.Joined); ok && j.Said == said {
		return e.Turn
	}
	return turn
}

// takeJoined journals that queued inputs joined the turn, and returns them as messages. Once ctx is
// stopped, queued inputs begin the next turn instead.
func (p *player) takeJoined(ctx context.Context, set Settings) ([]llm.Message, error) {
	c := p.c
	var words []string
	had, shown := 0, 0
	err := c.doInTurn(ctx, func(lasting context.Context) error {
		cur := c.tr.current()
		bodies := c.tr.joinableInputs(set)
		if stopped := context.Cause(ctx); stopped != nil || len(bodies) == 0 {
			return nil //nolint:nilerr // a stopped turn takes no more inputs
		}
		had, shown = len(cur.messages), len(cur.pictures)
		for _, s := range c.tr.queued[:len(bodies)] {
			words = append(words, s.body.Text)
		}
		_, err := c.append(lasting, p.seq, bodies...)
		return err
	})
	if err != nil || len(words) == 0 {
		return nil, err
	}
	if err := p.matchSkills(ctx, strings.Join(words, "\n"), false); err != nil {
		return nil, err
	}
	var messages []llm.Message
	var pictures []messagePictures
	err = c.access(ctx, func() {
		cur := c.tr.current()
		messages = slices.Clone(cur.messages[had:])
		for _, of := range cur.pictures[shown:] {
			of.at -= had
			pictures = append(pictures, of)
		}
	})
	p.showPictures(ctx, messages, pictures, set)
	return messages, err
}

// joinableInputs returns the events by which queued inputs join the open turn. Only inputs of the
// person who began it join, with the same platform and rights, and only up to the first input of
// somebody else, to keep the order of the chat. They must fit into the context, because inputs of
// the open turn are never shortened.
func (tr *transcript) joinableInputs(set Settings) (bodies []event.Body) {
	cur := tr.current()
	if cur.isCommand() {
		return nil // a command is one call
	}
	if tr.drivingSkill() != "" {
		return nil // the driver answers each input by itself
	}
	if cur.crashes > 0 {
		return nil // the turn may have crashed the process, and must not take other inputs with it
	}
	used := 0
	for _, s := range cur.inputs() {
		used += tokensOf(s, set)
	}
	for _, s := range tr.queued {
		used += tokensOf(s.body, set)
		fits := set.Window.Size <= 0 || used <= set.Window.Room()/2
		same := s.body.From == cur.input.From && s.body.Principal == cur.input.Principal
		if s.lost || s.body.Command || !same || !fits {
			break
		}
		bodies = append(bodies, event.Joined{Said: s.seq})
	}
	return bodies
}

// foldJoined folds in that a queued input joined the turn.
func (tr *transcript) foldJoined(cur *turn, seq int64) {
	i := tr.findQueued(seq)
	if i < 0 {
		return
	}
	input := tr.takeQueued(i)
	if input.lost {
		return
	}
	s := input.body
	tr.completeCalls(cur)
	cur.label = cur.label.Join(labelOf(s))
	cur.joined = append(cur.joined, s)
	cur.addInput(s)
	tr.readPending(cur)
	tr.words = append(tr.words, ownerWords(s)...)
}

// addInput adds an input to the messages of the turn.
func (t *turn) addInput(s event.Said) {
	m, _ := event.Message(s)
	p := messagePictures{at: len(t.messages)}
	for _, other := range t.pictures {
		p.nth += len(other.files)
	}
	for _, f := range s.Files {
		if f.IsPicture() {
			p.files = append(p.files, f)
		}
	}
	if len(p.files) > 0 {
		t.pictures = append(t.pictures, p)
	}
	t.newestInput = len(t.messages)
	t.messages = append(t.messages, m)
}
