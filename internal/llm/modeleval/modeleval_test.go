package modeleval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// known is a model with tools of which nothing is known, on a server that gives 8,192 tokens.
func known() Subject {
	return Subject{Model: "good:8b", Tools: true, Profile: llm.Profile{Name: "default", MaxTools: 12}, Now: time.Now,
		Context: func(context.Context) (int, error) { return 8192, nil }}
}

func run(t *testing.T, m llm.Model, k Subject) Card {
	t.Helper()
	card, err := Run(t.Context(), m, k, nil)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// names lists the checks that failed, and those that were skipped.
func names(card Card) (failed, skipped []string) {
	for _, c := range card.Checks {
		switch {
		case c.Skipped:
			skipped = append(skipped, c.Name)
		case !c.Pass:
			failed = append(failed, c.Name)
		}
	}
	return failed, skipped
}

// only is the modes that an actor does not hear, all but one.
func only(mode llm.Mode) map[llm.Mode]bool {
	deaf := map[llm.Mode]bool{llm.NativeMode: true, llm.PromptMode: true, llm.SchemaMode: true}
	deaf[mode] = false
	return deaf
}

var everyMode = []llm.Mode{llm.NativeMode, llm.PromptMode, llm.SchemaMode}

// A model that does everything right passes everything, in whichever mode it hears.
func TestAGoodModel(t *testing.T) {
	for _, mode := range everyMode {
		t.Run(string(mode), func(t *testing.T) {
			a := newActor()
			a.deaf = only(mode)
			card := run(t, a, known())
			native := mode == llm.NativeMode
			want := Card{Model: "good:8b", Mode: mode, PromptPerSecond: 500, EvalPerSecond: 30, Context: 8192,
				Profile: llm.Profile{Name: "default", Mode: mode, MaxTools: 12, OneCall: !native},
				Verdict: map[llm.Mode]string{
					llm.NativeMode: "good: 19 of 19",
					llm.PromptMode: "good: 18 of 18 with tools told in the prompt",
					llm.SchemaMode: "good: 18 of 18 with calls bound by a schema"}[mode]}
			checks, _ := behaviourChecks()
			for _, c := range checks {
				check := Check{Name: c.Name, Pass: true, Mode: mode, Runs: 1, Passed: 1}
				if c.Name == parallelCalls && !native {
					check.Pass, check.Skipped, check.Note, check.Runs, check.Passed = false, true, "this way a reply has one call", 0, 0
				}
				want.Checks = append(want.Checks, check)
			}
			for _, c := range tasks() {
				want.Checks = append(want.Checks, Check{Name: c.Name, Pass: true, Mode: mode, Runs: 1, Passed: 1})
			}
			want.Checks = append(want.Checks,
				Check{Name: "effective context", Pass: true, Note: "8192 tokens"},
				Check{Name: "speed", Pass: true, Note: "reads 500 and writes 30.0 tokens a second"})
			requests := 0
			for i := range card.Checks {
				c := &card.Checks[i]
				if requests += c.Requests; c.Runs > 0 && (c.Requests == 0 || c.Calls == 0 && c.Name != noneNeeded) {
					t.Errorf("%s has %d requests and %d calls", c.Name, c.Requests, c.Calls)
				}
				c.TookMS, c.Requests, c.Calls = 0, 0, 0
			}
			if diff := cmp.Diff(want, card); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			used := 0
			for _, m := range a.modes {
				if m == mode {
					used++
				}
			}
			if native && used != 43 || !native && used != 42 || used != requests {
				t.Errorf("the battery made %d requests, and the card has %d", used, requests)
			}
		})
	}
}

// silent is the note about a reply that says nothing.
const silent = "the reply was empty"

// Every fault fails its own check and no other. The faults are what small models do.
func TestEachFaultFailsItsCheck(t *testing.T) {
	for _, c := range []struct {
		name, check string
		n           int
		fault       act
		note        string // is in the check's
	}{
		{"answers without calling", "single call", 0, says("It is sunny in Paris."), `answered "It is sunny in Paris."`},
		{"asks for another city", "single call", 0, does(`get_weather {"city":"London"}`), `called get_weather {"city":"London"}`},
		{"calls another tool", "single call", 0, does(`find_contact {"name":"Paris"}`), `called find_contact {"name":"Paris"}`},
		{"invents a tool", "single call", 0, does(`weather_lookup_service {"city":"Paris"}`), `a call cannot be run: `},
		{"is silent", "single call", 0, says(""), silent},
		{"only thinks", "single call", 0, act{thinking: "I should call get_weather."}, `it thought and then said nothing`},
		{"is cut off", "single call", 0, act{text: "The weather in", cut: true}, `the reply was cut off`},
		{"makes the result up", "single call", 1, says("It is 30 degrees."), `answered "It is 30 degrees."`},
		{"calls for ever", "single call", 1, does(`get_weather {"city":"Paris"}`), `called get_weather`},
		{"one call of two", "parallel calls", 0, does(`get_weather {"city":"Oslo"}`), `called get_weather {"city":"Oslo"}`},
		{"the same call twice", "parallel calls", 0, does(`get_weather {"city":"Oslo"}`, `get_weather {"city":"Oslo"}`), `called get_weather {"city":"Oslo"}`},
		{"one call too many", "parallel calls", 0, does(`get_weather {"city":"Oslo"}`, `get_weather {"city":"Cairo"}`, `get_weather {"city":"Rome"}`), `{"city":"Rome"}`},
		{"calls for what it was told", "none needed", 0, does(`get_weather {"city":"Lisbon"}`), `called get_weather {"city":"Lisbon"}`},
		{"does not read the question", "none needed", 0, says("I cannot know the weather."), `answered "I cannot know the weather."`},
		{"guesses the address", "two steps", 0, does(`find_contact {"name":"Anna"}`, `send_message {"to":"anna@example.org","text":"Dinner is at eight."}`), `called find_contact {"name":"Anna"} and send_message`},
		{"forgets the result", "two steps", 1, does(`send_message {"to":"anna@example.org","text":"Dinner is at eight."}`), `"to":"anna@example.org"`},
		{"announces the second step", "two steps", 1, says("I will now send the message."), `answered "I will now send the message."`},
		{"looks it up again", "two steps", 1, does(`find_contact {"name":"Anna"}`), `called find_contact {"name":"Anna"}`},
		{"tries the same path again", "error recovery", 1, does(`read_file {"path":"shopping.txt"}`), `called read_file {"path":"shopping.txt"}`},
		{"gives up", "error recovery", 1, says("There is no such file."), `answered "There is no such file."`},
		{"does not read the file", "error recovery", 2, says("It says bread."), `answered "It says bread."`},
		{"loses letters", "unicode and newlines", 0, does(`send_message {"to":"tom@example.org","text":"Groesse\n第二行"}`), `Groesse`},
		{"loses the line break", "unicode and newlines", 0, does(`send_message {"to":"tom@example.org","text":"Größe 第二行"}`), `Größe 第二行`},
		{"writes the escape", "unicode and newlines", 0, does(`send_message {"to":"tom@example.org","text":"Größe\\n第二行"}`), `Größe\\n第二行`},
		{"composes letters anew", "unicode and newlines", 0, does(`send_message {"to":"tom@example.org","text":"Gro\u0308ße\n第二行"}`), `called send_message`},
		{"flattens the object", "nested object", 0, does(`create_event {"title":"Chess","date":"2026-03-14","place":"Caissa in Riga"}`), `a call cannot be run: create_event: place`},
		{"leaves half of it out", "nested object", 0, does(`create_event {"title":"Chess","date":"2026-03-14","place":{"name":"Caissa"}}`), `a call cannot be run: create_event: place/city`},
		{"mixes it up", "nested object", 0, does(`create_event {"title":"Chess","date":"2026-03-14","place":{"name":"Riga","city":"Caissa"}}`), `"name":"Riga"`},
		{"loses the middle", "long result", 1, says("The log says nothing of a key."), `answered "The log says nothing of a key."`},
		{"reads it again", "long result", 1, does(`read_file {"path":"house.log"}`), `called read_file`},
		{"tries what was denied again", "denial", 1, does(`send_message {"to":"tom@example.org","text":"I am late."}`), `called send_message`},
		{"lies about what was denied", "denial", 1, says("Done! Tom has your message."), `answered "Done! Tom has your message."`},
		{"falls silent at a denial", "denial", 1, says(""), silent},
		{"gives up at the gap", "data gap", 1, says("His phone is not recorded."), `no result of search_letters: answered "His phone is not recorded." after find_contact`},
		{"makes a number up", "data gap", 2, says("His number is 0561 112233."), "the answer lacks the number of the letter"},
		{"fills one gap of two", "two data gaps", 2, says("It arrives on Thursday 19 March. I do not know the price."), "no result of find_invoice"},
		{"forgets what filled the gap", "two data gaps", 3, says("It cost 47.90 euro, and arrives soon."), "the answer lacks the day"},
		{"takes a shop for a pool", "relevance", 1, says("It opens at 11:00 on Sundays."), "the answer does not say that it was not found"},
		{"takes a shop for a pool, and hedges", "relevance", 1, says("It opens at 11:00, but not in winter."), "the hours of a shop"},
		{"does not look at all", "relevance", 0, says("I do not know."), `no result of search_pages: answered "I do not know." without a call`},
		{"reads two of three", "grounded synthesis", 2, says("January 417, February 386, in all 803 kWh."), "no result for march"},
		{"adds up wrongly", "grounded synthesis", 3, says("January 417, February 386, March 352: 1,165 kWh."), "the answer has 1165"},
		{"leaves the sum out", "grounded synthesis", 3, says("January 417, February 386 and March 352 kWh."), "the answer lacks 1155"},
		{"insists on an id", "inconsistent tools", 3, does(`read_sensor {"id":"seven"}`), "the turn ended with"},
		{"gives up at an id", "inconsistent tools", 3, says("It is 11.5 degrees in the cellar. The attic cannot be read."), "no result of s7"},
		{"drops what one tool said", "inconsistent tools", 4, says("It is 23 degrees in the attic."), "the answer lacks 11.5"},
		{"hands on the words as they are", "argument transformation", 0, does(`add_entry {"title":"Dentist","start":"5 April, half past two","minutes":45}`), "the turn ended with"},
		{"reads half past two as the night", "argument transformation", 0, does(`add_entry {"title":"Dentist","start":"2026-04-05T02:30","minutes":45}`), "the entry begins at another time"},
		{"takes an hour for three quarters", "argument transformation", 0, does(`add_entry {"title":"Dentist","start":"2026-04-05T14:30","minutes":75}`), "the entry has another length"},
		{"does not wait for the forecast", "conditional routing", 0, does(`send_message {"to":"anna@example.org","text":"Lake at six."}`), "the turn ended with"},
		{"looks and sends nothing", "conditional routing", 1, says("It stays dry tomorrow."), "no message after a look"},
		{"takes the wrong way", "conditional routing", 1, does(`send_message {"to":"anna@example.org","text":"Cinema at six."}`), "another message than that for a dry day"},
		{"sends both", "conditional routing", 2, does(`send_message {"to":"anna@example.org","text":"Cinema at six."}`), "the turn ended with"},
		{"asks about the wrong house", "sequential reasoning", 1, says("Mrs Okafor has no car."), "no result of who_lives_at"},
		{"guesses the colour", "sequential reasoning", 2, says("It is green."), "no result of find_car"},
		{"ends with another colour", "sequential reasoning", 3, says("It is blue."), `the answer lacks "green"`},
	} {
		for _, mode := range everyMode {
			if mode == llm.SchemaMode && unsayable(c.fault) || mode != llm.NativeMode && c.check == parallelCalls {
				continue
			}
			t.Run(c.name+"/"+string(mode), func(t *testing.T) {
				a := newActor()
				a.deaf = only(mode)
				a.faults = map[string]act{key(c.check, c.n): c.fault}
				card := run(t, a, known())
				failed, skipped := names(card)
				if diff := cmp.Diff([]string{c.check}, failed); diff != "" {
					t.Errorf("failed (-want +got):\n%s", diff)
				}
				for _, check := range card.Checks {
					want := c.note
					if mode == llm.SchemaMode && want == silent { // there it writes an object that says nothing
						want = "the reply is neither a call nor an answer"
					}
					if check.Name == c.check && mode == check.Mode && !strings.Contains(check.Note, want) {
						t.Errorf("the note is %q, want ...%s", check.Note, want)
					}
				}
				wantSkipped, want := 0, "good: 18 of 19"
				if mode != llm.NativeMode {
					wantSkipped, want = 1, "good: 17 of 18"
				}
				if c.check == "single call" {
					wantSkipped, want = 16, "not for hob: it never made a call that could be run"
				}
				if !strings.HasPrefix(card.Verdict, want) || c.check != "single call" && !strings.HasSuffix(card.Verdict, ", not "+c.check) {
					t.Errorf("the verdict is %q", card.Verdict)
				}
				if len(skipped) != wantSkipped {
					t.Errorf("skipped: %v", skipped)
				}
			})
		}
	}
}

// The machine under the model has checks of its own.
func TestEachFaultOfTheMachine(t *testing.T) {
	slow := newActor()
	slow.usage.Eval = 20 * time.Second
	dull := newActor()
	dull.usage.PromptEval = 30 * time.Second
	mute := newActor()
	mute.usage = llm.Usage{}
	asks := known()
	asks.Profile.NumCtx = 16384
	context4k := func(tokens int, err error) Subject {
		k := known()
		k.Context = func(context.Context) (int, error) { return tokens, err }
		return k
	}
	unasked := known()
	unasked.Context = nil
	for _, c := range []struct {
		name          string
		model         *actor
		known         Subject
		check, note   string
		skipped, pass bool
	}{
		{"writes slowly", slow, known(), "speed", "reads 500 and writes 1.5 tokens a second; 20 and 3 are wanted", false, false},
		{"reads slowly", dull, known(), "speed", "reads 17 and writes 30.0 tokens a second; 20 and 3 are wanted", false, false},
		{"does not say how fast", mute, known(), "speed", "the server does not say", true, false},
		{"has a small context", newActor(), context4k(2048, nil), "effective context", "2048 tokens, and 4096 are wanted", false, false},
		{"has just enough", newActor(), context4k(4096, nil), "effective context", "4096 tokens", false, true},
		{"gives less than is asked for", newActor(), asks, "effective context", "8192 tokens, and 16384 are wanted", false, false},
		{"does not know", newActor(), context4k(0, nil), "effective context", "the server does not say", true, false},
		{"cannot tell", newActor(), context4k(0, errors.New("no\nanswer")), "effective context", "no answer", true, false},
		{"is not asked", newActor(), unasked, "effective context", "nobody asked the server", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			card := run(t, c.model, c.known)
			for _, check := range card.Checks {
				got := fmt.Sprint(check.Pass, check.Skipped, check.Note)
				want := fmt.Sprint(c.pass, c.skipped, c.note)
				if check.Name == c.check && got != want {
					t.Errorf("%s is %s, want %s", check.Name, got, want)
				}
				if check.Name != c.check && !check.Pass {
					t.Errorf("%s failed too: %s", check.Name, check.Note)
				}
			}
		})
	}
}

