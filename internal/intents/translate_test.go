package intents_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"hob/internal/intents"
	"hob/internal/llm"
)

func TestTranslate(t *testing.T) {
	for _, row := range []struct{ lang, kind, tool, answer, want string }{
		{"de", "time", "time", "16:35, Thursday 26 November 2026 (UTC)", "16:35 Uhr, Donnerstag, 26. November 2026 (UTC)"},
		{"ru", "date", "time", "Sunday 1 March 2026", "воскресенье, 1 марта 2026 г."},
		{"zh", "time", "time", "01:05, Monday 2 May 2027 (JST)", "01:05，2027年5月2日，星期一（JST）"},
		{"en", "time", "time", "16:35, Thursday 26 November 2026 (UTC)", "16:35, Thursday 26 November 2026 (UTC)"},
		{"de", "load", "system_status", "load 5.00 4.10 0.20 on 2 CPUs WARNING: very busy", "Last 5.00 4.10 0.20 auf 2 Prozessoren WARNUNG: sehr beschäftigt"},
		{"de", "machine", "system_status", "up 3 days 2 h, load 0.00 0.10 0.20 on 4 CPUs\nswap: none\nsomething new: 7",
			"läuft seit 3 Tagen 2 Std., Last 0.00 0.10 0.20 auf 4 Prozessoren\nAuslagerung: keine\nsomething new: 7"},
		{"de", "disk", "system_status", "disk /: 48.4 GB of 97.8 GB used (50 %)", "Platte /: 48,4 GB von 97,8 GB belegt (50 %)"},
		{"ru", "disk", "system_status", "disk /: 48.4 GB of 97.8 GB used (50 %)", "Диск /: занято 48,4 GB из 97,8 GB (50 %)"},
		{"zh", "disk", "system_status", "disk /: 48.4 GB of 97.8 GB used (50 %)", "硬盘 /：已用 48.4 GB，共 97.8 GB（50 %）"},
		{"en", "file_search", "search_files", "a.md:0: Zimt, 3.5 g", "a.md:1: Zimt, 3.5 g"},
		{"de", "file_search", "search_files", "b.md:9: at 10:30: Zimt; Zucker", "b.md:10: at 10:30: Zimt; Zucker"},
		{"zh", "list_tick", "list_tick", "ticked on shopping: 面包; ticked already: 奶酪; 1 open", "已在购物清单打勾：面包；早已打勾：奶酪；还剩 1 项"},
		{"en", "coin", "roll_dice", "1d2 (2) = 2", "Tails"},
		{"en", "roll", "roll_dice", "1d2 (2) = 2", "1d2 (2) = 2"},
		{"de", "reminder_cancel", "reminder", `error: there is no alarm of "6:45"; reminders lists them`, `Es gibt keinen Wecker "6:45". „Zeig meine Erinnerungen“ zeigt, was ansteht.`},
		{"ru", "list_tick", "list_tick", `error: "Milch" could be milch eier, 2 liter Milch; nothing was ticked; name one as it stands there`,
			`"Milch" может быть: milch eier, 2 liter Milch; ничего не изменено; назовите так, как там написано`},
		{"zh", "list_show", "list_show", "error: there is no list shopping; list_add begins one", "还没有购物清单。"},
		{"ru", "list_remove", "list_remove", "error: there is no list shopping; there are todo, party", "Списка покупок нет, есть: список дел, party."},
		{"de", "list_tick", "list_tick", "error: there is no list baumarkt; there are shopping", "Es gibt keine Liste baumarkt, nur Einkaufsliste."},
		{"de", "undo", "undo", "Taken back\n- fact 1 (ich Anna heiße) is back: it was deleted at 17:57", "Zurückgenommen\n- Nr. 1 (ich Anna heiße) weiß ich wieder: vergessen um 17:57"},
		{"zh", "undo", "undo", "- reminder 8 (去银行) is gone: it was made at 17:57", "- 提醒 8（去银行）已移除：建立于 17:57"},
		{"de", "undo", "undo", "- reminder 1 (Arzt): change 10 of it came later", "- Erinnerung 1 (Arzt): Änderung 10 daran kam später"},
		{"de", "undo", "undo", "- 09:45 changed consent (Karl may remind Marta: yes) and 1 more; undo with /undo #9", "- 09:45 Erlaubnis (Karl darf Marta erinnern: ja) und 1 weitere geändert; rückgängig mit /undo #9"},
		{"ru", "undo", "undo", "- consent (Karl may remind Marta: no) is gone: it was made at 17:57", "- разрешение (Karl напоминает Marta: нет): убрано, было создано в 17:57"},
		{"zh", "undo", "undo", "- 09:45 changed reminder 3 (去银行) and 1 more; undo with /undo #9", "- 09:45 修改了 提醒 3（去银行）等，另有 1 项；撤销：/undo #9"},
		{"de", "undo", "undo", "- 09:45 made person telegram/105 (Marta as bot_admin); undo with /undo #6", "- 09:45 Person Marta (Admin) angelegt; rückgängig mit /undo #6"},
		{"ru", "undo", "undo", "- 09:45 made person telegram/-100123 (as user); undo with /undo #1", "- 09:45 создано: группа или человек -100123 (пользователь); отменить: /undo #1"},
		{"ru", "facts", "memory", "Known\n- 1 меня зовут Анна", "Вот что я знаю:\n- 1 меня зовут Анна"},
		{"de", "status", "status", "Model: none yet\nOllama: Ollama does not answer at http://127.0.0.1:1: start it with `ollama serve`, or set [ollama] host\nQueue: the model is free\nThis chat: hob is at work on something",
			"Modell: noch keines\nOllama: antwortet nicht auf http://127.0.0.1:1: starte es mit `ollama serve`, oder setze [ollama] host\nWarteschlange: das Modell ist frei\nDieser Chat: hob arbeitet an etwas"},
		{"de", "remember", "remember", "set aside as fact 5, and not known yet: fact 1 says: my name is Sam. /memory replace 5 takes the new one, /memory keep 5 the old one",
			"Das merke ich mir noch nicht, denn Nr. 1 sagt: my name is Sam. /memory replace 5 nimmt das Neue, /memory keep 5 lässt das Alte."},
		{"ru", "reminder_cancel", "reminder", "error: reminder 3 is cancelled already", "Напоминание 3 уже отменено."},
		{"zh", "fact_forget", "forget", "error: more than one fact fits: fact 1: a; fact 2: b; call forget with one of the numbers", "符合的不止一条：fact 1: a; fact 2: b。请说编号。"},
		// A person's own words stay, whatever they say.
		{"de", "list_add", "list_add", "added to party: on it already, 3 open; more", "Auf der Liste party: on it already, 3 open; more"},
		{"de", "list_show", "list_show", "todo: 1 open, 0 ticked\n[ ] the fridge is empty", "Aufgabenliste: 1 offen, 0 abgehakt\n[ ] the fridge is empty"},
		{"de", "note_add", "note_add", "noted as #1234 (car, 2026-11-26) {text} $1 \\d", `Notiert unter car: {text} $1 \d`},
		{"de", "file_read", "read_file", "Done.\nthere are no notes yet", "Done.\nthere are no notes yet"},
		{"xx", "note_add", "note_add", "Done.", "Done."},
	} {
		r := intents.Reading{Kind: row.kind, Lang: row.lang, Call: llm.Call{Name: row.tool}}
		if got := intents.Default().Translate(r.Lang, row.answer, r.Speakers()...); got != row.want {
			t.Errorf("%s: %q is %q, want %q", row.lang, row.answer, got, row.want)
		}
	}
}

