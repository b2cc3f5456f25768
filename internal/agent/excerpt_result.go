package agent

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/lazyregexp"
	"hob/internal/tools"
)

// excerptResult returns the part of a result that goes into the prompt. That is all of it up to limit
// bytes. A longer text is cut to its head, its tail, the lines relevant to the task, and a handle
// for the whole. An error keeps more of its tail.
func (a *Agent) excerptResult(ctx context.Context, text string, from event.Label, limit int, isError bool) string {
	if len(text) <= limit {
		return text
	}
	task := tools.TaskFrom(ctx)
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	where := fmt.Sprintf("; it has %d lines", lines)
	if a.blobs != nil {
		if handle, err := a.blobs.Put(ctx, text, from); err == nil { // if storing fails, the prompt just lacks the handle
			where = fmt.Sprintf(`; all of it: read_file path=%q (%d lines)`, handle, lines)
			if task.HasSearch() {
				where += ", or search_files in it"
			}
		}
	}
	head := 6
	if isError {
		head = 2
	}
	return cutMiddle(text, limit, head, where, task.Words)
}

// cutMiddle shortens text to at most limit bytes, with a line that names the missing part. The head
// gets tenths of the room and the tail the rest, cut at line ends if possible. If the missing part
// mentions the task, two fifths go to those lines.
func cutMiddle(text string, limit, tenths int, where string, task excerpt.Query) string {
	if gap := text[limit*tenths/10 : len(text)-limit*(10-tenths)/10]; task.Passages(gap, limit*2/5) != "" {
		ends := limit * 3 / 5
		head, tail := excerpt.Ends(text, ends, tenths)
		found := task.Passages(text[len(head):len(text)-len(tail)], limit-ends)
		left := len(text) - len(head) - len(tail) - len(found)
		return fmt.Sprintf("%s\n[... %d of %d bytes left out%s; here only what has words of the task: ...]\n%s[... the end of it: ...]\n%s",
			head, max(left, 0), len(text), where, found, tail)
	}
	head, tail := excerpt.Ends(text, limit, tenths)
	return fmt.Sprintf("%s\n[... %d of %d bytes left out%s ...]\n%s", head, len(text)-len(head)-len(tail), len(text), where, tail)
}

var handleMark = lazyregexp.New(`\n\[\.\.\. \d+ of \d+ bytes left out; all of it: read_file path="(out:\d+)"`)

// handleIn returns the handle that [Agent.excerptResult] put into text, or "".
func handleIn(text string) string {
	if m := handleMark().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
