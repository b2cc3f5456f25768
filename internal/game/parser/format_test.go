package parser_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"hob/internal/game/rules"
)

// The tables are as the package reads them: what a line cannot be found by, and what no command means, is a mistake that nobody would see.
func TestTables(t *testing.T) {
	free := regexp.MustCompile(`^(\{|\([^()]*\)\?)`)
	pattern := regexp.MustCompile(`^(\([^(){};]+\)\??|\{[123]\}|[^(){};|]+)+$`)
	keys := map[string][]string{}
	for _, lang := range rules.Langs() {
		data, err := os.ReadFile("commands/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		commands, words, ok := strings.Cut(string(data), "\n[words]\n")
		if !ok || strings.ContainsAny(string(data), "ёЁ") {
			t.Errorf("%s: no [words], or a letter in a form that is never read", lang)
		}
		for line := range strings.Lines(commands + "\n" + words) {
			line = strings.TrimSuffix(line, "\n")
			key, list, ok := strings.Cut(line, ": ")
			if line == "" || line[0] == '#' {
				continue
			}
			if !ok || list != strings.ToLower(list) {
				t.Errorf("%s: %q", lang, line)
			}
			keys[strings.TrimSuffix(key, "~")] = append(keys[strings.TrimSuffix(key, "~")], lang)
			if strings.Contains("\n"+words, "\n"+line+"\n") && !strings.Contains(list, "(") && strings.Contains(list, "|") {
				continue // words that stand at the beginning or at the end
			}
			patterns := strings.Split(list, ";")
			for _, p := range patterns {
				p = strings.TrimSpace(p)
				if !pattern.MatchString(p) || free.MatchString(p) && !free.MatchString(patterns[0]) {
					t.Errorf("%s: %s: %q", lang, key, p)
				}
			}
		}
	}
	for key, langs := range keys {
		for _, lang := range rules.Langs() {
			if !strings.Contains(strings.Join(langs, " "), lang) && key != "wait.hour" && key != "pick.end" && key != "with" && key != "asking.in" {
				t.Errorf("%s: nobody can say %s", lang, key)
			}
		}
	}
}

// Every text that is said to players is there in every language, with the same places to be filled.
func TestTexts(t *testing.T) {
	places := regexp.MustCompile(`\{\d\}`)
	var first map[string]string
	for _, lang := range rules.Langs() {
		data, err := os.ReadFile("words/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for line := range strings.Lines(string(data)) {
			if key, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = "); ok {
				texts[key] = text
			}
		}
		if first == nil {
			first = texts
		}
		for key, text := range first {
			here := texts[key]
			if here == "" || len(texts) != len(first) {
				t.Errorf("%s: %s is missing, or there are more", lang, key)
			}
			for _, place := range places.FindAllString(text, -1) {
				if !strings.Contains(here, place) {
					t.Errorf("%s: %s has no %s", lang, key, place)
				}
			}
		}
	}
}