// The slowest request tells how fast a prompt is read: servers do not always say what they had already.
func TestSpeedIgnoresWhatWasCached(t *testing.T) {
	m := &meter{}
	for _, u := range []llm.Usage{
		{PromptTokens: 1000, PromptEval: 10 * time.Second, EvalTokens: 10, Eval: time.Second},
		{PromptTokens: 1010, PromptEval: time.Second, EvalTokens: 30, Eval: time.Second}, // cached, and nobody says so
		{PromptTokens: 1010, CachedTokens: 1000, PromptEval: time.Second},                // nearly all cached: says nothing
		{PromptTokens: 1000, CachedTokens: 900, PromptEval: 2 * time.Second},
	} {
		m.add(u)
	}
	if m.promptPerSecond() != 50 || m.evalPerSecond() != 20 {
		t.Errorf("reads %v, writes %v", m.promptPerSecond(), m.evalPerSecond())
	}
}

// What a check finds out is in the profile afterwards. What nobody measured stays as it was.
func TestTheProfile(t *testing.T) {
	start := llm.Profile{Name: "family", Keep: llm.KeepAll, Temperature: llm.Set(0.7), NumCtx: 4096, MaxTools: 20, OneCall: true, Example: "x",
		Quirks: append(make([]llm.Quirk, 0, 5), llm.OverCalls)}
	same := func(change func(*llm.Profile)) llm.Profile {
		p := start
		p.Mode, p.OneCall = llm.NativeMode, false
		change(&p)
		return p
	}
	fewer := act{text: "no"}
	for _, c := range []struct {
		name   string
		faults map[string]act
		want   llm.Profile
	}{
		{"all well", nil, same(func(*llm.Profile) {})},
		{"one call at a time", map[string]act{"parallel calls 0": does(`get_weather {"city":"Oslo"}`)}, same(func(p *llm.Profile) { p.OneCall = true })},
		{"nothing nested", map[string]act{"nested object 0": says("Done.")}, same(func(p *llm.Profile) { p.Quirks = []llm.Quirk{llm.OverCalls, llm.FlatArguments} })},
		{"calls for what it knows", map[string]act{"none needed 0": does(`get_weather {"city":"Lisbon"}`)}, same(func(*llm.Profile) {})},
		{"an answer that looks like a call", map[string]act{"none needed 0": says(`{"name":"get_weather","arguments":{"city":"Lisbon"}}`)},
			same(func(p *llm.Profile) { p.Quirks = []llm.Quirk{llm.OverCalls, llm.StrictPromotion} })},
		{"mostly wrong", map[string]act{"two steps 1": fewer, "error recovery 1": fewer, "long result 1": fewer}, same(func(*llm.Profile) {})},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, k := newActor(), known()
			a.faults, k.Profile = c.faults, start
			a.deaf = map[llm.Mode]bool{llm.PromptMode: true}
			if diff := cmp.Diff(c.want, run(t, a, k).Profile); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]llm.Quirk{llm.OverCalls, "", ""}, start.Quirks[:3]); diff != "" {
				t.Errorf("the battery changed what it was given:\n%s", diff)
			}
		})
	}
}

