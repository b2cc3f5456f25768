package telegram

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	maxShown = 50 // of members at once
	maxName  = 64 // letters of a name
)

// find returns who is meant, as Telegram says that they are now.
func (m manager) find(ctx context.Context, group int64, word string, names bool) (event.Member, error) {
	word = strings.TrimSpace(word)
	if id, err := strconv.ParseInt(word, 10, 64); err == nil {
		if id <= 0 {
			return event.Member{}, refuseUser("user: %d is no number of a person", id)
		}
		return m.group.Member(ctx, group, id)
	}
	handle, isHandle := strings.CutPrefix(word, "@")
	if !isHandle && !names || handle == "" {
		return event.Member{}, refuseUser("user: must be the person's number or @username, not a name: others could have the same")
	}
	all, err := m.group.Members(ctx, group)
	if err != nil {
		return event.Member{}, err
	}
	var ids []string
	var found int64
	for _, one := range all {
		if isHandle && strings.EqualFold(one.Handle, handle) || !isHandle && hasName(one.Name, word) {
			found = one.ID
			ids = append(ids, strconv.FormatInt(one.ID, 10))
		}
	}
	switch {
	case len(ids) == 0:
		return event.Member{}, refuseUser("user: I have heard nobody in this group who is called that")
	case len(ids) > 1:
		return event.Member{}, refuseUser("user: several here are called that: %s", strings.Join(ids, ", "))
	}
	is, err := m.group.Member(ctx, group, found)
	if err == nil && (isHandle && !strings.EqualFold(is.Handle, handle) || !isHandle && !hasName(is.Name, word)) {
		err = refuseUser("user: %d was called that, and is no more", found)
	}
	return is, err
}

// hasName reports whether somebody calls themselves that: all of their name, or the beginning of it.
func hasName(name, word string) bool {
	name, word = strings.ToLower(clean(name)), strings.ToLower(clean(word))
	return word != "" && (name == word || strings.HasPrefix(name, word+" "))
}

func refuseUser(format string, args ...any) *tools.Error {
	return tools.Missing(event.CodeInvalidValue, format, args...).Suggest("group_members lists numbers; give one of those")
}

// shownMember is a member as programs are told of them.
type shownMember struct {
	ID     int64  `json:"id"`
	Name   string `json:"name,omitempty"`
	Handle string `json:"username,omitempty"`
	Role   string `json:"role,omitempty"`
}

func (m manager) members(ctx context.Context, in membersArgs) (tools.Result, error) {
	a, bad := askerOf(ctx, event.GroupAdmin)
	if bad != nil {
		return tools.Result{}, bad
	}
	all, err := m.group.Members(ctx, a.group)
	if err != nil {
		return tools.Result{}, err
	}
	part := strings.ToLower(strings.TrimPrefix(clean(in.Name), "@"))
	var b strings.Builder
	shown, more := []shownMember{}, 0
	for _, one := range all {
		s := shownMember{one.ID, clean(one.Name), handleOf(one.Handle), roleName(one.Role)}
		if !strings.Contains(strings.ToLower(s.Name), part) && !strings.Contains(strings.ToLower(s.Handle), part) {
			continue
		}
		if len(shown) == maxShown {
			more++
			continue
		}
		shown = append(shown, s)
		fmt.Fprintf(&b, "%d %q", s.ID, s.Name)
		if s.Handle != "" {
			b.WriteString(" @" + s.Handle)
		}
		if s.Role != "" {
			b.WriteString(", " + s.Role)
		}
		b.WriteByte('\n')
	}
	switch {
	case len(shown) == 0 && part != "":
		b.WriteString("I have heard nobody here who is called that. ")
	case more > 0:
		fmt.Fprintf(&b, "and %d more: ask for a part of the name. ", more)
	}
	b.WriteString("Others may be in the group: I know its administrators and who has written since I started.")
	return tools.Result{Text: b.String(), Data: shown, Label: event.Label{Untrusted: true, Source: "telegram:members"}}, nil
}

func roleName(role string) string {
	if role == creator {
		return "owner"
	}
	return role
}

// clean makes one short line of a name that a stranger has chosen, without the quotes and brackets in which
// others speak.
func clean(name string) string {
	return display.Truncate(display.Visible(display.Without(name, "\"`[]<>{}\\")), maxName)
}

// handleOf is a user name if it is one.
func handleOf(s string) string {
	odd := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if len(s) > 32 || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}
