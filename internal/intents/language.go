package intents

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// language is the sentences of one language, as they lie in the compiled file: strings that are searched where they lie.
type language struct {
	name string // "en"
	// Programs of what may stand before and behind every sentence, and of what asks politely before a "?".
	before, after, polite string
	templates             string            // for each: its size in two bytes, the size of its kind's name in one, that name, its program
	lists                 map[string]string // words.NAME, values.NAME, rule.NAME, answer.KIND, ask.KIND, help
}

// Source is a file of sentences.
type Source struct {
	Rules  map[string]string            `toml:"rules"`  // parts of sentences by name
	Values map[string]map[string]string `toml:"values"` // for each type of slot: what is written as a sentence, and what it means
	Words  map[string][]string          `toml:"words"`  // what makes a reading doubtful, see guard
	Kinds  map[string]SourceKind        `toml:"kinds"`
	Before string                       `toml:"before"`
	After  string                       `toml:"after"`
	Polite string                       `toml:"polite"`
	Help   string                       `toml:"help"` // the answer to "what can you do?", in Markdown
}

// SourceKind is the sentences of a kind.
type SourceKind struct {
	Sentences []string `toml:"sentences"`
	Missing   []string `toml:"missing"` // sentences that lack one thing
	Ask       string   `toml:"ask"`     // what is asked then
	Answer    string   `toml:"answer"`  // see [Reading.Answer]
}

// Compile compiles a file of sentences of a language for Default.
func Compile(name string, src Source) (string, error) {
	sections := map[string]string{"name": name, "help": strings.TrimSpace(src.Help)}
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
	var templates strings.Builder
	verbs := map[string]bool{}
	for _, k := range kinds() {
		kind, ok := src.Kinds[k.name]
		if !ok {
			return "", fmt.Errorf("there are no sentences of the kind %s", k.name)
		}
		delete(src.Kinds, k.name)
		sections["answer."+k.name], sections["ask."+k.name] = kind.Answer, kind.Ask
		for i, sentences := range [][]string{kind.Sentences, kind.Missing} {
			for _, s := range sentences {
				program, err := compile(s, src.Rules)
				if err != nil {
					return "", fmt.Errorf("kind %s: %w", k.name, err)
				}
				if firstWords(program, rules, verbs) {
					return "", fmt.Errorf("kind %s: the sentence %q may be empty", k.name, s)
				}
				if err := writeTemplate(&templates, [...]string{"", missing}[i]+k.name, program, rules); err != nil {
					return "", fmt.Errorf("kind %s: the sentence %q: %w", k.name, s, err)
				}
			}
		}
	}
	for name := range src.Kinds { // what no kind has taken
		return "", fmt.Errorf("there is no kind %s", name)
	}
	sections["templates"] = templates.String()
	noVerbs := sections["words.fillers"] + sections["words.starters"]
	maps.DeleteFunc(verbs, func(word string, _ bool) bool { // such as in and the
		return len([]rune(word)) < 3 && strings.IndexFunc(word, isHan) < 0 || strings.Contains(noVerbs, "\n"+word+"\n")
	})
	sections["words.verbs"] = listOf(slices.Collect(maps.Keys(verbs)))
	return encode(sections), nil
}

// missing stands before the kind of a sentence that lacks one thing.
const missing = "?"

// writeTemplate adds a sentence to the templates: its kind, the words of which a text must have one, and its program, with their sizes.
func writeTemplate(out *strings.Builder, kind, program string, rules map[string]string) error {
	needs := ""
	if words := neededWords(program, rules); len(words) > 0 {
		needs = listOf(words)
	}
	size := 1 + len(kind) + 2 + len(needs) + len(program)
	if size > 0xFFFF {
		return errors.New("it is too long")
	}
	out.WriteByte(byte(size >> 8))
	out.WriteByte(byte(size))
	out.WriteByte(byte(len(kind)))
	out.WriteString(kind)
	out.WriteByte(byte(len(needs) >> 8))
	out.WriteByte(byte(len(needs)))
	out.WriteString(needs)
	out.WriteString(program)
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
			for options := in.options; options != ""; {
				var option string
				option, options = nextOption(options)
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
	sort.Strings(all)
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
	sort.Slice(all, func(i, j int) bool {
		return len(all[i]) > len(all[j]) || len(all[i]) == len(all[j]) && all[i] < all[j]
	})
	var out strings.Builder
	for _, written := range all {
		out.WriteString(written + "\t" + meanings[written] + "\n")
	}
	return out.String(), nil
}

// encode writes sections, from a to z, each with the sizes of its name and its content before it.
func encode(sections map[string]string) string {
	var out []byte
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		for _, s := range []string{name, sections[name]} {
			out = binary.BigEndian.AppendUint32(out, uint32(len(s)))
			out = append(out, s...)
		}
	}
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(out)))) + string(out)
}

