// Package lists makes lists of other lists.
package lists

import "slices"

// Map returns what f makes of each of some items, in their order; an empty list of none.
func Map[T, U any](items []T, f func(T) U) []U {
	all := make([]U, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
}

// NonEmpty returns those of some texts in which there is something.
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
}
