package intents

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Source is a file of sentences.
type Source struct {
	Rules   map[string]string            `toml:"rules"`  // parts of sentences by name
	Values  map[string]map[string]string `toml:"values"` // for each type of slot: what is written as a sentence, and what it means
	Words   map[string][]string          `toml:"words"`  // what makes a reading doubtful, see docs/intents.md
	Kinds   map[string]SourceKind        `toml:"kinds"`
	Before  string                       `toml:"before"`
	After   string                       `toml:"after"`
	Polite  string                       `toml:"polite"`
	Help    string                       `toml:"help"`    // the answer to "what can you do?", in Markdown
	Offers  [][2]string                  `toml:"offers"`  // what can be done with things: a label, and a sentence with {things} in it
	Phrases map[string]string            `toml:"phrases"` // see phraseNames
	// Translations are, by tool, kind of chore or row of the table of commands, those of its answers.
	Translations map[string]translations `toml:"translations"`
}

// SourceKind is the sentences of a kind.
type SourceKind struct {
	Sentences []string `toml:"sentences"`
	Missing   []string `toml:"missing"`  // sentences that lack one thing
	Ask       string   `toml:"ask"`      // what is asked then
	Complete  []string `toml:"complete"` // what the words and an answer become, see [Reading.Complete]
	Answer    string   `toml:"answer"`   // see [Reading.Answer]
}

// phraseNames are hob's own phrases, which each language has: what stands before or behind a person's words of time where they are read, and what is
// asked. A {length} or {words} in them is a person's.
const phraseNames = "at example example_often for_example from_now how_long instead minutes of_what seven timer tomorrow"

// Compile compiles a file of sentences of a language for Default.
func Compile(name string, src Source) (string, error) {
	sections := map[string]string{"help": strings.TrimSpace(src.Help)}
	for _, offer := range src.Offers {
		sections["offers"] += strings.Join(offer[:], "\t") + "\n"
	}
	if names := strings.Join(slices.Sorted(maps.Keys(src.Phrases)), " "); names != phraseNames {
		return "", fmt.Errorf("the phrases are %s: they must be %s", names, phraseNames)
	}
	for phrase, text := range src.Phrases {
		sections["phrases."+phrase] = text
	}
	rules, err := compileRules(src.Rules)
	if err != nil {
		return "", err
	}
	var slotted []string
	for name, program := range rules {
		if sections["rule."+name] = program; hasSlot(program, rules) {
			slotted = append(slotted, name)
		}
	}
	sections["words.slotted"] = listOf(slotted)
	for part, sentence := range map[string]string{"before": src.Before, "after": src.After, "polite": src.Polite} {
		program, err := compile(sentence, src.Rules)
		if err != nil {
			return "", fmt.Errorf("%s: %w", part, err)
		}
		sections[part] = program
	}
	for slot, values := range src.Values {
		table, err := compileValues(values)
		if err != nil {
			return "", fmt.Errorf("values of %s: %w", slot, err)
		}
		sections["values."+slot] = table
	}
	for list, words := range src.Words {
		sections["words."+list] = listOf(words)
	}
	for of, lines := range src.Translations {
		if sections["translations."+of], err = lines.compile(); err != nil {
			return "", fmt.Errorf("translations.%s: %w", of, err)
		}
	}
	var all templates
	needed := &wordTable{ids: map[string]uint16{}}
	verbs := map[string]bool{}
	for _, k := range kinds() {
		kind, ok := src.Kinds[k.name]
		if !ok {
			return "", fmt.Errorf("there are no sentences of the kind %s", k.name)
		}
		delete(src.Kinds, k.name)
		sections["answer."+k.name], sections["ask."+k.name] = kind.Answer, kind.Ask
		sections["complete."+k.name] = strings.Join(kind.Complete, "\n")
		if base, _, _ := strings.Cut(k.name, "/"); len(kind.Missing) > 0 && sections["complete."+base] == "" {
			return "", fmt.Errorf("kind %s: no sentence says how an answer completes what is missing", k.name)
		}
		for i, sentences := range [][]string{kind.Sentences, kind.Missing} {
			for _, s := range sentences {
				program, err := compile(s, src.Rules)
				if err != nil {
					return "", fmt.Errorf("kind %s: %w", k.name, err)
				}
				begins := verbs
				if k.after != "" { // "and" and "no" order nothing
					begins = map[string]bool{}
				}
				if firstWords(program, rules, begins) {
					return "", fmt.Errorf("kind %s: the sentence %q may be empty", k.name, s)
				}
				if err := all.add([...]string{"", missing}[i]+k.name, program, needed.encode(neededWords(program, rules))); err != nil {
					return "", fmt.Errorf("kind %s: the sentence %q: %w", k.name, s, err)
				}
			}
		}
	}
	for name := range src.Kinds { // what no kind has taken
		return "", fmt.Errorf("there is no kind %s", name)
	}
	sections["templates"], sections["programs"], sections["needed"] = all.heads, all.programs, strings.Join(needed.words, "\n")
	noVerbs := sections["words.fillers"] + sections["words.starters"]
	maps.DeleteFunc(verbs, func(word string, _ bool) bool { // such as in and the
		return len([]rune(word)) < 3 && strings.IndexFunc(word, isHan) < 0 || strings.Contains(noVerbs, "\n"+word+"\n")
	})
	sections["words.verbs"] = listOf(slices.Collect(maps.Keys(verbs)))
	return encode(name, sections), nil
}

