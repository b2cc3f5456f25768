package session_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// unmodelled is what is understood where there is no model. ran counts the rows of the table of commands that ran.
func unmodelled(ran map[string]int) session.Chores {
	return session.Chores{
		Sentences: intents.Default(),
		HasModel:  func(context.Context) bool { return false },
		Exists:    func(context.Context, event.Chat, intents.Reading) bool { return true },
		Run: func(_ context.Context, r intents.Reading) (string, error) {
			ran[strings.TrimSpace(r.Call.Name+" "+string(r.Call.Args))]++
			return "ran " + r.Call.Name, nil
		},
	}
}

// choreTools are tools that chores become calls of. did counts what they did.
func choreTools(did map[string]int) []tools.Tool {
	type file struct {
		Path    string `json:"path"`
		Content string `json:"content,omitempty"`
	}
	type list struct {
		List  string   `json:"list"`
		Items []string `json:"items,omitempty"`
		All   bool     `json:"all,omitempty"`
	}
	act := func(name, what string) (tools.Result, error) {
		did[name+" "+what]++
		return tools.Result{Text: name + " " + what}, nil
	}
	write := tools.New(tools.Def{Name: "write_file", Description: "writes", Capabilities: tools.Writes, Level: event.BotAdmin},
		func(ctx context.Context, in file) (tools.Result, error) {
			if c := tools.CallerFrom(ctx); !c.Typed || c.Label.Untrusted {
				did["for a model"]++
			}
			return act("write_file", in.Path)
		})
	remove := tools.New(tools.Def{Name: "delete_file", Description: "deletes", Capabilities: tools.Writes, Level: event.BotAdmin,
		Scopes: tools.PrivateScopes()}, func(_ context.Context, in file) (tools.Result, error) { return act("delete_file", in.Path) })
	empty := tools.New(tools.Def{Name: "list_remove", Description: "takes off", Capabilities: tools.Writes},
		func(_ context.Context, in list) (tools.Result, error) { return act("list_remove", in.List) })
	send := tools.New(tools.Def{Name: "send_file", Description: "sends", Capabilities: tools.Writes},
		func(_ context.Context, in file) (tools.Result, error) {
			res, err := act("send_file", in.Path)
			res.Files = []event.File{{Path: in.Path}}
			return res, err
		})
	show := tools.New(tools.Def{Name: "list_show", Description: "shows", Capabilities: tools.Reads},
		func(_ context.Context, in list) (tools.Result, error) {
			res, err := act("list_show", in.List)
			res.Label = event.Label{Untrusted: true, Source: "web:https://a.example/"}
			return res, err
		})
	return []tools.Tool{write, remove, empty, send, show}
}

// remindArgs are the arguments of the tool that timers become calls of.
type remindArgs struct {
	Text  string `json:"text"`
	At    string `json:"at,omitempty"`
	Timer bool   `json:"timer,omitempty"`
	Lang  string `json:"lang,omitempty"`
}

// typed hands in what a person has typed to hob.
func (h *house) typed(chat event.Chat, id, text string, as event.Principal) int64 {
	h.t.Helper()
	in := session.Input{Chat: chat, ID: id, From: "ana", Text: text, Principal: as, Typed: true}
	if chat.Shared() {
		in.Label, in.Own, in.Text = event.Label{Untrusted: true, Source: "telegram group Home"}, text, "Ana: "+text
	}
	seq, err := h.Submit(h.t.Context(), in)
	if err != nil {
		h.t.Fatal(err)
	}
	return seq
}

// missing is a model that is not there.
func missing() llm.Model {
	return model(func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
		return nil, &llm.Error{Kind: llm.ModelMissing, Message: "there is no model"}
	})
}

// choring is a house that understands chores, with tools for them.
func choring(t *testing.T, journal session.Journal, m llm.Model, did map[string]int) *house {
	return choringWith(t, journal, m, did, choreTools(did)...)
}

// choringWith is choring with other tools.
func choringWith(t *testing.T, journal session.Journal, m llm.Model, did map[string]int, all ...tools.Tool) *house {
	return openAs(t, journal, m, func(cfg *session.Config) {
		cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
	}, all...)
}

