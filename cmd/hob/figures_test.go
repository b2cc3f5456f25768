package main

import (
	"bufio"
	"bytes"
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

// aimPrompt is how many bytes of system text and tool schemas stand before a conversation: 1,000 tokens at four bytes each.
const aimPrompt = 4000

// TestFigures measures the binary as it is shipped, against a model that takes no time.
func TestFigures(t *testing.T) {
	notShort(t)
	hob := buildHob(t)
	info, err := os.Stat(hob)
	if err != nil {
		t.Fatal(err)
	}
	figure(t, "stripped binary", "%.1f MB", float64(info.Size())/1e6)

	fake := newFakeOllama(t)
	dir := t.TempDir()
	const runs = 11
	var toRequest, wall, steps []float64
	var peaks, owns []int64
	for i := range runs {
		fake.forget()
		took, peak, own := oneTurn(t, hob, dir, fake, fmt.Sprintf("write figures.txt %d", i))
		if i == 0 {
			continue // the first one makes the state
		}
		wall = append(wall, ms(took.end.Sub(took.begin)))
		toRequest = append(toRequest, ms(fake.first[0].Sub(took.begin)))
		steps = append(steps, ms(fake.first[1].Sub(fake.first[0])))
		peaks, owns = append(peaks, peak), append(owns, own)
	}
	peak, own := median(peaks), median(owns)
	figure(t, "start to first model request", "%.1f ms (aim 20 ms)", median(toRequest))
	figure(t, "first to second model request, one journaled tool call between them", "%.1f ms", median(steps))
	figure(t, "turn with one tool, whole process", "%.1f ms (aim 25 ms)", median(wall))
	figure(t, "peak memory of hob ask", "%.1f MB (aim 31 MB), of it %.1f MB its own (aim 10 MB)", float64(peak)/1e6, float64(own)/1e6)
}

type span struct{ begin, end time.Time }

// oneTurn runs a turn with one tool and returns when it began and ended, and the most memory that it had.
//
// The memory is read from /proc at each line that the process prints. What the kernel tells of a process that has ended
// will not do: it counts from before the exec, when the process was a copy of this one.
func oneTurn(t *testing.T, hob, dir string, fake *fakeOllama, question string) (took span, peak, own int64) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), hob, "ask", "--json", question)
	cmd.Env = []string{"HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "state"), "OLLAMA_HOST=" + fake.URL}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	took.begin = time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	returned := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"type":"returned"`) {
			returned++
		}
		peak, own = max(peak, mostMemory(cmd.Process.Pid)), max(own, statusOf(cmd.Process.Pid, "RssAnon:"))
	}
	if err := cmd.Wait(); err != nil || returned != 1 || peak == 0 {
		t.Fatalf("no turn with one tool: %v, %d results, %d bytes of memory\n%s", err, returned, peak, errs.String())
	}
	took.end = time.Now()
	return took, peak, own
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
	checkPrompt(t, "fixed prompt", fake.requests[0], app.UsualTools+3) // and what finds others and opens skills

	chatty := newFakeOllama(t)
	h := newTownhouse(t, chatty.URL, 1)
	s := h.serve()
	h.ask(0, "hello")
	s.stop()
	checkPrompt(t, "fixed prompt on Telegram", chatty.requests[0], app.UsualTools+3)
}

// checkPrompt measures what stands before the conversation in a request.
func checkPrompt(t *testing.T, name, request string, tools int) {
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
	figure(t, name, "%d bytes, about %d tokens (aim 4000 and 1000): system text %d, %d tool schemas %d",
		total, total/4, len(system), len(req.Tools), len(schemas))
	if total > aimPrompt {
		t.Errorf("the %s has %d bytes, more than %d: shorten a line, or leave one out:\n%s", name, total, aimPrompt, bytesByLine(t, system, req.Tools))
	}
	for _, tool := range req.Tools {
		one, err := json.Marshal(tool)
		if most := map[string]int{"job": 210}[tool.Function.Name]; err != nil || most > 0 && len(one) > most {
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
