package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Who asks for a chore in a language without a model is answered in it. The files have what is said, behind ›, and below it the answer.
// -update writes the answers. Dates, times and the numbers of notes, which are made of these, are zeros.
func TestTranslated(t *testing.T) {
	changing := regexp.MustCompile(`#\d{4}|\d{4}-\d\d-\d\d|\d\d:\d\d`)
	digits := regexp.MustCompile(`\d`)
	for _, lang := range []string{"de", "ru", "zh"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			fake, state := newFakeOllama(t), t.TempDir()
			golden(t, filepath.Join("testdata", "translated", lang+".txt"), func(file string) string {
				var out strings.Builder
				for line := range strings.Lines(file) {
					words, isSaid := strings.CutPrefix(line, "› ")
					if !isSaid {
						continue
					}
					answer, err := hobCommand(t.Context(), fake, state, "ask", "--chat", lang, strings.TrimSpace(words)).Output()
					out.WriteString(line + changing.ReplaceAllStringFunc(string(answer), func(s string) string { return digits.ReplaceAllString(s, "0") }))
					if err != nil {
						out.WriteString(err.Error() + "\n")
					}
				}
				return out.String()
			})
		})
	}
}
