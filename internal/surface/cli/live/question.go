package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"hob/internal/surface/cli"
)

// A Question is asked in place of the prompt.
type Question struct {
	Text    string // such as "Allow it?"
	Answers []Answer
	Help    string // what "?" shows
}

// An Answer is a word that answers a question. What is typed counts if it begins as the word does.
type Answer struct {
	Word  string // such as "yes"
	Means string // such as "this once"
}

type answered struct {
	text string
	err  error
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
	parts := make([]string, 0, len(q.Answers)+1)
	for _, a := range q.Answers {
		parts = append(parts, a.Word[:1]+" "+cmp.Or(a.Means, a.Word))
	}
	if q.Help != "" {
		parts = append(parts, "? explains")
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
	q, typed := m.question, strings.ToLower(strings.TrimSpace(m.line.Text()))
	m.line.Set("")
	if typed == "?" && q.Help != "" {
		return m, tea.Println(cli.Wrap(q.Help, m.width))
	}
	i := slices.IndexFunc(q.Answers, func(a Answer) bool { return typed != "" && strings.HasPrefix(a.Word, typed) })
	if i < 0 {
		q.again = fmt.Sprintf("%q is no answer.", typed)
		if typed == "" {
			q.again = "It waits for an answer."
		}
		return m, nil
	}
	q.answer <- answered{text: q.Answers[i].Word}
	line := m.styled(dim, q.Text+" "+q.Answers[i].Word)
	return m.endQuestion(), tea.Println(line)
}

func (m model) interruptQuestion() model {
	m.question.answer <- answered{err: cli.ErrInterrupted}
	return m.endQuestion()
}
