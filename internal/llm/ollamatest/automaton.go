package ollamatest

import (
	_ "embed"
	"fmt"
	"strings"
)

// The kinds of token that the GGUF format knows and the model uses.
const (
	normalToken  = 1 // merged from shorter ones, by score
	unknownToken = 2
	controlToken = 3
	userToken    = 4 // found in a text before anything else is
	unusedToken  = 5 // has no text when a model says it
	byteToken    = 6 // for what no other token covers
)

// The numbers of <s>, which starts every prompt, and of </s>.
const (
	beginToken = 1
	endToken   = 2
)

// contextLength is the longest context the model claims. The cache takes 128 bytes a token.
const contextLength = 131072

// automaton is a model in which the last token alone decides the next one. After a token that has none it ends its reply.
type automaton struct {
	Tokens []token
	Next   map[int]int // by the numbers of tokens; see mostNext

	number map[string]int // of each token in Tokens, by its text
}

// mostNext is how many tokens may have a successor: each makes the model wider.
const mostNext = 1023

// token is an entry of a vocabulary.
type token struct {
	Text  string
	Type  int
	Score float32 // of a normal token: the higher, the earlier it is merged
}

//go:embed words.txt
var commonWords string

// newAutomaton returns a model that knows words and says nothing.
func newAutomaton() *automaton {
	a := &automaton{Next: map[int]int{}, number: map[string]int{}}
	a.add("<unk>", unknownToken, 0)
	a.add("<s>", controlToken, 0)
	a.add("</s>", controlToken, 0)
	for i := range 256 {
		a.add(fmt.Sprintf("<0x%02X>", i), byteToken, 0)
	}
	for word := range strings.FieldsSeq(commonWords) {
		a.add(" "+word, userToken, 0)
	}
	for _, s := range strings.Split(jsonPieces, "|") {
		a.add(s, userToken, 0)
	}
	// In a normal token the format writes a space as U+2581. All scores are equal: pairs merge from the left.
	const letters = "\u2581abcdefghijklmnopqrstuvwxyz"
	for _, first := range letters {
		for _, second := range letters {
			a.add(string(first)+string(second), normalToken, -1)
		}
	}
	return a
}

// jsonPieces are what the description of tools is made of, between bars.
const jsonPieces = `{"type":"function","function":{"name":"|","description":"|"parameters":{"type":"object",|"properties":{"|"required":["|` +
	`"type":"string"|"type":"integer"|"type":"boolean"|"type":"array"|"items":|"enum":["|":{"type":"|":{|":"|","|"},"|"}}|"]|{"|": "|", "|. |, |` + "\n\n|\n- |\n"

// add gives a text a number, the one that it has if it has one.
func (a *automaton) add(text string, kind int, score float32) int {
	if n, ok := a.number[text]; ok {
		return n
	}
	n := len(a.Tokens)
	a.number[text] = n
	a.Tokens = append(a.Tokens, token{Text: text, Type: kind, Score: score})
	return n
}

// answer makes the model answer marker with text, and end the reply. The marker must be new.
//
// A token has one successor only, so the same piece of text cannot stand in two places unless what follows is the same.
// Where it would have to, the piece takes in the words before it, or if there are none after it, until it is another
// text.
func (a *automaton) answer(marker, text string) {
	a.follow(marker, a.chain(text, endToken))
}

// loop makes the model answer marker with prefix and then with round for ever. After each piece of round it says rests
// tokens that nobody hears, which makes it as slow as a larger model. No piece of round may be a token already.
func (a *automaton) loop(marker, prefix, round string, rests int) {
	var circle []int
	for i, piece := range split(round) {
		circle = append(circle, a.add(piece, userToken, 0))
		for j := range rests {
			circle = append(circle, a.add(fmt.Sprintf("<rest %d.%d>", i, j), unusedToken, 0))
		}
	}
	for i, n := range circle {
		a.Next[n] = circle[(i+1)%len(circle)]
	}
	a.follow(marker, a.chain(prefix, circle[0]))
}

// follow makes token to the beginning of what the model says after marker.
func (a *automaton) follow(marker string, to int) {
	a.Next[a.add(marker, userToken, 0)] = to
}

// chain adds the tokens of text so that they lead to token after, and returns the first. It works from the end.
func (a *automaton) chain(text string, after int) int {
	var later []int // the tokens chosen so far, the earliest last
	for pieces := split(text); len(pieces) > 0; {
		take := 1
		for take < len(pieces) && !a.canFollow(joinLast(pieces, take), after) {
			take++
		}
		chunk := joinLast(pieces, take)
		pieces = pieces[:len(pieces)-take]
		for !a.canFollow(chunk, after) && len(later) > 0 { // nothing is left before it: take in what comes after
			next := later[len(later)-1]
			later = later[:len(later)-1]
			chunk, after = chunk+a.Tokens[next].Text, a.Next[next]
		}
		if !a.canFollow(chunk, after) {
			panic(fmt.Sprintf("a longer text of the script begins with %q; say it in other words", chunk)) // its author's mistake
		}
		n := a.add(chunk, userToken, 0)
		a.Next[n] = after
		later, after = append(later, n), n
	}
	return after
}

// canFollow reports whether the token of a text may be followed by token after.
func (a *automaton) canFollow(text string, after int) bool {
	n, ok := a.number[text]
	if !ok {
		return true
	}
	next, ok := a.Next[n]
	return !ok || next == after
}

func joinLast(pieces []string, last int) string {
	return strings.Join(pieces[len(pieces)-last:], "")
}

// split cuts a text before each space that follows something else.
func split(text string) []string {
	var pieces []string
	begin := 0
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] != ' ' {
			pieces = append(pieces, text[begin:i])
			begin = i
		}
	}
	return append(pieces, text[begin:])
}
