package intents

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A sentence is compiled into a program, a string of instructions that is matched from the left to the right:
//
//	L n bytes                    these letters
//	A n (size16 program)*n       one of n programs; an optional one is a choice with an empty program
//	S n name m type              what a person fills in
//	R n name                     the program of that rule of the language
//
// n and m are bytes, size16 has two, the higher first.
const (
	opLiteral = 'L'
	opChoice  = 'A'
	opSlot    = 'S'
	opRule    = 'R'
)

// compile returns the program of a sentence. In it, (a|b) is a choice, [a] may be missing, {name} or {name:type} is a slot,
// and <name> is one of rules.
func compile(sentence string, rules map[string]string) (string, error) {
	g := &grammar{rules: rules}
	program, rest, err := g.sequence(sentence, 0)
	if err == nil && rest != "" {
		err = fmt.Errorf("%q has no beginning", rest[:1])
	}
	if err != nil {
		return "", fmt.Errorf("sentence %q: %w", sentence, err)
	}
	return program, nil
}

type grammar struct {
	rules map[string]string
}

// maxDepth is how deep rules and brackets may lie in each other.
const maxDepth = 40

// sequence compiles up to the end of s, or to what ends a part of a choice, which is left in rest.
func (g *grammar) sequence(s string, depth int) (program, rest string, err error) {
	if depth > maxDepth {
		return "", "", errors.New("it is nested too deeply, or a rule names itself")
	}
	var out strings.Builder
	for s != "" {
		switch c := s[0]; c {
		case ')', ']', '|':
			return out.String(), s, nil
		case '(', '[':
			var alternatives []string
			alternatives, s, err = g.choice(s[1:], map[byte]byte{'(': ')', '[': ']'}[c], depth)
			if err != nil {
				return "", "", err
			}
			if c == '[' {
				alternatives = append(alternatives, "")
			}
			if err := writeChoice(&out, alternatives); err != nil {
				return "", "", err
			}
		case '{':
			slot, after, ok := strings.Cut(s[1:], "}")
			if !ok {
				return "", "", errors.New("a { has no }")
			}
			name, kind, typed := strings.Cut(slot, ":")
			if !typed {
				kind = name
			}
			if _, known := slotKinds()[kind]; !known {
				return "", "", fmt.Errorf("there is no type %q of slots: write {%s:text} for any words; docs/intents.md has the types", kind, name)
			}
			writeBytes(&out, opSlot, name)
			out.WriteByte(byte(len(kind)))
			out.WriteString(kind)
			s = after
		case '<':
			name, after, ok := strings.Cut(s[1:], ">")
			if _, known := g.rules[name]; !ok || !known {
				return "", "", fmt.Errorf("there is no rule <%s>", name)
			}
			writeBytes(&out, opRule, name)
			s = after
		default:
			end := strings.IndexAny(s, "()[]{}<>|")
			if end < 0 {
				end = len(s)
			}
			for word := range strings.FieldsSeq(s[:end]) {
				if word != "," { // which separates, too, see literal
					word = fold(word).norm
				}
				if word == "" {
					continue
				}
				if len(word) > 255 {
					return "", "", fmt.Errorf("the word %.20q is too long", word)
				}
				writeBytes(&out, opLiteral, word)
			}
			s = s[end:]
		}
	}
	return out.String(), "", nil
}

// choice compiles the alternatives up to the bracket that ends them.
func (g *grammar) choice(s string, end byte, depth int) (alternatives []string, rest string, err error) {
	for {
		program, rest, err := g.sequence(s, depth+1)
		if err != nil {
			return nil, "", err
		}
		if rest == "" {
			return nil, "", fmt.Errorf("a %q is missing", string(end))
		}
		alternatives = append(alternatives, program)
		if rest[0] != '|' && rest[0] != end {
			return nil, "", fmt.Errorf("there is a %q in place of %q", rest[:1], string(end))
		}
		s = rest[1:]
		if rest[0] == end {
			return alternatives, s, nil
		}
	}
}