// Words that two languages have are answered in that which the chat was last held in, also after a restart, and else in English.
func TestChores_LanguageOfTheChat(t *testing.T) {
	for _, c := range []struct{ before, want string }{{"", "en"}, {"mach das rückgängig", "de"}, {"undo that", "en"}} {
		synctest.Test(t, func(t *testing.T) {
			var langs []string
			remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
				func(_ context.Context, in remindArgs) (tools.Result, error) {
					langs = append(langs, in.Lang)
					return tools.Result{Text: "yes"}, nil
				})
			memory := storetest.NewMemory(time.Now)
			for i := range 2 {
				h := openAs(t, memory, off(t), func(cfg *session.Config) {
					cfg.Chores, cfg.Budget = unmodelled(map[string]int{}), cfg.Settings(t.Context()).Budget
				}, remind)
				if c.before != "" && i == 0 {
					h.watch(h.typed("main", "before", c.before, owner), true)
				}
				h.watch(h.typed("main", strconv.Itoa(i), "timer 10 min", owner), true)
				h.Close()
			}
			if want := []string{c.want, c.want}; !slices.Equal(langs, want) {
				t.Errorf("after %q the timers are in %v, want %v", c.before, langs, want)
			}
		})
	}
}

// What hob has to ask about a call is asked, though a model is there, and the call is not made.
func TestChores_Resolve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := openAs(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("Fine."), llm.Say("Fine.")), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
			cfg.Chores.HasModel = func(context.Context) bool { return true }
			cfg.Chores.Resolve = func(_ context.Context, r intents.Reading) intents.Reading {
				r.Ask, r.Acts = "Which "+r.Call.Name+"?", false
				return r
			}
		}, choreTools(did)...)
		if got := replyOf(h.watch(h.typed("main", "1", "delete notes.txt", owner), true)).Text; got != "Which delete_file?" || len(did) > 0 {
			t.Errorf("%q, and did %v", got, did)
		}
		child := event.Principal{Platform: "cli", Scope: "private", Level: event.User} // who may not call it
		if got := replyOf(h.watch(h.typed("main", "2", "delete notes.txt", child), true)).Text; !strings.Contains(got, "need more rights") || len(did) > 0 {
			t.Errorf("somebody who may not call it is asked %q, and did %v", got, did)
		}
		const group = event.Chat("telegram/-1001234567890") // where nobody has that tool
		h.typed(group, "1", "delete notes.txt", owner)
		synctest.Wait()
		for _, got := range h.replies(group) {
			if got != "Fine. (done)" {
				t.Errorf("in a group it asks %q", got)
			}
		}
	})
}

// A reading that comes to neither a call nor words is no chore: the model is asked.
func TestChores_NothingComesOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openAs(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("Fine.")), func(cfg *session.Config) {
			cfg.Chores = unmodelled(map[string]int{})
			cfg.Chores.Resolve = func(_ context.Context, r intents.Reading) intents.Reading { return intents.Reading{Kind: r.Kind} }
		})
		bodies := h.watch(h.typed("main", "1", "thanks", owner), true)
		if got := replyOf(bodies); got.Text != "Fine." || got.Literal {
			t.Errorf("%+v in %s", got, types(bodies))
		}
	})
}

