package toolcall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
	"hob/internal/schema"
)

// most is how many characters may stand before a call that is not marked, and in the sentence after it.
const most = 200

// doubts are reasons why what looks like a call may not be meant to run. The readers note them, and promote decides.
type doubts uint

const (
	inItem      doubts = 1 << iota // it stands in an item of a list
	dressed                        // behind a label, or in a tag that sets code
	inCode                         // in a fence of some language
	inTuple                        // in parentheses
	amongOthers                    // more is said around it, or a person is asked

	asked          // from here on the model is asked, whatever the tool does
	inStatement    // behind x =, return or await
	printed        // in print()
	behindCode     // in a fence, behind other lines
	behindSentence // on the line of a sentence
	goesOn         // words or code go on behind it
	onlyName       // it is a name and nothing else
	cannotBeRead   // it begins as a call does
	unmarked       // calls count only in marks
)

// promotion is what came of the candidates of a text.
type promotion struct {
	calls   []Call
	any     bool   // the text holds calls, or what was meant to be one
	cut     int    // where they begin, or the length of the text: what stands before is for a person
	half    bool   // one was cut off in the middle
	broken  string // why something that was meant to be a call cannot be read
	stray   bool   // all of it is stray tags
	thought string
}

// promote decides which candidates run and about which the model is asked. What stands behind a call was written without its
// result and is for nobody.
func (o *Offer) promote(s *scan, w Wire) promotion {
	rest := s.halfCall(w.Truncated && !s.over)
	p := promotion{stray: true, cut: rest}
	alone := s.alone(rest) && (s.shows == 0 || s.fences <= 1)
	if showsExample(s) {
		s.candidates = nil
	}
	asks := asksPerson(s, rest)
	for i, c := range s.candidates {
		last := i == len(s.candidates)-1
		if i > 0 && len(p.calls) > 0 && c.sure != marked && trim(s.src[min(s.candidates[i-1].end, c.start):c.start]) != "" {
			break // it was written without the results of the others
		}
		calls, half := o.take(c, w, last)
		if c.sure != marked {
			if asks || !alone || c.sure == fenced && s.fences > 1 {
				c.doubts |= amongOthers
			}
			if w.Strict && c.sure == bare && w.Mode != llm.PromptMode {
				c.doubts |= unmarked
			}
			o.question(calls, c.doubts)
		}
		if !p.any {
			p.any, p.cut, p.thought = true, c.start, c.thought
		}
		if p.calls = append(p.calls, calls...); len(p.calls) > mostCalls {
			p.calls, p.broken = p.calls[:mostCalls], fmt.Sprintf("there are more than %d calls in one reply", mostCalls)
		}
		p.half = p.half || half
		p.stray = p.stray && c.stray
		switch {
		case c.broken != "" && w.Truncated && last && len(c.calls) > 0:
			p.half = true
		default:
			p.broken = cmp.Or(p.broken, c.broken)
		}
	}
	if n := len(s.candidates); rest < len(s.src) && (n == 0 || rest >= s.candidates[n-1].end) {
		p.any, p.stray = true, p.stray && n > 0
		if p.half = p.half || w.Truncated; !w.Truncated {
			p.broken = cmp.Or(p.broken, noEndAtAll)
		}
	}
	return p
}

// question marks doubtful calls, so that the model is asked for them again. With a slight doubt, calls that only look run all the
// same, if every call can run.
func (o *Offer) question(calls []Call, d doubts) {
	if d > 0 && !valid(calls) {
		d |= asked
	}
	for i, c := range calls {
		tool := o.named(c.Name)
		if c.Valid() && (d >= asked || d > 0 && (tool == nil || tool.careful)) {
			calls[i].Problems = []schema.Problem{{Kind: schema.Value, Text: AskedAgain}}
		}
	}
}

// wantsYes is in a text that leaves it to somebody whether a call is made.
var wantsYes = lazyregexp.New(`[?？]|(?i)\b(?:confirm|approve|permission|before i|bestätig\w*)|подтверд|确认`)

// showsExample reports whether the line before the first call says that it is an example.
func showsExample(s *scan) bool {
	if len(s.candidates) == 0 || s.candidates[0].sure == marked {
		return false
	}
	before := strings.TrimSpace(s.src[max(0, s.candidates[0].start-most):s.candidates[0].start])
	line := strings.ToLower(before[strings.LastIndexByte(before, '\n')+1:])
	return slices.ContainsFunc(list("an example follows"), func(words string) bool { return strings.Contains(line, words) })
}

