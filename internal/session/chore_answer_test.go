package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// answering is a house whose chores include reminders. did counts them by time and text.
func answering(t *testing.T, journal session.Journal, m llm.Model, did map[string]int, change func(*session.Config)) *house {
	remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes},
		func(_ context.Context, in remindArgs) (tools.Result, error) {
			at, err := time.Parse(time.RFC3339, in.At)
			did[at.UTC().Format("15:04 ")+in.Text]++
			return tools.Result{Text: "set"}, err
		})
	return openAs(t, journal, m, func(cfg *session.Config) {
		cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
		if change != nil {
			change(cfg)
		}
	}, append(choreTools(did), remind)...)
}

// message is a line that somebody writes, some time after the one before.
type message struct {
	after   time.Duration
	from    string
	text    string
	quotes  bool // it has words of somebody else with it
	restart bool // hob is started anew before it
}

// What hob asks about a chore is answered with the thing alone, in each language; what is no answer goes its usual way.
func TestAnswers(t *testing.T) {
	say := func(texts ...string) (all []message) {
		for _, text := range texts {
			all = append(all, message{text: text})
		}
		return all
	}
	for name, c := range map[string]struct {
		messages []message
		want     string // what was done, "" for nothing
	}{
		"when":                  {say("remind me to call mum", "at 20:00"), "20:00 call mum"},
		"when, German":          {say("erinnere mich an die Milch", "um 20 Uhr"), "20:00 Milch"},
		"when, Russian":         {say("напомни мне позвонить врачу", "в 20:00"), "20:00 позвонить врачу"},
		"when, Chinese":         {say("提醒我打电话", "晚上八点"), "20:00 打电话"},
		"when, then of what":    {say("remind me", "at 20:00", "call mum"), "20:00 call mum"},
		"when, spelled wrongly": {say("remidn me to call mum", "at 20:00"), ""},
		"which file":            {say("delete the file", "notes.txt"), "delete_file notes.txt"},
		"which file, German":    {say("lösche die Datei", "notes.txt"), "delete_file notes.txt"},
		"which file, Russian":   {say("удали файл", "notes.txt"), "delete_file notes.txt"},
		"which file, Chinese":   {say("删除文件", "notes.txt"), "delete_file notes.txt"},
		"the name of a list, which alone would show it": {say("take eggs off the list", "the shopping list"), "list_remove shopping"},

		"a greeting that is a time":         {say("erinnere mich an die Milch", "Morgen!"), "09:00 Milch"},
		"a greeting that is one in English": {say("remind me to call mum", "morning"), "09:00 call mum"},
		"a greeting that is none":           {say("erinnere mich an die Milch", "guten Tag", "um 20 Uhr"), ""},
		"a correction":                      {say("remind me to call mum", "no, at 20:00"), "20:00 call mum"},
		"a correction, German":              {say("erinnere mich an die Milch", "nein, um 20 Uhr"), "20:00 Milch"},
		"a correction, Russian":             {say("напомни мне позвонить врачу", "нет, в 20:00"), "20:00 позвонить врачу"},
		"a correction, Chinese":             {say("提醒我打电话", "不是，晚上八点"), "20:00 打电话"},
		"a time that cannot be":             {[]message{{text: "erinnere mich an die Milch", after: 23 * time.Hour}, {text: "heute um 8"}, {text: "um 23:30"}}, "23:30 Milch"},

		"a chore of its own":        {say("remind me to call mum", "make a file a.txt with the text hello"), "write_file a.txt"},
		"another question":          {say("remind me to call mum", "delete the file", "a.txt"), "delete_file a.txt"},
		"after another turn":        {say("remind me to call mum", "thanks", "at 20:00"), ""},
		"after an answer":           {say("delete the file", "notes.txt", "a.txt"), "delete_file notes.txt"},
		"a question":                {say("remind me to call mum", "at 20:00?"), ""},
		"a negation":                {say("remind me to call mum", "not at 20:00"), ""},
		"after never mind":          {say("remind me to call mum", "never mind", "at 20:00"), ""},
		"prose":                     {say("remind me to call mum", "at 20:00 we all go to the sea"), ""},
		"two sentences":             {say("remind me to call mum", "I forgot. At 20:00"), ""},
		"nothing was asked":         {say("at 20:00"), ""},
		"too late":                  {[]message{{text: "remind me to call mum"}, {text: "at 20:00", after: 11 * time.Minute}}, ""},
		"soon":                      {[]message{{text: "remind me to call mum"}, {text: "at 20:00", after: 9 * time.Minute}}, "20:00 call mum"},
		"somebody else":             {[]message{{text: "remind me to call mum"}, {text: "at 20:00", from: "ben"}}, ""},
		"with words of others":      {[]message{{text: "remind me to call mum"}, {text: "at 20:00", quotes: true}}, ""},
		"to words of others":        {[]message{{text: "remind me to call mum", quotes: true}, {text: "at 20:00"}}, ""},
		"after a restart":           {[]message{{text: "remind me to call mum"}, {text: "at 20:00", restart: true}}, "20:00 call mum"},
		"of what, after a restart":  {[]message{{text: "remind me"}, {text: "at 20:00"}, {text: "call mum", restart: true}}, "20:00 call mum"},
		"what the time was said of": {[]message{{text: "remind me in 30 minutes"}, {text: "call mum", after: 5 * time.Minute}}, "00:30 call mum"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did, memory := map[string]int{}, storetest.NewMemory(time.Now)
				h := answering(t, memory, missing(), did, nil)
				for i, m := range c.messages {
					<-time.After(m.after)
					if m.restart {
						h.Close()
						h = answering(t, memory, missing(), did, nil)
					}
					h.message(fmt.Sprint(i), m)
				}
				if want := map[string]int{c.want: 1}; c.want != "" && !maps.Equal(did, want) || c.want == "" && len(did) > 0 {
					t.Errorf("did %v, want %q alone", did, c.want)
				}
			})
		})
	}
}

