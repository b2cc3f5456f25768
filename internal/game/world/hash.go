package world

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// The tree has fanout^depth leaves, each with the records whose keys fall there. A change costs the hash of the record, of its
// leaf, and of the depth nodes above it.
const (
	fanout = 16
	leaves = fanout * fanout * fanout
)

// tree is a Merkle tree over all records of a world.
type tree struct {
	levels  [3][]sha // 16, 256, 4096 nodes
	entries [leaves][]entry
	dirty   map[subject]struct{}
	root    sha
	buf     []byte // of what is hashed, to be used again
}

type sha = [sha256.Size]byte

type subject struct {
	kind Kind
	key  string
}

// entry is a record in a leaf.
type entry struct {
	subject
	sum sha
}

// Hash returns the hash of the state, in hexadecimal. It is the root of a Merkle tree: each record is hashed as kind, key and
// canonical JSON; a leaf is the SHA-256 of its records' hashes in the order of kind and key; each node is that of its 16
// children. Equal states have equal hashes whatever led to them, and after a change only what it touched is hashed anew.
func (w *World) Hash() string {
	if w.tree == nil {
		w.tree = newTree()
		for _, kind := range stateOrder() {
			for key := range w.records[kind] {
				w.tree.touch(kind, key)
			}
		}
		w.tree.hashEmpty()
	}
	w.tree.update(w)
	return hex.EncodeToString(w.tree.root[:])
}

func newTree() *tree {
	t := &tree{dirty: map[subject]struct{}{}}
	for i, n := 0, fanout; i < len(t.levels); i, n = i+1, n*fanout {
		t.levels[i] = make([]sha, n)
	}
	return t
}

func (t *tree) touch(kind Kind, key string) { t.dirty[subject{kind: kind, key: key}] = struct{}{} }

// hashEmpty hashes every node, for a tree with nothing in it: all nodes of a level are the same.
func (t *tree) hashEmpty() {
	same := sha256.Sum256(nil)
	for level := len(t.levels) - 1; level >= 0; level-- {
		for i := range t.levels[level] {
			t.levels[level][i] = same
		}
		same = node(t.levels[level], 0)
	}
	t.root = same
}

// node hashes the children of the i-th node above them.
func node(children []sha, i int) sha {
	var b [fanout * sha256.Size]byte
	for j := range fanout {
		copy(b[j*sha256.Size:], children[i*fanout+j][:])
	}
	return sha256.Sum256(b[:])
}

// update hashes what was touched. Which of the dirty comes first makes no difference to the result.
func (t *tree) update(w *World) {
	if len(t.dirty) == 0 {
		return
	}
	touched := make([]int, 0, len(t.dirty))
	for s := range t.dirty {
		i := leafOf(s)
		touched = append(touched, i)
		e := entry{subject: s}
		r := w.Record(s.kind, s.key)
		if r != nil {
			t.buf = append(t.buf[:0], byte(s.kind))
			t.buf = AppendRecord(AppendString(t.buf, s.key), r)
			e.sum = sha256.Sum256(t.buf)
		}
		t.put(i, e, r != nil)
	}
	clear(t.dirty)
	t.rehash(touched)
}

// rehash hashes the leaves and all that is above them.
func (t *tree) rehash(touched []int) {
	touched = distinct(touched)
	for _, i := range touched {
		t.buf = t.buf[:0]
		for _, e := range t.entries[i] {
			t.buf = append(t.buf, e.sum[:]...)
		}
		t.levels[len(t.levels)-1][i] = sha256.Sum256(t.buf)
	}
	for level := len(t.levels) - 2; level >= 0; level-- {
		for n := range touched {
			touched[n] /= fanout
		}
		touched = distinct(touched)
		for _, i := range touched {
			t.levels[level][i] = node(t.levels[level+1], i)
		}
	}
	t.root = node(t.levels[0], 0)
}

// distinct sorts list and drops what is twice in it.
func distinct(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// put puts the hash of a record into its leaf; is is false where there is no such record.
func (t *tree) put(leaf int, e entry, is bool) {
	list := t.entries[leaf]
	at, was := slices.BinarySearchFunc(list, e.subject, func(other entry, s subject) int {
		return cmp.Or(cmp.Compare(other.kind, s.kind), strings.Compare(other.key, s.key))
	})
	switch {
	case !is && was:
		t.entries[leaf] = slices.Delete(list, at, at+1)
	case was:
		list[at] = e
	case is:
		t.entries[leaf] = slices.Insert(list, at, e)
	}
}

// leafOf returns the leaf of a subject: the FNV-1a hash of its kind and key.
func leafOf(s subject) int {
	h := uint32(2166136261)
	h = (h ^ uint32(s.kind)) * 16777619
	for i := range len(s.key) {
		h = (h ^ uint32(s.key[i])) * 16777619
	}
	return int((h ^ h>>16) % leaves)
}
