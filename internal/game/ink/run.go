package ink

import (
	"maps"
	"slices"
	"strings"
)

// frame is a level of a story's calls: of the story itself, of a tunnel or of a function.
type frame struct {
	at         pointer
	kind       command // "", ->-> for a tunnel, ~ret for a function
	temps      map[string]any
	evaluating bool
	from       int // of a function: where its output begins
}

// choice is what can be chosen.
type choice struct {
	label    string
	path     *container
	fallback bool
	frames   []frame
	previous pointer
}

// state is where a story is, and what it remembers. What it holds by reference is never changed in place but by its owner.
type state struct {
	*story
	frames   []frame
	previous pointer
	diverted pointer
	values   []any // of expressions
	output   []any // text, newline, glue, and marks of a text that is built
	globals  map[string]any
	visits   map[*container]int64
	choices  []choice
	over     bool
	printed  int      // bytes
	tags     []string // remarks with #
}

// textBegins marks where a text begins that an expression builds, tagBegins a remark.
type (
	textBegins struct{}
	tagBegins  struct{}
)

// begin returns the state of a story before its first word.
func (s *story) begin() (*state, error) {
	st := &state{story: s, globals: map[string]any{}, visits: map[*container]int64{}}
	if decl, ok := s.root.named["global decl"].(*container); ok {
		st.frames = []frame{{at: pointer{decl, 0}, temps: map[string]any{}}}
		if err := st.run(); err != nil {
			return nil, err
		}
	}
	*st = state{story: s, globals: st.globals, visits: map[*container]int64{}}
	st.frames = []frame{{at: pointer{s.root, 0}, temps: map[string]any{}}}
	return st, nil
}

func (st *state) top() *frame { return &st.frames[len(st.frames)-1] }

// copyFrames returns frames that can be changed apart from these.
func copyFrames(frames []frame) []frame {
	all := slices.Clone(frames)
	for i := range all {
		all[i].temps = maps.Clone(all[i].temps)
	}
	return all
}

// choose returns the state in which a choice was made.
func (st *state) choose(c choice) *state {
	next := &state{
		story: st.story, frames: copyFrames(c.frames), previous: c.previous, globals: maps.Clone(st.globals), visits: maps.Clone(st.visits),
	}
	next.follow(c)
	return next
}

// follow goes on where a choice leads.
func (st *state) follow(c choice) {
	st.choices = nil
	st.top().at = pointer{c.path, 0}
	st.visitChanged()
}

// The bounds of the way of a story from one choice to the next.
const (
	mostSteps   = 20_000
	mostInAll   = 2_000_000 // steps, of all pages
	mostPrinted = 64 << 10  // bytes
	mostChoices = 20
)

// run goes on until there is something to choose, or the story is over. A fallback is taken where nothing else can be.
func (st *state) run() error {
	for range mostSteps {
		if st.top().at.in == nil {
			i := slices.IndexFunc(st.choices, func(c choice) bool { return c.fallback })
			if st.over || i < 0 || slices.ContainsFunc(st.choices, func(c choice) bool { return !c.fallback }) {
				return nil
			}
			c := st.choices[i]
			st.frames, st.previous = copyFrames(c.frames), c.previous
			st.follow(c)
		}
		if err := st.step(); err != nil {
			return err
		}
		st.steps++
		switch {
		case st.steps > mostInAll:
			return refuse("it takes more than %d steps to play it in all ways", mostInAll)
		case st.printed > mostPrinted:
			return refuse("more than %d bytes are read at once in it: let the reader choose before", mostPrinted)
		case len(st.choices) > mostChoices:
			return refuse("there are more than %d choices at once in it: take some away", mostChoices)
		}
	}
	return refuse("it goes on for %d steps without anything to choose: see that a loop comes to an end", mostSteps)
}

// step does one piece of content.
func (st *state) step() error {
	f := st.top()
	for {
		c, ok := f.at.resolve().(*container)
		if !ok {
			break
		}
		st.visit(c, true)
		if len(c.content) == 0 {
			break
		}
		f.at = pointer{c, 0}
	}
	if err := st.do(f.at.resolve()); err != nil {
		return err
	}
	if st.top().at.in != nil {
		st.next()
	}
	return nil
}