// "Never mind" right after a reminder was made takes that back, in each language; later, or after something else, it does not, and
// what is no chore by itself goes to the model.
func TestChores_NeverMind(t *testing.T) {
	remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
		func(context.Context, remindArgs) (tools.Result, error) {
			return tools.Result{Text: "set", Effects: []event.Effect{{Kind: "reminder", Target: "1", Detail: event.ReminderSet, Change: 7}}}, nil
		})
	for _, c := range []struct {
		name  string
		words []string
		wait  time.Duration
		want  string // what ran; "": nothing
	}{
		{"at once", []string{"timer 10 minutes pasta", "never mind"}, time.Minute, `undo {"change":"7"}`},
		{"what stops else", []string{"timer 10 minutes pasta", "cancel that"}, time.Minute, `undo {"change":"7"}`},
		{"German", []string{"timer 10 Minuten Nudeln", "vergiss es"}, time.Minute, `undo {"change":"7"}`},
		{"Russian, where it is undo, too", []string{"таймер 10 минут паста", "отмени"}, time.Minute, `undo {"change":"7"}`},
		{"Chinese", []string{"计时10分钟", "算了"}, time.Minute, `undo {"change":"7"}`},
		{"twice", []string{"timer 10 minutes pasta", "never mind", "never mind"}, time.Minute, `undo {"change":"7"}`},
		{"an hour later", []string{"timer 10 minutes pasta", "never mind"}, 61 * time.Minute, ""},
		{"another turn between", []string{"timer 10 minutes pasta", "make a file a.txt with the text hello", "never mind"}, time.Minute, "write_file a.txt"},
		{"nothing before", []string{"never mind"}, 0, ""},
		{"four minutes later, of a reminder", []string{"timer 10 minutes pasta", "never mind"}, 4 * time.Minute, `undo {"change":"7"}`},
		{"in the words for things", []string{"timer 10 minutes pasta", "delete that again"}, time.Minute, `undo {"change":"7"}`},
		{"of Chinese", []string{"计时10分钟", "把它删掉"}, time.Minute, `undo {"change":"7"}`},
		{"a plain stop", []string{"timer 10 minutes pasta", "stop"}, time.Minute, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				h := openAs(t, storetest.NewMemory(time.Now), off(t), func(cfg *session.Config) {
					cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
				}, append(choreTools(did), remind)...)
				for i, words := range c.words {
					if i > 0 {
						<-time.After(c.wait)
					}
					h.watch(h.typed("main", strconv.Itoa(i), words, owner), true)
				}
				if want := map[string]int{c.want: 1}; c.want != "" && !maps.Equal(did, want) || c.want == "" && len(did) > 0 {
					t.Errorf("did %v, want %q alone", did, c.want)
				}
			})
		})
	}
	for _, words := range [][]string{
		{"forget it"}, {"make a file a.txt with the text hello", "delete that again"}, // which has changed nothing
		{"delete that again"}, {"and milk too"},
	} {
		t.Run("no chore by itself: "+strings.Join(words, ", "), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				h := choring(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("Fine.")), did)
				got := ""
				for i, words := range words {
					got = replyOf(h.watch(h.typed("main", strconv.Itoa(i), words, owner), true)).Text
				}
				if got != "Fine." || did[`undo {}`] > 0 {
					t.Errorf("%q, want the words of the model; did %v", got, did)
				}
			})
		})
	}
}

// Without a model, thanks are answered, and what is no chore is said to be none, in the language of the chat.
func TestChores_NoChoreWithoutAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := choring(t, storetest.NewMemory(time.Now), missing(), map[string]int{})
		for _, c := range [][2]string{
			{"thanks", "You are welcome."},
			{"hi", "Hello! I keep notes, lists, reminders and timers, and look after files and this machine. Say what you need, or: help\nTo talk about anything else I need a model: `hob setup` helps to get one.\n\nthere is no model"},
			{"tell me of the sea", "This is none of the chores that hob does without a model: say \"help\" for those.\n\nthere is no model"},
			{"erzähl mir vom Meer", "Das ist keine der Aufgaben, die hob ohne Modell erledigt: sag „Hilfe“ für diese.\n\nthere is no model"},
			{"ok", "Das ist keine der Aufgaben, die hob ohne Modell erledigt: sag „Hilfe“ für diese.\n\nthere is no model"},
		} {
			if got := replyOf(h.watch(h.typed("main", c[0], c[0], owner), true)).Text; got != c[1] {
				t.Errorf("%s: %q, want %q", c[0], got, c[1])
			}
		}
		guest := event.Principal{Platform: "telegram", Scope: "private", Level: event.User} // who cannot mend the model's server
		for words, want := range map[string]string{
			"tell me of the sea":  "This is none of the chores that hob does without a model: say \"help\" for those.\n\nThe model is away now.",
			"erzähl mir vom Meer": "Das ist keine der Aufgaben, die hob ohne Modell erledigt: sag „Hilfe“ für diese.\n\nDas Modell ist gerade nicht da.",
		} {
			if got := replyOf(h.watch(h.typed("main", "guest "+words, words, guest), true)).Text; got != want {
				t.Errorf("%s: %q, want %q", words, got, want)
			}
		}
		for words, want := range map[string]string{ // of what was not typed, it says that
			"add milk to the shopping list":    "Without a model hob reads only words that are typed to it: nothing that is forwarded or sent along.\n\nthere is no model",
			"setz Milch auf die Einkaufsliste": "Ohne Modell liest hob nur, was man ihm selbst schreibt: nichts Weitergeleitetes und nichts Mitgeschicktes.\n\nthere is no model",
		} {
			in := session.Input{
				Chat: event.Chat("main-" + words[:3]), ID: "forwarded", From: "ana", Text: words, Principal: owner, AppLang: map[bool]string{true: "de"}[words[0] == 's'],
				Label: event.Label{Untrusted: true, Source: "telegram message that was forwarded"},
			}
			seq, err := h.Submit(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := h.replies(in.Chat)[seq]; got != want+" (model)" {
				t.Errorf("forwarded %s: %q, want %q", words, got, want)
			}
		}
	})
}