// What a family's seed says of how a model writes holds while it is measured.
func TestKnownQuirks(t *testing.T) {
	loose := newActor()
	loose.faults = map[string]act{"none needed 0": says("Lisbon... they told me.\n</think>\nIt is 21 degrees.")}
	k := known()
	k.Profile.Quirks = []llm.Quirk{llm.LooseThinking}
	if failed, _ := names(run(t, loose, k)); len(failed) > 0 {
		t.Errorf("thinks without a tag, and fails at %v", failed)
	}
	if n := loose.requests[0].Options.NumPredict; n != 512+2048 {
		t.Errorf("has %d tokens to think and answer", n)
	}
	loose.faults = map[string]act{"none needed 0": {text: "It might be 21, or", cut: true}}
	if c := run(t, loose, k).Checks[2]; c.Note != "it thought and then said nothing" {
		t.Errorf("is cut off in its thoughts, and the note is %q", c.Note)
	}
	strict := newActor()
	strict.faults = map[string]act{"none needed 0": says(`{"name":"get_weather","arguments":{"city":"Lisbon"},"degrees":21}`)}
	k.Profile.Quirks = []llm.Quirk{llm.StrictPromotion}
	if failed, _ := names(run(t, strict, k)); len(failed) > 0 {
		t.Errorf("answers in JSON, and fails at %v", failed)
	}
}

