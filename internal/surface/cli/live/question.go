package live

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"hob/internal/lists"
	"hob/internal/surface/cli"
)

// A Question is asked in place of the prompt.
type Question struct {
	Text    string // such as "Allow it?"
	Answers []Answer
	Help    string // what "?" shows
	Lang    string // of what is said around it
}

// An Answer is one that a question can have. What is typed counts if it is of the words, see [cli.IsAnswer], or if the second begins with it.
type Answer struct {
	Words []string // what is shown for it, the whole word, and others, such as "j", "ja", "y", "yes"
	Means string   // such as "this once"; "": the whole word
}

func (a Answer) word() string { return a.Words[1] }

func (a Answer) is(lang, typed string) bool {
	return cli.IsAnswer(lang, a.Words, typed) || typed != "" && strings.HasPrefix(a.word(), typed)
}

type answered struct {
	index int // in the answers of the question
	err   error
}

// question is a question that waits for its answer.
type question struct {
	Question
	answer  chan<- answered
	written string // what was being written when it came
	again   string // why it asks again
}

// prompt is the line of the question.
func (q *question) prompt() string {
	parts := lists.Map(q.Answers, func(a Answer) string { return a.Words[0] + " " + cmp.Or(a.Means, a.word()) })
	if q.Help != "" {
		parts = append(parts, cli.Words(q.Lang).Text("allow.explain"))
	}
	return q.Text + " [" + strings.Join(parts, " · ") + "] "
}

// ask shows a question.
func (m model) ask(msg askMsg) model {
	m.question = &question{Question: msg.question, answer: msg.answer, written: m.line.Text()}
	m.line.Set("")
	m.search, m.menu = nil, nil
	return m
}

// endQuestion shows again what was being written.
func (m model) endQuestion() model {
	if m.question != nil {
		m.line.Set(m.question.written)
		m.question = nil
	}
	return m
}

// enterAnswer takes what was typed as the answer, if it is one. It has to be a line: somebody who is typing when the question
// comes must not answer it by accident.
func (m model) enterAnswer() (model, tea.Cmd) {
	q, line := m.question, strings.TrimSpace(m.line.Text())
	typed := strings.ToLower(line)
	m.line.Set("")
	if typed == "?" && q.Help != "" {
		return m, tea.Println(cli.Wrap(q.Help, m.width))
	}
	i := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.is(q.Lang, typed) })
	if i < 0 {
		w := cli.Words(q.Lang)
		switch q.again = w.Text("answer.wrong", strconv.Quote(typed)); {
		case typed == "":
			q.again = w.Text("answer.none")
		case isMessage(line):
			q.again = w.Text("answer.kept", strconv.Quote(line))
			q.written = strings.TrimLeft(q.written+"\n"+line, "\n")
		}
		return m, nil
	}
	q.answer <- answered{index: i}
	return m.endQuestion(), tea.Println(m.styled(dim, q.Text+" "+q.Answers[i].word()))
}

// isMessage reports whether a line says more than an answer does: it has several words, or as many Chinese letters.
func isMessage(line string) bool {
	const longestWord = 4 // of Chinese letters
	han := func(r rune) rune {
		if unicode.Is(unicode.Han, r) {
			return r
		}
		return -1
	}
	return strings.Contains(line, " ") || utf8.RuneCountInString(strings.Map(han, line)) > longestWord
}

func (m model) interruptQuestion() model {
	m.question.answer <- answered{err: cli.ErrInterrupted}
	return m.endQuestion()
}
