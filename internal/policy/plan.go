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

// planner writes the sentences for calls in a language, with times of a zone. The templates are
// plan.TOOL, plan.TOOL.2 and so on in the files of words. The first whose arguments exist is used;
// arguments that it does not mention are left.
//
// In a template {name} is an argument, and [...] is left out if an argument in it is missing.
// {name:how} formats it: said for a time or a word of hob's in people's words, true for a yes that
// the text around it expresses, own for the language of the sentence, and each for several calls of
// the same tool, a line each. {name+rule:said} is a time with its rule, which is then listed as
// well, because it is more than people say.
//
// An argument's text is in quotes, so that it cannot look like the template. A time or a word of
// hob's is not quoted.
type planner struct {
	phrases.Words
	lang string
	zone *time.Location
}

// plan returns the sentence for a call and the arguments that it does not mention, or "" if no
// template fits.
func (p planner) plan(tool string, args []argument) (sentence string, left []argument) {
	for i, a := range args {
		if slices.ContainsFunc(args[:i], func(b argument) bool { return a.name == b.name }) {
			return "", args // a duplicate argument would hide the other
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

// fill puts arguments into a template, and returns the names of those that it mentions.
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

// valueOf returns the text of an argument, or "" if it is missing.
func valueOf(args []argument, name string) (text string) {
	for _, a := range args {
		if a.name == name {
			_ = json.Unmarshal(a.val, &text) // "" for a value that is no text
		}
	}
	return text
}

// say formats a value; ok is false if how does not fit it.
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
		return receipt.Exact(one), !strings.Contains(one, "\n") // the question is read line by line
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

// known returns a word of hob's or a time in people's words, and any other text quoted.
func (p planner) known(text, rule string) string {
	if words, ok := p.Find("word." + text); ok && !strings.ContainsAny(text, "\n=") { // such a text is no key
		return words
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Nanosecond() != 0 {
		return receipt.Exact(text)
	}
	if told := when.Describe(when.Reading{Start: at, Repeat: rule}, p.lang, at.In(p.zone)); rule == "" || !strings.Contains(told, rule) {
		return told
	}
	return when.Describe(when.Reading{Start: at}, p.lang, at.In(p.zone)) // for a rule without words
}

// each returns a line for each of several calls of the same tool, if their sentences mention
// everything.
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
