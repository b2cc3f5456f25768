package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/surface/cli"
)

// promptVar names the socket of a prompt that this program shows for a test, in the terminal in which it was started.
const promptVar = "HOB_TEST_PROMPT"

func TestMain(m *testing.M) {
	socket := os.Getenv(promptVar)
	if socket == "" {
		os.Exit(m.Run())
	}
	if err := showPrompt(socket); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// order is what a test has a prompt show.
type order struct {
	Draft []string
	Print string
	Lend  string // is written to the terminal while that is lent
	Done  int    // is sent back when it was done
}

// entered is what a prompt sends back: a line, or the number of an order that was done and how wide it takes the terminal to be.
type entered struct {
	Line        string
	Done, Width int
}

// showPrompt shows a prompt until the test ends.
func showPrompt(socket string) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	p := Open(context.Background(), Options{In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Colour: true, History: &cli.History{}})
	lines := make(chan entered)
	go func() {
		for {
			line, err := p.Line(context.Background())
			if err != nil {
				conn.Close()
				return
			}
			lines <- entered{Line: line}
		}
	}()
	orders := make(chan order)
	go func() {
		for in := json.NewDecoder(conn); ; {
			var o order
			if in.Decode(&o) != nil {
				close(orders)
				return
			}
			orders <- o
		}
	}()
	out := json.NewEncoder(conn)
	for {
		select {
		case l := <-lines:
			err = out.Encode(l)
		case o, ok := <-orders:
			if !ok {
				return p.Close()
			}
			if o.Print != "" {
				fmt.Fprintln(p, o.Print)
			}
			if o.Lend != "" {
				if err := p.Lend(func() error { _, err := fmt.Println(o.Lend); return err }); err != nil {
					return err
				}
			}
			if o.Draft != nil {
				_ = p.Draft(o.Draft)
			}
			width, _ := p.Size()
			err = out.Encode(entered{Done: o.Done, Width: width})
		}
		if err != nil {
			return p.Close()
		}
	}
}

// pane is a prompt in a terminal of tmux.
type pane struct {
	t    *testing.T
	name string // of the server
	in   *json.Decoder
	out  *json.Encoder
	done int
}

