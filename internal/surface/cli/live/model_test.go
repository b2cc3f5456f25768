package live

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"hob/internal/surface/cli"
)

// keys are keys that have names.
var keys = map[string]tea.Key{
	"<enter>": {Code: tea.KeyEnter}, "<up>": {Code: tea.KeyUp}, "<down>": {Code: tea.KeyDown}, "<tab>": {Code: tea.KeyTab},
	"<esc>": {Code: tea.KeyEscape}, "<bs>": {Code: tea.KeyBackspace}, "<left>": {Code: tea.KeyLeft},
	"<^r>": {Code: 'r', Mod: tea.ModCtrl}, "<^c>": {Code: 'c', Mod: tea.ModCtrl}, "<s-tab>": {Code: tea.KeyTab, Mod: tea.ModShift},
}

// press presses keys: names in angle brackets, and letters.
func press(m model, text string) model {
	for text != "" {
		k := tea.Key{Code: []rune(text)[0], Text: string([]rune(text)[0])}
		n := len(k.Text)
		for name, named := range keys {
			if strings.HasPrefix(text, name) {
				k, n = named, len(name)
			}
		}
		text = text[n:]
		next, _ := m.Update(tea.KeyPressMsg(k))
		m = next.(model)
	}
	return m
}

func start(entries ...string) model {
	h := &cli.History{}
	for _, e := range entries {
		_ = h.Add(e)
	}
	m := newModel(&Prompt{lines: make(chan string, 64), screen: &screen{}}, Options{History: h})
	m.now = func() time.Time { return time.Unix(0, 0) }
	m.width, m.height = 40, 12
	return m
}

// shownBy is what the last rows show, with a bar where the cursor is.
func shownBy(m model) string {
	v := m.View()
	lines := strings.Split(ansi.Strip(v.Content), "\n")
	row := lines[v.Cursor.Y]
	row += strings.Repeat(" ", max(v.Cursor.X-ansi.StringWidth(row), 0))
	lines[v.Cursor.Y] = ansi.Cut(row, 0, v.Cursor.X) + "|" + ansi.Cut(row, v.Cursor.X, 1000)
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func TestHistoryAndSearch(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"<up>", "› write the letter|"},
		{"<up><up>", "› buy milk|"},
		{"<up><up><up><up>", "› buy bread|"},
		{"new<up><down>", "› new|"},
		{"<up> now<enter>", "› |"},
		{"<^r>buy", `search "buy": buy milk|`},
		{"<^r>buy<^r>", `search "buy": buy bread|`},
		{"<^r>buy<^r><^r>", `search "buy": buy bread|`},
		{"<^r>BUX<bs>y<left>", "› buy mil|k"},
		{"half<^r>buy<esc>", "› half|"},
		{"<^r>buy<enter>", "› |"},
		{"one<^c>", "› |"},
	} {
		if got := shownBy(press(start("buy bread", "buy milk", "write the letter"), c.keys)); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
	}
	m := press(start("buy bread", "buy milk"), "<^r>bread<enter>")
	if got := <-m.prompt.lines; got != "buy bread" {
		t.Errorf("what was found is entered as %q", got)
	}
}

// A history file that somebody else wrote cannot command the terminal.
func TestAHostileHistoryIsShownAsText(t *testing.T) {
	m := press(start("\x1b]0;title\x07rm -rf \u202e\x80"), "<up>")
	if want := "› ␛]0;title␇rm -rf ⟨U+202E⟩\uFFFD|"; shownBy(m) != want {
		t.Errorf("%q, want %q", shownBy(m), want)
	}
	if got := shownBy(press(start("a\x1b]0;title\x07b"), "<^r>a")); !strings.Contains(got, "␛]0;title␇") {
		t.Errorf("found is %q", got)
	}
}

func TestCompletion(t *testing.T) {
	m := start()
	m.options.Complete = func(before string) (int, []string) {
		word := before[strings.LastIndex(before, " ")+1:]
		var all []string
		for _, c := range []string{"/status", "/stop", "notes/", "notes/a.md"} {
			if strings.HasPrefix(c, word) {
				all = append(all, c)
			}
		}
		return len(word), all
	}
	for _, c := range []struct{ keys, want string }{
		{"/sta<tab>", "› /status |"},
		{"/s<tab>", "› /st|\n/status  /stop"},
		{"/s<tab><tab>", "› /status|\n/status  /stop"},
		{"/s<tab><tab><tab>", "› /stop|\n/status  /stop"},
		{"/s<tab><s-tab>", "› /stop|\n/status  /stop"},
		{"/s<tab><tab> 3", "› /status 3|"},
		{"see no<tab>", "› see notes/|\nnotes/      notes/a.md"},
		{"see x<tab>", "› see x|"},
	} {
		if got := shownBy(press(m, c.keys)); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
		m.line.Set("")
	}
}

