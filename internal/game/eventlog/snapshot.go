package eventlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// A snapshot is its first line, the SHA-256 of all that follows, and: the number of lines and the hash of the last, id and
// seed, the head, counters, labels, the tree, and the state as JSON. Numbers are varints, texts have their length before them.
const (
	snapshotIs = "hob game snapshot 2\n"
	// every is after how many lines a snapshot is made, at least. In a long log it is made after each further 64th of it, so that
	// the tree, which grows with the log, is not written again for little.
	every = 64
)

// keepSnapshot makes a snapshot when it is time, if the log is a [SnapshotStorage]. That it could not be kept is no matter: the log has everything.
func (s *Log) keepSnapshot(ctx context.Context) {
	c, ok := s.fold.log.(SnapshotStorage)
	if !ok || s.fold.lines-s.snapshotted < max(every, s.fold.lines/every) {
		return
	}
	s.snapshotted = s.fold.lines
	_ = c.KeepSnapshot(ctx, s.fold.snapshot())
}

// snapshot returns what f is at the head.
func (f *fold) snapshot() []byte {
	b := make([]byte, 0, 1024+6*len(f.nodes)+256*f.world.Size())
	b = append(append(b, snapshotIs...), make([]byte, sha256.Size)...)
	body := len(b)
	b = binary.AppendVarint(b, f.lines)
	b = append(b, f.hash[:]...)
	b = appendText(b, f.id)
	b = append(b, f.seed[:]...)
	b = binary.AppendVarint(b, f.head)
	b = appendText(b, f.state)
	b = appendNumbers(b, f.counts)
	b = appendNumbers(b, f.labels)
	b = binary.AppendVarint(b, int64(len(f.nodes)))
	last := int64(0)
	for i, n := range f.nodes[1:] {
		turn := int64(i) + 1
		b = binary.AppendVarint(b, turn-n.parent)
		b = binary.AppendVarint(b, n.line-last)
		b = binary.AppendVarint(b, n.last-n.line)
		b = binary.AppendVarint(b, n.visited-turn)
		rolls := int64(n.rolls) << 2
		if n.changed {
			rolls |= 1
		}
		if n.table {
			rolls |= 2
		}
		b = binary.AppendVarint(b, rolls)
		last = n.line
	}
	b = binary.AppendVarint(b, f.nodes[0].visited)
	b = f.world.AppendState(b)
	sum := sha256.Sum256(b[body:])
	copy(b[len(snapshotIs):], sum[:])
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendVarint(b, int64(len(s))), s...)
}

func appendNumbers(b []byte, m map[string]int64) []byte {
	b = binary.AppendVarint(b, int64(len(m)))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		b = binary.AppendVarint(appendText(b, name), m[name])
	}
	return b
}

var errSnapshot = errors.New("the snapshot is of no use")

// restore makes f what it was when the snapshot was made. The log must still have the line that the snapshot ends with.
func (f *fold) restore(ctx context.Context, b []byte) error {
	rest, ok := bytes.CutPrefix(b, []byte(snapshotIs))
	if !ok || len(rest) < sha256.Size {
		return errSnapshot
	}
	r := &reader{b: rest[sha256.Size:]}
	if sum := sha256.Sum256(r.b); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return errSnapshot
	}
	f.lines = r.num()
	copy(f.hash[:], r.take(len(f.hash)))
	f.id = r.text()
	copy(f.seed[:], r.take(len(f.seed)))
	f.head = r.num()
	f.state = r.text()
	f.counts, f.labels = rules.Counts(r.numbers()), r.numbers()
	f.readTree(r)
	if r.bad || f.checkTurn(f.head) != nil {
		return errSnapshot
	}
	line, err := f.readLine(ctx, f.lines-1, f.head)
	if err != nil {
		return err
	}
	if _, own, _ := readHashes(line); string(own) != string(f.hash[:]) {
		return errSnapshot
	}
	s := world.Scan(r.b)
	if f.world, err = s.State(); err != nil {
		return err
	}
	f.at = f.head
	return f.checkHead(ctx)
}

// readTree reads the turns.
func (f *fold) readTree(r *reader) {
	n := r.num()
	if n < 1 || n > int64(len(r.b)) {
		r.bad = true
		return
	}
	f.nodes = make([]node, 1, n+n/8)
	last := int64(0)
	for turn := int64(1); turn < n && !r.bad; turn++ {
		parent := turn - r.num()
		line := last + r.num()
		end := line + r.num()
		visited := turn + r.num()
		rolls := r.num()
		if parent < 0 || parent >= turn || visited < 0 || visited >= n {
			r.bad = true
			return
		}
		f.nodes = append(f.nodes, node{parent: parent, line: line, visited: visited, depth: f.nodes[parent].depth + 1, table: rolls&2 != 0})
		f.countPart(turn, end, rolls&1 != 0, rolls>>2)
		last = line
	}
	if f.nodes[0].visited = r.num(); f.nodes[0].visited < 0 || f.nodes[0].visited >= n {
		r.bad = true
	}
}

// reader reads a snapshot. After it was bad once it reads zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) num() int64 {
	n, used := binary.Varint(r.b)
	if used <= 0 || r.bad {
		r.bad = true
		return 0
	}
	r.b = r.b[used:]
	return n
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) || r.bad {
		r.bad = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) text() string { return string(r.take(int(r.num()))) }

func (r *reader) numbers() map[string]int64 {
	m := map[string]int64{}
	for n := r.num(); n > 0 && !r.bad; n-- {
		name := r.text()
		m[name] = r.num()
	}
	return m
}
