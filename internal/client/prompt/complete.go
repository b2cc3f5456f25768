package prompt

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/surface/http/api"
	"hob/internal/tools"
)

// completer completes what a person types: commands and their arguments, tools, models, skills, stories, and files of the
// workspace.
type completer struct {
	conversation *conversation
	workspace    string
	tools        []string // names, once they are known
}

// completeTimeout limits how long a Tab waits for a hob in another process.
const completeTimeout = time.Second

// complete returns what the last bytes before the cursor can become, and how many of them.
func (c *completer) complete(ctx context.Context, before string) (int, []string) {
	if strings.Contains(before, "\n") {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, completeTimeout)
	defer cancel()
	if tools.IsCommand(before) {
		if all := c.lines(ctx, before); len(all) > 0 {
			return len(before), all
		}
	}
	word := before[strings.LastIndexAny(before, " =")+1:]
	return len(word), c.files(word)
}

// lines returns the lines with a command that one can become.
func (c *completer) lines(ctx context.Context, before string) []string {
	all := completeLine(before)
	name, rest, hasArgs := strings.Cut(strings.TrimPrefix(before, "/"), " ")
	switch {
	case !hasArgs:
		all = append(all, c.toolNames(ctx, "/", name)...)
	case name == "help" || name == "tools":
		all = append(all, c.toolNames(ctx, "/"+name+" ", rest)...)
	case name == "model" || name == "skill" || name == "game": // without arguments they only show what there is to choose
		reply, err := c.conversation.client.Command(ctx, api.CommandRequest{Name: name, Chat: c.conversation.Chat})
		if err != nil {
			return all
		}
		for _, choice := range slices.Concat(reply.Choices...) {
			if strings.HasPrefix(choice.Line, before) {
				all = append(all, choice.Line)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// toolNames returns the names of tools that begin with a prefix, behind head.
func (c *completer) toolNames(ctx context.Context, head, prefix string) (all []string) {
	if c.tools == nil {
		reply, err := c.conversation.client.Command(ctx, api.CommandRequest{Name: "tools", Chat: c.conversation.Chat})
		var list struct{ Tools []commands.ToolLine }
		if err != nil || json.Unmarshal(reply.Data, &list) != nil {
			return nil
		}
		c.tools = lists.Map(list.Tools, func(t commands.ToolLine) string { return t.Name })
	}
	for _, name := range c.tools {
		if strings.HasPrefix(name, prefix) {
			all = append(all, head+name)
		}
	}
	return all
}

// files returns the paths in the workspace that a word begins; a folder ends with a slash. Hidden ones have to be asked for.
func (c *completer) files(word string) (all []string) {
	dir, begin := path.Split(word)
	if !filepath.IsLocal(filepath.FromSlash(path.Join(".", dir))) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(c.workspace, filepath.FromSlash(dir)))
	if err != nil || word == "" {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || strings.HasPrefix(name, ".") && begin == "" || strings.ContainsAny(name, " \"'") || strings.ContainsFunc(name, display.Obeyed) {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		all = append(all, dir+name)
	}
	return all
}
