package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/app"
)

// How many bytes of system text and tool schemas stand before a conversation: 950 tokens at four bytes each, and 700 where
// the context has 4,096.
const (
	aimPrompt      = 3800
	aimShortPrompt = 2800
)

// peerAddress is where the model of TestFigures listens when another program is measured beside hob: that one's
// configuration has to name it, as http://127.0.0.1:11999/v1 of a server that speaks OpenAI's chat completions.
const peerAddress = "127.0.0.1:11999"

// peerCommand returns the command of another agent that is measured beside hob, nil where HOB_TEST_PEER names none. Its words ask for
// a file to be written; {n} in it is n, which is the same number for the turns of one conversation.
func peerCommand(t *testing.T, n int64) *exec.Cmd {
	t.Helper()
	line := os.Getenv("HOB_TEST_PEER")
	if line == "" {
		return nil
	}
	return exec.CommandContext(t.Context(), "sh", "-c", "exec "+strings.ReplaceAll(line, "{n}", fmt.Sprint(n)))
}

// peerFigure prints the peer's value of a figure of hob's.
func peerFigure(t *testing.T, name, format string, args ...any) {
	t.Helper()
	figure(t, "of "+cmp.Or(os.Getenv("HOB_TEST_PEER_NAME"), "another agent")+": "+name, format, args...)
}

// TestFigures measures the binary as it is shipped, against a model that takes no time, and the peer in turns with it.
func TestFigures(t *testing.T) {
	notShort(t)
	hob := buildHob(t)
	info, err := os.Stat(hob)
	if err != nil {
		t.Fatal(err)
	}
	figure(t, "stripped binary", "%.1f MB", float64(info.Size())/1e6)

	fake, dir := newFakeOllama(t), t.TempDir()
	if peerCommand(t, 0) != nil {
		listenAt(t, peerAddress, fake.Config.Handler)
	}
	env := []string{"HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "state"), "OLLAMA_HOST=" + fake.URL}
	var own, peer turns
	var peerRequest string
	for i := range 16 {
		cmd := exec.CommandContext(t.Context(), hob, "ask", "--json", fmt.Sprintf("write figures.txt %d", i))
		cmd.Env = env
		one := measureTurn(t, cmd, fake)
		if i > 0 { // the first one makes the state
			own = append(own, one)
		}
		if cmd := peerCommand(t, time.Now().UnixMilli()); cmd != nil {
			one := measureTurn(t, cmd, fake)
			if i > 0 {
				peer, peerRequest = append(peer, one), fake.requests[0]
			}
		}
	}
	figure(t, "start to first model request", "%.1f ms (aim 20 ms)", own.median(turn.toRequest))
	figure(t, "first to second model request, one journaled tool call between them", "%.1f ms", own.median(turn.step))
	figure(t, "turn with one tool, whole process", "%.1f ms (aim 25 ms)", own.median(turn.wall))
	figure(t, "peak memory of hob ask", "%.1f MB (aim 31 MB), of it %.1f MB its own (aim 8 MB)", own.median(turn.peakMB), own.median(turn.ownMB))
	words, call := measureChore(t, hob, env)
	figure(t, "a chore in words", "%.1f ms, %.1f ms over the call of its tool (aim 3 ms)", words, words-call)
	if peer == nil {
		return
	}
	peerFigure(t, "stripped binary", "%.1f MB", peer.median(func(one turn) float64 { return float64(one.size) / 1e6 }))
	peerFigure(t, "start to first model request", "%.1f ms", peer.median(turn.toRequest))
	peerFigure(t, "first to second model request, one journaled tool call between them", "%.1f ms", peer.median(turn.step))
	peerFigure(t, "turn with one tool, whole process", "%.1f ms", peer.median(turn.wall))
	peerFigure(t, "peak memory of hob ask", "%.1f MB, of it %.1f MB its own", peer.median(turn.peakMB), peer.median(turn.ownMB))
	var req struct {
		Messages []struct{ Role, Content string }
		Tools    []json.RawMessage
	}
	if err := json.Unmarshal([]byte(peerRequest), &req); err != nil || len(req.Messages) == 0 {
		t.Fatalf("%v, %d messages", err, len(req.Messages))
	}
	system, schemas := len(req.Messages[0].Content), 0
	for _, tool := range req.Tools {
		schemas += len(tool)
	}
	peerFigure(t, "fixed prompt", "%d bytes, about %d tokens: system text %d, %d tool schemas %d",
		system+schemas, (system+schemas)/4, system, len(req.Tools), schemas)
}

// measureChore returns how many milliseconds a note takes in plain words, and as a call of its tool, at the median of turns about.
func measureChore(t *testing.T, hob string, env []string) (words, call float64) {
	t.Helper()
	var both [2][]float64
	for i := range 30 {
		for j, args := range [][]string{{"ask", fmt.Sprintf("note buy milk %d", 2*i)}, {"tool", "note", fmt.Sprintf("buy milk %d", 2*i+1)}} {
			cmd := exec.CommandContext(t.Context(), hob, args...)
			cmd.Env = env
			begin := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("hob %q: %v\n%s", args, err, out)
			}
			both[j] = append(both[j], ms(time.Since(begin)))
		}
	}
	return median(both[0]), median(both[1])
}