// Where a model was chosen, it is away: nobody is told to get one. Lines from a pipe are no chores, and the reply says which words are.
func TestChores_SaysWhyNoModelAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openAs(t, storetest.NewMemory(time.Now), missing(), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(map[string]int{}), cfg.Settings(t.Context()).Budget
			cfg.Chores.ChoseModel, cfg.Chores.Shell = true, "cli"
		})
		const want = "\nTo talk about anything else I need the model, which does not answer now.\n\nthere is no model"
		if got := replyOf(h.watch(h.typed("main", "1", "hi", owner), true)).Text; !strings.HasSuffix(got, want) {
			t.Errorf("%q, want it to end with %q", got, want)
		}
		for platform, want := range map[string]string{
			"cli": "Without a model hob reads only words that are typed at its prompt or given to `hob ask`, and no lines from a pipe or a file.\n\nthere is no model (model)",
			"api": "there is no model (model)",
		} {
			in := session.Input{Chat: "piped-" + event.Chat(platform), ID: platform, Text: "note milk", Principal: event.Principal{Platform: platform, Scope: "private", Level: event.Owner}}
			seq, err := h.Submit(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := h.replies(in.Chat)[seq]; got != want {
				t.Errorf("from %s: %q, want %q", platform, got, want)
			}
		}
	})
}

// What the words are near to comes before the reason, too, and the things that they name can be kept by a choice.
func TestChores_SuggestsWithoutAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openAs(t, storetest.NewMemory(time.Now), missing(), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(map[string]int{}), cfg.Settings(t.Context()).Budget
			cfg.Chores.Suggest = intents.Default().Suggest
		})
		got := replyOf(h.watch(h.typed("main", "1", "what did I do today", owner), true))
		const want = "This is none of the chores that hob does without a model: say \"help\" for those.  \nNear to it: what did you do; what is on tomorrow\n\nthere is no model"
		if got.Text != want || len(got.Choices) > 0 {
			t.Errorf("%q with %v", got.Text, got.Choices)
		}
		got = replyOf(h.watch(h.typed("main", "2", "kaufe Milch", owner), true))
		if len(got.Choices) == 0 || got.Choices[0] != (event.Choice{Label: "Einkaufsliste", Text: "setz Milch auf die Einkaufsliste", Trusted: true}) {
			t.Errorf("%q with %v", got.Text, got.Choices)
		}
	})
}

