package inbound

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
)

// command is a command as written: "/name@bot args".
type command struct{ name, bot, args string }

// parseCommand parses a command. A text that merely begins with a slash, such as "/etc/fstab is
// broken", is none. Names of tools may be in any script, although Telegram marks only some of them
// as commands.
func parseCommand(text string) (c command, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return c, false
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	name, bot, at := strings.Cut(rest[:end], "@")
	if !isCommand(name) || at && !isWord(bot) {
		return c, false
	}
	return command{strings.ToLower(name), bot, strings.TrimSpace(rest[end:])}, true
}

// isCommand reports whether s can be the name of a command, or of a tool.
func isCommand(s string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != '_' && r != '-' && r != '.'
	}
	if s == "" || len(s) > maxCommand || strings.HasSuffix(s, ".") || strings.ContainsFunc(s, odd) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) || first == '_'
}

// maxCommand limits the name of a command or a tool, in bytes.
const maxCommand = 128

// isWord reports whether s can be the name of a bot.
func isWord(s string) bool {
	odd := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	return s != "" && len(s) <= 32 && !strings.ContainsFunc(s, odd)
}

// pairingCode returns the pairing code in a message: alone, or after /start or /pair.
func pairingCode(text string) (string, bool) {
	if c, ok := parseCommand(text); ok {
		if c.name != "start" && c.name != "pair" {
			return "", false
		}
		text = c.args
	}
	return event.CleanCode(strings.TrimSpace(text))
}
