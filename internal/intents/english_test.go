package intents_test

import (
	"strings"
	"testing"

	"hob/internal/intents"
)

// What only looks needs no sure reason behind it: whatever is told there, the look is the same. What acts does.
func TestRead_TalkBehindALook(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"is the jellyfin service up? the telly won't play anything":      `{"pattern":"jellyfin"}`,
		"am I doing anything on Saturday? My sister wants to come round": `{"from":"saturday"}`,
		"What did you change yesterday? Something's vanished.":           `{"of":"yesterday"}`,
		"toss a coin, Ben and I are fighting over the washing up":        `{"expr":"1d2"}`,
		"we need report.txt, so please delete it":                        "",
		"what's on the shopping list, and add milk":                      "",
		"good evening, what a day, three meetings and no lunch":          "",
		"delete old.txt, the garage won't believe it":                    "", // may be a joke
		"send me insurance.pdf, the garage wants to see it":              `{"path":"insurance.pdf"}`,
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Somebody else is told at a time. Without one it is said to whom it is for.
func TestRead_TellAtATime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"tell Sophie at five to feed the rabbit":              "Sophie: feed the rabbit",
		"at half six tell Ben to bring the bins in":           "Ben: bring the bins in",
		"let Ben know at six that dinner's at Gran's":         "Ben: dinner's at Gran's",
		"nudge Ben at 4 to do his homework":                   "Ben: do his homework",
		"tell Ann to call me back":                            "",
		"tell me at what time to come":                        "",
		"tell everyone at six to wash their hands":            "",
		"Ben told Anna at five to feed the rabbit":            "",
		"I'll tell Ben at five to feed the rabbit":            "",
		"remind me to move the car at 5, otherwise I'm fined": ": move the car , otherwise I'm fined",
	} {
		var got string
		r, _, what := reminderOf(text)
		if r.Kind == "remind" {
			_, whom, _ := strings.Cut(string(r.Call.Args), `"for":"`)
			whom, _, _ = strings.Cut(whom, `"`)
			got = whom + ": " + what
		}
		if r.Acts && got != want || !r.Acts && want != "" {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A known program is a command, and so is a word with a flag behind it.
func TestRead_ShellCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"run df -h": `{"command":"df -h"}`, "Run df -h /home for me": `{"command":"df -h /home"}`, "run uptime please": `{"command":"uptime"}`, "run git status": `{"command":"git status"}`,
		"run wc -l diary.md": `{"command":"wc -l diary.md"}`, "run the dishwasher at 8": "", "run me a bath": "", "run ls and delete a.txt": "", "run through the park": "",
		"run 5 miles tomorrow": "", "run free with the dog": "", "Dan will run df -h": "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Lengths of time in words, timers that begin now, and what rang and is put off.
func TestRead_LengthInWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"three and a half minutes, go":         `"at":"2026-11-25T12:03:30Z","text":"","timer":true`,
		"timer 90 seconds go":                  `"at":"2026-11-25T12:01:30Z","text":"","timer":true`,
		"gimme a 12 min timer for the pasta":   `"at":"2026-11-25T12:12:00Z","text":"the pasta","timer":true`,
		"let me sleep ten more minutes":        `"only":"rung","change":"ten minutes"`,
		"five more minutes":                    `"only":"rung","change":"five more minutes"`,
		"snooze it ten mins, I'm on the phone": `"only":"rung","change":"ten mins"`,
		"give me 14 minutes":                   "",
		"ten minutes":                          "",
		"make the alarm half an hour later":    `"change":"half an hour later"`, // no new one
		"from now on wake me at 7":             "",                              // every day?
		"from now on wake me at 7 on weekdays": `"repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"`,
		"tick off reminder 7":                  `"id":7,"change":"done"`,
		"the fourth reminder can go":           "",
	} {
		if r := intents.Default().Read(text).At(midday); want == "" && r.Acts || !strings.Contains(string(r.Call.Args), want) {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A polite question ends at its mark, and what stands behind that is no part of what is noted.
func TestRead_PoliteQuestion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Could you jot down that the boiler man's number is 960417? I always lose the bit of paper": `{"text":"the boiler man's number is 960417"}`,
		"could you note: pay Dan? We owe him":                                                       `{"text":"pay Dan? We owe him"}`,
		"note that Ben asked who pays? We do":                                                       `{"text":"Ben asked who pays? We do"}`,
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A reminder that ends with its time does not go on behind "and", and a thing that is on no list is on the one that was named before.
func TestRead_SecondChore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"remind me to call the landlord tomorrow at 11am and add mould spray to the shopping list": "remind+list_add",
		"remind me at 5 to call Ana and add milk to the shopping list":                             "", // at 5?
		"remind me to ring the vet at 3, and worming tablets need adding to the shopping list":     "remind+list_add",
		"remind me to ring the vet and worming tablets need adding to the shopping list":           "", // when?
		"remind me every other... no, every Sunday":                                                "",
		"add tent pegs to the camping list and tick off the gas stove":                             "list_add+list_tick",
	} {
		r := intents.Default().Read(text).At(midday)
		if r.Kind != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
		if want == "list_add+list_tick" && string(r.Parts[1].Call.Args) != `{"list":"camping","items":["gas stove"]}` {
			t.Errorf("%q ticks %s", text, r.Parts[1].Call.Args)
		}
	}
}

// What is told of a thing before the order that is about it, also in a sentence of its own, and a reason that has no mark before it.
func TestRead_ThingBeforeOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I'm sick of the gym reminder, cancel it":                                     `{"about":"gym","change":"cancel"}`,
		"nobody eats the kale so take it off the shopping list":                       `{"list":"shopping","items":["kale"]}`,
		"got the ham and the rolls, tick 'em off the shopping list":                   `{"list":"shopping","items":["ham","rolls"]}`,
		"draft2.txt can go. Delete it.":                                               `{"path":"draft2.txt"}`,
		"Note number four is out of date. Delete it.":                                 `{"note":"4"}`,
		"the plum jam's still on the shopping list but I got some today, tick it off": `{"list":"shopping","items":["plum jam"]}`,
		"tomatoes were crossed off the shopping list by accident, untick them":        `{"list":"shopping","items":["tomatoes"],"open":true}`,
		"We're out of oat milk. Add it to the shopping list please.":                  `{"list":"shopping","items":["oat milk"]}`,
		"We're out of time. Put it on the shopping list.":                             "",
		"The bin reminder can go, we moved. Cancel it.":                               "",
		"bin old.txt we don't need it any more":                                       `{"path":"old.txt"}`,
		"send me insurance.pdf I need it for the garage":                              `{"path":"insurance.pdf"}`,
		"remove tea from the shopping list as we're drowning in it":                   `{"list":"shopping","items":["tea"]}`,
		"cross em off the shopping list":                                              "",
		"nobody ever told me to delete report.txt":                                    "",
		"the flour got ticked off the shopping list":                                  "",
		"milk's still on the shopping list but Ben says he got some, tick it off":     "",
		"remove tea from the shopping list as I'm told":                               "",
		"delete old.txt we don't need the file, Ben says":                             "",
		"draft.txt should be called letter.txt but don't rename it":                   "",
		"why don't you want me using the web tool, switch it off":                     "",
		"I need report.txt. Delete it.":                                               "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Other words for what there are sentences for.
func TestRead_OtherWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"bump the gym reminder to friday at 9":                               `{"about":"gym","change":"friday at 9"}`,
		"search my notes for anything to do with the roof":                   `{"query":"roof"}`,
		"keep in mind for next time that the blue tent leaks":                `{"text":"the blue tent leaks"}`,
		"show me what got changed yesterday":                                 `{"of":"yesterday"}`,
		"is the jellyfin service up or has it crashed":                       `{"pattern":"jellyfin"}`,
		"comb through our old chats and find where we talked about the tent": `{"query":"tent"}`,
		"shopping list: bread, bananas, cat food":                            `{"list":"shopping","items":["bread","bananas","cat food"]}`,
		"nappies need putting on the shopping list":                          `{"list":"shopping","items":["nappies"]}`,
		"new folder, call it Recipes":                                        `{"path":"Recipes/"}`,
		"does bread need adding to the shopping list":                        "",
		"nothing needs adding to the shopping list":                          "",
		"Anna thinks bread needs adding to the shopping list":                "",
		"milk needed adding to the shopping list":                            "",
		"bump into Anna at 5":                                                "",
		"ring the vet, remind me at 3, and put tea on the shopping list":     "", // and no crash
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What is somebody's own, what is told behind a thing that goes, and a word that is looked for.
func TestRead_NamedThings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"you can forget Ben's old phone number":                                                          `{"fact":"Ben's old phone number"}`,
		"scrap what I said about the alarm code, it's changed":                                           `{"fact":"alarm code"}`,
		"that thing about Ben's teacher, forget it again":                                                `{"fact":"Ben's teacher"}`,
		"put this in my garden notes: roses pruned":                                                      `{"text":"roses pruned","topic":"garden"}`,
		"search the notes for the word insurance":                                                        `{"query":"insurance"}`,
		"get rid of the note about the paint colours, we've finished it now":                             `{"note":"paint colours"}`,
		"bin the note about Derek, he's retired":                                                         `{"note":"Derek"}`,
		"send me rota.txt so I've got it on my phone":                                                    `{"path":"rota.txt"}`,
		"I'm looking for a file, think it's got mortgage in the name":                                    `{"name":"mortgage"}`,
		"the file is called a.txt but it should be b.txt, rename it":                                     `{"path":"a.txt","to":"b.txt"}`,
		"set the house time zone to Europe/London":                                                       `{"set":"Europe/London"}`,
		"turn the calendar tool off for now":                                                             `{"disable":"calendar"}`,
		"find the old chat where we talked about the new sofa":                                           `{"query":"new sofa"}`,
		"what's this week looking like on the calendar":                                                  `{"from":"week"}`,
		"roll a twenty-sided die":                                                                        `{"expr":"1d20"}`,
		"what's https://example.org/x.html about? Sum it up for me.":                                     `{"url":"https://example.org/x.html"}`,
		"nearly out of foil, could you add it to the shopping list?":                                     `{"list":"shopping","items":["foil"]}`,
		"keep in mind for later what the plumber said about the valve":                                   "",
		"forget it's Friday":                                                                             "",
		"he forgot Ben's phone number":                                                                   "",
		"put this in the oven: pie":                                                                      "",
		"I went home so note that down the street it is":                                                 "",
		"Ben said so, note that down":                                                                    "",
		"I'm looking for a file":                                                                         "",
		"we talked about the new sofa":                                                                   "",
		"nearly out of breath, write it on the list":                                                     "",
		"start counting on me":                                                                           "",
		"set a reminder for 7.30 tonight to call Ana":                                                    `{"at":"2026-11-25T19:30:00Z","text":"call Ana","lang":"en"}`,
		"Both the soap and the shampoo are in the trolley, tick them off":                                `{"list":"shopping","items":["soap","shampoo"]}`,
		"Get the crossed-off bits off the shopping list":                                                 `{"list":"shopping","ticked":true}`,
		"we've got plenty of rice, so take it off the shopping list":                                     `{"list":"shopping","items":["rice"]}`,
		"because Ben's birthday is coming up, remind me on Monday at 5 to bake a cake":                   `{"at":"2026-11-30T17:00:00Z","text":"bake a cake","other":"2026-11-30T05:00:00Z","lang":"en"}`,
		"set a reminder for 5 eggs tomorrow":                                                             `{"at":"2026-11-26T09:00:00Z","text":"5 eggs","lang":"en"}`,
		"is the car free on Friday":                                                                      "",
		"he scrubbed the mushrooms off the list":                                                         "",
		"both the soap and the shampoo are in the trolley":                                               "",
		"we've got plenty of rice":                                                                       "",
		"could you tell me at twenty past four that the parcel needs collecting":                         `{"at":"2026-11-25T16:20:00Z","text":"the parcel needs collecting","other":"2026-11-26T04:20:00Z","lang":"en"}`,
		"cancel the reminder at 5":                                                                       `{"about":"5","change":"cancel"}`,
		"knock the 5 o'clock reminder on the head":                                                       `{"about":"5 o'clock","change":"cancel"}`,
		"show me the last 20 lines of the nginx log":                                                     `{"unit":"nginx","lines":20}`,
		"have we got butter down on the shopping list yet":                                               `{"list":"shopping"}`,
		"which notes mention the car":                                                                    `{"query":"car"}`,
		"does the word deposit come up in any of my files":                                               `{"pattern":"deposit"}`,
		"get me up at 6.45 on schooldays":                                                                `{"at":"2026-11-26T06:45:00Z","repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR","text":"⏰","other":"2026-11-25T18:45:00Z","lang":"en"}`,
		"tell me honestly that the parcel came":                                                          "",
		"the last 20 lines of the letter":                                                                "",
		"my alarm should be quieter":                                                                     "",
		"knock the vase on the head":                                                                     "",
		"every day at 20:00 take the drops for a week | every day, 20:00, from Tue 24 Nov 2026, 7 times": "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, kind := range map[string]string{
		"tell me everything you've memorised so far": "facts", "continue the story": "stories", "which tools have you got switched on": "tools",
		"show me what processes are running": "processes", "which lists are on the go": "lists", "did anything happen while we were asleep": "log",
		"tell me a story about everything you've memorised": "", "we continue the story tomorrow": "",
	} {
		if r := intents.Default().Read(text).At(midday); r.Kind != kind {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, kind)
		}
	}
}

