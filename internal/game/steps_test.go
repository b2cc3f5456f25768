package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// offered returns the labels of what the hero of the tale can do, with other records in place of those the tale has.
func offered(t *testing.T, lang string, more ...world.Record) (labels []string) {
	t.Helper()
	w := world.Empty()
	for _, r := range append(tale(lang), more...) {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range story.Choices(w, book(t), lang, w.Actor("pc_001")) {
		labels = append(labels, c.Label)
	}
	return labels
}

// hero is the hero of the tale at a place.
func hero(place string) *world.Actor {
	return &world.Actor{ID: "pc_001", Order: 5, Role: "pc", Name: "Mara", Place: place, HP: world.Known(30),
		HPMax: world.Known(30)}
}

// wants is the only quest there is.
func wants(when string) []world.Record {
	return []world.Record{&world.Quest{ID: "side", State: world.Done}, &world.Quest{ID: "main", State: world.Active,
		Objectives: []string{"met", "free", "o"},
		Met:        []string{"met"}, When: map[string]string{"met": "at tower", "o": when}}}
}

// The most useful comes first: what a quest waits for, who is hostile, who has something to say, what can be opened.
func TestChoicesAreUseful(t *testing.T) {
	knows := &world.Fact{ID: "where", Order: 14, Text: "The bell is in the crypt.", Witnesses: []string{"pc_001"}}
	thing := func(id, parent string) *world.Thing { return &world.Thing{ID: id, Name: id, Parent: parent} }
	seen := &world.Place{ID: "tower", Order: 4, Name: "TOWER", Visited: true}
	osric := func(said int) *world.Actor {
		a := *tale("en")[12].(*world.Actor)
		a.Talk = append([]world.Talk(nil), a.Talk...)
		for i := range said {
			a.Talk[i].Said = true
		}
		return &a
	}
	for _, test := range []struct {
		name string
		more []world.Record
		want []string
	}{
		{"a quest waits at the next place", nil, []string{"Go to INN", "Open the door to TOWER"}},
		{"far, over places that are known", append(wants("at inn"), hero("tower"), seen), []string{"Open the door to SQUARE"}},
		{"further than is known", append(wants("at crypt"), thing("key", "pc_001")), []string{"Go to INN",
			"Open the door to TOWER"}},
		{"behind a door that is locked", append(wants("at crypt"), &world.Place{ID: "inn", Name: "INN", Visited: true}),
			[]string{"Open the door to TOWER", "Go to INN"}},
		{"a fact that somebody here knows", append(wants("knows where"), hero("inn"), osric(1)),
			[]string{"Ask Osric about bell", "Go to SQUARE", "Look at Osric"}},
		{"all was said", append(wants("dead rat"), hero("inn"), osric(3)), []string{"Go to SQUARE", "Look at Osric"}},
		{"nobody is asked before they have greeted", append(wants("knows where"), hero("inn"), osric(0)), []string{"Talk to Osric",
			"Go to SQUARE", "Look at Osric"}},
		{"what may not be asked yet", append(wants("has key"), hero("inn"), osric(0)), []string{"Talk to Osric",
			"Go to SQUARE", "Look at Osric"}},
		{"what may be asked now", append(wants("has key"), hero("inn"), osric(2), knows), []string{"Ask Osric about old key",
			"Go to SQUARE", "Look at Osric"}},
		{"who cannot hear", append(wants("knows where"), hero("inn"), &world.Actor{ID: "npc_001", Place: "inn", State: world.Dead,
			Talk: []world.Talk{{Text: "No."}}}), []string{"Go to SQUARE", "Look at npc_001"}},
		{"somebody hostile", append(wants("dead rat"), hero("crypt")), []string{"Attack Rat", "Take ring of keys",
			"Look at Rat"}},
		{"somebody else who is hostile", append(wants("has ring"), hero("crypt")), []string{"Take ring of keys", "Attack Rat",
			"Look at Rat"}},
		{"a chest whose key is carried", append(wants(""), hero("crypt"), &world.Thing{ID: "ring", Name: "ring",
			Parent: "pc_001"}),
			[]string{"Attack Rat", "Unlock chest with ring", "Look at Rat"}},
		{"a chest that is only closed", append(wants("opened chest"), hero("crypt"), &world.Thing{ID: "chest", Name: "chest",
			Parent: "crypt", Container: true, Fixed: true,
			Closed: true}), []string{"Open chest", "Attack Rat", "Take ring of keys", "Look at Rat"}},
		{"something that lies here", append(wants("has hook & at inn"), thing("hook", "square")), []string{"Take hook",
			"Go to INN", "Open the door to TOWER"}},
		{"something that was seen", append(wants("has hook"), thing("hook", "tower"), seen), []string{"Open the door to TOWER",
			"Go to INN"}},
		{"something nobody has seen", wants("has bell"), []string{"Go to INN", "Open the door to TOWER"}},
		{"to be left here", wants("in sword square"), []string{"Leave sword here", "Go to INN", "Open the door to TOWER"}},
		{"to be brought", wants("in sword inn"), []string{"Go to INN", "Open the door to TOWER"}},
		{"to be hung up", append(wants("in sword hook"), hero("tower"), seen), []string{"Put sword in its place: hook",
			"Open the door to SQUARE"}},
		{"to be hung up where there is no room", append(wants("in sword hook"), hero("tower"), &world.Thing{ID: "hook",
			Parent: "tower", Fixed: true, Capacity: 1},
			thing("hat", "hook")), []string{"Open the door to SQUARE", "Take hat"}},
		{"to be given", append(wants("in sword npc_001"), hero("inn"), osric(3)), []string{"Give sword to Osric",
			"Go to SQUARE", "Look at Osric"}},
		{"to be given to somebody elsewhere", append(wants("in sword npc_001"), &world.Place{ID: "inn", Name: "INN", Visited: true},
			hero("tower"), seen), []string{"Open the door to SQUARE"}},
		{"what somebody waits for", append(wants("dead rat"), hero("inn"), func() *world.Actor {
			a := osric(3)
			a.Talk[1].When = "in sword npc_001"
			return a
		}()), []string{"Give sword to Osric", "Go to SQUARE", "Look at Osric"}},
		{"to be somewhere with what nobody has", append(wants("at square & has bell"), hero("inn"), osric(3)),
			[]string{"Go to SQUARE", "Look at Osric"}},
		{"to be somewhere with what is had", append(wants("at square & has sword"), hero("inn"), osric(0)),
			[]string{"Go to SQUARE", "Talk to Osric", "Look at Osric"}},
		{"to be somewhere in vain", append(wants("at square & has bell"), hero("inn"), osric(0)),
			[]string{"Talk to Osric", "Go to SQUARE", "Look at Osric"}},
		{"a door", wants("open square tower"), []string{"Open the door to TOWER", "Go to INN"}},
		{"a door elsewhere", append(wants("open square tower"), hero("inn"), osric(3)), []string{"Go to SQUARE",
			"Look at Osric"}},
		{"what is not certain", wants("not at square & full tide & done side & set hook state wet"), []string{"Go to INN",
			"Open the door to TOWER"}},
		{"what cannot be", wants("at nowhere & has nothing & dead nobody & knows nothing & in sword nothing & open square nowhere & sees & opened sword"),
			[]string{"Go to INN", "Open the door to TOWER"}},
	} {
		if diff := cmp.Diff(test.want, offered(t, "en", test.more...)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	for lang, want := range map[string][]string{
		"ru": {"Поговорить: Osric", "Идти: SQUARE", "Осмотреть: Osric"},
		"zh": {"和Osric交谈", "前往SQUARE", "查看Osric"},
	} {
		if diff := cmp.Diff(want, offered(t, lang, append(wants("knows where"), hero("inn"))...)); diff != "" {
			t.Error(diff)
		}
	}
	for _, key := range []string{"choices.unlock", "choices.lid", "choices.put", "choices.give", "choices.leave"} {
		texts := map[string]bool{}
		for _, lang := range rules.Langs() {
			texts[book(t).Text(lang, rules.Sentence{Key: key, Args: []string{"A", "B"}})] = true
		}
		if len(texts) != 3 {
			t.Errorf("%s: %v", key, texts)
		}
	}
}
