package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// cleanWords removes what small models wrap around an answer: a JSON object, a role name before it,
// and invented dialogue after it.
func (t Turn) cleanWords(text string) string {
	if !strings.Contains(strings.ToLower(t.personWords()), "json") {
		text = unwrapAnswer(text)
	}
	if own := leadingRole().FindString(text); len(own) < len(text) {
		text = text[len(own):]
	}
	return strings.TrimSpace(text[:t.dialogueAt(text)])
}

// unwrapAnswer returns the answer inside a JSON object with nothing else in it, or text as it is.
func unwrapAnswer(text string) string {
	inner := strings.TrimSpace(text)
	if fenced, ok := strings.CutPrefix(inner, "```"); ok {
		inner = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(fenced, "json"), "```"))
	}
	var object map[string]any
	if !strings.HasPrefix(inner, "{") || json.Unmarshal([]byte(inner), &object) != nil {
		return text
	}
	answer := ""
	for key, value := range object {
		said, isText := value.(string)
		switch strings.ToLower(key) {
		case "answer", "response", "reply", "final_answer":
			if !isText || answer != "" || strings.TrimSpace(said) == "" {
				return text
			}
			answer = said
		case "thought", "thinking", "reasoning":
		case "tool", "action", "name":
			if !slices.Contains([]string{"answer", "final_answer", "respond", "reply", "none", ""}, strings.ToLower(said)) {
				return text
			}
		default:
			return text
		}
	}
	if answer == "" {
		return text
	}
	return strings.TrimSpace(answer)
}

var (
	// wantsDialogue matches, in lower case, a request whose answer is a dialogue.
	wantsDialogue = lazyregexp.New(`dialog|conversation|interview|transcript|chat|role-?play|screenplay|\bscript|\bscene|gespräch|unterhaltung|диалог|разговор|беседа|интервью|对话|会话|访谈`)

	// roleLine matches the beginning of a line with the role of a speaker, ownRole the roles of the
	// model, and leadingRole such a role before an answer.
	roleLine    = lazyregexp.New(`(?mi)^[ \t]*(?:\*\*|#+ |<\|)?(user|human|person|you|assistant|ai|bot|model|benutzer|nutzer|assistent|пользователь|ассистент|用户|助手)(?:\|>|(?:\*\*)?[:：])`)
	ownRole     = lazyregexp.New(`(?i)^(?:assistant|ai|bot|model|assistent|ассистент|助手)$`)
	leadingRole = lazyregexp.New(`(?i)^[ \t]*(?:\*\*)?(?:assistant|assistent|ассистент|助手)(?:\*\*)?[:：](?:\*\*)?[ \t]*`)
)

// dialogueAt returns where another speaker begins in a text, or its length: at a line with a
// person's role before a line with the model's own. A single role may be part of the answer, such
// as the user of a service. So may text in code, text that the turn has read, and dialogue that was
// asked for.
func (t Turn) dialogueAt(text string) int {
	lines := roleLine().FindAllStringSubmatchIndex(text, -1)
	for i, at := range lines {
		if ownRole().MatchString(text[at[2]:at[3]]) || !slices.ContainsFunc(lines[i+1:], func(next []int) bool { return ownRole().MatchString(text[next[2]:next[3]]) }) {
			continue
		}
		before, line := text[:at[0]], firstLineOf(text[at[0]:])
		if strings.TrimSpace(before) == "" || strings.Count(before, "```")%2 == 1 || t.hasRead(line) || wantsDialogue().MatchString(strings.ToLower(t.personWords())) {
			break
		}
		return at[0]
	}
	return len(text)
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// hasRead reports whether a message or a result of the turn contains text.
func (t Turn) hasRead(text string) bool {
	return slices.ContainsFunc(t.History[t.Begin:], func(m llm.Message) bool {
		return m.Role != llm.AssistantRole && strings.Contains(m.Text, text)
	})
}