// Nobody is offered what they may not have done, and of what a group cannot have done it says that.
func TestChores_SuggestsWhatIsPermitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openAs(t, storetest.NewMemory(time.Now), missing(), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(map[string]int{}), cfg.Settings(t.Context()).Budget
			cfg.Chores.Suggest = intents.Default().Suggest
			cfg.Chores.Permits = func(_ context.Context, sentence string) bool {
				r := intents.Default().Read(sentence)
				return r.Call.Name == "" || r.Call.Name == "remind"
			}
		})
		guest := event.Principal{Platform: "telegram", Scope: "private", Level: event.User}
		got := replyOf(h.watch(h.typed("main", "1", "milk", guest), true))
		if len(got.Choices) != 1 || got.Choices[0].Label != "reminder" {
			t.Errorf("%q with %v", got.Text, got.Choices)
		}
		got = replyOf(h.watch(h.typed("main", "2", "what did I do today", guest), true))
		if strings.Contains(got.Text, "Near to it:") {
			t.Errorf("%q", got.Text)
		}
		group, all := event.Chat("telegram/-100"), guest
		all.Scope = "group"
		const want = "I do not do that in a group: write it to me alone.\n\nThe model is away now."
		seq := h.typed(group, "3", "what is on tomorrow", all)
		synctest.Wait()
		if got := strings.TrimSuffix(h.replies(group)[seq], " (model)"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// "Never mind" stops a running turn first, and takes nothing back then.
func TestChores_NeverMindStops(t *testing.T) {
	for words, want := range map[string]string{"never mind": "Stopped.", "forget it": "Stopped.", "отмени": "Остановлено.", "算了": "已停下。"} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			begun := make(chan bool, 1)
			slow := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
				func(ctx context.Context, _ remindArgs) (tools.Result, error) {
					begun <- true
					<-ctx.Done()
					return tools.Result{Text: "set", Effects: []event.Effect{{Kind: "reminder", Target: "1", Detail: event.ReminderSet, Change: 7}}}, nil
				})
			h := openAs(t, storetest.NewMemory(time.Now), off(t), func(cfg *session.Config) {
				cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
			}, slow)
			first := h.typed("main", "1", "timer 10 minutes pasta", owner)
			<-begun
			second := h.typed("main", "2", words, owner)
			bodies := h.watch(first, true)
			if got := bodies[len(bodies)-1].(event.Ended); got.Reason != event.Stopped {
				t.Errorf("%s: the turn ended with %+v", words, got)
			}
			if got := replyOf(h.watch(second, true)).Text; got != want || len(did) > 0 {
				t.Errorf("%s: %q, and did %v", words, got, did)
			}
		})
	}
}

// Whatever event of a chore the crash comes after: the turn ends after the restart, nothing runs twice, and the person reads what
// came of it, or that nobody knows.
func TestChores_CrashAfterEveryEvent(t *testing.T) {
	for _, c := range []struct {
		text, does string
		least      int  // events of the turn
		asks       bool // it asks first
	}{
		{text: "make a file a.txt with the text hello", does: "write_file a.txt", least: 6},
		{text: "delete notes.txt", does: "delete_file notes.txt", least: 6},
		{text: "delette notes.txt", does: "delete_file notes.txt", least: 8, asks: true},
		{text: "empty the shopping list", does: "list_remove shopping", least: 8, asks: true},
		{text: "undo that", does: "undo {}", least: 4},
	} {
		for n := 1; ; n++ {
			crashed := false
			t.Run(fmt.Sprintf("%s, %d", c.text, n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					did := map[string]int{}
					memory := storetest.NewMemory(time.Now)
					first := choring(t, &crashing{memory, n}, off(t), did)
					seq := first.typed("main", "1", c.text, owner)
					for e, err := range first.Follow(t.Context(), "main", 0) {
						if crashed = err != nil; crashed {
							break
						}
						if q, ok := e.Body.(event.Asked); ok {
							crashed = first.Decide(t.Context(), yes(q, true, "ana")) != nil
						}
						if _, over := e.Body.(event.Ended); over || crashed { // else it would wait until the question expires
							break
						}
					}
					first.Close()
					before := did[c.does]
					second := choring(t, memory, off(t), did)
					if _, err := second.IsBusy(t.Context(), "main"); err != nil {
						t.Fatal(err)
					}
					bodies := second.watch(seq, true)
					if got := bodies[len(bodies)-1].(event.Ended); got.Reason != event.Done {
						t.Errorf("the turn ended with %+v: %s", got, types(bodies))
					}
					said := replyOf(bodies).Text
					knows := strings.Contains(said, "interrupted") || strings.Contains(said, "cut short")
					switch {
					case did[c.does] > 1 || len(did) > 1:
						t.Errorf("did %v", did)
					case did[c.does] == 0 && !knows:
						t.Errorf("nothing was done, and the answer is %q", said)
					case before == 1 && crashed && said != "" && !knows && len(of[event.Returned](bodies)) == 0 && c.does != "undo {}":
						t.Errorf("there is no result, and the answer is %q", said)
					case said == "":
						t.Error("there is no answer")
					}
					if asked := len(of[event.Asked](bodies)) > 0; asked != c.asks {
						t.Errorf("asked %v", asked)
					}
					for _, call := range of[event.Called](bodies) {
						if !slices.ContainsFunc(of[event.Returned](bodies), func(r event.Returned) bool { return r.ID == call.ID }) {
							t.Errorf("%s has no result", call.Tool)
						}
					}
				})
			})
			if t.Failed() {
				return
			}
			if !crashed {
				if n < c.least {
					t.Errorf("%s: the turn was over after %d events", c.text, n)
				}
				break
			}
		}
	}
}

