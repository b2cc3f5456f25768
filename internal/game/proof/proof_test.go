package proof_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/proof"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/golden"
)

var update = flag.Bool("update", false, "write what is found to testdata")

func book(t testing.TB) *rules.Book {
	t.Helper()
	b := game.Rules()
	return b
}

// format is how a proof stands in testdata: a line says how long it is, and each other line is a step.
func format(p proof.Proof) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %d minutes, found among %d states\n", p.Quest, p.Minutes, p.States)
	for _, s := range p.Steps {
		line := s.String()
		if s.Do == "ask" {
			line += fmt.Sprintf(" line %d", s.Talk+1)
		}
		if s.Tries > 1 {
			line += fmt.Sprintf(", up to %d times", s.Tries)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Each tale of hob can be won by every hero in every language, whatever the dice: by these steps, which the search finds anew, and which
// come to the good end in play with dice of any seed. Every ending that a tale has stands here.
func TestShippedTales(t *testing.T) {
	b := book(t)
	for _, tale := range tales.All() {
		r, err := proof.Find(t.Context(), b, tale)
		if err != nil || r.NotProven() != "" {
			t.Fatalf("%s: %v %s", tale.ID, err, r.NotProven())
		}
		got := ""
		for _, p := range r.Proofs {
			got += format(p)
			for _, trade := range tale.Trades("en") {
				for i, lang := range tale.Langs() {
					p.Trade, p.Lang = trade.ID, lang
					checkReplay(t, b, tale, p, fmt.Sprint("seed ", i))
				}
			}
		}
		golden.Check(t, *update, "testdata/"+tale.ID+".txt", got)
		w, _, err := tale.Begin(b, tales.Start{Session: "s", Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		ends := 0
		for _, q := range w.Quests() {
			if q.Ends {
				ends++
			}
		}
		if len(r.Proofs) != ends {
			t.Errorf("%s has %d endings, and %d are proven", tale.ID, ends, len(r.Proofs))
		}
	}
}

// checkReplay looks that a proof comes to the good end as a campaign, that its log is whole, and that each step did something.
func checkReplay(t *testing.T, b *rules.Book, tale tales.Tale, p proof.Proof, seed string) {
	t.Helper()
	log, lines, err := p.Replay(t.Context(), b, tale, seed)
	if err != nil {
		t.Fatal(err)
	}
	self := log.World().Self()
	if !self.Ended || self.EndedReason != "goal" || log.World().Quest(p.Quest).State != world.Done {
		t.Errorf("%s as %s in %s, %s: ended %v, %q; last: %+v", tale.ID, p.Trade, p.Lang, seed, self.Ended, self.EndedReason, lines[len(lines)-1])
	}
	if r, err := log.Verify(t.Context(), nil); err != nil || len(r.Problems) > 0 {
		t.Errorf("%s: verify: %v %v", tale.ID, r.Problems, err)
	}
	for _, l := range lines {
		if l.Label == "" || l.Text == "" {
			t.Errorf("%s: a step without words: %+v", tale.ID, l)
		}
	}
}

// small is a tale in which what a case says is changed.
const small = `begin 812-10-31 18:00 area_bridge
place area_bridge 0 0
place area_mill 1 0
place area_loft 1 -1
way area_bridge e area_mill minutes=5
way area_mill u area_loft minutes=1 door=locked lock=obj_key
actor npc_osric area_bridge charm=1 hp=3
thing obj_key npc_osric hidden
thing obj_chest area_loft container closed fixed
thing obj_lantern obj_chest
fact fact_oil secret witnesses=npc_osric
talk npc_osric loft gives=obj_key
talk npc_osric oil reveals=fact_oil
quest quest_light ends
goal quest_light give when in obj_lantern npc_osric
clock clock_dark segments=6 minutes=10 visible fails=quest_light
trade walker hp=10 charm=1
item obj_stick walker damage=4
trade singer hp=8 charm=3
item obj_flute singer
`

// smallTale returns the tale with replacements: old and new by turns.
func smallTale(t *testing.T, changes ...string) tales.Tale {
	t.Helper()
	what := small
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(what, changes[i]) {
			t.Fatalf("the tale has no %q", changes[i])
		}
		what = strings.Replace(what, changes[i], changes[i+1], 1)
	}
	words := "title = T\npitch = P.\nopening = O.\ngoal = G.\nending = E.\nmilestone = M.\nstyle = S.\nweather = dry\nhero = Robin\n"
	for line := range strings.Lines(what) {
		f := strings.Fields(line)
		switch f[0] {
		case "place", "actor", "thing", "trade", "item", "quest", "clock":
			words += f[1] + " = the " + f[1] + "\n"
			if f[0] != "quest" && f[0] != "clock" && f[0] != "trade" {
				words += f[1] + ".desc = It is there.\n"
			}
			if f[0] == "actor" {
				words += f[1] + ".wants = Rest.\n"
			}
			if f[0] == "clock" {
				words += f[1] + ".full = It is full.\n"
			}
			if f[0] == "trade" {
				words += f[1] + ".line = Somebody.\n"
			}
		case "fact":
			words += f[1] + " = It is so.\n"
		case "goal":
			words += f[1] + "." + f[2] + " = Do " + f[2] + "\n"
		case "talk":
			words += f[1] + "." + f[2] + " = I say so.\n"
			if !strings.Contains(line, "greeting") {
				words += f[1] + "." + f[2] + ".topic = about " + f[2] + "\n" + f[1] + "." + f[2] + ".keys = " + f[2] + "\n"
			}
		}
	}
	folder := fstest.MapFS{"small.txt": {Data: []byte(what)}, "small.en.txt": {Data: []byte(words)}}
	tale := tales.Open(folder, "small")
	for _, p := range tale.Problems() {
		t.Fatal(p)
	}
	return tale
}

// What can be won is won, against the worst of dice and with clocks that run; and what only luck, a search or more time than there is
// would win is not proven.
func TestFind(t *testing.T) {
	ask := []string{"talk npc_osric loft gives=obj_key", "talk npc_osric loft gives=obj_key skill=charm dc="}
	for _, c := range []struct {
		name    string
		changes []string
		steps   []string // nil: it is not proven
	}{
		{"as it is", nil, []string{
			"ask npc_osric line 1", "go area_mill", "go area_loft", "open obj_chest", "take obj_lantern", "go area_mill", "go area_bridge",
			"give obj_lantern npc_osric",
		}},
		{"persuaded at last", []string{ask[0], ask[1] + "14"}, []string{"ask npc_osric line 1, up to 10 times"}},
		{"a certain way beside one of luck", []string{ask[0], ask[1] + "14\ntalk npc_osric oak gives=obj_key when knows fact_oil"}, []string{
			"ask npc_osric line 3", "ask npc_osric line 2",
		}},
		{"nobody is so lucky", []string{ask[0], ask[1] + "40"}, nil},
		{"it takes too long", []string{"minutes=10 visible", "minutes=1 visible"}, nil},
		{"failures fill the clock", []string{ask[0], ask[1] + "14", "visible fails", "visible onfail fails"}, nil},
		{"a way that must be found", []string{"door=locked lock=obj_key", "hidden find=12"}, nil},
		{"one thing for two", []string{"when in obj_lantern npc_osric", "when in obj_lantern npc_osric & in obj_lantern obj_chest"}, nil},
		{"what is open in words alone", []string{"when in obj_lantern", "when set obj_chest color red & in obj_lantern"}, nil},
		{"a blow that nobody returns", []string{"when in obj_lantern npc_osric", "when dead npc_osric"}, []string{"attack npc_osric, up to 30 times"}},
		{"a fight that can be lost", []string{"begin", "rule strike_back=1\nbegin", "when in obj_lantern npc_osric", "when dead npc_osric",
			"npc_osric area_bridge charm=1 hp=3", "npc_osric area_bridge attitude=-3 hp=3 force=5"}, nil},
		{"by waiting", []string{"when in obj_lantern npc_osric", "when full clock_moon", "trade walker", "clock clock_moon segments=4 minutes=5\ntrade walker"},
			[]string{"wait clock_moon, up to 4 times"}},
		{"left behind", []string{"when in obj_lantern npc_osric", "when at area_loft & not has obj_key"}, []string{
			"ask npc_osric line 1", "go area_mill", "go area_loft", "leave obj_key area_loft",
		}},
		{"an end without a condition of its own", []string{"quest quest_light ends", "quest quest_oil\ngoal quest_oil know when knows fact_oil\nquest quest_light ends",
			"when in obj_lantern npc_osric", "when done quest_oil"}, []string{"ask npc_osric line 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tale := smallTale(t, c.changes...)
			r, err := proof.Find(t.Context(), book(t), tale)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range r.Proofs {
				got = strings.Split(strings.TrimSpace(format(p)), "\n")[1:]
				checkReplay(t, book(t), tale, p, "a")
			}
			if c.steps != nil {
				got = got[:min(len(got), len(c.steps))]
			}
			if diff := cmp.Diff(c.steps, got); diff != "" {
				t.Errorf("%s\n%s", diff, r.NotProven())
			}
			if proven := r.NotProven() == ""; proven != (c.steps != nil) {
				t.Error(r.NotProven())
			}
		})
	}
}

// A search ends at its bound, whatever there is to try.
func TestFind_Bound(t *testing.T) {
	goals := ""
	for i := range 14 {
		goals += fmt.Sprintf("thing obj_box%d area_mill container fixed\nthing obj_coin%d area_bridge\ngoal quest_light put%d when in obj_coin%d obj_box%d\n", i, i, i, i, i)
	}
	tale := smallTale(t, "when in obj_lantern npc_osric", "when in obj_lantern npc_osric & in obj_lantern obj_chest", "clock clock_dark segments=6 minutes=10",
		goals+"clock clock_dark segments=12 minutes=1000")
	r, err := proof.Find(t.Context(), book(t), tale)
	if err != nil || !strings.Contains(r.NotProven(), fmt.Sprintf("not among the first %d states", proof.Bound)) {
		t.Errorf("%v %s", err, r.NotProven())
	}
}
