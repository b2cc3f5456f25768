package eventlog

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// bare is what a campaign needs that has no tools.
func bare(t testing.TB) Options {
	book, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	dice := func(_ [32]byte, path, roll int64, expr string) (rules.Roll, error) {
		return rules.Roll{Expr: expr, Total: 10*path + roll}, nil
	}
	return Options{Book: book, Now: func() time.Time { return time.Time{} }, Dice: dice}
}

// forged returns the log of a campaign of one turn, with a line after it that has the right hashes and anything else in it.
func forged(t testing.TB, b string) *MemoryStorage {
	t.Helper()
	log := NewMemoryStorage()
	w := world.Empty()
	if err := w.Apply(world.Event{New: &world.Actor{ID: "pc", HP: world.Known(9)}}); err != nil {
		t.Fatal(err)
	}
	s, err := Create(t.Context(), log, Beginning{ID: "c", World: w, Counts: rules.Counts{"obj": 7}}, bare(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Play(t.Context(), Request{}); err != nil {
		t.Fatal(err)
	}
	line, _ := seal([]byte(strings.ReplaceAll(b, "SAME", s.StateHash())), s.fold.hash[:])
	if err := log.Append(t.Context(), 2, line, ""); err != nil {
		t.Fatal(err)
	}
	return log
}

// verify looks at everything in a log.
func verify(t testing.TB, log Storage) (Report, error) {
	return (&Log{opt: bare(t), fold: newFold(log)}).Verify(t.Context(), nil)
}

// A line may have the right hashes and still not be what a campaign could have written.
func TestForged(t *testing.T) {
	for _, c := range [][2]string{
		{`{"turn":2,"parent":1,"state":"SAME"`, ""},
		{`{"turn":2,"parent":1,"state":"other"`, "the state after it is"},
		{`{"turn":2,"parent":1,"events":[["actor","pc",{"hp":[9,8]}]],"state":"SAME"`, "the state after it is"},
		{`{"turn":2,"parent":1,"events":[["actor","bo",{"hp":[9,8]}]],"state":"SAME"`, `actor "bo" changes and is not there`},
		{`{"turn":2,"parent":1,"events":[["object","o",{"id":"o"},null]],"state":"SAME"`, `object "o" is not as it should be`},
		{`{"turn":2,"parent":1,"events":[["actor","pc",{"hp":8,"id":"pc"},null]],"state":"SAME"`,
			`actor "pc" is not as it should be`},
		{`{"turn":3,"parent":1,"state":"SAME"`, "does not come next"},
		{`{"turn":2,"parent":0,"state":"SAME"`, "does not come next"},
		{`{"turn":2,"parent":7,"state":"SAME"`, "does not come next"},
		{`{"turn":2,"parent":1,"counts":{"obj":7},"state":"SAME"`, `the counter "obj" goes back`},
		{`{"turn":2,"parent":1`, "is not what hob writes"},
		{`{"turn":2,"parent":1,"state":"SAME","strange":1`, "is not what hob writes"},
		{`{"more":1,"after":0,"state":"SAME"`, "no further part"},
		{`{"more":0,"after":0,"state":"SAME"`, "no further part"},
		{`{"more":1,"after":1,"state":"SAME"`, ""},
		{`{"head":2,"state":"SAME"`, "there is no turn 2"},
		{`{"head":0,"state":"other"`, "the state after it is"},
		{`{"label":-1,"name":"a","state":"SAME"`, "there is no turn -1"},
		{`{"log":1,"campaign":"c","state":"SAME"`, "a log begins with its beginning"},
		{`{"tale":1,"state":"SAME"`, "is not what hob writes"},
	} {
		line, want := c[0], c[1]
		_, err := verify(t, forged(t, line))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
		if _, again := Load(t.Context(), forged(t, line), bare(t)); (again == nil) != (err == nil) &&
			!strings.Contains(line, "strange") {
			t.Errorf("%s: load: %v", line, again)
		}
	}
	for line, want := range map[string][]string{
		`"dice":[1,0,1],"state":"SAME","rolls":[{"no":0,"expr":"d","total":10}]`: {},
		`"dice":[1,0,1],"state":"SAME","rolls":[{"no":0,"expr":"d","total":11}]`: {
			"turn 2: roll 0 of d is 11 in the log, and 10 by the seed"},
		`"dice":[2,0,1],"state":"SAME","rolls":[{"no":0,"expr":"d","total":20}]`: {
			"turn 2: its dice were thrown as [2 0 1], which should have been [1 0 1]"},
		`"state":"SAME","rolls":[{"no":0,"expr":"d","total":10}]`: {
			"turn 2: its dice were thrown as [0 0 0], which should have been [1 0 1]"},
		`"dice":[1,0,1],"state":"SAME"`: {"turn 2: its dice were thrown as [1 0 1], which should have been [1 0 0]"},
	} {
		if r, err := verify(t, forged(t, `{"turn":2,"parent":1,`+line)); err != nil || !slices.Equal(r.Problems, want) {
			t.Errorf("%s: %q %v", line, r.Problems, err)
		}
	}
}

// A line that was written anew, with its own hash right, is not what the next line follows.
func TestRewritten(t *testing.T) {
	log := forged(t, `{"turn":2,"parent":1,"state":"SAME"`)
	was := log.lines[1]
	log.lines[1] = reseal(was, `"turn":1`, `"turn":1,"dice":[0,0,0]`)
	var damaged *DamagedError
	if _, err := verify(t, log); !errors.As(err, &damaged) || damaged.Turn != 2 ||
		!strings.Contains(damaged.Why, "does not follow") {
		t.Error(err)
	}
	log.lines[1] = was
	s, err := Load(t.Context(), log, bare(t))
	if err != nil {
		t.Fatal(err)
	}
	log.lines[1] = reseal(was, `"state":"`, `"state":"f`)
	for range 2 {
		if _, err := s.Switch(t.Context(), "1", Origin{}); !errors.As(err, &damaged) || damaged.Turn != 1 || s.Head() != 2 {
			t.Errorf("the head moved to a turn with another state: %v", err)
		}
	}
}

// reseal returns a line with something else in it, and its own hash right.
func reseal(b []byte, was, is string) []byte {
	prev, _, _ := readHashes(b)
	line, _ := seal(bytes.Replace(b[:len(b)-tailSize:len(b)-tailSize], []byte(was), []byte(is), 1), prev)
	return line
}

// FuzzLine gives a fold a line that its writer made with right hashes and anything else in it: it is taken or refused as
// damage, by a fold that only folds and by one that looks at everything, and what was taken can be used.
func FuzzLine(f *testing.F) {
	state := `"state":"` + string(bytes.Repeat([]byte{'0'}, 64)) + `"`
	for _, line := range []string{
		`{"turn":2,"parent":1,"events":[["actor","pc",{"hp":[9,8]}]],"dice":[1,0,1],"counts":{"obj":9},` + state,
		`{"turn":2,"parent":1,"events":[["actor","pc",{"hp":9,"id":"pc"},null]],` + state +
			`,"calls":[{"id":"1","args_text":"x"}]`,
		`{"turn":2,"parent":1,"events":[["object","o",null,{"id":"o","parent":"pc","tags":[]}]],` + state,
		`{"more":1,"after":1,` + state + `,"tell":{"text":"a"},"rolls":[{"no":0,"expr":"1d6","total":3,"dice":[[6,3,1]]}]`,
		`{"head":0,"why":"undo","moved":1,` + state,
		`{"head":9223372036854775807,"why":"undo",` + state,
		`{"label":-1,"name":"a",` + state,
		`{"log":1,"campaign":"c","seed":"00",` + state,
		`{"turn":2,"parent":1,"events":[["link","a>b",null,{"from":"a","to":"b"}],` +
			`["world","world",{"party":[null,["pc"]]}]],` + state,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.IndexByte(b, '\n') >= 0 {
			return
		}
		log := forged(t, string(b))
		var damaged *DamagedError
		_, verr := verify(t, log)
		got, lerr := Load(t.Context(), log, bare(t))
		for _, err := range []error{verr, lerr} {
			if err != nil && !errors.As(err, &damaged) {
				t.Fatal(err)
			}
		}
		if verr == nil && lerr != nil {
			t.Fatalf("a fold refuses what is right: %v", lerr)
		}
		if lerr == nil {
			if _, err := got.Play(t.Context(), Request{Calls: []rules.Call{{Tool: "x"}}}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