// counted is a journal that knows what was written together.
type counted struct {
	session.Journal
	writes []string
}

func (c *counted) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	var types []string
	for _, e := range entries {
		types = append(types, e.Body.Type())
	}
	c.writes = append(c.writes, strings.Join(types, " "))
	return c.Journal.Append(ctx, entries...)
}

// A chore costs three writes: each waits for the disk. Nothing is done, and nobody is asked, before its call is written.
func TestChores_Writes(t *testing.T) {
	for text, want := range map[string][]string{
		"make a file a.txt with the text hello": {"said", "generated called started", "returned replied ended"},
		"delette notes.txt":                     {"said", "generated called asked", "decided", "started", "returned replied ended"},
		"undo that":                             {"said", "started", "replied ended"},
		"what's on the shopping list":           {"said", "generated called", "returned replied ended"},            // it does not say that it begins
		"send me a.txt":                         {"said", "generated called started", "returned", "replied ended"}, // a file is sent once it is written
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				journal := &counted{Journal: storetest.NewMemory(time.Now)}
				h := choring(t, journal, off(t), map[string]int{})
				h.typed("main", "1", text, owner)
				synctest.Wait()
				for e, err := range h.Follow(t.Context(), "main", 0) {
					if err != nil {
						t.Fatal(err)
					}
					if q, ok := e.Body.(event.Asked); ok {
						if err := h.Decide(t.Context(), yes(q, true, "ana")); err != nil {
							t.Fatal(err)
						}
					}
					if _, over := e.Body.(event.Ended); over {
						break
					}
				}
				if diff := cmp.Diff(want, journal.writes); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A chore is judged by itself, whatever the chat has read before, and its answer is where its result is from.
func TestChores_Labels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := choring(t, storetest.NewMemory(time.Now), off(t), did)
		read := h.watch(h.typed("main", "1", "what's on the shopping list", owner), false)
		h.watch(h.typed("main", "2", "make a file a.txt with the text hello", owner), false)
		if got := replyOf(read).Label; !got.Untrusted {
			t.Errorf("the answer that was read is labelled %+v", got)
		}
		if did["for a model"] > 0 || did["write_file a.txt"] != 1 {
			t.Errorf("did %v", did)
		}
	})
}

// A question whose tool is gone at the next start ends the turn.
func TestChores_TheirToolIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		first := choring(t, memory, off(t), map[string]int{})
		seq := first.typed("main", "1", "empty the shopping list", owner)
		synctest.Wait()
		first.Close()
		second := openAs(t, memory, llm.NewScript(llm.Say("It is gone.")), func(cfg *session.Config) { cfg.Chores = unmodelled(map[string]int{}) })
		if _, err := second.IsBusy(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		bodies := second.watch(seq, true)
		if got := ends(t, memory); got != 1 {
			t.Errorf("%d ends: %s", got, types(bodies))
		}
	})
}

