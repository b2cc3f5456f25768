package when

import (
	"slices"
	"strings"
)

// remains returns the text without the used tokens, and without the words that joined them.
func (p *reader) remains(text string, used []bool) string {
	// A word that joins a time to the rest stands before or behind what was taken, and goes with it. Where words of the rest stand before the
	// time, it joins those: "call Ana at 8 about the boat".
	begun, whole := false, 0
	for i := 1; i < len(p.tokens); i++ {
		begun = begun || !used[i-1] && p.tokens[i-1].kind != 'p'
		if used[i] || !used[i-1] || i == whole || begun && p.lang != "zh" && !p.asksBefore(i, used) {
			continue
		}
		for j := i; ; {
			for p.mark(j, ",") || p.mark(j, ":") {
				j++
			}
			kind, next, ok := p.word(j, "link")
			if !ok || !free(used, j, next) || next >= len(p.tokens) {
				break
			}
			useTokens(used, i, next)
			if j = next; kind == "says" { // напомни в 8, что на работе собрание: the sentence behind it is whole
				whole = j
				break
			}
		}
	}
	p.takeTails(used)
	var parts []string
	for i := 0; i < len(p.tokens); {
		if used[i] {
			i++
			continue
		}
		j := i
		for j < len(p.tokens) && !used[j] {
			j++
		}
		if part := strings.TrimSpace(text[p.tokens[i].from:p.tokens[j-1].to]); part != "" {
			parts = append(parts, part)
		}
		i = j
	}
	if p.lang == "zh" {
		return clean(strings.Join(parts, ""))
	}
	var b strings.Builder
	for i, part := range parts {
		if i > 0 && strings.Trim(part, ",.;:!?") != "" {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return clean(b.String())
}

// asksBefore says whether words that ask for a reminder are among those taken right before a token.
func (p *reader) asksBefore(i int, used []bool) bool {
	for from := i - 1; from >= 0 && used[from]; from-- {
		if _, next, ok := p.word(from, "remind"); ok && next <= i {
			return true
		}
	}
	return false
}

// takeTails takes the words that joined the rest to a time behind it: Ben's birthday [is] 14 August.
func (p *reader) takeTails(used []bool) {
	for i := 1; i < len(used); i++ {
		if !used[i] || used[i-1] {
			continue
		}
		if from, _ := p.wordBefore(i, "tail"); from > 0 && free(used, from, i) && p.nothingLeft(i, used) {
			useTokens(used, from, i)
		}
	}
}

// nothingLeft says whether all tokens from one on are taken.
func (p *reader) nothingLeft(i int, used []bool) bool {
	for ; i < len(used); i++ {
		if !used[i] && p.tokens[i].kind != 'p' {
			return false
		}
	}
	return true
}

func free(used []bool, from, to int) bool {
	return !slices.Contains(used[from:min(to, len(used))], true)
}

// clean takes the space and the marks from the ends of what remains.
func clean(text string) string {
	text = strings.TrimSpace(text)
	for {
		cut := strings.TrimLeft(text, " \t\r\n,;:.!)-–—，。：；、！")
		cut = strings.TrimRight(cut, " \t\r\n,;:(-–—，。：；、")
		if cut == text {
			return text
		}
		text = cut
	}
}
