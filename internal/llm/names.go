package llm

import "strings"

// FullName returns a model's name as servers compare it: in lower case, with its tag, by default
// "latest".
func FullName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(name, "registry.ollama.ai/")
	name = strings.TrimPrefix(name, "library/")
	if name != "" && !strings.Contains(name[strings.LastIndex(name, "/")+1:], ":") {
		name += ":latest"
	}
	return name
}

// SameModel reports whether two names mean the same model.
func SameModel(a, b string) bool { return a != "" && FullName(a) == FullName(b) }