// In words people may do what they may do by name, and no more; what changes several things at once asks, or says how it is asked for.
func TestChores_Rights(t *testing.T) {
	const group = event.Chat("telegram/-1001234567890")
	user := event.Principal{Platform: "telegram", Scope: "private", Level: event.User}
	for _, c := range []struct {
		name, text string
		chat       event.Chat
		as         event.Principal
		did, want  string
	}{
		{"an owner", "delete notes.txt", "main", owner, "delete_file notes.txt", "delete_file"},
		{"an owner in a group", "delete notes.txt", group, owner, "", "I cannot."},
		{"a user", "delete notes.txt", "main", user, "", "need more rights"},
		{"a user in a group", "make a file a.txt with the text hello", group, user, "", "need more rights"},
		{"many", "undo the last 3 things", "main", owner, "", "That takes back 3 changes. To do it say: /undo last 3"},
		{"yesterday", "undo what you did yesterday", "main", owner, "", "That takes back all that was done yesterday. To do it say: /undo yesterday"},
		{"one", "undo that", "main", owner, "undo {}", "ran undo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				h := choring(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("I cannot.")), did)
				h.typed(c.chat, "1", c.text, c.as)
				synctest.Wait()
				said := h.replies(c.chat)
				if len(said) != 1 {
					t.Fatalf("answers %v", said)
				}
				for _, text := range said {
					if !strings.Contains(text, c.want) {
						t.Errorf("the answer is %q", text)
					}
				}
				if len(did) > 1 || c.did == "" && len(did) > 0 || c.did != "" && did[c.did] != 1 {
					t.Errorf("did %v", did)
				}
			})
		})
	}
}

// choringInAStory is a house that understands chores, whose chat a story leads.
func choringInAStory(t *testing.T, m llm.Model, did map[string]int) *house {
	t.Helper()
	h := skilledWith(t, storetest.NewMemory(time.Now), m, []skills.Skill{newSaga().skill()}, choreTools(did),
		func(cfg *session.Config, _ *session.Settings) { cfg.Chores = unmodelled(did) })
	if err := h.OpenSkill(t.Context(), h.request("saga")); err != nil {
		t.Fatal(err)
	}
	return h
}

// In a chat that a story leads, the story reads what is typed first.
func TestChores_InAStory(t *testing.T) {
	for _, text := range []string{"undo", "undo that", "help", "look", "stop", "what time is it", "delete notes.txt", "new conversation"} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did, script := map[string]int{}, llm.NewScript(llm.Say("done"), llm.Say("You wait."))
				h := choringInAStory(t, script, did)
				bodies := h.watch(h.typed("main", "1", text, owner), true)
				if len(did) > 0 || len(of[event.Trimmed](bodies)) > 0 {
					t.Errorf("did %v", did)
				}
				direct := slices.ContainsFunc(of[event.Called](bodies), func(c event.Called) bool { return !strings.HasPrefix(c.ID, "chore-") })
				if len(script.Requests()) == 0 && !direct || replyOf(bodies).Literal {
					t.Errorf("the story did not get it: %s", types(bodies))
				}
			})
		})
	}
}

// A change of hob's list has its number below a story, too: #41 is that one, and what has no sign is the story's.
func TestChores_ANumberInAStory(t *testing.T) {
	for text, want := range map[string]map[string]int{
		"undo #41": {`undo {"change":41}`: 1}, "nimm #41 zurück": {`undo {"change":41}`: 1}, "undo 3": {}, "undo 41 again": {},
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did, script := map[string]int{}, llm.NewScript(llm.Say("done"), llm.Say("You wait."))
				h := choringInAStory(t, script, did)
				h.watch(h.typed("main", "1", text, owner), true)
				if diff := cmp.Diff(want, did); diff != "" {
					t.Errorf("(-want +did)\n%s", diff)
				}
			})
		})
	}
}

// A call of a model is no person, whatever its ID: what strangers wrote still counts against it.
func TestChores_IDOfAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		forged := plain(2, "remember")
		forged.ID = "chore-1"
		script := llm.NewScript(llm.Do(fetch(1, "https://a.example/x")), llm.Do(forged), llm.Say("done"))
		h := openWith(t, storetest.NewMemory(time.Now), script, world(&did)...)
		seq := h.submit("1", "look it up")
		got := rules(h.watch(seq, false))
		if seq != 1 || !slices.Equal(got, []string{"", "persists-untrusted"}) || did["remember"] > 0 {
			t.Errorf("turn %d: rules %q, did %v", seq, got, did)
		}
	})
}

