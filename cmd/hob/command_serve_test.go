package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
)

// Where no model is, tools answer on Telegram all the same: once each, also when hob is killed in the middle, and what others
// wrote calls nothing.
func TestServe_CommandsWithoutAModel(t *testing.T) {
	notShort(t)
	needsWalls(t)
	server := telegramtest.New(telegramtest.Options{})
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	h := newHouse(t, nowhereToAsk)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(server.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n", web.URL, token))
	ana, mallory := server.User(7, "Ana"), server.User(666, "Mallory")
	chat := server.Private(ana)
	h.look(func(db *store.DB) {
		if _, err := db.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: ana.ID, Name: "Ana", Level: event.Owner}); err != nil {
			t.Fatal(err)
		}
	})
	answered := func(want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		last := ""
		err := server.Wait(ctx, func() bool {
			for _, m := range chat.FromBot() {
				if last = m.Text; strings.Contains(last, want) {
					return true
				}
			}
			return false
		})
		if err != nil {
			t.Fatalf("%v: waiting for %q, the last is %q\n%s", err, want, last, h.journal("telegram/7"))
		}
	}
	s := h.serve()
	h.make("notes_of_mine.txt")
	chat.Say(ana, "/list_files .")
	answered("notes_of_mine.txt")
	chat.Say(ana, "/lst_files .")
	answered("did you mean list_files?")
	chat.Say(ana, "/skill recall")
	answered("recall is open.")
	chat.Say(ana, "/run_command touch stolen", telegramtest.Forwarded(*mallory))
	answered("Ollama does not answer")
	chat.Say(ana, `/run_command command="touch waits; sleep 1000"`)
	h.until("it runs", func() bool { return h.exists("waits") })
	chat.Say(ana, "/write_file content=x path=after.txt") // it waits for its turn
	chat.Say(ana, "/stop")
	h.until("what waited is done", func() bool { return h.exists("after.txt") })
	chat.Say(ana, `/run_command command="echo once >> done; touch begun; sleep 1000"`)
	h.until("it runs", func() bool { return h.exists("begun") })
	s.signal(syscall.SIGKILL)
	_ = s.cmd.Wait() // its status says that it was killed
	s = h.serve()
	answered("unknown")
	s.stop()
	if text, err := os.ReadFile(h.path("done")); err != nil || string(text) != "once\n" || h.exists("stolen") {
		t.Errorf("the tool did %q, %v", text, err)
	}
}

// The terminal, and hob ask, call tools of a hob that runs, and open and close its skills.
func TestServe_CommandsAndSkillsThroughTheHobThatRuns(t *testing.T) {
	h := newHouse(t, nowhereToAsk)
	s := h.serve()
	h.make("here.txt")
	h.configure("[agent]\nmax_steps = 7\n") // the hob that answers is the one of now
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	s.hear("READY=1")
	said := func(input string, args ...string) string {
		t.Helper()
		cmd := h.command(args...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v: %v %s", args, err, out)
		}
		return string(out)
	}
	if got := said("", "ask", "/list_files ."); !strings.Contains(got, "here.txt") {
		t.Error(got)
	}
	if got := said("/list_files .\n/skill recall\n/help list_files\n/tools\n", "chat"); !strings.Contains(got, "here.txt") ||
		!strings.Contains(got, "\nrecall is open.\n") || !strings.Contains(got, "\n```\n/list_files [path:string=.]") || !strings.Contains(got, "\n- `/run_command` Run a shell command") {
		t.Error(got)
	}
	want := "The skill recall is open in main already.\nThe skill recall is closed in main.\nThe skill recall is not open in main.\n"
	got := said("", "skill", "open", "recall") + said("", "skill", "close", "RECALL") + said("", "skill", "close", "recall")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.stop()
	if got := strings.Join(h.journal("main"), "\n"); strings.Count(got, "returned true") != 2 {
		t.Error(got)
	}
}
