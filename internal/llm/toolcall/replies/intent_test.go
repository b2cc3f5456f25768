package replies

import (
	"regexp"
	"slices"
	"strings"
)

// IsProse says whether a reply is prose: no call of an offered tool, and no reply-long shape of a call, begins the text, a
// line or a fence. All else is intent to call. A mark that only calls have begins a line wherever it stands; thinking is no
// part of the reply, and what stands between its end and one more end is no thinking. An offered name behind a sentence, with
// an object that ends the reply, is intent, too. Names count in any spelling that differs in case or in signs between words.
func IsProse(raw string, tools []string) bool {
	text := strings.TrimSpace(thought.ReplaceAllString(raw, ""))
	if _, after, found := strings.Cut(text, "</think>"); found && !thought.MatchString(raw) {
		text = strings.TrimSpace(after)
	}
	o := offer{}
	for _, t := range tools {
		o[plain(t)] = true
	}
	for _, at := range begins(text) {
		if o.begunBy(bare(text[at:])) {
			return false
		}
	}
	return !o.wholeCall(text) && !o.behindSentence(text)
}

// offer is the set of offered names, each as [plain] gives it.
type offer map[string]bool

var (
	thought = regexp.MustCompile(`(?s)<think(ing)?>.*?(</think(ing)?>|$)`)
	mark    = regexp.MustCompile(`\[TOOL_CALLS\]|<\|?/?tool_calls?|<｜|<\|channel|<function|<(\w+:)?invoke|<start_function_call>`)
	signs   = regexp.MustCompile(`[^a-z0-9]`)

	// dress is what may stand before a call that begins a line: a fence, tags, list marks, labels, quotes, brackets, and the
	// beginning of a statement.
	dress = regexp.MustCompile("^(?:\\s+|`{3,}(?:\\w*\\s*\\n|(?:json|python|tool_\\w+)\\b)|`+|\\*+|[-•] |\\d+[.)] |<[^<>\\n]{1,60}>|tool_call>|\\[TOOL_CALLS\\]|\\[|\\(|\"|'|“|‘|" +
		`(?i:(?:function|tool|assistant|action|call|function call|tool call)\**:\**)|` +
		`\w+ = |await |return |print\(|call:|functools|commentary|to=(?:functions\.)?|functions?(?:\.|\b<))`)
	word      = regexp.MustCompile(`^[A-Za-z][\w.\-\\]*`)
	signature = regexp.MustCompile(`^\(\s*[A-Za-z]\w*(\s*,\s*[A-Za-z]\w*)*\s*\)`)
	argument  = regexp.MustCompile("^(?:[\"'`]?\\(|[:\"'`]?\\s*,?\\s*(?:```)?(?:json)?\\s*\\{|\\[(?:ARGS|CALL_ID)\\]|\\s*<arg_key>|<｜tool▁sep｜>|:\\d+<\\||\\s*<\\||\\s*\\nAction Input:)")
	tagged    = regexp.MustCompile(`^<(?:function=|(?:[\w:｜]*)invoke name=["']?)([\w.\-]+)`)
	named     = regexp.MustCompile(`["'“]?\b(?:name|tool|function|tool_name|action)["'”]?\s*:\s*["'“]?([\w.\-\\]+)`)
	firstKey  = regexp.MustCompile(`^\{\s*["']([\w.\-]+)["']\s*:\s*\{`)
	nameKey   = regexp.MustCompile(`["'“]?\b(?:name|tool|function|tool_name|action)["'”]?\s*:\s*["'“]`)
	valuesKey = regexp.MustCompile(`["'“]?\b(?:arguments|parameters|args|input|kwargs|action_input)["'”]?\s*:\s*["{]`)
	keywords  = regexp.MustCompile(`^[A-Za-z][\w.]*\(\s*\w+\s*=[^=]`)
	program   = regexp.MustCompile("^```+(?:python|py|js|javascript|go|sh|bash|java|c|rust)\\b")
	behind    = regexp.MustCompile(`[.!?:…。！？：] ?([A-Za-z]\w*)\s*\{`)
	closers   = regexp.MustCompile("^(?:[\\s`\\]\\)\\}.,;\"'”’]|<[^<>\\n]{1,60}>)*$")
)

// plain is a name without case, signs, and what models put around names.
func plain(name string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "functions.")
	return signs.ReplaceAllString(strings.TrimSuffix(name, ".call"), "")
}

// begins gives where the text, its lines and the marks of calls begin. A line with the sign of a quote begins nothing.
func begins(text string) []int {
	out := []int{0}
	for i := range text {
		if text[i] == '\n' {
			out = append(out, i+1)
		}
	}
	quoted := func(at int) bool {
		line := text[strings.LastIndexByte(text[:at], '\n')+1:]
		return strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|")
	}
	for _, m := range mark.FindAllStringIndex(text, -1) {
		out = append(out, m[0])
	}
	return slices.DeleteFunc(out, quoted)
}

// bare takes from a text what may stand before a call.
func bare(text string) string {
	for {
		if tagged.MatchString(text) {
			return text
		}
		n := len(dress.FindString(text))
		if n == 0 {
			return text
		}
		if strings.HasSuffix(text[:n], "<") {
			n--
		}
		text = text[n:]
	}
}

// begunBy says whether a text begins with a call of an offered tool.
func (o offer) begunBy(text string) bool {
	if m := tagged.FindStringSubmatch(text); m != nil {
		return o[plain(m[1])]
	}
	if strings.HasPrefix(text, "{") {
		object := text[:bracketLength(text)]
		if m := firstKey.FindStringSubmatch(object); m != nil && o[plain(m[1])] {
			return true
		}
		return slices.ContainsFunc(named.FindAllStringSubmatch(object, -1), func(m []string) bool { return o[plain(m[1])] })
	}
	name := word.FindString(text)
	rest := text[len(name):]
	if !o[plain(name)] || signature.MatchString(rest) {
		return false
	}
	return argument.MatchString(rest)
}

// wholeCall says whether the whole reply has the shape of a call, whatever the name, or is nothing but an offered name.
func (o offer) wholeCall(text string) bool {
	t := bare(text)
	if tagged.MatchString(t) {
		return true
	}
	if name := word.FindString(t); o[plain(name)] && closers.MatchString(t[len(name):]) {
		return true
	}
	end := bracketLength(t)
	if !closers.MatchString(t[end:]) {
		return false
	}
	if strings.HasPrefix(t, "{") {
		return nameKey.MatchString(t[:end]) && valuesKey.MatchString(t[:end])
	}
	return keywords.MatchString(t) && !program.MatchString(text)
}

// behindSentence says whether the reply ends with an offered name behind a sentence and its arguments.
func (o offer) behindSentence(text string) bool {
	for _, m := range behind.FindAllStringSubmatchIndex(text, -1) {
		if object := text[m[1]-1:]; o[plain(text[m[2]:m[3]])] && closers.MatchString(object[bracketLength(object):]) {
			return true
		}
	}
	return false
}

// bracketLength is the length of the brackets that a text opens first, quotes respected; all of it if they never close.
func bracketLength(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'' && depth > 0:
			quote = c
		case strings.IndexByte("{[(", c) >= 0:
			depth++
		case strings.IndexByte("}])", c) >= 0:
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
