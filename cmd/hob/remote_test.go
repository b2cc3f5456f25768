package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/exit"
)

// While a prompt is open all other commands work, through it.
func TestCommandsUseTheHobThatRuns(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	cmd, talk := atTerminal(t, fake, state, nil, "chat")
	talk.idle()
	hob := func(want int, args ...string) string {
		t.Helper()
		c := hobCommand(t.Context(), fake, state, args...)
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != want || strings.Contains(string(out), "waiting up to") {
			t.Errorf("hob %q: status %d\n%s", args, got, out)
		}
		return string(out)
	}
	if out := hob(0, "ask", "--chat", "other", "good morning"); out != "Good evening.\n" {
		t.Errorf("%q", out)
	}
	if out := hob(0, "ask", "--chat", "other", "--json", "--id", "1", "write a.txt one"); !strings.Contains(out, `"type":"returned"`) || strings.Count(out, `"type":"ended"`) != 1 {
		t.Errorf("%q", out)
	}
	if out := hob(2, "ask", "--chat", "other", "--id", "1", "write a.txt two"); out != "hob: the input id \"1\" was used for another message: give this one an id of its own\n" {
		t.Errorf("%q", out)
	}
	if out := hob(0, "status"); !strings.Contains(out, "hob       hob chat (pid ") || !strings.Contains(out, "\nsince     ") {
		t.Errorf("%q", out)
	}
	if out := hob(0, "status", "--json"); !strings.Contains(out, `"now":{"serves":"hob chat","pid":`) {
		t.Errorf("%q", out)
	}
	if out := hob(0, "undo", "--dry-run"); !strings.HasPrefix(out, "would be done: a.txt is gone: it was made at ") {
		t.Errorf("%q", out)
	}

	// What runs is not undone, and can be stopped.
	slow := hobCommand(t.Context(), fake, state, "ask", "--chat", "other", "hang")
	var said bytes.Buffer
	slow.Stdout, slow.Stderr = &said, &said
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	<-fake.hanging
	if out := hob(1, "undo"); out != "hob: a turn runs in other, which may change files: let it end, or stop it with hob stop other, and undo then\n" {
		t.Errorf("%q", out)
	}
	if out := hob(0, "stop", "other"); out != "Stopped the turn in other.\n" {
		t.Errorf("%q", out)
	}
	if _ = slow.Wait(); slow.ProcessState.ExitCode() != exit.Denied || !strings.Contains(said.String(), "Stopped.") {
		t.Errorf("%v\n%s", slow.ProcessState, said.String())
	}
	hob(0, "ask", "--chat", "other", "write b.txt one")
	if out := hob(0, "undo"); !strings.HasPrefix(out, "b.txt is gone: it was made at ") {
		t.Errorf("%q", out)
	}
	if out := hob(1, "undo", "99"); out != "hob: there is no change 99: hob undo --list shows those that there are\n" {
		t.Errorf("%q", out)
	}
	if err := os.WriteFile(filepath.Join(state, "workspace", "a.txt"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := hob(1, "undo", "1"); !strings.Contains(out, "it was changed since by somebody else") || !strings.Contains(out, "--force takes it back all the same") {
		t.Errorf("%q", out)
	}

	// An interrupt stops the turn, wherever it runs.
	slow = hobCommand(t.Context(), fake, state, "ask", "--chat", "other", "hang")
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	<-fake.hanging
	if err := slow.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = slow.Wait(); slow.ProcessState.ExitCode() != exit.Denied {
		t.Errorf("%v", slow.ProcessState)
	}
	askTheAPI(t, state)
	talk.leave(cmd)
}

// askTheAPI makes the same request twice, as another program would.
func askTheAPI(t *testing.T, state string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(state, "hob.sock"))
	}}}
	defer client.CloseIdleConnections()
	var first string
	for range 2 {
		body := `{"session_id":"api","messages":[{"role":"user","content":"write c.txt one"}],"request_id":"1"}`
		resp, err := client.Post("http://hob/api/v1/chat", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || first != "" && string(text) != first {
			t.Errorf("%s, %v\n%s", resp.Status, err, text)
		}
		first = string(text)
	}
	var got struct {
		ToolEvents []struct {
			Hash string `json:"args_hash"`
		} `json:"tool_events"`
	}
	if err := json.Unmarshal([]byte(first), &got); err != nil || len(got.ToolEvents) != 1 || len(got.ToolEvents[0].Hash) != 64 {
		t.Errorf("%v: %s", err, first)
	}
	if text, err := os.ReadFile(filepath.Join(state, "workspace", "c.txt")); string(text) != "one\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// A hob that is no daemon ends when its own turn has: what another has handed in there goes on in the other.
func TestATurnOutlivesTheHobThatRanIt(t *testing.T) {
	for name, end := range map[string]os.Signal{"ended": os.Interrupt, "killed": os.Kill} {
		t.Run(name, func(t *testing.T) {
			fake := newFakeOllama(t)
			state := t.TempDir()
			first := hobCommand(t.Context(), fake, state, "ask", "--chat", "first", "hang")
			if err := first.Start(); err != nil {
				t.Fatal(err)
			}
			<-fake.hanging
			second := hobCommand(t.Context(), fake, state, "ask", "--json", "--chat", "second", "write a.txt one")
			var out, errs bytes.Buffer
			second.Stdout, second.Stderr = &out, &errs
			if err := second.Start(); err != nil {
				t.Fatal(err)
			}
			// The model does one thing at a time: the second waits for it.
			waits := func() bool {
				c := hobCommand(t.Context(), fake, state, "status", "--json")
				text, err := c.Output()
				return err == nil && strings.Contains(string(text), `"running":["first","second"]`)
			}
			for !waits() {
				if t.Context().Err() != nil {
					t.Fatal("the second never came")
				}
			}
			if err := first.Process.Signal(end); err != nil {
				t.Fatal(err)
			}
			_ = first.Wait()
			if err := second.Wait(); err != nil {
				t.Errorf("%v\n%s%s", err, out.String(), errs.String())
			}
			if n := strings.Count(out.String(), `"type":"said"`); n != 1 || strings.Count(out.String(), `"type":"ended"`) != 1 {
				t.Errorf("said %d times:\n%s", n, out.String())
			}
			if text, err := os.ReadFile(filepath.Join(state, "workspace", "a.txt")); string(text) != "one\n" || err != nil {
				t.Errorf("%q, %v\n%s", text, err, out.String())
			}
		})
	}
}

// At a second terminal a person sees what others say in a chat, and answers what is asked there.
func TestATerminalWatchesAChat(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	host := strings.TrimPrefix(fake.URL, "http://")
	config := filepath.Join(state, "config.toml")
	if err := os.WriteFile(config, []byte("[fetch]\nallow = [\""+host+"\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOB_CONFIG=" + config}
	one, first := atTerminal(t, fake, state, env, "chat", "--chat", "telegram/4711")
	first.idle()
	two, second := atTerminal(t, fake, state, env, "chat", "--chat", "telegram/4711")
	second.idle()

	first.enter("good morning")
	second.until("› owner")
	second.until("good morning")
	second.until("Good evening.")
	first.until("Good evening.")
	second.enter("write notes.txt mine")
	second.until("That is all.")
	first.until("That is all.")

	first.enter("peruse notes.txt")
	first.until("That is all.")
	second.until("That is all.")
	first.enter("wander /page?n=1")
	first.until("asks to do this:")
	second.until("asks to do this:")
	second.say("y\r")
	first.until("◆ allowed by owner")
	second.until("◆ allowed by owner")
	second.until("That is all.")

	// What one of them waits for the other stops.
	first.enter("hang")
	<-fake.hanging
	second.until("hang")
	second.say("/stop\r")
	first.until("Stopped.")
	second.until("Stopped.")
	second.enter("/stop")
	second.until("no turn is running")

	// And an own question is asked and answered as ever, and stopped.
	second.enter("wander /page?n=2")
	second.until("asks to do this:")
	second.say("n\r")
	second.until("it needed something that was not allowed")
	second.enter("hang")
	<-fake.hanging
	second.say("\x03")
	second.until("Stopped.")
	second.enter("/ps")
	second.until("Nothing runs in the background.")
	second.enter("/undo")
	second.until("notes.txt is gone")

	first.leave(one)
	second.until("hob chat has ended")
	second.enter("good night") // it goes on by itself
	second.until("Good evening.")
	second.leave(two)
}
