package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/surface/http/api"
	"hob/internal/surface/web/certs"
)

func pageCommand(a *program) *cobra.Command {
	var name, as string
	page := &cobra.Command{
		Use: "page", Short: "open hob in a browser", Args: cobra.NoArgs,
	}
	page.Flags().StringVar(&name, "for", "", "who signs in, by name, instead of you")
	page.Flags().StringVar(&as, "as", "user", "what they may do: owner, admin or user")
	a.withOwnResult(page, func(ctx context.Context, _ []string) (result, error) {
		line, forSomebody := "", page.Flags().Changed("for")
		switch {
		case forSomebody && (strings.TrimSpace(name) == "" || strings.EqualFold(strings.TrimSpace(name), "owner")):
			return result{}, exit.Errorf(exit.Usage, "--for %q: it is the name of somebody else, such as Ben; leave it out for yourself", name)
		case forSomebody:
			line = "for " + name + " as " + as
		case page.Flags().Changed("as"):
			return result{}, exit.Errorf(exit.Usage, "--as %s is for somebody else: say who with --for NAME", as)
		}
		var in commands.PageInvite
		if err := a.pageCommand(ctx, line, &in); err != nil {
			return result{}, err
		}
		text := fmt.Sprintf("Open this within five minutes. It signs in %s, on one browser:\n\n    %s\n\nor open %s and type\n\n    %s\n",
			display.Clean(in.Person), in.Link, in.URL, in.Code)
		if in.Note != "" {
			text += "\n" + in.Note + "\n"
		}
		return result{value: in, text: text}, nil
	})
	page.AddCommand(pageListCommand(a), pageRevokeCommand(a), pageTrustCommand(a))
	return page
}

func pageListCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "list", Short: "list the browsers that are signed in", Args: cobra.NoArgs,
	}, func(ctx context.Context, _ []string) (result, error) {
		all := []commands.PageSession{}
		if err := a.pageCommand(ctx, "list", &all); err != nil {
			return result{}, err
		}
		return result{value: all, text: describePageSessions(all, time.Now().In(a.zone()))}, nil
	})
}

func pageRevokeCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "revoke ID", Short: "sign a browser out", Args: checkArgs(1, 1, "hob page revoke takes the ID of one browser: hob page list has them"),
	}, func(ctx context.Context, args []string) (result, error) {
		left := []commands.PageSession{}
		if err := a.pageCommand(ctx, "revoke "+args[0], &left); err != nil {
			return result{}, err
		}
		return result{value: left, text: "That browser is signed out.\n" + describePageSessions(left, time.Now().In(a.zone()))}, nil
	})
}

// pageTrust is what `hob page trust --json` prints.
type pageTrust struct {
	Host        string `json:"host"`
	Fingerprint string `json:"sha256"`
	Certificate string `json:"certificate"` // PEM
}

func pageTrustCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "trust", Short: "print the certificate that other devices trust", Args: cobra.NoArgs,
	}, func(_ context.Context, s *app.Environment, _ []string) (result, error) {
		if s.Page.TLS != config.TLSOwn {
			return result{}, exit.Errorf(exit.Usage, `the page has no certificates of its own: they are for [page] tls = "own"`)
		}
		if err := s.MakeState(); err != nil {
			return result{}, err
		}
		authority, err := certs.Open(s.PageDir(), s.Page.Host, time.Now)
		if err != nil {
			return result{}, err
		}
		out := pageTrust{Host: s.Page.Host, Fingerprint: authority.Fingerprint(), Certificate: string(authority.PEM())}
		fmt.Fprintf(a.Stderr, "for %s, SHA-256 %s\n", out.Host, out.Fingerprint)
		return result{value: out, text: out.Certificate}, nil
	})
}

func describePageSessions(all []commands.PageSession, now time.Time) string {
	t := newTable()
	for _, s := range all {
		seen := ""
		if !s.Seen.IsZero() {
			seen = "seen " + commands.FormatTime(s.Seen, now)
		}
		t.add(s.ID, display.OneLine(s.Person), display.OneLine(s.Device), "since "+commands.FormatTime(s.Since, now), seen)
	}
	return t.text("No browser is signed in.\n")
}

// pageCommand sends the command page to the running hob and decodes its answer into out.
func (a *program) pageCommand(ctx context.Context, args string, out any) error {
	s, err := a.LoadStateDir()
	if err != nil {
		return err
	}
	ctx, leave := client.UntilInterrupted(ctx)
	defer leave()
	c := api.NewClient(s.SocketPath())
	st, err := c.Status(ctx)
	if client.IsGone(err) || err == nil && st.Serves != app.DaemonCommand {
		return exit.Errorf(exit.Failed, "the page is there while %s runs: start that first", app.DaemonCommand)
	}
	if err != nil {
		return err
	}
	reply, err := c.Command(ctx, api.CommandRequest{Name: "page", Args: args})
	if err != nil {
		return err
	}
	return json.Unmarshal(reply.Data, out)
}
