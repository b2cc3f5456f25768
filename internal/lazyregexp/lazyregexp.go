// Package lazyregexp has regular expressions that are compiled when they are first used. A start of hob needs almost none of its
// hundreds, and compiling one takes some microseconds up to a tenth of a millisecond.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression, and compiles it at its first call. That panics where [regexp.MustCompile]
// does.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
