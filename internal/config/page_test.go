package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The keys of the page are right by themselves and together: no browser is ever served plain HTTP over a network.
func TestPage(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		`listen = "localhost:8780"`:   "",
		`listen = "127.0.0.1:8780"`:   "",
		`listen = "[::1]:8780"`:       "",
		`listen = "8780"`:             "must be an address to listen at",
		`listen = "hob.lan:8780"`:     "must be an address to listen at",
		`listen = "localhost:0"`:      "must be an address to listen at",
		`listen = "0.0.0.0:8780"`:     "can be reached from other machines",
		`listen = "192.168.1.5:8780"`: "can be reached from other machines",
		`listen = "[::]:8780"`:        "can be reached from other machines",
		`tls = "yes"`:                 `must be "" or "own"`,
		`host = "192.168.1.5"`:        "must be a name without a port",
		`host = "hob.lan:80"`:         "must be a name without a port",
		`url = "http://hob.lan"`:      "must begin with https://",
		`url = "https://10.0.0.1"`:    "must have a name",
		`url = "https://a.lan/x"`:     "without a path",
		`url = "https://u@a.lan"`:     "without a path",
		`proxies = ["proxy.lan"]`:     "must hold addresses or networks",
		`proxies = ["10.0.0.0/24"]`:   "", // without listen nothing is served
		"listen = \"localhost:8780\"\nproxies = [\"127.0.0.1\"]":                              "needs url",
		"listen = \"0.0.0.0:8780\"\ntls = \"own\"":                                            "needs the name that people open",
		"listen = \"0.0.0.0:8780\"\ntls = \"own\"\nhost = \"hob.lan\"":                        "",
		"listen = \"localhost:8780\"\nhost = \"hob.lan\"":                                     "is the name in a certificate",
		"listen = \"0.0.0.0:8780\"\ntls = \"own\"\nhost = \"hob.lan\"\nurl = \"https://a.b\"": "leave out either url or tls",
		"listen = \"localhost:8780\"\nurl = \"https://Hob.Example.ts.net:443/\"":              "",
		"listen = \"192.168.1.5:8780\"\nurl = \"https://hob.example.org\"":                    "can be reached from other machines",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte("[page]\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Load(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
