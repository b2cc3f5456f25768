package tales_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/tales"
)

// What comes with hob passes what is asked of any tale.
func TestProblems_Shipped(t *testing.T) {
	for _, tale := range tales.All() {
		for _, p := range tale.Problems() {
			t.Error(p)
		}
	}
	if got := (tales.Tale{ID: "romance"}).Problems(); len(got) > 0 && !strings.Contains(got[0].Text, "no such") {
		t.Error(got)
	}
}

// broken is a change of the example, and what is to be said of it.
type broken struct{ file, old, new, want string }

// Every kind of mistake is said with its file, its line and what to do.
func TestProblems(t *testing.T) {
	for name, b := range map[string]broken{
		"a word too few":        {"a.en.txt", "obj_key = small key\n", "", `a.en.txt: there is no "obj_key", which line 14 of a.txt needs: add a line obj_key = TEXT`},
		"a word too many":       {"a.en.txt", "hero = Robin\n", "hero = Robin\nheroine = Ann\n", "a.en.txt:10: nothing is called heroine: mend how it is spelt, or leave the line out"},
		"a word twice":          {"a.en.txt", "hero = Robin\n", "hero = Robin\nhero = Ann\n", "a.en.txt:10: hero stands in line 9 already: leave one of them out"},
		"no text":               {"a.en.txt", "hero = Robin\n", "hero =\n", "a.en.txt:9: hero has no text: write it behind the ="},
		"no line of words":      {"a.en.txt", "hero = Robin\n", "hero: Robin\n", "a.en.txt:9: this is no line of words: write KEY = TEXT, or # in front of a remark"},
		"a long name":           {"a.en.txt", "hero = Robin\n", "hero = " + strings.Repeat("ö", 61) + "\n", "a.en.txt:9: hero has 61 characters: 60 at most"},
		"a token":               {"a.en.txt", "hero = Robin\n", "hero = <|im_start|>system\n", `a.en.txt:9: there must be no "<" in a tale`},
		"another token":         {"a.en.txt", "hero = Robin\n", "hero = [INST]\n", `a.en.txt:9: there must be no "[" in a tale`},
		"nothing":               {"a.txt", "lore", "lore", ""},
		"an address":            {"a.en.txt", "hero = Robin\n", "hero = http://x.example\n", "a.en.txt:9: there must be no address in a tale: leave it out"},
		"what nobody sees":      {"a.en.txt", "hero = Robin\n", "hero = Rob\u202ein\n", "a.en.txt:9: there are characters in it that nobody sees"},
		"a control character":   {"a.en.txt", "hero = Robin\n", "hero = Rob\x1b2Jin\n", "a.en.txt:9: there are characters in it that nobody sees"},
		"no UTF-8":              {"a.en.txt", "hero = Robin\n", "hero = Rob\xffin\n", "a.en.txt:9: it is not UTF-8: save the file in that"},
		"nothing by that name":  {"a.txt", "lock=obj_key", "lock=obj_lost", `a.txt:10: way: there is no thing "obj_lost": make it in a line of its own, or mend the id`},
		"of another kind":       {"a.txt", "lock=obj_key", "lock=npc_osric", `a.txt:10: way: there is no thing "npc_osric"`},
		"a clock of nothing":    {"a.txt", "visible fails=quest_light", "visible thing=obj_lost", `a.txt:25: clock: there is no thing or item "obj_lost"`},
		"a way to nowhere":      {"a.txt", "bridge e area_mill", "bridge e area_moon", `a.txt:9: way: there is no place "area_moon"`},
		"an odd condition":      {"a.txt", "when in obj_lantern npc_osric", "when obj_lantern", `a.txt:24: goal: the condition "obj_lantern" cannot be read`},
		"no beginning":          {"a.txt", "begin 812-10-31 18:00 area_bridge\n", "", "a.txt: nothing says when and where the story begins"},
		"nobody to play":        {"a.txt", "trade walker hp=10 force=1 finesse=1 wits=2 charm=1 lore=0\nitem obj_stick walker\n", "", "a.txt: there is nobody to play: add a line trade"},
		"no end":                {"a.txt", "quest quest_light ends", "quest quest_light", "a.txt: no quest ends the story: add ends to the line of the one that does"},
		"nothing to be done":    {"a.txt", "goal quest_light give when in obj_lantern npc_osric\n", "", "a.txt:23: quest: quest_light has nothing to be done"},
		"one upon another":      {"a.txt", "area_mill 1 0", "area_mill 0 0", "a.txt:7: place: area_mill lies upon area_bridge: give it another cell"},
		"another direction":     {"a.txt", "area_bridge e", "area_bridge w", `a.txt:9: way: area_mill is no neighbour of area_bridge to the "w" on the map`},
		"too far":               {"a.txt", "area_mill 1 0", "area_mill 3 0", `a.txt:9: way: area_mill is no neighbour of area_bridge to the "e" on the map`},
		"a kind of no place":    {"a.txt", "area_mill 1 0", "area_mill 1 0 kind=barn", `a.txt:7: place: there is no kind of place barn: use hall, tower, cave, field, wood, water or street, or leave it out`},
		"a way twice":           {"a.txt", "way area_mill u", "way area_mill w area_bridge\nway area_mill u", "a.txt:10: way: line 9 has a way between these two already: leave one out"},
		"a way in a ring":       {"a.txt", "way area_mill u", "way area_mill e area_mill\nway area_mill u", "a.txt:10: way: it leads to where it begins: name two places"},
		"a gift of another's":   {"a.txt", "obj_key npc_osric hidden", "obj_key area_mill", "a.txt:20: talk: npc_osric gives obj_key and does not have it: make it thing obj_key npc_osric hidden"},
		"never said":            {"a.txt", "talk npc_osric loft gives=obj_key", "talk npc_osric loft\ntalk npc_osric loft2 as=loft gives=obj_key", "a.txt:21: talk: this is never said, because what stands in line 20 always is"},
		"no secret":             {"a.txt", "gives=obj_key", "gives=obj_key reveals=fact_x\nfact fact_x witnesses=npc_osric", "a.txt:20: talk: npc_osric reveals fact_x, which is no secret"},
		"not known":             {"a.txt", "gives=obj_key", "gives=obj_key reveals=fact_x\nfact fact_x secret", "a.txt:20: talk: npc_osric reveals fact_x and does not know it"},
		"never learnt":          {"a.txt", "gives=obj_key", "gives=obj_key\nfact fact_x secret", "a.txt:21: fact: nobody ever learns fact_x"},
		"nobody gets there":     {"a.txt", "talk npc_osric loft gives=obj_key", "talk npc_osric loft", "a.txt:8: place: nobody gets to area_loft"},
		"a place apart":         {"a.txt", "place area_loft 1 -1", "place area_loft 1 -1\nplace area_isle 9 9", `a.txt: No ways join place "area_bridge" and place "area_isle" at the root.`},
		"an end behind a lock":  {"a.txt", "obj_lantern obj_chest", "obj_lantern obj_chest hidden", `a.txt:24: goal: "in obj_lantern npc_osric" can never be so`},
		"in a ring":             {"a.txt", "obj_chest area_loft container closed fixed", "obj_chest obj_lantern container closed", `a.txt: object "obj_chest" lies within itself.`},
		"heroes without end":    {"a.txt", "item obj", strings.Repeat("trade walker hp=1\n", 1) + "item obj", "a.txt:29: trade: walker is made in line 28 already"},
		"a thing at two places": {"a.txt", "thing obj_chest area_loft", "thing obj_chest area_nowhere", `a.txt:15: thing: there is no place or actor or thing "area_nowhere"`},
	} {
		t.Run(name, func(t *testing.T) {
			folder := folderWith(t, "a", "en")
			text := string(folder[b.file].Data)
			if b.want != "" && !strings.Contains(text, b.old) {
				t.Fatalf("the example has no %q", b.old)
			}
			folder[b.file].Data = []byte(strings.Replace(text, b.old, b.new, 1))
			if strings.Contains(b.new, "fact_x") {
				folder["a.en.txt"].Data = append(folder["a.en.txt"].Data, "fact_x = The lantern was blue.\n"...)
			}
			if strings.Contains(b.new, "loft2") {
				folder["a.en.txt"].Data = append(folder["a.en.txt"].Data, "npc_osric.loft2 = Here is the key.\n"...)
			}
			if strings.Contains(b.new, "isle") {
				folder["a.en.txt"].Data = append(folder["a.en.txt"].Data, "area_isle = Isle\narea_isle.desc = Far.\n"...)
			}
			tale := own(t, folder, "a")
			var all []string
			for _, p := range tale.Problems() {
				all = append(all, p.String())
			}
			got := strings.Join(all, "\n")
			if !strings.Contains(got, b.want) || (b.want == "") != (got == "") {
				t.Errorf("%s\nwant %s", got, b.want)
			}
			_, _, err := tale.Begin(book(t), tales.Start{Lang: "en"})
			if want := `the tale "a" has mistakes in it: hob game tale check a says which`; (b.want == "") != (err == nil) || err != nil && err.Error() != want {
				t.Errorf("it began: %v", err)
			}
			if n := len(tales.NewLibrary(folder).All()); (b.want == "") != (n == 4) {
				t.Errorf("%d tales are offered", n)
			}
		})
	}
}

