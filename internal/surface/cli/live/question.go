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

	// Otherwise is shown where the answer is not the first one. A question that has it is an offer: it leaves the line as it is, and a
	// line that is no answer is a message like another, which ends it. "": the question waits for an answer.
	Otherwise string
}

// NoAnswer is the index of the answer to an offer that got none.
const NoAnswer = -1

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
	if q.Otherwise != "" {
		return q.Text + " " + cli.Words(q.Lang).Text("confirm") + " "
	}
	parts := lists.Map(q.Answers, func(a Answer) string { return a.Words[0] + " " + cmp.Or(a.Means, a.word()) })
	if q.Help != "" {
		parts = append(parts, cli.Words(q.Lang).Text("allow.explain"))
	}
	return q.Text + " [" + strings.Join(parts, " · ") + "] "
}

// isOffered reports whether a question stands there that need not be answered.
func (m model) isOffered() bool { return m.question != nil && m.question.Otherwise != "" }

// isAsked reports whether a question stands there that has to be answered.
func (m model) isAsked() bool { return m.question != nil && m.question.Otherwise == "" }

// ask shows a question.
func (m model) ask(msg askMsg) model {
	if m.isOffered() {
		m.question.answer <- answered{index: NoAnswer}
	}
	m.question = &question{Question: msg.question, answer: msg.answer}
	m.search, m.menu = nil, nil
	if m.isAsked() {
		m.question.written = m.line.Text()
		m.line.Set("")
	}
	return m
}

// endQuestion shows again what was being written.
func (m model) endQuestion() model {
	if m.isAsked() {
		m.line.Set(m.question.written)
	}
	m.question = nil
	return m
}

// enterAnswer takes what was typed as the answer, if it is one. It has to be a line: somebody who is typing when the question
// comes must not answer it by accident.
func (m model) enterAnswer() (model, tea.Cmd) {
	q, line := m.question, strings.TrimSpace(m.line.Text())
	typed := strings.ToLower(line)
	i := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.is(q.Lang, typed) })
	if i < 0 && m.isOffered() {
		return m.passOffer()
	}
	m.line.Set("")
	if typed == "?" && q.Help != "" {
		return m, tea.Println(cli.Wrap(q.Help, m.width))
	}
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
	shown := m.styled(dim, q.Text+" "+q.Answers[i].word())
	if i > 0 && q.Otherwise != "" {
		shown += "\n" + cli.Wrap(q.Otherwise, m.width)
	}
	return m.endQuestion(), tea.Println(shown)
}

// passOffer ends an offer that gets no answer. The line is a message.
func (m model) passOffer() (model, tea.Cmd) {
	q := m.question
	m.question = nil
	next, entered := m.enter()
	q.answer <- answered{index: NoAnswer}
	return next.(model), tea.Sequence(tea.Println(cli.Wrap(q.Otherwise, m.width)), entered)
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
