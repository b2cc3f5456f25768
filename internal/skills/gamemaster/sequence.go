package gamemaster

import (
	"context"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// A sentence of several commands, and a journey of several steps, are one turn of several calls.

// tryCalls returns the function with which the parser learns what calls would do.
func (tn turn) tryCalls(ctx context.Context) func([]rules.Call) parser.Tried {
	return func(calls []rules.Call) parser.Tried {
		w, done := tn.rehearse(ctx, calls)
		return parser.Tried{World: w, Ends: done.ends}
	}
}

// rehearsed says how far a list of calls would get.
type rehearsed struct {
	calls   int  // how many would be made, up to and with the first that is refused or at which something happens
	ends    bool // something happens, or a call is refused
	refused bool // the last call is refused, which says why nothing follows
}

// tryOut returns what calls of this turn would do, without making them.
func (tn turn) tryOut(ctx context.Context, calls []rules.Call) (*eventlog.Pending, error) {
	return tn.Preview(ctx, eventlog.Request{
		User: tn.caller.User, Actor: tn.state.actor, Input: tn.state.words, Calls: calls, Looks: true, Waits: true, Open: true,
	})
}

// rehearse returns what the world would be after calls of this turn, without making them. It throws the dice that the
// calls would get.
func (tn turn) rehearse(ctx context.Context, calls []rules.Call) (*world.World, rehearsed) {
	done := rehearsed{calls: len(calls)}
	seen, err := tn.tryOut(ctx, calls)
	if err != nil || seen.Ended || len(seen.Outcomes) != len(calls) || len(seen.Spans) != len(calls) {
		return nil, rehearsed{calls: len(calls), ends: true}
	}
	w, events := tn.World().Clone(), seen.Events
	for i, o := range seen.Outcomes {
		for _, e := range events[:seen.Spans[i].Events] {
			done.ends = done.ends || tn.interrupts(e)
			if w.Apply(e) != nil {
				return nil, rehearsed{calls: len(calls), ends: true}
			}
		}
		if i > 0 && rules.Code(o.Detail()) == rules.CheckNeeded {
			return w, rehearsed{calls: i, ends: true} // the check before it fails, and the narration tells that
		}
		if events = events[seen.Spans[i].Events:]; done.ends || !o.OK() {
			return w, rehearsed{calls: i + 1, ends: true, refused: !o.OK()}
		}
	}
	return w, done
}

// interrupts reports whether a change is one that stops a player from going on as planned: a clock is full, or one of
// the party is hurt.
func (tn turn) interrupts(e world.Event) bool {
	switch is := e.New.(type) {
	case *world.Clock:
		was, _ := e.Old.(*world.Clock)
		return is.Filled >= is.Segments && (was == nil || was.Filled < was.Segments)
	case *world.Actor:
		was, _ := e.Old.(*world.Actor)
		return was != nil && tn.inParty(is.ID) && is.HP.Known && is.HP.N < was.HP.Or(was.HPMax.N)
	}
	return false
}

// rehearseUneventful returns how many of some calls to make: all, or those up to the first that is refused or at which
// something happens.
func (tn turn) rehearseUneventful(ctx context.Context, calls []rules.Call) rehearsed {
	if len(calls) < 2 || !tn.changesWorld(calls) {
		return rehearsed{calls: len(calls)}
	}
	_, done := tn.rehearse(ctx, calls)
	return done
}

// addLooks adds what the player looked at between other commands.
func (tn turn) addLooks(t account.Turn, text string) string {
	if tn.state.planned < 2 || tn.state.turn != tn.caller.Turn {
		return text
	}
	for _, id := range tn.state.looked {
		closer, ok := show.Closer(t.After, t.Lang, t.Actor, id)
		if !ok { // the player has gone from there
			closer, ok = show.Closer(t.Before, t.Lang, t.Actor, id)
		}
		if ok {
			text = joinParagraphs(text, closer)
		}
	}
	return text
}

// afterwards adds the results of what the player did besides, and the answer to the part of the player's words that
// comes after the calls. join joins two texts like the first: [joinParagraphs] or [joinPlain].
func (tn turn) afterwards(ctx context.Context, text string, join func(words, more string) string) (string, []event.Choice, error) {
	if tn.state.turn == tn.caller.Turn {
		text = joinPlain(join("", tn.state.replies[0]), text)
		text = join(text, tn.state.replies[1])
	}
	m := tn.state.then
	if m == nil || tn.state.turn != tn.caller.Turn || tn.World().Self().Ended {
		return text, nil, nil
	}
	if m.Show != "" {
		more, err := tn.view(ctx, m.Show)
		return join(text, more), nil, err
	}
	var p driver.Plan
	if len(m.Options) > 0 {
		p = tn.ask(ctx, *m)
	}
	return join(text, m.Problem), p.Result.Choices, nil
}

// joinParagraphs adds a text to words, whether either is plain or preformatted.
func joinParagraphs(words, more string) string {
	if !strings.HasPrefix(more, fence) {
		more = asMarkdown(more)
	}
	return joinPlain(words, more)
}

// joinPlain adds a text to words.
func joinPlain(words, more string) string { return strings.Join(lists.NonEmpty(words, more), "\n\n") }