// do does what a piece of content says.
func (st *state) do(item any) error {
	switch v := item.(type) {
	case *divert:
		return st.divert(v)
	case command:
		return st.command(v)
	case assignment:
		value, err := st.pop()
		if err == nil {
			st.assign(v, value)
		}
		return err
	case readVariable:
		value, ok := st.variable(string(v))
		if !ok {
			return refuse("it reads the variable %.40q, which has no value: declare it with VAR", v)
		}
		st.values = append(st.values, value)
	case *readVisits:
		c, err := st.containerAt(v.in, v.path)
		st.values = append(st.values, st.visits[c])
		return err
	case *choicePoint:
		return st.offer(v)
	case *container, nil:
	default:
		if _, isGlue := v.(glue); !isGlue && st.top().evaluating {
			st.values = append(st.values, v)
		} else {
			st.print(v)
		}
	}
	return nil
}

func (st *state) pop() (any, error) {
	n := len(st.values) - 1
	if n < 0 {
		return nil, refuse("it is damaged: an expression has too few values")
	}
	v := st.values[n]
	st.values = st.values[:n]
	return v, nil
}

func (st *state) variable(name string) (any, bool) {
	if v, ok := st.top().temps[name]; ok {
		return v, true
	}
	v, ok := st.globals[name]
	return v, ok
}

func (st *state) assign(a assignment, value any) {
	_, known := st.globals[a.name]
	if _, own := st.top().temps[a.name]; a.global || a.isAgain && known && !own {
		st.globals[a.name] = value
		return
	}
	st.top().temps[a.name] = value
}

func (st *state) divert(d *divert) error {
	if d.conditional {
		v, err := st.pop()
		if err != nil {
			return err
		}
		if is, err := truthy(v); !is || err != nil {
			return err
		}
	}
	in, path := d.in, d.path
	if d.variable != "" {
		v, _ := st.variable(d.variable)
		to, ok := v.(target)
		if !ok {
			return refuse("it goes on at the variable %.40q, which is no place in the story", d.variable)
		}
		in, path = st.root, string(to)
	}
	to, ok := st.find(in, path)
	if !ok {
		return refuse("it is damaged: nothing is at %.60q", path)
	}
	if d.variable == "" { // a divert that names a container goes to what it begins with, as Ink does: who is within it has come no second time
		to.index = max(0, to.index)
	}
	if d.isTunnel || d.isFunction {
		kind := command("->->")
		if d.isFunction {
			kind = "~ret"
		}
		if len(st.frames) > mostFrames {
			return refuse("its tunnels or functions call each other without an end")
		}
		st.frames = append(st.frames, frame{at: st.top().at, kind: kind, temps: map[string]any{}, from: len(st.output)})
	}
	st.diverted = to
	return nil
}

const mostFrames = 200

func (st *state) command(c command) error {
	if n := operands(c); n > 0 {
		return st.compute(c, n)
	}
	switch c {
	case "ev":
		st.top().evaluating = true
	case "/ev":
		st.top().evaluating = false
	case "out":
		v, err := st.pop()
		if err == nil && v != any(void{}) {
			st.print(text(show(v)))
		}
		return err
	case "pop":
		_, err := st.pop()
		return err
	case "du":
		v, err := st.pop()
		st.values = append(st.values, v, v)
		return err
	case "str":
		st.output, st.top().evaluating = append(st.output, textBegins{}), false
	case "/str":
		st.values, st.top().evaluating = append(st.values, text(st.cut(textBegins{}))), true
	case "#":
		st.output = append(st.output, tagBegins{})
	case "/#":
		st.tags = append(st.tags, strings.TrimSpace(st.cut(tagBegins{})))
	case "choiceCnt":
		st.values = append(st.values, int64(len(st.choices)))
	case "visit":
		st.values = append(st.values, st.visits[st.top().at.in]-1)
	case "~ret", "->->":
		return st.ret(c)
	case "done":
		st.top().at, st.diverted = pointer{}, pointer{}
	case "end":
		st.over, st.choices, st.diverted = true, nil, pointer{}
		st.frames = []frame{{temps: map[string]any{}}}
	}
	return nil
}

