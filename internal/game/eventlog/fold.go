package eventlog

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// fold is what a log comes to: the tree of its turns, and the world at one of them.
type fold struct {
	log   Storage
	id    string
	seed  [32]byte
	lines int64 // that were folded
	hash  hash  // of the last of them

	world  *world.World
	at     int64  // the turn whose state the world is: the head, but for while a log is read
	state  string // the hash of the state at the head, as the log has it
	head   int64
	nodes  []node // by turn; 0 is the beginning
	labels map[string]int64
	counts rules.Counts

	entry  entry          // the newest line
	events int64          // that were applied
	watch  func(e *entry) // sees each line before it is folded; where it is not nil all of a line is read, and the world hashed after it
}

// node is a turn in the tree.
type node struct {
	Parent, Visited int64 // the turn before it; the one after it where the head last was, 0 for none
	Line, Last      int64 // its first and its last line
	Depth           int32 // turns from the beginning to it
	Acts            int32 // those of them in the story that changed something or rolled
	Rolls           int32
	Changed         bool // it changed something
	Table           bool // it is one of those who play and not of the story
}

// isUndoable reports whether a turn is one of the story that can be taken back and done again.
func (n *node) isUndoable() bool { return n.Changed && !n.Table }

// isQuiet reports whether nothing happened in it that is of the story, so that what was taken back before it can be done again after it.
func (n *node) isQuiet() bool { return n.Table || !n.Changed && n.Rolls == 0 }

func newFold(log Storage) *fold {
	return &fold{log: log, world: world.Empty(), hash: noHash(), labels: map[string]int64{}, counts: rules.Counts{}}
}

func (f *fold) newest() int64 { return int64(len(f.nodes)) - 1 }

// leadTo makes turn the head. Whoever goes on from an older turn comes this way again: all turns before the head lead to it.
func (f *fold) leadTo(turn int64) {
	for fork := f.findFork(f.head, turn); turn != fork; {
		parent := f.nodes[turn].Parent
		f.nodes[parent].Visited = turn
		turn = parent
	}
}

// findFork returns the turn where the ways to two turns part.
func (f *fold) findFork(a, b int64) int64 {
	for a != b {
		if f.nodes[a].Depth >= f.nodes[b].Depth {
			a = f.nodes[a].Parent
		} else {
			b = f.nodes[b].Parent
		}
	}
	return a
}

// addTurn makes the turn that was just logged, in line number at, part of the tree. What was played after its parent before stays what is
// done again, as long as it is quiet.
func (f *fold) addTurn(parent, at int64, table, changed bool, rolls int64) {
	n := node{Parent: parent, Line: at, Last: at, Depth: f.nodes[parent].Depth + 1, Table: table, Visited: f.nodes[parent].Visited}
	f.nodes = append(f.nodes, n)
	turn := f.newest()
	if n.Visited == 0 {
		f.nodes[parent].Visited = turn
	}
	f.addPart(turn, at, changed, rolls)
	f.head, f.at = turn, turn
}

// leadRedoTo makes a turn at the head what is done again, whoever comes from before it, and from before the quiet ones that led to it.
func (f *fold) leadRedoTo(turn int64) {
	f.nodes[turn].Visited = 0
	for first := turn; turn != 0 && (turn == first || f.nodes[turn].isQuiet()); {
		parent := f.nodes[turn].Parent
		if f.nodes[parent].Visited == turn {
			return
		}
		f.nodes[parent].Visited = turn
		turn = parent
	}
}

// addPart adds to the newest turn what a part of it did.
func (f *fold) addPart(turn, at int64, changed bool, rolls int64) {
	n := &f.nodes[turn]
	quiet := n.isQuiet()
	n.Last = at
	n.Changed = n.Changed || changed
	n.Rolls += int32(rolls)
	n.Acts = f.nodes[n.Parent].Acts
	if n.isUndoable() || n.Rolls > 0 {
		n.Acts++
	}
	if quiet && !n.isQuiet() {
		f.leadRedoTo(turn)
	}
}

// foldLine folds the next line of the log.
func (f *fold) foldLine(ctx context.Context, b []byte) error {
	prev, own, ok := readHashes(b)
	switch {
	case !ok:
		return f.damagedNext(b, "it is not what its hash says")
	case string(prev) != string(f.hash[:]):
		return f.damagedNext(b, "it does not follow the line before it")
	}
	e := &f.entry
	err := e.skim(b)
	if err == nil && f.watch != nil {
		err = e.rest()
	}
	if err == nil {
		err = f.checkPlace(e)
	}
	if err == nil && f.watch != nil {
		f.watch(e)
	}
	if err == nil {
		err = f.foldEntry(ctx, b, e)
	}
	if err == nil && f.watch != nil {
		err = f.checkHead(ctx)
	}
	if err != nil {
		if saysWhy(err) {
			return err
		}
		return f.damagedNext(b, err.Error())
	}
	copy(f.hash[:], own)
	f.lines++
	return nil
}

