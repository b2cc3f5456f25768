package ink

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// page is what is read from one choice to the next.
type page struct {
	label   string   // of the choice that leads here
	lines   []string // what is read
	choices []int    // the pages that can be chosen
}

// mostPages bounds the pages of a story.
const mostPages = 500

// explore plays a story in all ways and returns its pages, the first one first. Two ways lead to one page if the same is read there, and the
// same can come of it.
func (s *story) explore(first *state) ([]*page, error) {
	e := &explorer{story: s, known: map[string]int{}}
	if _, err := e.add("", first); err != nil {
		return nil, err
	}
	for at := 0; at < len(e.pages); at++ {
		for _, c := range e.states[at].choices {
			if c.fallback {
				continue
			}
			n, err := e.add(c.label, e.states[at].choose(c))
			if err != nil {
				return nil, err
			}
			if !slices.Contains(e.pages[at].choices, n) {
				e.pages[at].choices = append(e.pages[at].choices, n)
			}
		}
	}
	return untie(e.pages), nil
}

// untie gives each page that can be chosen on itself a twin: no way leads from a page to itself.
func untie(pages []*page) []*page {
	for i, p := range pages {
		at := slices.Index(p.choices, i)
		if at < 0 {
			continue
		}
		twin := *p
		p.choices = slices.Clone(p.choices)
		p.choices[at] = len(pages)
		pages = append(pages, &twin)
	}
	return pages
}

type explorer struct {
	*story
	pages  []*page
	states []*state
	known  map[string]int
}

// add runs a state to its next choice and returns its page, a new one if it is none of those that are known.
func (e *explorer) add(label string, st *state) (int, error) {
	if err := st.run(); err != nil {
		return 0, err
	}
	p := &page{label: label, lines: st.lines()}
	key := fmt.Sprintf("%q %q %s", label, p.lines, e.key(st))
	if n, is := e.known[key]; is {
		return n, nil
	}
	if len(e.pages) == mostPages {
		return 0, refuse("it comes to more than %d different pages, and hob takes no more: a number that always grows makes each page a new one", mostPages)
	}
	e.known[key] = len(e.pages)
	e.pages, e.states = append(e.pages, p), append(e.states, st)
	return len(e.pages) - 1, nil
}

// key tells states apart by what can come of them. Nothing comes of one that is over.
func (e *explorer) key(st *state) string {
	var b strings.Builder
	open := false
	for _, c := range st.choices {
		if !c.fallback {
			open = true
			fmt.Fprintf(&b, "%q %s %s %s\n", c.label, c.path.path, c.previous, e.framesKey(c.frames))
		}
	}
	if !open {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(st.globals)) {
		if e.reads[name] {
			fmt.Fprintf(&b, "%s=%T %v\n", name, st.globals[name], st.globals[name])
		}
	}
	var visits []string
	for c, n := range st.visits {
		if n = e.counts[c].matters(n); n > 0 {
			visits = append(visits, fmt.Sprint(c.path, "#", n))
		}
	}
	slices.Sort(visits)
	return b.String() + strings.Join(visits, " ")
}

func (e *explorer) framesKey(frames []frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s %s %v", f.at, f.kind, f.evaluating)
		for _, name := range slices.Sorted(maps.Keys(f.temps)) {
			if e.reads[name] {
				fmt.Fprintf(&b, " %s=%T %v", name, f.temps[name], f.temps[name])
			}
		}
		b.WriteString(";")
	}
	return b.String()
}

// matters returns a number of visits as far as it makes a difference, 0 where it makes none.
func (c count) matters(n int64) int64 {
	switch {
	case c.exact || n == 0:
		return n
	case c.mod > 0:
		return (n-1)%c.mod + 1
	}
	return min(n, c.most)
}