// A question takes the place of the line, and gives it back. Only a line answers it.
func TestQuestion(t *testing.T) {
	m := press(start(), "half a mess")
	answer := make(chan answered, 1)
	q := Question{Text: "Allow it?", Answers: []Answer{{[]string{"y", "yes"}, "this once"}, {[]string{"n", "no"}, ""}}, Help: "It wants to."}
	next, _ := m.Update(askMsg{q, answer})
	m = press(next.(model), "age<enter>")
	if want := "\"age\" is no answer.\nAllow it? [y this once · n no · ?\nexplains] |"; shownBy(m) != want {
		t.Errorf("it shows\n%s\nwant\n%s", shownBy(m), want)
	}
	m = press(m, "<enter><tab><up>?<enter>Y<enter>")
	if got := <-answer; got.index != 0 || got.err != nil {
		t.Errorf("the answer is %v", got)
	}
	if got := shownBy(m); got != "› half a mess|" {
		t.Errorf("afterwards %q", got)
	}

	next, _ = m.Update(askMsg{q, answer})
	if m = press(next.(model), "<^c>"); !errors.Is((<-answer).err, cli.ErrInterrupted) || shownBy(m) != "› half a mess|" {
		t.Errorf("after Ctrl-C %q", shownBy(m))
	}
	next, _ = m.Update(askMsg{q, answer})
	if next, _ = next.Update(withdrawMsg{}); shownBy(next.(model)) != "› half a mess|" {
		t.Errorf("after it was withdrawn %q", shownBy(next.(model)))
	}
}

// A question in another language takes the answers of that language, and the English ones as whole words.
func TestQuestion_InALanguage(t *testing.T) {
	w := cli.Words("de")
	q := Question{Text: "Erlauben?", Lang: "de", Help: "?"}
	for _, answer := range []string{"yes", "always", "no"} {
		q.Answers = append(q.Answers, Answer{Words: cli.Answers(w, answer)})
	}
	for typed, want := range map[string]int{"j": 0, "JA": 0, "y": 0, "yes": 0, "i": 1, "imm": 1, "always": 1, "n": 2, "nein": 2, "no": 2, "a": -1, "ye": -1, "oui": -1} {
		answer := make(chan answered, 1)
		next, _ := start().Update(askMsg{q, answer})
		m := press(next.(model), typed+"<enter>")
		select {
		case got := <-answer:
			if got.index != want || got.err != nil {
				t.Errorf("%s is answer %v, want %d", typed, got, want)
			}
		default:
			if wrong := "\"" + typed + "\" ist keine Antwort.\nErlauben? [j ja · i immer · n nein · ?\nerklärt] |"; want >= 0 || shownBy(m) != wrong {
				t.Errorf("after %s it shows\n%s\nwant\n%s", typed, shownBy(m), wrong)
			}
		}
	}
}

// A no has many words in each language, a yes has few, and nothing that is said to something else is either.
func TestQuestion_No(t *testing.T) {
	for lang, lines := range map[string]map[string][]string{
		"en": {
			"no":  {"never mind", "rather not", "don't", "Don’t!", "no thanks", "no, thank you", "oh, better not", "not now", "leave it"},
			"yes": {"y", "yes please", "Yes, thanks!"},
			"":    {"thanks", "please", "no idea", "yes, but not now", "yes no", "not yet sure", "stop the timer", "add milk to the list"},
		},
		"de": {
			"no":  {"doch nicht", "lieber nicht", "nein danke", "Nein, danke!", "lass es", "ach nein, lieber doch nicht", "bitte nicht", "no"},
			"yes": {"j", "ja bitte", "ja, danke", "Ja doch"},
			"":    {"danke", "doch", "ja nicht", "nein wie schön", "lass es laufen", "nicht schlecht", "setz Brot auf die Einkaufsliste"},
		},
		"ru": {
			"no":  {"не надо", "лучше не надо", "нет, спасибо", "передумала", "не стоит"},
			"yes": {"да", "да, пожалуйста"},
			"":    {"спасибо", "лучше", "да нет", "не знаю", "отмени таймер", "напомни завтра"},
		},
		"zh": {
			"no":  {"算了", "不用了", "还是算了吧", "不用了，谢谢", "别", "不要"},
			"yes": {"是", "好", "好，谢谢"},
			"":    {"谢谢", "好不好", "不知道", "取消计时器", "提醒我明天八点"},
		},
	} {
		w := cli.Words(lang)
		q := Question{Text: "?", Lang: lang}
		for _, answer := range []string{"yes", "no"} {
			q.Answers = append(q.Answers, Answer{Words: cli.Answers(w, answer)})
		}
		for want, all := range lines {
			for _, line := range all {
				answer := make(chan answered, 1)
				next, _ := start().Update(askMsg{q, answer})
				press(next.(model), line+"<enter>")
				got := ""
				select {
				case a := <-answer:
					got = []string{"yes", "no"}[a.index]
				default:
				}
				if got != want {
					t.Errorf("%s: %q is %q, want %q", lang, line, got, want)
				}
			}
		}
	}
}

