package tales_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// folderWith is a folder with the example under a name, with words in these languages.
func folderWith(t testing.TB, id string, langs ...string) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{}
	for _, lang := range langs {
		all, err := tales.Example(id, lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			folder[f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
		}
	}
	return folder
}

// own returns the tale of that name in a folder.
func own(t testing.TB, folder fs.FS, id string) tales.Tale {
	t.Helper()
	tale, ok := tales.NewLibrary(folder).ByID(id)
	if !ok {
		t.Fatalf("there is no tale %s", id)
	}
	return tale
}

func ids(all []tales.Tale) (list []string) {
	for _, t := range all {
		list = append(list, t.ID)
	}
	return list
}

// The example passes what is asked of any tale, and whoever picks the first of what is offered comes to its good end, in each language.
func TestExample(t *testing.T) {
	folder := folderWith(t, "bridge", rules.Langs()...)
	tale := own(t, folder, "bridge")
	for _, p := range tale.Problems() {
		t.Error(p)
	}
	if got := ids(tales.NewLibrary(folder).All()); !cmp.Equal(got, []string{"cosy", "mystery", "dungeon", "bridge"}) {
		t.Errorf("%q", got)
	}
	for _, lang := range rules.Langs() {
		picked, w := byNumbers(t, tale, lang, "a", 40)
		if self := w.Self(); self.EndedReason != "goal" || tales.Ending(w, lang) != textIn(folder, "bridge."+lang+".txt", "ending") {
			t.Errorf("%s: %q after\n%s\nand ends with %q", lang, self.EndedReason, strings.Join(picked, "\n"), tales.Ending(w, lang))
		}
	}
	for _, c := range [][2]string{{"cosy", "en"}, {"Mill", "en"}, {"mill", "de"}, {"map", "en"}, {"", "en"}, {"-", "en"}} {
		if files, err := tales.Example(c[0], c[1]); err == nil {
			t.Errorf("%q: %v", c, files)
		}
	}
}

