package agent

import (
	"testing"

	"hob/internal/llm"
)

func TestCleanWords(t *testing.T) {
	const read = "User: hi\nAssistant: hello"
	for _, c := range []struct{ name, asked, text, want string }{
		{"an answer in an object", "How many?", `{"answer": "The number is 4711."}`, "The number is 4711."},
		{"a response in a fence", "How many?", "```json\n{\"response\": \"Two.\\nThree.\"}\n```", "Two.\nThree."},
		{"beside a thought and no tool", "How many?", `{"thought":"I know","tool":"answer","reply":"Two."}`, "Two."},
		{"beside data", "How many?", `{"answer": "Two.", "count": 2}`, `{"answer": "Two.", "count": 2}`},
		{"no text", "How many?", `{"answer": 2}`, `{"answer": 2}`},
		{"two of them", "How many?", `{"answer": "a", "reply": "b"}`, `{"answer": "a", "reply": "b"}`},
		{"a tool", "How many?", `{"tool":"look","answer": "a"}`, `{"tool":"look","answer": "a"}`},
		{"JSON was asked for", "Answer as JSON", `{"answer": "Two."}`, `{"answer": "Two."}`},
		{"an object with another", "How many?", `{"answer": {"n": 2}}`, `{"answer": {"n": 2}}`},
		{"words before it", "How many?", `Here: {"answer": "Two."}`, `Here: {"answer": "Two."}`},

		{"an invented dialogue", "How many?", "The number is 4711.\n\nUser: thanks\nAssistant: You're welcome!", "The number is 4711."},
		{"with marks", "How many?", "Two.\n**Human:** and now?\n**Assistant:** Three.", "Two."},
		{"of a template", "How many?", "Two.\n<|user|>\nand now?\n<|assistant|>\nThree.", "Two."},
		{"zh", "几个？", "两个。\n用户：谢谢\n助手：不客气", "两个。"},
		{"an answer under its own role", "How many?", "Assistant: Two.", "Two."},
		{"a user alone", "How does it run?", "The service:\nUser: root\nGroup: root", "The service:\nUser: root\nGroup: root"},
		{"in code", "How many?", "It says:\n```\nUser: a\nAssistant: b\n```", "It says:\n```\nUser: a\nAssistant: b\n```"},
		{"what was read", "What is in a.txt?", "It says:\n" + read, "It says:\n" + read},
		{"a dialogue was asked for", "Write a short dialogue", "Here:\nUser: a\nAssistant: b", "Here:\nUser: a\nAssistant: b"},
		{"nothing but a dialogue", "How many?", "User: a\nAssistant: b", "User: a\nAssistant: b"},
		{"in a sentence", "How many?", "The user: a person. The assistant: me.", "The user: a person. The assistant: me."},
	} {
		turn := Turn{History: []llm.Message{{Role: llm.UserRole, Text: c.asked}}}
		if c.name == "what was read" {
			turn.History = append(turn.History, llm.Message{Role: llm.ToolRole, Text: read})
		}
		if got := turn.cleanWords(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
