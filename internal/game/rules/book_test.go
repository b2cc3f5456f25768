package rules_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
)

func TestBook_Words(t *testing.T) {
	all := map[string]string{"en": "# words\n\na = {0} = {1}\nb = B", "ru": "a = {1}, {0}\nb = Б", "zh": "a={0}{1}\nb=乙"}
	book, err := rules.New(rules.Family{Words: all})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		lang string
		say  rules.Sentence
		want string
	}{
		{"en", rules.Sentence{Key: "a", Args: []string{"x", "{0}"}}, "x = {0}"},
		{"ru", rules.Sentence{Key: "a", Args: []string{"x", "y"}}, "y, x"},
		{"zh", rules.Sentence{Key: "a", Args: []string{"x", "y"}}, "xy"},
		{"fr", rules.Sentence{Key: "b"}, "B"},
		{"", rules.Sentence{Key: "b", Args: []string{"x"}}, "B"},
		{"en", rules.Sentence{Key: "a", Args: []string{"x"}}, "x = {1}"},
		{"en", rules.Sentence{Key: "no such key", Args: []string{"x"}}, "no such key x"},
		{"ru", rules.Sentence{}, ""},
	} {
		if got := book.Text(test.lang, test.say); got != test.want {
			t.Errorf("%s %v is %q, want %q", test.lang, test.say, got, test.want)
		}
	}
	for name, change := range map[string]map[string]string{
		"a text is missing in ru": {"ru": "a = x"},
		"a language is missing":   {"zh": ""},
		"zh has one more":         {"zh": all["zh"] + "\nc = x"},
		"a text stands twice":     {"en": all["en"] + "\nb = B"},
		"a line is no text":       {"en": all["en"] + "\nb"},
		"a text is empty":         {"en": all["en"] + "\nc =", "ru": all["ru"] + "\nc =", "zh": all["zh"] + "\nc ="},
		"a text of the executor":  {"en": all["en"] + "\ninternal = x"},
	} {
		words := maps.Clone(all)
		maps.Copy(words, change)
		book, err := rules.New(rules.Family{Words: words})
		if err != nil {
			t.Fatal(err)
		}
		if err := book.Check(); err == nil {
			t.Errorf("%s, and Check finds nothing", name)
		}
	}
}

func TestBook_Tools(t *testing.T) {
	one := rules.Family{Tools: []rules.Tool{{Name: "b"}, {Name: "a"}}}
	if _, err := rules.New(one, one); err == nil {
		t.Error("two tools have one name, and nobody minds")
	}
	book, err := rules.New(one)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b"}, book.Names()); diff != "" {
		t.Error(diff)
	}
	book.Names()[0] = "c"
	if book.Tool("a") == nil || book.Tool("c") != nil || book.Names()[0] != "a" {
		t.Error("the book was changed by what it returned")
	}
}

func TestObj(t *testing.T) {
	o := rules.NewObj().Text("a", "\"\n").TextOrNull("b", "").TextOrNull("c", "x").Int("d", -7).Flag("e", true).List("f", nil).
		List("g", []string{"x", "y"}).Obj("h", rules.NewObj()).Objs("i", nil).Objs("j", []*rules.Obj{rules.NewObj().Int("k", 1), rules.NewObj()}).
		Metres("l", -80500).Raw("m", []byte("[1.5]"))
	want := `{"a":"\"\n","b":null,"c":"x","d":-7,"e":true,"f":[],"g":["x","y"],"h":{},"i":[],"j":[{"k":1},{}],"l":-80.5,"m":[1.5]}`
	if got := string(o.Bytes()); got != want {
		t.Errorf("got %s", got)
	}
	first := o.Bytes()
	o.Int("n", 1)
	if string(first) != want || string(rules.NewObj().Bytes()) != "{}" {
		t.Error("what was returned changes")
	}
}
