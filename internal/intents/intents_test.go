package intents_test

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/intents"
	"hob/internal/llm"
)

// sentence is a line of a corpus: what a person writes, and the call that it means.
type sentence struct {
	Text   string         `json:"text"`
	Lang   string         `json:"lang"`
	Intent string         `json:"intent"`
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Why    string         `json:"why"`   // it may be read wrongly
	Calls  []callOf       `json:"calls"` // of what is several chores, or may be passed on
}

func corpus(t *testing.T, path string) (all []sentence) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sentence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// outcome says what became of a sentence: right, wrong, asked, or none.
func outcome(t *testing.T, s sentence, r intents.Reading) string {
	t.Helper()
	var args map[string]any
	if r.Call.Name != "" {
		if err := json.Unmarshal(r.Call.Args, &args); err != nil {
			t.Fatalf("%q: arguments %s: %v", s.Text, r.Call.Args, err)
		}
	}
	if text, ok := args["content"].(string); ok {
		args["content"] = strings.TrimSuffix(text, "\n")
	}
	if r.Call.Name == "remind" || r.Call.Name == "reminders" || r.Call.Name == "calendar" { // these are for the buttons and for the words around it
		delete(args, "other")
		delete(args, "lang")
	}
	switch {
	case len(r.Parts) > 0 && isCalls(t, r, s.Calls):
		return "right"
	case r.Kind == "":
		return "none"
	case r.Ask != "":
		return "asked"
	case r.Kind == s.Intent && r.Call.Name == s.Tool && (len(args)+len(s.Args) == 0 || reflect.DeepEqual(args, s.Args)):
		if r.Score < 1 && r.Acts {
			return "asked"
		}
		return "right"
	}
	return "wrong"
}

