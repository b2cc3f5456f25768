package intents_test

import (
	"strings"
	"testing"

	"hob/internal/intents"
)

// ownFile is a file of an owner's sentences.
const ownFile = `
[[sentence]]
say = ["(put|take) the bins out"]
tool = "note_add"
args = { text = "the bins are out", topic = "bins" }

[[sentence]]
say = ["we need {items}", "我们还缺{items}"]
tool = "list_add"
args = { list = "shopping", items = "{items}" }

[[sentence]]
say = ["say it to {name}"]
tool = "run_command"
args = { command = "echo {name}" }
`

func TestWithOwn(t *testing.T) {
	s, err := intents.WithOwn(ownFile)
	if err != nil {
		t.Fatal(err)
	}
	const list = `list_add {"items":["flour","sugar"],"list":"shopping"}`
	for text, want := range map[string]string{
		"Please take the bins out!":   `note_add {"text":"the bins are out","topic":"bins"}`,
		"we need flour and sugar":     list,
		"we need flour, sugar":        list,
		"we need flour und sugar":     list,
		"我们还缺米和油":                     `list_add {"items":["米","油"],"list":"shopping"}`,
		"we need flour if it rains":   " ", // doubtful in English, as any other sentence
		"we need Mehl wenn es regnet": " ",
		"we need eggs. we need eggs":  " ", // an owner's sentence is the whole text
		"say it to Ann":               `run_command {"command":"echo {name}"}`,
		"note buy milk":               `note_add {"text":"buy milk"}`,
	} {
		r := s.Read(text)
		if got := r.Call.Name + " " + string(r.Call.Args); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
}

func TestWithOwn_Mistakes(t *testing.T) {
	for file, want := range map[string]string{
		"[[sentence]]\nsay = [\"x\"]":                                                                                               "sentence 1: it needs say and tool",
		"[[sentence]]\nsay = [\"x\"]\ntool = \"time\"\nwhen = 1":                                                                    "there is no key sentence.when: a [[sentence]] has say, tool and args",
		"[[sentence]]\nsay = [\"{text}\"]\ntool = \"note_add\"":                                                                     `sentence "{text}": it must begin with a word`,
		"[[sentence]]\nsay = [\"we need {ietms:nothing}\"]\ntool = \"list_add\"":                                                    "nothing",
		"[[sentence]]\nsay = [\"we need {items}\", \"x\"]\ntool = \"list_add\"\nargs = {list = \"shopping\", items = \"{things}\"}": "sentence \"we need {items}\": items is {things}, and no way to say it has that slot",
	} {
		if _, err := intents.WithOwn(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis answered %v, want %s", file, err, want)
		}
	}
}