// What one language translates, the others do, too.
func TestTranslationsAreAlike(t *testing.T) {
	lines := map[string][]string{}
	for _, lang := range []string{"de", "ru", "zh"} {
		var src intents.Source
		if _, err := toml.DecodeFile(filepath.Join("sentences", lang+".toml"), &src); err != nil {
			t.Fatal(err)
		}
		for _, of := range slices.Sorted(maps.Keys(src.Translations)) {
			for _, line := range slices.Sorted(maps.Keys(src.Translations[of])) {
				if of != "words" || strings.Trim(line, ",; ") != "" && len(line) > 2 {
					lines[lang] = append(lines[lang], fmt.Sprintf("%s: %s", of, line))
				}
			}
		}
	}
	for _, lang := range []string{"ru", "zh"} {
		if diff := cmp.Diff(lines["de"], lines[lang]); diff != "" {
			t.Errorf("de and %s (-de +%s):\n%s", lang, lang, diff)
		}
	}
}

// A translation that names what its line lacks is refused.
func TestTranslationsAreChecked(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("sentences", "en.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var src intents.Source
	if _, err := toml.Decode(string(raw)+"\n[translations.z]\n\"a {x}\" = \"b {y}\"", &src); err != nil {
		t.Fatal(err)
	}
	if _, err := intents.Compile("en", src); err == nil || !strings.Contains(err.Error(), `translations.z: "a {x}" has no {y}`) {
		t.Error(err)
	}
}

// A line is compared with all rows, and one that no row can match compiles none: the menus of Telegram have hundreds of such lines.
func TestTranslateCompilesLittle(t *testing.T) {
	s := intents.Default()
	for _, line := range []string{"no row of the file begins like this one", "a row begins with a slot, and has other words than this behind it",
		"what waits for a yes"} {
		translate := func() { s.Translate("de", line, intents.HobsOwn) }
		if n := testing.AllocsPerRun(10, translate); n > 50 {
			t.Errorf("to translate %q takes %.0f allocations", line, n)
		}
	}
}