// languages returns the languages in a compiled file.
func languages(file string) (all []language) {
	for file != "" {
		var sections string
		sections, file = cutSized(file)
		l := language{lists: map[string]string{}}
		for sections != "" {
			var name, content string
			name, sections = cutSized(sections)
			content, sections = cutSized(sections)
			switch name {
			case "name":
				l.name = content
			case "before":
				l.before = content
			case "after":
				l.after = content
			case "polite":
				l.polite = content
			case "templates":
				l.templates = content
			default:
				l.lists[name] = content
			}
		}
		all = append(all, l)
	}
	return all
}

func cutSized(s string) (first, rest string) {
	n := int(s[0])<<24 | int(s[1])<<16 | int(s[2])<<8 | int(s[3])
	return s[4 : 4+n], s[4+n:]
}

// template is a sentence of a kind.
type template struct{ kind, needs, program string }

// nextTemplate returns the first template, and the others.
func nextTemplate(templates string) (t template, others string) {
	size := int(templates[0])<<8 + int(templates[1])
	one, others := templates[2:2+size], templates[2+size:]
	n := int(one[0])
	t.kind, one = one[1:1+n], one[1+n:]
	n = int(one[0])<<8 + int(one[1])
	t.needs, t.program = one[2:2+n], one[2+n:]
	return t, others
}

// mayFit reports whether a text has one of the words that the sentence cannot do without.
func (t template) mayFit(text string) bool {
	for word := range strings.SplitSeq(strings.Trim(t.needs, "\n"), "\n") {
		if strings.Contains(text, word) { // also the empty word, of a sentence that has none
			return true
		}
	}
	return false
}

// mayBe reports whether a text may be of the language, by its letters.
func (l *language) mayBe(t folded) bool {
	cyrillic, han, latin := false, false, false
	for _, r := range t.norm {
		cyrillic = cyrillic || unicode.Is(unicode.Cyrillic, r)
		han = han || isHan(r)
		latin = latin || unicode.Is(unicode.Latin, r)
	}
	switch l.name {
	case "ru":
		return cyrillic
	case "zh":
		return han
	}
	return !cyrillic && !han || latin
}

// has reports whether a word is in a list of the language.
func (l *language) has(list, word string) bool {
	return word != "" && strings.Contains(l.lists["words."+list], "\n"+word+"\n")
}

// values yields what is written at the beginning of s in a table of values, and what it means. There may be several.
func (l *language) values(table, s string, yield func(written, means string)) {
	for line := range strings.Lines(l.lists["values."+table]) {
		written, means, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(s, written) {
			yield(written, means)
		}
	}
}

// ends reports whether s ends in a word of a list of the language.
func (l *language) ends(list, s string) bool {
	for word := range strings.SplitSeq(strings.Trim(l.lists["words."+list], "\n"), "\n") {
		if word != "" && strings.HasSuffix(s, word) {
			return true
		}
	}
	return false
}

// LanguageOf returns the language of a text, "" where its words do not say. Cyrillic and Chinese letters do; of Latin ones the small
// words do that the other languages lack.
func (s *Sentences) LanguageOf(text string) string {
	t, best, most, tied := fold(text), "", 0, false
	for _, l := range s.langs() {
		if !l.mayBe(t) {
			continue
		}
		n := 0
		for _, w := range (&matcher{folded: t, lang: &l}).wordsIn(0, len(t.norm)) {
			if l.isSmall(w.text) || l.name == "ru" || l.name == "zh" {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = l.name, n, false
		case n == most:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// isSmall reports whether a word is one of those that hold the sentences of the language together.
func (l *language) isSmall(word string) bool {
	return slices.ContainsFunc([]string{"fillers", "joiners", "negation", "condition", "reported", "articles", "behind", "hangs", "times", "verbs"},
		func(list string) bool { return l.has(list, word) })
}

// Zone returns the IANA name of the time zone of a city, "" where no sentences know it.
func (s *Sentences) Zone(city string) (zone string) {
	city = fold(city).norm
	for _, l := range s.langs() {
		l.values("zone", city, func(written, means string) {
			if written == city {
				zone = means
			}
		})
	}
	return zone
}