func (st *state) compute(op command, n int) (err error) {
	var a, b, v any
	if n == 2 {
		if b, err = st.pop(); err != nil {
			return err
		}
	}
	if a, err = st.pop(); err != nil {
		return err
	}
	if n == 2 {
		v, err = binary(op, a, b)
	} else {
		v, err = unary(op, a)
	}
	st.values = append(st.values, v)
	return err
}

// cut takes what was printed since a mark out of the output, as a text.
func (st *state) cut(mark any) string {
	i := len(st.output) - 1
	for i >= 0 && st.output[i] != mark {
		i--
	}
	if i < 0 {
		return ""
	}
	cut := joined(st.output[i+1:])
	st.output = st.output[:i]
	return cut
}

// ret comes back from a tunnel or a function. A tunnel may go on somewhere else instead.
func (st *state) ret(c command) error {
	to, elsewhere := target(""), false
	if c == "->->" {
		v, err := st.pop()
		if err != nil {
			return err
		}
		to, elsewhere = v.(target)
	}
	if len(st.frames) < 2 || st.top().kind != c {
		return refuse("it comes back (%s) where nothing was entered: see that a tunnel is entered with ->", c)
	}
	st.leave()
	if elsewhere {
		at, ok := st.find(st.root, string(to))
		if !ok {
			return refuse("it is damaged: nothing is at %.60q", to)
		}
		st.diverted = at
	}
	return nil
}

// leave takes the uppermost frame away. What a function printed ends without white space.
func (st *state) leave() {
	if f := st.top(); f.kind == "~ret" {
		for len(st.output) > f.from && isBlank(st.output[len(st.output)-1]) {
			st.output = st.output[:len(st.output)-1]
		}
	}
	st.frames = st.frames[:len(st.frames)-1]
}

// next goes on to what comes next.
func (st *state) next() {
	st.previous = st.top().at
	if st.diverted.in != nil {
		st.top().at, st.diverted = st.diverted, pointer{}
		st.visitChanged()
		return
	}
	p := st.top().at
	for p.index++; p.index >= len(p.in.content); p.index++ {
		up := p.in.parent
		if up == nil {
			p = pointer{}
			break
		}
		i := slices.Index(up.content, any(p.in))
		if i < 0 {
			p = pointer{}
			break
		}
		p = pointer{up, i}
	}
	if st.top().at = p; p.in != nil || st.top().kind != "~ret" {
		return
	}
	if st.leave(); st.top().evaluating { // a function that returns nothing
		st.values = append(st.values, void{})
	}
	st.next()
}

func (st *state) visit(c *container, atStart bool) {
	if c.flags&countsVisits != 0 && (c.flags&countsAtStart == 0 || atStart) {
		st.visits[c]++
	}
}

// visitChanged counts a visit of each container that a divert has come into.
func (st *state) visitChanged() {
	now := st.top().at
	if now.in == nil || now.index < 0 {
		return
	}
	before := map[*container]bool{}
	from, ok := st.previous.resolve().(*container)
	if !ok {
		from = st.previous.in
	}
	for ; from != nil; from = from.parent {
		before[from] = true
	}
	atStart, child := now.index == 0, any(nil)
	for up := now.in; up != nil && (!before[up] || up.flags&countsAtStart != 0); up = up.parent {
		atStart = atStart && (child == nil || up.content[0] == child)
		st.visit(up, atStart)
		child = up
	}
}

// offer adds a choice, if it can be made.
func (st *state) offer(p *choicePoint) error {
	shown, start, only := any(true), any(text("")), any(text(""))
	for _, part := range []struct {
		flag int64
		into *any
	}{{hasCondition, &shown}, {hasOnly, &only}, {hasStart, &start}} {
		if p.flags&part.flag != 0 {
			v, err := st.pop()
			if err != nil {
				return err
			}
			*part.into = v
		}
	}
	is, err := truthy(shown)
	if err != nil || !is {
		return err
	}
	to, err := st.containerAt(p.in, p.path)
	if err != nil || p.flags&isOnce != 0 && st.visits[to] > 0 {
		return err
	}
	st.choices = append(st.choices, choice{
		label: strings.Join(strings.Fields(show(start)+show(only)), " "), path: to, fallback: p.flags&isFallback != 0, frames: copyFrames(st.frames), previous: st.previous,
	})
	return nil
}
