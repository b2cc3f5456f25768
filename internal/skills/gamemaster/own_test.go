package gamemaster_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"hob/internal/event"
	"hob/internal/game/tales"
	"hob/internal/llm"
	"hob/internal/tools"
)

// ownTales is a folder with the example of a tale in it, with words in these languages.
func ownTales(t *testing.T, id string, langs ...string) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{}
	for _, lang := range langs {
		files, err := tales.Example(id, lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			folder[f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
		}
	}
	return folder
}

// A tale of the household's is listed, begun and played to its end like those that come with hob; while it is played nothing is asked of
// its files any more.
func TestOwnTale(t *testing.T) {
	folder := ownTales(t, "bridge", "ru")
	folder["broken.txt"] = &fstest.MapFile{Data: []byte("dragon")}
	h := newHouse(t, plan{noModel: true, tales: tales.NewLibrary(folder)})
	list := h.say("/game").reply.Text
	for _, want := range []string{"/game new cosy ", "/game new bridge   Тёмный мост: Короткий вечер", "(broken cannot be begun: hob game tale check broken says why)"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	for words, want := range map[string]string{
		"/game new broken": `the tale "broken" has mistakes in it: hob game tale check broken says which`, "/game new bridge en": `the tale "bridge" has no words in "en": begin it in ru`,
		"/game new nowhere": `there is no tale “nowhere”: there are cosy, mystery, dungeon, bridge, and map`,
	} {
		if got := strings.ToLower(h.say(words).reply.Text); !strings.Contains(got, want) {
			t.Errorf("%s: %s", words, got)
		}
	}
	begun := h.began("bridge").reply.Text
	if !strings.Contains(begun, "Над рекой стоит туман.") {
		t.Error(begun)
	}
	clear(folder)
	last := ""
	for _, words := range []string{
		"поговорить с Осриком", "спросить Осрика о чердаке", "иди на восток", "открыть дверь", "иди вверх", "открыть сундук", "взять фонарь", "иди вниз", "иди на запад",
		"дать фонарь Осрику",
	} {
		last = h.say(words).reply.Text
	}
	if !strings.Contains(last, "Осрик вешает фонарь") {
		t.Errorf("it ends with %s", last)
	}
	h.legal("bridge")
}

// Others join a tale of the household's as its own heroes, whatever became of its files.
func TestOwnTale_Join(t *testing.T) {
	folder := ownTales(t, "bridge", "en")
	h := newHouse(t, plan{noModel: true, tales: tales.NewLibrary(folder)})
	h.standing.Scope = "group"
	h.began("bridge")
	clear(folder)
	if got := h.sayAs("bo", "/join Bo, walker", "").reply.Text; !strings.Contains(got, "Bo") {
		t.Error(got)
	}
	w := h.log("bridge").World()
	if a := w.Actor("pc_002"); a == nil || a.Owner != "bo" || w.Contents("pc_002")[0].Name != "walking stick" {
		t.Errorf("%+v", a)
	}
	h.legal("bridge")
}

// labels are where what a model called came from.
func labels(got said) (all []event.Label) {
	for _, b := range got.bodies {
		if c, ok := b.(event.Called); ok {
			all = append(all, c.Label)
		}
	}
	return all
}

// What a model does while it tells a story that somebody else may have written carries that, from its first call on, however the
// chat came to the story; in a story of hob's own it does not, nor in the chat once the story is left.
func TestWhoseStory(t *testing.T) {
	model := speaking(func(req llm.Request) llm.Step {
		if results(req) == 0 && !asksToTell(req) {
			return llm.Do(llm.CallOf(1, "look", struct{}{}))
		}
		return llm.Say("It is quiet.")
	})
	const words = "I hum and think about nothing in particular"
	stranger := event.Label{Untrusted: true, Source: "story:bridge"}
	by := tools.Caller{Chat: "main", User: "ana", Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}}
	bind := func(h *house) {
		if _, err := h.master.Bind(t.Context(), by, "bridge"); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		do   func(h *house)
		want event.Label
	}{
		"hob's own": {func(h *house) { h.began("cosy") }, event.Label{}},
		"begun":     {func(h *house) { h.began("bridge") }, stranger},
		"opened by hand": {func(h *house) {
			h.began("cosy")
			if err := h.shelf.Bind(t.Context(), "main", "bridge"); err != nil {
				t.Fatal(err)
			}
		}, stranger},
		"after a new conversation": {func(h *house) {
			h.began("bridge")
			if err := h.Reset(t.Context(), "main"); err != nil {
				t.Fatal(err)
			}
			bind(h)
		}, stranger},
		"another story before": {func(h *house) {
			h.began("bridge")
			h.say(words)
			h.began("cosy")
		}, stranger}, // the conversation has read it
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, plan{model: model, tales: tales.NewLibrary(ownTales(t, "bridge", "en"))})
			other := newHouse(t, plan{noModel: true, shelf: h.shelf, tales: tales.NewLibrary(ownTales(t, "bridge", "en"))})
			if name == "opened by hand" {
				if got := other.say("/game new bridge name=bridge"); got.ended.Reason != event.Done {
					t.Fatal(got.reply.Text)
				}
			}
			c.do(h)
			got := labels(h.say(words))
			if len(got) == 0 || got[0] != c.want {
				t.Errorf("%+v", got)
			}
			h.say("/game close")
			if got := labels(h.say("look around here, please")); len(got) != 1 || got[0] != (event.Label{}) {
				t.Errorf("outside of the story: %+v", got)
			}
		})
	}
}

// A story whose text was read from a file is marked before its first word is before a model, so what was told when it was begun is
// marked too.
func TestWhoseStory_Begun(t *testing.T) {
	h := newHouse(t, plan{noModel: true, tales: tales.NewLibrary(ownTales(t, "bridge", "en"))})
	for tale, want := range map[string]bool{"bridge": true, "cosy": false} {
		got := h.began(tale)
		marked := false
		for _, b := range got.bodies {
			if r, ok := b.(event.Returned); ok {
				marked = marked || r.Label.Untrusted
			}
		}
		if want && !marked || strings.Contains(got.reply.Text, "[") {
			t.Errorf("%s: marked %v: %s", tale, marked, got.reply.Text)
		}
	}
}
