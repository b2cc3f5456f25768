package window

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hob/internal/llm"
)

var update = flag.Bool("update", false, "accept what becomes of the conversations")

// Each file of testdata is a conversation before and after. The first line of its comment is what is done: "shorten
// TARGET KEEP", "drop TARGET KEEP", "prune KEEP", "recent TOKENS" or "summary KEEP TEXT"; steps can follow each other. A
// message begins with "== ROLE", that at Begin with "== begin"; a line "%N TEXT" is TEXT, N times.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d conversations, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := readConversation(t, string(archive.Files[0].Data))
			var log []string
			for cmd := range strings.Lines(string(archive.Comment)) {
				if cmd = strings.TrimSpace(cmd); cmd == "" {
					break // what follows is for the reader
				}
				var done string
				h, done = perform(t, h, cmd)
				log = append(log, done)
			}
			if problem := illegal(h.Messages); problem != "" {
				t.Error(problem)
			}
			got := strings.Join(log, "\n") + "\n" + writeConversation(h)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "after", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func perform(t *testing.T, h History, cmd string) (History, string) {
	t.Helper()
	f := strings.Fields(cmd)
	n := func(i int) int {
		v, err := strconv.Atoi(f[i])
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before, ok := Tokens(h.Messages...), false
	switch f[0] {
	case "shorten":
		h.Keep = n(2)
		h, ok = h.Shorten(n(1), Tokens)
	case "drop":
		h.Keep = n(2)
		h, ok = h.Drop(n(1), Tokens)
	case "recent":
		h.Recent = n(1)
		return h, cmd
	case "prune":
		h.Keep = n(1)
		h, ok = prune(h)
	case "summary":
		h.Keep = n(1)
		span := len(h.Span())
		h = h.WithSummary(strings.Join(f[2:], " "))
		return h, fmt.Sprintf("%s: %d messages summed up, %d → %d tokens", f[0], span, before, Tokens(h.Messages...))
	default:
		t.Fatalf("no such step: %s", cmd)
	}
	return h, fmt.Sprintf("%s: %v, %d → %d tokens", f[0], ok, before, Tokens(h.Messages...))
}

// testHistory is a History whose handles are in its results and whose nudges are in brackets.
func testHistory(ms []llm.Message, begin, keep int) History {
	return History{Messages: ms, Begin: begin, Keep: keep,
		Handle: func(m llm.Message) string { return regexp.MustCompile(`out:\d+`).FindString(m.Text) },
		Nudge: func(m llm.Message) bool {
			return m.Role == llm.UserRole && strings.HasPrefix(m.Text, "[hob: ") ||
				m.Role == llm.ToolRole && strings.HasPrefix(m.Text, "same result as before")
		}}
}

func readConversation(t *testing.T, text string) History {
	t.Helper()
	h := testHistory(nil, -1, 0)
	for _, block := range strings.Split("\n"+strings.TrimSuffix(text, "\n"), "\n== ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		f := strings.Fields(head)
		m := llm.Message{Role: llm.Role(f[0])}
		switch f[0] {
		case "begin":
			m.Role, h.Begin = llm.UserRole, len(h.Messages)
		case "tool":
			m.CallID, m.ToolName = f[1], f[2]
		}
		var lines []string
		for line := range strings.SplitSeq(body, "\n") {
			switch {
			case strings.HasPrefix(line, "call "):
				c := strings.SplitN(line, " ", 4)
				m.Calls = append(m.Calls, llm.Call{ID: c[1], Name: c[2], Args: json.RawMessage(c[3])})
			case strings.HasPrefix(line, "think "):
				m.Thinking = strings.TrimPrefix(line, "think ")
			case strings.HasPrefix(line, "%"):
				number, rest, _ := strings.Cut(line[1:], " ")
				n, err := strconv.Atoi(number)
				if err != nil {
					t.Fatal(err)
				}
				for range n {
					lines = append(lines, rest)
				}
			default:
				lines = append(lines, line)
			}
		}
		m.Text = strings.Join(lines, "\n")
		h.Messages = append(h.Messages, m)
	}
	if problem := illegal(h.Messages); problem != "" || !h.legalBegin() {
		t.Fatalf("the conversation before is not legal: %s", problem)
	}
	return h
}

func writeConversation(h History) string {
	var b strings.Builder
	for i, m := range h.Messages {
		switch {
		case i == h.Begin:
			b.WriteString("== begin\n")
		case m.Role == llm.ToolRole:
			fmt.Fprintf(&b, "== tool %s %s\n", m.CallID, m.ToolName)
		default:
			fmt.Fprintf(&b, "== %s\n", m.Role)
		}
		if m.Thinking != "" {
			fmt.Fprintf(&b, "think %s\n", m.Thinking)
		}
		lines := strings.Split(m.Text, "\n")
		for k := 0; k < len(lines) && m.Text != ""; {
			n := 1
			for k+n < len(lines) && lines[k+n] == lines[k] {
				n++
			}
			if n > 3 {
				fmt.Fprintf(&b, "%%%d %s\n", n, lines[k])
				k += n
				continue
			}
			b.WriteString(lines[k] + "\n")
			k++
		}
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "call %s %s %s\n", c.ID, c.Name, c.Args)
		}
	}
	return b.String()
}

// illegal says what is wrong with a conversation. Calls at its end may still wait for their results.
func illegal(ms []llm.Message) string {
	open := map[string]bool{}
	for i, m := range ms {
		if m.Role == llm.ToolRole {
			if !open[m.CallID] {
				return fmt.Sprintf("message %d answers call %q, which waits for nothing", i, m.CallID)
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d comes before the results of %v", i, open)
		}
		for _, c := range m.Calls {
			if m.Role != llm.AssistantRole || open[c.ID] {
				return fmt.Sprintf("message %d: call %q", i, c.ID)
			}
			open[c.ID] = true
		}
	}
	return ""
}

// prune is the first tier alone, for results of any length. It reports whether anything went.
func prune(h History) (History, bool) {
	if !h.legalBegin() {
		return h, false
	}
	p := newPlan(h)
	edits := p.pruneEdits(0)
	if len(edits) == 0 {
		return h, false
	}
	return p.build(edits), true
}
