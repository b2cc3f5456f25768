package intents

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"hob/internal/classify"
	"hob/internal/when"
)

// Examples are what the classifier learns from: sentences of people, and sentences that are made up of the templates.
type Examples struct {
	of    *language
	all   []classify.Example
	words map[string][]string // what people have filled in, by name and type of slot
}

// NewExamples returns no examples of a language.
func NewExamples(lang string) *Examples {
	return &Examples{of: languageNamed(builtin(), lang), words: map[string][]string{}}
}

// Learn returns the model of the examples.
func (e *Examples) Learn() string {
	const rate = 0.2 // of 0.1 to 0.3, which find as much, it takes little small talk for a chore; likely.bin was learned with 0.3, of fewer sentences
	return classify.Train(e.all, classify.Letters, rate)
}

// Add adds a sentence, as it is read. What is not read as one chore is left out.
func (e *Examples) Add(text string, isChore bool) {
	t := fold(text)
	if !isChore {
		e.add(t, classify.None, nil)
		return
	}
	r := Default().ReadIn(e.of.name, text)
	if r.from == nil || r.from.text.text != t.text {
		return // it was read in parts, or has no call
	}
	for _, s := range r.from.slots {
		e.words[s.name+s.kind] = append(e.words[s.name+s.kind], t.original(s.from, s.to))
	}
	if kind, isLater := e.laterKinds()[r.from.kind]; isLater {
		e.addLater(t, r, kind)
		return
	}
	e.add(t, strings.TrimPrefix(r.from.kind, missing), r.from.slots)
}

// laterKinds returns, of the kinds of sentences in which a time and what is to be done then stand in one slot, the one that has a slot for each.
func (*Examples) laterKinds() map[string]string {
	return map[string]string{
		"remind": "remind/before", "remind/before": "remind/before", "remind/that": "remind/before", "remind/after": "remind/before",
		"remind/other": "remind/other_before", "remind/other_before": "remind/other_before", "alarm": "alarm/before", "alarm/before": "alarm/before",
	}
}

// addLater adds a sentence with words of time, which a guess is to tell from the others. It is left out where the words of what is to be done are not
// those that were said.
func (e *Examples) addLater(t folded, r Reading, kind string) {
	var args struct{ Text string }
	at := r.At(anyDay())
	if at.Call.Name == "" || at.Ask != "" || json.Unmarshal(at.Call.Args, &args) != nil {
		return
	}
	deed := span{}
	if text := fold(args.Text).norm; text != "" {
		from := strings.LastIndex(t.norm, text)
		if from < 0 {
			return
		}
		deed = span{from, from + len(text)}
	}
	slots := []slot{{name: "remind", from: deed.from, to: deed.to}}
	tokens, where := e.of.tokensOf(t)
	for _, s := range r.from.slots {
		if s.name == "for" {
			slots = append(slots, s)
		}
		if s.name != "before" && s.name != "remind" && s.name != "what" {
			continue
		}
		read, err := when.Read(t.norm[s.from:s.to], e.of.name, anyDay())
		rest, _ := e.of.tokensOf(fold(read.Rest))
		for i, token := range tokens {
			isDeed := where[i].from >= deed.from && where[i].to <= deed.to
			switch {
			case err != nil || where[i].from < s.from || where[i].to > s.to:
			case len(rest) > 0 && rest[0].Text == token.Text:
				rest = rest[1:]
			case !isDeed:
				slots = append(slots, slot{name: "before", from: where[i].from, to: where[i].to})
			}
		}
	}
	e.add(t, kind, slots)
}

func (e *Examples) add(t folded, kind string, slots []slot) {
	tokens, at := e.of.tokensOf(t)
	names := make([]string, len(tokens))
	for i, token := range at {
		for _, s := range slots {
			if token.from < s.to && token.to > s.from {
				names[i] = s.name
			}
		}
	}
	e.all = append(e.all, classify.Example{Texts: [][]classify.Token{tokens}, Kinds: []string{kind}, Slots: names})
}

// MakeUp adds sentences of each template, with words that people have filled into others.
func (e *Examples) MakeUp(each int) {
	dice := rand.New(rand.NewPCG(1, 2)) // as good as any
	for all := (templates{e.of.section("templates"), e.of.section("programs")}); all.heads != ""; {
		one := all.next()
		if strings.HasPrefix(one.kind, missing) || kindOf(one.kind).after != "" {
			continue
		}
		for range each {
			var text strings.Builder
			var slots []slot
			if !e.makeUp(one.program, dice, &text, &slots) {
				continue
			}
			t := fold(text.String())
			if kind, isLater := e.laterKinds()[one.kind]; !isLater {
				e.add(t, one.kind, slots)
			} else if r := Default().ReadIn(e.of.name, t.text); r.from != nil && r.from.kind == one.kind && r.from.text.text == t.text {
				e.addLater(t, r, kind)
			}
		}
	}
}

// makeUp writes a sentence of a program, and says where its slots are. It fails where nobody has filled anything into one.
func (e *Examples) makeUp(program string, dice *rand.Rand, text *strings.Builder, slots *[]slot) bool {
	write := func(words string) {
		if text.Len() > 0 && e.of.name != "zh" && words != "," && words != ":" {
			text.WriteByte(' ')
		}
		text.WriteString(words)
	}
	for program != "" {
		in := decode(program)
		program = in.rest
		switch in.op {
		case opLiteral:
			write(in.text)
		case opSlot:
			words := e.words[in.text+in.kind]
			if len(words) == 0 {
				return false
			}
			word := fold(words[dice.IntN(len(words))]).norm
			write(word)
			*slots = append(*slots, slot{name: in.text, from: text.Len() - len(word), to: text.Len()})
		case opRule:
			if !e.makeUp(e.of.section("rule."+in.text), dice, text, slots) {
				return false
			}
		case opChoice:
			var options []string
			for option := range in.all {
				options = append(options, option)
			}
			if !e.makeUp(options[dice.IntN(len(options))], dice, text, slots) {
				return false
			}
		}
	}
	return true
}