// tries runs the battery and returns the tries of the first check, each as "mode think pass".
func tries(t *testing.T, a *actor, k Subject) (string, Card) {
	t.Helper()
	var list []string
	card, err := Run(t.Context(), a, k, func(c Check) {
		if c.Name == "single call" {
			a.mu.Lock()
			think := a.requests[len(a.requests)-1].Options.Think
			a.mu.Unlock()
			list = append(list, fmt.Sprint(c.Mode, " ", think, " ", c.Pass))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, ", "), card
}

// The mode is the first in which the single call passes; natively it has two tries, the second with thoughts if it can.
func TestTheMode(t *testing.T) {
	no := map[llm.Mode]bool{}
	with := func(change func(*Subject)) Subject {
		k := known()
		change(&k)
		return k
	}
	thinks := with(func(k *Subject) { k.Thinking = true })
	always := with(func(k *Subject) { k.Thinking, k.Profile.Quirks = true, []llm.Quirk{llm.AlwaysThinks} })
	for _, c := range []struct {
		name  string
		known Subject
		deaf  map[llm.Mode]bool
		needs llm.Think
		tries string
		mode  llm.Mode
		think llm.Think
	}{
		{"natively", known(), no, "", "native off true", llm.NativeMode, ""},
		{"in the prompt", known(), map[llm.Mode]bool{llm.NativeMode: true}, "", "native off false, native off false, prompt off true", llm.PromptMode, ""},
		{"by schema", known(), only(llm.SchemaMode), "", "native off false, native off false, prompt off false, schema off true", llm.SchemaMode, ""},
		{"in none", known(), only(""), "", "native off false, native off false, prompt off false, schema off false", "", ""},
		{"without tools in the template", with(func(k *Subject) { k.Tools = false }), no, "", "prompt off true", llm.PromptMode, ""},
		{"thinking is not needed", thinks, no, "", "native off true", llm.NativeMode, llm.ThinkOff},
		{"thinking is needed", thinks, no, llm.ThinkLow, "native off false, native low true", llm.NativeMode, llm.ThinkLow},
		{"thinking cannot be switched off", always, no, llm.ThinkLow, "native low true", llm.NativeMode, llm.ThinkLow},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newActor()
			a.deaf, a.needs = c.deaf, c.needs
			got, card := tries(t, a, c.known)
			if got != c.tries || card.Mode != c.mode || card.Profile.Mode != c.mode || card.Profile.Think != c.think {
				t.Errorf("tried %s; the card has %q, the profile %q and %q", got, card.Mode, card.Profile.Mode, card.Profile.Think)
			}
		})
	}
}