// message hands in what somebody writes, and waits for the end of its turn.
func (h *house) message(id string, m message) []event.Body {
	h.t.Helper()
	in := session.Input{Chat: "main", ID: id, From: "ana", Text: m.text, Principal: owner, Typed: true}
	if m.from != "" {
		in.From = m.from
	}
	if m.quotes {
		in.Attachments = []event.Attachment{{Text: "words", Label: event.Label{Untrusted: true, Source: "forwarded"}}}
	}
	seq, err := h.Submit(h.t.Context(), in)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.watch(seq, true)
}

// A yes to "did you mean" does what was meant, a no and anything else does not.
func TestAnswers_DidYouMean(t *testing.T) {
	for answers, want := range map[string]string{
		"yes": "list_remove shopping", "Ok.": "list_remove shopping", "no": "", "yes?": "", "thanks|yes": "", "perhaps": "", "no|yes": "", "yes|yes": "list_remove shopping",
	} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			h := answering(t, storetest.NewMemory(time.Now), missing(), did, func(cfg *session.Config) {
				cfg.Chores.Resolve = func(_ context.Context, r intents.Reading) intents.Reading {
					if strings.Contains(string(r.Call.Args), "shoping") {
						meant := r
						meant.Call.Args = json.RawMessage(strings.ReplaceAll(string(r.Call.Args), "shoping", "shopping"))
						r.Ask, r.Acts, r.Meant = "There is no list shoping: did you mean shopping?", false, &meant
					}
					return r
				}
			})
			h.message("0", message{text: "take milk off the shoping list"})
			for i, answer := range strings.Split(answers, "|") {
				h.message(fmt.Sprint(i+1), message{text: answer})
			}
			if want != "" && !maps.Equal(did, map[string]int{want: 1}) || want == "" && len(did) > 0 {
				t.Errorf("%s: did %v, want %q alone", answers, did, want)
			}
		})
	}
}

// A time that cannot be is an answer all the same, and hob says what is wrong with it.
func TestAnswers_TooLate(t *testing.T) {
	for words, c := range map[string][2]string{
		"remind me to call mum": {"today at 8", "That time is past."}, "erinnere mich an die Milch": {"heute um 8 Uhr", "Diese Zeit ist vorbei."},
		"напомни мне позвонить врачу": {"сегодня в 8:00", "Это время прошло."}, "提醒我打电话": {"今天早上八点", "这个时间已经过去了。"},
	} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			h := answering(t, storetest.NewMemory(time.Now), off(t), did, nil)
			<-time.After(23 * time.Hour)
			h.message("1", message{text: words})
			if got := replyOf(h.message("2", message{text: c[0]})).Text; !strings.HasPrefix(got, c[1]) || len(did) > 0 {
				t.Errorf("%s, %s: %q, did %v", words, c[0], got, did)
			}
		})
	}
}

