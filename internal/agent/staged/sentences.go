package staged

import (
	"context"
	"strings"
	"unicode/utf8"
)

// narrated is how much of a narration has passed the check: its beginning.
type narrated struct{ checked string }

// show shows a narration sentence by sentence as it arrives: see [agent.StageRules].
func (s Stage) show(ctx context.Context, text string) (shown string, goOn bool) {
	text = strings.TrimLeft(text, " \n\t")
	if !strings.HasPrefix(text, s.narrated.checked) { // a new reply has begun
		s.narrated.checked = ""
	}
	goOn = s.checkSentences(ctx, text, false)
	if s.narration.Shown != nil && s.narrated.checked != "" {
		shown = s.clean(s.narration.Shown(s.narrated.checked))
	}
	return shown, goOn
}

// checkSentences checks the sentences that are not shown yet, and returns false at the first that
// fails. The last one counts if the text is complete, or once more text follows it.
func (s Stage) checkSentences(ctx context.Context, text string, whole bool) bool {
	for strings.HasPrefix(text, s.narrated.checked) && len(text) > len(s.narrated.checked) {
		end := sentenceEnd(text, len(s.narrated.checked))
		if end == 0 {
			if end = len(text); !whole {
				return true
			}
		}
		if len(s.driver.Check(ctx, text[:end])) > 0 {
			return false
		}
		s.narrated.checked = text[:end]
	}
	return strings.HasPrefix(text, s.narrated.checked)
}

// sentenceEnd returns the end of the sentence that begins at from, or 0 while the sentence or a
// quotation in it is incomplete.
func sentenceEnd(text string, from int) int {
	var open []rune
	line := strings.LastIndexByte(text[:from], '\n') + 1
	for i := from; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+n:])
		switch {
		case r == '\n' && strings.TrimSpace(text[from:i]) != "":
			return i
		case r == '\n':
			line = i + n
		case len(open) > 0 && r == open[len(open)-1]:
			open = open[:len(open)-1]
		case closing(r) != 0:
			open = append(open, closing(r))
		}
		if i += n; i == len(text) || len(open) > 0 || strings.HasPrefix(text[line:], "—") || strings.HasPrefix(text[line:], "–") {
			continue
		}
		switch before := strings.TrimRight(text[from:i], "\"”»」』’“)*_"); {
		case strings.ContainsRune("\"”»」』’“)*_.!?…。！？", next):
		case strings.HasSuffix(before, "。"), strings.HasSuffix(before, "！"), strings.HasSuffix(before, "？"):
			if strings.ContainsRune("。！？”」』’", r) {
				return i
			}
		case (next == ' ' || next == '\n') && ends(before) && strings.ContainsRune("\"”»’“)*_.!?…", r):
			return i
		}
	}
	return 0
}

// closing returns the closing mark for a quotation mark, or 0.
func closing(r rune) rune {
	for _, pair := range []string{`""`, "“”", "„“", "«»", "「」", "『』"} {
		if first, n := utf8.DecodeRuneInString(pair); first == r {
			last, _ := utf8.DecodeRuneInString(pair[n:])
			return last
		}
	}
	return 0
}

// ends reports whether a text ends with a complete sentence, and not with a short form such as
// "Mr.".
func ends(text string) bool {
	if strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "…") {
		return true
	}
	before, ok := strings.CutSuffix(text, ".")
	word := before[strings.LastIndexAny(before, " \n“«\"")+1:]
	return ok && utf8.RuneCountInString(word) > 1 && !strings.Contains(" Mr Mrs Ms Dr St ", " "+word+" ")
}