// textIn is the text of a key in a file of words.
func textIn(folder fstest.MapFS, name, key string) string {
	for line := range strings.Lines(string(folder[name].Data)) {
		if k, text, _ := strings.Cut(line, " = "); k == key {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// What is no tale keeps no other from being listed, whatever it is; a name that hob has itself is not taken over.
func TestShelf(t *testing.T) {
	folder := folderWith(t, "bridge", "en")
	for name, f := range folderWith(t, "bruecke", "ru") {
		folder[name] = f
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for name, f := range map[string]*fstest.MapFile{
		"cosy.txt": text("begin"), "cosy.en.txt": text("title = Mine"), "map.txt": text("x"), "big.txt": {Data: make([]byte, 33<<10)},
		"wordy.txt": text("place a 0 0"), "wordy.en.txt": {Data: bytes.Repeat([]byte("#\n"), 65<<10)}, "bare.txt": text("place a 0 0"),
		"words.en.txt": text("title = Words"), "empty.txt": text(" \n"), "pipe.txt": {Mode: fs.ModeNamedPipe}, "link.txt": {Mode: fs.ModeSymlink, Data: []byte("bridge.txt")},
		"bridge.fr.txt": text("x"), "Big Name.txt": text("x"), strings.Repeat("a", 33) + ".txt": text("x"), "-.txt": text("x"), ".hidden.txt": text("x"),
		"notes.md": text("x"), "bridge.txt~": text("x"), "folder.txt/x.txt": text("x"), "\x1b[2J.txt": text("x"),
	} {
		folder[name] = f
	}
	shelf := tales.NewLibrary(folder)
	ready, broken := shelf.List()
	if diff := cmp.Diff([]string{"cosy", "mystery", "dungeon", "bridge", "bruecke"}, ids(ready)); diff != "" {
		t.Error(diff)
	}
	if ready[0].Title("en") != "The Ember Supper" || ready[0].Own() || !ready[3].Own() {
		t.Error("a tale of hob's was taken over")
	}
	var got []string
	for _, b := range broken {
		got = append(got, b.Problems()[0].String())
	}
	want := []string{
		"bare.txt: there are no words to it: write them into bare.en.txt, bare.ru.txt or bare.zh.txt",
		"big.txt: it has more than 32 KiB: shorten it",
		"empty.txt: there is nothing in it: write something, or remove it",
		"link.txt: it is no file, or a link to one: put the file itself here",
		"pipe.txt: it is no file, or a link to one: put the file itself here",
		"words.txt: there is no such file, or nothing in it: it says what there is in the tale, see hob game tale new",
		"wordy.en.txt: it has more than 128 KiB: shorten it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, stray := shelf.Own()
	got = nil
	for _, p := range stray {
		got = append(got, p.String())
	}
	const noName = ": this is no name for a tale: it has a to z, 0 to 9 and hyphens within, at most 32"
	want = []string{
		`"-.txt"` + noName, `"Big Name.txt"` + noName, `"\x1b[2J.txt"` + noName, `"` + strings.Repeat("a", 33) + `.txt"` + noName,
		`"bridge.fr.txt": hob plays in en, ru and zh alone: call it bridge.en.txt, for example`,
		`"cosy.en.txt": cosy comes with hob, and that name cannot be taken: call it my-cosy.txt, for example`,
		`"cosy.txt": cosy comes with hob, and that name cannot be taken: call it my-cosy.txt, for example`,
		`"map.txt": map is what a story of no tale is begun with, and that name cannot be taken: call it my-map.txt, for example`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{"nowhere", "../bridge", "a/b", "", "map"} {
		if tale, ok := shelf.ByID(id); ok {
			t.Errorf("%q is %v", id, tale)
		}
	}
	if tale, ok := (tales.Library{}).ByID("bridge"); ok {
		t.Error(tale)
	}
}

// There may be many tales, and not without end.
func TestShelf_Many(t *testing.T) {
	folder := fstest.MapFS{}
	for i := range 45 {
		folder[fmt.Sprintf("t%02d.txt", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	all, stray := tales.NewLibrary(folder).Own()
	if len(all) != 40 || len(stray) != 1 || !strings.HasPrefix(stray[0].String(), "t40.txt: there are more than 40 tales") {
		t.Errorf("%d, %v", len(all), stray)
	}
	for i := range 500 {
		folder[fmt.Sprintf("t%03d.txt", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	if all, stray := tales.NewLibrary(folder).Own(); len(all) != 40 || len(stray) != 2 {
		t.Errorf("%d, %v", len(all), stray)
	}
}

// A tale is offered in the languages that it has words in, and no other.
func TestLangs(t *testing.T) {
	tale := own(t, folderWith(t, "bridge", "zh", "ru"), "bridge")
	if !cmp.Equal(tale.Langs(), []string{"ru", "zh"}) || tale.Title("en") != "Тёмный мост" || tale.Title("zh") != "无灯的桥" {
		t.Errorf("%q, %q", tale.Langs(), tale.Title("en"))
	}
	_, _, err := tale.Begin(book(t), tales.Start{Lang: "en"})
	if want := `the tale "bridge" has no words in "en": begin it in ru or zh`; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// Once a story has begun its tale may change or vanish: who can join and how it ends is what it was, also in a world that was read from
// its own bytes.
func TestBegun(t *testing.T) {
	folder := folderWith(t, "bridge", "en")
	w, counts := begun(t, own(t, folder, "bridge"), tales.Start{Lang: "en"})
	clear(folder)
	again, err := world.Scan(w.AppendState(nil)).State()
	if err != nil || again.Hash() != w.Hash() {
		t.Fatal(err)
	}
	if !tales.HasHeroes(again) {
		t.Fatal("nobody can join")
	}
	events, _, err := tales.Hero(again, counts, "en", "walker", "", "user-7")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := again.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	want := *again.Actor("pc_001")
	want.ID, want.Order, want.Owner, want.Name = "pc_002", again.Actor("pc_002").Order, "user-7", "walker"
	if diff := cmp.Diff(&want, again.Actor("pc_002")); diff != "" || again.Contents("pc_002")[0].Name != "walking stick" {
		t.Error(diff)
	}
	if _, _, err := tales.Hero(again, counts, "en", "wizard", "", ""); err == nil || err.Error() != `add a hero: there is no hero "wizard": choose walker` {
		t.Error(err)
	}
	self := *again.Self()
	self.Heroes = `[[{"id":7}]]`
	if err := again.Apply(world.Event{Old: again.Self(), New: &self}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tales.Hero(again, counts, "en", "", "", ""); err == nil {
		t.Error("what cannot be read was played")
	}
}

// A story that was begun before worlds kept who can join and how it ends asks its tale, where that comes with hob.
func TestBegun_Before(t *testing.T) {
	cosy, _ := tales.ByID("cosy")
	w, counts := begun(t, cosy, tales.Start{Lang: "en"})
	self, quest := *w.Self(), *w.Quest("quest_supper")
	self.Heroes, self.Ended, self.EndedReason = "", true, "goal"
	quest.Ending, quest.State = "", world.Done
	for _, e := range []world.Event{{Old: w.Self(), New: &self}, {Old: w.Quest("quest_supper"), New: &quest}} {
		if err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := tales.Hero(w, counts, "en", "gardener", "", ""); err != nil || !strings.HasPrefix(tales.Ending(w, "en"), "The bell rings six") {
		t.Errorf("%v, %q", err, tales.Ending(w, "en"))
	}
}
