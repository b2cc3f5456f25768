package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/markdown"
)

// Questions is the open questions: calls that wait for a person's approval.
type Questions interface {
	// Questions returns the open questions of all chats, oldest first.
	Questions(ctx context.Context) ([]Question, error)
	// Decide answers a question as the person who asks for it. The chat checks whether that person
	// may.
	Decide(ctx context.Context, by Request, q Question, allow bool) error
}

// Question is a question without an answer.
type Question struct {
	Chat event.Chat `json:"chat"`
	Turn int64      `json:"turn"`
	event.Asked
}

// ShortIDLen is the length of a displayed question id. That many characters identify a question.
const ShortIDLen = 6

// ShortID returns the displayed part of the id.
func (q Question) ShortID() string { return q.ID[:min(ShortIDLen, len(q.ID))] }

// FindQuestion returns the question whose id has the prefix. found is the number of such questions;
// q is valid only for 1.
func FindQuestion(all []Question, prefix string) (q Question, found int) {
	for _, one := range all {
		if prefix != "" && strings.HasPrefix(one.ID, prefix) {
			q = one
			found++
		}
	}
	return q, found
}

// DescribeDecision returns a sentence about an answered question.
func DescribeDecision(q Question, allow bool) string {
	if allow {
		return fmt.Sprintf("Allowed: %s in %s.", q.Tool, q.Chat)
	}
	return fmt.Sprintf("Denied: %s in %s.", q.Tool, q.Chat)
}

// approve lists the open questions, or answers one.
func (d Deps) approve(ctx context.Context, by Request) (Answer, error) {
	all, err := d.visibleQuestions(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	words := strings.Fields(by.Args)
	if len(words) == 0 {
		return d.renderQuestions(all, ""), nil
	}
	if len(words) != 2 || words[0] != "yes" && words[0] != "no" {
		return Answer{}, errors.New("/approve lists what waits; /approve yes ID allows it, /approve no ID does not")
	}
	a, err := d.decide(ctx, by, all, words[1], words[0] == "yes")
	if err == nil || ctx.Err() != nil || len(words[1]) <= ShortIDLen {
		return a, err
	}
	all, failure := d.visibleQuestions(ctx, by) // a choice with a full id came too late: show the error above the open questions
	return d.renderQuestions(all, escape(err.Error())), failure
}

// decide answers the question whose id has a prefix, and lists the open ones.
func (d Deps) decide(ctx context.Context, by Request, all []Question, id string, allow bool) (Answer, error) {
	q, found := FindQuestion(all, id)
	switch {
	case found == 0 && len(id) > ShortIDLen:
		return Answer{}, fmt.Errorf("nothing waits for an answer to %s", display.Clean(id))
	case found != 1:
		return Answer{}, fmt.Errorf("under %s nothing waits, or several do: /approve lists what does", display.Clean(id))
	}
	if err := d.Questions.Decide(ctx, by, q, allow); err != nil {
		return Answer{}, err
	}
	all, err := d.visibleQuestions(ctx, by)
	return d.renderQuestions(all, escape(DescribeDecision(q, allow))), err
}

// visibleQuestions returns the questions that a person may see, oldest first. In a group these are
// the group's.
func (d Deps) visibleQuestions(ctx context.Context, by Request) ([]Question, error) {
	all, err := d.Questions.Questions(ctx)
	if err != nil {
		return nil, err
	}
	seen := []Question{}
	for _, q := range all {
		if q.Chat == by.Chat || by.Level >= event.BotAdmin && by.isPrivate() {
			seen = append(seen, q)
		}
	}
	return seen, nil
}

// maxQuestions limits the questions in one answer; each is shown in full.
const maxQuestions = 8

// renderQuestions lists questions below a sentence, with a choice for each answer.
func (d Deps) renderQuestions(all []Question, first string) Answer {
	a := Answer{Text: first, Data: all}
	if len(all) == 0 {
		a.Text = strings.TrimSpace(first + "\n\nNothing waits for an answer.")
	}
	for i, q := range all {
		if i == maxQuestions {
			a.Text += fmt.Sprintf("\n\nAnd %d more.", len(all)-maxQuestions)
			break
		}
		name, until := q.ShortID(), "until "+d.time(q.Expires)
		row := []Choice{{"Yes: " + name, "/approve yes " + q.ID}, {"No: " + name, "/approve no " + q.ID}}
		if d.Now().After(q.Expires) {
			until, row = "which has expired: only a no is taken", row[1:]
		}
		a.Text += fmt.Sprintf("\n\n**%s** %s in %s, %s\n%s", escape(name), escape(q.Tool), escape(string(q.Chat)), until, markdown.Fenced(display.Clean(q.Text)))
		a.Choices = append(a.Choices, row)
	}
	if len(all) > 0 {
		a.Text += "\n\nIn words: /approve yes ID, or /approve no ID."
	}
	a.Text = strings.TrimSpace(a.Text)
	return a
}
