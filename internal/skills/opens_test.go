package skills_test

import (
	"strings"
	"testing"

	"hob/internal/skills"
)

// A message opens what it is about, and not what merely stands in one of its words.
func TestOpens(t *testing.T) {
	all := []skills.Skill{
		{Name: "system", Description: "how the machine is", Keywords: []string{"log", "disk", "festplatte", "диск", "日志"}},
		{Name: "web", Description: "pages", Keywords: []string{"web", "news", "search"}},
		{Name: "group-admin", Description: "群成员的管理"},
		{Name: "page", Description: "y", Keywords: []string{"https://"}},
		{Name: "notes", Description: "x", Keywords: []string{"note", "notiz"}, Tags: []string{"memo"}},
	}
	for message, want := range map[string]string{
		"what does the log say":         "system",
		"read the logs":                 "system",
		"write a blog about logic":      "",
		"log":                           "system",
		"LOG!":                          "system",
		"wie voll sind die Festplatten": "system",
		"сколько места на диске": "system",
		"看一下日志":                     "system",
		"the cobweb in the webbing": "",
		"search the web":            "web",
		"researching":               "",
		"searching for it":          "web",
		"ask the group admin":       "group-admin",
		"管理群成员":                     "group-admin",
		"read notes/todo.md":        "",
		"the file my_notes":         "",
		"a notebook":                "",
		"notes, please":             "notes",
		"Notizen":                   "notes",
		"memo: milk":                "notes",
		"memory":                    "",
		"log, the web and a note":   "web,system,notes",
		"":                          "",

		"Read note.txt and tell me the number":   "",
		"open the file log.":                     "system",
		"read log.txt.":                          "",
		"what is in disk/log":                    "",
		"what is in ./notes/ and ~/log/a b":      "",
		`look at C:\\log\\disk.txt`:              "",
		"compare `web.md` with 'notes-2026.csv'": "",
		"read note.txt and make a note of it":    "notes",
		"look at https://log.example.org/disk":   "page",
		"看一下日志.txt":                              "",
		"看一下disk.txt的日志":                         "system",
		"直接读 docs/日志":                            "",
		"прочитай диск.txt":                      "",
		"a note.Please write it down":            "notes",
		"the 3.5 disk":                           "system",
	} {
		var got []string
		for _, s := range skills.Match(all, message) {
			got = append(got, s.Name)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q opens %v, want %s", message, got, want)
		}
	}
}
