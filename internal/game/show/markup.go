package show

import (
	"strings"

	"hob/internal/display"
	"hob/internal/game/world"
)

// Markup replaces marks of entities by names: [object:ID:name], and the same with player, npc,
// actor, location or place. The name is the one in the mark, in the form that the sentence needs.
// Without one it is the record's own; a hidden or missing record leaves nothing. Any other bracket
// stays as it is.
func Markup(w *world.World, text string) string {
	if !strings.ContainsRune(text, '[') {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "[")
		if !found {
			break
		}
		b.WriteString(before)
		text = rest
		end := strings.IndexAny(text, "[]\n")
		if name, ok := expandMark(w, text[:max(end, 0)]); ok && text[end] == ']' {
			b.WriteString(name)
			text = text[end+1:]
		} else { // a bracket within may begin a mark
			b.WriteByte('[')
		}
	}
	b.WriteString(text)
	return b.String()
}

// expandMark returns the name for the inside of a mark. An id has no colon in it, a name may have
// one.
func expandMark(w *world.World, mark string) (name string, ok bool) {
	kind, rest, _ := strings.Cut(mark, ":")
	id, given, named := strings.Cut(rest, ":")
	id = strings.TrimSpace(id)
	if !named || id == "" {
		return "", false
	}
	given = display.Name(given, mostText)
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "object":
		if o := w.Thing(id); given == "" && o != nil && !o.Hidden {
			given = o.Name
		}
	case "player", "npc", "actor":
		if a := w.Actor(id); given == "" && a != nil {
			given = a.Name
		}
	case "location", "place":
		if p := w.Place(id); given == "" && p != nil && (!p.Secret || p.Visited) {
			given = p.Name
		}
	default:
		return "", false
	}
	return display.Name(given, mostText), true
}
