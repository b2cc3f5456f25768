package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"hob/internal/surface/telegram/telegramtest"
)

// castColumns is the width of the terminal in pictures, in characters.
const castColumns = 84

// TestPictures makes the pictures of README.md from real runs of hob with a scripted model: casts of a terminal (asciicast
// version 2, https://docs.asciinema.org/manual/asciicast/v2/), a chat, and a map. `make pictures` says where they go.
func TestPictures(t *testing.T) {
	dir := os.Getenv("HOB_PICTURES")
	if dir == "" {
		t.Skip("make pictures sets HOB_PICTURES to the folder for them")
	}
	h := newHouse(t, newFakeOllama(t).URL)
	chore := recordCast(t, h, 14, []string{
		`hob ask "write shopping.md milk, eggs, tea"`,
		`hob tool read_file path=shopping.md`,
		`hob tool delete_file path=shopping.md`,
		`hob undo`,
		`hob tool list_files .`,
	})
	story := recordCast(t, h, 26, []string{`hob game play dungeon --no-model`}, "1", "look around", "map", "inventory")
	writePicture(t, dir, "chore.cast", chore)
	writePicture(t, dir, "story.cast", story)
	if out, err := h.command("game", "map", "-o", filepath.Join(dir, "map.svg")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	writePicture(t, dir, "telegram.svg", drawChat(playChat(t)))
}

func writePicture(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cast is a recording. Its clock is made up, so that the picture does not show how busy the machine was.
type cast struct {
	rows  int
	lines strings.Builder
	at    time.Duration
}

func (c *cast) print(text string) {
	line, _ := json.Marshal([]any{c.at.Seconds(), "o", text}) // of a number and two strings
	fmt.Fprintf(&c.lines, "%s\n", line)
}

// typed shows how somebody types a line.
func (c *cast) typed(line string) {
	for _, r := range line {
		c.print(string(r))
		c.at += 35 * time.Millisecond
	}
	c.at += 300 * time.Millisecond
}

// recordCast runs commands in a terminal of so many rows, one after the other. The last one reads the lines that are typed into it.
func recordCast(t *testing.T, h *house, rows int, commands []string, typed ...string) string {
	t.Helper()
	c := &cast{rows: rows}
	fmt.Fprintf(&c.lines, `{"version":2,"width":%d,"height":%d}`+"\n", castColumns, rows)
	for i, command := range commands {
		c.print("\x1b[1;32m$\x1b[0m ")
		c.typed(command)
		c.print("\r\n")
		c.at += 200 * time.Millisecond
		var input []string
		if i == len(commands)-1 {
			input = typed
		}
		c.run(t, h, command, input)
		c.at += 1500 * time.Millisecond
	}
	c.at += 4 * time.Second
	c.print("")
	return c.lines.String()
}

// run runs a command. Before each line that is typed, it waits for the prompt that stands at the end of the output.
func (c *cast) run(t *testing.T, h *house, command string, typed []string) {
	t.Helper()
	terminal, device := openTerminal(t)
	raw, err := terminal.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(c.rows), Col: castColumns})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(bin, "hob")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Env = append(h.command().Env, "TERM=xterm-256color", "PATH="+bin+":"+os.Getenv("PATH"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); device.Close() }()
	shown, buffer := "", make([]byte, 4096)
	for {
		n, err := terminal.Read(buffer)
		if n > 0 {
			shown += string(buffer[:n])
			c.at += 20 * time.Millisecond
			c.print(string(buffer[:n]))
		}
		if err != nil {
			break // the last end of the terminal was closed
		}
		if len(typed) > 0 && strings.HasSuffix(strings.TrimRight(stripEscapes(shown), " "), "›") {
			shown = ""
			c.at += 1200 * time.Millisecond
			fmt.Fprintf(terminal, "%s\r", typed[0])
			typed = typed[1:]
		} else if len(typed) == 0 && strings.HasSuffix(strings.TrimRight(stripEscapes(shown), " "), "›") {
			_, _ = terminal.Write([]byte{4}) // Ctrl-D
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("%s: %v\n%s", command, err, shown)
	}
}

// stripEscapes takes the escape sequences of colours and the cursor out of a text.
func stripEscapes(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if rest, ok := strings.CutPrefix(s, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return '@' <= r && r <= '~' })
			s = rest[end+1:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

// playChat has somebody talk to the bot and returns what stands in their chat.
func playChat(t *testing.T) []telegramtest.Message {
	t.Helper()
	h := newTownhouse(t, newFakeOllama(t).URL, 1)
	s := h.serve()
	h.ask(0, "write shopping.md milk, eggs, tea")
	h.ask(0, "/note the plumber comes on Tuesday")
	h.ask(0, "/undo")
	s.stop()
	return h.chats[0].Messages()
}

// drawChat draws messages as bubbles: the person's on the right, the bot's on the left, with its buttons.
func drawChat(messages []telegramtest.Message) string {
	const width, lineHeight, pad, columns = 480, 19, 10, 44
	var b strings.Builder
	y := 16
	for _, m := range messages {
		lines := wrapWords(cmp.Or(m.Text, "(a file)"), columns)
		longest := 0
		for _, line := range lines {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		w, h := longest*8+2*pad+8, len(lines)*lineHeight+2*pad
		x, colour := 12, "#ffffff"
		if !m.From.Bot {
			x, colour = width-12-w, "#e1ffc7"
		}
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="12" fill="%s"/>`+"\n", x, y, w, h, colour)
		for i, line := range lines {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", x+pad+2, y+pad+14+i*lineHeight, html.EscapeString(line))
		}
		y += h + 4
		for _, row := range m.Buttons {
			wide := (max(w, 240) - 4*(len(row)-1)) / len(row)
			for i, button := range row {
				left := x + i*(wide+4)
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="30" rx="8" fill="#7aa5c8"/>`+
					`<text x="%d" y="%d" fill="#fff" text-anchor="middle">%s</text>`+"\n",
					left, y, wide, left+wide/2, y+20, html.EscapeString(button.Text))
			}
			y += 34
		}
		y += 8
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15">`+
		"\n"+`<rect width="100%%" height="100%%" rx="8" fill="#c9dbe8"/>`+"\n%s</svg>\n", width, y+8, width, y+8, b.String())
}

// wrapWords breaks a text into lines of at most so many characters, at blanks.
func wrapWords(text string, columns int) []string {
	var lines []string
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && utf8.RuneCountInString(line+" "+word) > columns {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines = append(lines, line)
	}
	return lines
}