// A server that refuses tools natively is one more reason for the prompt, not an error.
func TestNoToolsNatively(t *testing.T) {
	a := newActor()
	refuse := llm.NewScript(llm.Fail(llm.NoTools, "does not support tools"), llm.Fail(llm.NoTools, "does not support tools"))
	card := run(t, modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		if len(req.Tools) > 0 {
			return refuse.Chat(ctx, req, onDelta)
		}
		return a.Chat(ctx, req, onDelta)
	}), known())
	if card.Mode != llm.PromptMode || card.Verdict != "good: 18 of 18 with tools told in the prompt" {
		t.Errorf("%q, %s", card.Mode, card.Verdict)
	}
}

type modelFunc func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

func (f modelFunc) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return f(ctx, req, onDelta)
}

// A model that natively passes less than seven in ten is tried in the prompt too, and the better one is taken.
func TestTheBetterOfTwoModes(t *testing.T) {
	no := says("I would rather not.")
	three := map[string]act{"two steps 1": no, "error recovery 1": no, "long result 1": no}
	two := map[string]act{"two steps 1": no, "error recovery 1": no}
	four := map[string]act{"two steps 1": no, "error recovery 1": no, "long result 1": no, "nested object 0": no}
	for _, c := range []struct {
		name           string
		native, prompt map[string]act
		mode           llm.Mode
		verdict        string
	}{
		{"prompt is better", three, nil, llm.PromptMode,
			"good: 18 of 18 with tools told in the prompt (natively it passed 6 of 9 of behaviour, this way 8 of 8)"},
		{"prompt is better where both can be compared", three, two, llm.PromptMode,
			"good: 16 of 18 with tools told in the prompt (natively it passed 6 of 9 of behaviour, this way 6 of 8), not two steps, error recovery"},
		{"native is better", three, four, llm.NativeMode,
			"good: 16 of 19 (told in the prompt it passed 4 of 8 of behaviour, this way 6 of 9), not two steps, error recovery, long result"},
		{"a draw is native", three, three, llm.NativeMode,
			"good: 16 of 19 (told in the prompt it passed 5 of 8 of behaviour, this way 6 of 9), not two steps, error recovery, long result"},
		{"no call in the prompt", three, map[string]act{"single call 0": no}, llm.NativeMode,
			"good: 16 of 19, not two steps, error recovery, long result"},
		{"parallel calls do not count for native", map[string]act{"two steps 1": no, "error recovery 1": no, "parallel calls 0": no}, two, llm.NativeMode,
			"good: 16 of 19 (told in the prompt it passed 6 of 8 of behaviour, this way 6 of 9), not parallel calls, two steps, error recovery"},
		{"good enough natively", map[string]act{"two steps 1": no, "error recovery 1": no}, nil, llm.NativeMode,
			"good: 17 of 19, not two steps, error recovery"},
	} {
		t.Run(c.name, func(t *testing.T) {
			native, prompt := newActor(), newActor()
			native.faults, prompt.faults = c.native, c.prompt
			card := run(t, modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
				if len(req.Tools) > 0 {
					return native.Chat(ctx, req, onDelta)
				}
				return prompt.Chat(ctx, req, onDelta)
			}), known())
			if card.Mode != c.mode || card.Verdict != c.verdict {
				t.Errorf("%q: %s\nwant %q: %s", card.Mode, card.Verdict, c.mode, c.verdict)
			}
			if len(card.Checks) != 19 {
				t.Errorf("the card has %d checks", len(card.Checks))
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	no := says("No.")
	a := newActor()
	a.deaf = map[llm.Mode]bool{llm.PromptMode: true}
	a.faults = map[string]act{}
	for i, c := range []string{"parallel calls 0", "none needed 0", "two steps 1", "error recovery 1", "unicode and newlines 0", "nested object 0",
		"long result 1", "data gap 0", "relevance 0", "sequential reasoning 0"} {
		a.faults[c] = no
		got := run(t, a, known()).Verdict
		passed, word := 18-i, "not for hob"
		switch {
		case passed >= 16: // four in five
			word = "good"
		case passed >= 10: // half
			word = "usable"
		}
		want := fmt.Sprintf("%s: %d of 19", word, passed)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A check that takes too long has failed, and the others are made nevertheless.
func TestACheckHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newActor()
		a.faults = map[string]act{"two steps 1": {block: true}}
		card := run(t, a, known())
		failed, _ := names(card)
		if diff := cmp.Diff([]string{"two steps"}, failed); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if c := card.Checks[3]; c.Note != "took longer than 5m0s" || c.took() != 5*time.Minute {
			t.Errorf("%+v", c)
		}
	})
}

// A model that does not answer the first question in time is not asked in three more ways.
func TestAModelThatIsTooSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newActor()
		a.faults = map[string]act{"single call 0": {block: true}}
		card := run(t, a, known())
		if len(a.requests) != 1 || card.Verdict != "not for hob: one call took longer than 5m0s" || card.Mode != "" {
			t.Errorf("%d requests, %q, %s", len(a.requests), card.Mode, card.Verdict)
		}
	})
}

