package eventlog

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"hob/internal/game/rules"
)

// burnCounter is the counter of dice that can never be thrown again: those of the policy burn.
const burnCounter = "dice"

// policyBurn is the dice policy by which each throw is a new one, after undo, too.
const policyBurn = "burn"

// turn is a turn while it runs.
type turn struct {
	rules.Turn
	rolled int   // rolls of the parts before this one
	err    error // outside of the rules
}

// newTurn prepares the run of a request.
func (s *Log) newTurn(ctx context.Context, r Request, d *draft) *turn {
	f := s.fold
	t := &turn{Turn: rules.Turn{Book: s.opt.Book, World: f.world, Number: d.Turn, Depth: int64(f.nodes[d.Parent].Depth) + 1, ReadsAll: r.Looks, Waits: r.Waits, Unbound: r.Table, Words: d.Input}}
	if d.More {
		t.rolled = int(f.nodes[d.Turn].Rolls)
		t.Rolls = make([]rules.Roll, t.rolled)
	}
	d.path, d.first = int64(f.nodes[d.Parent].Acts)+1, int64(t.rolled)
	if f.world.Self().DicePolicy == policyBurn {
		d.path, d.first = 0, f.counts[burnCounter]
	}
	t.Services = rules.Services{
		Letters: func(n int, words ...string) string { return Letters(f.seed, n, words...) },
		Author:  r.Author, Counts: &d.counts,
		Recent: func(n int) []rules.PastTurn {
			list, err := s.listRecent(ctx, d.Parent, n)
			t.err = errors.Join(t.err, err)
			return list
		},
	}
	if s.opt.Dice != nil {
		t.Services.Throw = func(expr string, no int64) (rules.Roll, error) {
			return s.opt.Dice(f.seed, d.path, d.first+no-int64(t.rolled), expr)
		}
	}
	t.Limits.Creates = r.Limits.Creates
	if d.More {
		parts, err := s.readParts(ctx, d.Turn)
		t.err = errors.Join(t.err, err)
		if len(parts) > 0 {
			t.Words = parts[0].Input
		}
		if r.Limits.Creates > 0 {
			t.Limits.Created = countCreated(parts)
		}
	}
	if r.Limits.Repeats {
		t.Limits.Repeated = func(tool string, args []byte) bool {
			again, err := s.refusedThrice(ctx, d.Parent, tool, args)
			t.err = errors.Join(t.err, err)
			return again
		}
	}
	return t
}

// countCreated returns how many objects and people the parts of a turn have created.
func countCreated(parts []Part) (n int) {
	for _, p := range parts {
		for _, o := range p.Outcomes {
			if kind, _, _ := strings.Cut(o.Created, "_"); o.OK() && (kind == "obj" || kind == "npc" || kind == "pc") {
				n++
			}
		}
	}
	return n
}

// refusedThrice reports whether a call was refused in each of the three turns up to parent.
func (s *Log) refusedThrice(ctx context.Context, parent int64, tool string, args []byte) (bool, error) {
	want := CanonicalJSON(args)
	for range 3 {
		if parent == 0 {
			return false, nil
		}
		parts, err := s.readParts(ctx, parent)
		if err != nil || !slices.ContainsFunc(parts, func(p Part) bool { return p.hasRefused(tool, want) }) {
			return false, err
		}
		parent = s.fold.nodes[parent].Parent
	}
	return true, nil
}

// hasRefused reports whether a call with these canonical arguments was refused.
func (p *Part) hasRefused(tool string, args []byte) bool {
	for i, o := range p.Outcomes {
		asked := o.Call.Args
		if p.Spans[i].Asked != nil {
			asked = p.Spans[i].Asked
		}
		if !o.OK() && o.Call.Tool == tool && bytes.Equal(CanonicalJSON(asked), args) {
			return true
		}
	}
	return false
}

// Recent returns the last n turns of the story up to the head, the newest first. Those of the table are none of it.
func (s *Log) Recent(ctx context.Context, n int) ([]rules.PastTurn, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.listRecent(ctx, s.fold.head, n)
}

func (s *Log) listRecent(ctx context.Context, turn int64, n int) ([]rules.PastTurn, error) {
	var list []rules.PastTurn
	for ; turn != 0 && len(list) < n; turn = s.fold.nodes[turn].Parent {
		if s.fold.nodes[turn].Table {
			continue
		}
		parts, err := s.readParts(ctx, turn)
		if err != nil {
			return nil, err
		}
		past := rules.PastTurn{Turn: turn}
		for _, p := range parts {
			past.Outcomes = append(past.Outcomes, p.Outcomes...)
			past.Rolls = append(past.Rolls, p.Rolls...)
			past.Notes = append(past.Notes, p.Notes...)
		}
		list = append(list, past)
	}
	return list, nil
}

// Parts returns what the log says of a turn, the oldest part first. It is shared: it is not to be changed.
func (s *Log) Parts(ctx context.Context, turn int64) ([]Part, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if err := s.fold.checkTurn(turn); err != nil || turn == 0 {
		return nil, err
	}
	return s.readParts(ctx, turn)
}

func (s *Log) readParts(ctx context.Context, turn int64) ([]Part, error) {
	if parts := s.cache.get(turn); parts != nil {
		return parts, nil
	}
	parts, err := s.fold.readParts(ctx, turn)
	if err == nil {
		s.cache.add(turn, parts)
	}
	return parts, err
}

// turnCache holds the turns that were used last, so that looking back does not read the log each time.
type turnCache struct {
	turns [8]int64
	parts [8][]Part
	next  int
}

func (s *turnCache) get(turn int64) []Part {
	for i, t := range s.turns {
		if t == turn {
			return s.parts[i]
		}
	}
	return nil
}

func (s *turnCache) add(turn int64, parts []Part) {
	s.turns[s.next], s.parts[s.next] = turn, parts
	s.next = (s.next + 1) % len(s.turns)
}

// put adds a part that was just played.
func (s *turnCache) put(p Part) {
	if !p.More {
		s.add(p.Turn, []Part{p})
		return
	}
	for i, t := range s.turns {
		if t == p.Turn {
			s.parts[i] = append(s.parts[i][:len(s.parts[i]):len(s.parts[i])], p)
		}
	}
}

// Letters returns n small letters that follow from a seed and words: HMAC-SHA256 by the seed of "hob-letters-v1" and the words,
// each with its length before it, and the number of the block; a byte from 234 on is passed over, any other counts modulo 26.
func Letters(seed [32]byte, n int, words ...string) string {
	head := []byte("hob-letters-v1")
	for _, w := range words {
		head = append(binary.AppendUvarint(head, uint64(len(w))), w...)
	}
	out := make([]byte, 0, n)
	for block := uint64(0); len(out) < n; block++ {
		mac := hmac.New(sha256.New, seed[:])
		mac.Write(binary.BigEndian.AppendUint64(slices.Clip(head), block))
		for _, b := range mac.Sum(nil) {
			if b < 234 && len(out) < n {
				out = append(out, 'a'+b%26)
			}
		}
	}
	return string(out)
}
