package intents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/intents"
)

// A name at the edge of a message may have swallowed what is no part of it: a time at which the chore would be wanted, somebody who is
// spoken to, another clause, an example. Then nothing is done.
func TestRead_Edges(t *testing.T) {
	t.Parallel()
	for of, texts := range map[string][]string{
		"a time": {
			"tomorrow toothpaste and bin bags on the shopping list", "tick off bananas tomorrow", "delete note 31 tomorrow", "einkaufsliste: gouda, trauben morgen",
			"um 5 klopapier auf die einkaufsliste", "убери колышки из списка поход завтра", "завтра мыло в список покупок", "удали заметку 31 через 10 минут",
			"五点厨房纸用完了，加到购物清单", "下周帐篷钉从露营清单里删掉",
		},
		"an order with a letter lost": {"ad cheese to the shopping list"},
		"another time of a timer":     {"set a 20 minute timer at 5", "set a 20 minute timer next week", "таймер на 45 секунд завтра", "下周定时20分钟", "um 5 wecker morgen früh 6:20"},
		"somebody": {
			"hey ann, toothpaste on the shopping list", "ann please toothpaste on the shopping list", "tell ann to 90 second timer", "sag ann klopapier auf die einkaufsliste",
			"попроси бена туалетную бумагу в список покупок", "эй аня, мыло в список покупок", "小安请帐篷钉从露营清单里删掉", "告诉小安把理发的提醒取消掉", "bitte jonas milch auf die einkaufsliste zu setzen",
		},
		"a clause": {
			"scrap the reminder about the haircut as soon as ben comes", "timer 12 minutes for the rice in case it rains", "购物清单加上牙膏和垃圾袋以防下雨", "scrap the reminder about the haircut did not work",
		},
		"an example": {"for example 90 second timer", "zum beispiel timer 3 min eier", "например мыло в список покупок", "比如购物清单加上牙膏", "命令是露营清单里加帐篷钉"},
		"a list":     {"tick off bananas on the shopping list nah", "小王要购物清单加上牙膏", "我试过购物清单加上牙膏"},
		"a thought":  {"move reminder 5 to 6 pm no wait", "tick off the bananas just kidding", "a reminder at 6 would have been nice", "eine erinnerung um 6 wäre schön gewesen", "notiz an mich selbst ist ein komischer satz"},
		"a verdict":  {"timer 7 minutes felt too long", "timer 7 minuten reicht nicht ganz", "таймер 7 минут оказался слишком долгим", "泡茶计时7分钟够不够", "计时7分钟太长了"},
		"an and":     {"add yoghurt with honey and nuts to the shopping list", "setz joghurt mit honig und nüssen auf die einkaufsliste", "добавь чипсы с солью и уксусом в список покупок"},
	} {
		for _, text := range texts {
			if r := intents.Default().Read(text).At(midday); r.Acts {
				t.Errorf("%s: %q is read as %s %s", of, text, r.Kind, r.Call.Args)
			}
		}
	}
	for text, want := range map[string]string{
		"put milk for tomorrow on the shopping list":      `{"list":"shopping","items":["milk for tomorrow"]}`,
		"todo list add call the plumber tomorrow":         `{"list":"todo","items":["call the plumber tomorrow"]}`,
		"добавь в список дел позвонить сантехнику завтра": `{"list":"todo","items":["позвонить сантехнику завтра"]}`,
		"能不能把牛奶加到购物清单":                                    `{"list":"shopping","items":["牛奶"]}`, "把牛奶加到购物清单好不好": `{"list":"shopping","items":["牛奶"]}`,
		"hey hob, toothpaste on the shopping list":    `{"list":"shopping","items":["toothpaste"]}`,
		"cancel the reminder about the trip to rome":  `{"about":"the trip to rome","change":"cancel"}`,
		"write into diary.txt that i moved the files": `{"path":"diary.txt","content":"i moved the files\n","mode":"append"}`,
		"отмени последние две вещи":                   `{"last":2}`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// German writes the name of a list in one word with "Liste". A slip of a usual one, an adjective and what is no list of a house are none.
func TestRead_ListInOneWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"setz Öl auf die Werkstattliste": `{"list":"werkstatt","items":["Öl"]}`, "auf die dm Liste noch Seife": `{"list":"dm","items":["Seife"]}`,
		"zeig die Hochzeitsliste": `{"list":"hochzeit"}`, "zeig die Hausliste": `{"list":"haus"}`, "zeig die Gäste-Liste": `{"list":"gäste"}`,
		"setz Zelte auf die Liste fürs Zeltlager": `{"list":"zeltlager","items":["Zelte"]}`, "zeig die Liste vom Zeltlager": `{"list":"zeltlager"}`,
		"setz Öl auf die Einkausliste": "", "setz Öl auf die lange Liste": "", "setz mich auf die Warteliste": "", "schreib das auf die lange Liste": "",
	} {
		if r := intents.Default().ReadIn("de", text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A timer stands in one word with its name. What is a kind of clock, and what is told of a timer, is none.
func TestRead_GermanTimers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Nudeltimer 9 Minuten": "remind nudel", "9 Minuten Nudeltimer": "remind nudel", "Küchentimer 5 Minuten": "remind ",
		"stopp den Nudeltimer": "reminder nudel", "stopp den Nudel-Timer": "reminder nudel", "Eier-Timer aus": "reminder eier", "stoppe den Timer Spaghetti": "reminder spaghetti",
		"Pizzatimer aus": "reminder pizza", "wie lange läuft der Pizzatimer noch": "reminders ",
		"den Pizzatimer lass laufen": " ", "der Nudeltimer 9 Minuten war zu lang": " ", "mein Nudeltimer ist kaputt": " ",
	} {
		var args struct{ Text, About string }
		r := intents.Default().ReadIn("de", text).At(midday)
		_ = json.Unmarshal(r.Call.Args, &args)
		if got := r.Call.Name + " " + strings.ToLower(args.Text+args.About); got != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A number is that of a reminder, and no word about one.
func TestRead_GermanMoves(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"verschieb die Erinnerung Zahnarzt auf 16 Uhr": `{"about":"Zahnarzt","change":"16 Uhr"}`, "verschieb den Zahnarzt auf 11": `{"about":"Zahnarzt","change":"11"}`,
		"verschieb die Zahnarzt-Erinnerung auf 16 Uhr": `{"about":"Zahnarzt","change":"16 Uhr"}`, "verschieb die Zahnarzterinnerung auf 16 Uhr": `{"about":"Zahnarzt","change":"16 Uhr"}`,
		"lösch die Geburtstagserinnerung": `{"about":"Geburtstag","change":"cancel"}`, "lösch die Kindheitserinnerungen aus": "",
		"verschieb die Erinnerung 5 auf 16 Uhr": `{"id":5,"change":"16 Uhr"}`, "verschieb das Sofa auf 3 Meter": "", "verschieb die Liste auf Seite 2": "",
	} {
		if r := intents.Default().ReadIn("de", text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A voice says the dot of a file or of an address.
func TestRead_SpokenDots(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"die Datei Rezept Punkt txt kannst du löschen": `{"path":"Rezept.txt"}`, "lies mal die Seite heise Punkt de vor": `{"url":"https://heise.de"}`,
	} {
		if r := intents.Default().ReadIn("de", text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What a person is to be reminded of may begin with the letter of the word before its time, name a timer, or begin with a "not" in Chinese.
func TestReminders_AnyText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"remind me at 3 to add milk to the pan": "2026-11-25T15:00:00Z add milk to the pan", "remind me at 5 to ask ben": "2026-11-25T17:00:00Z ask ben",
		"erinner mich um 5 und ruf ann an": " ", "三点提醒我开会": "2026-11-25T15:00:00Z 开会", "两点半提醒我加牛奶": "2026-11-25T14:30:00Z 加牛奶",
		"下午五点提醒我别开冰箱": "2026-11-25T17:00:00Z 别开冰箱", "下午五点别提醒我开冰箱": " ",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s: want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What a note or a file says may begin with a "not", where the words before it say that it is a text; a polite word before it is of the sentence.
func TestRead_Marked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"note: don't forget the stopcock":               "don't forget the stopcock",
		"note please: the key is with Ann":              "the key is with Ann",
		"make a note please the guest list is with Ann": "the guest list is with Ann",
		"notiz bitte: Haupthahn nicht vergessen":        "Haupthahn nicht vergessen",
		"make a file q.txt with the text don't look":    "don't look\n",
		"создай файл ц.txt с текстом не трогай":         "не трогай\n",
		"新建文件语录.txt内容是别删掉你爱的东西":                         "别删掉你爱的东西\n",
		"note not": "",
		"notiere nicht, dass der Schlüssel bei Ann liegt": "",
		"не записывай: ключ у Ани":                        "",
	} {
		var args struct{ Text, Content string }
		r := intents.Default().Read(text)
		_ = json.Unmarshal(r.Call.Args, &args) // where there is no call there are no arguments
		if got := args.Text + args.Content; got != want {
			t.Errorf("%q is read as %s %s, want %q", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, want := range map[string]string{
		"购物清单加蜂蜜酸奶": `["蜂蜜酸奶"]`, "setz den alten Pass suchen auf die Todo-Liste": `["den alten Pass suchen"]`, "setz den Käse auf die Todo-Liste": `["Käse"]`,
	} {
		var args struct{ Items json.RawMessage }
		r := intents.Default().Read(text)
		if _ = json.Unmarshal(r.Call.Args, &args); string(args.Items) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Sounds of thinking are no part of what is said, nor is what says how exact the time of a timer is. Words that only lead to what is to come are
// no reminder, and a number behind the time of a timer may be its minutes.
func TestReminders_Spoken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"remind me um tomorrow at 9 to call the vet": "2026-11-26T09:00:00Z call the vet", "erinnere mich morgen äh um 9 an den Tierarzt": "2026-11-26T09:00:00Z Tierarzt",
		"напомни завтра в 9 ну позвонить врачу": "2026-11-26T09:00:00Z позвонить врачу", "提醒我嗯明天九点打电话": "2026-11-26T09:00:00Z 打电话", "下午三点提醒我去接孩子": "2026-11-25T15:00:00Z 去接孩子",
		"set a timer for roughly ten minutes": "2026-11-25T12:10:00Z ", "stell nen timer auf ne viertelstunde": "2026-11-25T12:15:00Z ", "таймер примерно на 20 минут": "2026-11-25T12:20:00Z ", "计时十分钟左右": "2026-11-25T12:10:00Z ", "倒计时三分半": "2026-11-25T12:03:30Z ",
		"wake me at 7 30": "2026-11-26T07:30:00Z ⏰", "wecker morgen 6 30": "2026-11-26T06:30:00Z ⏰", "будильник на 6 45": "2026-11-26T06:45:00Z ⏰", "remind me at noon sharp to eat": "2026-11-26T12:00:00Z eat",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s: want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for _, text := range []string{
		"remind me tomorrow at", "remind me at 5 to go to", "erinnere mich morgen um 9 an den", "erinnere mich morgen um 9 daran", "напомни завтра в", "напомни завтра в 9 про", "明天九点提醒我把",
		"timer an hour twenty", "timer eine stunde fünfzehn pizza", "поставь таймер на час 20", "计时两分三十",
		"hak das Brot ab, äh, die Butter", "add milk, er, and eggs to the shopping list", "tick off everything but milk", `tick "call the bank", done at last`,
		"cancel the alarm and the timer", "move reminder 3 to 5 and 4 to 6", "set an alarm for 7 on weekdays and 9 on weekends",
	} {
		if r := intents.Default().Read(text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
}

// How something is to be noted is no part of the note, and pictures behind a sentence say nothing.
func TestRead_Manners(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"note quickly: buy stamps": "buy stamps", "merke dir dauerhaft: der Haupthahn ist im Keller": "der Haupthahn ist im Keller", "запиши срочно: позвонить Ане": "позвонить Ане", "记住一辈子：小明对花生过敏": "小明对花生过敏",
		"note dentist: 5pm": "dentist: 5pm", "note the key is with Ann 👍": "the key is with Ann",
	} {
		var args struct{ Text string }
		r := intents.Default().Read(text)
		if _ = json.Unmarshal(r.Call.Args, &args); args.Text != want {
			t.Errorf("%q is read as %s %s, want %q", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A picture that a person adds to what is kept is a part of it, and alone it is a thing. A nod to hob is neither.
func TestRead_Pictures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"note buy a cake 🎂":                          `note_add {"text":"buy a cake 🎂"}`,
		"note the code is 4711! 🙂👍":                  `note_add {"text":"the code is 4711! 🙂👍"}`,
		"note the key is with Ann 👍🏽":                `note_add {"text":"the key is with Ann"}`,
		"notiere: der Schlüssel liegt im Schuppen 🔑": `note_add {"text":"der Schlüssel liegt im Schuppen 🔑"}`,
		"запиши: ключ висит за дверью 🔑":             `note_add {"text":"ключ висит за дверью 🔑"}`,
		"记一下：钥匙在门后🔑":                                 `note_add {"text":"钥匙在门后🔑"}`,
		"remember that I live in Bath 🛁":             `remember {"text":"I live in Bath 🛁"}`,
		"add 🍕 to the shopping list":                 `list_add {"list":"shopping","items":["🍕"]}`,
		"setz 🍕 und Bier auf die Einkaufsliste":      `list_add {"list":"shopping","items":["🍕","Bier"]}`,
		"undo that 🙂":                                `undo {}`,
	} {
		if r := intents.Default().Read(text); r.Call.Name+" "+string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}

// What is noted keeps its words where no order is among them: those in quotes, a negation behind a comma, and a condition right behind the colon.
func TestRead_NotesGoOn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`note: call the plumber about the boiler, he said "not before 10"`:             `call the plumber about the boiler, he said "not before 10"`,
		"note that the boiler was serviced on 12/11, next one due in a year":           "the boiler was serviced on 12/11, next one due in a year",
		"note: if the boiler beeps, press reset":                                       "if the boiler beeps, press reset",
		"notiere: der Schlüssel fürs Gartenhaus hängt hinter der Tür, nicht im Flur":   "der Schlüssel fürs Gartenhaus hängt hinter der Tür, nicht im Flur",
		"schreib auf: Zählerstand 48213, nächste Ablesung am 1.12.":                    "Zählerstand 48213, nächste Ablesung am 1.12.",
		"запиши: если пищит котёл, нажать сброс":                                       "если пищит котёл, нажать сброс",
		"记一下：钥匙在门后，不在抽屉里":                                                              "钥匙在门后，不在抽屉里",
		"note: milk is out, add it to the shopping list":                               "",
		"note: the boiler was serviced, don't forget to delete notes.txt if it is old": "",
	} {
		var args struct{ Text string }
		r := intents.Default().Read(text)
		if _ = json.Unmarshal(r.Call.Args, &args); args.Text != want {
			t.Errorf("%q is read as %s %s, want %q", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A guess takes a person's own words as they are: none of the sentence that was made of them becomes a part of a thing or a text.
func TestGuess_KeepsWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"make a file todo.txt with the text one two three.", "add milk to the shopping list and remind me at 17:30 to buy it"} {
		if r := intents.Default().Guess(text); r.Kind != "" {
			t.Errorf("%q is taken for %s %s", text, r.Kind, r.Call.Args)
		}
	}
}
