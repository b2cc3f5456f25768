// Package eventlog is the event log of a campaign: a story that is played. The log is the truth, and the state follows from it.
//
// A log is a list of entries, numbered from 0. Entry 0 is the beginning: the world as events, and the seed of the dice. Every
// other entry is a turn, a further part of the newest turn, a move of the head, or a label. Entries are never changed or
// removed: undo moves the head to an older turn, and a turn that is played there begins a branch. The state is the fold of the
// turns from the beginning to the head. A turn whose calls were refused or only looked changes nothing and is a turn all the
// same. If it threw no dice either, redo still works after it.
//
// A turn of the table is about the players and not about the story, for example who plays whom. Undo and redo pass over it, and
// it does not count for the dice. Where the head moves to a moment with other settings of the table, the move is itself such a
// turn: one line, after which the present settings stay. Only the parent of such a turn need not be the head.
//
// # Invariants
//
//   - An entry is in the log as a whole or not at all, and the world is the fold of the log: if an entry cannot be written, its
//     changes are reverted.
//   - Replay runs no tool, throws no dice and asks no model: outcomes, rolls and words are data in the log.
//   - Counters of ids belong to the log and not to the state. Undo does not reset them, so no id is given twice.
//   - No decision depends on the time of day. The time is in the lines and in their hashes, and in no state.
//   - A snapshot is a cache. A snapshot that is missing, old or damaged costs time and nothing else.
//
// # Lines
//
// An entry is one line of JSON. The first member names its kind: "log" the beginning, "turn", "more" a further part of a turn,
// "head", "label". The last two members are "prev", the hash of the previous line (64 zeros for the first), and "hash", the
// SHA-256 in lower-case hexadecimal of all bytes of the line before ,"hash". The members that a fold needs come first, and end
// with "state", the hash of the world after the entry ([world.World.Hash]):
//
//	{"log":1,"campaign":"c1","commitment":"..","seed":"..","events":[..],"state":"..","time":"..","prev":"..","hash":".."}
//	{"turn":3,"parent":2,"events":[..],"dice":[2,0,1],"counts":{"obj":4},"state":"..","time":"..",...}
//	{"more":3,"after":4,"state":"..","time":"..","tell":{"text":"The door gives way."},"prev":"..","hash":".."}
//	{"head":1,"why":"undo","state":"..",...}
//	{"turn":4,"parent":1,"table":true,"why":"undo","moved":2,"events":[..],"state":"..",...}
//	{"label":1,"name":"before the crypt","state":"..",...}
//
// [world.AppendEvent] defines the form of events. "dice" is the path number and the first roll number of the dice of this part,
// and the number of rolls.
package eventlog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// Log is the log of a campaign, with the world at its head. It has one user at a time: while a call goes on, every other call
// that returns an error fails with [ErrBusy] at once, and every other call without one waits.
type Log struct {
	mu          sync.Mutex
	opt         Options
	fold        *fold
	cache       turnCache
	snapshotted int64         // the entries that the newest snapshot holds
	scratch     []byte        // for the line that is being written
	space       []world.Field // for the fields of that line
	broken      error         // why the world is no longer what the log says
}

// Options are the dependencies of a log.
type Options struct {
	Book *rules.Book
	Now  func() time.Time // for the lines' times, nothing else
	Dice Dice             // nil: there are none
	// CarryOver returns the changes that carry the present settings of the table over to the world of another moment. left are the
	// changes of the turns of the table that the head moves away from. Nil carries nothing over.
	CarryOver func(now, then *world.World, left []world.Event) ([]world.Event, error)
}

func (o *Options) check(verb string) error {
	if o.Book == nil || o.Now == nil {
		return fmt.Errorf("%s campaign: a book of rules and a clock are needed", verb)
	}
	return nil
}

// Dice throws the dice of expr as roll number roll of the path number path: always the same for the same seed and numbers.
type Dice func(seed [32]byte, path, roll int64, expr string) (rules.Roll, error)

// Beginning is the first entry of a campaign.
type Beginning struct {
	ID     string
	Seed   [32]byte
	World  *world.World // the log owns it from then on
	Counts rules.Counts // ids that were given before, nil for none
}

// Create writes the beginning of a campaign to an empty log.
func Create(ctx context.Context, log Storage, b Beginning, opt Options) (*Log, error) {
	if err := opt.check("create"); err != nil {
		return nil, err
	}
	if b.World == nil {
		return nil, errors.New("create campaign: a world is needed")
	}
	f := newFold(log)
	f.id, f.seed, f.world = b.ID, b.Seed, b.World
	maps.Copy(f.counts, b.Counts)
	s := &Log{opt: opt, fold: f}
	f.state = b.World.Hash()
	e := &entry{
		kind: "log", turn: version, campaign: b.ID, commitment: commitment(b.Seed), seed: hex.EncodeToString(b.Seed[:]),
		changes: b.World.Events(), state: f.state, part: Part{Time: s.formatNow()},
	}
	if len(b.Counts) > 0 {
		e.counts = b.Counts
	}
	if err := s.writeLine(ctx, e); err != nil {
		return nil, err
	}
	f.nodes = append(f.nodes, node{})
	return s, nil
}

