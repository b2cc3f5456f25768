package agent

import (
	"testing"

	"hob/internal/llm"
)

// An answer that has drifted into another script than the question's is told apart from one that was wanted so.
func TestOtherScript(t *testing.T) {
	const zh, ru, en = "这个文件里有三行文字，都是关于牛奶的。", "В этом файле три строки о молоке.", "The file has three lines about milk."
	const skill = "\n\n[The skill notes is open.]\nRemember things: notes and todos. Use note_add.\n[End of the skill notes.]\n\n[Monday 2026-11-23 02:47 UTC]"
	for _, c := range []struct {
		name, asked, answer string
		other               bool
	}{
		{"zh to en", "What is in the file notes.txt?", zh, true},
		{"ru to en", "What is in the file?", ru, true},
		{"en to ru", "Что лежит в файле notes.txt?", en, true},
		{"en to zh", "这个文件里有什么内容？", en, true},
		{"en to ru, beside a skill", "Что лежит в файле, запиши это и скажи, сколько там строк, и есть ли среди них что-нибудь важное для меня" + skill, en, true},
		{"zh to zh, beside a skill", "这个文件里有什么？" + skill, zh, false},
		{"zh to zh, behind a skill", skill + "\n\n这个文件里有什么？", zh, false},
		{"en to en", "What is in the file?", en, false},
		{"de to en", "Was steht in der Datei?", en, false},
		{"a translation", "Translate this: the milk is in the fridge", zh, false},
		{"a wish, de", "Sag guten Morgen auf Chinesisch, bitte", zh, false},
		{"a wish between lines of the runtime", "[Monday 2026-11-23 02:47 UTC]\n\nSay good morning in Chinese, please\n\n[picture a.jpg]", zh, false},
		{"a name in the question", "What does 牛奶在冰箱里 mean in short?", zh, false},
		{"a short answer", "What is the number in it?", "四个", false},
		{"no letters", "What is the number in it?", "4711", false},
		{"code", "Что делает эта программа в конце?", "```go\nfmt.Println(\"hello and good evening\")\n```", false},
		{"names in an answer", "Какие файлы лежат в папке?", "В папке лежат файлы: notes.md, report.pdf, `invoices and letters`.", false},
		{"a quotation before the answer", "Что лежит в файле notes.txt?", "> milk\n\n" + en, true},
		{"what was read", "What is in the file, word for word?", "The file says:\n" + zh, false},
	} {
		turn := Turn{History: []llm.Message{{Role: llm.UserRole, Text: c.asked}}}
		if c.name == "what was read" {
			turn.History = append(turn.History, llm.Message{Role: llm.ToolRole, Text: "1: " + zh})
		}
		if asked, answered := turn.otherScript(c.answer); (answered != "") != c.other || (asked != "") != c.other {
			t.Errorf("%s: %q, %q", c.name, asked, answered)
		}
	}
	earlier := []llm.Message{{Role: llm.UserRole, Text: "Always answer in Chinese"}, {Role: llm.AssistantRole, Text: "好的"}, {Role: llm.UserRole, Text: "What is in the file?"}}
	if _, answered := (Turn{History: earlier, Begin: 2}).otherScript(zh); answered != "" {
		t.Errorf("it was asked for earlier: %q", answered)
	}
}
