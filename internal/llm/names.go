package llm

import "strings"

// FullName is a model's name as servers compare it: with its tag, which is "latest" where it has none, and in small letters.
func FullName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(name, "registry.ollama.ai/")
	name = strings.TrimPrefix(name, "library/")
	if name != "" && !strings.Contains(name[strings.LastIndex(name, "/")+1:], ":") {
		name += ":latest"
	}
	return name
}

// SameModel reports whether two names mean one model.
func SameModel(a, b string) bool { return a != "" && FullName(a) == FullName(b) }
