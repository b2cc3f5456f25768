package doctor

import (
	"context"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/mcp"
)

// serverTimeout limits how long a server may take to start.
const serverTimeout = 30 * time.Second

// checkSkills reads the skills and starts each MCP server once.
func checkSkills(ctx context.Context, s *app.Environment) []Check {
	k, err := s.StandaloneTools(ctx, app.JournalTools(nil))
	if err != nil {
		return []Check{fail("skills", "", "%v", err)}
	}
	defer k.Skills.Close()
	var names []string
	for _, skill := range k.Skills.Toolset(ctx).Skills {
		names = append(names, skill.Name)
	}
	found := []Check{pass("skills", "%s", strings.Join(names, ", "))}
	faults, warnings := k.Skills.Problems(ctx)
	for _, p := range faults {
		found = append(found, warn("a skill", "hob skill check says what is wrong with one of yours", "%s", p))
	}
	if n := len(warnings); n > 0 {
		found = append(found, warn("warnings", "hob skill list names them", "%d about skills that work all the same", n))
	}
	for _, unknown := range s.UnknownNames(ctx, k.Skills) {
		found = append(found, warn("a name", "correct it, or remove it", "%s", unknown))
	}
	servers := make([]Check, len(k.Skills.Servers))
	var all sync.WaitGroup
	for i, c := range k.Skills.Servers {
		all.Go(func() { servers[i] = checkServer(ctx, k.Skills, c) })
	}
	all.Wait()
	return append(found, servers...)
}

// checkServer starts an MCP server.
func checkServer(ctx context.Context, set *app.Skills, c *mcp.Client) Check {
	name := "[mcp." + c.Status().Name + "]"
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	skill, err := c.Begin(ctx)
	if err == nil {
		return pass(name, "runs, with %s", display.Count(len(skill.Tools), "tool"))
	}
	why := err.Error()
	if st := c.Status(); st.Error != "" { // the owner may read the server's own message
		why = st.Error
	}
	return fail(name, "start its command, or reach its url, by hand; see docs/mcp.md", "does not start: %s", set.Redact(why))
}
