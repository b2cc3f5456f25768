package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// A reminder is made, listed, changed and done without a model; hob remind prints what programs read.
func TestRemind(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "http://127.0.0.1:1")
	h.configure("[time]\nzone = \"Europe/Berlin\"\n")
	var made struct{ ID int64 }
	var due, zone, text, repeat string
	read := func(line string) {
		t.Helper()
		var r struct {
			ID                      int64
			Due, Zone, Text, Repeat string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		made.ID, due, zone, text, repeat = r.ID, r.Due, r.Zone, r.Text, r.Repeat
	}
	read(h.hob("remind", "--json", "on 31 December 2099 at 18:00 to call Ana"))
	if made.ID != 1 || due != "2099-12-31T18:00:00+01:00" || zone != "Europe/Berlin" || text != "call Ana" || repeat != "" {
		t.Errorf("made %d, due %q in %q, %q, %q", made.ID, due, zone, text, repeat)
	}
	read(h.hob("remind", "--json", "every Monday at 7:00 take the bins out"))
	if text != "take the bins out" || repeat != "FREQ=WEEKLY;BYDAY=MO" {
		t.Errorf("%q, %q", text, repeat)
	}
	read(h.hob("remind", "--json", "me", "tomorrow", "at", "8:00", "to", "call", "Ana"))
	if text != "call Ana" {
		t.Errorf("remind me: %q", text)
	}
	for _, words := range []string{"call Ana", "on 3 March 2020 at noon call Ana", "at 25:00 call Ana"} {
		status, out, _ := h.ran("remind", "--json", words)
		var r struct{ Unclear string }
		if json.Unmarshal([]byte(out), &r) != nil || r.Unclear == "" || status != int(exit.Usage) {
			t.Errorf("%q: %s, status %d", words, out, status)
		}
	}
	for line, want := range map[string]string{
		"remind call Ana": "hob: When? Say it in full, such as tomorrow at 8:00\n",
		"reminders 99":    "hob: there is no reminder 99; hob reminders lists them\n",
	} {
		if _, _, errs := h.ran(strings.Fields(line)...); !strings.HasSuffix(errs, want) {
			t.Errorf("hob %s: %q, want %q", line, errs, want)
		}
	}
	if out := h.hob("remind", "--missed", "skip", "every day at 8:00 stretch"); !strings.Contains(out, "not if late: stretch") {
		t.Errorf("--missed skip: %q", out)
	}
	if status, _, errs := h.ran("remind", "--missed", "never", "every day at 8:00 stretch"); status != int(exit.Usage) || !strings.Contains(errs, "late, skip or once") {
		t.Errorf("--missed never: %q, status %d", errs, status)
	}
	for _, step := range []struct{ args, want string }{
		{"reminders", "#1 "},
		{"reminders 1 at 19:30", "19:30: call Ana"},
		{"reminders 1 cancel", "Cancelled: call Ana"},
		{"reminders 1 restore", "19:30: call Ana"},
		{"reminders 1 done", "Done: call Ana"},
		{"ask remind me on 30 December 2099 at 8:00 to feed the cat", "08:00: feed the cat"},
		{"ask make it 9:30", "09:30: feed the cat"},
		{"ask which reminders do I have", "feed the cat"},
		{"ask remind me in 20 minutes to check the oven and in an hour to turn it off", "turn it off"},
		{"ask never mind", "turn it off) is gone"},
		{"reminders", "feed the cat"},
		{"ask timer 4 minutes", "4 min left"},
		{"undo --list", "(timer of 4 min)"},
		{"ask cancel", "(timer of 4 min) is gone"},
	} {
		if out := h.hob(strings.Fields(step.args)...); !strings.Contains(out, step.want) {
			t.Errorf("hob %s printed %q, want %q in it", step.args, out, step.want)
		} else if strings.Contains(out, "\nreminder #") {
			t.Errorf("hob %s says it twice: %q", step.args, out)
		} else if strings.Contains(out, "0 B") {
			t.Errorf("hob %s has a size of what has none: %q", step.args, out)
		}
	}
}

// Whoever makes a reminder with a hob that ends is told what it takes to be reminded, also where a sentence makes it. A hob that serves reminds
// them itself.
func TestRemind_WhoReminds(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "http://127.0.0.1:1")
	h.configure("[time]\nzone = \"Europe/Berlin\"\n")
	says := "hob: the reminder comes while hob serve runs or a prompt is open\n"
	is := func(want int, args ...string) {
		t.Helper()
		if status, _, errs := h.ran(args...); status != 0 || strings.Count(errs, says) != want {
			t.Errorf("hob %s: status %d, says %q, want the sentence %d times", args, status, errs, want)
		}
	}
	is(1, "ask", "remind me tomorrow at 18:00 to call Ana")
	is(1, "ask", "/remind tomorrow at 18:00 call Ben")
	is(1, "remind", "tomorrow at 18:00 call Cleo")
	is(0, "remind", "--json", "tomorrow at 18:00 call Dora")
	is(0, "ask", "which reminders do I have")
	is(0, "reminders", "1", "done")
	says = "hob: erinnert wird, während hob serve läuft oder ein Prompt offen ist\n"
	is(1, "ask", "erinnere mich morgen um 18 Uhr an Ana")
	h.serve()
	is(0, "ask", "erinnere mich morgen um 18 Uhr an Emil")
}

