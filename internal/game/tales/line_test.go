package tales

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// makeOf makes what the lines of a file say, with words for every id in it.
func makeOf(text string) *maker {
	words := &wording{text: map[string]string{}, no: map[string]int{}, used: map[string]bool{}}
	for _, key := range []string{
		"a", "a.desc", "b", "b.desc", "n", "n.desc", "n.wants", "n.secret", "n.hi", "n.job", "n.job.topic", "n.job.keys", "n.more",
		"title", "pitch", "style", "weather", "goal", "milestone", "opening", "ending", "hero", "q", "q.one", "c", "c.full", "box", "box.desc", "f", "l", "l.keys", "t", "t.line", "i", "i.desc",
	} {
		words.text[key] = "<" + key + ">"
	}
	m := newMaker("tale", "en", words, [32]byte{})
	m.read(text)
	return m
}

// A file with a line of every kind makes the records that it says.
func TestLines(t *testing.T) {
	m := makeOf(`
		# all kinds
		begin 1-1-2 00:05 a
		rule twist_after=2
		place a 0 0
		place b -1 3
		way a w b minutes=4 door=locked lock=box
		actor n b attitude=-2 hp=3 force=2 secret monster
		thing box a rel=on qty=2 lock=i capacity=5 damage=4 fine container locked hidden
		fact f secret importance=3 place=a about=n,a witnesses=n
		talk n hi greeting
		talk n job skill=charm dc=9 gives=box when has box & at a
		talk n more as=job reveals=f quiet
		quest q giver=n ends
		goal q one when in box n
		clock c segments=4 minutes=5 visible onfail thing=i
		lore l priority=2 secret
		trade t hp=9 wits=1
		item i t damage=6 range`)
	if len(m.wrong)+len(m.words.wrong) > 0 {
		t.Fatal(m.wrong, m.words.wrong)
	}
	none := map[string]string{}
	want := []world.Record{
		&world.Place{ID: "a", Order: 1, Name: "<a>", Desc: "<a.desc>", Type: "area", Attrs: none, Visited: true, Grid: &world.Cell{}},
		&world.Place{ID: "b", Order: 2, Name: "<b>", Desc: "<b.desc>", Type: "area", Attrs: none, Grid: &world.Cell{X: -1, Y: 3}},
		&world.Link{From: "a", To: "b", Order: 3, Dir: "w", Minutes: 4, Door: "locked", Lock: "box"},
		&world.Link{From: "b", To: "a", Order: 4, Dir: "e", Minutes: 4, Door: "locked", Lock: "box"},
		&world.Actor{
			ID: "n", Order: 5, Role: "monster", Name: "<n>", Desc: "<n.desc>", Attrs: none, Place: "b", State: "alive", Attitude: -2,
			Wants: "<n.wants>", Secret: "<n.secret>", HP: world.Known(3), HPMax: world.Known(3), Speed: world.Known(4500),
			Stats: map[string]int64{"force": 2}, Talk: []world.Talk{
				{Text: "<n.hi>"},
				{
					Topic: "<n.job.topic>", Keys: []string{"<n.job.keys>"}, Text: "<n.job>", When: "has box & at a", Skill: "charm", DC: 9,
					Gives: "box",
				},
				{Keys: []string{"<n.job.keys>"}, Text: "<n.more>", Reveals: "f"},
			},
		},
		&world.Thing{
			ID: "box", Order: 6, Name: "<box>", Desc: "<box.desc>", Attrs: none, Parent: "a", Rel: "on", Qty: 2, Lock: "i", Capacity: 5,
			Container: true, Locked: true, Hidden: true, Stats: map[string]int64{"damage": 4, "fine": 1},
		},
		&world.Fact{
			ID: "f", Order: 7, Text: "<f>", Place: "a", About: []string{"n", "a"}, Witnesses: []string{"n"}, Importance: 3, Secret: true,
		},
		&world.Quest{
			ID: "q", Order: 8, Title: "<q>", State: "active", Giver: "n", Ends: true, Ending: "<ending>", Objectives: []string{"<q.one>"},
			When: map[string]string{"<q.one>": "in box n"},
		},
		&world.Clock{
			ID: "c", Order: 9, Name: "<c>", OnFull: "<c.full>", Segments: 4, PerMinutes: 5, Since: 1445, Thing: "i", Visible: true,
			OnFail: true,
		},
		&world.Lore{ID: "l", Order: 10, Keys: []string{"<l.keys>"}, Text: "<l>", Priority: 2, Secret: true},
	}
	if diff := cmp.Diff(want, m.records); diff != "" {
		t.Error(diff)
	}
	heroes := []*trade{{
		Trade: Trade{ID: "t", Name: "<t>", Line: "<t.line>", HP: 9, Stats: map[string]int64{"wits": 1}, Has: "<i>"},
		things: []*world.Thing{
			{ID: "i", Order: 11, Name: "<i>", Desc: "<i.desc>", Attrs: none, Stats: map[string]int64{"damage": 6, "range": 1}},
		},
	}}
	if diff := cmp.Diff(heroes, m.trades, cmp.AllowUnexported(trade{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{rules.ZeroEnds: 1, rules.TwistAfter: 2}, m.self.Rules); diff != "" || m.self.Minute != 1445 || m.entry != "a" {
		t.Error(diff, m.self.Minute, m.entry)
	}
}

// What is wrong with a line is said with its number, and what to do.
func TestLines_Wrong(t *testing.T) {
	for line, want := range map[string]string{
		"dragon d":                              `1: there is no kind of line "dragon": begin it with begin, rule`,
		"place a 0":                             "1: place: there is a word too few: place ID X Y",
		"place a 0 x":                           `1: place: "x" is no whole number`,
		"place a 0 99":                          "1: place: it lies off the map: use cells from -50 to 50",
		"place a 0 0":                           "1: place: begin must stand before all places: move it up",
		"clock c segments=4":                    "1: clock: begin must stand before all clocks: move it up",
		"begin 1-1-1 0:0 a\nclock c segments=5": "2: clock: a clock has segments=4, 6, 8, 10 or 12",
		"begin 1-1-1 0:0 a\nclock c segments=4 thing=x fails=q": "2: clock: what ends a quest is for all to see, wherever x is",
		"begin 1-1-1 0:0 a\nbegin 1-1-1 0:0 a":                  "2: begin: the story begins in another line already: leave one of them out",
		"place a 0 0 big":                                       `1: place: it has no use for ["big"]: leave that out, or mend how it is spelt`,
		"place a 0 0 colour=red when at a":                      `1: place: it has no use for ["colour" "when"]`,
		"begin 1-13-1 00:00 a":                                  "1: begin: there is no month 13: use 1 to 12",
		"begin today now a":                                     `1: begin: "today now" is no date and time`,
		"talk n hi greeting":                                    `1: talk: there is no actor "n" before this line`,
		"goal q one when at a":                                  `1: goal: there is no quest "q" before this line`,
		"quest q\ngoal q one":                                   "2: goal: nothing says when it is met",
		"quest q\ngoal q one when":                              "2: goal: there is nothing behind when",
		"quest q\ngoal q one when at a b":                       `2: goal: the condition "at a b" cannot be read`,
		"item i t":                                              `1: item: there is no trade "t" before this line`,
		"place z 0 0":                                           `words 0: there is no "z", which line 1 of tale.txt needs: add a line z = TEXT`,
		"place a 0 0\nlore a":                                   "2: lore: a is made in line 1 already: choose another id",
		"lore L":                                                `1: lore: "L" is no id`,
		"lore pc_001":                                           "1: lore: pc_001 is an id that hob gives",
		"trade t hp=9 wits=much":                                `1: trade: "much" is no whole number`,
		"trade t hp=0":                                          "1: trade: hp=0 is out of reach: use 1 to 999",
		"trade t":                                               "1: trade: nobody lives without hit points",
		"trade t hp=1 hp=2":                                     "1: trade: hp= stands there twice",
		"rule luck=1":                                           `1: rule: there is no rule "luck"`,
		"rule twist_after=none":                                 `1: rule: "none" is no whole number`,
		"actor n b\ntalk n hi greeting dc=ha":                   `2: talk: "ha" is no whole number`,
		"actor n b\ntalk n hi greeting dc=9":                    "2: talk: a check has both: skill= and dc=",
		"actor n b\ntalk n job skill=luck dc=9":                 `2: talk: there is no skill "luck"`,
		"actor n b\ntalk n hi greeting quiet":                   "2: talk: a greeting is not asked for",
		"actor n b\ntalk n desc":                                `2: talk: "desc" is no name for what is said`,
		"actor n b\ntalk n more as=hi":                          "2: talk: as=hi: nothing else that n says",
		"actor n b\ntalk n hi greeting\ntalk n hi greeting":     "3: talk: n says hi in line 2 already",
		"actor n b attitude=4":                                  "1: actor: attitude=4 is out of reach: use -3 to 3",
		"way a x b":                                             `1: way: there is no direction "x"`,
		"way a n b door=locked":                                 "1: way: nothing opens this door",
		"way a n b door=ajar":                                   "1: way: door=ajar: use open, closed or locked",
		"thing box a locked":                                    "1: thing: nothing opens this lock",
		"thing box a rel=under":                                 "1: thing: rel=under: use in, on, held, worn or part",
	} {
		m := makeOf(line)
		var all []string
		for _, w := range m.wrong {
			all = append(all, fmt.Sprintf("%d: %s", w.no, w.text))
		}
		for _, w := range m.words.wrong {
			all = append(all, fmt.Sprintf("words %d: %s", w.no, w.text))
		}
		if got := strings.Join(all, "\n"); !strings.Contains(got, want) {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// What a tale says of acts is of a tool, or of it on one target alone.
func TestActs(t *testing.T) {
	m := makeOf("begin 1-1-2 00:05 a\nact move_object box skill=finesse dc=14\nact set_link b never\nact create_object never\nact hp_delta dc=12\nplace a 0 0\nplace b 1 0\nthing box a")
	want := map[string]string{"move_object box": "finesse 14", "set_link b": rules.NeverAct, "create_object": rules.NeverAct, "hp_delta": "12"}
	if diff := cmp.Diff(want, m.self.Acts); diff != "" || len(m.wrong) > 0 {
		t.Error(diff, m.wrong)
	}
	for line, no := range map[string]string{
		"act": "a word too few", "act move_object": "or never", "act move_object dc=11": "use 12 to 40", "act move_object dc=14 never": "or never",
		"act move_object never skill=wits": "or never", "act move_object skill=luck dc=14": "no skill", "act party n dc=13 loud": "loud",
		"act party dc=13\nact party never": "another line",
	} {
		m := makeOf("begin 1-1-2 00:05 a\n" + line)
		if len(m.wrong) == 0 || !strings.Contains(fmt.Sprint(m.wrong), no) {
			t.Errorf("%s: %v lacks %q", line, m.wrong, no)
		}
	}
}