func TestCorpora(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/*.jsonl")
	if f := os.Getenv("HOB_TEST_SENTENCES"); f != "" {
		files = []string{f}
	}
	all := intents.Default()
	for _, file := range files {
		count := map[string]map[string]int{}
		for _, s := range corpus(t, file) {
			r := all.Loosely(s.Text)
			how := outcome(t, s, r)
			for _, of := range []string{s.Lang, "all"} {
				if count[of] == nil {
					count[of] = map[string]int{}
				}
				count[of][how]++
			}
			if how != "right" {
				t.Logf("%s %s %s %q: want %v %v, got %s %s", how, s.Lang, s.Intent, s.Text, s.Tool, s.Args, r.Kind, r.Call.Args)
			}
		}
		t.Logf("%s: %v", strings.TrimPrefix(file, "testdata/"), count)
		all := count["all"]
		if n := all["right"] + all["asked"] + all["none"] + all["wrong"]; all["right"]*10 < n*9 || all["wrong"]*200 > n {
			t.Errorf("%s: of %d sentences %d are read right and %d wrong: at least 90 %% and at most 0.5 %% shall be",
				file, n, all["right"], all["wrong"])
		}
	}
}

// Words that name nothing are no name: what is left to a person's words must not end in what belongs to the sentence, begin with what
// hangs on another word, or consist of words such as "the last one".
func TestRead_NamesNothing(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for _, text := range []string{
		"add it to the shopping list", "add 2 more to the shopping list", "put everything on the shopping list", "tick off all of it",
		"remove the last item from the shopping list", "tick off milk and everything", "delete the last note", "note that",
		"add milk to the list", "clear the list", "empty the list", "remove it from the list", "what's in the folder", "show files in there", "move a.txt to the right",
		"search my notes for boiler asap", "find my notes about it", "find files about cats", "find all my files", "is everything running",
		"run the command ls -la now", "open the story about the mill", "make a file hello.txt with a poem",
		"setz es auf die Einkaufsliste", "hak die letzte ab", "hak Milch und alles ab", "lösch die letzte Notiz",
		"verschiebe a.txt nach rechts", "such etwas in meinen Notizen", "läuft alles", "erstelle hallo.txt mit einem Gedicht",
		"добавь всё в список покупок", "отметь последнее", "удали последнюю заметку", "переместь a.txt вправо",
		"把它加到购物清单", "划掉最后一个", "把最后一个从购物清单删掉", "删除最后一条笔记", "在笔记里找东西",
		"新建hello.txt写一首诗",
	} {
		if r := all.Read(text); r.Call.Name != "" {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
	for text, want := range map[string]string{
		"search my notes for the boiler": `{"query":"boiler"}`,
		"cross out the milk":             `{"list":"shopping","items":["milk"]}`,
		"open the notes skill":           `{"open":"notes"}`,
		"show files in notes":            `{"path":"notes"}`,
		"note the last one is with Ann":  `{"text":"the last one is with Ann"}`,
		"帮我记一下明天去网吧":                     `{"text":"明天去网吧"}`,
		"帮我记一下明天交电费吧":                    `{"text":"明天交电费"}`,
	} {
		if r := all.Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}

// Behind the last comma may stand why something is wanted, or whom it is said to. It does not end what is noted.
func TestRead_Reasons(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, want := range map[string]string{
		"untick bread on the shopping list, it was mouldy":             `{"list":"shopping","items":["bread"],"open":true}`,
		"delete pens from the shopping list, we won't be needing them": `{"list":"shopping","items":["pens"]}`,
		"put tea on the shopping list, my friend":                      `{"list":"shopping","items":["tea"]}`,
		"note the milk is sour, it was left out":                       `{"text":"the milk is sour, it was left out"}`,
		"setz Tee auf die Einkaufsliste, wir haben keinen mehr":        `{"list":"shopping","items":["Tee"]}`,
		"notiere die Milch ist sauer, sie stand draußen":               `{"text":"die Milch ist sauer, sie stand draußen"}`,
		"добавь чай в список покупок, у нас он кончился":               `{"list":"shopping","items":["чай"]}`,
		"把茶加到购物清单，家里没有了":                                               `{"list":"shopping","items":["茶"]}`,
		"家里来客人了，酸奶加到购物清单":                                              `{"list":"shopping","items":["酸奶"]}`,
		"药已经吃了，吃药那条提醒标成完成":                                             `{"about":"吃药","change":"done"}`,
		"put tea on the shopping list, no rush":                        `{"list":"shopping","items":["tea"]}`,
		"put tea on the shopping list, we don't":                       ``,
		"put tea on the shopping list, it can wait":                    ``,
		"delete a.txt, they said":                                      ``,
		"delete a.txt, I'm joking":                                     ``,
		"delete a.txt, we said it is old?":                             ``,
		"put noodles and also tomato sauce on the shopping list":       `{"list":"shopping","items":["noodles","tomato sauce"]}`,
		"add noodles, also tea to the shopping list":                   `{"list":"shopping","items":["noodles","tea"]}`,
		"bin bags and sponges on the shopping list":                    `{"list":"shopping","items":["bin bags","sponges"]}`,
		"add milk and bin bags to the shopping list":                   `{"list":"shopping","items":["milk","bin bags"]}`,
		"was muss ich noch einkaufen? Zeig mal die Einkaufsliste":      `{"list":"shopping"}`,
		"run ls -la":            `{"command":"ls -la"}`,
		"run errands at 5":      ``, // nothing says that it is a command
		"run 10k -ish":          ``,
		"run find your glasses": ``,
		"run ls and tell me":    ``,
		"when did we talk about the cottage? Search the chat": `{"query":"cottage"}`,
		"Was kommt als Nächstes?":                             ``,
		"Wer kommt als Nächstes?":                             ``,
		"Was kommt als Nächstes, woran erinnerst du mich?":    `{"only":"next"}`,
		"поставь на Италию":                                   ``, // of what?
		"смени на Польшу":                                     ``,
		"roll two dice":                                       `{"expr":"2d6"}`,
		"roll two six-sided dice and add 3":                   `{"expr":"2d6+3"}`,
		"roll a d20 minus 2":                                  `{"expr":"1d20-2"}`,
		"würfel mal mit nem zwanzigseitigen":                  `{"expr":"1d20"}`,
		"掷两个骰子":                                               `{"expr":"2d6"}`,
		"roll two six-sided dice":                             `{"expr":"2d6"}`,
		"würfel mit drei zwanzigseitigen Würfeln":             `{"expr":"3d20"}`,
		"брось кубик на двадцать граней":                      `{"expr":"1d20"}`,
		"кинь двадцатигранник":                                `{"expr":"1d20"}`,
		"брось три шестигранника":                             `{"expr":"3d6"}`,
	} {
		if r := all.Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}

// Quotes hold a thing of a list together, whatever stands in them.
func TestRead_QuotedItems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`add "olive oil, extra virgin" to the shopping list`:           `{"list":"shopping","items":["olive oil, extra virgin"]}`,
		`add 'olive oil, extra virgin' to the shopping list`:           `{"list":"shopping","items":["olive oil, extra virgin"]}`,
		`add milk, "salt and pepper" and eggs to the shopping list`:    `{"list":"shopping","items":["milk","salt and pepper","eggs"]}`,
		`add "salt and pepper" and "fish; chips" to the shopping list`: `{"list":"shopping","items":["salt and pepper","fish; chips"]}`,
		`setz „Öl, nativ“ auf die Einkaufsliste`:                       `{"list":"shopping","items":["Öl, nativ"]}`,
		`добавь «масло, оливковое» в список покупок`:                   `{"list":"shopping","items":["масло, оливковое"]}`,
		`把“橄榄油，特级初榨”加到购物清单`:                                            `{"list":"shopping","items":["橄榄油，特级初榨"]}`,
		`tick "olive oil, extra virgin" off the shopping list`:         `{"list":"shopping","items":["olive oil, extra virgin"]}`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}

// What newcomers say is understood.
func TestRead_Everyday(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"disk": `system_status {"about":"disk"}`, "memory": `system_status {"about":"memory"}`, "load": `system_status {"about":"load"}`, "Festplatte": `system_status {"about":"disk"}`,
		"диск": `system_status {"about":"disk"}`, "память": `system_status {"about":"memory"}`, "内存": `system_status {"about":"memory"}`,
		"is milk on the shopping list?": `list_show {"list":"shopping"}`, "are milk and eggs on the shopping list": `list_show {"list":"shopping"}`, "is it on the shopping list": ` `,
		"steht Milch auf der Einkaufsliste?": `list_show {"list":"shopping"}`, "есть ли молоко в списке покупок?": `list_show {"list":"shopping"}`, "购物清单上有牛奶吗？": `list_show {"list":"shopping"}`,
		"snooze reminder 2 for 10 minutes": `reminder {"id":2,"change":"10 minutes"}`, "verschieb Erinnerung 2 um 10 Minuten": `reminder {"id":2,"change":"10 Minuten"}`,
		"отложи напоминание 2 на 10 минут": `reminder {"id":2,"change":"10 минут"}`, "把提醒2推迟10分钟": `reminder {"id":2,"change":"10分钟"}`,
		"suche meine Notizen nach Milch": `note_find {"query":"Milch"}`, "tick milk": `list_tick {"list":"shopping","items":["milk"]}`, "tick it": ` `, "memory lane": ` `,
		"create a file called todo.txt saying buy paint": `write_file {"path":"todo.txt","content":"buy paint\n"}`,
	} {
		if r := intents.Default().Read(text).At(midday); r.Call.Name+" "+string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}

// A thing that is only named is no note, and what is no program is no service. In quotes, behind a colon or with a word more it is one.
func TestRead_NotesOfNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"is the internet up", "is the wifi down?", "läuft das Internet", "работает ли internet"} {
		if r := intents.Default().Loosely(text); r.Kind != "" {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
	for _, text := range []string{
		"add a note to the shopping list", "note the time", "note the date", "write down the time", "make a note of the weather", "note the dentist", "make a note to my to-do list",
		"notiere die Uhrzeit", "schreib die Einkaufsliste auf", "notier das Datum", "запиши время", "запиши список покупок", "запиши погоду", "记一下时间", "记下购物清单",
	} {
		if r := intents.Default().Loosely(text); r.Call.Name == "note_add" {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
	for text, want := range map[string]string{
		"note the key is with Ann": "the key is with Ann", "note: the dentist": "the dentist", `note "the time"`: "the time", "add a note to water the plants": "water the plants",
		"note the internet is down": "the internet is down", "note the time of the meeting is 5": "the time of the meeting is 5", "note milk": "milk", "notiere Milch": "Milch", "запиши купить хлеб": "купить хлеб",
	} {
		var args struct{ Text string }
		r := intents.Default().Read(text)
		if err := json.Unmarshal(r.Call.Args, &args); err != nil || r.Kind != "note" || args.Text != want {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
}

// A short name is no slip of another.
func TestNearest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"shoping": "shopping", "shpopnig": "shopping", "Campign": "camping", "camps": "", "shopping": "", "shop": "", "tody": "", "camping-trip": "", "список-покупак": "список-покупок",
	} {
		if got := intents.Nearest(name, []string{"todo", "shopping", "camping", "список-покупок"}); got != want {
			t.Errorf("%q is a slip of %q, want %q", name, got, want)
		}
	}
}

// Things that stand side by side are as many, unless two are the name of another.
func TestRead_ThingsSideBySide(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"milch eier und brot auf die einkaufsliste": `["milch","eier","brot"]`, "put milk eggs and bread on the shopping list": `["milk","eggs","bread"]`,
		"put rice milk eggs and garlic bread on the shopping list": `["rice milk","eggs","garlic bread"]`, "put brown bread and olive oil on the shopping list": `["brown bread","olive oil"]`,
		"добавь молоко яйца и хлеб в список покупок": `["молоко","яйца","хлеб"]`, "добавь растительное масло в список покупок": `["растительное масло"]`,
		"把牛奶鸡蛋和面包加到购物清单": `["牛奶","鸡蛋","面包"]`, "把牛奶 猫粮加到购物清单": `["牛奶","猫粮"]`, "把牛奶巧克力加到购物清单": `["牛奶巧克力"]`, "把牛奶巧克力鸡蛋加到购物清单": `["牛奶巧克力","鸡蛋"]`, "购物清单加：西红柿、鸡蛋，还有一把葱": `["西红柿","鸡蛋","一把葱"]`, "setz 2 l Milch auf die Einkaufsliste": `["2 l Milch"]`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != `{"list":"shopping","items":`+want+"}" {
			t.Errorf("%q is read as %s, want %s", text, r.Call.Args, want)
		}
	}
}

// What names no list may be of one, or nothing: it is a thing of a word or two.
func TestRead_Bare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"add milk": `list_add {"items":["milk"]}`, "also add eggs and oat milk": `list_add {"items":["eggs","oat milk"]}`, "füg Milch hinzu": `list_add {"items":["Milch"]}`,
		"добавь молоко": `list_add {"items":["молоко"]}`, "再加牛奶": `list_add {"items":["牛奶"]}`, "I bought milk": `list_tick {"items":["milk"]}`, "got the eggs": `list_tick {"items":["eggs"]}`,
		"ich hab Milch gekauft": `list_tick {"items":["Milch"]}`, "Milch habe ich": `list_tick {"items":["Milch"]}`, "купила молоко": `list_tick {"items":["молоко"]}`, "молоко куплено": `list_tick {"items":["молоко"]}`,
		"牛奶买好了": `list_tick {"items":["牛奶"]}`, "我买了牛奶": `list_tick {"items":["牛奶"]}`,
		"add a footnote to the letter": " ", "add it": " ", "add milk if you can afford it": " ", "never add milk": " ", "I bought milk yesterday but it was sour": " ", "I didn't buy milk": " ",
		"have you bought milk?": " ", "did we buy milk": " ", "Ann bought milk": " ", "if I bought milk": " ", "ich habe keine Milch gekauft": " ", "hast du Milch gekauft?": " ", "wenn ich Milch gekauft habe": " ",
		"я не купил молоко": " ", "кто купил молоко?": " ", "если я купил молоко": " ", "我没买牛奶": " ", "谁买了牛奶？": " ", "加油": " ",
	} {
		r := intents.Default().Read(text)
		if got := r.Unnamed.Name + " " + string(r.Unnamed.Args); got != want || r.Bare != (want != " ") || r.Acts || r.Call.Name != "" {
			t.Errorf("%q is read as %s %s, unnamed %s, bare: %v", text, r.Call.Name, r.Call.Args, got, r.Bare)
		}
	}
}

// nearMisses makes of a sentence what sounds like it and asks for nothing: each % stands for the sentence.
func nearMisses(lang string) []string {
	return map[string][]string{
		"en": {
			"don't %", "do not %", "please don't %", "never %", "you must not %",
			"I wanted to %", "yesterday I asked you to %", "you were supposed to %", "I have already told Ann to %",
			"how do I %", "how can one %?", "what happens if I %?", "should I %?", "why did you %?", "is it possible to %?",
			"if it rains, %", "% if it rains", "when I am home, %", "% unless Ann is there", "only if Ben agrees, %", "% when you are done",
			"Ann said: %", "my boss told me to %", "she asked whether you could %", "Ben wants me to %", "the letter says %",
			"\"%\"", "he wrote \"%\"", "the sentence \"%\" is nice", "translate: %", "what does \"%\" mean?",
		},
		"de": {
			"bitte nicht: %", "auf keinen Fall %", "niemals %", "du sollst nicht %",
			"ich wollte eigentlich %", "gestern hatte ich gesagt: %", "ich habe Ann schon gesagt: %",
			"wie kann ich %?", "wie geht das: %", "was passiert bei %?", "soll ich %?", "warum hast du %?",
			"wenn es regnet, %", "% falls es regnet", "sobald ich zu Hause bin, %", "nur wenn Ben zustimmt, %", "% wenn du fertig bist",
			"Ann sagt: %", "mein Chef hat gesagt, %", "sie fragte: %", "Ben möchte, dass ich %", "im Brief steht: %",
			"\"%\"", "„%“", "er schrieb „%“", "der Satz „%“ ist schön", "übersetze: %", "was bedeutet „%“?",
		},
		"ru": {
			"не надо: %", "не %", "ни в коем случае не %", "никогда не %",
			"я хотел %", "вчера я просил: %", "я уже сказал Ане: %",
			"как мне %?", "как сделать так: %", "что будет, если %?", "стоит ли %?", "зачем ты %?",
			"если пойдёт дождь, %", "% если пойдёт дождь", "когда я приду домой, %", "только если Бен согласится, %", "% когда закончишь",
			"Аня сказала: %", "начальник велел %", "она спросила: %", "Бен хочет, чтобы я %", "в письме написано: %",
			"\"%\"", "«%»", "он написал «%»", "фраза «%» красивая", "переведи: %", "что значит «%»?",
		},
		"zh": {
			"不要%", "别%", "千万不要%", "不用%了",
			"我本来想%", "昨天我说过%", "我已经跟小安说过%",
			"怎么%？", "如何才能%", "如果我%会怎么样？", "我应该%吗？", "你为什么%？",
			"如果下雨，%", "%，如果下雨的话", "等我到家，%", "要是小本同意，%", "%，等你做完的时候",
			"小安说：%", "老板让我%", "她问能不能%", "小本想让我%", "信里写着：%",
			"“%”", "「%」", "他写了“%”", "“%”这句话很好", "翻译：%", "“%”是什么意思？",
		},
	}[lang]
}

// afterthoughts take back what they follow, or put it off. Behind the text of a note or a file they are a part of it.
func afterthoughts(lang string) []string {
	return map[string][]string{
		"en": {"%, I'm only joking", "%, it says in the letter", "%, we wanted to tomorrow", "%, they asked", "%, I don't mean that"},
		"de": {"%, das war ein Scherz", "%, so sagt Ann", "%, wir wollten das morgen", "%, ich meine das nicht"},
		"ru": {"%, я пошутил", "%, он сказал", "%, мы хотели завтра", "%, я не просил"},
		"zh": {"%，我开玩笑的", "%，他说的", "%，我们明天要做"},
	}[lang]
}

// secondChores are what makes two chores of one, with the call that the second becomes; nil where it hangs on the first.
func secondChores(lang string) map[string]*callOf {
	remove := func(path string) *callOf { return &callOf{"delete_file", map[string]any{"path": path}} }
	note := func(text string) *callOf { return &callOf{"note_add", map[string]any{"text": text}} }
	return map[string]map[string]*callOf{
		"en": {"% and delete old.txt": remove("old.txt"), "%, then undo that": nil, "% and also write down buy bread": note("buy bread")},
		"de": {"% und lösch old.txt": remove("old.txt"), "%, dann mach das rückgängig": nil, "% und notier Brot kaufen": note("Brot kaufen")},
		"ru": {"% и удали old.txt": remove("old.txt"), "%, потом отмени это": nil, "% и запиши купить хлеб": note("купить хлеб")},
		"zh": {"%，然后删除old.txt": remove("old.txt"), "%，再撤销": nil, "%并记下买面包": note("买面包")},
	}[lang]
}

// What sounds like a chore and is none is not read as one, and of two chores in one sentence both are done, or none.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	tried, read, acted, both := 0, 0, 0, 0
	for i, s := range corpus(t, "testdata/sentences.jsonl") {
		if i%every(t) > 0 || all.Read(s.Text).Kind == "" {
			continue
		}
		chore := strings.TrimRight(s.Text, " .!?。！？")
		misses := nearMisses(s.Lang)
		if s.Args["text"] == nil && s.Args["content"] == nil {
			misses = append(misses, afterthoughts(s.Lang)...)
		}
		for _, miss := range misses {
			text := strings.Replace(miss, "%", chore, 1)
			r := all.Read(text)
			if tried++; r.Kind == "" {
				continue
			}
			if read++; r.Acts {
				acted++
				t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
			} else if testing.Verbose() {
				t.Logf("%q is read as %s %s", text, r.Kind, r.Call.Args)
			}
		}
		if s.Tool == "" { // after a greeting, the second chore is the only one
			continue
		}
		first := callsOf(t, all.Read(chore).At(midday))
		for miss, second := range secondChores(s.Lang) {
			text := strings.Replace(miss, "%", chore, 1)
			r := all.Read(text).At(midday)
			if tried++; r.Kind == "" || !r.Acts && len(r.Parts) == 0 {
				continue
			}
			if got := callsOf(t, r); second == nil || len(first) != 1 || !reflect.DeepEqual(got, append(slices.Clone(first), *second)) {
				t.Errorf("%q is read as %s %v, want %v and %v, or neither", text, r.Kind, got, first, second)
			} else {
				both++
			}
		}
	}
	t.Logf("%d near misses, %d read, %d of them act; %d are two chores", tried, read, acted, both)
	if tried < 3000 && !testing.Short() {
		t.Errorf("only %d near misses were tried", tried)
	}
}

// A list without a name is asked for, and what it would be a call of is known. What sounds like that and is none is no such call.
func TestRead_Unnamed(t *testing.T) {
	t.Parallel()
	for lang, texts := range map[string]map[string]string{
		"en": {"put milk on the list": `{"items":["milk"]}`, "take eggs off the list": `{"items":["eggs"]}`, "can you put milk on the list?": `{"items":["milk"]}`, "tick milk off the list": `{"items":["milk"]}`, "what's on the list": `{}`},
		"de": {"setz Milch auf die Liste": `{"items":["Milch"]}`, "nimm Eier von der Liste": `{"items":["Eier"]}`, "was steht auf der Liste": `{}`},
		"ru": {"добавь молоко в список": `{"items":["молоко"]}`, "убери яйца из списка": `{"items":["яйца"]}`, "что в списке": `{}`},
		"zh": {"把牛奶加到清单": `{"items":["牛奶"]}`, "把鸡蛋从清单删掉": `{"items":["鸡蛋"]}`, "清单上有什么": `{}`},
	} {
		for text, want := range texts {
			if r := intents.Default().Read(text); r.Ask == "" || r.Call.Name != "" || r.Acts || string(r.Unnamed.Args) != want {
				t.Errorf("%q is read as %s %s, asks %q, unnamed %s", text, r.Kind, r.Call.Args, r.Ask, r.Unnamed.Args)
			}
			for _, miss := range slices.Concat(nearMisses(lang), afterthoughts(lang), slices.Collect(maps.Keys(secondChores(lang)))) {
				said := strings.Replace(miss, "%", text, 1)
				if r := intents.Default().Read(said); r.Acts || r.Unnamed.Name != "" && r.Unnamed.Name != "list_show" {
					t.Errorf("%q is read as %s %s, unnamed %s", said, r.Kind, r.Call.Args, r.Unnamed.Args)
				}
			}
		}
	}
	for _, text := range []string{"add something to the shopping list", "put it on the list", "add milk to the list?", "put milk on the party list"} {
		if r := intents.Default().Read(text); r.Unnamed.Name != "" {
			t.Errorf("%q is read as %s, unnamed %s", text, r.Kind, r.Unnamed.Args)
		}
	}
}

// linesOf returns the lines of the module's files of a name, without what marks them as comments or as parts of a tale.
func linesOf(t *testing.T, root, ext string) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", root), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ext || strings.Contains(path, "intents") {
			return err
		}
		raw, err := os.ReadFile(path)
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSpace(line)
			text, isComment := strings.CutPrefix(line, "// ")
			if line = text; ext == ".go" && !isComment || len(line) < 3 {
				continue
			}
			if _, told, ok := strings.Cut(line, " = "); ok && ext == ".txt" {
				line = told
			}
			lines = append(lines, line)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// asksForANote is what somebody in a tale says, and it does ask to note something.
const asksForANote = "请记下来：我自始至终都很有礼貌。"

// midday is when sentences are read here.
var midday = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

// Nothing that is written for other ends is a chore.
func TestProse(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	prose := linesOf(t, "docs", ".md")
	for _, folder := range []string{"internal/game/tales/data", "internal/game/tales/example", "internal/game/show", "internal/game/rules"} {
		prose = append(prose, linesOf(t, folder, ".txt")...)
	}
	comments := linesOf(t, "internal", ".go")
	prose = append(prose, comments[:min(len(comments), 2000)]...)
	if testing.Short() {
		prose = prose[:500]
	}
	for _, line := range prose {
		if r := all.Read(line).At(midday); r.Acts && !r.Near && line != asksForANote {
			t.Errorf("%q is read as %s %s", line, r.Call.Name, r.Call.Args)
		}
	}
	if t.Logf("%d lines of prose", len(prose)); len(prose) < 5000 && !testing.Short() {
		t.Errorf("there are only %d lines of prose", len(prose))
	}
}

// What says nothing yet is no chore.
func TestHalfASentence(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for _, words := range []string{"tell me", "show me", "please", "what is", "how"} {
		if r := all.Read(words); r.Kind != "" {
			t.Errorf("%q is read as %s", words, r.Kind)
		}
	}
}

// What players say in a story is no chore that acts, but for the few words that mean the same everywhere.
func TestStoryCommands(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	said := append(linesOf(t, "internal/game/parser/testdata", ".txt"), linesOf(t, "internal/game/tales/testdata", ".txt")...)
	everywhere := []string{"undo", "stop", "retry"}
	tried := 0
	for _, line := range said {
		line, _, _ = strings.Cut(line, " → ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		tried++
		if r := all.Read(line); r.Acts && !slices.Contains(everywhere, r.Call.Name) {
			t.Errorf("%q is read as %s %s", line, r.Call.Name, r.Call.Args)
		}
	}
	if t.Logf("%d commands of stories", tried); tried < 1000 {
		t.Errorf("there are only %d commands of stories", tried)
	}
}

// every is how many sentences near misses are made of one of: all of them in make soak.
func every(t *testing.T) int {
	t.Helper()
	switch {
	case os.Getenv("HOB_TEST_FULL") != "":
		return 1
	case testing.Short():
		return 20
	}
	return 4
}

// What is to be known for good is a fact, what is written down is a note, and what is to be done later is neither.
func TestFacts(t *testing.T) {
	for _, c := range [][3]string{
		{"remember that my name is Anna", "remember", `{"text":"my name is Anna"}`},
		{"Merk dir, dass ich Anna heiße", "remember", `{"text":"ich Anna heiße"}`},
		{"запомни, что меня зовут Анна", "remember", `{"text":"меня зовут Анна"}`},
		{"记住我叫安娜", "remember", `{"text":"我叫安娜"}`},
		{"don't forget that the bin goes out on Monday", "remember", `{"text":"the bin goes out on Monday"}`},
		{"what do you know about me?", "facts", `{}`}, {"was weißt du über mich?", "facts", `{}`},
		{"что ты знаешь обо мне?", "facts", `{}`}, {"你知道我什么？", "facts", `{}`},
		{"forget my address", "fact_forget", `{"fact":"address"}`}, {"vergiss meine Adresse", "fact_forget", `{"fact":"Adresse"}`},
		{"забудь мой адрес", "fact_forget", `{"fact":"адрес"}`}, {"忘掉我的地址", "fact_forget", `{"fact":"地址"}`},
		{"note that my name is Anna", "note", `{"text":"my name is Anna"}`},
		{"forget it", "never_mind", "{}"}, {"remember to call Ben tomorrow", "", ""},
		{"remember i am allergic to nuts", "remember", `{"text":"i am allergic to nuts"}`}, {"remember I'm allergic", "remember", `{"text":"I'm allergic"}`},
		{"remember me", "", ""}, {"remember i told you to delete a.txt", "", ""}, {"remember the milk", "", ""}, {"remember, the bin goes out on Monday", "remember", `{"text":"the bin goes out on Monday"}`},
		{"forget that i am allergic to nuts", "fact_forget", `{"fact":"i am allergic to nuts"}`}, {"vergiss, dass ich Anna heiße", "fact_forget", `{"fact":"ich Anna heiße"}`},
		{"забудь, что меня зовут Анна", "fact_forget", `{"fact":"меня зовут Анна"}`}, {"忘记我叫安娜", "fact_forget", `{"fact":"我叫安娜"}`}, {"forget that", "never_mind", "{}"},
	} {
		if r := intents.Default().Read(c[0]); r.Kind != c[1] || string(r.Call.Args) != c[2] {
			t.Errorf("%s: %s %s, want %s %s", c[0], r.Kind, r.Call.Args, c[1], c[2])
		}
	}
	for text, many := range map[string]bool{"forget that i am Anna": true, "vergiss, dass ich Anna heiße": true, "forget my address": false} { // which one is found, and not named
		if r := intents.Default().Read(text); r.Many != many {
			t.Errorf("%s: many is %v", text, r.Many)
		}
	}
}

// What runs in the background is processes: they are listed, read and ended.
func TestProcesses(t *testing.T) {
	for _, c := range [][3]string{
		{"what is running", "processes", `{}`}, {"what's running in the background?", "processes", `{}`},
		{"was läuft gerade?", "processes", `{}`}, {"was läuft im Hintergrund?", "processes", `{}`},
		{"что запущено?", "processes", `{}`}, {"что работает в фоне?", "processes", `{}`},
		{"什么在运行？", "processes", `{}`}, {"后台在运行什么？", "processes", `{}`},
		{"what did process 1 print?", "process_output", `{"id":1}`}, {"zeig die Ausgabe von Prozess 1", "process_output", `{"id":1}`},
		{"что вывел процесс 1?", "process_output", `{"id":1}`}, {"进程1输出了什么？", "process_output", `{"id":1}`},
		{"stop process 1", "process_stop", `{"id":1,"stop":true}`}, {"beende Prozess 1", "process_stop", `{"id":1,"stop":true}`},
		{"останови процесс 1", "process_stop", `{"id":1,"stop":true}`}, {"停止进程1", "process_stop", `{"id":1,"stop":true}`},
		{"stop job 1", "process_stop", `{"id":1,"stop":true}`}, // people may say it as before
		{"turn off the tool process", "tool_off", `{"disable":"process"}`},
		{"was läuft?", "", ""}, {"what is running late", "", ""}, {"my nose is running", "", ""},
	} {
		if r := intents.Default().Read(c[0]); r.Kind != c[1] || string(r.Call.Args) != c[2] || strings.HasPrefix(c[1], "process") && r.Call.Name != "process" {
			t.Errorf("%s: %s %s %s, want %s %s", c[0], r.Kind, r.Call.Name, r.Call.Args, c[1], c[2])
		}
	}
}

// The arguments of a command are words of its line, whatever marks they hold.
func TestCommandArgs(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{`{}`: "", `{"list":""}`: "list", `{"change":41}`: "change 41", `{"set":"Etc/GMT, +1: \"x\""}`: `set Etc/GMT, +1: "x"`} {
		if got := (intents.Reading{Call: llm.Call{Args: []byte(args)}}).CommandArgs(); got != want {
			t.Errorf("the arguments %s are %q, want %q", args, got, want)
		}
	}
}

// Hob's name may stand behind the comma of a greeting or of thanks, in the language of these.
func TestRead_GreetsByName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hello, hob": "hello en", "Good morning, hob!": "hello en", "thanks, hob": "thanks en", "guten Morgen, hob": "hello de", "привет, хоб": "hello ru", "你好，hob": "hello zh",
	} {
		if r := intents.Default().Read(text).In("en"); r.Kind+" "+r.Lang != want {
			t.Errorf("%q is read as %s in %q, want %s", text, r.Kind, r.Lang, want)
		}
	}
}
