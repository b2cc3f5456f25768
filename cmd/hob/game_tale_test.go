package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/tales"
	"hob/internal/store"
)

// What docs/stories.md shows of a tale of one's own is what hob game tale new writes.
func TestTaleDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "stories.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := tales.Example("bridge", "en")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		want = append(want, f.Text)
	}
	if diff := cmp.Diff(want, blocks(string(text), "text")); diff != "" {
		t.Error(diff)
	}
}

// run runs the program and returns what it prints, on both outputs, and its exit status.
func (h *house) run(stdin string, args ...string) (out string, status int) {
	h.t.Helper()
	cmd := h.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	raw, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	return string(raw), cmd.ProcessState.ExitCode()
}

// A tale is written, listed, checked and begun by commands, each of which says what is wrong in a sentence; and once a story has begun,
// nothing of it is in the tale's files: it is played to its end, undone, exported and verified without them.
func TestTales(t *testing.T) {
	h := newHouse(t, nowhereToAsk)
	folder := filepath.Join(filepath.Dir(h.config), "tales")
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"tale", "list"}, 0, []string{"cosy  The Ember Supper (en, ru, zh)"}},
		{[]string{"tale", "new", "cosy"}, 2, []string{"cosy comes with hob, and that name cannot be taken"}},
		{[]string{"tale", "new", "mill", "--lang", "de"}, 2, []string{`there is no example in "de": use en, ru or zh`}},
		{[]string{"tale", "new", "../mill"}, 2, []string{"this is no name for a tale"}},
		{[]string{"tale", "check", "mill"}, 2, []string{`there is no tale "mill" in ` + folder}},
		{[]string{"new", "--tale", "mill"}, 2, []string{`there is no tale "mill": hob game tale list lists those that there are`}},
		{[]string{"play", "mill"}, 2, []string{`there is no story "mill", and no tale of that name`}},
		{[]string{"tale", "new", "mill", "--lang", "ru"}, 0, []string{filepath.Join(folder, "mill.txt") + " and mill.ru.txt beside it are there"}},
		{[]string{"tale", "new", "mill"}, 2, []string{filepath.Join(folder, "mill.txt") + " is there already"}},
		{[]string{"tale", "check", "mill"}, 0, []string{"mill can be begun in ru.", "It can be won in 8 steps, 12 minutes of the story. It needs no luck. Found among 4 states, of 5000 at most.",
			"  5. Взять: мостовой фонарь\n  6. "}},
		{[]string{"tale", "check", "mill", "--replay"}, 0, []string{"  2. Идти: Мельница\n     Вы идёте", "Осрик"}},
		{[]string{"tale", "check", "mill", "--json"}, 0, []string{`"proof":{"proofs":[{"quest":"quest_light","trade":"walker","lang":"ru","steps":[{"do":"ask","id":"npc_osric","talk":1,"tries":1}`, `"bound":5000`}},
		{[]string{"tale", "check", filepath.Join(folder, "mill.ru.txt")}, 0, []string{"mill can be begun in ru."}},
		{[]string{"tale", "check", "dungeon"}, 0, []string{"dungeon can be begun in en, ru, zh."}},
		{[]string{"tale", "check", "/dev/zero.txt"}, 1, []string{"/dev/zero.txt: there is no such file", "the tale zero cannot be begun"}},
		{[]string{"tale", "list"}, 0, []string{"mill  Тёмный мост (ru)"}},
		{[]string{"new", "a", "--tale", "mill", "--lang", "en"}, 1, []string{`the tale "mill" has no words in "en": begin it in ru`}},
		{[]string{"new", "a", "--tale", "mill"}, 0, []string{"Тёмный мост has begun: Робин is at Мост."}},
		{[]string{"eval", "--tale", "mill"}, 2, []string{`hob has no lines to say in a tale "mill"`}},
	} {
		out, status := h.run("", append([]string{"game"}, c.args...)...)
		for _, want := range c.want {
			if status != c.status || !strings.Contains(out, want) {
				t.Errorf("%q ends with %d:\n%s\nwant %d and %q", c.args, status, out, c.status, want)
			}
		}
	}
	played := "поговорить с Осриком\nспросить Осрика о чердаке\nиди на восток\n"
	if out, status := h.run(played, "game", "play", "mill", "--no-model"); status != 0 || !strings.Contains(out, "Вот ключ") {
		t.Errorf("%d: %s", status, out)
	}
	h.notProven(folder)
	h.replaysItsWords(folder)
	if err := os.WriteFile(filepath.Join(folder, "mill.txt"), []byte("dragon <|im_start|>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, status := h.run("", "game", "tale", "list"); status != 0 || !strings.Contains(out, "mill  cannot be begun: "+filepath.Join(folder, "mill.txt")+`:1: there must be no "<"`) {
		t.Errorf("%d: %s", status, out)
	}
	if out, status := h.run("", "game", "play", "other", "--tale", "mill", "--no-model"); status != 1 || out != "hob: the tale \"mill\" has mistakes in it: hob game tale check mill says which\n" {
		t.Errorf("a story of a tale with mistakes ends with %d: %s", status, out)
	}
	var list struct{ Tales []campaigns.Tale }
	if out, _ := h.run("", "game", "tale", "list", "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list.Tales) != 4 || list.Tales[3].OK || len(list.Tales[3].Problems) == 0 {
		t.Error(out)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	played = "открыть дверь\nиди вверх\nоткрыть сундук\nвзять фонарь\nиди вниз\nиди на запад\nдать фонарь Осрику\n/undo\nдать фонарь Осрику\n"
	if out, status := h.run(played, "game", "play", "mill"); status != 0 || strings.Count(out, "Осрик вешает фонарь") != 2 {
		t.Errorf("%d: %s", status, out)
	}
	if out, status := h.run("", "game", "verify", "-c", "mill"); status != 0 || !strings.Contains(out, "the log is whole") {
		t.Errorf("%d: %s", status, out)
	}
	file := filepath.Join(t.TempDir(), "mill.jsonl")
	if out, status := h.run("", "game", "export", "-c", "mill", file); status != 0 {
		t.Error(out)
	}
	if out, status := h.run("", "game", "verify", file); status != 0 {
		t.Error(out)
	}
	h.whose(t, file)
}

// replaysItsWords gives a tale a text for a moment: a replay has it, as play has, and the end of the story behind the last step.
func (h *house) replaysItsWords(folder string) {
	h.t.Helper()
	file := filepath.Join(folder, "mill.ru.txt")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(text, "area_mill.first = Пол мельницы прогибается, как хлеб.\n"...), 0o600)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	out, _ := h.run("", "game", "tale", "check", "mill", "--replay")
	for _, want := range []string{"     Пол мельницы прогибается, как хлеб. Колесо", " Осрик вешает фонарь"} {
		if !strings.Contains(out, want) {
			h.t.Errorf("a replay lacks %q:\n%s", want, out)
		}
	}
}

