package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/hardware"
	"hob/internal/llm/ollamatest"
)

// rounds is how often a short thing is measured, and conversations how often two turns on a model of real size are, as many as end
// within conversationTime, and one at least.
const (
	rounds           = 15
	conversations    = 3
	conversationTime = 6 * time.Minute
)

// onlyFull leaves a test that takes minutes to make performance and to make soak.
func onlyFull(t *testing.T) {
	t.Helper()
	if os.Getenv("HOB_TEST_FULL") == "" {
		t.Skip("takes minutes: it runs with HOB_TEST_FULL")
	}
}

// TestTheFloors measures what no program on this machine can be faster than, and says which machine it is and how busy.
func TestTheFloors(t *testing.T) {
	onlyFull(t)
	machine, err := hardware.Probe{Root: os.DirFS("/")}.Files()
	if err != nil {
		t.Fatal(err)
	}
	_, processor, _ := strings.Cut(fileText(t, "/proc/cpuinfo"), "model name\t: ")
	processor, _, _ = strings.Cut(processor, "\n")
	commit, err := exec.CommandContext(t.Context(), "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		t.Fatalf("which commit this is: %v", err)
	}
	figure(t, "measured at", "%s, hob %s, %s", time.Now().Format("2006-01-02 15:04 -0700"), strings.TrimSpace(string(commit)), loadNow(t))
	figure(t, "measured on", "%d cores of %s, %.1f GB of memory, Linux %s", runtime.NumCPU(), processor, float64(machine.System.Total)/1e9,
		strings.TrimSpace(fileText(t, "/proc/sys/kernel/osrelease")))

	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "durable"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	figure(t, "floor: to write 4 KB and sync the disk", "%.2f ms", medianTime(t, func() error {
		if _, err := file.Write(page); err != nil {
			return err
		}
		return file.Sync()
	}))
	source, empty := filepath.Join(dir, "main.go"), filepath.Join(dir, "empty")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", empty, source).CombinedOutput(); err != nil {
		t.Fatalf("build a program that does nothing: %v\n%s", err, out)
	}
	figure(t, "floor: start to exit of a static program that does nothing", "%.2f ms", medianTime(t, func() error {
		return exec.CommandContext(t.Context(), empty).Run()
	}))
}

