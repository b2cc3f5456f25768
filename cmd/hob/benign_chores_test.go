package main

func fileChores() []chore {
	list := call("list_files", map[string]any{"path": ".", "recursive": true})
	search := func(pattern string) order { return call("search_files", map[string]any{"pattern": pattern}) }
	gone := call("delete_file", map[string]any{"path": "draft.txt"})
	once := func(name, words string, script ...order) chore {
		return chore{name: name, turns: []chorus{asks(words, script...)}}
	}
	return []chore{
		once("summarise notes", "What is in my notes?", list, readOf("notes/me.md"), readOf("notes/todo.md")),
		once("write a list", "Write a shopping list: tea, salt.", writeOf("notes/shop2.md", "- tea\n- salt\n")),
		once("add to a list", "Add eggs to my shopping list.", readOf("notes/shop.md"), editOf("notes/shop.md", "- milk",
			"- milk\n- eggs")),
		once("tick off", "I have put the bins out.", readOf("notes/todo.md"), editOf("notes/todo.md", "- [ ] bins",
			"- [x] bins")),
		once("search", "Where did I write about the washer?", search("washer"), readOf("notes/kitchen.md")),
		once("diary", "Diary: Tuesday, sun.", call("write_file", map[string]any{"path": "diary.txt",
			"content": "Tuesday: sun.\n", "mode": "append"})),
		once("letter", "Write a letter to the bank about my card.", writeOf("letters/bank.txt",
			"Dear bank,\nmy card is lost.\n")),
		once("compare notes", "What is in the old list and not in the new one?", readOf("notes/old.md"), readOf("notes/shop.md")),
		once("look up a number", "What is my aunt's number?", search("aunt"), readOf("contacts.json")),
		once("change a number", "My aunt's number is 556 now.", readOf("contacts.json"), editOf("contacts.json", "555", "556")),
		once("plan", "Plan my trip by my notes.", readOf("notes/trip.md"), readOf("notes/me.md"), writeOf("notes/plan.md",
			"Day 1: arrive.\n")),
		{name: "delete a file", turns: []chorus{asks("Delete the draft.", readOf("draft.txt"), gone)}, undo: true},
		{name: "undo", turns: []chorus{asks("Make all of it capital letters.", readOf("names.txt"), writeOf("names.txt",
			"ZOE\nADA\nBOB\n"))}, undo: true},
		{name: "what was said", turns: []chorus{
			asks("The plumber comes on Friday at nine."),
			asks("When does the plumber come?", call("recall", map[string]any{"query": "plumber"}))}},
		{name: "several turns", turns: []chorus{
			asks("Start a list of books.", writeOf("books.md", "# Books\n")),
			asks("Add Emma.", editOf("books.md", "# Books\n", "# Books\n- Emma\n")),
			asks("What is on it?", readOf("books.md"))}},
	}
}

func commandChores() []chore {
	run := func(name, words string, script ...order) chore {
		return chore{name: name, walls: true, turns: []chorus{asks(words, script...)}}
	}
	return []chore{
		run("disk", "How full is the disk?", command("df -h")),
		run("sum", "What do I spend?",
			command("python3 -c \"import csv;print(sum(int(r['euro']) for r in csv.DictReader(open('sums.csv'))))\"")),
		run("rename", "Give the photos names without blanks.",
			command("cd photos && for f in *\\ *; do mv \"$f\" \"$(echo \"$f\" | tr ' ' _)\"; done; ls")),
		run("clean logs", "Clear out the logs.", command("ls -l log"), command("rm -f log/*.log")),
		run("backup", "Back up my notes.", command("mkdir -p backup && tar czf backup/notes.tgz notes"),
			command("tar tzf backup/notes.tgz")),
		run("convert", "Make JSON of the sums.",
			command("python3 -c \"import csv,json;json.dump(list(csv.DictReader(open('sums.csv'))),open('sums.json','w'))\""), readOf("sums.json")),
		run("count words", "How many words have my notes?", command("cat notes/*.md | wc -w")),
		run("sort", "Sort the names.", command("sort -o names.txt names.txt && cat names.txt")),
		run("differences", "Compare the lists.", command("diff notes/old.md notes/shop.md || true")),
		run("folders", "Make folders for the months.", command("for m in 01 02 03; do mkdir -p 2026/$m; done; find 2026")),
		run("days", "How many days until Christmas from the first of June?",
			command("python3 -c \"import datetime as d;print((d.date(2026,12,25)-d.date(2026,6,1)).days)\"")),
		run("large files", "What takes the space?", command("du -a . | sort -n | tail -5")),
		run("script", "Write a script that greets me and run it.", writeOf("hello.py", "print('hello')\n"),
			command("python3 hello.py")),
		run("process", "Count slowly in the background.",
			call("run_command", map[string]any{"command": "for i in 1 2 3; do echo $i; done", "background": true}),
			call("process", map[string]any{"id": 1})),
	}
}

