package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/markdown"
)

// Pages is hob in a browser.
type Pages interface {
	// InvitePage makes a link with which a person signs in on a browser, and opens the page if it is closed. With a name it is for a
	// new person of that level, whom the owner lets in; "" is the person who asks.
	InvitePage(ctx context.Context, by Request, name string, level event.Level) (PageInvite, error)
	// PageSessions returns the browsers that are signed in, those used last first, and the passkeys: to an owner all, to others their own.
	PageSessions(ctx context.Context, by Request) ([]PageSession, error)
	// EndPageSession signs a browser out or removes a passkey, and reports whether there was one that the person may sign out.
	EndPageSession(ctx context.Context, by Request, id string) (bool, error)
}

// PageInvite is a way to sign in: `hob page --json` prints it.
type PageInvite struct {
	Person  string    `json:"person"`
	URL     string    `json:"url"`  // of the page
	Link    string    `json:"link"` // signs in where it is opened
	Code    string    `json:"code"` // likewise, typed on the page
	Expires time.Time `json:"expires"`
	Note    string    `json:"note,omitempty"` // about who can open it
}

// PageSession is a browser that is signed in.
type PageSession struct {
	ID     string    `json:"id"`
	Person string    `json:"person"`
	Device string    `json:"device"`
	Since  time.Time `json:"since"`
	Seen   time.Time `json:"seen,omitzero"`

	Passkey bool `json:"passkey,omitempty"` // it is no browser, but a passkey
}

// errNoPage says that no daemon runs.
var errNoPage = errors.New("the page is there while hob serve runs: start that first")

// page invites to the page, lists the browsers that are signed in, or signs one out.
func (d Deps) page(ctx context.Context, by Request) (Answer, error) {
	if d.Pages == nil {
		return Answer{}, errNoPage
	}
	words := strings.Fields(by.Args)
	switch {
	case len(words) == 0:
		return d.invitePage(ctx, by, "", event.User)
	case len(words) == 1 && words[0] == "list":
		return d.listPages(ctx, by, "")
	case len(words) == 2 && words[0] == "revoke":
		ended, err := d.Pages.EndPageSession(ctx, by, words[1])
		if err == nil && !ended {
			err = errors.New("no browser of that ID is signed in: /page list has them")
		}
		if err != nil {
			return Answer{}, err
		}
		return d.listPages(ctx, by, "That browser is signed out.")
	case words[0] == "for" && len(words) >= 2 && words[1] != "as" && !strings.EqualFold(words[1], event.Owner.String()) && by.Level >= event.Owner:
		name, level, err := parseGuest(words[1:])
		if err != nil {
			return Answer{}, err
		}
		return d.invitePage(ctx, by, name, level)
	}
	return Answer{}, errors.New("/page lets you sign in on a browser, /page list has those that are signed in, /page revoke ID signs one out")
}

// parseGuest reads "NAME" or "NAME as LEVEL".
func parseGuest(words []string) (name string, level event.Level, err error) {
	if n := len(words); n >= 3 && words[n-2] == "as" {
		if level, err = event.ParseRole(words[n-1]); err != nil {
			return "", level, err
		}
		words = words[:n-2]
	}
	return strings.Join(words, " "), level, nil
}

func (d Deps) invitePage(ctx context.Context, by Request, name string, level event.Level) (Answer, error) {
	in, err := d.Pages.InvitePage(ctx, by, name, level)
	if err != nil {
		return Answer{}, err
	}
	text := fmt.Sprintf("Sign in as %s until %s, on one browser:\n\n%s\n\nOr open %s and type %s.", escape(in.Person), d.time(in.Expires),
		in.Link, in.URL, markdown.Escape(in.Code))
	if in.Note != "" {
		text += "\n\n" + escape(in.Note)
	}
	return Answer{Text: text, Data: in}, nil
}

// listPages lists the browsers that are signed in, with a choice to sign each out.
func (d Deps) listPages(ctx context.Context, by Request, first string) (Answer, error) {
	all, err := d.Pages.PageSessions(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Data: append([]PageSession{}, all...)}
	var lines []string
	for _, s := range all {
		lines = append(lines, fmt.Sprintf("- **%s** %s, %s, since %s", escape(s.ID), escape(s.Person), escape(s.Device), d.time(s.Since)))
		a.Choices = append(a.Choices, []Choice{{"Sign out " + s.ID, "/page revoke " + s.ID}})
	}
	if len(lines) == 0 {
		lines = append(lines, "No browser is signed in.")
	}
	a.Text = strings.TrimSpace(first + "\n\n" + truncateLines(lines, maxLines, ""))
	return a, nil
}