// A message that is said while a question stands there is no answer, and not lost: it is in the prompt again behind the answer.
func TestQuestion_AMessageIsKept(t *testing.T) {
	answer := make(chan answered, 1)
	q := Question{Text: "Allow it?", Answers: []Answer{{[]string{"y", "yes"}, ""}, {[]string{"n", "no"}, ""}}}
	next, _ := start().Update(askMsg{q, answer})
	m := press(next.(model), "add Milk to the list<enter>")
	if want := "\"add Milk to the list\" is no answer. It\nis in the prompt again once you have\nanswered.\nAllow it? [y yes · n no] \n›  |"; shownBy(m) != want {
		t.Errorf("it shows\n%s\nwant\n%s", shownBy(m), want)
	}
	m = press(m, "提醒我明天八点<enter>n<enter>")
	if got := <-answer; got.index != 1 || m.line.Text() != "add Milk to the list\n提醒我明天八点" {
		t.Errorf("the answer is %v, and the prompt has %q", got, m.line.Text())
	}
}

// An offer leaves the line as it is, and a line that is no answer to it is a message.
func TestOffer(t *testing.T) {
	offer := Question{Text: "Pull it?", Answers: []Answer{{[]string{"y", "yes"}, ""}, {[]string{"n", "no"}, ""}}, Otherwise: "Later, then."}
	for keys, want := range map[string]struct {
		index   int
		message string
	}{
		"half a m|ess<enter>": {NoAnswer, "half a mess"}, "|maybe later<enter>": {NoAnswer, "maybe later"},
		"|<enter>": {NoAnswer, ""}, "|<^c>": {NoAnswer, ""}, "|No<enter>": {1, ""}, "|y<enter>": {0, ""},
	} {
		m := start()
		m.prompt.lines = make(chan string, 1)
		before, after, _ := strings.Cut(keys, "|")
		answer := make(chan answered, 1)
		next, _ := press(m, before).Update(askMsg{offer, answer})
		m = next.(model)
		if shown := shownBy(m); shown != "Pull it? [y/N] "+before+"|" {
			t.Errorf("%q: it shows %q", keys, shown)
		}
		m = press(m, after)
		message := ""
		select {
		case message = <-m.prompt.lines:
		default:
		}
		if got := <-answer; got.index != want.index || got.err != nil || message != want.message || shownBy(m) != "› |" {
			t.Errorf("%q: the answer is %v, the message %q, and it shows %q", keys, got, message, shownBy(m))
		}
	}
}

// An offer ends where a question comes, which takes the place of the line.
func TestOffer_EndsWithAQuestion(t *testing.T) {
	offered, asked := make(chan answered, 1), make(chan answered, 1)
	next, _ := start().Update(askMsg{Question{Text: "Pull it?", Otherwise: "Later, then."}, offered})
	next, _ = press(next.(model), "add m").Update(askMsg{Question{Text: "Allow it?", Answers: []Answer{{[]string{"y", "yes"}, ""}}}, asked})
	m := press(next.(model), "y<enter>")
	if o, a := <-offered, <-asked; o.index != NoAnswer || a.index != 0 || shownBy(m) != "› add m|" {
		t.Errorf("the offer got %v, the question %v, and it shows %q", o, a, shownBy(m))
	}
}

// The line is always on the screen, however long it and the draft are.
func TestSmallScreen(t *testing.T) {
	m := start()
	m.width, m.height = 20, 6
	next, _ := m.Update(draftMsg(strings.Split("1 2 3 4 5 6 7 8 9", " ")))
	m = press(next.(model), "one two three four five six seven eight nine ten eleven twelve")
	if want := "9\n\n› five six seven\n  eight nine ten\n  eleven twelve|"; shownBy(m) != want {
		t.Errorf("it shows\n%s", shownBy(m))
	}
	if n := strings.Count(m.View().Content, "\n") + 1; n > m.height {
		t.Errorf("%d rows on a screen of %d", n, m.height)
	}
	next, _ = m.Update(draftMsg(nil))
	next, _ = next.Update(statusMsg("thinking"))
	if want := "· thinking · 0 s\n› five six seven\n  eight nine ten\n  eleven twelve|"; shownBy(next.(model)) != want {
		t.Errorf("while hob thinks\n%s\nwant\n%s", shownBy(next.(model)), want)
	}
}
