package app

import (
	"context"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// AddGrant allows a tool one host or one folder permanently.
func (s *Environment) AddGrant(ctx context.Context, name, where string) (event.Grant, error) {
	g := event.Grant{Time: time.Now(), By: "owner", Tool: name, Host: strings.ToLower(where)}
	if strings.HasPrefix(where, "/") {
		g.Path, g.Host = where, ""
	}
	set, err := s.StandaloneTools(ctx, JournalTools(nil))
	if err != nil {
		return g, err
	}
	defer set.Skills.Close()
	tool, err := set.ByName(name)
	if err != nil {
		return g, exit.Errorf(exit.Usage, "%v", err)
	}
	if err := checkGrant(tool, g); err != nil {
		return g, err
	}
	err = s.EditJournal(ctx, func(db *store.DB) (err error) {
		g, err = db.Grants().Add(WithOwnersCause(ctx, "grant"), g)
		return err
	})
	return g, err
}

// checkGrant returns an error for a grant that the tool's calls never need: it would only seem to
// work.
func checkGrant(tool tools.Tool, g event.Grant) error {
	caps := tools.DefOf(tool).Capabilities
	switch err := policy.CheckGrant(g); {
	case !policy.Grantable(tool):
		return exit.Errorf(exit.Usage, "%s cannot be allowed for good: that is for tools that send to a host, such as fetch", g.Tool)
	case err != nil:
		return exit.Errorf(exit.Usage, "%v", err)
	case g.Path != "" && !caps.Has(tools.Outside):
		return exit.Errorf(exit.Usage, "%s uses no folder: name a host", g.Tool)
	case g.Host != "" && !caps.Has(tools.Sends):
		return exit.Errorf(exit.Usage, "%s sends to no host: name a folder", g.Tool)
	}
	return nil
}
