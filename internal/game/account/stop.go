package account

import "strings"

// StopBehind puts the full stop of what a line ends with in Russian behind the closing quotation mark, where Russian has
// it. Other marks stay inside.
func StopBehind(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if said, ok := strings.CutSuffix(line, ".»"); ok && !strings.HasSuffix(said, ".") {
			lines[i] = said + "»."
		}
	}
	return strings.Join(lines, "\n")
}