// keeping is a house with two reminders. did counts what is done to them.
func keeping(t *testing.T, did map[string]int) *house {
	type change struct {
		ID     int64  `json:"id,omitempty"`
		About  string `json:"about,omitempty"`
		Change string `json:"change,omitempty"`
		Only   string `json:"only,omitempty"`
	}
	both := []event.Choice{{Label: "Hund füttern #29", Text: "/reminder id=29 change=cancel", Trusted: true}, {Label: "Hund baden #30", Text: "/reminder id=30 change=cancel", Trusted: true}}
	remind := tools.New(tools.Def{Name: "remind", Description: "reminds", Capabilities: tools.Writes}, func(_ context.Context, in remindArgs) (tools.Result, error) {
		did[in.Text]++
		return tools.Result{Text: "set", Effects: []event.Effect{{Kind: "reminder", Target: "30", Detail: event.ReminderSet, Change: 7}}, Choices: []event.Choice{{Label: "Ist erledigt #30", Text: "/reminder id=30 change=done", Trusted: true}}}, nil
	})
	reminder := tools.New(tools.Def{Name: "reminder", Description: "changes", Capabilities: tools.Writes}, func(_ context.Context, in change) (tools.Result, error) {
		if in.ID == 0 && in.About != "" {
			return tools.Result{Choices: both}, tools.Invalid(event.CodeInvalidValue, "there are 2 reminders of %q", in.About)
		}
		did[fmt.Sprintf("%d %s", in.ID, in.Change)]++
		return tools.Result{Text: "ok"}, nil
	})
	return openAs(t, storetest.NewMemory(time.Now), missing(), func(cfg *session.Config) {
		cfg.Chores, cfg.Budget = unmodelled(did), cfg.Settings(t.Context()).Budget
		cfg.Chores.Suggest = intents.Default().Suggest
		cfg.Chores.Confirm = func(_ context.Context, r intents.Reading, _ time.Time) intents.Reading {
			meant := r
			meant.Near, meant.Call.Args = false, json.RawMessage(`{"id":29,"change":"tomorrow"}`)
			r.Ask, r.Acts, r.Meant = "Do you mean reminder 29?", false, &meant
			return r
		}
	}, append(choreTools(did), remind, reminder)...)
}

// What hob offers or asks to choose from is chosen by its words, its number or its place, in the next message alone.
func TestAnswers_Choice(t *testing.T) {
	const ask = "lösch die Erinnerung an Hund|"
	for lines, want := range map[string]map[string]int{
		ask + "30": {"30 cancel": 1}, ask + "#29": {"29 cancel": 1}, ask + "die erste": {"29 cancel": 1}, ask + "baden": {"30 cancel": 1},
		ask + "alle": {"29 cancel": 1, "30 cancel": 1}, ask + "29 und 30": {"29 cancel": 1, "30 cancel": 1},
		ask + "31": {}, ask + "Hund": {}, ask + "nein": {}, ask + "30?": {}, ask + "danke|30": {}, ask + "30|29": {"30 cancel": 1}, "30": {},
		"Kaffee|reminder|tomorrow": {"Kaffee": 1}, "Kaffee|the reminder": {}, "Kaffee|2": {}, "last": {}, "the last one": {}, "Kaffee|reminder|tomorrow|Ist erledigt #30": {"Kaffee": 1}, // no question asks for it
	} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			h := keeping(t, did)
			for i, line := range strings.Split(lines, "|") {
				h.message(fmt.Sprint(i), message{text: line})
			}
			if !maps.Equal(did, want) {
				t.Errorf("%s: did %v, want %v", lines, did, want)
			}
		})
	}
}

// A correction is of what was spoken of last. Where that was another thing hob asks before it moves a reminder.
func TestAnswers_AnotherThingBetween(t *testing.T) {
	const made = "remind me tomorrow at 20:00 to call mum|"
	for lines, want := range map[string]string{
		made + "no, at 20:00": " 0 at 20:00", made + "thanks|no, at 20:00": " 0 at 20:00", made + "cancel reminder 5|no, at 20:00": " 0 at 20:00",
		made + "make a file a.txt with the text hello|no, at 20:00": "Do you mean reminder 29?", made + "make a file a.txt with the text hello|no, at 20:00|yes": " 29 tomorrow",
		made + "make a file a.txt with the text hello|no, at 20:00|no": "Never mind, then: nothing was done.", made + "delete the file|no, at 20:00": "Do you mean reminder 29?",
		made + "undo that|no, at 20:00": "Do you mean reminder 29?", made + "remind me to feed the cat|never mind|no, at 20:00": "Do you mean reminder 29?",
		made + "delete that reminder again": " 30 cancel", made + "thanks|delete that reminder again": " 0 cancel", made + "cancel the timer": " 0 cancel",
	} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			h, got := keeping(t, did), ""
			for i, line := range strings.Split(lines, "|") {
				before := maps.Clone(did)
				got = replyOf(h.message(fmt.Sprint(i), message{text: line})).Text
				for what, n := range did {
					if n > before[what] && got == "ok" {
						got = " " + what
					}
				}
			}
			if got != want {
				t.Errorf("%s: %q, want %q", lines, got, want)
			}
		})
	}
}

