package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What could be a secret is taken out wherever it stands, and the rest stays as it is, byte for byte.
func TestStripSecrets(t *testing.T) {
	const src = `# my token: hunter2hunter2
[telegram]
token_file = "~/.config/hob/token" # the old one was 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw
token = "123456:ABC-DEF" # no key of hob's
api_base = "https://me:hunter2@api.example.org"
[policy]
secrets = ["/etc/hob/one", "/etc/hob/two"] # a list of files
[agent]
max_output_tokens = 12000
[mystery]
list = ["a",
 "b"]
[mcp.notes]
command = ["notes", "--api-key", "hunter2", "--password=hunter2", "NOTES_TOKEN=hunter2", "-v"]
env_files = {API_KEY = "/etc/hob/api_key"}
env = {LOG_LEVEL = "debug"}
[mcp.far]
url = "https://far.example.org/mcp?access_token=hunter2&x=1"
header_files = {Authorization = "/etc/hob/authorization"}
description = "what I noted"
`
	const want = `# my token: [secret]
[telegram]
token_file = "~/.config/hob/token" # the old one was [secret]
token = "" # no key of hob's
api_base = "https://me:[secret]@api.example.org"
[policy]
secrets = ["/etc/hob/one", "/etc/hob/two"] # a list of files
[agent]
max_output_tokens = 12000
[mystery]
list = ""
[mcp.notes]
command = ["notes", "--api-key", "[secret]", "--password=[secret]", "NOTES_TOKEN=[secret]", "-v"]
env_files = {API_KEY = "/etc/hob/api_key"}
env = {LOG_LEVEL = "debug"}
[mcp.far]
url = "https://far.example.org/mcp?access_token=[secret]&x=1"
header_files = {Authorization = "/etc/hob/authorization"}
description = "what I noted"
`
	clean, left, ok := StripSecrets(src)
	if diff := cmp.Diff(want, clean); diff != "" || !ok {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
	at := []string{"line 1", "line 3", "[telegram] token", "line 5", "[mystery] list", "line 14", "line 14", "line 14", "line 18"}
	if diff := cmp.Diff(at, left); diff != "" {
		t.Errorf("left out: (-want +got)\n%s", diff)
	}
}

// The example has no secrets, so all of it stays; what is no TOML may be anything.
func TestStripSecrets_NothingToDo(t *testing.T) {
	raw, err := os.ReadFile("../../config.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{"", string(raw), strings.ReplaceAll(string(raw), "#[mcp.example]", "[mcp.example]")} {
		if clean, left, ok := StripSecrets(src); clean != src || left != nil || !ok {
			t.Errorf("%v, %v\n%s", left, ok, cmp.Diff(src, clean))
		}
	}
	if clean, left, ok := StripSecrets("token = hunter2"); clean != "" || len(left) != 1 || ok {
		t.Errorf("%q, %v, %v", clean, left, ok)
	}
}
