package mcp

import (
	"encoding/json"
	"testing"

	"hob/internal/tools"
)

// As a command a server's tool takes first what it requires, in the order in which the server lists that.
func TestTool_OrderOfArguments(t *testing.T) {
	schema := `{"type":"object","properties":{"city":{"type":"string"},"amount":{"type":"integer"},"zone":{"type":"string"},` +
		`"from":{"type":"string"}},"required":["zone","city"]}`
	tool, err := (&Client{}).tool("weather_now", listed{Name: "now", Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"amount":3,"city":"Oslo","from":"sea","zone":"north"}`
	got, err := tools.ParseArguments(tool, []string{"north", "Oslo", "3", "sea"})
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