// Where the zone was not set and the machine is in UTC, the first reminder of a chat says so, once, over a restart and all.
func TestRemind_AsksForTheZoneOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "http://127.0.0.1:1")
	remind := func(h *house) string {
		cmd := h.command("remind", "tomorrow at 8:00 call Ana")
		cmd.Env = append(cmd.Env, "TZ=Etc/UTC")
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), "08:00: call Ana") {
			t.Errorf("hob remind: %v, %q", err, out)
		}
		return string(out)
	}
	const asks = "This is the time of this machine: Etc/UTC."
	for i, want := range []bool{true, false} {
		if out := remind(h); strings.Contains(out, asks) != want {
			t.Errorf("reminder %d: %q; want the question: %v", i+1, out, want)
		}
	}
	other := newHouse(t, "http://127.0.0.1:1")
	other.configure("[time]\nzone = \"UTC\"\n")
	if out := remind(other); strings.Contains(out, asks) {
		t.Errorf("the zone was set, and hob asks: %q", out)
	}
}

// The zone is set by words, and counts at once: for later reminders, and for what the clock says. What was set before keeps its own
// clocks until somebody moves it.
func TestRemind_SetsTheZone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "http://127.0.0.1:1")
	h.configure("")
	for _, step := range []struct{ args, want string }{
		{"remind on 30 December 2099 at 8:00 call Ana", "Is yours another? Then say: my time zone is Europe/Berlin"},
		{"ask my time zone is Tokyo", "The time zone is Asia/Tokyo now"},
		{"remind --json on 30 December 2099 at 9:00 buy milk", `"due":"2099-12-30T09:00:00+09:00"`},
		{"reminders 1", "08:00 (Etc/UTC): call Ana"},
		{"ask what time is it", "(JST)"},
		{"ask /reminder 1 zone=Asia/Tokyo", "08:00: call Ana"},
		{"ask what is my time zone", "The time zone is Asia/Tokyo"},
	} {
		cmd := h.command(strings.Fields(step.args)...)
		cmd.Env = append(cmd.Env, "TZ=Etc/UTC")
		if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), step.want) {
			t.Errorf("hob %s: %v, %q, want %q in it", step.args, err, out, step.want)
		}
	}
}

// On Telegram a reminder rings without a model, and is done by a press, a reply and a thumb. What was asked for at the terminal
// comes there, too.
func TestRemind_OnTelegram(t *testing.T) {
	t.Parallel()
	h, chat, ana := botHouse(t)
	rung := make(chan string, 9)
	phone := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		rung <- r.Method + " " + r.URL.Path + " " + string(raw)
	}))
	t.Cleanup(phone.Close)
	h.hob("config", "set", "notify.ntfy", phone.URL+"/topic")
	h.serve()
	find := func(want string) (found telegramtest.Message) {
		t.Helper()
		h.until(fmt.Sprintf("the bot says %q", want), func() bool {
			for _, m := range chat.FromBot() {
				if strings.HasPrefix(m.Text, want) {
					found = m
				}
			}
			return found.ID != 0
		})
		return found
	}
	chat.Say(ana, "remind me in 1 second to call Ben")
	made := find("⏰ #1 ")
	if !strings.Contains(made.Text, ": call Ben") || len(made.Buttons) == 0 {
		t.Errorf("hob confirms with %q and %v", made.Text, made.Buttons)
	}
	rings := find("⏰ call Ben")
	if got := <-rung; got != "POST /topic A reminder is due." { // and no word of it
		t.Errorf("the phone got %q", got)
	}
	chat.Press(ana, rings.ID, "Done")
	find("Done: call Ben")

	h.hob("remind", "in 1 second the tea")
	rings = find("⏰ the tea")
	h.until("hob knows which message it was", func() (known bool) {
		h.look(func(db *store.DB) {
			var err error
			if _, known, err = db.Deliveries().SentAs(t.Context(), "telegram/7", rings.ID); err != nil {
				t.Fatal(err)
			}
		})
		return known
	})
	chat.Say(ana, "in 1 second", telegramtest.ReplyTo(rings.ID))
	h.until("it rings again", func() bool {
		n := 0
		for _, m := range chat.FromBot() {
			if strings.HasPrefix(m.Text, "⏰ the tea") {
				n++
			}
		}
		return n == 2
	})
	chat.React(ana, rings.ID, "👍")
	find("Done: the tea")
	if out := h.hob("reminders"); !strings.Contains(out, "no reminders") {
		t.Errorf("there is still %q", out)
	}
}

