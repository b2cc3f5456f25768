package app

import (
	"io"
	"path/filepath"
	"testing"

	group "hob/internal/skills/telegram"
	"hob/internal/tools"
)

// The arguments of each of hob's own tools can be read, it is a command that fits them, and none takes the word of another. A start
// does not check that.
func TestOwnToolsAreCommands(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"HOB_STATE_DIR": dir, "HOME": dir, "HOB_CONFIG": filepath.Join(dir, "none.toml")}
	l := &Loader{Env: func(name string) string { return env[name] }, Stderr: io.Discard}
	s, err := l.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := s.StandaloneTools(t.Context(), JournalTools(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Skills.Close()
	all := append(set.All(), group.New(nil).Tools...)
	if len(all) < 30 {
		t.Errorf("there are %d tools: were all of them found?", len(all))
	}
	for _, tool := range all {
		if params := tool.Parameters(); params["type"] != "object" { // of a struct that cannot work it panics
			t.Errorf("%s takes %v", tool.Name(), params)
		}
		if bad := tools.CheckCommand(tool); len(bad) > 0 {
			t.Errorf("%s: %q", tool.Name(), bad)
		}
	}
	if _, lost := tools.NewCommands(all); len(lost) > 0 {
		t.Errorf("%q", lost)
	}
}
