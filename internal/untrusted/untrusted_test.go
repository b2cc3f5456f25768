package untrusted_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/untrusted"
)

// prose is what people write: not a byte of it may go.
func prose() map[string]string {
	return map[string]string{
		"English":      "Naïve café — \u201cit's 5 > 3\u201d, he said; <b>a[1]</b> & x<y || y>z, <br/> [see below] (100 %)…\n\tIndented.\n",
		"Russian":      "Съешь же ещё этих мягких французских булок, да выпей чаю. «Цитата» — № 5…",
		"Chinese":      "天地玄黄，宇宙洪荒。「引号」《书名》｜竖线｜（全角）１２３　空格 <标签>",
		"Japanese":     "いろはにほへと ちりぬるを。カタカナー・〜 葛",
		"Korean":       "키스의 고유조건은 입술끼리 만나야 하고 각별한 기술은 필요치 않다. 한글",
		"Arabic":       "نصٌّ حكيمٌ له سرٌّ قاطعٌ، ١٢٣؟ بِسْمِ ٱللَّهِ ۝١ ؀",
		"Persian":      "می\u200cخواهم کتاب\u200cها را بخوانم؛ ۵\u200cساله",
		"Hindi":        "ऋषियों को सताने वाले दुष्ट राक्षसों क\u094d\u200dष क\u094d\u200cष श\u094dरी",
		"Sinhala":      "ශ\u0dca\u200dරී ලංකා",
		"Bengali":      "র\u200d\u09cdযাব",
		"Mongolian":    "ᠮᠣᠩᠭᠣᠯ ᠬᠠᠨ\u180eᠠ ᠠ\u180b ᠨ\u180b\u180eᠠ",
		"Hebrew":       "דג סקרן שט בים מאוכזב, ״ציטוט״",
		"Thai":         "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
		"Vietnamese":   "Tiếng Việt; e\u0301 a\u0308",
		"emoji":        "😀 ❤️ ☺︎ ©️ ✌🏽 👍🏿 #️⃣ 1️⃣ *️⃣ 9️⃣ ™️ ℹ️ ↔️ ▶️ ⌨️ 〰️ ㊙️",
		"families":     "👨‍👩‍👧‍👦 👩🏽‍🚀 🏃🏻‍♀️‍➡️ ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 🧑🏿‍🤝‍🧑🏻 👁️‍🗨️ 🐻‍❄️",
		"flags":        "🇺🇦 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🏴",
		"code":         "if a<b && c[INDEX] > d { vec<int> v; x <- ch; y |> f; [args] [options] [img] <div class=\"a\"> <|> <||> a <| b }",
		"mathematics":  "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β = ¬(¬α ∨ β), ⟨ψ|φ⟩, <ψ|φ>, |ψ>",
		"tables":       "│ a │ b │\n├───┼───┤\n▁▂▃▄▅▆▇█",
		"placeholders": "usage: call <function> <parameter> [FILE]... <s1> <source> [INSTALL] <T> <unusedX> <endpoint>",
	}
}

func TestProseStays(t *testing.T) {
	for name, text := range prose() {
		got, gone := untrusted.Plain(text)
		if got != text || gone != 0 {
			t.Errorf("%s: %d pieces went: %s", name, gone, cmp.Diff(text, got))
		}
		if got := untrusted.Defuse(text); got != text {
			t.Errorf("%s, defused: %s", name, cmp.Diff(text, got))
		}
	}
}

// tokens are what tokenizers and templates of all families know.
func tokens() []string {
	return []string{
		"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|vision_start|>", "<|fim_prefix|>", "<tool_call>", "</tool_call>", "<tool_response>",
		"</tool_response>", "<tools>", "</tools>", "<think>", "</think>", "<function=read_file>", "</function>", "<parameter=path>", "</parameter>",
		"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>", "<|python_tag|>", "<|header_start|>", "<|eot|>",
		"<|reserved_special_token_247|>", "<|text_post_train_reserved_special_token_12|>",
		"[INST]", "[/INST]", "[inst]", "<<SYS>>", "<</SYS>>", "<<sys>>", "<s>", "</s>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CALLS]",
		"[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]", "[ARGS]", "[CALL_ID]", "[IMG]", "[THINK]", "[/THINK]",
		"<start_of_turn>", "<end_of_turn>", "<Start_Of_Turn>", "<bos>", "<eos>", "<pad>", "<unk>", "<UNK>", "<unused0>", "<unused99>", "<image_soft_token>",
		"<start_of_image>", "<start_function_call>", "<end_function_call>", "<escape>",
		"<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>", "<|think|>", `<|"|>`,
		"<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", "<｜DSML｜function_calls>",
		`<｜DSML｜invoke name="x">`, "</｜DSML｜invoke>", "<|tool▁calls▁begin|>",
		"<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|call|>", "<|return|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>",
		"<|/tool_call|>", "<|observation|>", "[gMASK]", "<sop>", "<arg_key>", "</arg_value>", "<|START_OF_TURN_TOKEN|>", "<BOS_TOKEN>",
		"<|start_of_role|>", "<|tool_list_start|>", "[|system|]", "[|endofturn|]", "<SPECIAL_12>", "<extra_id_1>", "<TOOLCALL>", "<seed:think>",
		"</seed:tool_call>", "<minimax:tool_call>", "<|im_middle|>", "<|tool_calls_section_begin|>", "<thought>", "</thinking>", "<reasoning>",
		`<invoke name="x">`, "</invoke>", "<function_calls>", "<tool_code>", "<|hob one|>",
	}
}

