package gamemaster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// goneError is the error for a campaign that does not exist any more.
type goneError struct{ id string }

func (e *goneError) Error() string { return fmt.Sprintf("the story %q is not there any more", e.id) }

// Unwrap returns the error for the caller of a tool.
func (e *goneError) Unwrap() error {
	return &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: e.Error(), Suggestion: "/game lists those that there are"}
}

// unbindGone handles an error that says that the chat's story is gone: the chat has no story any more, and the words
// are read again.
func (d chatDriver) unbindGone(ctx context.Context, caller tools.Caller, words string, err error) (plan driver.Plan, ok bool, _ error) {
	gone := (*goneError)(nil)
	if !errors.As(err, &gone) {
		return driver.Plan{}, false, err
	}
	if err := d.m.cfg.Campaigns.Bind(ctx, caller.Chat, ""); err != nil {
		return driver.Plan{}, false, err
	}
	plan, ok, err = d.m.answerUnbound(ctx, caller, words)
	if text := plan.Result.Text; ok && err == nil {
		plan.Result.Text = d.m.Words(d.m.LangFor(ctx, caller.Chat, langOf(words)), "menu_gone", gone.id) + "\n\n" + text
	}
	return plan, ok, err
}

// answerUnbound answers in a chat without a story. Words that name a story begin or resume it; any others get the list.
// Commands that need no story are left alone.
func (m *Master) answerUnbound(ctx context.Context, caller tools.Caller, words string) (driver.Plan, bool, error) {
	if tools.IsCommand(words) && !isStoryCommand(words) {
		return driver.Plan{}, false, nil
	}
	list, _, err := m.Offers(ctx, caller)
	if err != nil {
		return driver.Plan{}, false, err
	}
	for _, c := range list {
		if sameName(words, c.ID) || sameName(words, c.Title) {
			res, err := m.resume(ctx, caller, c.ID)
			return driver.Plan{Result: res}, true, err
		}
	}
	for _, t := range m.cfg.Tales.All() {
		for _, lang := range t.Langs() {
			if sameName(words, t.ID) || sameName(words, t.Title(lang)) {
				res, err := m.start(ctx, caller, Beginning{Tale: t.ID, Lang: lang, Owner: ownerOf(caller)})
				return driver.Plan{Result: res}, true, err
			}
		}
	}
	res, err := m.listStories(ctx, caller, words)
	res.Text += "\n" + m.Words(m.LangFor(ctx, caller.Chat, langOf(words)), "menu_leave")
	return driver.Plan{Result: res}, true, err
}

func sameName(words, name string) bool {
	return strings.EqualFold(strings.TrimSpace(words), strings.TrimSpace(name))
}
