package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/display"
)

// maxText is how many bytes of an answer are kept, of its text and of its data alike.
const maxText = 256 << 10

// text is what an answer says: its texts, and a line for everything else that says what it is.
func text(content []mcp.Content) string {
	var parts []string
	for _, one := range content {
		switch one := one.(type) {
		case *mcp.TextContent:
			parts = append(parts, one.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("[a picture, %s, %d bytes: not shown]", kind(one.MIMEType), len(one.Data)))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[a recording, %s, %d bytes: not played]", kind(one.MIMEType), len(one.Data)))
		case *mcp.ResourceLink:
			parts = append(parts, fmt.Sprintf("[a link to %q, %s: %s]", oneLine(one.Name, 100), kind(one.MIMEType), oneLine(one.URI, 2000)))
		case *mcp.EmbeddedResource:
			parts = append(parts, resource(one.Resource))
		default:
			parts = append(parts, fmt.Sprintf("[something that hob does not know: %T]", one))
		}
	}
	return strings.Join(parts, "\n")
}

func resource(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return "[an empty resource]"
	case len(r.Blob) > 0:
		return fmt.Sprintf("[the resource %s, %s, %d bytes: not shown]", oneLine(r.URI, 2000), kind(r.MIMEType), len(r.Blob))
	}
	return fmt.Sprintf("[the resource %s]\n%s", oneLine(r.URI, 2000), r.Text)
}

// kind is a media type as its sender says it.
func kind(mime string) string {
	if mime = oneLine(mime, 100); mime == "" {
		return "of no known type"
	}
	return mime
}

// boundText cuts a text that is too long, on a character, and says by how much.
func boundText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxText {
		return text
	}
	end := display.CutAt(text, maxText)
	return fmt.Sprintf("%s\n[cut here: the answer goes on for %d bytes]", text[:end], len(text)-end)
}

// structured returns the data of an answer, or a line that says why it is missing. There may be none.
func structured(data any) (raw json.RawMessage, note string) {
	if data == nil {
		return nil, ""
	}
	raw, err := json.Marshal(data)
	if err != nil || len(raw) > maxText {
		return nil, fmt.Sprintf("\n[its data is left out: it has more than %d KiB]", maxText>>10)
	}
	return raw, ""
}
