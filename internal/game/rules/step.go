package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// Roll is a roll of dice. The log keeps it, so that a replay rolls none.
type Roll struct {
	Expr   string
	No     int64 // which roll of its turn it is, from 0
	Total  int64
	Detail string // for people
	Dice   []Die
	Why    string
}

// Die is one die of a roll.
type Die struct {
	Size, Value int64
	Kept        bool
}

// Note is a remark about something in a turn that is no change of the world, such as a journey (seed 003's game_logs).
type Note struct {
	ID   string // log_ and a number
	Kind string // move, area_generate ...
	Text string // in the campaign's language
	Data json.RawMessage
}

// Services are the services that a turn needs beside the world. A campaign may lack dice, names or a
// model.
type Services struct {
	// Throw makes the no-th roll of this turn.
	Throw func(expr string, no int64) (Roll, error)
	// Letters returns n small letters for the given words, always the same for a campaign.
	Letters func(n int, words ...string) string
	// Author asks a model to write: seed 003's generate_zone uses it. Nil: there is no model.
	Author func(ctx context.Context, prompt string) (string, error)
	// Counts are the counters of ids so far; steps add to them, and the log keeps them. It is always
	// needed.
	Counts *Counts
	// Recent returns the last n turns before this one, newest first. Nil: there is no log.
	Recent func(n int) []PastTurn
}

// PastTurn is a turn of the log, as tools see it.
type PastTurn struct {
	Turn     int64
	Outcomes []Outcome
	Rolls    []Roll
	Notes    []Note
}

// Counts is how many ids of each kind exist so far.
type Counts map[string]int64

// Step is one call while it runs. A tool can change the world only through it, and its changes are undone if the call
// fails.
type Step struct {
	World    *world.World
	Turn     int64  // the number of the turn
	Actor    string // the effective actor, "" where there is none
	Lang     string
	Book     *Book
	Services Services

	args        *Args
	events      []world.Event
	rolls       []Roll
	notes       []Note
	rollsBefore int64            // rolls of this turn before this call
	counts      map[string]int64 // given by this call
	err         error

	bound bool  // its tool has passed a gate
	act   *plan // of a check in a bound story
	uses  *use  // the result of a check, see [Attempt.Need]
	once  []use // what does not happen again in this turn, or in this scene
}

// Bound reports whether the call is one of a bound story: see [Gate].
func (s *Step) Bound() bool { return s.bound }

// Put adds a record to the world, in place of the one with the same kind and key.
func (s *Step) Put(r world.Record) {
	old := s.World.Record(r.Kind(), r.Key())
	s.apply(world.Event{Old: old, New: r})
}

// Change puts a changed copy of a record in its place, and returns it.
func Change[T any, R interface {
	*T
	world.Record
}](s *Step, r R, change func(next R)) R {
	next := *r
	change(&next)
	s.Put(R(&next))
	return &next
}

// Drop removes a record from the world. The tool itself clears references to it.
func (s *Step) Drop(r world.Record) {
	if old := s.World.Record(r.Kind(), r.Key()); old != nil {
		s.apply(world.Event{Old: old})
	}
}

func (s *Step) apply(e world.Event) {
	if s.err != nil {
		return
	}
	if s.err = s.World.Apply(e); s.err == nil {
		s.events = append(s.events, e)
	}
}

// SetArg sets an argument to the value that the tool used, so that the log has it as if the caller had given it.
func (s *Step) SetArg(name, v string) { s.args.set(name, world.AppendString(nil, v)) }

// Say returns words in the campaign's language.
func (s *Step) Say(key string, args ...any) string { return s.Text(NewSentence(key, args...)) }

// Join joins words by what stands between {0} and {1} in the text of a key.
func (s *Step) Join(key string, words []string) string {
	return strings.Join(words, s.Say(key, "", ""))
}

// Text returns a sentence in the campaign's language.
func (s *Step) Text(words Sentence) string { return s.Book.Text(s.Lang, words) }

// Known reports whether anything in the world has that id.
func (s *Step) Known(id string) bool { return s.World.Known(id) }

// nextNumber returns the next number of a kind of ids.
func (s *Step) nextNumber(kind string, least int64) int64 {
	n := max((*s.Services.Counts)[kind], s.counts[kind], least) + 1
	if s.counts == nil {
		s.counts = map[string]int64{}
	}
	s.counts[kind] = n
	return n
}

// NewID returns an id that no record has or ever had: prefix, "_" and a number of at least three digits, such as
// area_007. Numbers go on after the largest one in the world.
func (s *Step) NewID(prefix string) string {
	for {
		n := s.nextNumber(prefix, s.largestNumber(prefix))
		if id := fmt.Sprintf("%s_%03d", prefix, n); !s.Known(id) {
			return id
		}
	}
}

// largestNumber returns the largest number among ids with a prefix. It looks only for the first such id in a campaign.
func (s *Step) largestNumber(prefix string) (most int64) {
	if (*s.Services.Counts)[prefix] > 0 || s.counts[prefix] > 0 {
		return 0
	}
	look := func(id string) {
		if digits, ok := strings.CutPrefix(id, prefix+"_"); ok {
			if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n < 1<<40 {
				most = max(most, n)
			}
		}
	}
	for _, e := range s.World.Events() {
		_, key := e.Subject()
		look(key)
	}
	return most
}

// NewObjectID returns the id of a new object: obj_, a number and letters that follow from the
// campaign's seed.
func (s *Step) NewObjectID() string {
	for {
		n := strconv.FormatInt(s.nextNumber("obj", 0), 10)
		if id := "obj_" + n + "_" + s.Services.Letters(4, "obj", n); !s.Known(id) {
			return id
		}
	}
}

// NewOrder returns the order of a new record, after all others of its kind.
func (s *Step) NewOrder() int64 { return s.nextNumber("order", 0) }

// NewName returns a new name, such as log_12, for something that is no record.
func (s *Step) NewName(prefix string) string {
	return prefix + "_" + strconv.FormatInt(s.nextNumber(prefix, 0), 10)
}

// Roll throws dice and notes why. Its error is a sentence for whoever wrote the expression.
func (s *Step) Roll(expr, why string) (Roll, error) {
	if s.Services.Throw == nil {
		return Roll{}, fmt.Errorf("there are no dice")
	}
	r, err := s.Services.Throw(expr, s.rollsBefore+int64(len(s.rolls)))
	if err != nil {
		return Roll{}, err
	}
	r.No, r.Why = s.rollsBefore+int64(len(s.rolls)), why
	s.rolls = append(s.rolls, r)
	return r, nil
}

// Note adds a remark to the turn and returns its id.
func (s *Step) Note(kind, text string, data *Obj) string {
	id := s.NewName("log")
	s.notes = append(s.notes, Note{ID: id, Kind: kind, Text: text, Data: data.Bytes()})
	return id
}

// Recent returns the last n turns before this one, newest first.
func (s *Step) Recent(n int) []PastTurn {
	if s.Services.Recent == nil {
		return nil
	}
	return s.Services.Recent(n)
}