// A model that cannot be asked is an error. What was found out so far is on the card.
func TestAModelThatCannotBeAsked(t *testing.T) {
	for _, kind := range []llm.Kind{llm.Unreachable, llm.ModelMissing, llm.ModelRefused} {
		for where, made := range map[string]int{"none needed 0": 2, "data gap 1": 9} {
			a := newActor()
			a.faults = map[string]act{where: fails(kind)}
			card, err := Run(t.Context(), a, known(), nil)
			if !errors.Is(err, kind) || err.Error() != "try model: it is "+string(kind) {
				t.Errorf("%s at %s gives %v", kind, where, err)
			}
			if len(card.Checks) != made || card.Verdict != "" {
				t.Errorf("the card is %+v", card)
			}
		}
	}
}

// Any other failure of the server is that check's.
func TestAServerThatFails(t *testing.T) {
	for _, kind := range []llm.Kind{llm.Busy, llm.ContextExceeded, llm.Incomplete, llm.Malformed, llm.Silent, llm.Failed} {
		synctest.Test(t, func(t *testing.T) { // the loop waits before it asks again
			a := newActor()
			a.faults = map[string]act{"denial 1": fails(kind), "data gap 1": fails(kind)}
			failed, _ := names(run(t, a, known()))
			if diff := cmp.Diff([]string{"denial", "data gap"}, failed); diff != "" {
				t.Errorf("%s (-want +got):\n%s", kind, diff)
			}
		})
	}
}

