package ink

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// container is a list of content, of which some has names.
type container struct {
	parent  *container
	content []any // *container, text, number, bool, target, command, and the other types below
	named   map[string]any
	name    string
	path    string // absolute
	flags   int64
}

// The flags of a container, and those of a choice.
const (
	countsVisits  = 1
	countsAtStart = 4

	hasCondition = 1
	hasStart     = 2
	hasOnly      = 4
	isFallback   = 8
	isOnce       = 16
)

// The kinds of content. What a path of one is relative to is the container in which it stands.
type (
	text    string // of the story
	command string
	newline struct{}
	glue    struct{}
	void    struct{}
	// target is the value of a divert: an absolute path.
	target string
	divert struct {
		in                   *container
		path, variable       string
		conditional          bool
		isTunnel, isFunction bool
	}
	choicePoint struct {
		in    *container
		path  string
		flags int64
	}
	readVariable string
	readVisits   struct {
		in   *container
		path string
	}
	assignment struct {
		name            string
		global, isAgain bool
	}
)

// story is a compiled story.
type story struct {
	root *container
	// reads has the variables that something reads. Others make no difference to what comes.
	reads map[string]bool
	// counts says of a container how its visits matter: see [story.visits].
	counts map[*container]count
	steps  int // that were played
}

// count is how the visits of a container matter: exactly, up to most, or by their rest of a division.
type count struct {
	exact     bool
	most, mod int64
}

// IsStory reports whether a file looks like a compiled story.
func IsStory(raw []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF")), " \r\n\t"), []byte(`{"inkVersion"`))
}

// parse reads a compiled story.
func parse(raw []byte) (*story, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))))
	dec.UseNumber()
	var file struct {
		InkVersion json.Number `json:"inkVersion"`
		Root       []any       `json:"root"`
		ListDefs   map[string]any
	}
	if err := dec.Decode(&file); err != nil || file.Root == nil {
		return nil, refuse("this is no compiled Ink story: compile it with inklecate, which writes {\"inkVersion\":21,\"root\":...}")
	}
	if v, err := file.InkVersion.Int64(); err != nil || v < leastVersion || v > mostVersion {
		return nil, refuse("it was compiled for version %s of Ink's format, and hob reads %d to %d: compile it with inklecate 1.1", file.InkVersion, leastVersion, mostVersion)
	}
	if len(file.ListDefs) > 0 {
		return nil, refuse("it has a LIST, which hob does not take: use variables with numbers or texts")
	}
	s := &story{reads: map[string]bool{}, counts: map[*container]count{}}
	root, err := s.container(file.Root, nil, "", "")
	if err != nil {
		return nil, err
	}
	s.root = root
	return s, s.findCounts(root)
}

// The versions of the format that are read. They differ in nothing that hob takes.
const (
	leastVersion = 19
	mostVersion  = 21
)

