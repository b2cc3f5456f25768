package eventlog_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// playedAs compares what was answered but for that it was answered again.
func playedAs() cmp.Options {
	return cmp.Options{cmpopts.IgnoreUnexported(eventlog.Part{}), cmpopts.IgnoreFields(eventlog.PlayResult{}, "Replayed")}
}

func TestPlay(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	s := begin(t, log)
	r := request("r1", `make { "name" : "lamp" }`, `hit {"id":"  pc ","n":-3}`, `burn {"id":"$0.createdId"}`,
		`nothing`, `gamble {}`)
	asked := r.Calls
	p, err := s.Play(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	id := "obj_8_" + eventlog.Letters([32]byte{1, 2, 3}, 4, "obj", "8")
	roll, _ := dice([32]byte{1, 2, 3}, 1, 0, "1d20")
	roll.Why = "to gamble"
	total := strings.Trim(roll.Detail, "[]")
	applied := func(tool, args, say string) rules.Outcome {
		c := call(tool, args)
		return rules.Outcome{Call: c, Status: rules.Applied, Changed: true, Say: rules.Sentence{Key: "did", Args: []string{say}}}
	}
	want := eventlog.PlayResult{Part: eventlog.Part{
		Turn: 1, Time: "2024-03-14T08:30:02Z", User: "u1", Input: `I do "it"`, Request: "r1", Rolls: []rules.Roll{roll},
		State: s.StateHash(),
		Spans: []eventlog.Span{
			{Events: 1}, {Events: 1, Asked: json.RawMessage(`{"id":"  pc ","n":-3}`)},
			{Events: 1, Asked: json.RawMessage(`{"id":"$0.createdId"}`)}, {}, {Events: 1, Rolls: 1},
		},
		Outcomes: []rules.Outcome{
			applied("make", `{"name":"lamp"}`, id), applied("hit", `{"id":"pc","n":-3}`, "hit"), applied("burn",
				`{"id":"`+id+`"}`, id),
			{Call: rules.Call{ID: "1", Tool: "nothing", Reason: "because"}, Status: rules.Rejected, Code: rules.ToolNotAllowed,
				Say: rules.Sentence{Key: "tool_not_allowed", Args: []string{"nothing"}}},
			applied("gamble", `{}`, "gamble"),
		},
	}}
	want.Outcomes[0].Created = id
	want.Outcomes[1].Result = json.RawMessage(`{"new_hp":7}`)
	want.Outcomes[4].Result, want.Outcomes[4].Actor = json.RawMessage(`{"total":`+total+`}`), "pc"
	for i := range want.Spans[:4] { // the state after each call but the last is that of a game in which only these were made
		short := begin(t, eventlog.NewMemoryStorage())
		r.Calls = asked[:i+1]
		if _, err := short.Play(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		want.Spans[i].State = short.StateHash()
	}
	if diff := cmp.Diff(want, p, playedAs(), cmpopts.IgnoreFields(eventlog.PlayResult{}, "Events")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(rules.Counts{"obj": 8, "order": 1}, s.Counts()); diff != "" {
		t.Error(diff)
	}
	if got := load(t, log); state(got) != state(s) || got.StateHash() != s.StateHash() {
		t.Error("what was loaded is not what was played")
	}
}

// The fixed form of a log: whoever keeps one keeps these bytes.
func TestLines(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	play(t, s, `hit {"id":"pc"}`)
	if _, err := s.Extend(t.Context(), eventlog.Request{Narration: eventlog.Narration{Text: "Ouch.", Model: "m"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Branch(t.Context(), "hurt", eventlog.Origin{User: "u"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(export(t, s), "\n")
	want := []string{
		`{"log":1,"campaign":"c1","commitment":"` + s.Commitment() + `","seed":"` + s.Reveal() +
			`","events":[["actor","pc",null,` +
			`{"hp":10,"id":"pc","name":"Jack","place":"cave"}],["place","cave",null,{"attrs":{},"id":"cave","name":"Cave"}],` +
			`["world","world",{"active":[null,"pc"],"integrity":[null,"free"],"lang":[null,"en"],"title":[null,"Caves"]}]],"counts":{"obj":7},` +
			`"state":"HASH","time":"2024-03-14T08:30:01Z","prev":"HASH","hash":"HASH"}`,
		`{"turn":1,"parent":0,"events":[["actor","pc",{"hp":[10,9]}]],"state":"HASH","time":"2024-03-14T08:30:02Z","user":"u1",` +
			`"input":"I do \"it\"","calls":[{"id":"1","tool":"hit","args":{"id":"pc"},"reason":"because","status":"applied",` +
			`"say":"did","with":["hit"],"result":{"new_hp":9},"changed":true,"events":1}],"prev":"HASH","hash":"HASH"}`,
		`{"more":1,"after":1,"state":"HASH","time":"2024-03-14T08:30:03Z","tell":{"text":"Ouch.","model":"m"},` +
			`"prev":"HASH","hash":"HASH"}`,
		`{"label":1,"name":"hurt","state":"HASH","time":"2024-03-14T08:30:04Z","user":"u","prev":"HASH","hash":"HASH"}`,
		`{"head":0,"why":"undo","moved":1,"state":"HASH","time":"2024-03-14T08:30:05Z","prev":"HASH","hash":"HASH"}`,
		``,
	}
	for i := range lines {
		for _, name := range []string{"state", "prev", "hash"} {
			if at := strings.LastIndex(lines[i], `"`+name+`":"`) + len(name) + 4; at > len(name)+4 {
				lines[i] = lines[i][:at] + "HASH" + lines[i][at+64:]
			}
		}
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func testRequestAgain(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	s := begin(t, log)
	r := request("r1", `make {"name":"a"}`, `look`, `hit {"id":"nobody"}`, `spaced`, `note`)
	r.Calls = append(r.Calls, rules.Call{Tool: "hit", Args: json.RawMessage("{\"id\": nonsense\n}")},
		rules.Call{Tool: "\xff", Args: json.RawMessage("{\"id\":\"\xfe\"}")}, rules.Call{Tool: "hit",
			Args: []byte(strings.Repeat("[", 300))})
	first, err := s.Play(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	more := request("r1/2", `hit {"id":"pc","n":5}`, `roll`)
	second, err := s.Extend(t.Context(), more)
	if err != nil {
		t.Fatal(err)
	}
	play(t, s, `hit {"id":"pc"}`)
	if _, err := s.Undo(t.Context(), 2, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	before := export(t, s)
	for _, s := range []*eventlog.Log{s, load(t, log)} {
		got, err := s.Play(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, got, playedAs()); diff != "" || !got.Replayed {
			t.Errorf("replayed %v: %s", got.Replayed, diff)
		}
		got, err = s.Extend(t.Context(), more)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(second, got, playedAs()); diff != "" || !got.Replayed {
			t.Errorf("replayed %v: %s", got.Replayed, diff)
		}
		other := request("r1", `look`)
		var conflict *eventlog.ConflictError
		if _, err := s.Play(t.Context(), other); !errors.As(err, &conflict) || conflict.Request != "r1" {
			t.Errorf("the same id with another body: %v", err)
		}
		if _, err := s.Undo(t.Context(), 1, eventlog.Origin{Request: "r1"}); !errors.As(err, &conflict) {
			t.Errorf("the same id for a move: %v", err)
		}
	}
	if export(t, s) != before {
		t.Error("something was logged")
	}
}

func TestMoveAgain(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	for range 4 {
		play(t, s, `hit {"id":"pc"}`)
	}
	want, err := s.Undo(t.Context(), 1, eventlog.Origin{Request: "u1"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Undo(t.Context(), 1, eventlog.Origin{Request: "u1"})
	want.Replayed = true
	if diff := cmp.Diff(want, got); err != nil || diff != "" || s.Head() != 3 {
		t.Errorf("head %d, %v: %s", s.Head(), err, diff)
	}
	none, err := s.Undo(t.Context(), 0, eventlog.Origin{Request: "u2"})
	play(t, s, `hit {"id":"pc"}`)
	none.Replayed = true
	if got, again := s.Undo(t.Context(), 0, eventlog.Origin{Request: "u2"}); err != nil || again != nil || got != none || s.Head() != 5 {
		t.Errorf("a move that moved nothing: %+v %v %v", got, err, again)
	}
}

// The same requests are the same bytes, however many processors there are.
func TestSameBytes(t *testing.T) {
	was := string(tell(t, 100).text)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if is := string(tell(t, 100).text); is != was {
		t.Error(cmp.Diff(was, is))
	}
}

func testPreview(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	play(t, s, `make {"name":"a"}`)
	before, was, counts := export(t, s), state(s), s.Counts()
	r := request("p1", `hit {"id":"pc"}`, `hit {"id":"pc"}`, `make {"name":"b"}`, `make {"name":"c"}`,
		`burn {"id":"$3.createdId"}`, `roll`)
	pending, err := s.Preview(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if export(t, s) != before || state(s) != was || !cmp.Equal(s.Counts(), counts) {
		t.Fatal("a preview left something behind")
	}
	lamp := pending.Outcomes[2].Created
	want := []world.Change{
		{Kind: world.ActorKind, Key: "pc", Field: "hp", Old: []byte("10"), New: []byte("8")},
		{Kind: world.ThingKind, Key: lamp,
			New: []byte(`{"attrs":{"state":"new"},"id":"` + lamp + `","name":"b","order":2,"parent":"cave"}`)},
	}
	if diff := cmp.Diff(want, eventlog.Changes(pending.Events)); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), pending); !errors.Is(err, eventlog.ErrChanged) {
		t.Errorf("commit after undo: %v", err)
	}
	if _, err := s.Redo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	if pending, err = s.Preview(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	committed, err := s.Commit(t.Context(), pending)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pending.PlayResult, committed, playedAs(), cmpopts.IgnoreFields(eventlog.Part{},
		"Time")); diff != "" || s.Head() != 2 {
		t.Error(diff)
	}
	after := export(t, s)
	if _, err := s.Commit(t.Context(), pending); !errors.Is(err, eventlog.ErrChanged) {
		t.Errorf("commit twice: %v", err)
	}
	again, err := s.Preview(t.Context(), r)
	if err != nil || !again.Replayed {
		t.Errorf("preview of what was played: %v", err)
	}
	if p, err := s.Commit(t.Context(), again); err != nil || !cmp.Equal(p, again.PlayResult, playedAs()) || export(t, s) != after {
		t.Errorf("commit of what was played: %v", err)
	}
}

func testEnded(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	play(t, s, `end`)
	if _, err := s.Extend(t.Context(), eventlog.Request{Narration: eventlog.Narration{Text: "The end."}}); err != nil {
		t.Errorf("the words for the end: %v", err)
	}
	before := export(t, s)
	for _, play := range []func(context.Context, eventlog.Request) (eventlog.PlayResult, error){s.Play, s.Extend} {
		p, err := play(t.Context(), request("r", `hit {"id":"pc"}`, `look`))
		if err != nil || !p.Ended || p.Turn != 0 || len(p.Outcomes) != 2 || p.Outcomes[1].Code != rules.CampaignEnded {
			t.Errorf("%+v %v", p, err)
		}
	}
	if export(t, s) != before {
		t.Error("something was logged")
	}
	if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	if p := play(t, s, `hit {"id":"pc"}`); p.Ended || p.Turn != 2 {
		t.Errorf("after undo: %+v", p)
	}
}

func TestExtend(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	s := begin(t, log)
	if _, err := s.Extend(t.Context(), request("", `look`)); err == nil {
		t.Error("the beginning was extended")
	}
	one := play(t, s, `gamble`)
	p, err := s.Extend(t.Context(), request("", `gamble`, `roll`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Turn != 1 || p.Rolls[0].No != 1 || p.Rolls[1].No != 2 || s.Turns() != 1 || p.Rolls[0].Total == one.Rolls[0].Total {
		t.Errorf("%+v", p)
	}
	want, err := s.Recent(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := load(t, log).Recent(t.Context(), 5)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || len(got) != 1 || len(got[0].Rolls) != 3 ||
		len(got[0].Outcomes) != 3 {
		t.Errorf("%v %s", err, diff)
	}
	was := state(s)
	for _, log := range []eventlog.Storage{log, copyOf(t, s)} {
		s := load(t, log)
		if m, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil || m.Head != 0 || s.World().Actor("pc").HP.N != 10 {
			t.Fatalf("%+v %v", m, err)
		}
		if _, err := s.Extend(t.Context(), request("", `look`)); err == nil {
			t.Error("a turn that is not the head was extended")
		}
		if _, err := s.Redo(t.Context(), 1, eventlog.Origin{}); err != nil || state(s) != was {
			t.Errorf("redo: %v", err)
		}
	}
	r, err := s.Verify(t.Context(), nil)
	if err != nil || len(r.Problems) > 0 || r.Rolls != 3 {
		t.Errorf("%+v %v", r, err)
	}
	s = load(t, log)
	if _, err := s.Play(t.Context(), eventlog.Request{Table: true, Open: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Extend(t.Context(), request("", `gamble`)); err == nil {
		t.Error("a turn of the table was extended: undo would pass over what that did")
	}
}

// The fourth turn in which a call would be refused again does not run it.
func testRepeats(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	s := begin(t, log)
	ran := 0
	try := func(s *eventlog.Log, want rules.Code, lines ...string) {
		t.Helper()
		r := request("", lines...)
		r.Limits.Repeats = true
		p, err := s.Play(t.Context(), r)
		if err != nil || p.Outcomes[0].Code != want {
			t.Fatalf("turn %d: %+v %v", p.Turn, p.Outcomes, err)
		}
		ran++
	}
	try(s, rules.EntityNotFound, `hit {"id":"no","n":1}`)
	try(s, rules.EntityNotFound, `hit {"id":" no ","n":1}`, `look`)
	for range 3 {
		try(s, rules.EntityNotFound, `hit {"id":"no","n":1}`)
	}
	try(s, rules.RepeatIllegal, `hit { "n" : 1, "id":"no" }`)
	try(load(t, log), rules.RepeatIllegal, `hit {"n":1,"id":"no"}`)
	s = load(t, log)
	try(s, "", `hit {"id":"pc"}`)
	try(s, rules.EntityNotFound, `hit {"id":"no","n":1}`)
	r := request("", `hit {"id":"no","n":1}`)
	if p, err := s.Play(t.Context(), r); err != nil || p.Outcomes[0].Code != rules.EntityNotFound {
		t.Errorf("without the limit: %v %v", p.Outcomes, err)
	}
}

func TestDice(t *testing.T) {
	s := begin(t, eventlog.NewMemoryStorage())
	one := play(t, s, `gamble`)
	play(t, s, `look`) // takes no number of the dice
	two := play(t, s, `gamble`)
	if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
		t.Fatal(err)
	}
	play(t, s, `burn {"id":"none"}`)
	if again := play(t, s, `gamble`); !cmp.Equal(again.Rolls, two.Rolls) || again.State != two.State {
		t.Errorf("locked dice are others after undo: %v, %v", again.Rolls, two.Rolls)
	}
	if cmp.Equal(one.Rolls, two.Rolls) {
		t.Error("each turn has the same dice")
	}
	play(t, s, `policy {"id":"burn"}`)
	seen := map[int64]bool{}
	for range 3 {
		p := play(t, s, `gamble`, `gamble`)
		seen[p.Rolls[0].Total] = true
		if _, err := s.Undo(t.Context(), 1, eventlog.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 2 || s.Counts()["dice"] != 6 {
		t.Errorf("burnt dice come again: %v %v", seen, s.Counts())
	}
	r, err := s.Verify(t.Context(), func(w *world.World) []string { return []string{"checked " + w.Self().Title} })
	want := eventlog.Report{Lines: 14, Turns: 9, Events: r.Events, Rolls: 9, Head: 6, State: s.StateHash(),
		Commitment: s.Commitment(),
		Problems:   []string{"checked Caves"}}
	if diff := cmp.Diff(want, r); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

// Other dice than those of the seed are found.
func TestVerifyFinds(t *testing.T) {
	log := eventlog.NewMemoryStorage()
	opt := options(t)
	opt.Dice = func(seed [32]byte, path, roll int64, expr string) (rules.Roll, error) {
		return dice(seed, path+101, roll, expr)
	}
	s, err := eventlog.Create(t.Context(), log, beginning(t, 0), opt)
	if err != nil {
		t.Fatal(err)
	}
	p := play(t, s, `roll`, `roll`)
	r, err := load(t, log).Verify(t.Context(), nil)
	if err != nil || len(r.Problems) == 0 || !strings.HasPrefix(r.Problems[0], "turn 1: roll 0 of 1d20 is ") {
		t.Errorf("%v %v, of %v", r.Problems, err, p.Rolls)
	}
}
