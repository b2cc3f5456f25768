package eventlog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Request is the request for a turn, or for a further part of one.
type Request struct {
	ID          string // the input's; "" is one that is never repeated
	Body        []byte // its canonical bytes, which distinguish a repetition from another request with the same ID
	User, Input string
	Plan        json.RawMessage // what is meant and not done yet: no call is made of it; see [Part]
	Actor       string          // who acts in the calls that do not say so
	Calls       []rules.Call
	Narration   Narration
	Counts      bool // it is a turn of the story even if it changed nothing
	// Table marks a turn of the table: it is about the players and not of the story, such as who plays whom. It is not undone,
	// redo passes over it, and it does not change the dice to come.
	Table bool
	// Open says that further parts of the turn follow: the automatic consequences of the turn wait for the first part that is not
	// open.
	Open bool
	// Edit returns changes that the owner of the story makes without a tool. It may advance counts, which is its own copy. A
	// request that edits has no calls. Nil: there are none.
	Edit    func(w *world.World, counts rules.Counts) ([]world.Event, error)
	Looks   bool     // a person asks, and not a model: see [rules.Turn]
	Waits   bool     // a player lets time pass: see [rules.Turn]
	Created []string // ids that the calls before these in the same batch have created, "" for one that created none
	Limits  Limits
	Author  func(ctx context.Context, prompt string) (string, error) // writes for tools; nil: nobody does
}

// Limits bound a turn. Zero bounds nothing.
type Limits struct {
	Creates int  // see [rules.Limits]
	Repeats bool // refuse a call that was refused with the same arguments in each of the last three turns
}

// PlayResult is the result of a request.
type PlayResult struct {
	Part
	Events   []world.Event
	Replayed bool // nothing was executed: the request was played before, and this is its result of then
	Ended    bool // the campaign is over: everything was refused, nothing was logged, and Turn is 0
}

// Play runs the calls of a request as the next turn after the head, and logs it. After an error nothing was done.
func (s *Log) Play(ctx context.Context, r Request) (PlayResult, error) { return s.play(ctx, r, false) }

// Extend adds a further part to the newest turn, which must be the head: the calls of a later batch, or the narration.
func (s *Log) Extend(ctx context.Context, r Request) (PlayResult, error) { return s.play(ctx, r, true) }

func (s *Log) play(ctx context.Context, r Request, more bool) (PlayResult, error) {
	if err := s.lock(); err != nil {
		return PlayResult{}, err
	}
	defer s.mu.Unlock()
	if p, ok, err := s.findPlayed(ctx, r.ID, bodyHash(r.ID, r.Body)); ok || err != nil {
		return p, err
	}
	d, err := s.runRequest(ctx, r, more)
	if err != nil || d.Ended {
		return d.PlayResult, err
	}
	if err := s.logPart(ctx, &d); err != nil {
		return PlayResult{}, errors.Join(err, s.revert(d.Events))
	}
	return d.PlayResult, nil
}

// draft is a part of a turn that the world has and the log has not.
type draft struct {
	PlayResult
	counts rules.Counts // all of them after it
	path   int64        // by which its dice were thrown
	first  int64
}

// runRequest runs a request's calls on the world. After an error, and where the campaign has ended, the world is as it was before.
func (s *Log) runRequest(ctx context.Context, r Request, more bool) (draft, error) {
	f := s.fold
	d := draft{counts: maps.Clone(f.counts)}
	d.Part = Part{
		Turn: f.newest() + 1, Parent: f.head, More: more, Table: r.Table && !more, User: cleanText(r.User), Input: cleanText(r.Input),
		Plan: pack(r.Plan), Request: cleanText(r.ID), Narration: Narration{Text: cleanText(r.Narration.Text), Model: cleanText(r.Narration.Model)}, body: bodyHash(r.ID, r.Body),
	}
	if more {
		if f.head == 0 || f.head != f.newest() || f.nodes[f.head].Table {
			return draft{}, errors.New("extend turn: only the newest turn can be extended, only at the head, and none of the table")
		}
		d.Turn, d.Parent = f.head, f.nodes[f.head].Parent
	}
	d.Ended = f.world.Self().Ended && (!more || len(r.Calls) > 0)
	t := s.newTurn(ctx, r, &d)
	if err := applyEdit(t, r, &d); err != nil {
		return draft{}, errors.Join(err, s.revert(t.Events))
	}
	s.runCalls(ctx, t, r, &d)
	if d.Ended {
		d.Part = Part{Outcomes: d.Outcomes, Spans: d.Spans, State: f.state}
		return d, s.revert(t.Events)
	}
	if err := errors.Join(s.finishTurn(ctx, t, r, &d), t.err); err != nil {
		return draft{}, errors.Join(err, s.revert(t.Events))
	}
	for i := range t.Notes {
		t.Notes[i].Data = pack(t.Notes[i].Data)
	}
	d.Events, d.Rolls, d.Notes = t.Events, t.Rolls[t.rolled:], t.Notes
	if len(d.Rolls) > 0 && d.path == 0 {
		d.counts[burnCounter] += int64(len(d.Rolls))
	}
	d.State = f.world.Hash()
	return d, nil
}

