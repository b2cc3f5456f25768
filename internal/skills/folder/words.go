package folder

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"hob/internal/event"
)

// takeMetadata reads what hob knows of metadata. The rest is for others, except for keys that begin with hob-: those narrow, and
// one that is misspelt must not leave the skill wider than it was meant to be.
func (r *reading) takeMetadata(f field) {
	if f.value.Kind == yaml.ScalarNode && scalar(f.value) == "" {
		return
	}
	if f.value.Kind != yaml.MappingNode {
		r.fail(f.line, "metadata must be lines of key: value below it, each indented by two blanks")
		return
	}
	for _, m := range r.pairs(f.value) {
		switch {
		case r.takeWord(m):
		case strings.HasPrefix(m.key, "hob-"):
			r.fail(m.line, "there is no %s: hob knows hob-level, hob-scopes and hob-platforms", quoteName(m.key))
		case m.value.Kind != yaml.ScalarNode:
			r.warn(m.line, "%s is no text, and metadata is made of texts: put it in 'quotes'", quoteName(m.key))
		}
	}
}

// takeWord reads a field that says when and where the skill is there, and reports whether f is one.
func (r *reading) takeWord(f field) bool {
	switch f.key {
	case "keywords":
		r.skill.Keywords = r.wordList(f)
	case "tags":
		r.skill.Tags = r.wordList(f)
	case "hob-level":
		r.takeLevel(f)
	case "hob-scopes":
		r.takeScopes(f)
	case "hob-platforms":
		r.takePlatforms(f)
	default:
		return false
	}
	return true
}

func (r *reading) takeLevel(f field) {
	words, ok := list(f.value)
	if !ok || len(words) != 1 {
		r.fail(f.line, "hob-level must be one of user, group_admin, group_owner, bot_admin and owner")
		return
	}
	level, err := event.ParseLevel(words[0])
	if err != nil {
		r.fail(f.line, "there is no level %s: hob-level is one of user, group_admin, group_owner, bot_admin and owner", quoteName(words[0]))
		return
	}
	r.skill.Level = level
}

func (r *reading) takeScopes(f field) {
	words, ok := list(f.value)
	if !ok || len(words) == 0 {
		r.fail(f.line, "hob-scopes must name where the skill is there: private, group or channel, with commas between them")
		return
	}
	for _, w := range words {
		if w != "private" && w != "group" && w != "channel" {
			r.fail(f.line, "there is no scope %s: hob-scopes are private, group and channel", quoteName(w))
			return
		}
	}
	r.skill.Scopes = distinct(words)
}

func (r *reading) takePlatforms(f field) {
	words, ok := list(f.value)
	if !ok || len(words) == 0 {
		r.fail(f.line, "hob-platforms must name where the skill is there: cli, telegram or http, with commas between them; without the line it is everywhere")
		return
	}
	for _, w := range words {
		if w != "cli" && w != "telegram" && w != "http" {
			r.warn(f.line, "hob knows no platform %s: the skill is not there unless one of that name is added; known are cli, telegram and http", quoteName(w))
		}
	}
	r.skill.Platforms = distinct(words)
}

// list returns the words of a value: of a text those between commas, or those of a list.
func list(n *yaml.Node) ([]string, bool) {
	var words []string
	add := func(text string) {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				words = append(words, part)
			}
		}
	}
	switch n.Kind {
	case yaml.ScalarNode:
		add(scalar(n))
	case yaml.SequenceNode:
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				return nil, false
			}
			add(scalar(c))
		}
	default:
		return nil, false
	}
	return words, true
}

// wordList returns keywords or tags.
func (r *reading) wordList(f field) []string {
	words, ok := list(f.value)
	if !ok {
		r.warn(f.line, "%s must be words with commas between them, such as %s: tea, kettle", f.key, f.key)
		return nil
	}
	kept := slices.DeleteFunc(distinct(words), func(w string) bool {
		_, hides := hiddenRune(w)
		return hides || utf8.RuneCountInString(w) > maxWord
	})
	if len(kept) < len(distinct(words)) {
		r.warn(f.line, "one of the %s is longer than %d letters or has characters that nobody sees, and is left out: is a comma missing?", f.key, maxWord)
	}
	if len(kept) > maxWords {
		r.warn(f.line, "there are %d %s, and the first %d count: keep those that only messages about this skill have in them", len(kept), f.key, maxWords)
		kept = kept[:maxWords]
	}
	return kept
}

// distinct returns words, each once, whatever its letters are.
func distinct(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		key := strings.ToLower(w)
		gone := seen[key]
		seen[key] = true
		return gone
	})
}

// wordsOfName returns the parts of a name that say what a message is about. A keyword counts wherever a message contains it,
// so that short ones and those that every skill could have do more harm than good.
func wordsOfName(name string) []string {
	return slices.DeleteFunc(distinct(strings.Split(name, "-")), func(w string) bool {
		switch w {
		case "the", "and", "for", "with", "from", "into", "your", "our", "you", "how", "use", "using", "all", "any", "new", "get", "set",
			"not", "are", "can", "that", "this", "skill", "skills", "tool", "tools", "helper", "helpers", "agent", "assistant", "manager",
			"general", "common", "utils", "util", "best", "practices", "guide", "guidelines", "creator", "expert", "pro":
			return true
		}
		return len(w) < 3 || strings.Trim(w, "0123456789") == ""
	})
}