// turn is a turn with one tool: when its process began and ended, when its two requests came, the most bytes of memory that
// it had, in all and of its own, and the bytes of its program.
type turn struct {
	begin, end, first, second time.Time
	peak, own                 float64
	size                      int64
}

func (o turn) toRequest() float64 { return ms(o.first.Sub(o.begin)) }
func (o turn) step() float64      { return ms(o.second.Sub(o.first)) }
func (o turn) wall() float64      { return ms(o.end.Sub(o.begin)) }
func (o turn) peakMB() float64    { return o.peak / 1e6 }
func (o turn) ownMB() float64     { return o.own / 1e6 }

type turns []turn

func (all turns) median(value func(turn) float64) float64 {
	var values []float64
	for _, one := range all {
		values = append(values, value(one))
	}
	return median(values)
}

// measureTurn runs a turn with one tool.
//
// The memory is read from /proc at each request and at each line that the process prints. What the kernel tells of a process
// that has ended will not do: it counts from before the exec, when the process was a copy of this one.
func measureTurn(t *testing.T, cmd *exec.Cmd, fake *fakeOllama) turn {
	t.Helper()
	fake.forget()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	one := turn{begin: time.Now()}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	look := func() {
		one.peak, one.own = max(one.peak, float64(mostMemory(cmd.Process.Pid))), max(one.own, float64(statusOf(cmd.Process.Pid, "RssAnon:")))
	}
	fake.onRequest(func() {
		look()
		if info, err := os.Stat(fmt.Sprintf("/proc/%d/exe", cmd.Process.Pid)); err == nil {
			one.size = info.Size()
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fake.locked(look)
	}
	fake.onRequest(nil)
	if err := cmd.Wait(); err != nil || len(fake.first) < 2 || one.peak == 0 {
		t.Fatalf("no turn with one tool: %v, %d requests, %.0f bytes of memory\n%s", err, len(fake.first), one.peak, errs.String())
	}
	one.end, one.first, one.second = time.Now(), fake.first[0], fake.first[1]
	return one
}

// mostMemory is the most memory, in bytes, that a running process has had since it began; 0 when it is gone.
func mostMemory(pid int) int64 { return statusOf(pid, "VmHWM:") }

// statusOf is a line of /proc/PID/status, in bytes; 0 when the process is gone.
func statusOf(pid int, line string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), line)
	var kib int64
	_, _ = fmt.Sscan(rest, &kib) // the line of a process that is ending is missing
	return kib * 1024
}

