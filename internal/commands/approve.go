package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/markdown"
)

// Questions are what waits for a yes.
type Questions interface {
	// Questions returns those of all chats, oldest first.
	Questions(ctx context.Context) ([]Question, error)
	// Decide answers one as whoever asks for it. The chat has the last word about whether they may.
	Decide(ctx context.Context, by Request, q Question, allow bool) error
}

// Question is one that nobody has answered.
type Question struct {
	Chat event.Chat `json:"chat"`
	Turn int64      `json:"turn"`
	event.Asked
}

// ShortID is how many characters of a question's id are shown, and enough to name it.
const ShortID = 6

// Short is the beginning of the id of a question.
func (q Question) Short() string { return q.ID[:min(ShortID, len(q.ID))] }

// PickQuestion returns the question whose id begins so, where there is just one. found says how many there are.
func PickQuestion(all []Question, prefix string) (q Question, found int) {
	for _, one := range all {
		if prefix != "" && strings.HasPrefix(one.ID, prefix) {
			q = one
			found++
		}
	}
	return q, found
}

// DecidedWords says that a question was answered.
func DecidedWords(q Question, allow bool) string {
	if allow {
		return fmt.Sprintf("Allowed: %s in %s.", q.Tool, q.Chat)
	}
	return fmt.Sprintf("Denied: %s in %s.", q.Tool, q.Chat)
}

// approve lists what waits for an answer, and answers it.
func (d Deps) approve(ctx context.Context, by Request) (Answer, error) {
	all, err := d.questionsFor(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	words := strings.Fields(by.Args)
	if len(words) == 0 {
		return questions(all, ""), nil
	}
	if len(words) != 2 || words[0] != "yes" && words[0] != "no" {
		return Answer{}, errors.New("/approve lists what waits; /approve yes ID allows it, /approve no ID does not")
	}
	a, err := d.decide(ctx, by, all, words[1], words[0] == "yes")
	if err == nil || ctx.Err() != nil || len(words[1]) <= ShortID {
		return a, err
	}
	all, failure := d.questionsFor(ctx, by) // it came from a choice, too late: that stands above those that are left
	return questions(all, safe(err.Error())), failure
}

// decide answers the question whose id begins so, and shows those that are left.
func (d Deps) decide(ctx context.Context, by Request, all []Question, id string, allow bool) (Answer, error) {
	q, found := PickQuestion(all, id)
	switch {
	case found == 0 && len(id) > ShortID:
		return Answer{}, fmt.Errorf("nothing waits for an answer to %s", display.Clean(id))
	case found != 1:
		return Answer{}, fmt.Errorf("under %s nothing waits, or several do: /approve lists what does", display.Clean(id))
	}
	if err := d.Questions.Decide(ctx, by, q, allow); err != nil {
		return Answer{}, err
	}
	all, err := d.questionsFor(ctx, by)
	return questions(all, safe(DecidedWords(q, allow))), err
}

// questionsFor returns the questions that a person may see, oldest first: in a group those of the group.
func (d Deps) questionsFor(ctx context.Context, by Request) ([]Question, error) {
	all, err := d.Questions.Questions(ctx)
	if err != nil {
		return nil, err
	}
	seen := []Question{}
	for _, q := range all {
		if q.Chat == by.Chat || by.Level >= event.BotAdmin && by.private() {
			seen = append(seen, q)
		}
	}
	return seen, nil
}

// mostQuestions is how many questions are shown at once, each of them whole.
const mostQuestions = 8

// questions shows questions below a sentence, each with its answers.
func questions(all []Question, first string) Answer {
	a := Answer{Text: first, Data: all}
	if len(all) == 0 {
		a.Text = strings.TrimSpace(first + "\n\nNothing waits for an answer.")
	}
	for i, q := range all {
		if i == mostQuestions {
			a.Text += fmt.Sprintf("\n\nAnd %d more.", len(all)-mostQuestions)
			break
		}
		name, until := q.Short(), "until "+at(q.Expires)
		row := []Choice{{"Yes: " + name, "/approve yes " + q.ID}, {"No: " + name, "/approve no " + q.ID}}
		if time.Now().After(q.Expires) {
			until, row = "which has expired: only a no is taken", row[1:]
		}
		a.Text += fmt.Sprintf("\n\n**%s** %s in %s, %s\n%s", safe(name), safe(q.Tool), safe(string(q.Chat)), until, markdown.Fenced(display.Clean(q.Text)))
		a.Choices = append(a.Choices, row)
	}
	if len(all) > 0 {
		a.Text += "\n\nIn words: /approve yes ID, or /approve no ID."
	}
	a.Text = strings.TrimSpace(a.Text)
	return a
}