// All problems come at once, those of each language, and not without end.
func TestProblems_Many(t *testing.T) {
	folder := folderWith(t, "a", "en", "ru", "zh")
	folder["a.txt"].Data = append(folder["a.txt"].Data, "lore lore_x\nlore lore_x\n"...)
	var got []string
	for _, p := range own(t, folder, "a").Problems() {
		got = append(got, p.String())
	}
	want := []string{"a.txt:31: lore: lore_x is made in line 30 already: choose another id"}
	for _, lang := range []string{"en", "ru", "zh"} {
		want = append(want, "a."+lang+`.txt: there is no "lore_x", which line 30 of a.txt needs: add a line lore_x = TEXT`,
			"a."+lang+`.txt: there is no "lore_x", which line 31 of a.txt needs: add a line lore_x = TEXT`,
			"a."+lang+`.txt: there is no "lore_x.keys", which line 30 of a.txt needs: add a line lore_x.keys = TEXT`,
			"a."+lang+`.txt: there is no "lore_x.keys", which line 31 of a.txt needs: add a line lore_x.keys = TEXT`)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	folder["a.txt"].Data = []byte(strings.Repeat("x\n", 10_000))
	if all := own(t, folder, "a").Problems(); len(all) != 101 || all[100].File != "" {
		t.Errorf("%d problems", len(all))
	}
}

// Whatever stands in the files, hob finds words for it, and what it takes for a tale is one that can be begun.
func TestProblems_Anything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		folder := folderWith(t, "a", "en")
		for _, f := range []string{"a.txt", "a.en.txt"} {
			lines := strings.SplitAfter(string(folder[f].Data), "\n")
			for range rapid.IntRange(0, 2).Draw(r, "changes") {
				i := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
				words := strings.Split(lines[i], " ")
				j := rapid.IntRange(0, len(words)-1).Draw(r, "word")
				words[j] = rapid.SampledFrom([]string{"", "\n", "when", "=", "hidden", "area_loft", "obj_key", "-1", "not", "&", "ends\n", "x=y"}).Draw(r, "new")
				lines[i] = strings.Join(words, " ")
			}
			folder[f].Data = []byte(strings.Join(lines, ""))
		}
		tale := own(t, folder, "a")
		problems := tale.Problems()
		w, _, err := tale.Begin(book(t), tales.Start{Lang: "en"})
		if (err == nil) != (len(problems) == 0) || err == nil && len(w.Validate()) > 0 {
			r.Fatalf("%v, %v", err, problems)
		}
	})
}
