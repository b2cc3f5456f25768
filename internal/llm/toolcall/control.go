package toolcall

import (
	"slices"
	"strings"

	"hob/internal/lazyregexp"
)

// longestToken bounds a control token, in bytes.
const longestToken = 64

// control returns where the control token ends that begins at i, or i if there is none.
func (s *scan) control(i int) int {
	if s.byte(i) != '<' {
		return i
	}
	if strings.IndexByte("|/sbeup"+"｜"[:1], s.byte(i+1)) < 0 {
		return i
	}
	end := s.near("> \t\r\n<", i+1, longestToken-1)
	if end < 0 || !controls(s.src[i:end+1]) {
		return i
	}
	return end + 1
}

// controls reports whether token is one that a model ends or begins a message with, and a person should never see.
func controls(token string) bool {
	return slices.Contains(list("control tokens"), token) || controlToken().MatchString(token) && token != `<|"|>`
}

// controlToken is one in bars, or one that the model's vocabulary has no use for.
var controlToken = lazyregexp.New(`^<(?:\|[^\x00- >]+\||｜[^\x00- >]+｜|unused[0-9]+)>$`)

// endsTurn reports whether nothing behind a control token belongs to the reply: the turn ends there, or another begins.
func endsTurn(token string) bool { return slices.Contains(list("ends of a turn"), token) }

// leading returns where what stands before a reply ends: white space, control tokens and the name of who speaks. Marks of calls
// are none of them.
func (s *scan) leading() int {
	for i := 0; ; {
		i = s.space(i)
		if _, ok := s.opener(i, false); ok || s.closer(i) != "" {
			return i
		}
		end := s.control(i)
		if end == i {
			return i
		}
		switch s.src[i:end] {
		case "<|im_start|>", "<|from|>", "<|start_header_id|>", "<start_of_turn>":
			for _, who := range []string{"assistant", "model"} {
				if s.has(end, who) {
					end += len(who)
				}
			}
		}
		i = end
	}
}

// trim takes control tokens and white space off both ends.
func trim(text string) string {
	s := scan{src: text, whole: true}
	text = text[s.leading():]
	for {
		text = strings.TrimSpace(text)
		tail := max(0, len(text)-longestToken)
		from := tail + strings.LastIndexByte(text[tail:], '<')
		if from < tail || !strings.HasSuffix(text, ">") || !controls(text[from:]) {
			return text
		}
		text = text[:from]
	}
}
