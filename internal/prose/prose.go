// Package prose reads text for models and people from a Markdown file that a package embeds: sections with a heading of the second
// level each, and values for the names that stand in double braces in them.
package prose

import "strings"

// Section returns the section of file with that name, or "". Each pair is a name, which the section has in double braces,
// and its value.
func Section(file, name string, pairs ...string) string {
	_, text, _ := strings.Cut("\n"+file, "\n## "+name+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	values := make([]string, len(pairs))
	for i, v := range pairs {
		if values[i] = v; i%2 == 0 {
			values[i] = "{{" + v + "}}"
		}
	}
	return strings.NewReplacer(values...).Replace(strings.TrimSpace(text))
}