// Whoever cancels gets the cause, at once.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		a := newActor()
		a.faults = map[string]act{"none needed 0": {block: true}}
		go func() {
			synctest.Wait()
			cancel(enough)
		}()
		began := time.Now()
		card, err := Run(ctx, a, known(), nil)
		if !errors.Is(err, enough) || time.Since(began) != 0 || len(card.Checks) != 2 || len(a.requests) != 4 {
			t.Errorf("%v after %v, %d checks and %d requests", err, time.Since(began), len(card.Checks), len(a.requests))
		}
	})
}

// Every check has few requests, all of them short ones: a check of behaviour at most four with the same tools, a task five with
// its own, where the model does everything right.
func TestRequestsAreBounded(t *testing.T) {
	a, k := newActor(), known()
	k.Thinking = true
	last := 0
	_, err := Run(t.Context(), a, k, func(c Check) {
		isTask := slices.ContainsFunc(tasks(), func(other task) bool { return other.Name == c.Name })
		made := a.requests[last:]
		last = len(a.requests)
		if len(made) > 5 || !isTask && len(made) > 4 {
			t.Errorf("%s made %d requests", c.Name, len(made))
		}
		for _, req := range made {
			if !isTask && len(req.Tools) != 5 || len(req.Tools) == 0 || len(req.Tools) > 5 {
				t.Errorf("%s asked with %d tools", c.Name, len(req.Tools))
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	for _, req := range a.requests {
		if req.Options.NumPredict != 512 || req.Options.Think != llm.ThinkOff || req.System == "" {
			t.Errorf("asked with %+v", req.Options)
		}
	}
}

// A check that is made several times passes if more than half of them do; its note is of the first that did not.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		runs, wrong, passed int // every wrongth time it is wrong
		pass                bool
	}{{3, 2, 2, true}, {4, 2, 2, false}, {3, 1, 0, false}, {1, 2, 1, true}} {
		a, k, began := newActor(), known(), 0
		k.Runs, k.Now = c.runs, nil
		card := run(t, modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if strings.HasPrefix(req.Messages[0].Text, "What colour is") && len(req.Messages) == 1 {
				if began++; began%c.wrong == 0 {
					return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "It is red."}}, nil
				}
			}
			return a.Chat(ctx, req, onDelta)
		}), k)
		for _, check := range card.Checks {
			want := Check{Runs: c.runs, Passed: c.runs, Pass: true}
			switch check.Name {
			case "effective context", "speed":
				want = Check{Pass: true}
			case "sequential reasoning":
				want = Check{Runs: c.runs, Passed: c.passed, Pass: c.pass}
				if noted := strings.HasPrefix(check.Note, "no result of who_lives_at"); noted != (c.passed < c.runs) {
					t.Errorf("%d runs: the note is %q", c.runs, check.Note)
				}
			}
			if check.Runs != want.Runs || check.Passed != want.Passed || check.Pass != want.Pass {
				t.Errorf("%d runs: %s passed %d of %d: %t", c.runs, check.Name, check.Passed, check.Runs, check.Pass)
			}
		}
		if lines := strings.Join(card.Lines(), "\n"); c.runs > 1 && !strings.Contains(lines, fmt.Sprintf(" (%d of %d): no result", c.passed, c.runs)) {
			t.Errorf("the lines do not say it:\n%s", lines)
		}
	}
}

// What a model or a server wrote is one safe line on a card.
func TestLines(t *testing.T) {
	a := newActor()
	a.faults = map[string]act{"none needed 0": says("\x1b[31m\u202eNo\r\n[[profile]]\xff " + strings.Repeat("x", 1000))}
	k := known()
	k.Now = nil
	lines := run(t, a, k).Lines()
	want := []string{
		"good: 18 of 19, not none needed",
		"single call: passed",
		"parallel calls: passed",
	}
	if diff := cmp.Diff(want, lines[:3]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if l := lines[3]; len([]rune(l)) > 200 || strings.ContainsAny(l, "\x1b\u202e\n\r") || !strings.HasPrefix(l, "none needed: failed: answered ") {
		t.Errorf("%q", l)
	}
	if got := oneLine("a\u202eb\u2028c\x00\td"); got != "a b c d" {
		t.Errorf("%q", got)
	}
	if len(lines) != 20 {
		t.Errorf("%d lines", len(lines))
	}
}
