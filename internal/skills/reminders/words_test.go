package reminders

import (
	"reflect"
	"strings"
	"testing"
)

// Each language has all words, with the same places to fill as English.
func TestWords(t *testing.T) {
	en := reflect.ValueOf(wordsOf("en"))
	for _, lang := range []string{"de", "ru", "zh"} {
		w := reflect.ValueOf(wordsOf(lang))
		for i := range w.NumField() {
			name, said, english := w.Type().Field(i).Name, w.Field(i), en.Field(i)
			switch {
			case said.Len() == 0:
				t.Errorf("%s has no word for %s", lang, name)
			case said.Kind() == reflect.String && strings.Count(said.String(), "%") != strings.Count(english.String(), "%"):
				t.Errorf("%s: %s is %q, and in English %q", lang, name, said, english)
			}
		}
	}
}
