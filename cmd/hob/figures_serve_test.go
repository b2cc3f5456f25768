package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

const idleSeconds = 10

// townhouse is a house with a bot and people who talk to it.
type townhouse struct {
	*house
	bot    *telegramtest.Server
	people []*telegramtest.User
	chats  []*telegramtest.Chat
}

func newTownhouse(t *testing.T, ollama string, people int) *townhouse {
	t.Helper()
	h := &townhouse{house: newHouse(t, ollama), bot: telegramtest.New(telegramtest.Options{})}
	web := httptest.NewServer(h.bot)
	t.Cleanup(web.Close)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(h.bot.Token()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n[policy]\nturns_per_minute = 10000\n", web.URL, token))
	h.look(func(db *store.DB) {
		for n := range people {
			id := int64(100 + n)
			if _, err := db.People().AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: event.Owner}); err != nil {
				t.Fatal(err)
			}
			h.people = append(h.people, h.bot.User(id, fmt.Sprint("p", n)))
			h.chats = append(h.chats, h.bot.Private(h.people[n]))
		}
	})
	return h
}

// ask says something in a chat and waits until the answer stands there; it returns how long that took.
func (h *townhouse) ask(n int, text string) time.Duration {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	before, began := len(h.chats[n].FromBot()), time.Now()
	h.chats[n].Say(h.people[n], text)
	if err := h.bot.Wait(ctx, func() bool { return len(h.chats[n].FromBot()) > before }); err != nil {
		h.t.Fatalf("no answer: %v", err)
	}
	return time.Since(began)
}

// TestFiguresOfServe measures the daemon as it is shipped and as a service manager runs it, on a Telegram and a model that take
// no time.
func TestFiguresOfServe(t *testing.T) {
	notShort(t)
	hob, fake := buildHob(t), newFakeOllama(t)
	h := newTownhouse(t, fake.URL, 10)
	start := func() (s *served, took time.Duration) {
		s = h.startOf(hob, "WATCHDOG_USEC=60000000")
		s.hear("READY=1")
		return s, time.Since(s.began)
	}
	stop := func(s *served) float64 {
		began := time.Now()
		s.stop()
		return ms(time.Since(began))
	}
	var toReady, toExit []float64
	for i := range 11 {
		s, took := start()
		if out, err := h.command("stop").CombinedOutput(); err != nil { // which is answered once it has settled
			t.Fatalf("%v\n%s", err, out)
		}
		exit := stop(s)
		if i > 0 { // the first one makes the state
			toReady, toExit = append(toReady, ms(took)), append(toExit, exit)
		}
	}
	figure(t, "hob serve: start to READY", "%.1f ms (aim 50 ms)", median(toReady))
	figure(t, "hob serve: SIGTERM to exit, idle", "%.1f ms", median(toExit))

	s, _ := start()
	if out, err := h.command("stop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	atStart := memoryOf(t, s.cmd.Process.Pid, "VmRSS:")
	h.ask(0, "hello")
	var took []float64
	const messages = 200
	for i := range messages {
		took = append(took, ms(h.ask(i%len(h.chats), fmt.Sprint("hello ", i))))
	}
	slices.Sort(took)
	figure(t, "hob serve: message in to answer out on Telegram, durable", "%.1f ms (aim 15 ms), of 100 five take more than %.1f ms",
		median(took), took[messages*95/100])
	percent := idle(t, s.cmd.Process.Pid)
	rss, own := memoryOf(t, s.cmd.Process.Pid, "VmRSS:"), memoryOf(t, s.cmd.Process.Pid, "RssAnon:")
	figure(t, "hob serve: memory", "%.1f MB when it has started, %.1f MB idle after %d messages (aim 30 MB), of it %.1f MB its own and "+
		"the rest pages of the binary; %.1f MB at its peak",
		float64(atStart)/1e6, float64(rss)/1e6, messages, float64(own)/1e6, float64(memoryOf(t, s.cmd.Process.Pid, "VmHWM:"))/1e6)
	figure(t, "hob serve: processor when idle", "%.3f %% of one (aim 0.1 %%)", percent)
	h.chats[0].Say(h.people[0], "hang")
	<-fake.hanging
	figure(t, "hob serve: SIGTERM to exit, the model thinking", "%.1f ms", stop(s))
	measurePeerDaemon(t)
}

// measurePeerDaemon measures the daemon of another agent, which talks to nobody: HOB_TEST_PEER_SERVE is its command, and
// HOB_TEST_PEER_READY what it prints when it has started.
func measurePeerDaemon(t *testing.T) {
	t.Helper()
	line, ready := os.Getenv("HOB_TEST_PEER_SERVE"), os.Getenv("HOB_TEST_PEER_READY")
	if line == "" {
		return
	}
	var cmd *exec.Cmd
	var ended chan error
	start := func() float64 {
		cmd, ended = exec.CommandContext(t.Context(), "sh", "-c", "exec "+line), make(chan error, 1)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), ready) {
				took := ms(time.Since(began))
				go func() { _, _ = io.Copy(io.Discard, out); ended <- cmd.Wait() }()
				return took
			}
		}
		t.Fatalf("it ended before it printed %q: %v", ready, cmd.Wait())
		return 0
	}
	var toReady, toExit []float64
	for range 11 {
		toReady = append(toReady, start())
		began := time.Now()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-ended
		toExit = append(toExit, ms(time.Since(began)))
	}
	peerFigure(t, "hob serve: start to READY", "%.1f ms", median(toReady))
	peerFigure(t, "hob serve: SIGTERM to exit, idle", "%.1f ms", median(toExit))
	start()
	pid := cmd.Process.Pid
	atStart, percent := memoryOf(t, pid, "VmRSS:"), idle(t, pid)
	peerFigure(t, "hob serve: memory", "%.1f MB when it has started, %.1f MB idle after no message, of it %.1f MB its own",
		float64(atStart)/1e6, float64(memoryOf(t, pid, "VmRSS:"))/1e6, float64(memoryOf(t, pid, "RssAnon:"))/1e6)
	peerFigure(t, "hob serve: processor when idle", "%.3f %% of one", percent)
}

// usedBy is how many nanoseconds of a processor a process has used: what /proc/PID/stat counts in is a hundredth of a second.
func usedBy(t *testing.T, pid int) (ns int64) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("no threads: %v", err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ns += n
	}
	return ns
}

// idle waits for some seconds in which nothing happens and returns how much of a processor a process has used then, in percent.
func idle(t *testing.T, pid int) float64 {
	t.Helper()
	pause := func(d time.Duration) {
		select {
		case <-t.Context().Done():
		case <-time.After(d):
		}
	}
	pause(app.IdleAfter + time.Second) // what the last answer left to be done, and memory to give back
	before, began := usedBy(t, pid), time.Now()
	if before == 0 {
		t.Fatal("the kernel counts no nanoseconds")
	}
	pause(idleSeconds * time.Second)
	return 100 * float64(usedBy(t, pid)-before) / float64(time.Since(began))
}

// memoryOf is a line of /proc/PID/status in bytes.
func memoryOf(t *testing.T, pid int, line string) int64 {
	t.Helper()
	n := statusOf(pid, line)
	if n == 0 {
		t.Fatalf("there is no %s of process %d", line, pid)
	}
	return n
}
