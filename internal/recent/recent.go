// Package recent remembers what belongs to the newest keys, and forgets the oldest.
package recent

import (
	"slices"
	"sync"
)

// Map holds a value for each of the newest keys, at most limit, and forgets the oldest. It is safe for
// concurrent use.
type Map[K comparable, V any] struct {
	limit  int
	mu     sync.Mutex
	values map[K]V
	keys   []K // oldest first
}

// NewMap returns an empty [Map].
func NewMap[K comparable, V any](limit int) *Map[K, V] {
	return &Map[K, V]{limit: limit, values: map[K]V{}}
}

// Get returns the value of a key.
func (r *Map[K, V]) Get(key K) (value V, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, known = r.values[key]
	return value, known
}

// Update puts the value of a key in the place of the one there was, the zero value where there was none, and returns it. Others wait
// meanwhile.
func (r *Map[K, V]) Update(key K, change func(value V, known bool) V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, known := r.values[key]
	value = change(value, known)
	if r.values[key] = value; known {
		return value
	}
	if r.keys = append(r.keys, key); len(r.keys) > r.limit {
		delete(r.values, r.keys[0])
		r.keys = r.keys[1:]
	}
	return value
}

// Set puts a value in the place of the one there was.
func (r *Map[K, V]) Set(key K, value V) { r.Update(key, func(V, bool) V { return value }) }

// Make returns the value of a key, and makes it where it is not known.
func (r *Map[K, V]) Make(key K, make func() V) V {
	return r.Update(key, func(value V, known bool) V {
		if known {
			return value
		}
		return make()
	})
}

// Remove forgets a key.
func (r *Map[K, V]) Remove(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.values[key]; known {
		delete(r.values, key)
		r.keys = slices.DeleteFunc(r.keys, func(k K) bool { return k == key })
	}
}
