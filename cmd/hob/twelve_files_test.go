package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/llm/ollama/ollamafake"
)

// twelveFiles is a task about twelve files of 9 KB, each with facts that the task asks for.
type twelveFiles struct {
	name, task string
	line       func(file, row int) string // of the rest of a file
	facts      func(file int) []string    // lines
	want       func(file int) []string    // what of them must be known at the end
	at         []int                      // tenths of a file at which the facts stand, one file after the other
}

// twelve returns the tasks.
func twelve() []twelveFiles {
	code := func(n int) string { return fmt.Sprintf("K%d", 531+7*n) }
	table := func(n, row int) string {
		return fmt.Sprintf("row %03d: the mean of the table was taken at valve %03d and was in order", row, row*n)
	}
	one := func(form string) func(int) []string {
		return func(n int) []string { return []string{fmt.Sprintf(form, n, code(n))} }
	}
	codes := func(n int) []string { return []string{code(n)} }
	things := strings.Fields("rent deposit internet insurance electricity water gas piano dentist garage gym newspaper")
	owners := strings.Fields("Anna Boris Clara David Elena Fritz Greta Henry Irina Jonas Katja Leon")
	return []twelveFiles{
		{name: "codes", task: "Read part01.txt to part12.txt, one after the other, and write the code of each part to codes.txt.",
			line: table, facts: one("the code of part %d is %s"), want: codes, at: []int{2, 5, 8, 9}},
		{name: "a different thing in each file",
			task: "Go through part01.txt to part12.txt and make a list: what do I pay for " + strings.Join(things, ", ") + "?",
			line: func(n, row int) string {
				return fmt.Sprintf("%d. letter %d was answered on a %s and put into the folder", row, row*n, []string{"Monday", "Friday"}[row%2])
			},
			facts: func(n int) []string { return []string{fmt.Sprintf("For the %s we pay %s now.", things[n-1], code(n))} }, want: codes, at: []int{7, 4}},
		{name: "words of the task in every line", task: "Read the files part01.txt to part12.txt and tell me the serial number of the pump in each of them.",
			line: func(n, row int) string {
				return fmt.Sprintf("number %d in the file: pump %d, valve %d, each of them in part %d was read", row, row%7, row*n, n)
			},
			facts: one("pump %d serial: %s"), want: codes, at: []int{6}},
		{name: "the fact below its heading", task: "What is the budget in each of the reports part01.txt to part12.txt? Add them up at the end.",
			line: func(n, row int) string {
				return fmt.Sprintf("Paragraph %d says what was done in week %d, and by whom.", row, row+n)
			},
			facts: func(n int) []string {
				return []string{"", "## Budget", fmt.Sprintf("%d450 euros", n+10), ""}
			}, want: func(n int) []string { return []string{fmt.Sprintf("%d450 euros", n+10)} }, at: []int{3, 6, 9}},
		{name: "two facts in each file", task: "For each file from part01.txt to part12.txt: who is the owner, and what is the deadline?",
			line: func(n, row int) string {
				return fmt.Sprintf("entry %d: checked, nothing to report for item %d", row, row*n)
			},
			facts: func(n int) []string {
				return []string{"Owner: " + owners[n-1] + " Weber", "The deadline is 2026-05-" + fmt.Sprint(10+n)}
			},
			want: func(n int) []string { return []string{owners[n-1] + " Weber", "2026-05-" + fmt.Sprint(10+n)} }, at: []int{4, 9}},
		{name: "log files", task: "Look through part01.txt to part12.txt for errors. Which request ID failed in each?",
			line: func(n, row int) string {
				return fmt.Sprintf("2026-03-02T14:%02d:%02d INFO server: request handled in %d ms", row%60, n, row)
			},
			facts: func(n int) []string {
				return []string{fmt.Sprintf("2026-03-02T15:00:%02d ERROR server: request ID %s failed: timeout", n, code(n))}
			}, want: codes, at: []int{5, 8}},
		{name: "rows of a table", task: "Each of part01.txt to part12.txt is a list of machines. What is the serial of pump 77 in each?",
			line:  func(n, row int) string { return fmt.Sprintf("machine,serial,pump %d,S-%d", 100+row, row*n) },
			facts: one("machine,serial,pump 77,part-%d-%s"), want: codes, at: []int{4, 7}},
		{name: "JSON", task: "part01.txt to part12.txt hold settings. Which api_token is in each?",
			line: func(n, row int) string {
				return fmt.Sprintf("  {\"key\": \"setting_%d\", \"value\": %d, \"enabled\": true},", row, row*n)
			},
			facts: one(`  {"key": "api_token", "value": "t%d-%s"},`), want: codes, at: []int{6}},
		{name: "what somebody said", task: "Read the minutes part01.txt to part12.txt. What did Mr Miller promise at each meeting?",
			line: func(n, row int) string {
				return fmt.Sprintf("%d. Mrs Sommer reported on item %d. Nobody objected.", row, row*n)
			},
			facts: one("Mr. Miller promised to deliver lot %d, number %s, by the end of the week."), want: codes, at: []int{0, 5, 9}},
		{name: "code", task: "What is maxRetries set to in each of part01.txt to part12.txt?",
			line:  func(n, row int) string { return fmt.Sprintf("\tif value%d > %d { return errTooLarge }", row, row*n) },
			facts: func(n int) []string { return []string{fmt.Sprintf("\tconst maxRetries = %d77", n)} },
			want:  func(n int) []string { return []string{fmt.Sprintf("maxRetries = %d77", n)} }, at: []int{8, 5}},
		{name: "German", task: "Lies part01.txt bis part12.txt und nenne mir die Rechnungsnummer jeder Lieferung.",
			line: func(n, row int) string {
				return fmt.Sprintf("Zeile %03d: der Wert der Tabelle am Ventil %03d war gut", row, row*n)
			},
			facts: one("Rechnungsnummern der %d. Lieferung: %s"), want: codes, at: []int{6, 9}},
		{name: "Russian", task: "Прочитай файлы от part01.txt до part12.txt и скажи, какой код у каждого склада.",
			line: func(n, row int) string {
				return fmt.Sprintf("строка %03d: значение клапана %03d в норме", row, row*n)
			},
			facts: one("склад %d, код доступа %s"), want: codes, at: []int{5}},
		{name: "Chinese", task: "请依次阅读 part01.txt 到 part12.txt,告诉我每个仓库的密码。",
			line: func(n, row int) string {
				return fmt.Sprintf("第%03d行:阀门%03d的平均读数正常,一切都很好", row, row*n)
			},
			facts: one("%d号仓库密码是%s"), want: codes, at: []int{5, 8}},
	}
}

