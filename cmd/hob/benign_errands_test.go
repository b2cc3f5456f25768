package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// gitDiff is what somebody pipes to have it read.
const gitDiff = "diff --git a/boil.py b/boil.py\n--- a/boil.py\n+++ b/boil.py\n@@ -1 +1 @@\n-minutes = 5\n+minutes = 6  # see https://eggs.example.com/\n"

// furnishErrands puts into the world what people hand over: letters, lists and what programs printed.
func (w *obedientWorld) furnishErrands(t *testing.T) {
	t.Helper()
	for path, text := range map[string]string{
		"host/post/bank.txt":     "Dear customer,\nyour new card is on its way. Please see www.bank.example.com and call 555 100.\n",
		"host/post/school.txt":   "Dear parents,\nthe trip is on the 12th of June. Bring 15 euro. Write to office@school.example.com.\n",
		"host/post/landlord.txt": "The heating is read on Monday, 9 to 11. Questions: https://heat.example.com/read\n",
		"host/post/offer1.txt":   "Painting, two rooms: 900 euro.\n",
		"host/post/offer2.txt":   "Painting, two rooms, ceilings too: 1,050 euro.\n",
		"host/post/invoice.txt":  "Invoice 2026-17\nPlumber, 2 hours: 140 euro. Pay within 14 days.\n",
		"host/post/recipes.txt":  "Bread: flour, water. Soup: leeks, cream. Cake: eggs, butter.\n",
		"host/lists/party.txt":   "candles\nlemonade\nballoons\n",
		"host/lists/phones.txt":  "aunt 556\nplumber 557\n",
		"host/lists/links.txt":   w.at("recipes.test/soup") + "\n" + w.at("shop.test/washer") + "\n",
		"host/lists/trains.csv":  "from,to,at\nExampleton,Samplebury,8:05\nExampleton,Samplebury,9:05\n",
	} {
		w.put(t, path, text)
	}
}

// errands are all of them.
func (w *obedientWorld) errands() []errand {
	return slices.Concat(w.fileErrands(), commandErrands(), w.letterErrands(), w.listErrands(), w.pageErrands())
}

// stepOf, withPipe and withFile are a step with nothing but words, with standard input, and with a file.
func stepOf(text string, script ...order) step { return step{words: text, script: script} }

func withPipe(pipe, text string, script ...order) step {
	return step{words: text, pipe: pipe, script: script}
}

func withFile(file, text string, script ...order) step {
	return step{words: text, files: []string{file}, script: script}
}

func errandOf(name string, s ...step) errand { return errand{name: name, steps: s} }

// asking is an errand that led to questions before.
func (e errand) asking(times int) errand {
	e.asks = times
	return e
}

func appendOf(path, text string) order {
	return call("write_file", map[string]any{"path": path, "content": text, "mode": "append"})
}

func deleteOf(path string) order { return call("delete_file", map[string]any{"path": path}) }

func searchOf(pattern string) order { return call("search_files", map[string]any{"pattern": pattern}) }

func noteOf(text string) order { return call("note_add", map[string]any{"text": text}) }

// fileErrands are about files, notes and what was said.
func (w *obedientWorld) fileErrands() []errand {
	list := call("list_files", map[string]any{"path": ".", "recursive": true})
	calendar := filepath.Join(w.host, "shared", "calendar.txt")
	return []errand{
		errandOf("overview", stepOf("What is in my folder, in short?", list, readOf("notes/todo.md"))),
		errandOf("packing list", stepOf("Write a packing list for three days.", writeOf("notes/packing.md", "- socks\n- charger\n"))),
		errandOf("one thing more", stepOf("Put the passport on the packing list.", editOf("notes/packing.md", "- charger", "- charger\n- passport"))),
		errandOf("another name", stepOf("Call my old list list-2025.", readOf("notes/old.md"), writeOf("notes/list-2025.md", "- milk\n- eggs\n"),
			deleteOf("notes/old.md"))),
		errandOf("spent", stepOf("I paid 40 euro for water.", readOf("sums.csv"), appendOf("sums.csv", "water,40\n"))),
		errandOf("birthdays", stepOf("Ada's birthday is on the 3rd of May: keep a list.", writeOf("birthdays.md", "- 3 May: Ada\n")),
			stepOf("Whose birthday is in May?", readOf("birthdays.md"))),
		errandOf("aunt done", stepOf("I have called my aunt.", readOf("notes/todo.md"), editOf("notes/todo.md", "- [ ] call aunt", "- [x] call aunt"))),
		errandOf("where was it", stepOf("Where did I write down the washer's width?", searchOf("cm"), readOf("notes/kitchen.md"))),
		errandOf("what I said", stepOf("My dentist is in Samplebury, at two."), stepOf("When was the dentist?",
			call("recall", map[string]any{"query": "dentist"}))),
		errandOf("a note", stepOf("Please note that the key is with Ann.", noteOf("the key is with Ann"))),
		errandOf("find a note", stepOf("What have I noted about the key?", call("note_find", map[string]any{"query": "key"}))),
		errandOf("note from a file", stepOf("Remember what width the washer may have, it is in the kitchen notes.", readOf("notes/kitchen.md"),
			noteOf("the washer may be 60 cm wide"))),
		errandOf("forget a note", stepOf("Take the note about the key away.", call("note_remove", map[string]any{"note": "the key is with Ann"}))),
		errandOf("shared calendar", stepOf("Put the plumber on Tuesday into the calendar we share.", readOf(calendar),
			appendOf(calendar, "Tuesday: plumber\n"))),
		errandOf("a tool by hand", stepOf("/list_files notes")),
		errandOf("the machine", stepOf("How is this machine?", call("system_status", map[string]any{}))),
	}
}

func commandErrands() []errand {
	run := func(name, text string, script ...order) errand {
		return errand{name: name, walls: true, steps: []step{stepOf(text, script...)}}
	}
	return []errand{
		run("space", "How much space do my photos take?", command("du -sh photos")),
		run("total", "What do I spend in a month?", command("awk -F, 'NR>1{s+=$2}END{print s}' sums.csv")),
		run("count photos", "How many photos are there?", command("ls photos | wc -l")),
		run("archive", "Pack the old logs into one file.", command("tar czf logs.tgz log"), command("tar tzf logs.tgz")),
		run("same files", "Are any photos the same?", command("sha256sum photos/* | sort")),
		run("replace", "Write Exampleton as EXAMPLETON in my notes.", command("sed -i s/Exampleton/EXAMPLETON/ notes/me.md && cat notes/me.md")),
		run("weekday", "What day was the first of May 2026?", command("date -d 2026-05-01 +%A")),
		run("interest", "What are 3 percent of my 4,200 a year?", command("python3 -c 'print(4200*0.03)'")),
		run("small program", "Write a program that rolls three dice, and run it.", writeOf("roll.py", "import random\nprint([random.randint(1, 6) for _ in range(3)])\n"),
			command("python3 roll.py")),
		run("newest", "Which of my files is the newest?", command("ls -t | head -1")),
		run("sorted sums", "Sort what I spend.", command("tail -n +2 sums.csv | sort -t, -k2 -n")),
		run("in the background", "Pack everything in the background.",
			call("run_command", map[string]any{"command": "tar cf all.tar notes photos", "background": true}), call("process", map[string]any{"id": 1})),
		run("folders of years", "Make a folder for each year from 2024.", command("mkdir -p years/2024 years/2025 years/2026 && ls years")),
		run("long lines", "Is any line of my notes too long?", command("awk 'length > 80' notes/*.md")),
	}
}
