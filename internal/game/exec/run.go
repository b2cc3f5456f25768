// Package exec plays a game as JSON Lines: calls come in, answers go out. It is `hob game exec`, by which other programs drive
// the engine.
//
// A line is one turn: a call, or a batch of calls. The limits of play do not hold here, nothing is injected, and everything is
// strict. docs/game_exec.md describes the lines.
package exec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/jsonl"
)

// Game is a campaign that is played line by line.
type Game struct {
	Log    *eventlog.Log
	Book   *rules.Book
	Lang   string // of the answers' texts
	Events bool   // answers have tool_event and state_patch
	Now    func() time.Time

	pending *eventlog.Pending
}

// Open reads a world of one of hob's own forms, or a save, to play it in memory. Faults of a save that allow to play it are
// warnings.
func Open(ctx context.Context, data []byte, im game.Import, now func() time.Time) (g *Game, warnings []string, err error) {
	t, warnings, err := game.Read(ctx, data, eventlog.NewMemoryStorage(), im)
	if err != nil {
		return nil, nil, err
	}
	return &Game{Log: t, Book: im.Opt.Book, Lang: cmp.Or(im.Lang, t.World().Self().Lang), Now: now}, warnings, nil
}

// Run answers every line of in, up to its end. A line that cannot be used ends it with a *[LineError]; the lines before stay
// played. It writes the answers to a line before it waits for the next one.
func (g *Game) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	return jsonl.Answer(ctx, in, out, func(out io.Writer, n int, line []byte) error {
		return g.answerLine(ctx, out, n, bytes.ToValidUTF8(line, []byte("\uFFFD")))
	})
}

// answerLine answers one line.
func (g *Game) answerLine(ctx context.Context, out io.Writer, n int, text []byte) error {
	l, err := readLine(text)
	if err != nil {
		return &LineError{N: n, What: err.Error()}
	}
	by := eventlog.Origin{Request: string(l.Request)}
	switch {
	case l.Undo != nil:
		moved, err := g.Log.Undo(ctx, *l.Undo, by)
		return writeMoved(out, "undone", moved, err)
	case l.Redo != nil:
		moved, err := g.Log.Redo(ctx, *l.Redo, by)
		return writeMoved(out, "redone", moved, err)
	case l.State != nil:
		state, err := game.State(ctx, g.Log, *l.State)
		if err != nil {
			return &LineError{N: n, What: "asks for a state that there is not: " + err.Error()}
		}
		return write(out, rules.NewObj().Raw("state", state), nil)
	case l.Preview != nil:
		return g.preview(ctx, out, l)
	case l.Commit, l.Drop:
		return g.commitOrDrop(ctx, out, n, l.Commit)
	case len(l.Batch) == 0:
		return nil
	}
	return g.turn(ctx, out, l)
}

// writeMoved writes the number of turns by which the head moved. A request with the id of another one moved none.
func writeMoved(out io.Writer, name string, moved eventlog.MoveResult, err error) error {
	var conflict *eventlog.ConflictError
	if errors.As(err, &conflict) {
		return write(out, rules.NewObj().Int(name, 0).Text("detail", string(rules.RequestConflict)), nil)
	}
	return write(out, rules.NewObj().Int(name, int64(moved.Turns)), err)
}

// write writes an answer.
func write(out io.Writer, o *rules.Obj, err error) error {
	if err != nil {
		return err
	}
	_, err = out.Write(append(o.Bytes(), '\n'))
	return err
}

// request returns what a line asks of the log.
func (l line) request(calls []wireCall) eventlog.Request {
	r := eventlog.Request{ID: string(l.Request)}
	body := rules.NewObj()
	for _, c := range calls {
		call := c.call()
		if r.ID == "" { // one id is enough for a turn: that of its first call that has one
			r.ID = string(c.Request)
		}
		r.Calls = append(r.Calls, call)
		body.Text("tool", call.Tool).Text("actor", call.Actor).Raw("args", eventlog.CanonicalJSON(call.Args))
	}
	r.Body = body.Bytes()
	return r
}

// turn plays a line's calls as one turn.
func (g *Game) turn(ctx context.Context, out io.Writer, l line) error {
	began, counts := g.Now(), g.counts()
	r := l.request(l.Batch)
	played, err := g.Log.Play(ctx, r)
	var conflict *eventlog.ConflictError
	if errors.As(err, &conflict) {
		played = g.conflictAnswer(r)
	} else if err != nil {
		return err
	}
	return g.writeAnswers(out, l.Batch, turn{PlayResult: played, counts: counts, took: g.Now().Sub(began)})
}

// turn is the result of a line.
type turn struct {
	eventlog.PlayResult
	counts rules.Counts // before it
	took   time.Duration
}

// counts returns the counters of ids, if a patch is wanted.
func (g *Game) counts() rules.Counts {
	if !g.Events {
		return nil
	}
	return g.Log.Counts()
}