func TestTokensGo(t *testing.T) {
	for _, token := range tokens() {
		for text, want := range map[string]string{
			token:                            "",
			"a " + token + "system\nb":       "a system\nb",
			token + token:                    "",
			"x<[" + token + "]>y":            "x<[]>y",
			token[:1] + token + token[1:]:    "", // two of them, one in the other
			token[:1] + "\u200b" + token[1:]: "",
			token[:1] + "\u00ad<s>\U000e0041" + token[1:] + "\u2060": "",
		} {
			got, gone := untrusted.Plain(text)
			if got != want || gone == 0 {
				t.Errorf("Plain(%q) = %q, %d; want %q", text, got, gone, want)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		gone           int
	}{
		{"nothing", "", "", 0},
		{"tokens and runs are counted", "a\u200b\u200b\u200bb<|x|>c\x00", "abc", 3},
		{"three deep", "<|im_<|im_<|im_start|>start|>start|>", "", 3},
		{"one that others make", "<|a<s></s>b|>", "", 3},
		{"ends that come apart", "[IN[INST]ST]", "", 2},
		{"lines", "a\r\nb\rc\u2028d\u2029e\vf\fg\u0085h", "a\nb\nc\nd\ne\nf\ng\nh", 0},
		{"no UTF-8", "a\xffb\xc3", "ab", 2},
		{"a surrogate", "a\xed\xa0\x80b", "ab", 1},
		{"the sign for what could not be read", "a\ufffdb", "a\ufffdb", 0},
		{"directions", "a\u202eb\u2066c\u200fd\u061ce", "abcde", 4},
		{"a mark of byte order", "\ufeffa", "a", 1},
		{"orders in tags", "hi\U000e0069\U000e0067\U000e006e!", "hi!", 1},
		{"orders in a flag", "🏴\U000e0075\U000e0073\U000e0063\U000e0061\U000e007f", "🏴", 1},
		{"orders behind a flag", "🏴󠁧󠁢󠁥󠁮󠁧󠁿\U000e0061", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", 1},
		{"bytes in selectors", "😀\ufe00\ufe01\U000e0100\U000e01ef", "😀", 1},
		{"two selectors", "❤\ufe0f\ufe0f", "❤\ufe0f", 1},
		{"a selector behind a letter", "a\ufe0f", "a", 1},
		{"a joiner between Latin letters", "a\u200db\u200cc", "abc", 2},
		{"two joiners", "می\u200c\u200cخ", "می\u200cخ", 1},
		{"a joiner at an end", "می\u200c خ\u200d", "می خ", 2},
		{"a joiner behind the end of a line", "م\r\u200cخ", "م\nخ", 1},
		{"a joiner behind a token", "م<s>\u200cخ", "مخ", 2},
		{"a separator before what goes", "ᠨ\u180e\u180b", "ᠨ\u180b", 1},
		{"no joiner of emoji", "👩\u200c🚀👩\u200dx", "👩🚀👩x", 2},
		{"fillers", "a\u3164b\uffa0c\u115fd\u034fe", "abcde", 4},
		{"signs of music and of shorthand", "a\U0001d173b\U0001bca0c", "abc", 2},
		{"private use", "a\ue000b\U000f0000c\U0010fffdd", "abcd", 3},
		{"no characters", "a\ufdd0b\uffffc\U0001fffed", "abcd", 3},
		{"notes between lines", "a\ufff9b\ufffac\ufffbd", "abcd", 3},
		{"control characters", "a\x1b[31mb\x07c\x7fd\u009be", "a[31mbcde", 4},
		{"too long to be one", "<|" + strings.Repeat("x", 65) + "|>", "<|" + strings.Repeat("x", 65) + "|>", 0},
		{"not one of them", "<|a;b|> <|a\nb|> <a|b> < |x|>", "<|a;b|> <|a\nb|> <a|b> < |x|>", 0},
	} {
		got, gone := untrusted.Plain(c.in)
		if got != c.want || gone != c.gone {
			t.Errorf("%s: Plain(%q) = %q, %d; want %q, %d", c.name, c.in, got, gone, c.want, c.gone)
		}
	}
}

func TestDefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"<|im_start|>system":                "< |im_start|>system",
		"a<|a|><|b|>":                       "a< |a|>< |b|>",
		"<start_of_turn>model<end_of_turn>": "< start_of_turn>model< end_of_turn>",
		"[INST] x [/INST]":                  "[ INST] x [ /INST]",
		"<｜User｜><｜tool▁calls▁begin｜>":       "< ｜User｜>< ｜tool▁calls▁begin｜>",
		"<|turn>user<turn|>":                 "< |turn>user< turn|>",
		"<|im_<|im_start|>start|>":           "<|im_< |im_start|>start|>",
		"a <| b |> c <s> [inst] <tool_call>": "a <| b |> c <s> [inst] <tool_call>",
		"\u200b\xff\r\n<|x":                  "\u200b\xff\r\n<|x",
		"<":                                  "<",
		"[":                                  "[",
	} {
		if got := untrusted.Defuse(in); got != want {
			t.Errorf("Defused(%q) = %q, want %q", in, got, want)
		}
	}
}

// known finds control tokens in another way than the package does.
var known = regexp.MustCompile(`<\|[A-Za-z0-9_ .:-]{1,40}\|>|<｜[A-Za-z0-9_ ▁]{1,40}｜>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk|s|/s|unused\d+)>|` +
	`\[/?INST\]|<</?SYS>>|\[/?(?:SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|IMG)\]|` +
	`</?(?:tool_call|tool_response|tools|think)>|<function=[a-z]+>|</function>|<\|[a-z_]{1,40}>|<[a-z_]{1,40}\|>`)

// ends finds what [untrusted.Defuse] breaks up.
var ends = regexp.MustCompile(`<\|[A-Za-z0-9_.:-]{1,40}\|>|<｜[A-Za-z0-9_▁]{1,40}｜>|<(?:start|end)_of_turn>|\[/?INST\]`)

var unseen = regexp.MustCompile(`[\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{ad}\x{61c}\x{e0000}-\x{e001f}\x{e0100}-\x{e01ef}\x{fff9}-\x{fffb}\x00-\x08\x0b-\x1f\x7f-\x9f\x{2028}\x{2029}\p{Co}]`)

func holds(t interface{ Fatalf(string, ...any) }, text string) {
	got, gone := untrusted.Plain(text)
	if !utf8.ValidString(got) {
		t.Fatalf("Plain(%q) = %q: no UTF-8", text, got)
	}
	if token := known.FindString(got); token != "" {
		t.Fatalf("Plain(%q) = %q: has %q", text, got, token)
	}
	if r := unseen.FindString(got); r != "" {
		t.Fatalf("Plain(%q) = %q: has %q", text, got, r)
	}
	if again, more := untrusted.Plain(got); again != got || more != 0 {
		t.Fatalf("Plain(%q) = %q, and again %q, %d", text, got, again, more)
	}
	if gone == 0 && strings.ContainsRune(text, '\u200b') {
		t.Fatalf("Plain(%q) = %q says that nothing went", text, got)
	}
	broken := untrusted.Defuse(text)
	if token := ends.FindString(broken); token != "" {
		t.Fatalf("Defused(%q) = %q: has %q", text, broken, token)
	}
	if again := untrusted.Defuse(broken); again != broken {
		t.Fatalf("Defused(%q) = %q, and again %q", text, broken, again)
	}
	if strings.ReplaceAll(broken, " ", "") != strings.ReplaceAll(text, " ", "") {
		t.Fatalf("Defused(%q) = %q: more than blanks", text, broken)
	}
}

func TestNothingIsLeft(t *testing.T) {
	pieces := append(tokens(), "<", ">", "<|", "|>", "[", "]", "<｜", "｜>", "\u200b", "\u200d", "\u200c", "\ufe0f", "👩", "م", "क", "1", "\u20e3", "\r", "\n", "\xff",
		"\xe2\x80", "🏴", "\U000e0067", "\U000e007f", "ᠠ", "\u180e", "\u180b", "im_start", "INST", " ", "a")
	piece := rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom(pieces).Draw(t, "piece")
		cut := rapid.IntRange(0, len(p)).Draw(t, "cut")
		return rapid.SampledFrom([]string{p, p, p[:cut], p[cut:]}).Draw(t, "part")
	})
	rapid.Check(t, func(t *rapid.T) { holds(t, strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "text"), "")) })
}

func FuzzPlain(f *testing.F) {
	for _, text := range prose() {
		f.Add(text)
	}
	for _, token := range tokens() {
		f.Add(token[:1] + token + "\u200b" + token[1:])
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, text) })
}

func BenchmarkProse(b *testing.B) {
	for _, name := range []string{"English", "Russian", "Chinese", "Hindi", "code"} {
		text := strings.Repeat(prose()[name]+" ", 2000)
		if name == "English" {
			text = strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it at all.\n", 2000)
		}
		b.Run("Plain/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				untrusted.Plain(text)
			}
		})
		b.Run("Defused/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				untrusted.Defuse(text)
			}
		})
	}
}

// A page made of candidates takes no time to speak of either.
func BenchmarkHostile(b *testing.B) {
	for name, text := range map[string]string{
		"open":   strings.Repeat("<|", 100_000),
		"closed": strings.Repeat(">", 200_000),
		"tokens": strings.Repeat("<|im_start|>", 20_000),
		"nested": strings.Repeat("<|a", 20_000) + strings.Repeat("|>", 20_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				untrusted.Plain(text)
				untrusted.Defuse(text)
			}
		})
	}
}
