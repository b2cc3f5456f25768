package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/jsonl"
)

// Rename returns args, a JSON object that a person or a program gave, with the new names of arguments in place of the
// old ones that the [Def] of t still takes, and a hint for who gave them, "" where there is no old name. An old name
// beside its new one stays, for the schema to refuse.
func Rename(t Tool, args json.RawMessage) (renamed json.RawMessage, hint string) {
	names := DefOf(t).Renamed
	if len(names) == 0 {
		return args, ""
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return args, "" // the schema says what is wrong
	}
	var hints []string
	for _, old := range slices.Sorted(maps.Keys(names)) {
		value, ok := given[old]
		if _, twice := given[names[old]]; !ok || twice {
			continue
		}
		delete(given, old)
		given[names[old]] = value
		hints = append(hints, renamedHint(t, old, names[old]))
	}
	if len(hints) == 0 {
		return args, ""
	}
	raw, err := jsonl.Marshal(given)
	if err != nil {
		return args, ""
	}
	return raw, strings.Join(hints, "; ")
}

// RenamedHint returns the hint of [Rename] for the words of a command line.
func RenamedHint(t Tool, words []string) string {
	for _, word := range words {
		old, _, _ := strings.Cut(word, "=")
		if name, ok := DefOf(t).Renamed[old]; ok && old != word {
			return renamedHint(t, old, name)
		}
	}
	return ""
}

// oldNames are the tools whose names have changed: old to new. For one release people and programs may call them by the
// old ones, and what they have said of those, such as that a tool is switched off, holds.
func oldNames() map[string]string {
	return map[string]string{"search_chat": "recall", "job": "process"}
}

// NameToday returns the name that a tool of that name has today.
func NameToday(name string) string {
	if today, ok := oldNames()[name]; ok {
		return today
	}
	return name
}

// OldNames returns the names that a tool of that name had before, sorted.
func OldNames(name string) (old []string) {
	for was, today := range oldNames() {
		if today == name {
			old = append(old, was)
		}
	}
	slices.Sort(old)
	return old
}

// OldNameHint returns a hint for who called a tool by a name, "" where it is not one that the tool had before.
func OldNameHint(name, today string) string {
	if name = strings.TrimPrefix(name, "/"); !slices.Contains(OldNames(today), name) {
		return ""
	}
	return fmt.Sprintf("%s is called %s now; the next release no longer knows %s", name, today, name)
}

func renamedHint(t Tool, old, name string) string {
	return fmt.Sprintf("%s: %s is called %s now; the next release no longer takes %s", t.Name(), old, name, old)
}