// TestFixedPrompt keeps what every request begins with small: on a small machine each token of it is waited for. What
// counts is what the model's template is given: the request as it goes over the wire, read and written by the server's own
// types, which drop what they do not know of a schema.
func TestFixedPrompt(t *testing.T) {
	fake := newFakeOllama(t)
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "ask", "hello")
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "state"), "OLLAMA_HOST=" + fake.URL}
	if out, err := cmd.CombinedOutput(); err != nil || len(fake.requests) != 1 {
		t.Fatalf("%v, %d requests: %s", err, len(fake.requests), out)
	}
	checkPrompt(t, "fixed prompt", fake.requests[0], aimPrompt, app.UsualTools+3) // and what finds others and opens skills

	settings := filepath.Join(dir, "small.toml")
	if err := os.WriteFile(settings, []byte("[ollama]\nnum_ctx = 4096\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	small := newFakeOllama(t)
	cmd = exec.CommandContext(t.Context(), os.Args[0], "ask", "hello")
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "small"), "OLLAMA_HOST=" + small.URL, "HOB_CONFIG=" + settings}
	if out, err := cmd.CombinedOutput(); err != nil || len(small.requests) != 1 {
		t.Fatalf("%v, %d requests: %s", err, len(small.requests), out)
	}
	checkPrompt(t, "fixed prompt at 4k", small.requests[0], aimShortPrompt, 7)

	for _, c := range []struct {
		name, own  string
		aim, tools int
	}{
		{"fixed prompt on Telegram", "", aimPrompt, app.UsualTools + 3},
		{"fixed prompt on Telegram at 4k", "[ollama]\nnum_ctx = 4096\n", aimShortPrompt, 7},
	} {
		chatty := newFakeOllama(t)
		h := newTownhouse(t, chatty.URL, 1)
		text, err := os.ReadFile(h.config)
		if err != nil {
			t.Fatal(err)
		}
		h.configure(string(text) + c.own)
		s := h.serve()
		h.ask(0, "hello")
		s.stop()
		checkPrompt(t, c.name, chatty.requests[0], c.aim, c.tools)
	}
}

// checkPrompt measures what stands before the conversation in a request.
func checkPrompt(t *testing.T, name, request string, aim, tools int) {
	t.Helper()
	var req api.ChatRequest
	if err := json.Unmarshal([]byte(request), &req); err != nil {
		t.Fatal(err)
	}
	if n := len(req.Tools); n != tools {
		t.Errorf("%s: there are %d tools, not %d", name, n, tools)
	}
	system := ""
	for _, m := range req.Messages {
		if m.Role == "system" {
			system += m.Content
		}
	}
	schemas, err := json.Marshal(req.Tools)
	if err != nil || system == "" {
		t.Fatalf("%v, the system text is %q", err, system)
	}
	total := len(system) + len(schemas)
	figure(t, name, "%d bytes, about %d tokens (aim %d and %d): system text %d, %d tool schemas %d",
		total, total/4, aim, aim/4, len(system), len(req.Tools), len(schemas))
	if total > aim {
		t.Errorf("the %s has %d bytes, more than %d: shorten a line, or leave one out:\n%s", name, total, aim, bytesByLine(t, system, req.Tools))
	}
	for _, tool := range req.Tools {
		one, err := json.Marshal(tool)
		if most := map[string]int{"process": 210}[tool.Function.Name]; err != nil || most > 0 && len(one) > most {
			t.Errorf("the definition of %s takes %d bytes of every prompt, more than %d, %v", tool.Function.Name, len(one), most, err)
		}
	}
	for _, word := range []string{"2025", "2026", "January", "Monday"} {
		if strings.Contains(system+string(schemas), word) {
			t.Errorf("the fixed prompt contains %q: nothing that changes may stand there", word)
		}
	}
}

// bytesByLine lists the lines of a system text and the tools, each with its bytes.
func bytesByLine(t *testing.T, system string, all api.Tools) string {
	t.Helper()
	var list strings.Builder
	for line := range strings.Lines(system) {
		fmt.Fprintf(&list, "%6d  %s\n", len(line), strings.TrimSuffix(line, "\n"))
	}
	for _, tool := range all {
		one, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%6d  %s\n", len(one), one)
	}
	return list.String()
}

func buildHob(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hob")
	cmd := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", ".."), "build", "OUT="+path) // as it is shipped
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build hob: %v\n%s", err, out)
	}
	return path
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median[N int64 | float64](list []N) N {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// figure prints a figure where `make test` and `make bench` pick it up.
func figure(t *testing.T, name, format string, args ...any) {
	t.Helper()
	w := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(w, "figure: %s: %s\n", name, fmt.Sprintf(format, args...))
	_ = w.Flush()
}
