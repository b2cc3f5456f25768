package live

import (
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"hob/internal/display"
	"hob/internal/surface/cli"
	"hob/internal/surface/cli/lineedit"
)

// model is the state of the last rows. Only bubbletea's loop changes it.
type model struct {
	prompt  *Prompt
	options Options
	now     func() time.Time

	line     *lineedit.Line
	recalled int    // entries back in the history; 0: the line is new
	written  string // the new line, while an older one is shown
	search   *search
	menu     *menu
	question *question

	draft  []string
	status string
	since  time.Time // when status was first shown
	ticks  int       // the one that counts: an older one is of an earlier status

	lent          bool // somebody else writes to the terminal
	width, height int
	clusters      bool // the terminal draws a grapheme cluster as one
}

// The messages of [Prompt].
type (
	draftMsg    []string
	statusMsg   string
	editMsg     struct{}
	lendMsg     bool
	withdrawMsg struct{}
	tickMsg     int
	editedMsg   struct {
		path string
		err  error
	}
	askMsg struct {
		question Question
		answer   chan<- answered
	}
)

func newModel(p *Prompt, o Options) model {
	return model{prompt: p, options: o, now: time.Now, line: &lineedit.Line{}, width: 80, height: 24}
}

// Init implements [tea.Model].
func (m model) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 2), max(msg.Height, 1)
		m.prompt.resize(m.width, m.height)
	case tea.ModeReportMsg:
		m.clusters = m.clusters || msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized()
	case draftMsg:
		m.draft = msg
	case statusMsg:
		return m.setStatus(string(msg))
	case tickMsg:
		if int(msg) == m.ticks && m.status != "" {
			return m, m.tick()
		}
	case askMsg:
		return m.ask(msg), nil
	case withdrawMsg:
		return m.endQuestion(), nil
	case editMsg:
		return m.edit()
	case lendMsg:
		m.lent = bool(msg)
	case editedMsg:
		return m.takeEdited(msg)
	case tea.PasteMsg:
		m.line.Insert(msg.Content)
		m.menu = nil
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return m, nil
}

func (m model) setStatus(text string) (model, tea.Cmd) {
	if text == "" {
		m.status = ""
		return m, nil
	}
	began := m.status == ""
	m.status = text
	if !began {
		return m, nil
	}
	m.since = m.now()
	m.ticks++
	return m, m.tick()
}

// tick counts the seconds of a status.
func (m model) tick() tea.Cmd {
	n := m.ticks
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg(n) })
}

// key does what a key means.
func (m model) key(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	name := msg.String()
	if m.search != nil {
		if next, taken := m.searchKey(name, msg.Text); taken {
			return next, nil
		}
		m.search = nil // it goes on with what was found
	}
	if name == "tab" || name == "shift+tab" {
		return m.complete(name == "tab"), nil
	}
	m.menu = nil
	switch name {
	case "enter":
		return m.enter()
	case "ctrl+c":
		return m.interrupt()
	case "ctrl+d":
		if m.line.IsEmpty() && !m.isAsked() {
			return m, tea.Quit
		}
	case "ctrl+l":
		return m, tea.ClearScreen
	case "ctrl+z":
		return m, tea.Suspend
	case "ctrl+g":
		return m.edit()
	case "ctrl+o":
		if m.options.More != nil {
			go m.options.More()
		}
		return m, nil
	case "ctrl+r":
		if !m.isAsked() {
			m.search = &search{from: m.line.Text()}
		}
		return m, nil
	case "up", "ctrl+p":
		if !m.line.Up(m.layout()) {
			m = m.recall(m.recalled + 1)
		}
		return m, nil
	case "down", "ctrl+n":
		if !m.line.Down(m.layout()) {
			m = m.recall(m.recalled - 1)
		}
		return m, nil
	}
	if !m.line.Key(name) && msg.Text != "" {
		m.line.Insert(msg.Text)
	}
	return m, nil
}

// enter enters the line, or goes on in the next one.
func (m model) enter() (tea.Model, tea.Cmd) {
	if m.question != nil {
		return m.enterAnswer()
	}
	text := m.line.Text()
	if rest := strings.TrimRight(text, `\`); (len(text)-len(rest))%2 == 1 && m.line.BeforeCursor() == text {
		m.line.ReplaceBefore(1, "\n")
		return m, nil
	}
	said := m.saidLines()
	m.line, m.recalled, m.written = &lineedit.Line{}, 0, ""
	if strings.TrimSpace(text) == "" {
		return m, nil
	}
	if err := m.options.History.Add(text); err != nil { // told once: the history keeps nothing from now on
		said += "\n· " + display.OneLine(err.Error())
	}
	entered := m.prompt.enter(said) // before the line is taken, so that no answer is printed above it
	select {
	case m.prompt.lines <- text:
	default:
		entered = tea.Sequence(entered, tea.Println(m.styled(red, "✗ "+cli.Words(m.options.Lang).Text("too.many"))))
	}
	return m, entered
}

// interrupt drops the line. Where there is none it is for the conversation.
func (m model) interrupt() (tea.Model, tea.Cmd) {
	switch {
	case m.isAsked():
		return m.interruptQuestion(), nil
	case m.isOffered() && m.line.IsEmpty():
		return m.passOffer()
	case !m.line.IsEmpty():
		m.line, m.recalled = &lineedit.Line{}, 0
	case m.options.Interrupt != nil:
		go m.options.Interrupt()
	}
	return m, nil
}

// recall shows the entry of the history so many back.
func (m model) recall(back int) model {
	entries := m.entries()
	if m.isAsked() || back < 0 || back > len(entries) {
		return m
	}
	if m.recalled == 0 {
		m.written = m.line.Text()
	}
	m.recalled = back
	if back == 0 {
		m.line.Set(m.written)
	} else {
		m.line.Set(entries[len(entries)-back])
	}
	return m
}

func (m model) entries() []string { return m.options.History.Entries() }

// edit opens the editor on the line.
func (m model) edit() (tea.Model, tea.Cmd) {
	if m.isAsked() {
		return m, nil
	}
	path, err := cli.DraftFile("hob-*.md", m.line.Text())
	if err != nil {
		return m.takeEdited(editedMsg{path, err})
	}
	return m, tea.ExecProcess(cli.EditorCommand(m.options.getenv, path), func(err error) tea.Msg { return editedMsg{path, err} })
}

// takeEdited takes what an editor left in its file.
func (m model) takeEdited(msg editedMsg) (tea.Model, tea.Cmd) {
	defer os.Remove(msg.path)
	raw, err := os.ReadFile(msg.path)
	if msg.err != nil {
		err = msg.err
	}
	if err != nil {
		return m, tea.Println(m.styled(red, "✗ "+display.OneLine(cli.Words(m.options.Lang).Text("editor", err.Error()))))
	}
	m.line.Set(strings.TrimRight(string(raw), "\n"))
	return m, nil
}
