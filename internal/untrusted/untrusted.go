// Package untrusted makes fit for a prompt what strangers wrote.
//
// A chat is one string of tokens to a model. What separates the owner's words from a page that was fetched are control
// tokens, and a server turns their spelling into the token wherever it stands: a page with <|im_start|>system in it speaks
// as hob itself, and small models obey. Characters that nobody sees carry orders as well, for models read them.
//
// [Plain] is for the text of strangers: what no person would miss in it goes. [Defuse] is for other text of tools, such as
// a file that a person wrote: it is edited after it was read, so nothing vanishes from it; only what would end the message
// is broken up. Neither makes a text true, or its wishes harmless: that is left to labels and to the fence around it.
//
// # What goes
//
// Control tokens are those of the families of models that Ollama serves. There are three kinds: whatever stands in bars as
// in <|eot_id|> or <｜User｜>, whatever has half of them as in <|turn> and <turn|>, and a list of words in <> and []. Words in
// <> are compared without regard to case, those in [] are not: "usage: ls [args]" is prose and [ARGS] is none. A token is
// looked for again where another one was taken out, so that what is left holds none.
//
// Invisible characters are white space of no width, the marks that turn the direction of writing, tag characters, selectors
// of variants, fillers, soft hyphens, control characters, private use, what is no character and what is no UTF-8. Lines
// end in \n, whatever ended them before. Some are a part of how people write, and stay:
//   - joiners and non-joiners between two letters, marks or digits of a script that joins (Arabic, Syriac, N'Ko, Mongolian and those
//     of India and its neighbours), and joiners between two emoji;
//   - selectors of text and emoji (U+FE0E and U+FE0F) right behind an emoji, and in keycaps such as 1️⃣;
//   - selectors of variants behind a Mongolian letter;
//   - tag characters in the flags of England, Scotland and Wales: there are no others in use;
//   - signs of Arabic that are a control character by their class alone and are seen, such as the end of an ayah.
//
// Who writes Arabic or Hindi can thus hide bits in joiners still. Letters that look like others are left as they are, and
// so are forms that a tokenizer would first have to make compatible, such as the full-width ＜.
package untrusted

import "strings"

// Plain returns s without control tokens and invisible characters, and how many pieces went: tokens, and runs of characters.
// The result is valid UTF-8, Plain leaves it as it is, and prose is returned as it came.
func Plain(s string) (string, int) {
	s, unseen := visible(s)
	s, tokens := plainWords(s)
	return s, unseen + tokens
}

// Defuse returns s with a blank behind the first character of each token that begins or ends a message: <|im_start|> becomes
// < |im_start|>, which says the same to a reader and nothing to a tokenizer. All else stays, byte for byte. It is idempotent.
func Defuse(s string) string {
	var b strings.Builder
	from := 0
	for i := next(s, 0); i < len(s); i = next(s, i+1) {
		if endsMessage(s[i:]) {
			b.WriteString(s[from : i+1])
			b.WriteByte(' ')
			from = i + 1
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// next returns where < or [ stands next in s, from i on, or len(s).
func next(s string, i int) int {
	for ; i < len(s); i++ {
		if s[i] == '<' || s[i] == '[' {
			return i
		}
	}
	return len(s)
}