// A turn at 4k that reads twelve files of 9 KB keeps every fact that the task asks for, wherever in its file it stands: the
// request in which the model could answer has them all. The model calls a tool for each file and sums up nothing when it is
// asked to.
func TestFactsOfTwelveFiles(t *testing.T) {
	for _, c := range twelve() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			read := 0
			server := ollamafake.New(t, ollamafake.Config{Model: "qwen3:4b", Family: "qwen3", Parameters: "4.0B", Context: 32768},
				ollamafake.Forever(ollamafake.Choose(func(r ollamafake.Request) ollamafake.Step {
					if len(r.Tools) == 0 || strings.Contains(r.Messages[len(r.Messages)-1].Content, "Sum up") {
						return ollamafake.Say("Some files were read.")
					}
					if read == 12 {
						return ollamafake.Say("That is all.")
					}
					read++
					return ollamafake.CallTool("read_file", map[string]string{"path": fmt.Sprintf("part%02d.txt", read)})
				})))
			h := newHouse(t, server.URL())
			h.configure("[ollama]\nmodel = \"qwen3:4b\"\nnum_ctx = 4096\n")
			dir := filepath.Join(h.state, "workspace")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= 12; n++ {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part%02d.txt", n)), []byte(c.text(n)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := h.command("ask", "--json", c.task).CombinedOutput(); err != nil || read != 12 {
				t.Fatalf("%v, %d files were read: %s", err, read, out)
			}
			all := server.Requests()
			last := all[len(all)-1].Rendered
			for n := 1; n <= 12; n++ {
				for _, fact := range c.want(n) {
					if !strings.Contains(last, fact) {
						t.Errorf("the last of %d requests lacks %q of file %d", len(all), fact, n)
					}
				}
			}
			if t.Failed() || os.Getenv("SHOW") != "" {
				t.Log(last[strings.Index(last, "<user>"):])
			}
		})
	}
}

// text is a file of 9 KB.
func (c twelveFiles) text(n int) string {
	var b strings.Builder
	at, row := c.at[n%len(c.at)]*9<<10/10, 0
	for ; b.Len() < at; row++ {
		b.WriteString(c.line(n, row) + "\n")
	}
	b.WriteString(strings.Join(c.facts(n), "\n") + "\n")
	for ; b.Len() < 9<<10; row++ {
		b.WriteString(c.line(n, row) + "\n")
	}
	return b.String()
}
