package phrases_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hob/internal/phrases"
)

const file = phrases.File(`first = one
# a comment = of nothing
go = You go to {0}.
go.2 = Off to {0}.

sum = a = b
join = {0}, 
`)

func TestFile(t *testing.T) {
	want := map[string]string{"first": "one", "go": "You go to {0}.", "go.2": "Off to {0}.", "sum": "a = b", "join": "{0}, "}
	if diff := cmp.Diff(want, maps.Collect(file.All())); diff != "" {
		t.Error(diff)
	}
	for key, words := range map[string]string{"first": "one", "go": "You go to {0}.", "sum": "a = b", "join": "{0}, "} {
		if got, ok := file.Find(key); !ok || got != words {
			t.Errorf("Find(%q) = %q, %t", key, got, ok)
		}
	}
	for _, key := range []string{"o", "a comment", "go.3", ""} {
		if got, ok := file.Find(key); ok {
			t.Errorf("Find(%q) = %q", key, got)
		}
	}
	if got := file.Variants("go"); !slices.Equal(got, []string{"You go to {0}.", "Off to {0}."}) {
		t.Errorf("Variants are %q", got)
	}
}

func TestFill(t *testing.T) {
	if got := phrases.Fill("{1} of {0}, {2}", "{1}", "two"); got != "two of {1}, {2}" {
		t.Error(got)
	}
}

func folder(en, de string) fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{"words/en.txt": file(en), "words/de.txt": file(de), "words/ru.txt": file(en), "words/zh.txt": file(en)}
}

func TestWords(t *testing.T) {
	words := folder("yes = Yes\nask = {0} asks {1}:\\nreally\nnew = new\n", "yes = Ja\nask = {1} wird von {0} gefragt\n")
	for _, row := range []struct{ lang, key, want string }{
		{"", "yes", "Yes"}, {"de", "yes", "Ja"}, {"xx", "yes", "Yes"}, {"de", "new", "new"}, {"de", "none", "none"},
		{"en", "ask", "a asks {0}\\n:\nreally"}, {"de", "ask", "{0}\\n wird von a gefragt"},
	} {
		if got := phrases.In(words, row.lang).Text(row.key, "a", `{0}\n`); got != row.want {
			t.Errorf("%s in %q is %q, want %q", row.key, row.lang, got, row.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for tag, want := range map[string]string{"de": "de", "de-AT": "de", "ru_RU.UTF-8": "ru", "ZH-hans": "zh", "en": "en", "pt-br": "", "C.UTF-8": "", "": ""} {
		if got := phrases.Language(tag); got != want {
			t.Errorf("Language(%q) = %q, want %q", tag, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for _, row := range []struct {
		all, messages, lang, want string
	}{
		{"", "", "de_DE.UTF-8", "de"}, {"", "ru_RU", "de_DE", "ru"}, {"zh_CN.UTF-8", "ru_RU", "de_DE", "zh"}, {"C", "", "de_DE", ""}, {"", "", "", ""},
	} {
		env := map[string]string{"LC_ALL": row.all, "LC_MESSAGES": row.messages, "LANG": row.lang}
		if got := phrases.Environment(func(name string) string { return env[name] }); got != row.want {
			t.Errorf("%v asks for %q, want %q", env, got, row.want)
		}
	}
}

func TestCheck(t *testing.T) {
	if err := phrases.Check(folder("a = {0} of {1}\n", "a = {1} von {0}\n")); err != nil {
		t.Error(err)
	}
	for de, want := range map[string]string{"b = x\na = {0}{1}\n": "b is no key", "a = {0}\n": "de: a has [{0}], in English [{0} {1}]", "": "no words for a"} {
		if err := phrases.Check(folder("a = {0} of {1}\n", de)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check of %q says %v, want %q", de, err, want)
		}
	}
}