// However many chores a chat has had, a restart reads the newest of them; the conversation goes on with these, and keeps its label.
func TestChores_ManyInAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, memory := map[string]int{}, storetest.NewMemory(time.Now)
		model := llm.NewScript(llm.Say("I see."), llm.Say("It is there."))
		h := choring(t, memory, model, did)
		seq, err := h.Submit(t.Context(), session.Input{
			Chat: "main", ID: "first", From: "ana", Text: "what a stranger wrote", Principal: owner, Label: event.Label{Untrusted: true, Source: "mail"},
		})
		if err != nil {
			t.Fatal(err)
		}
		h.watch(seq, true)
		const chores = 600
		for i := range chores {
			h.typed("main", fmt.Sprint(i), fmt.Sprintf("make a file a%03d.txt with the text hello", i), owner)
			synctest.Wait()
		}
		h.Close()
		from, err := memory.Marked(t.Context(), "memory/main")
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for range memory.Chat(t.Context(), "main", from) {
			read++
		}
		if most := 8 * 33; read == 0 || read > most {
			t.Errorf("a restart reads %d events after %d chores; want at most %d", read, chores, most)
		}
		h = choring(t, memory, model, did)
		last := h.watch(h.typed("main", "last", "tell me of it", owner), true)
		text := ""
		for _, m := range model.Requests()[1].Messages {
			text += m.Text + "\n"
		}
		if !strings.Contains(text, fmt.Sprintf("a%03d.txt", chores-1)) || strings.Contains(text, "a000.txt") {
			t.Errorf("the model reads\n%s", text)
		}
		for _, b := range last {
			if r, ok := b.(event.Replied); ok && !r.Label.Untrusted {
				t.Error("the conversation has lost its label")
			}
		}
		if len(did) != chores {
			t.Errorf("%d chores were done", len(did))
		}
	})
}

// "Never mind" takes back what the turn before it has made, also where the chat is made shorter with it.
func TestChores_NeverMindInALongChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
			func(context.Context, remindArgs) (tools.Result, error) {
				return tools.Result{Text: "set", Effects: []event.Effect{{Kind: "reminder", Target: "1", Detail: event.ReminderSet, Change: 7}}}, nil
			})
		did := map[string]int{}
		h := openAs(t, storetest.NewMemory(time.Now), off(t), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
		}, remind)
		const turns = 520 // the second time that it is made shorter is in a "never mind"
		for i := range turns {
			h.typed("main", fmt.Sprint(i), []string{"timer 10 minutes pasta", "never mind"}[i%2], owner)
			synctest.Wait()
		}
		if n := did[`undo {"change":"7"}`]; n != turns/2 {
			t.Errorf("%d of %d timers were taken back: %v", n, turns/2, did)
		}
	})
}

// Two chores in one message are one turn: each is a call with a result, none is done where one of them is not there, and no model is asked.
func TestChores_Several(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := choring(t, storetest.NewMemory(time.Now), off(t), did)
		bodies := h.watch(h.typed("main", "1", "delete a.txt and make a file b.txt with the text hello", owner), true)
		if got := replyOf(bodies); got.Text != "delete_file a.txt\nwrite_file b.txt" || !got.Literal {
			t.Errorf("%+v in %s", got, types(bodies))
		}
		if want := map[string]int{"delete_file a.txt": 1, "write_file b.txt": 1}; !maps.Equal(did, want) {
			t.Errorf("did %v, want %v", did, want)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		h := openAs(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Say("Fine.")), func(cfg *session.Config) {
			cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
			cfg.Chores.HasModel = func(context.Context) bool { return true }
			cfg.Chores.Exists = func(_ context.Context, _ event.Chat, r intents.Reading) bool { return r.Call.Name != "delete_file" }
		}, choreTools(did)...)
		if got := replyOf(h.watch(h.typed("main", "1", "make a file b.txt with the text hello. Delete a.txt.", owner), true)).Text; got != "Fine." || len(did) > 0 {
			t.Errorf("%q, and did %v", got, did)
		}
	})
}
