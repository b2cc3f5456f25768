// Package lists makes lists of other lists.
package lists

// Map returns what f makes of each of some items, in their order; an empty list of none.
func Map[T, U any](items []T, f func(T) U) []U {
	all := make([]U, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
}
