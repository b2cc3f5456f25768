package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/mcp"
)

// serverFor is how long a server may take to start while it is looked at.
const serverFor = 30 * time.Second

// checkSkills reads the skills and starts the servers, each for a moment.
func (a *program) checkSkills(ctx context.Context, s *app.Environment) []check {
	k, err := a.kit(ctx, s, app.JournalTools{})
	if err != nil {
		return []check{bad("skills", "", "%v", err)}
	}
	defer k.Skills.Close()
	var names []string
	for _, skill := range k.Skills.Toolset(ctx).Skills {
		names = append(names, skill.Name)
	}
	found := []check{good("skills", "%s", strings.Join(names, ", "))}
	for _, p := range k.Skills.Problems(ctx) {
		found = append(found, poor("a skill", "hob skill check says what is wrong with one of yours", "%s", p))
	}
	servers := make([]check, len(k.Skills.Servers))
	var all sync.WaitGroup
	for i, c := range k.Skills.Servers {
		all.Go(func() { servers[i] = checkServer(k.Skills, ctx, c) })
	}
	all.Wait()
	return append(found, servers...)
}

// checkServer starts a server of other people's tools.
func checkServer(set *app.Skills, ctx context.Context, c *mcp.Client) check {
	name := "[mcp." + c.Status().Name + "]"
	ctx, cancel := context.WithTimeout(ctx, serverFor)
	defer cancel()
	skill, err := c.Begin(ctx)
	if err == nil {
		return good(name, "runs, with %s", display.Count(len(skill.Tools), "tool"))
	}
	why := err.Error()
	if st := c.Status(); st.Error != "" { // what the server says of itself is for the owner
		why = st.Error
	}
	return bad(name, "start its command, or reach its url, by hand; see docs/mcp.md", "does not start: %s", set.Redact(why))
}