// asksPerson reports whether the words around the calls leave it to somebody whether they are made.
func asksPerson(s *scan, rest int) bool {
	n := len(s.candidates)
	if n == 0 {
		return false
	}
	before := s.src[:s.candidates[0].start]
	end := min(max(s.candidates[n-1].end, s.candidates[0].start), rest)
	return wantsYes().MatchString(before[max(0, len(before)-most):]) || wantsYes().MatchString(s.src[end:min(rest, end+most)])
}

// take mends the calls of a candidate. Where the reply was cut off within a call, it leaves out that call.
func (o *Offer) take(c candidate, w Wire, last bool) (calls []Call, half bool) {
	for _, f := range c.calls[:min(len(c.calls), mostCalls+1)] {
		if w.Truncated && last && (!f.whole || f.missing != "") {
			return calls, true
		}
		calls = append(calls, o.mend(f, false))
	}
	return calls, false
}

func valid(calls []Call) bool {
	return !slices.ContainsFunc(calls, func(c Call) bool { return !c.Valid() })
}

// noEndAtAll is why a call cannot be read that was only begun.
const noEndAtAll = "a call was begun and has no end"

// alone reports whether the candidates are what the text is about: little stands before them, and between and after them
// no more than a sentence, up to rest.
func (s *scan) alone(rest int) bool {
	if len(s.candidates) == 0 || utf8.RuneCountInString(trim(s.src[:s.candidates[0].start])) > most {
		return false
	}
	for i, c := range s.candidates {
		end := max(rest, min(c.end, len(s.src)))
		if s.count > mostCalls && i+1 == len(s.candidates) {
			return true // it was not read to its end
		}
		if i+1 < len(s.candidates) {
			end = s.candidates[i+1].start
		}
		if !sentence(trim(strings.TrimLeft(s.src[min(c.end, end):end], "}]);, \t\r\n"))) {
			return false
		}
	}
	return true
}

// sentence reports whether text is one sentence, or nothing.
func sentence(text string) bool {
	if utf8.RuneCountInString(text) > most || strings.ContainsAny(text, "\n{`") {
		return false
	}
	return !sentenceEnd().MatchString(strings.TrimRight(text, ".!?…。！？ )\"'"))
}

var sentenceEnd = lazyregexp.New(`[.!?…] |[。！？]`)

// halfCall returns where a call begins that was only begun, or the length of the text. Where the reply was not cut off, it
// takes more to tell: the name of a tool, or what such a name stands behind.
func (s *scan) halfCall(truncated bool) int {
	at := s.unfinished()
	if rest := s.src[at:]; !truncated && (rest == "" || rest[0] == '<' || !strings.Contains(rest, "{") || strings.Count(rest, `"`) < 2) {
		return len(s.src)
	}
	return at
}

// begun returns where in a text that still grows something begins that halfCall would take for a half call if the text ended soon,
// or the length of the text.
func (s *scan) begun() int {
	if at := s.unfinished(); at < len(s.src) && s.src[at] != '<' {
		return at
	}
	return len(s.src)
}

// halfObject is an object that may become a call, where a call can begin: its first key, and what stands behind that.
var halfObject = lazyregexp.New(`(?:^|[\n};]|\[)[ \t]*(\{\s*"?([^":]*)"?\s*(:?)([^:{[]*))$`)

// unfinished returns where what may be a call begins that was cut off before it could be told, or the length of the text.
func (s *scan) unfinished() int {
	const longest = 80
	at, from := len(s.src), max(0, len(s.src)-longest)
	if len(s.offer.tools) == 0 {
		return at
	}
	for i := at - 1; i >= from && at == len(s.src); i-- {
		if s.src[i] == '<' || s.src[i] == '[' {
			part := scan{src: s.src[i:]}
			if _, ok := part.opener(0, false); !ok && part.touched || part.control(0) == 0 && part.touched {
				at = i
			}
		}
	}
	if m := halfObject().FindStringSubmatchIndex(s.src[from:]); m != nil && s.beginsCall(s.src[from:], m) {
		at = min(at, from+m[2])
	}
	for at < len(s.src) && s.src[at] != '<' && at > 0 && s.src[at-1] == '[' {
		at--
	}
	return at
}

// beginsCall reports whether an object that halfObject found may become a call.
func (s *scan) beginsCall(text string, m []int) bool {
	key, value := strings.TrimRight(text[m[4]:m[5]], "\" \t\r\n"), strings.Trim(text[m[8]:m[9]], "\" \t\r\n")
	if m[6] == m[7] {
		return slices.ContainsFunc(append(nameKeys(), "tool_calls", "arguments", "parameters"), func(k string) bool { return strings.HasPrefix(k, key) })
	}
	return slices.Contains(nameKeys(), key) && slices.ContainsFunc(s.offer.tools, func(t offered) bool { return strings.HasPrefix(t.def.Name, value) })
}
