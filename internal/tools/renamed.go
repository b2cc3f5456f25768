package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/jsonl"
)

// Rename replaces old names of arguments that the [Def] of t still accepts by their new ones. args
// is a JSON object from a person or a program. hint tells them about the change; it is "" if there
// was no old name. An old name beside its new one stays, for the schema to refuse.
func Rename(t Tool, args json.RawMessage) (renamed json.RawMessage, hint string) {
	names := DefOf(t).Renamed
	if len(names) == 0 {
		return args, ""
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return args, "" // the schema reports what is wrong
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

// oldNames maps old tool names to new ones. For one release people and programs may call tools by
// the old names, and settings under old names, such as a switched-off tool, still apply.
func oldNames() map[string]string {
	return map[string]string{"search_chat": "recall", "job": "process"}
}

// NameToday returns the present name of a tool, given an old or a present name.
func NameToday(name string) string {
	if today, ok := oldNames()[name]; ok {
		return today
	}
	return name
}

// OldNames returns the former names of a tool, sorted.
func OldNames(name string) (old []string) {
	for was, today := range oldNames() {
		if today == name {
			old = append(old, was)
		}
	}
	slices.Sort(old)
	return old
}

// OldNameHint returns a hint for a caller who used an old name of a tool, or "".
func OldNameHint(name, today string) string {
	if name = strings.TrimPrefix(name, "/"); !slices.Contains(OldNames(today), name) {
		return ""
	}
	return fmt.Sprintf("%s is called %s now; the next release no longer knows %s", name, today, name)
}

func renamedHint(t Tool, old, name string) string {
	return fmt.Sprintf("%s: %s is called %s now; the next release no longer takes %s", t.Name(), old, name, old)
}