// One person reminds another who has agreed, once; who has not been let in reminds nobody.
func TestRemind_SomebodyElse(t *testing.T) {
	t.Parallel()
	server := telegramtest.New(telegramtest.Options{})
	h := botHouseOn(t, server)
	ana, ben := server.User(7, "Ana"), server.User(8, "Ben")
	h.hob("allow", "7", "--as", "owner", "--name", "Ana")
	h.hob("allow", "8", "--as", "user", "--name", "Ben")
	chat, home := server.Private(ana), server.Private(ben)
	h.serve()
	says := func(c *telegramtest.Chat, want string) {
		t.Helper()
		h.until(fmt.Sprintf("the bot says %q", want), func() bool {
			for _, m := range c.FromBot() {
				if strings.Contains(m.Text, want) {
					return true
				}
			}
			return false
		})
	}
	chat.Say(ana, "remind Ben to bring the drill in 1 second")
	says(chat, "I ask Ben first.")
	says(home, "bring the drill\nMay they?")
	home.PressLabel(ben, "Yes")
	says(chat, "Ben agrees.")
	says(home, "⏰ bring the drill (from Ana")
	chat.Say(ana, "remind Ben to bring the saw in 1 second")
	says(home, "⏰ bring the saw (from Ana")
}

// A calendar becomes reminders after a yes, with its alarms and what it leaves out, and they become a calendar again.
func TestReminders_Calendar(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "http://127.0.0.1:1")
	h.configure("[time]\nzone = \"Europe/Berlin\"\n")
	vevent := func(lines ...string) string {
		return "BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\n"
	}
	file := filepath.Join(t.TempDir(), "home.ics")
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\n" +
		vevent("UID:1", "SUMMARY:Choir", "DTSTART;TZID=Europe/Berlin:20990105T180000", "RRULE:FREQ=WEEKLY;BYDAY=MO",
			"EXDATE;TZID=Europe/Berlin:20990112T180000", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT30M", "END:VALARM") +
		vevent("UID:2", "SUMMARY:Over", "DTSTART:20200101T000000Z") +
		vevent("UID:3", "SUMMARY:Bins", "DTSTART;VALUE=DATE:20990601") + "END:VCALENDAR\r\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := h.ran("reminders", "import", file); status != int(exit.Denied) || !strings.Contains(errs, "has 2 events to come, the first on 5 Jan 2099") {
		t.Errorf("without a person: status %d, %s", status, errs)
	}
	asking := h.command("reminders", "import", file)
	asking.Env = append(asking.Env, "LANG=de_DE.UTF-8")
	talk := startAtTerminal(t, asking)
	talk.until("Make reminders of them? [j/N]")
	talk.say("ja\r")
	talk.until("2 reminders made")
	if err := asking.Wait(); err != nil {
		t.Error(err)
	}
	h.hob("undo", "--last", "2")
	h.hob("reminders", "import", "--yes", file)
	list := h.hob("reminders")
	for _, want := range []string{"17:30, from Mon 5 Jan 2099: Choir", "Mon 1 Jun 2099, 09:00: Bins"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not among\n%s", want, list)
		}
	}
	out := h.hob("reminders", "export")
	for _, want := range []string{"DTSTART;TZID=Europe/Berlin:20990105T173000", "RRULE:FREQ=WEEKLY;BYDAY=MO", "EXDATE;TZID=Europe/Berlin:20990112T173000", "SUMMARY:Bins"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// At a terminal a reminder counts as delivered once a prompt has shown it there. Where the terminal has hung up it does not, and the next
// prompt shows it.
func TestRemind_AtTerminal(t *testing.T) {
	t.Parallel()
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	h.serve()
	prompt := func() (*exec.Cmd, *dialogue) {
		return atTerminal(t, fake, h.state, []string{"HOB_CONFIG=" + h.config}, "chat")
	}
	is := func(text, state string) {
		t.Helper()
		var out string
		h.until(fmt.Sprintf("%s is %s", text, state), func() bool {
			out = h.hob("reminders")
			return strings.Contains(out, text) && strings.Contains(out, ", "+state+")")
		})
	}
	cmd, talk := prompt()
	talk.enter("/remind in 1 second the tea")
	talk.until("⏰ the tea")
	is("the tea", "not done yet, delivered")
	h.hob("reminders", "1", "done")
	if err := talk.terminal.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its status says that the terminal is gone
	h.hob("remind", "in 1 second the coffee")
	is("the coffee", "waits until you open hob")
	cmd, talk = prompt()
	talk.until("⏰ the coffee (told ")
	is("the coffee", "not done yet, delivered")
	talk.leave(cmd)
}
