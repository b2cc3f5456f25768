package intents

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// ownSource is the file of an owner: for each chore what is said, and the call that it becomes.
//
//	[[sentence]]
//	say = ["we need {items}", "we are out of {items}"]
//	tool = "list_add"
//	args = { list = "shopping", items = "{items}" }
//
// A text among args that is a slot in braces, and nothing else, is replaced by what the slot holds.
type ownSource struct {
	Sentence []struct {
		Say  []string       `toml:"say"`
		Tool string         `toml:"tool"`
		Args map[string]any `toml:"args"`
	} `toml:"sentence"`
}

// ownMark begins the kind of an owner's sentence; its number follows.
const ownMark = "own/"

// WithOwn returns the sentences of Default and those of an owner's file, which each language has. The error says which sentence is wrong, and why.
func WithOwn(file string) (*Sentences, error) {
	var src ownSource
	meta, err := toml.Decode(file, &src)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("there is no key %s: a [[sentence]] has say, tool and args", unknown[0])
	}
	var said templates
	var own []kind
	for i, s := range src.Sentence {
		if s.Tool == "" || len(s.Say) == 0 {
			return nil, fmt.Errorf("sentence %d: it needs say and tool", i+1)
		}
		k := kind{name: s.Tool, tool: s.Tool, acts: true}
		for _, name := range slices.Sorted(maps.Keys(s.Args)) {
			value, err := json.Marshal(s.Args[name])
			if err != nil {
				return nil, fmt.Errorf("sentence %d: %s: %w", i+1, name, err)
			}
			if slot, ok := slotNamed(s.Args[name]); ok {
				value = []byte("{" + slot + "}")
			}
			k.args += name + "=" + string(value) + ownSeparator
		}
		own = append(own, k)
		programs := ""
		for _, say := range s.Say {
			program, err := compile(say, nil)
			if err != nil {
				return nil, err
			}
			if program == "" || firstWords(program, nil, map[string]bool{}) || program[0] == opSlot {
				return nil, fmt.Errorf("sentence %q: it must begin with a word", say)
			}
			if err := said.add(ownMark+strconv.Itoa(i), program, ""); err != nil {
				return nil, fmt.Errorf("sentence %q: %w", say, err)
			}
			programs += program
		}
		for _, name := range slices.Sorted(maps.Keys(s.Args)) {
			slot, ok := slotNamed(s.Args[name])
			var written strings.Builder
			if writeBytes(&written, opSlot, slot); ok && !strings.Contains(programs, written.String()) {
				return nil, fmt.Errorf("sentence %q: %s is {%s}, and no way to say it has that slot", s.Say[0], name, slot)
			}
		}
	}
	all := slices.Clone(builtin())
	for i := range all {
		all[i].own = said
	}
	return &Sentences{langs: func() []language { return all }, own: own}, nil
}

// slotNamed returns the name of the slot that is all of an argument, as in "{items}".
func slotNamed(arg any) (name string, ok bool) {
	text, _ := arg.(string)
	name, begins := strings.CutPrefix(text, "{")
	name, ends := strings.CutSuffix(name, "}")
	return name, begins && ends
}

// OwnTools returns the tools that an owner's sentences call, each once, in the order of their names.
func (s *Sentences) OwnTools() (names []string) {
	for _, k := range s.own {
		names = append(names, k.tool)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
