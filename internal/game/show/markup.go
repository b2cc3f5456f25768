package show

import (
	"strings"

	"hob/internal/game/world"
)

// Markup returns text with the entities that are marked in it, as [object:ID:name], under their names: object, player, npc,
// actor, location or place. The name is the one that stands there, in the form that the sentence needs; where none does it is
// the record's own, unless it is hidden or there is no such record: then nothing is left. What is no such mark stays as it is.
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
		if name, ok := marked(w, text[:max(end, 0)]); ok && text[end] == ']' {
			b.WriteString(name)
			text = text[end+1:]
		} else { // a bracket within may begin a mark
			b.WriteByte('[')
		}
	}
	b.WriteString(text)
	return b.String()
}

// marked returns what stands for the inside of a mark. An id has no colon in it, a name may.
func marked(w *world.World, mark string) (name string, ok bool) {
	kind, rest, _ := strings.Cut(mark, ":")
	id, given, named := strings.Cut(rest, ":")
	id = strings.TrimSpace(id)
	if !named || id == "" {
		return "", false
	}
	given = clean(given, mostText)
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
	return clean(given, mostText), true
}
