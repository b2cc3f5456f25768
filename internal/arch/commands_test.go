package arch

import (
	"os/exec"
	"strings"
	"testing"
)

// TestModelsReachNoCommand: nothing that a model, a tool call or an MCP client runs is built of the table of commands, so none of
// them can give one.
func TestModelsReachNoCommand(t *testing.T) {
	for _, pkg := range []string{"agent/...", "session", "policy", "tools/...", "skills/...", "mcp", "surface/mcp", "llm/..."} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "hob/internal/"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), "hob/internal/commands\n") {
			t.Errorf("internal/%s reaches internal/commands", pkg)
		}
	}
}