// medianTime returns how many milliseconds something takes.
func medianTime(t *testing.T, do func() error) float64 {
	t.Helper()
	var all []float64
	for range rounds {
		began := time.Now()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		all = append(all, ms(time.Since(began)))
	}
	return median(all)
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// loadNow says how many processes wanted a core, on average over the last minute.
func loadNow(t *testing.T) string {
	t.Helper()
	return "load " + strings.Fields(fileText(t, "/proc/loadavg"))[0]
}

// TestTheFirstToken measures how long a person waits for the first word of a model of real size, whose weights are random: in the
// first turn of a conversation, which the server reads whole, and in the second one, of which it knows the beginning.
//
// The model computes with one thread. With more, threads wait for each other, and on a busy machine seconds for each token. By its
// name hob takes it for one that writes calls by itself, as models of more than a billion do.
func TestTheFirstToken(t *testing.T) {
	onlyFull(t)
	const name, context = "hob-random", 16384
	server := ollamatest.RunDebugging(t)
	template := fileText(t, "../../internal/llm/chattemplate/testdata/qwen3.gotmpl")
	parameters := map[string]any{"num_ctx": context, "num_thread": 1}
	if err := ollamatest.InstallRandom(t.Context(), server.Client(), name, template, parameters, ollamatest.Qwen3Shape()); err != nil {
		t.Fatal(err)
	}
	c := &conversation{server: server, wire: newWire(t, server.URL())}
	web := httptest.NewServer(c.wire)
	defer web.Close()
	if peerCommand(t, 0) != nil {
		listenAt(t, peerAddress, c.wire)
	}
	c.measureModel(t, name)

	hob := buildHob(t)
	settings := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(settings, fmt.Appendf(nil, "[ollama]\nmodel = %q\nnum_ctx = %d\nfirst_byte_timeout = \"30m\"\n", name, context), 0o600); err != nil {
		t.Fatal(err)
	}
	var own, peer [2][]firstToken
	for began, n := time.Now(), 0; n == 0 || n < conversations && time.Since(began)/time.Duration(n)*time.Duration(n+1) < conversationTime; n++ {
		dir := t.TempDir()
		c.forget(t, name)
		for i, words := range []string{"what is new in the house?", "and what else?"} {
			cmd := exec.CommandContext(t.Context(), hob, "ask", words)
			cmd.Env = []string{"HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "state"), "OLLAMA_HOST=" + web.URL, "HOB_CONFIG=" + settings}
			own[i] = append(own[i], c.measure(t, cmd))
		}
		if at := time.Now().UnixMilli(); peerCommand(t, at) != nil {
			c.forget(t, name)
			for i := range peer {
				peer[i] = append(peer[i], c.measure(t, peerCommand(t, at)))
			}
		}
	}
	for i, turn := range []string{"first turn", "second turn"} {
		figure(t, "model of 0.6B, "+turn+": start to first token", "%s", firstTokens(own[i]))
		if len(peer[i]) > 0 {
			peerFigure(t, "model of 0.6B, "+turn+": start to first token", "%s", firstTokens(peer[i]))
		}
	}
	figure(t, "measured until", "%s, %s", time.Now().Format("15:04"), loadNow(t))
	if n := server.Loads(); n != 1 {
		t.Errorf("the model was loaded %d times: somebody asked for another context than %d", n, context)
	}
}

// conversation measures turns on a server.
type conversation struct {
	server *ollamatest.Server
	wire   *wire
}

// firstToken is how a turn began: how long until the model was asked, until its first token came, and what became of the prompt.
type firstToken struct {
	toRequest, toToken float64 // ms
	prompt             ollamatest.Prefill
}

// firstTokens says what some turns took.
func firstTokens(all []firstToken) string {
	var toRequest, toToken []float64
	for _, one := range all {
		toRequest, toToken = append(toRequest, one.toRequest), append(toToken, one.toToken)
	}
	p := all[0].prompt
	return fmt.Sprintf("%.1f s, of it %.0f ms before the model is asked; %d of %d prompt tokens evaluated (median of %d)",
		median(toToken)/1000, median(toRequest), p.Remaining, p.Prompt, len(all))
}

// measure runs a turn.
func (c *conversation) measure(t *testing.T, cmd *exec.Cmd) firstToken {
	t.Helper()
	requests, prompts := len(c.wire.times()), c.prompts(t, 0)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	all := c.wire.times()[requests:]
	answered := slices.DeleteFunc(slices.Clone(all), func(a answerTime) bool { return a.answered.IsZero() }) // a program may give one up
	if err != nil || len(answered) == 0 || !strings.Contains(string(out), ollamatest.RandomAnswer) {
		t.Fatalf("no turn: %v, %d requests, %d answered\n%s", err, len(all), len(answered), out)
	}
	prefills := c.prompts(t, len(prompts)+len(answered))
	return firstToken{ms(all[0].asked.Sub(began)), ms(answered[0].answered.Sub(began)), prefills[len(prompts)]}
}

// prompts returns what became of all prompts so far, which are n at least.
func (c *conversation) prompts(t *testing.T, n int) []ollamatest.Prefill {
	t.Helper()
	all, err := c.server.Prefills(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// forget has the server read something else, so that it knows no beginning of what comes next.
func (c *conversation) forget(t *testing.T, model string) {
	t.Helper()
	c.generate(t, model, ollamatest.RandomLoop, 1)
}

// generate has the model go on with a text for some tokens, and returns how the server says that it went.
func (c *conversation) generate(t *testing.T, model, prompt string, tokens int) (done api.GenerateResponse) {
	t.Helper()
	before := len(c.prompts(t, 0))
	request := &api.GenerateRequest{Model: model, Prompt: prompt, Raw: true, Options: map[string]any{"num_predict": tokens}}
	if err := c.server.Client().Generate(t.Context(), request, func(r api.GenerateResponse) error { done = r; return nil }); err != nil {
		t.Fatal(err)
	}
	c.prompts(t, before+1)
	return done
}

// measureModel measures how fast the model itself reads and writes, and how fast memory would let it.
func (c *conversation) measureModel(t *testing.T, model string) {
	t.Helper()
	c.forget(t, model) // which loads it
	var reads, writes []float64
	for i := range conversations {
		read := c.generate(t, model, fmt.Sprint(i)+strings.Repeat(" the house is quiet", 64), 1)
		write := c.generate(t, model, ollamatest.RandomLoop, 32)
		reads = append(reads, float64(read.PromptEvalCount)/read.PromptEvalDuration.Seconds())
		writes = append(writes, float64(write.EvalCount)/write.EvalDuration.Seconds())
	}
	var memory float64
	for range rounds {
		bandwidth, err := hardware.Probe{Now: time.Now}.Bandwidth(t.Context(), 1, 4<<30)
		if err != nil {
			t.Fatal(err)
		}
		memory = max(memory, bandwidth.BytesPerSecond) // who else uses it only takes of it
	}
	list, err := c.server.Client().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Models {
		if strings.HasPrefix(m.Name, model) {
			figure(t, "floor: a model of 0.6B reads a prompt", "%.0f tokens a second, with one core", median(reads))
			figure(t, "floor: a model of 0.6B writes", "%.1f tokens a second, with one core; memory allows %.0f, at %.1f GB a second for %.2f GB of weights",
				median(writes), memory/float64(m.Size), memory/1e9, float64(m.Size)/1e9)
		}
	}
}

// wire stands between a program and an Ollama, and notes when the model is asked and begins to answer.
type wire struct {
	proxy *httputil.ReverseProxy
	noted chan []answerTime // has the list, but while somebody changes it
}

type answerTime struct{ asked, answered time.Time }

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{noted: make(chan []answerTime, 1)}
	w.noted <- nil
	w.proxy = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, FlushInterval: -1}
	return w
}

func (w *wire) times() []answerTime {
	all := <-w.noted
	w.noted <- all
	return all
}

// ServeHTTP implements [http.Handler].
func (w *wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "/chat") {
		w.proxy.ServeHTTP(out, r)
		return
	}
	all := <-w.noted
	at := len(all)
	w.noted <- append(all, answerTime{asked: time.Now()})
	w.proxy.ServeHTTP(&answerWriter{out, func() {
		all := <-w.noted
		if all[at].answered.IsZero() {
			all[at].answered = time.Now()
		}
		w.noted <- all
	}}, r)
}

// answerWriter notes that something of an answer comes.
type answerWriter struct {
	http.ResponseWriter
	note func()
}

func (w *answerWriter) Write(p []byte) (int, error) {
	w.note()
	return w.ResponseWriter.Write(p)
}

// Unwrap lets the proxy flush.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
