package inbound

import (
	"slices"
	"sync"
)

// recent holds a value for each of the newest keys, at most limit, and forgets the oldest. It is safe for
// concurrent use.
type recent[K comparable, V any] struct {
	limit  int
	mu     sync.Mutex
	values map[K]V
	keys   []K // oldest first
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{limit: limit, values: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (value V, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, known = r.values[key]
	return value, known
}

// update puts the value of a key in the place of the one there was, the zero value where there was none.
func (r *recent[K, V]) update(key K, change func(value V, known bool) V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, known := r.values[key]
	if r.values[key] = change(value, known); known {
		return
	}
	if r.keys = append(r.keys, key); len(r.keys) > r.limit {
		delete(r.values, r.keys[0])
		r.keys = r.keys[1:]
	}
}

func (r *recent[K, V]) set(key K, value V) { r.update(key, func(V, bool) V { return value }) }

func (r *recent[K, V]) remove(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.values[key]; known {
		delete(r.values, key)
		r.keys = slices.DeleteFunc(r.keys, func(k K) bool { return k == key })
	}
}
