package agent

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"hob/internal/event"
)

// inline returns the part of a tool's text that goes into the prompt: all of it if it has at most
// limit bytes, else its head and its tail, and a handle for the rest. Of an error the tail is worth
// more.
func (a *Agent) inline(ctx context.Context, text string, from event.Label, limit int, isError bool) string {
	if len(text) <= limit {
		return text
	}
	where := ""
	if a.blobs != nil {
		if handle, err := a.blobs.Put(ctx, text, from); err == nil { // without one the model goes without the rest
			where = fmt.Sprintf(`; all of it: read_file path=%q, or search_files in it`, handle)
		}
	}
	head := 6
	if isError {
		head = 2
	}
	return cutMiddle(text, limit, head, where)
}

// cutMiddle shortens text to at most limit bytes and a line between them that names the missing
// part. So many tenths are from its head and the rest from its tail, cut at line ends where there
// are any.
func cutMiddle(text string, limit, tenths int, where string) string {
	head, tail := text[:limit*tenths/10], text[len(text)-limit*(10-tenths)/10:]
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	head, tail = strings.ToValidUTF8(head, ""), strings.ToValidUTF8(tail, "")
	return fmt.Sprintf("%s\n[... %d of %d bytes left out%s ...]\n%s", head, len(text)-len(head)-len(tail), len(text), where, tail)
}

var handleMark = regexp.MustCompile(`\n\[\.\.\. \d+ of \d+ bytes left out; all of it: read_file path="(out:\d+)"`)

// handleIn returns the handle that [Agent.inline] put into a text, or "".
func handleIn(text string) string {
	if m := handleMark.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
