package agenttest

import (
	"context"

	"hob/internal/tools"
)

// burst is the tool that panics. The recorded conversations name the line of that, which therefore never moves.
func burst() tools.Tool {
	return tools.New(tools.Def{Name: "burst", Description: "panics", Capabilities: tools.Writes}, func(context.Context, path) (tools.Result, error) {
//line agent_test.go:153
		panic("a bug")
//line burst.go:15
	})
}