// The day, or the place, of which something is asked may be named before the question. Two of them name none, and what acts asks for its own.
func TestRead_NamedBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Priya wants to come on Saturday, is there anything in our calendar that day?": `{"from":"saturday"}`,
		"my sister is in Toronto, what time is it over there?":                         `{"zone":"America/Toronto"}`,
		"we're in Rome or Paris, what time is it there?":                               "",
		"Before I say yes to Friday, is there anything in the diary?":                  "", // of Friday
		"Ben wants to know what's on the shopping list":                                `{"list":"shopping"}`,
		"you don't happen to know what's on tomorrow?":                                 `{"from":"tomorrow"}`,
		"Ben wants to know how to delete old.txt":                                      "",
		"Ben's asking to add milk to the shopping list":                                "",
		"before I save these films, how full is the disk?":                             `{"about":"disk"}`,
		"before I save these films, delete old.txt":                                    "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What is to be done begins with a verb, also where it stands before the list that it belongs on. A mere preposition makes none of an order.
func TestRead_TaskBeforeItsList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ring the vet needs to go on my to-do list":          `{"list":"todo","items":["ring the vet"]}`,
		"Descale the kettle, that's one for the to-do list.": `{"list":"todo","items":["Descale the kettle"]}`,
		"cat food, that's another one for the shopping list": `{"list":"shopping","items":["cat food"]}`,
		"delete milk needs to go on the shopping list":       "",
		"that's one for the to-do list":                      "",
		"delete report.txt, that's one for the to-do list":   `{"list":"todo","items":["delete report.txt"]}`,
		"move milk to the to-do list":                        "",
	} {
		if r := intents.Default().Read(text).At(midday); r.Kind == "list_add" && string(r.Call.Args) != want || want != "" && r.Kind != "list_add" {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// An alarm is of the day that is told before it, and a reminder comes as often as what happens.
func TestReminders_OfWhatHappens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Early train tomorrow, wake me at six":                         "2026-11-26T06:00:00Z ⏰",
		"My flight is on Sunday, get me up at 4":                       "2026-11-29T04:00:00Z ⏰",
		"the plumber might come on Sunday, wake me at six":             " ",
		"we fly on Saturday at 6, wake us at 3":                        " ",
		"yoga is on Mondays, remind me weekly at 6pm":                  "2026-11-30T18:00:00Z yoga",
		"yoga is on Mondays, remind me every month at 6pm":             " ",
		"yoga was on Mondays, they said, remind me weekly at 6pm":      " ",
		"I always forget the bins, remind me on Thursday at 7pm":       "2026-11-26T19:00:00Z the bins",
		"I always forget the bins":                                     " ",
		"the bins, remind me about them tonight, quarter to seven":     "2026-11-25T18:45:00Z the bins",
		"remind me tonight, 7pm, about the bins":                       "2026-11-25T19:00:00Z the bins",
		"starting tonight, remind me every day at 8pm to feed the cat": "2026-11-25T20:00:00Z feed the cat",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s: want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What somebody else wants is no order of theirs where hob is asked politely behind it.
func TestRead_OrderBehindAWish(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"The shop wants proof, so would you mind sending me warranty.pdf?": `{"path":"warranty.pdf"}`,
		"Ben wants to be rich, could you delete old.txt?":                  "",
		"She wants to know, could you set an alarm for six?":               "",
		"The cat's on tablets: remind me at 8 pm to give her one":          `"text":"give her one"`,
		"the note says it's late: cancel reminder 3":                       "",
		"the sign says: cancel reminder 3":                                 "",
		"My locker code at the gym: you can forget that now":               `{"fact":"locker code at the gym"}`,
		"Nobody wants the liver, take it off the shopping list":            `{"list":"shopping","items":["liver"]}`,
		"Ben wants the liver, take it off the shopping list":               "",
		"apples on the shopping list, Dan loves them":                      "", // he loves no thing of a list
	} {
		if r := intents.Default().Read(text).At(midday); want == "" && r.Acts || !strings.Contains(string(r.Call.Args), want) {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What stays where it is, whom something displeases, and a doubt behind an order are no orders. The one that is named behind an order is what it is about.
func TestRead_NoOrderOfWhatStays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Mushrooms needn't stay on the shopping list":                          "",
		"the yoghurts remain on the shopping list":                             "",
		"Gran dislikes olives on the shopping list":                            "",
		"olives on the shopping list":                                          `"items":["olives"]`,
		"delete old.txt, I'm not sure":                                         "",
		"delete old.txt, no one has to":                                        "",
		"delete old.txt, we can't decide":                                      "",
		"delete old.txt, nobody needs it":                                      `{"path":"old.txt"}`,
		"cancel the reminder, the one about the tyres":                         `"about":"the tyres"`,
		"cancel the reminder, the one about the tyres stays":                   "",
		"delete the note, the one about the boiler remains":                    "",
		"Keep in mind for later, I'll ask you again: the key is under the pot": `{"text":"the key is under the pot"}`,
	} {
		if r := intents.Default().Read(text).At(midday); want == "" && r.Acts || !strings.Contains(string(r.Call.Args), want) {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
