package untrusted

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// longest bounds a control token, in bytes. Those in bars have up to 64 characters, calls in tags a name and a few words.
const longest = 200

// plainWords returns s without control tokens, and how many went.
//
// It writes what is kept and looks back whenever it has written the end of a token. What was taken out is gone by then, so
// a token that others were put into is seen as a whole as soon as its end comes.
func plainWords(s string) (string, int) {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '[') < 0 {
		return s, 0
	}
	var kept []byte // nil as long as all of s[:from] is kept
	from, gone := 0, 0
	for i := end(s, 0); i < len(s); i = end(s, i+1) {
		last := s[max(0, i+1-longest) : i+1]
		if kept != nil {
			kept = append(kept, s[from:i+1]...)
			from = i + 1
			last = string(kept[max(0, len(kept)-longest):])
		}
		n := lastToken(last)
		if n == 0 {
			continue
		}
		gone++
		if kept == nil {
			kept = append(make([]byte, 0, len(s)), s[:i+1]...)
			from = i + 1
		}
		kept = kept[:len(kept)-n]
	}
	if kept == nil {
		return s, 0
	}
	return string(append(kept, s[from:]...)), gone
}

// end returns where the first > or ] from i on is that could be the end of a token, or len(s).
func end(s string, i int) int {
	for i = max(i, 1); i < len(s); i++ {
		if s[i] != '>' && s[i] != ']' {
			continue
		}
		switch c := s[i-1]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(`_.:-/|"'>@]`, c) >= 0, c >= utf8.RuneSelf:
			return i
		}
	}
	return len(s)
}

// lastToken returns the length of the control token that s ends with, or 0. Its last byte is > or ].
func lastToken(s string) int {
	for _, twice := range []string{"<<SYS>>", "<</SYS>>"} { // Llama 2
		if len(s) >= len(twice) && s[len(s)-2] == '>' && strings.EqualFold(s[len(s)-len(twice):], twice) {
			return len(twice)
		}
	}
	open := byte('<')
	if s[len(s)-1] == ']' {
		open = '['
	}
	for i := len(s) - 2; i >= 0; i-- {
		switch c := s[i]; c {
		case open:
			if isControlToken(s[i:]) {
				return len(s) - i
			}
			return 0
		case '<', '>', '[', ']', '\n':
			return 0
		}
	}
	return 0
}

// isControlToken reports whether token, which begins with < or [ and ends with > or ] and has none of them within, is one that a
// model reads as more than text.
func isControlToken(token string) bool {
	in := token[1 : len(token)-1]
	if token[0] == '[' {
		return isBracketedWord(in)
	}
	if isBarred(in, "|", " ") || in == `|"|` || isWideTag(in) {
		return true
	}
	if word, ok := strings.CutPrefix(in, "|"); ok && isTokenName(word, "") { // Gemma 4: <|turn> ... <turn|>
		return true
	}
	if word, ok := strings.CutSuffix(in, "|"); ok && isTokenName(word, "") {
		return true
	}
	return isTagWord(in) || marksCall(in)
}

// isBarred reports whether in is a name between two bars. More are characters that the name may have besides its own.
func isBarred(in, bar, more string) bool {
	if len(in) <= 2*len(bar) || !strings.HasPrefix(in, bar) || !strings.HasSuffix(in, bar) {
		return false
	}
	return isTokenName(in[len(bar):len(in)-len(bar)], more)
}

// isTokenName reports whether name could be that of a control token: it has up to 64 letters, digits and signs of names.
func isTokenName(name, more string) bool {
	if name == "" || utf8.RuneCountInString(name) > 64 {
		return false
	}
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.', r == ':', r == '-', r == '/', r == '▁':
		case strings.ContainsRune(more, r):
		default:
			return false
		}
	}
	return true
}

// isWideTag reports whether in is a tag of DeepSeek, such as ｜DSML｜invoke name="x" or /｜DSML｜invoke.
func isWideTag(in string) bool {
	in, ok := strings.CutPrefix(strings.TrimPrefix(in, "/"), "｜")
	return ok && isTokenName(in, ` ｜="'`)
}