// In a group only who was asked answers.
func TestAnswers_InAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const group = event.Chat("telegram/-1001234567890")
		did := map[string]int{}
		h := answering(t, storetest.NewMemory(time.Now), missing(), did, nil)
		write := func(id, from, text string) {
			_, err := h.Submit(t.Context(), session.Input{
				Chat: group, ID: id, From: from, Text: from + ": " + text, Own: text, Principal: owner, Typed: true,
				Label: event.Label{Untrusted: true, Source: "telegram group Home"},
			})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		write("1", "ana", "remind me to call mum")
		write("2", "ben", "at 20:00")
		if len(did) > 0 {
			t.Fatalf("did %v", did)
		}
		write("3", "ana", "remind me to call mum")
		write("4", "ana", "at 20:00")
		if did["20:00 call mum"] != 1 {
			t.Errorf("did %v", did)
		}
	})
}

// "Never mind" ends the question, and hob says so.
func TestAnswers_NeverMind(t *testing.T) {
	for words, c := range map[string][2]string{
		"remind me to call mum": {"never mind", "Never mind, then: nothing was done."}, "erinnere mich an die Milch": {"vergiss es", "Gut, dann nicht: nichts wurde getan."},
		"напомни мне позвонить врачу": {"забудь", "Хорошо, тогда нет: ничего не сделано."}, "提醒我打电话": {"算了", "好，那就算了：什么也没做。"},
	} {
		synctest.Test(t, func(t *testing.T) {
			did := map[string]int{}
			h := answering(t, storetest.NewMemory(time.Now), off(t), did, nil)
			h.message("1", message{text: words})
			if got := replyOf(h.message("2", message{text: c[0]})).Text; got != c[1] || len(did) > 0 {
				t.Errorf("%s, %s: %q, did %v", words, c[0], got, did)
			}
		})
	}
}

// Where there is a model, what it asks is its own, and what hob asked without it is answered.
func TestAnswers_WithAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, hasModel := map[string]int{}, true
		script := llm.NewScript(llm.Say("When? Say, for example: remind me to call mum tomorrow at 8"), llm.Say("Fine."), llm.Say("Which?"))
		h := answering(t, storetest.NewMemory(time.Now), script, did, func(cfg *session.Config) {
			cfg.Chores.HasModel = func(context.Context) bool { return hasModel }
			cfg.Chores.Exists = func(_ context.Context, _ event.Chat, r intents.Reading) bool {
				return !strings.Contains(string(r.Call.Args), "gone")
			}
		})
		h.message("1", message{text: "remind me to call mum"})
		if got := replyOf(h.message("2", message{text: "at 20:00"})).Text; got != "Fine." || len(did) > 0 {
			t.Errorf("the model's question: %q, did %v", got, did)
		}
		hasModel = false
		h.message("3", message{text: "remind me to call mum"})
		hasModel = true
		if h.message("4", message{text: "at 20:00"}); did["20:00 call mum"] != 1 {
			t.Errorf("hob's question: did %v", did)
		}
		hasModel = false
		h.message("5", message{text: "delete the file"})
		hasModel = true
		if got := replyOf(h.message("6", message{text: "gone.txt"})).Text; got != "Which?" {
			t.Errorf("what is not there: %q", got)
		}
	})
}

// Whatever event of an answer the crash comes after: the chore is done once, or the person reads that nobody knows.
func TestAnswers_CrashAfterEveryEvent(t *testing.T) {
	for n, crashed := 1, true; crashed; n++ {
		synctest.Test(t, func(t *testing.T) {
			did, memory := map[string]int{}, storetest.NewMemory(time.Now)
			first := answering(t, memory, off(t), did, nil)
			first.message("1", message{text: "remind me to call mum"})
			first.Close()
			first = answering(t, &crashing{memory, n}, off(t), did, nil)
			seq, err := first.Submit(t.Context(), session.Input{Chat: "main", ID: "2", From: "ana", Text: "at 20:00", Principal: owner, Typed: true})
			if crashed = err != nil; !crashed {
				for e, err := range first.Follow(t.Context(), "main", seq-1) {
					if crashed = err != nil; crashed {
						break
					}
					if _, over := e.Body.(event.Ended); over {
						break
					}
				}
			}
			first.Close()
			if seq == 0 {
				return // it was never taken
			}
			second := answering(t, memory, off(t), did, nil)
			if _, err := second.IsBusy(t.Context(), "main"); err != nil {
				t.Fatal(err)
			}
			bodies := second.watch(seq, true)
			text := replyOf(bodies).Text
			if knows := strings.Contains(text, "interrupted"); did["20:00 call mum"] > 1 || len(did) > 1 || len(did) == 0 && !knows {
				t.Errorf("after %d events: did %v, and the answer is %q", n, did, text)
			}
			if len(of[event.Asked](bodies)) > 0 {
				t.Errorf("after %d events it asks", n)
			}
		})
		if t.Failed() {
			return
		}
		if !crashed && n < 6 {
			t.Errorf("the turn was over after %d events", n)
		}
	}
}