func writeBytes(out *strings.Builder, op byte, s string) {
	out.WriteByte(op)
	out.WriteByte(byte(len(s)))
	out.WriteString(s)
}

func writeChoice(out *strings.Builder, alternatives []string) error {
	if len(alternatives) > 255 {
		return errors.New("a choice has more than 255 parts")
	}
	out.WriteByte(opChoice)
	out.WriteByte(byte(len(alternatives)))
	for _, a := range alternatives {
		if len(a) > 0xFFFF {
			return fmt.Errorf("a part of a choice is too long: %.40q", a)
		}
		out.WriteByte(byte(len(a) >> 8))
		out.WriteByte(byte(len(a)))
		out.WriteString(a)
	}
	return nil
}

// instruction is the first instruction of a program.
type instruction struct {
	op      byte
	text    string // letters, or the name of a slot or a rule
	kind    string // of a slot
	options string // of a choice: see all
	rest    string // of the program
}

func decode(program string) instruction {
	op, n, p := program[0], int(program[1]), program[2:]
	if op == opChoice {
		options := p
		for range n {
			p = p[2+(int(p[0])<<8+int(p[1])):]
		}
		return instruction{op: op, options: options[:len(options)-len(p)], rest: p}
	}
	in := instruction{op: op, text: p[:n], rest: p[n:]}
	if op == opSlot {
		m := int(in.rest[0])
		in.kind, in.rest = in.rest[1:1+m], in.rest[1+m:]
	}
	return in
}

// all yields the programs of a choice.
func (in instruction) all(yield func(program string) bool) {
	for options := in.options; options != ""; {
		size := 2 + int(options[0])<<8 + int(options[1])
		if !yield(options[2:size]) {
			return
		}
		options = options[size:]
	}
}

// firstWords adds the words with which a program may begin to words, and reports whether it may be empty. rules are the programs of
// the rules by name.
func firstWords(program string, rules map[string]string, words map[string]bool) (empty bool) {
	for program != "" {
		in := decode(program)
		program = in.rest
		through := false
		switch in.op {
		case opLiteral:
			words[in.text] = true
			return false
		case opSlot:
			return false
		case opRule:
			through = firstWords(rules[in.text], rules, words)
		}
		for option := range in.all {
			through = firstWords(option, rules, words) || through
		}
		if !through {
			return false
		}
	}
	return true
}

// neededWords returns the words that a text needs to follow the program: one of each list, the shortest of which stands first. A part
// that may be empty, or is a slot, has none.
func neededWords(program string, rules map[string]string) (needed [][]string) {
	for program != "" {
		in := decode(program)
		program = in.rest
		switch in.op {
		case opLiteral:
			if in.text != "," && in.text != ":" {
				needed = append(needed, []string{in.text})
			}
		case opRule:
			needed = append(needed, neededWords(rules[in.text], rules)...)
		case opChoice:
			if words := neededOfChoice(in, rules); words != nil {
				needed = append(needed, words)
			}
		}
	}
	slices.SortStableFunc(needed, func(a, b []string) int { return len(a) - len(b) })
	return needed
}

// neededOfChoice returns words of which every text that follows one of the parts has at least one.
func neededOfChoice(in instruction, rules map[string]string) (words []string) {
	for option := range in.all {
		needed := neededWords(option, rules)
		if needed == nil { // one part wants none
			return nil
		}
		words = append(words, needed[0]...)
	}
	return words
}

// hasSlot reports whether a person fills anything into a program.
func hasSlot(program string, rules map[string]string) bool {
	for program != "" {
		in := decode(program)
		program = in.rest
		if in.op == opSlot || in.op == opRule && hasSlot(rules[in.text], rules) {
			return true
		}
		for option := range in.all {
			if hasSlot(option, rules) {
				return true
			}
		}
	}
	return false
}