// openPane shows a prompt in tmux that takes the terminal for one of that kind.
func openPane(t *testing.T, kind string, width, height int) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux is here")
	}
	dir, err := os.MkdirTemp("", "hob") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := &pane{t: t, name: filepath.Join(dir, "tmux")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := fmt.Sprintf("env TERM=%s %s=%s %s", kind, promptVar, listener.Addr(), self)
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), command)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", p.name, "kill-server").Run() })
	p.tmux("set", "-g", "window-size", "manual")
	p.tmux("set", "-s", "escape-time", "0")
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	p.in, p.out = json.NewDecoder(conn), json.NewEncoder(conn)
	p.until("›")
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "tmux", append([]string{"-S", p.name}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// press sends bytes as a keyboard does.
func (p *pane) press(keys string) {
	p.t.Helper()
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(keys) {
		args = append(args, fmt.Sprintf("%02x", b))
	}
	p.tmux(args...)
}

// line is the next line that was entered.
func (p *pane) line() string {
	p.t.Helper()
	var e entered
	if err := p.in.Decode(&e); err != nil {
		p.t.Fatal(err)
	}
	return e.Line
}

// show has the prompt show something, and waits until it has taken that. It returns how wide the prompt takes the terminal to be.
func (p *pane) show(o order) (width int) {
	p.t.Helper()
	p.done++
	o.Done = p.done
	if err := p.out.Encode(o); err != nil {
		p.t.Fatal(err)
	}
	e := entered{}
	for e.Done != o.Done {
		if err := p.in.Decode(&e); err != nil {
			p.t.Fatal(err)
		}
	}
	return e.Width
}

// text is what is on the screen and was scrolled away.
func (p *pane) text() string { return strings.TrimSpace(p.tmux("capture-pane", "-p", "-S", "-")) }

// patience is how long something is waited for before the test says that it does not come.
const patience = time.Minute

// until waits until a text is on the screen, and returns all of it.
func (p *pane) until(want string) string {
	p.t.Helper()
	return p.untilText(fmt.Sprintf("%q", want), func(text string) bool { return strings.Contains(text, want) })
}

func (p *pane) untilText(what string, is func(text string) bool) string {
	p.t.Helper()
	for end := time.Now().Add(patience); ; {
		text := p.text()
		if is(text) {
			return text
		}
		if time.Now().After(end) {
			p.t.Fatalf("waiting for %s; there is\n%s", what, text)
		}
	}
}

// The keys mean the same through tmux, whatever the terminal is and however wide it is.
func TestRawKeys_Tmux(t *testing.T) {
	for _, kind := range []string{"tmux-256color", "xterm-256color", "linux"} {
		for _, width := range []int{60, 80, 200} {
			t.Run(fmt.Sprint(kind, " ", width), func(t *testing.T) {
				p := openPane(t, kind, width, 24)
				all := ""
				for _, c := range rawKeys() {
					all += c.keys + "\r"
				}
				p.press(all)
				for _, c := range rawKeys() {
					if got := p.line(); got != c.want {
						t.Errorf("%s: %q, want %q", c.name, got, c.want)
					}
				}
			})
		}
	}
}

// What is written while the terminal is lent stays where it is, below what was there and above the prompt.
func TestLend_Tmux(t *testing.T) {
	p := openPane(t, "tmux-256color", 80, 24)
	p.show(order{Print: "printed before"})
	p.press("half a line")
	p.until("› half a line")
	p.show(order{Lend: "one\ntwo\nthree"})
	p.show(order{Print: "printed after"})
	p.press(", and the rest\r")
	p.line()
	p.until("printed before\none\ntwo\nthree\nprinted after\n\n› half a line, and the rest")
}

// A terminal that gets another width while a reply is written shows each line of it once, and what is being typed.
func TestResize_Tmux(t *testing.T) {
	p := openPane(t, "tmux-256color", 80, 40)
	var words []string
	for n := range 100 {
		words = append(words, fmt.Sprintf("w%02d", n))
	}
	width, shown := 80, 40
	draft := func() {
		p.show(order{Draft: strings.Split(cli.Wrap(strings.Join(words[:shown], " "), width), "\n")})
		p.until(words[shown-1])
	}
	before := strings.Repeat("printed before\n", 50) // tmux moves rows above the screen where a prompt stands high
	p.show(order{Print: strings.TrimSuffix(before, "\n")})
	draft()
	p.press("half a line")
	p.until("› half a line")
	for _, width = range []int{50, 100, 60, 80, 40, 90} {
		p.tmux("resize-window", "-x", fmt.Sprint(width), "-y", "40")
		for p.show(order{}) != width { // tmux says it later than it has broken its lines
		}
		shown += 8
		draft()
		want := before + cli.Wrap(strings.Join(words[:shown], " "), width) + "\n\n› half a line"
		text := p.untilText("a draft of the new width", func(text string) bool { return strings.HasSuffix(text, want[len(before):]) })
		if text != want {
			t.Fatalf("%d columns wide it shows\n%s\nwant\n%s", width, strings.TrimPrefix(text, before), want[len(before):])
		}
	}
	p.show(order{Draft: []string{}, Print: "printed after"})
	if text := p.until("printed after"); !strings.HasSuffix(p.untilText("the end", func(text string) bool { return !strings.Contains(text, "w00") }), "printed after\n\n› half a line") {
		t.Errorf("afterwards\n%s", text)
	}
	p.press("\r")
	if got := p.line(); got != "half a line" {
		t.Errorf("%q was entered", got)
	}
}

// What is higher than the screen, a draft or what was pasted, stands there once when it is complete, and whole.
func TestHigherThanTheScreen_Tmux(t *testing.T) {
	for _, height := range []int{10, 20, 24} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			p := openPane(t, "tmux-256color", 40, height)
			var lines, words []string
			for n := range 50 {
				lines, words = append(lines, fmt.Sprintf("line %d", n)), append(words, fmt.Sprintf("a word of the number %02d", n))
			}
			p.show(order{Print: strings.Repeat("before\n", height) + "just before"})
			for n := range lines {
				p.show(order{Draft: lines[:n+1]})
			}
			p.until("line 49")
			p.show(order{Draft: []string{}, Print: strings.Join(lines, "\n")})
			want := "just before\n" + strings.Join(lines, "\n") + "\n\n›"
			fromThere := func(text string) string { return text[max(strings.Index(text, "just before"), 0):] }
			p.untilText(want, func(text string) bool { return fromThere(text) == want })
			pasted := strings.Join(words, ", ")
			p.press("\x1b[200~" + pasted + "\x1b[201~")
			p.until("number 49")
			p.press("\r")
			if got := p.line(); got != pasted {
				t.Errorf("%q was entered", got)
			}
			p.show(order{Print: "the answer"})
			words = append([]string{want}, strings.Fields(pasted)...)
			want = strings.Join(append(words, "the answer ›"), " ")
			p.untilText(want, func(text string) bool {
				return strings.Join(strings.Fields(fromThere(text)), " ") == strings.Join(strings.Fields(want), " ") && !strings.Contains(text, "\n\n\n")
			})
		})
	}
}

// The cursor stands where the next character goes, also behind those that take two columns.
func TestCursor_Tmux(t *testing.T) {
	p := openPane(t, "tmux-256color", 80, 24)
	for _, c := range []struct {
		keys, shows string
		column      int
	}{
		{"你好世界 hello" + strings.Repeat("\x1b[D", 8), "› 你好世界 hello", 6},
		{"a🧂b\x1b[D", "› a🧂b", 5},
		{"ж éx\x1b[D", "› ж éx", 5},
	} {
		p.press(c.keys)
		p.until(c.shows)
		for want, got, end := fmt.Sprint(c.column), "", time.Now().Add(patience); got != want; {
			if got = strings.TrimSpace(p.tmux("display-message", "-p", "#{cursor_x}")); got != want && time.Now().After(end) {
				t.Fatalf("%s: the cursor stands in column %s, want %s", c.shows, got, want)
			}
		}
		p.press("\x15\x0b") // Ctrl-U, Ctrl-K
		p.untilText("an empty line", func(text string) bool { return !strings.Contains(text, c.shows) })
	}
}
