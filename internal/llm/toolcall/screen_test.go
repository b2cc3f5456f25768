package toolcall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/llm"
)

// watched is what a person saw of a reply that came in pieces.
func watched(o *Offer, w Wire, pieces []string) string {
	s, seen := o.Screen(w), ""
	for _, piece := range pieces {
		more := s.Add(piece)
		if s.Restarted() {
			seen = ""
		}
		seen += more
	}
	return seen
}

// fragments are what replies are made of.
func fragments() []string {
	all := []string{
		"I will look. ", "Hello", " ", "\n", "\n\n", "  ", "é", "读取", "\u00a0", "<", ">", "`", "``", "```", "```json\n", "```python\n", "\n```\n", "```tool_code\n", "~~~", "- ", "1. ", "> ",
		"<think>", "</think>", "<thinking>", "<thi", "nk>", "</", "think>", "[THINK]", "[/THINK]", "<|channel>thought", "<channel|>", "<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>",
		"<|start|>assistant", "<tool_call>", "</tool_call>", "<tool", "<tool_call", "<|im_end|>", "<|im_start|>assistant\n", "<|im_", "</s>", "<unused50>", "<|eot_id|>", "{", "}", "[", "]", "\"", "'", "{\"a\":1}",
		"[1, 2]", "{\"name\":\"", "get_weather", "roll", "(sides=6)", "(", ")", "\":", "\",\"arguments\":{\"city\":\"x\"}}", "; ", ", ", "[ARGS]", "[TOOL_CALLS]", "call:", "Action: roll\n", "Action Input: ", "Thought: ", "to=functions.roll",
		"<function=roll>", "<parameter=sides>", "</parameter>", "</function>", "<｜tool▁call▁begin｜>", "“", "”", "\\", "\r\n", "\xff", "Final Answer: 3.", "a < b && c > d",
		"<roll sides=\"6\"/>", "<roll>", "<sides>6</sides>", "</roll>", "<tool>", "roll</tool>", "<tool_input>", "✿FUNCTION✿: roll\n", "✿ARGS✿:", "Tool: roll\n", "Arguments:\n  sides: 6\n", "{{", "}}", "{\\\"name\\\": ", "<<function>>", "Calling ", " with ", "sides=6", "example:",
	}
	for _, s := range shapes() {
		all = append(all, s.text)
	}
	return all
}

// Whatever the splits, what is shown is the beginning of what the complete reply says.
func TestScreenShowsABeginning(t *testing.T) {
	o := workshop()
	all := fragments()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(all), 0, 12).Draw(t, "text"), "")
		w := Wire{Strict: rapid.Bool().Draw(t, "strict")}
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 9)).Draw(t, "n")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		holds(t, o, w, text, pieces)
	})
}

// What is only begun when the reply ends is no part of what the reply says, also in the middle of a line, where a whole one would be.
func TestScreenHoldsBackWhatIsBegun(t *testing.T) {
	for _, before := range []string{`I will look. {"name":"roll","arguments":{"sides":6}}`, "I will look; ", "I will look. [", "I will look. [["} {
		for _, begun := range []string{`{"name":"`, `{"name": "ro`, `{ "tool" : "`} {
			text := before + begun
			holds(t, workshop(), Wire{}, text, strings.Split(text, ""))
		}
	}
	s := workshop().Screen(Wire{})
	if got := s.Add(`It is {"a":1}; {"n`); got != `It is {"a":1};` {
		t.Errorf("shown %q", got)
	}
	if got := s.Add(`orth":2}.`); got != ` {"north":2}.` {
		t.Errorf("then %q", got)
	}
}

// A fence waits for what follows also where its beginning was read so often that no more time is due to it.
func TestScreenWaitsInAFence(t *testing.T) {
	text := "```({\"get_weather\":{\"city\":\"Antwerp\"}}<tool_call>\n<function=get_weather>\n<parameter=city>\nAntwerp\n<parameter=unit>\ncelsius\n</function>\n</tool_call>"
	holds(t, workshop(), Wire{}, text, strings.Split(text, ""))
}

// holds checks one reply in pieces against the whole.
func holds(t interface{ Fatalf(string, ...any) }, o *Offer, w Wire, text string, pieces []string) {
	seen := watched(o, w, pieces)
	w.Message = llm.Message{Text: text}
	if r := o.Read(w); !strings.HasPrefix(r.Text, seen) {
		t.Fatalf("of %q in pieces %q there was shown %q, but it says %q (%s)", text, pieces, seen, r.Text, r.Class)
	}
	if at := watched(o, w, []string{text}); !strings.HasPrefix(seen, at) && !strings.HasPrefix(at, seen) {
		t.Fatalf("of %q there was shown %q in pieces, and %q at once", text, seen, at)
	}
}

