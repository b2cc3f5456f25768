package prose_test

import (
	"testing"

	"hob/internal/prose"
)

func TestSection(t *testing.T) {
	const file = "# Notes\n\n## one\nYou called {{tool}}.\nNow {{what}}.\n\n## two\n{{tool}}\n"
	for _, c := range []struct{ name, want string }{
		{"one", "You called {{what}}.\nNow answer."}, {"two", "{{what}}"}, {"three", ""}, {"on", ""},
	} {
		pairs := []string{"tool", "{{what}}", "what", "answer"}
		if got := prose.Section(file, c.name, pairs...); got != c.want || pairs[0] != "tool" {
			t.Errorf("%s is %q, want %q", c.name, got, c.want)
		}
	}
}