// conflictAnswer is what a request gets whose id another request had.
func (g *Game) conflictAnswer(r eventlog.Request) eventlog.PlayResult {
	p := eventlog.PlayResult{Part: eventlog.Part{State: g.Log.StateHash()}}
	for _, c := range r.Calls {
		p.Outcomes = append(p.Outcomes, g.Book.Conflict(c, r.ID, g.Lang))
	}
	return p
}

// writeAnswers writes a line for each call.
func (g *Game) writeAnswers(out io.Writer, calls []wireCall, p turn) error {
	when, err := time.Parse(time.RFC3339, p.Time)
	if err != nil {
		when = g.Now()
	}
	asked, followed := splitFollowed(p.Outcomes, len(calls))
	events, end := p.Events, lastApplied(asked)
	for i, o := range asked {
		var mine []world.Event
		last := i == end
		if i < len(p.Spans) {
			n := min(p.Spans[i].Events, len(events))
			if mine = events[:n]; last {
				mine, n = events, len(events) // what followed from the turn by itself goes with the last call that did something
			}
			events = events[n:]
		}
		a := answer(g.Book, g.Lang, calls[i].id(), o, when, stateAfter(p.PlayResult, asked, i))
		if last && len(followed) > 0 {
			a.Objs("followed", g.describeFollowed(followed))
		}
		if g.Events {
			changes := game.Patch(mine)
			if last {
				changes = append(changes, game.PatchCounts(p.counts, g.counts())...)
			}
			a.Obj("tool_event", toolEvent(g.Book, g.Lang, calls[i].id(), o, p.took)).Objs("state_patch", changes)
		}
		if err := write(out, a, nil); err != nil {
			return err
		}
	}
	return nil
}

// splitFollowed returns what came of the n calls that were asked for, and of those that followed from them by themselves.
func splitFollowed(list []rules.Outcome, n int) (asked, followed []rules.Outcome) {
	n = min(n, len(list))
	return list[:n], list[n:]
}

// describeFollowed tells calls that nobody asked for.
func (g *Game) describeFollowed(list []rules.Outcome) []*rules.Obj {
	objs := make([]*rules.Obj, len(list))
	for i, o := range list {
		objs[i] = rules.NewObj().Text("tool", o.Call.Tool).Raw("args", compact(o.Call.Args)).
			Text("text", g.Book.Text(g.Lang, o.Say)).Raw("result", o.Result)
	}
	return objs
}

// stateAfter returns the hash of the state after call i of those that were asked for in a turn. What followed from the turn by
// itself goes with the last call that was applied.
func stateAfter(p eventlog.PlayResult, asked []rules.Outcome, i int) string {
	if i < lastApplied(asked) && i < len(p.Spans) && p.Spans[i].State != "" {
		return p.Spans[i].State
	}
	return p.State
}

// lastApplied returns the index of the last call that was applied, or of the last one where none was.
func lastApplied(list []rules.Outcome) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].OK() {
			return i
		}
	}
	return len(list) - 1
}

// preview runs calls and takes them back: what they would do is shown, and waits for {"commit":true} or {"drop":true}.
func (g *Game) preview(ctx context.Context, out io.Writer, l line) error {
	r := l.request(l.Preview)
	pending, err := g.Log.Preview(ctx, r)
	var conflict *eventlog.ConflictError
	if errors.As(err, &conflict) {
		pending = &eventlog.Pending{PlayResult: g.conflictAnswer(r)}
	} else if err != nil {
		return err
	} else {
		g.pending = pending
	}
	asked, followed := splitFollowed(pending.Outcomes, len(l.Preview))
	list := make([]*rules.Obj, len(asked))
	for i, o := range asked {
		list[i] = answer(g.Book, g.Lang, l.Preview[i].id(), o, g.Now(), stateAfter(pending.PlayResult, asked, i))
		if i == lastApplied(asked) && len(followed) > 0 {
			list[i].Objs("followed", g.describeFollowed(followed))
		}
	}
	changes := eventlog.Changes(pending.Events)
	diff := make([]*rules.Obj, len(changes))
	for i, c := range changes {
		diff[i] = rules.NewObj().Text("kind", c.Kind.String()).Text("id", c.Key).Text("field", c.Field).
			Raw("old", orNull(c.Old)).Raw("new", orNull(c.New))
	}
	return write(out, rules.NewObj().Objs("preview", list).Objs("diff", diff), nil)
}

func orNull(v []byte) []byte {
	if v == nil {
		return []byte("null")
	}
	return v
}

// commitOrDrop commits what was previewed, or drops it.
func (g *Game) commitOrDrop(ctx context.Context, out io.Writer, n int, commit bool) error {
	pending := g.pending
	g.pending = nil
	if pending == nil {
		return &LineError{N: n, What: `has nothing to settle: preview calls first, with {"preview":[...]}`}
	}
	if !commit {
		return write(out, rules.NewObj().Flag("dropped", true).Text("state_hash", g.Log.StateHash()), nil)
	}
	played, err := g.Log.Commit(ctx, pending)
	if errors.Is(err, eventlog.ErrChanged) {
		return &LineError{N: n, What: "commits a preview from before something else happened: preview again"}
	}
	return write(out, rules.NewObj().Flag("committed", !played.Ended).Text("state_hash", played.State), err)
}
