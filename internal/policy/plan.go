package policy

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/phrases"
	"hob/internal/receipt"
	"hob/internal/when"
)

// planner writes the sentences of calls in a language, with times of a zone. Their words are plan.TOOL, plan.TOOL.2 and so on in the
// files of words: the first holds whose arguments there are, and what its words do not say is left.
//
// In them {name} is an argument. [...] is left out where one in it is not there. {name:how} says it in another way: said is a time or a
// word of hob's as people say it, true stands for a yes that the words around it say, own for the language of the sentence, and each for
// more of the same tool, a line for each. {name+rule:said} is a time with its rule, which is left as well: it is more than a person says.
//
// What an argument says stands in quotes, so that it cannot look like the words around it. A time or a word of hob's does not.
type planner struct {
	phrases.Words
	lang string
	zone *time.Location
}

// plan returns the sentence of a call and the arguments that it does not say. It is "" where there is none that fits.
func (p planner) plan(tool string, args []argument) (sentence string, left []argument) {
	for i, a := range args {
		if slices.ContainsFunc(args[:i], func(b argument) bool { return a.name == b.name }) {
			return "", args // one of them would hide the other
		}
	}
	for n := 1; ; n++ {
		key := "plan." + tool
		if n > 1 {
			key += "." + strconv.Itoa(n)
		}
		words, ok := p.Find(key)
		if !ok {
			return "", args
		}
		if sentence, said, fits := p.fill(tool, words, args); fits {
			return sentence, slices.DeleteFunc(slices.Clone(args), func(a argument) bool { return slices.Contains(said, a.name) })
		}
	}
}

// fill puts arguments into words, and returns the names of those that they say.
func (p planner) fill(tool, words string, args []argument) (text string, said []string, ok bool) {
	for words != "" {
		at := strings.IndexAny(words, "{[")
		if at < 0 {
			return text + words, said, true
		}
		text += words[:at]
		end := map[byte]string{'{': "}", '[': "]"}[words[at]]
		inside, rest, _ := strings.Cut(words[at+1:], end)
		if words[at] == '[' {
			if more, names, fits := p.fill(tool, inside, args); fits {
				text, said = text+more, append(said, names...)
			}
		} else {
			name, how, _ := strings.Cut(inside, ":")
			name, rule, _ := strings.Cut(name, "+")
			i := slices.IndexFunc(args, func(a argument) bool { return a.name == name })
			if i < 0 {
				return "", nil, false
			}
			more, fits := p.say(tool, args[i].val, how, valueOf(args, rule))
			if !fits {
				return "", nil, false
			}
			text, said = text+more, append(said, name)
		}
		words = rest
	}
	return text, said, true
}

// valueOf returns the text of an argument, "" where there is none.
func valueOf(args []argument, name string) (text string) {
	for _, a := range args {
		if a.name == name {
			_ = json.Unmarshal(a.val, &text) // what is no text is none
		}
	}
	return text
}

// say writes a value in the form that its place in the sentence takes. ok is false where the value does not fit that form.
func (p planner) say(tool string, val json.RawMessage, how, rule string) (text string, ok bool) {
	switch how {
	case "true":
		return "", string(val) == "true"
	case "each":
		return p.each(tool, val)
	}
	var one string
	if json.Unmarshal(val, &one) == nil && val[0] == '"' {
		switch how {
		case "own":
			return "", one == p.lang || one == phrases.Languages()[0] && p.lang == ""
		case "said":
			return p.known(one, rule), true
		}
		return receipt.Exact(one), !strings.Contains(one, "\n") // which is read line by line
	}
	if how != "" {
		return "", false
	}
	var several []string
	if json.Unmarshal(val, &several) == nil && len(several) > 0 {
		for i, one := range several {
			several[i] = receipt.Exact(one)
		}
		return strings.Join(several, p.Text("plan.between")), true
	}
	_, err := strconv.ParseInt(string(val), 10, 64)
	return string(val), err == nil
}

// known returns a word of hob's or a time as people say it, and any other text to the letter.
func (p planner) known(text, rule string) string {
	if words, ok := p.Find("word." + text); ok && !strings.ContainsAny(text, "\n=") { // with them it is no key
		return words
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Nanosecond() != 0 {
		return receipt.Exact(text)
	}
	if told := when.Describe(when.Reading{Start: at, Repeat: rule}, p.lang, at.In(p.zone)); rule == "" || !strings.Contains(told, rule) {
		return told
	}
	return when.Describe(when.Reading{Start: at}, p.lang, at.In(p.zone)) // a rule that cannot be told
}

// each returns a line for each of several of the same tool, if its sentence says all of it.
func (p planner) each(tool string, val json.RawMessage) (text string, ok bool) {
	var all []json.RawMessage
	if json.Unmarshal(val, &all) != nil {
		return "", false
	}
	for _, one := range all {
		args, isObject := argumentsOf(one)
		if !isObject {
			return "", false
		}
		sentence, left := p.plan(tool, args)
		if sentence == "" || len(left) > 0 {
			return "", false
		}
		text += "\n" + sentence
	}
	return text, true
}