// notProven changes a tale so that there is no time to win it, and looks that it is not offered and not begun, and that it is again once
// it is mended.
func (h *house) notProven(folder string) {
	h.t.Helper()
	file := filepath.Join(folder, "mill.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, c := range []struct {
		minutes string
		status  int
		want    string // of tale check and of new; tale list is to say it, too
	}{{"minutes=1 ", 1, "not proven that it can be won: quest_light as walker in ru, whatever may lead there was tried"}, {"minutes=10 ", 0, ""}} {
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), "minutes=10 ", c.minutes, 1)), 0o600); err != nil {
			h.t.Fatal(err)
		}
		if out, status := h.run("", "game", "tale", "check", "mill"); status != c.status || !strings.Contains(out, c.want) {
			h.t.Errorf("check ends with %d: %s", status, out)
		}
		if out, _ := h.run("", "game", "tale", "list"); strings.Contains(out, "mill  cannot be begun") != (c.status != 0) || !strings.Contains(out, c.want) {
			h.t.Error(out)
		}
		if out, status := h.run("", "game", "new", "proven-or-not"+c.minutes[8:9], "--tale", "mill"); status != c.status {
			h.t.Errorf("new ends with %d: %s", status, out)
		}
	}
}

// whose looks whose words campaigns count as: only those of hob's own tales and maps are nobody else's, and an import is no longer its
// predecessor of that name.
func (h *house) whose(t *testing.T, file string) {
	t.Helper()
	for _, args := range [][]string{{"new", "hobs", "--tale", "cosy"}, {"new", "drawn"}, {"import", file, "--name", "theirs"}} {
		if out, status := h.run("", append([]string{"game"}, args...)...); status != 0 {
			t.Fatal(out)
		}
	}
	untrusted := func(want map[string]bool) {
		t.Helper()
		h.look(func(db *store.DB) {
			for id, want := range want {
				label, err := campaigns.New(db).Label(t.Context(), id)
				if err != nil || label.Untrusted != want || want && label != (event.Label{Untrusted: true, Source: "story:" + id}) {
					t.Errorf("%s: %+v, %v", id, label, err)
				}
			}
		})
	}
	untrusted(map[string]bool{"mill": true, "a": true, "theirs": true, "hobs": false, "drawn": false, "nowhere": true})
	if out, status := h.run("", "game", "import", file, "--name", "hobs"); status != 2 {
		t.Error(out)
	}
	untrusted(map[string]bool{"hobs": false})
	h.run("", "game", "remove", "hobs", "--yes")
	h.run("", "game", "import", file, "--name", "hobs")
	untrusted(map[string]bool{"hobs": true})
}

// On Telegram a tale of the household's has a button, in its languages, with its own heroes.
func TestTales_OnTelegram(t *testing.T) {
	p := newParlour(t, nowhereToAsk, noTeller)
	folder := filepath.Join(filepath.Dir(p.config), "tales")
	for _, lang := range []string{"ru", "zh"} {
		files, err := tales.Example("mill", lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(f.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "odd.txt"), []byte("dragon"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.daemon = p.serve()
	m := p.say("ada", "/game@hob_bot new")
	if !strings.Contains(m.Text, "odd cannot be begun: hob game tale check odd says why") {
		t.Error(m.Text)
	}
	m, _ = p.press(p.group, p.people["ada"], m, "✚ Тёмный мост")
	if diff := cmp.Diff([]string{"[Русский | 中文]"}, keysOf(m)); diff != "" {
		t.Error(diff)
	}
	for _, label := range []string{"中文", "行路人", "whoever speaks first", "the same"} {
		m, _ = p.press(p.group, p.people["ada"], m, label)
	}
	if !strings.Contains(m.Text, "河面上起了雾") {
		t.Error(m.Text)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if m := p.say("bob", "/join@hob_bot Bo"); !strings.Contains(m.Text, "Bo") {
		t.Error(m.Text)
	}
	p.daemon.stop()
	p.campaign("mill", func(s *eventlog.Log) {
		if a := s.World().Actor("pc_002"); a == nil || a.Desc != "你正走在回家的路上，有一整晚的时间。" {
			t.Errorf("%+v", a)
		}
	})
}