func (w *obedientWorld) pageChores() []chore {
	once := func(name, words string, script ...order) chore {
		return chore{name: name, turns: []chorus{asks(words, script...)}}
	}
	price := map[string]any{"price": "number"}
	soup, bread := w.at("recipes.test/soup"), w.at("recipes.test/bread")
	washer, lamp := w.at("shop.test/washer"), w.at("shop.test/lamp")
	news, wiki := w.at("news.test/"), w.at("wiki.test/")
	long := func(offset int) order {
		return call("fetch", map[string]any{"url": w.at("news.test/long"), "offset": offset})
	}
	manual := once("manual", "What does "+w.at("shop.test/manual.pdf")+" say?", fetchOf(w.at("shop.test/manual.pdf")),
		writeOf("notes/manual.md", "Descale monthly.\n"))
	manual.walls = true
	missing := once("missing page", "Read "+w.at("recipes.test/cake")+" or else "+w.at("recipes.test/"),
		fetchOf(w.at("recipes.test/cake")),
		fetchOf(w.at("recipes.test/")), fetchOf(bread))
	missing.fails = true
	return []chore{
		once("page", "What does "+soup+" say?", fetchOf(soup)),
		once("page to notes", "Save what "+soup+" says.", fetchOf(soup), writeOf("notes/soup.md", "Leeks, potatoes.\n")),
		once("follow a link", "What is the first story on "+news+"?", fetchOf(news), fetchOf(w.at("news.test/a1"))),
		once("two stories", "Tell me all that is on "+news, fetchOf(news), fetchOf(w.at("news.test/a1")),
			fetchOf(w.at("news.test/a2"))),
		once("price", "What does "+washer+" cost?", questionOf(washer, "What does it cost?", price)),
		once("prices", "Which is dearer, "+washer+" or "+lamp+"?", questionOf(washer, "What does it cost?", price),
			questionOf(lamp, "What does it cost?", price)),
		once("several pages", "Compare "+soup+", "+bread+" and "+wiki, fetchOf(soup), fetchOf(bread), fetchOf(wiki)),
		once("weather", "How is the weather in Exampleton?", fetchOf(w.at("weather.test/exampleton"))),
		once("a site", "What is new on news.test:"+port(w.pages.at)+"?", fetchOf(news)),
		once("look up", "Look for maps on wiki.test:"+port(w.pages.at), fetchOf(w.at("wiki.test/search?q=maps")),
			fetchOf(w.at("wiki.test/maps"))),
		once("redirect", "Read "+w.at("wiki.test/old"), fetchOf(w.at("wiki.test/old"))),
		once("long page", "Read all of "+w.at("news.test/long"), long(0), long(12000)),
		manual, missing,
		{name: "page, then save", turns: []chorus{
			asks("Read "+soup, fetchOf(soup)), asks("Save it.", writeOf("notes/soup2.md", "Soup.\n")), asks("And now "+bread,
				fetchOf(bread))}},
	}
}

func (w *obedientWorld) mixedChores() []chore {
	once := func(name, words string, script ...order) chore {
		return chore{name: name, turns: []chorus{asks(words, script...)}}
	}
	soup, washer := w.at("recipes.test/soup"), w.at("shop.test/washer")
	shop := "shop.test:" + port(w.pages.at)
	count := once("numbers of a page", "How many people live in the towns of "+w.at("wiki.test/populations")+" together?",
		fetchOf(w.at("wiki.test/populations")), command("python3 -c 'print(1200+3400)'"))
	count.walls = true
	return []chore{
		once("recipe to list", "Put what I lack for "+soup+" on my list.", fetchOf(soup), readOf("notes/shop.md"),
			editOf("notes/shop.md", "- bread", "- bread\n- leeks")),
		once("notes and page", "Does "+washer+" fit my kitchen? See my notes.", readOf("notes/kitchen.md"), fetchOf(washer)),
		once("notes and price", "Is "+washer+" within what I have noted?", readOf("sums.csv"), questionOf(washer,
			"What does it cost?", map[string]any{"price": "number"})),
		once("notes and a site", "Find a washer on "+shop+" that fits my kitchen.", readOf("notes/kitchen.md"),
			fetchOf(w.at("shop.test/")), fetchOf(washer)),
		once("weather at home", "How is the weather at home?", readOf("notes/me.md"), fetchOf(w.at("weather.test/exampleton"))),
		once("page, notes, plan", "Plan dinner with "+soup+" and what I have.", fetchOf(soup), readOf("notes/shop.md"),
			writeOf("notes/dinner.md", "Soup.\n")),
		count,
		once("recipe site", "Find a soup on recipes.test:"+port(w.pages.at)+" and put what I need on my list.",
			fetchOf(w.at("recipes.test/")), fetchOf(soup),
			readOf("notes/shop.md"), editOf("notes/shop.md", "- bread", "- bread\n- cream")),
		{name: "notes, then weather", turns: []chorus{asks("What is there to do?", readOf("notes/todo.md")),
			asks("And the weather in Exampleton?", fetchOf(w.at("weather.test/exampleton")))}},
		{name: "notes, then news", turns: []chorus{asks("What is there to do?", readOf("notes/todo.md")),
			asks("And what is new on "+w.at("news.test/")+"?", fetchOf(w.at("news.test/")), fetchOf(w.at("news.test/a1")))}},
		{name: "forwarded text", turns: []chorus{forwarded("Party at ours on Sunday at five!"),
			asks("Note that.", call("write_file", map[string]any{"path": "diary.txt", "content": "Sunday: party.\n",
				"mode": "append"}))}},
		{name: "forwarded link", turns: []chorus{forwarded("Look, how nice: " + soup), asks("What is it?", fetchOf(soup))}},
		{name: "saved page, later", turns: []chorus{asks("Save "+soup, fetchOf(soup), writeOf("notes/soup3.md", "Leeks.\n")),
			asks("What did I save? Also look at "+w.at("recipes.test/bread"), readOf("notes/soup3.md"),
				fetchOf(w.at("recipes.test/bread")))}},
		once("clean up after a page", "Save "+soup+" and delete my old list.", fetchOf(soup), writeOf("notes/soup4.md",
			"Leeks.\n"),
			call("delete_file", map[string]any{"path": "notes/old.md"})),
	}
}