// isBracketedWord reports whether in is a word that a tokenizer knows in brackets: one of Mistral's, of Llama 2's, of GLM's, of
// Kimi's, or of EXAONE's with its bars.
func isBracketedWord(in string) bool {
	switch strings.TrimPrefix(in, "/") {
	case "SYSTEM_PROMPT", "AVAILABLE_TOOLS", "TOOL_CALLS", "TOOL_RESULTS", "TOOL_CONTENT", "TOOL_REQUEST", "END_TOOL_REQUEST", "ARGS", "CALL_ID",
		"THINK", "IMG", "IMG_BREAK", "IMG_END", "AUDIO", "BEGIN_AUDIO", "TRANSCRIBE", "MODEL_SETTINGS", "gMASK", "sMASK", "BOS", "EOS", "EOT",
		"PAD", "UNK", "@BOS@", "|system|", "|user|", "|assistant|", "|tool|", "|endofturn|":
		return true
	}
	return strings.EqualFold(in, "INST") || strings.EqualFold(in, "/INST") // nothing else is written so
}

// isTagWord reports whether in is a word that a tokenizer or a template knows in <>.
func isTagWord(in string) bool {
	const longestWord = 64
	if len(in) > longestWord {
		return false
	}
	in = strings.ToLower(in)
	word, ends := strings.CutPrefix(in, "/")
	switch word {
	case "s", "bos", "eos", "pad", "unk", "mask", "sep", "cls", "eot", "eod", "sop", "eop", "eoh", "eoa", "bos_token", "eos_token", "pad_token",
		"start_of_turn", "end_of_turn", "end_of_text", "end_of_utterance", "fim_prefix", "fim_middle", "fim_suffix", "fim_pad",
		"start_of_image", "end_of_image", "image_soft_token", "start_of_audio", "end_of_audio", "audio_soft_token",
		"tools", "available_tools", "tool_call", "tool_calls", "tool_response", "tool_responses", "tool_result", "tool_outputs", "tool_use", "tool_code",
		"toolcall", "function_call", "function_calls", "function_results", "functioncall", "start_function_call", "end_function_call",
		"start_function_declaration", "end_function_declaration", "start_function_response", "end_function_response",
		"escape", "arg_key", "arg_value", "think", "thinking", "thought", "reasoning":
		return true
	case "function", "parameter", "invoke": // with nothing behind them they begin no call, and mean something in prose
		return ends
	}
	for _, family := range []string{"unused", "reserved_", "special_", "extra_id_", "tokens_unused_"} {
		if n, ok := strings.CutPrefix(in, family); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return true
		}
	}
	maker, name, ok := strings.Cut(word, ":")
	return ok && (maker == "seed" || maker == "minimax") && isTokenName(name, "")
}

// marksCall reports whether in begins a call that is written in tags, such as function=x or invoke name="x".
func marksCall(in string) bool {
	begins := []string{"function=", "function name=", "parameter=", "parameter name=", "invoke name="}
	return slices.ContainsFunc(begins, func(begin string) bool {
		return len(in) > len(begin) && strings.EqualFold(in[:len(begin)], begin)
	})
}

// endsMessage reports whether s begins with a token that begins or ends a message, as tokenizers spell it.
func endsMessage(s string) bool {
	if len(s) > longest {
		s = s[:longest]
	}
	if s[0] == '[' {
		return strings.HasPrefix(s, "[INST]") || strings.HasPrefix(s, "[/INST]")
	}
	if !strings.HasPrefix(s, "<|") && !strings.HasPrefix(s, "<｜") && !strings.HasPrefix(s, "<start_of_turn>") &&
		!strings.HasPrefix(s, "<end_of_turn>") && !strings.HasPrefix(s, "<turn|>") {
		return false
	}
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return false
	}
	switch in := s[1:end]; in {
	case "start_of_turn", "end_of_turn", "|turn", "turn|":
		return true
	default:
		return isBarred(in, "|", "") || isBarred(in, "｜", "")
	}
}