// applyEdit makes the changes of those who run the story.
func applyEdit(t *turn, r Request, d *draft) error {
	if r.Edit == nil {
		return nil
	}
	if len(r.Calls) > 0 {
		return errors.New("edit the world: a request that edits has no calls")
	}
	events, err := r.Edit(t.World, d.counts)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := t.World.Apply(e); err != nil {
			return fmt.Errorf("edit the world: %w", err)
		}
		t.Events = append(t.Events, e)
	}
	return nil
}

// runCalls runs the calls one after the other.
func (s *Log) runCalls(ctx context.Context, t *turn, r Request, d *draft) {
	created := append(make([]string, 0, len(r.Created)+len(r.Calls)), r.Created...)
	for i, c := range r.Calls {
		c.ID, c.Tool, c.Reason, c.Actor = cleanText(c.ID), cleanText(c.Tool), cleanText(c.Reason), cleanText(c.Actor)
		if c.Actor == "" {
			c.Actor = cleanText(r.Actor)
		}
		c.Args = pack(c.Args)
		events, rolls := len(t.Events), len(t.Rolls)
		o := t.Do(ctx, c, created)
		created = append(created, o.Created)
		o.Result = pack(o.Result)
		span := Span{Events: len(t.Events) - events, Rolls: len(t.Rolls) - rolls}
		if string(c.Args) != string(o.Call.Args) {
			span.Asked = c.Args
		}
		if i < len(r.Calls)-1 {
			span.State = s.fold.world.Hash()
		}
		d.Outcomes, d.Spans = append(d.Outcomes, o), append(d.Spans, span)
	}
}

// finishTurn has happen what follows from a turn by itself, once all of its calls were made.
func (s *Log) finishTurn(ctx context.Context, t *turn, r Request, d *draft) error {
	if r.Open {
		return nil
	}
	if self := t.World.Self(); d.More && self.Rules[rules.StrikeBack]+self.Rules[rules.TwistAfter] > 0 {
		parts, err := s.readParts(ctx, d.Turn)
		if err != nil {
			return err
		}
		for _, p := range parts {
			t.Earlier.Outcomes = append(t.Earlier.Outcomes, p.Outcomes...)
		}
		before := s.fold.world.Clone()
		if err := before.Revert(t.Events); err != nil {
			return err
		}
		if _, err := s.fold.walk(ctx, before, s.fold.at, d.Parent); err != nil {
			return err
		}
		if t.Earlier.Events, err = s.fold.walk(ctx, before, d.Parent, d.Turn); err != nil {
			return err
		}
	}
	if err := s.runFollowing(ctx, t, r.Counts, d); err != nil {
		return err
	}
	return t.Finish(r.Counts)
}

// runFollowing runs the calls that nobody asked for and that follow from the turn.
func (s *Log) runFollowing(ctx context.Context, t *turn, counts bool, d *draft) error {
	for t.World.Self().Rules[rules.StrikeBack] == 1 {
		state, events, rolls := t.World.Hash(), len(t.Events), len(t.Rolls)
		o, ok, err := t.Follow(ctx, counts)
		if !ok || err != nil {
			return err
		}
		if n := len(d.Spans); n > 0 {
			d.Spans[n-1].State = state
		}
		o.Result = pack(o.Result)
		d.Outcomes = append(d.Outcomes, o)
		d.Spans = append(d.Spans, Span{Events: len(t.Events) - events, Rolls: len(t.Rolls) - rolls})
	}
	return nil
}

