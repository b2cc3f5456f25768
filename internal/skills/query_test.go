package skills

import (
	"strings"
	"testing"
)

func TestInEnglish(t *testing.T) {
	for query, want := range map[string]string{
		"удалить объект":         "delete object",
		"удалить атрибут игрока": "delete attribute player",
		"生成新区块":                  "generate zone",
		"删除物品":                   "delete object",
		"Сгенерируй новую зону":  "generate zone",
		"прочитать файл":         "read file",
		"delete an object":       "",
	} {
		got := AddEnglish(query)
		if want == "" && got != query {
			t.Errorf("%s became %s", query, got)
		}
		for _, word := range strings.Fields(want) {
			if !strings.Contains(got, " "+word) {
				t.Errorf("%s became %s, without %s", query, got, word)
			}
		}
	}
	if got := AddEnglish("раздел"); strings.Contains(got, "delete") {
		t.Errorf("the middle of a word counts: %s", got)
	}
}
