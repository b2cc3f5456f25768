package world

import (
	"maps"
	"slices"
)

// With returns a copy of m with v at key.
func With[V any](m map[string]V, key string, v V) map[string]V {
	c := make(map[string]V, len(m)+1)
	maps.Copy(c, m)
	c[key] = v
	return c
}

// Without returns a copy of m without key.
func Without[V any](m map[string]V, key string) map[string]V {
	c := make(map[string]V, len(m))
	maps.Copy(c, m)
	delete(c, key)
	return c
}

// Append returns a copy of list with more at its end.
func Append(list []string, more ...string) []string { return append(slices.Clone(list), more...) }

// Remove returns a copy of list without s.
func Remove(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(old string) bool { return old == s })
}