// Words come as they are written; what may become a call or a thought waits until that is decided.
func TestScreen(t *testing.T) {
	for _, test := range []struct {
		name   string
		wire   Wire
		pieces []string // what comes, and after a | what is shown then
	}{
		{"words", Wire{}, []string{"It|", " rains|It rains", " in| in", " Antwerp.| Antwerp."}},
		{"less than", Wire{}, []string{"a <|", " b|a < b"}},
		{"thoughts", Wire{}, []string{"<th|", "ink>hm|", "</thi|", "nk>\n\nIt|", " rains.|It rains."}},
		{"a tag", Wire{}, []string{"Look. |Look.", "<tool|", "_call>{\"na|", "me\"|"}},
		{"no tag", Wire{}, []string{"Look <to|Look", "fu>.| <tofu>."}},
		{"a control token", Wire{}, []string{"It rains.|It rains.", "<|", "/s|", ">|"}},
		{"a control token within words", Wire{}, []string{"a <unused5> |a", "b| <unused5> b"}},
		{"JSON that is no call", Wire{}, []string{"Here:\n{\"a\": |Here:", "1}|", "\nDone |\n{\"a\": 1}", "it.|\nDone it."}},
		{"JSON that is one", Wire{}, []string{"Here:\n{\"name\": |Here:", "\"roll\"}|", "\nDone|"}},
		{"code", Wire{}, []string{"```py|", "thon\n|", "x = {}\n|```python", "```\nDone |\nx = {}\n```"}},
		{"a list", Wire{}, []string{"- {1}|- {1}", "\n- [2]|\n- [2]"}},
		{"schema", Wire{Mode: llm.SchemaMode}, []string{"It rains.|"}},
		{"half a letter", Wire{}, []string{"\xd0|", "\x9f|П"}},
		{"a tool's name in prose", Wire{}, []string{"roll|", " the dice|roll the dice"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := workshop().Screen(test.wire)
			for _, step := range test.pieces {
				at := strings.LastIndex(step, "|")
				piece, want := step[:at], step[at+1:]
				if got := s.Add(piece); got != want {
					t.Fatalf("%q: shown %q, want %q", piece, got, want)
				}
			}
		})
	}
}

// A closing tag without an opening one voids what was shown.
func TestScreenRestarts(t *testing.T) {
	s := workshop().Screen(Wire{})
	if got := s.Add("Hm, the weather."); got != "Hm, the weather." || s.Restarted() {
		t.Fatalf("shown %q", got)
	}
	if got := s.Add("</think>It is"); got != "It is" || !s.Restarted() || s.Restarted() {
		t.Fatalf("shown %q", got)
	}
	s = workshop().Screen(Wire{Loose: true})
	if got := s.Add("Hm, the weather.") + s.Add("</think>It is"); got != "It is" || s.Restarted() {
		t.Fatalf("shown %q of one that is known to do that", got)
	}
}

// Screen takes time in proportion to the text, also where it comes letter by letter and nothing is decided.
func TestScreenWork(t *testing.T) {
	o := workshop()
	for name, text := range hostile() {
		s := o.Screen(Wire{})
		looked := 0
		for i := range len(text) {
			was := s.size
			s.Add(text[i : i+1])
			if s.size != was {
				looked += s.size - s.scan.at
			}
		}
		if most := 200 * len(text); looked > most {
			t.Errorf("%s: looked at %d bytes of %d", name, looked, len(text))
		}
	}
}

// A text that wears the reader out is held back, not shown.
func TestScreenOfHostileTexts(t *testing.T) {
	o := workshop()
	for name, text := range hostile() {
		for _, text := range []string{text, text + `{"name":"roll","arguments":{"sides":6}}`, text + "\n<tool_call>" + `{"name":"roll","arguments":{"sides":6}}`} {
			var pieces []string
			for rest := text; rest != ""; {
				n := min(len(rest), 700)
				pieces, rest = append(pieces, rest[:n]), rest[n:]
			}
			t.Run(name, func(t *testing.T) { holds(t, o, Wire{}, text, pieces) })
		}
	}
}