// damagedNext names the turn of the next line. Its number may be what is damaged, so it is what follows from the lines before.
func (f *fold) damagedNext(b []byte, why string) error {
	turn := max(0, f.newest()) + 1
	switch {
	case f.lines == 0:
		turn = 0
	case slices.ContainsFunc([]string{`{"more":`, `{"head":`, `{"label":`}, func(s string) bool {
		return bytes.HasPrefix(b, []byte(s))
	}):
		turn = f.head
	}
	return &DamagedError{Line: f.lines + 1, Turn: turn, Why: why}
}

// checkPlace looks whether a line that is sound may come next.
func (f *fold) checkPlace(e *entry) error {
	if (f.lines == 0) != (e.kind == "log") {
		return errors.New("a log begins with its beginning, and has one")
	}
	switch e.kind {
	case "turn":
		if e.turn != f.newest()+1 || e.parent != f.head && !e.table || f.checkTurn(e.parent) != nil {
			return fmt.Errorf("turn %d after turn %d does not come next", e.turn, e.parent)
		}
	case "more":
		if e.turn != f.newest() || e.turn != f.head || e.turn == 0 || e.after != f.nodes[e.turn].Last {
			return errors.New("it is no further part of the newest turn")
		}
	case "head", "label":
		return f.checkTurn(e.turn)
	}
	return nil
}

// foldEntry folds a line that fits.
func (f *fold) foldEntry(ctx context.Context, b []byte, e *entry) error {
	switch e.kind {
	case "log":
		return f.foldBeginning(b, e)
	case "head":
		f.leadTo(e.turn)
		f.head, f.state = e.turn, e.state
		return nil
	case "label":
		f.labels[e.name] = e.turn
		return nil
	}
	return f.foldPart(ctx, b, e)
}

// foldBeginning folds the beginning.
func (f *fold) foldBeginning(b []byte, e *entry) error {
	if e.turn != version {
		return fmt.Errorf("the log has format %d, this hob reads format %d", e.turn, version)
	}
	seed, err := hex.DecodeString(e.seed)
	if err != nil || len(seed) != len(f.seed) {
		return errors.New("the seed is not 64 digits")
	}
	copy(f.seed[:], seed)
	f.id, f.state = e.campaign, e.state
	f.nodes = append(f.nodes, node{})
	maps.Copy(f.counts, e.counts)
	return f.applyEvents(b, e)
}

// foldPart folds a turn or a further part of one.
func (f *fold) foldPart(ctx context.Context, b []byte, e *entry) error {
	if e.kind == "turn" && e.parent != f.head { // one of the table, which takes what that has set from one moment of the story to another
		f.leadTo(e.parent)
		f.head = e.parent
	}
	if err := f.moveToHead(ctx); err != nil {
		return err
	}
	if err := f.applyEvents(b, e); err != nil {
		return err
	}
	for kind, n := range e.counts {
		if n <= f.counts[kind] {
			return fmt.Errorf("the counter %q goes back", kind)
		}
		f.counts[kind] = n
	}
	f.state = e.state
	if e.kind == "turn" {
		f.addTurn(e.parent, f.lines, e.table, e.events > 0, e.dice[2])
	} else {
		f.addPart(e.turn, f.lines, e.events > 0, e.dice[2])
	}
	return nil
}

// moveToHead brings the world to the head.
func (f *fold) moveToHead(ctx context.Context) error {
	if f.at == f.head {
		return nil
	}
	if _, err := f.walk(ctx, f.world, f.at, f.head); err != nil {
		return err
	}
	f.at = f.head
	return nil
}

// applyEvents applies the events of a line.
func (f *fold) applyEvents(b []byte, e *entry) error {
	if e.events == 0 {
		return nil
	}
	s := world.Scan(b[e.events:])
	s.Expect('[')
	n := 0
	for ; s.Item(n); n++ {
		if err := f.world.Next(s); err != nil {
			return err
		}
	}
	f.events += int64(n)
	return s.Err()
}

// checkHead brings the world to the head and compares it with what the log says of it.
func (f *fold) checkHead(ctx context.Context) error {
	if err := f.moveToHead(ctx); err != nil {
		return err
	}
	if state := f.world.Hash(); state != f.state {
		return fmt.Errorf("the state after it is %s and not %s, as the log says", state, f.state)
	}
	return nil
}