// wordTable is the words that sentences cannot do without.
type wordTable struct {
	words []string
	ids   map[string]uint16 // indices in words
}

// encode returns lists of words as templates have them: of each list its size, and the indices of its words, in two bytes each. A list
// is there once.
func (t *wordTable) encode(lists [][]string) string {
	var parts []string
	for _, words := range lists {
		part := binary.BigEndian.AppendUint16(nil, uint16(len(words)))
		for _, w := range words {
			w = fold(w).norm
			if _, known := t.ids[w]; !known {
				t.ids[w] = uint16(len(t.words))
				t.words = append(t.words, w)
			}
			part = binary.BigEndian.AppendUint16(part, t.ids[w])
		}
		if !slices.Contains(parts, string(part)) {
			parts = append(parts, string(part))
		}
	}
	return strings.Join(parts, "")
}

// add adds a sentence.
func (t *templates) add(kind, program, needs string) error {
	if max(len(needs), len(program)) > 0xFFFF {
		return errors.New("it is too long")
	}
	head := append([]byte{byte(len(kind))}, kind...)
	head = binary.BigEndian.AppendUint16(head, uint16(len(needs)))
	head = append(head, needs...)
	t.heads += string(binary.BigEndian.AppendUint16(head, uint16(len(program))))
	t.programs += program
	return nil
}

// compileRules returns the programs of rules by name. None may name itself, nor one that does.
func compileRules(rules map[string]string) (map[string]string, error) {
	programs := map[string]string{}
	for name, rule := range rules {
		program, err := compile("("+rule+")", rules)
		if err != nil {
			return nil, fmt.Errorf("rule <%s>: %w", name, err)
		}
		programs[name] = program
	}
	for name := range rules {
		if err := checkRule(name, programs, nil); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

func checkRule(name string, programs map[string]string, within []string) error {
	if slices.Contains(within, name) {
		return fmt.Errorf("rule <%s> names itself", name)
	}
	var check func(program string) error
	check = func(program string) error {
		for program != "" {
			in := decode(program)
			program = in.rest
			if in.op == opRule {
				if err := checkRule(in.text, programs, append(within, name)); err != nil {
					return err
				}
			}
			for option := range in.all {
				if err := check(option); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return check(programs[name])
}

// listOf returns words as they are searched for in a language: each between line feeds.
func listOf(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, fold(w).norm)
	}
	slices.Sort(all)
	return "\n" + strings.Join(all, "\n") + "\n"
}

// compileValues returns a table of what is written and what it means: lines of two columns, the longest words first.
func compileValues(values map[string]string) (string, error) {
	meanings := map[string]string{}
	for written, means := range values {
		for one := range strings.SplitSeq(written, "|") {
			one = fold(one).norm
			if old, known := meanings[one]; one == "" || known && old != means {
				return "", fmt.Errorf("%q is there twice, or empty", one)
			}
			meanings[one] = means
		}
	}
	all := slices.Collect(maps.Keys(meanings))
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var out strings.Builder
	for _, written := range all {
		out.WriteString(written + "\t" + meanings[written] + "\n")
	}
	return out.String(), nil
}

// encode writes a language: its name and its sections, those from a to z. Before each name and content stands its size, in four bytes.
func encode(language string, sections map[string]string) string {
	var content []byte
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		content = appendSized(appendSized(content, name), sections[name])
	}
	return string(appendSized(appendSized(nil, language), string(content)))
}

func appendSized(out []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(out, uint32(len(s))), s...)
}