// revert takes events back that the log does not have. If that cannot be done, the log is of no more use.
func (s *Log) revert(events []world.Event) error {
	err := s.fold.world.Revert(events)
	if err != nil {
		s.broken = fmt.Errorf("the world is not what the log says, load the campaign again: %w", err)
	}
	return err
}

// logPart writes a part that the world has.
func (s *Log) logPart(ctx context.Context, d *draft) error {
	f := s.fold
	d.Time = s.formatNow()
	e := &entry{
		kind: "turn", turn: d.Turn, parent: d.Parent, table: d.Table, changes: d.Events,
		dice: [3]int64{d.path, d.first, int64(len(d.Rolls))}, counts: changedCounts(f.counts, d.counts), state: d.State, part: d.Part,
	}
	if d.More {
		e.kind, e.after = "more", f.nodes[d.Turn].Last
	}
	at := f.lines
	if err := s.writeLine(ctx, e); err != nil {
		return err
	}
	f.counts, f.state = d.counts, d.State
	if d.More {
		f.addPart(d.Turn, at, len(d.Events) > 0, int64(len(d.Rolls)))
	} else {
		f.addTurn(d.Parent, at, d.Table, len(d.Events) > 0, int64(len(d.Rolls)))
	}
	s.cache.put(d.Part)
	s.keepSnapshot(ctx)
	return nil
}

// findPlayed returns the result of a request that was played before.
func (s *Log) findPlayed(ctx context.Context, id, body string) (PlayResult, bool, error) {
	e, at, err := s.findRequest(ctx, id, body)
	if e == nil || err != nil {
		return PlayResult{}, false, err
	}
	f := s.fold
	p := PlayResult{Part: e.part, Replayed: true}
	if e.kind != "turn" && e.kind != "more" {
		return PlayResult{}, false, &ConflictError{Request: id}
	}
	p.Parent = f.nodes[e.turn].Parent
	p.Events, err = f.readEvents(ctx, e.turn, at)
	return p, true, err
}

// findRequest returns the line of a request that was made before, nil where there is none.
func (s *Log) findRequest(ctx context.Context, id, body string) (*entry, int64, error) {
	if id == "" {
		return nil, 0, nil
	}
	f := s.fold
	at, ok, err := f.log.Request(ctx, cleanText(id))
	if err != nil || !ok {
		return nil, 0, err
	}
	if at >= f.lines {
		return nil, 0, ErrStale
	}
	b, err := f.readLine(ctx, at, f.head)
	if err != nil {
		return nil, 0, err
	}
	e, err := read(b)
	if err != nil || e.turn > f.newest() || e.turn < 0 {
		return nil, 0, f.damagedAt(f.head, at, fmt.Errorf("request %q: %w", id, errors.Join(errUnread, err)))
	}
	if e.part.body != body {
		return nil, 0, &ConflictError{Request: id}
	}
	return e, at, nil
}

var errUnread = errors.New("its line cannot be read")

// readEvents returns the events of one line of a turn.
func (f *fold) readEvents(ctx context.Context, turn, at int64) ([]world.Event, error) {
	w := f.world.Clone()
	if _, err := f.walk(ctx, w, f.at, f.nodes[turn].Parent); err != nil {
		return nil, err
	}
	lines, err := f.readTurn(ctx, turn)
	if err != nil {
		return nil, err
	}
	for i := len(lines) - 1; i >= 0; i-- {
		done, err := stepLine(w, lines[i], world.Forward, nil)
		if err != nil {
			return nil, f.damagedAt(turn, at, err)
		}
		if lines[i].at == at {
			return done, nil
		}
	}
	return nil, nil
}

// bodyHash returns the SHA-256 of a request's bytes in hexadecimal, "" where it has no id.
func bodyHash(id string, body []byte) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// changedCounts returns the counters that differ, or nil.
func changedCounts(was, is rules.Counts) rules.Counts {
	var c rules.Counts
	for kind, n := range is {
		if was[kind] != n {
			c = world.With(c, kind, n)
		}
	}
	return c
}
