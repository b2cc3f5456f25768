package folder

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// takeAllowed reads allowed-tools: names with blanks or commas between them, or a list. Nothing in it gives a right. What it
// cannot mean here narrows to nothing rather than to everything: a list of unknown names allows no tool.
func (r *reading) takeAllowed(f field) {
	var stated []string
	switch f.value.Kind {
	case yaml.ScalarNode:
		stated = toolWords(scalar(f.value))
	case yaml.SequenceNode:
		for _, c := range f.value.Content {
			if c.Kind != yaml.ScalarNode {
				r.fail(c.Line+1, "allowed-tools must be a list of names, such as allowed-tools: read_file, write_file")
				return
			}
			stated = append(stated, toolWords(scalar(c))...)
		}
	default:
		r.fail(f.line, "allowed-tools must be names with blanks or commas between them, such as allowed-tools: read_file, write_file")
		return
	}
	if len(stated) == 1 && stated[0] == "*" {
		return // all: it takes nothing away
	}
	r.skill.Allowed = []string{}
	if len(stated) == 0 {
		r.warn(f.line, "allowed-tools is empty, so that no tool may be called for this skill: remove the line if all may")
		return
	}
	var unknown, patterns, absent []string
	for _, s := range stated {
		name, pattern, _ := strings.Cut(s, "(")
		tool := toolName(name)
		if tool == "" {
			unknown = append(unknown, quoteName(s))
			continue
		}
		if pattern != "" {
			patterns = append(patterns, printable(s))
		}
		if r.options.HasTool != nil && !r.options.HasTool(tool) {
			absent = append(absent, tool)
		}
		if !slices.Contains(r.skill.Allowed, tool) {
			r.skill.Allowed = append(r.skill.Allowed, tool)
		}
	}
	r.warnAllowed(f.line, unknown, patterns, absent)
}

func (r *reading) warnAllowed(line int, unknown, patterns, absent []string) {
	if len(unknown) > 0 {
		r.warn(line, "allowed-tools: hob has nothing like %s and leaves that out; hob tool lists the names", listSome(unknown))
	}
	if len(patterns) > 0 {
		r.warn(line, "allowed-tools: hob cannot hold a tool to a pattern in brackets, so %s allows every call of that tool, "+
			"which hob's own rules and the sandbox judge as always", listSome(patterns))
	}
	if len(absent) > 0 {
		r.warn(line, "allowed-tools: there is no tool %s now; hob tool lists the names", listSome(absent))
	}
}

// listSome names the first of many.
func listSome(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// toolWords cuts a text at blanks and commas that are not in brackets.
func toolWords(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\n')
	})
}

// toolName returns hob's name of a tool that skills name in the ways of other agents; "" where there is none.
func toolName(name string) string {
	if own := map[string]string{
		"read": "read_file", "write": "write_file", "edit": "edit_file", "multiedit": "edit_file", "bash": "run_command",
		"grep": "search_files", "glob": "list_files", "ls": "list_files", "webfetch": "fetch", "websearch": "web_search",
	}[strings.ToLower(name)]; own != "" {
		return own
	}
	if rest, is := strings.CutPrefix(name, "mcp__"); is {
		server, tool, _ := strings.Cut(rest, "__")
		if server == "" || tool == "" {
			return ""
		}
		name = strings.ToLower(server) + "_" + tool
	}
	own := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
	}
	if name == "" || len(name) > maxTool || name[0] < 'a' || name[0] > 'z' || strings.ContainsFunc(name, func(c rune) bool { return !own(c) }) {
		return "" // hob's own begin with a small letter
	}
	return name
}