// scratchMost is how many bytes are kept for the next line. The beginning of a large world may be megabytes.
const scratchMost = 64 << 10

// formatNow returns the time of day for a line.
func (s *Log) formatNow() string { return s.opt.Now().UTC().Format(time.RFC3339) }

// writeLine seals a line and appends it to the log.
func (s *Log) writeLine(ctx context.Context, e *entry) error {
	e.space = s.space[:0]
	b, hash := seal(e.append(s.scratch[:0]), s.fold.hash[:])
	s.space = e.space
	if err := checkReadable(b); err != nil {
		return err
	}
	if err := s.fold.log.Append(s.fold.withMove(ctx, e), s.fold.lines, b, e.part.Request); err != nil {
		return err
	}
	s.fold.lines++
	s.fold.hash = hash
	if s.scratch = b; cap(b) > scratchMost {
		s.scratch = nil
	}
	return nil
}

// lock begins a call that may write or that reads what another call may change; the caller unlocks.
func (s *Log) lock() error {
	if !s.mu.TryLock() {
		return ErrBusy
	}
	if s.broken != nil {
		s.mu.Unlock()
		return s.broken
	}
	return nil
}

// locked returns something of the fold, once no other call goes on.
func locked[T any](s *Log, get func(*fold) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return get(s.fold)
}

// World returns the world at the head. The log owns it: callers may read it while they call nothing else, and never change it.
func (s *Log) World() *world.World { return locked(s, func(f *fold) *world.World { return f.world }) }

// View calls look with the world at the head. Nothing else happens meanwhile.
func (s *Log) View(look func(w *world.World) error) error {
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	return look(s.fold.world)
}

// ID returns the campaign's id.
func (s *Log) ID() string { return s.fold.id }

// Head returns the number of the turn at the head, 0 at the beginning.
func (s *Log) Head() int64 { return locked(s, func(f *fold) int64 { return f.head }) }

// Turns returns the number of the newest turn, wherever the head is.
func (s *Log) Turns() int64 { return locked(s, func(f *fold) int64 { return f.newest() }) }

// Lines returns the number of lines that were read or written.
func (s *Log) Lines() int64 { return locked(s, func(f *fold) int64 { return f.lines }) }

// IsNewestLine reports whether a line is the newest one that was read: another campaign may have taken its place in the store.
func (s *Log) IsNewestLine(line []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, own, ok := readHashes(line)
	return ok && string(own) == string(s.fold.hash[:])
}

// StateHash returns the hash of the state at the head.
func (s *Log) StateHash() string { return locked(s, func(f *fold) string { return f.state }) }

// Path returns the turns from the first to the head.
func (s *Log) Path() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := make([]int64, 0, s.fold.nodes[s.fold.head].Depth)
	for t := s.fold.head; t != 0; t = s.fold.nodes[t].Parent {
		path = append(path, t)
	}
	slices.Reverse(path)
	return path
}

// Counts returns a copy of the counters of ids.
func (s *Log) Counts() rules.Counts {
	return locked(s, func(f *fold) rules.Counts { return maps.Clone(f.counts) })
}

// Branch is a name for a turn.
type Branch struct {
	Name string `json:"label"`
	Turn int64  `json:"turn"`
}

// Branches returns the labels in the order of their names.
func (s *Log) Branches() []Branch {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := slices.Sorted(maps.Keys(s.fold.labels))
	return lists.Map(names, func(name string) Branch { return Branch{Name: name, Turn: s.fold.labels[name]} })
}

// Tips returns the turns after which nothing was played, in order: the ends of all branches. It is empty before the first turn.
func (s *Log) Tips() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	inner := make([]bool, len(s.fold.nodes))
	for _, n := range s.fold.nodes[1:] {
		inner[n.Parent] = true
	}
	tips := []int64{}
	for turn := 1; turn < len(inner); turn++ {
		if !inner[turn] {
			tips = append(tips, int64(turn))
		}
	}
	return tips
}

// Commitment returns the SHA-256 of the 32 bytes of the seed of the dice, in hexadecimal. It identifies the seed and does not
// disclose it.
func (s *Log) Commitment() string { return commitment(s.fold.seed) }

// Reveal returns the seed in hexadecimal. Who knows it knows all dice to come.
func (s *Log) Reveal() string { return hex.EncodeToString(s.fold.seed[:]) }

func commitment(seed [32]byte) string {
	sum := sha256.Sum256(seed[:])
	return hex.EncodeToString(sum[:])
}
