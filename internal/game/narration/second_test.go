package narration_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/account/turntest"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// secondScript is a turn of testdata/second_turns.txt.
type secondScript struct {
	tale, seed, trade string
	before, now       [][]string
	said              map[string]string // by language
}

// secondScripts are the turns, by name, with those of further files.
func secondScripts(t testing.TB, files ...string) map[string]*secondScript {
	t.Helper()
	all, now, data := map[string]*secondScript{}, (*secondScript)(nil), []byte(nil)
	for _, file := range append(files, "second_turns.txt") {
		more, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, more...)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Fields(line)
		switch f[0] {
		case "turn":
			now = &secondScript{tale: f[2], seed: f[3], trade: strings.Trim(f[4], "-"), said: map[string]string{}}
			all[f[1]] = now
		case "before":
			now.before = append(now.before, f[1:])
		case "now":
			now.now = append(now.now, f[1:])
		case "en", "ru", "zh":
			now.said[f[0]] = strings.TrimPrefix(line, f[0]+" ")
		default:
			t.Fatalf("turns: %q", line)
		}
	}
	return all
}

// secondCall returns the call that a line means. What is asked about is named by its key in the words of the tale.
func secondCall(t testing.TB, s *secondScript, lang string, f []string) rules.Call {
	t.Helper()
	args := rules.NewObj()
	done := func(tool string) rules.Call { return rules.Call{Tool: tool, Args: args.Bytes()} }
	switch f[0] {
	case "go":
		args.Text("player_id", "pc_001").Text("target_location_id", f[1])
		return done("move_player")
	case "move":
		args.Text("player_id", f[1]).Text("target_location_id", f[2])
		return done("move_player")
	case "take":
		args.Text("object_id", f[1]).Text("target_id", "pc_001")
		return done("move_object")
	case "give", "put":
		args.Text("object_id", f[1]).Text("target_id", f[2])
		return done("move_object")
	case "pay":
		n, _ := strconv.ParseInt(f[1], 10, 64)
		args.Text("object_id", "obj_006").Text("target_id", f[2]).Int("qty", n)
		return done("move_object")
	case "open":
		args.Text("object_id", f[1]).Text("state", "open").Text("actor_id", "pc_001")
		return done("set_container")
	case "greet":
		args.Text("npc_id", f[1])
		return done("talk")
	case "ask":
		args.Text("npc_id", f[1]).Text("topic", secondTopic(t, s.tale, lang, f[1]+"."+f[2]))
		return done("talk")
	case "attack":
		args.Text("attacker_id", "pc_001").Text("target_id", f[1]).Text("weapon_id", f[2])
		return done("attack")
	case "door":
		args.Text("from", f[1]).Text("to", f[2]).Text("state", "open")
		return done("set_link")
	case "strike":
		args.Text("attacker_id", f[1]).Text("target_id", f[2])
		if len(f) > 3 {
			args.Text("weapon_id", f[3])
		}
		return done("attack")
	case "hp":
		n, _ := strconv.ParseInt(f[2], 10, 64)
		args.Text("target_character_id", f[1]).Int("delta", n).Text("cause", "told")
		return done("hp_delta")
	case "search":
		args.Text("actor_id", "pc_001").Text("skill", "wits").Text("find", f[1])
		return done("skill_check")
	case "check":
		dc, _ := strconv.ParseInt(f[2], 10, 64)
		args.Text("actor_id", "pc_001").Text("skill", f[1]).Int("dc", dc)
		return done("skill_check")
	case "rest":
		args.Text("kind", f[1])
		return done("rest")
	case "look":
		if len(f) > 1 {
			args.Text("target_id", f[1])
		}
		return done("look")
	}
	t.Fatalf("turns: nobody knows how to %q", f)
	return rules.Call{}
}

// secondTopic returns what a talk is asked for by.
func secondTopic(t testing.TB, tale, lang, talk string) string {
	t.Helper()
	data, err := os.ReadFile("../tales/data/" + tale + "." + lang + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{".topic = ", ".keys = "} {
		for line := range strings.Lines(string(data)) {
			if words, ok := strings.CutPrefix(strings.TrimSpace(line), talk+key); ok {
				return words
			}
		}
	}
	t.Fatalf("%s.%s: nobody can be asked for %q", tale, lang, talk)
	return ""
}

// secondTurn plays a turn of the second set, with what the engine's own words told of up to six turns before it.
func secondTurn(t testing.TB, s *secondScript, lang string) account.Turn {
	t.Helper()
	book := game.Rules()
	var (
		err    error
		first  *world.World
		counts rules.Counts
		recent []string
	)
	if s.tale == "mill" {
		first = turntest.Mill(t, lang)
	} else {
		tale, _ := tales.ByID(s.tale)
		if first, counts, err = tale.Begin(book, tales.Start{Session: "s1", Lang: lang, Trade: s.trade}); err != nil {
			t.Fatal(err)
		}
		recent = append(recent, tale.Opening(lang, [32]byte{}))
	}
	free := *first.Self()
	free.Integrity = world.Free // the scripts say what happens
	if err := first.Apply(world.Event{Old: first.Self(), New: &free}); err != nil {
		t.Fatal(err)
	}
	b := eventlog.Beginning{ID: "c", Seed: game.SeedOf(s.seed), World: first, Counts: counts}
	g, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), b, game.Options(book, func() time.Time { return time.Unix(0, 0) }))
	if err != nil {
		t.Fatal(err)
	}
	play := func(said string, lines ...[]string) account.Turn {
		before := g.World().Clone()
		var calls []rules.Call
		for _, f := range lines {
			calls = append(calls, secondCall(t, s, lang, f))
		}
		p, err := g.Play(t.Context(), eventlog.Request{Calls: calls, Counts: true})
		if err != nil {
			t.Fatal(err)
		}
		return account.Turn{Book: book, Lang: lang, Before: before, After: g.World().Clone(), Actor: "pc_001", Outcomes: p.Outcomes,
			Rolls: p.Rolls, Events: p.Events, Says: []account.Line{{Actor: "pc_001", Text: said}}, Recent: recent}
	}
	for _, f := range s.before {
		past := play("", f)
		if recent = append([]string{past.Tell()}, recent...); len(recent) > 6 {
			recent = recent[:6]
		}
	}
	return play(s.said[lang], s.now...)
}