// container reads a list, of which the last item has the names, or nothing.
func (s *story) container(items []any, parent *container, path, name string) (*container, error) {
	c := &container{parent: parent, path: path, name: name, named: map[string]any{}}
	if len(items) == 0 {
		return nil, refuse("it is damaged: a list of content has no end")
	}
	last := len(items) - 1
	if names, ok := items[last].(map[string]any); ok {
		for key, value := range names {
			switch key {
			case "#f":
				c.flags = intOf(value)
			case "#n":
				c.name, _ = value.(string)
			default:
				inner, err := s.object(value, c, key)
				if err != nil {
					return nil, err
				}
				c.named[key] = inner
			}
		}
	}
	for i, item := range items[:last] {
		inner, err := s.object(item, c, strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		if sub, ok := inner.(*container); ok && sub.name != "" {
			c.named[sub.name] = sub
			sub.path = join(path, sub.name)
		}
		c.content = append(c.content, inner)
	}
	return c, nil
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// intOf returns a whole number, 0 for anything else.
func intOf(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

// object reads a piece of content.
func (s *story) object(item any, in *container, name string) (any, error) {
	switch v := item.(type) {
	case []any:
		return s.container(v, in, join(in.path, name), "")
	case bool:
		return v, nil
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		f, err := v.Float64()
		return f, err
	case string:
		switch {
		case v == "\n":
			return newline{}, nil
		case v == "<>":
			return glue{}, nil
		case v == "void":
			return void{}, nil
		case strings.HasPrefix(v, "^"):
			return text(v[1:]), nil
		}
		return s.command(v)
	case map[string]any:
		return s.keyed(v, in)
	}
	return nil, refuse("it is damaged: there is content of no kind that hob knows")
}

// command reads a word that does something.
func (s *story) command(word string) (any, error) {
	known := []string{
		"ev", "/ev", "out", "pop", "~ret", "->->", "du", "str", "/str", "nop", "choiceCnt", "visit", "done", "end", "#", "/#",
		"+", "-", "*", "/", "%", "_", "==", ">", "<", ">=", "<=", "!=", "!", "&&", "||", "MIN", "MAX", "FLOOR", "CEILING", "INT", "FLOAT", "?", "!?",
	}
	if slices.Contains(known, word) {
		return command(word), nil
	}
	for _, no := range []struct{ words, named string }{
		{"seq rnd srnd", "chance (a shuffle, RANDOM or SEED_RANDOM)"}, {"thread", "a thread (<-)"}, {"turn turns", "TURNS or TURNS_SINCE"},
		{"readc", "READ_COUNT"}, {"listInt range lrnd LIST_COUNT LIST_MIN LIST_MAX LIST_ALL LIST_INVERT LIST_VALUE L^", "a LIST"}, {"POW", "POW"},
	} {
		if slices.Contains(strings.Fields(no.words), word) {
			return nil, refuse("it has %s, which hob does not take: write that part otherwise", no.named)
		}
	}
	return nil, refuse("it has %.40q, which hob does not know: compile it with inklecate 1.1", word)
}

// keyed reads an object, of which one key says what it is.
func (s *story) keyed(v map[string]any, in *container) (any, error) {
	str := func(key string) string { t, _ := v[key].(string); return t }
	has := func(key string) bool { _, is := v[key]; return is }
	switch {
	case has("^->"):
		return target(str("^->")), nil
	case has("->"), has("->t->"), has("f()"):
		d := &divert{in: in, isTunnel: has("->t->"), isFunction: has("f()"), conditional: v["c"] == true}
		if d.path = str("->") + str("->t->") + str("f()"); v["var"] == true {
			d.variable, d.path = d.path, ""
			s.reads[d.variable] = true
		}
		return d, nil
	case has("*"):
		return &choicePoint{in: in, path: str("*"), flags: intOf(v["flg"])}, nil
	case has("VAR?"):
		s.reads[str("VAR?")] = true
		return readVariable(str("VAR?")), nil
	case has("CNT?"):
		return &readVisits{in, str("CNT?")}, nil
	case has("VAR="):
		return assignment{str("VAR="), true, v["re"] == true}, nil
	case has("temp="):
		return assignment{str("temp="), false, v["re"] == true}, nil
	case has("x()"):
		return nil, refuse("it calls %.40q, an EXTERNAL function, which hob does not have: write it in Ink", str("x()"))
	case has("^var"):
		return nil, refuse("it hands on %.40q with ref, which hob does not take: let the function return what changes", str("^var"))
	case has("list"):
		return nil, refuse("it has a LIST, which hob does not take: use variables with numbers or texts")
	case has("#"):
		return void{}, nil // a remark of an older compiler
	}
	return nil, refuse("it is damaged: there is content of no kind that hob knows")
}

// find returns the content at a path, with the container and the index by which a story goes on there; index -1 is the container itself.
func (s *story) find(in *container, path string) (at pointer, ok bool) {
	parts := strings.Split(path, ".")
	now := any(s.root)
	if strings.HasPrefix(path, ".") { // relative to what the path stands in: the first ^ leads there
		if parts = parts[1:]; len(parts) > 0 && parts[0] == "^" {
			parts = parts[1:]
		}
		now = in
	}
	at = pointer{in: s.root, index: -1}
	for i, part := range parts {
		c, is := now.(*container)
		if !is {
			return at, false
		}
		n, err := strconv.Atoi(part)
		switch {
		case part == "^":
			if c.parent == nil {
				return at, false
			}
			now = c.parent
		case err == nil && i == len(parts)-1:
			return pointer{c, n}, n >= 0 && n < len(c.content)
		case err == nil:
			if n < 0 || n >= len(c.content) {
				return at, false
			}
			now = c.content[n]
		default:
			if now, is = c.named[part]; !is {
				return at, false
			}
		}
	}
	c, is := now.(*container)
	return pointer{c, -1}, is
}

// containerAt returns the container at a path.
func (s *story) containerAt(in *container, path string) (*container, error) {
	p, ok := s.find(in, path)
	if !ok {
		return nil, refuse("it is damaged: nothing is at %.60q", path)
	}
	if c, is := p.resolve().(*container); is {
		return c, nil
	}
	return p.in, nil
}

// findCounts notes of which containers the visits matter, and how: those that are read, those of choices that are made once, and those of
// which an alternative is told.
func (s *story) findCounts(c *container) error {
	for i, item := range c.content {
		switch v := item.(type) {
		case *readVisits:
			to, err := s.containerAt(v.in, v.path)
			if err != nil {
				return err
			}
			s.addCount(to, asked(c.content[i+1:]))
		case *choicePoint:
			to, err := s.containerAt(v.in, v.path)
			if err != nil {
				return err
			}
			if v.flags&isOnce != 0 {
				s.addCount(to, count{most: 1})
			}
		case command:
			if v == "visit" {
				s.addCount(c, alternative(c.content[i+1:]))
			}
		case *container:
			if err := s.findCounts(v); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.named)) {
		inner, ok := c.named[name].(*container)
		if ok && !slices.Contains(c.content, any(inner)) {
			if err := s.findCounts(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// addCount notes one more way in which the visits of a container matter.
func (s *story) addCount(c *container, n count) {
	was, known := s.counts[c]
	switch {
	case !known:
	case was.mod == 0 && n.mod == 0:
		n.most = max(was.most, n.most)
		n.exact = was.exact || n.exact
	default: // up to a number, and by their rest: whatever they are
		n = count{exact: true}
	}
	s.counts[c] = n
}

// asked returns how visits matter that are read before this: whether there are any, or more than a number. Otherwise they matter exactly.
func asked(then []any) count {
	at := func(i int) any {
		if i < len(then) {
			return then[i]
		}
		return nil
	}
	logic := func(item any) bool { return item == command("!") || item == command("&&") || item == command("||") }
	next, after := at(0), at(1)
	number, isNumber := next.(int64)
	op, _ := after.(command)
	_, isVisits := next.(*readVisits)
	_, isVariable := next.(readVariable)
	d, isDivert := after.(*divert)
	_, isChoice := after.(*choicePoint)
	switch {
	case isNumber && slices.Contains([]command{"==", "!=", "<", ">", "<=", ">="}, op):
		return count{most: max(1, number+1)}
	case logic(next), (isVisits || isVariable) && logic(after), next == command("/ev") && (isDivert && d.conditional || isChoice):
		return count{most: 1}
	}
	return count{exact: true}
}

// alternative returns how visits matter to what follows them: {a|b}, which stops, or {&a|b}, which begins anew.
func alternative(then []any) count {
	if len(then) > 1 {
		n, _ := then[0].(int64)
		switch then[1] {
		case command("MIN"):
			return count{most: n + 1}
		case command("%"):
			return count{mod: max(1, n)}
		}
	}
	return count{exact: true}
}

// pointer is where a story is: before a piece of content. Index -1 is the container itself.
type pointer struct {
	in    *container
	index int
}

func (p pointer) resolve() any {
	switch {
	case p.in == nil:
		return nil
	case p.index < 0 || len(p.in.content) == 0:
		return p.in
	case p.index >= len(p.in.content):
		return nil
	}
	return p.in.content[p.index]
}

func (p pointer) String() string {
	if p.in == nil {
		return ""
	}
	return fmt.Sprint(p.in.path, ":", p.index)
}
