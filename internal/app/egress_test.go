package app

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/store"
)

// newTestEgress is an Egress with a journal of its own.
func newTestEgress(t *testing.T) *Egress {
	t.Helper()
	w := NewEgress(filepath.Join(t.TempDir(), "state", "journal.db"), egress.GateConfig{})
	t.Cleanup(func() {
		if err := w.End(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// The journal is opened for the first contact, not earlier.
func TestTheLedgerOpensTheJournalWhenItIsNeeded(t *testing.T) {
	fake := httptest.NewServer(http.NotFoundHandler())
	defer fake.Close()
	w := newTestEgress(t)
	d, err := w.Ollama([]string{fake.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.path); !os.IsNotExist(err) {
		t.Errorf("a journal is there before it is needed: %v", err)
	}
	visit(t, d, fake.URL)
	if _, err := os.Stat(w.path); err != nil {
		t.Error(err)
	}
	// A hob that begins now, as hob run does, has the journal to itself; the ledger goes on in it.
	db, err := w.OpenJournal(t.Context(), store.Open)
	if err != nil {
		t.Fatal(err)
	}
	if w.ownsJournal {
		t.Error("the ledger still has a journal of its own")
	}
	visit(t, d, fake.URL)
	w.DetachJournal()
	if diff := cmp.Diff(map[string]int64{"ollama": 2}, connections(t, db)); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// What comes later is recorded, too.
	visit(t, d, fake.URL)
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	db, err = store.Open(t.Context(), w.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if diff := cmp.Diff(map[string]int64{"ollama": 3}, connections(t, db)); diff != "" {
		t.Errorf("connections at the end (-want +got):\n%s", diff)
	}
}

func visit(t *testing.T, d *egress.Dialer, url string) {
	t.Helper()
	tr := &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: tr}).Get(url + "/api/version")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func connections(t *testing.T, db *store.DB) map[string]int64 {
	t.Helper()
	var none struct{ store.Contact }
	all, err := db.Ledger().Since(t.Context(), none.First)
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int64{}
	for _, c := range all {
		sum[c.Reason] += c.Connections
	}
	return sum
}

// Where hob serves itself is out of reach in every process, also in one that serves nothing: an agent over MCP, a tool, a command.
func TestNoProcessReachesWhatAnotherServes(t *testing.T) {
	for _, c := range []struct {
		name, config  string
		kept, reached []string
	}{
		{"nothing is configured", "", []string{"localhost:8780", "127.0.0.1:8780", "[::1]:8780"}, []string{"localhost:18445"}},
		{"the page", "[page]\nlisten = \"localhost:18445\"\n", []string{"localhost:18445", "127.0.0.2:18445", "localhost:8780"}, []string{"localhost:18446"}},
		{"the API", "[api]\nlisten = \"127.0.0.1:18446\"\n", []string{"localhost:18446"}, []string{"localhost:18445"}},
		{"with certificates", "[page]\nlisten = \"0.0.0.0:18445\"\ntls = \"own\"\nhost = \"hob.lan\"\n", []string{"localhost:18445", "hob.lan:18445"}, []string{"localhost:443"}},
		{"behind a proxy", "[page]\nlisten = \"localhost:18445\"\nurl = \"https://hob.example.org\"\n", []string{"localhost:18445", "hob.example.org:443"}, []string{"hob.example.org:80"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "config.toml")
			env := map[string]string{"HOB_STATE_DIR": dir, "HOME": dir, "HOB_CONFIG": file}
			l := &Loader{Env: func(name string) string { return env[name] }, Stderr: io.Discard, Egress: newTestEgress(t)}
			load := func(config string) {
				if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := l.Load(); err != nil {
					t.Fatal(err)
				}
			}
			allow := slices.Concat(c.kept, c.reached)
			commands, err := l.Egress.Commands(allow, "[shell] network")
			if err != nil {
				t.Fatal(err)
			}
			refused := func(place string) bool {
				host, port, _ := net.SplitHostPort(place)
				n, _ := strconv.Atoi(port)
				return commands.Check(host, uint16(n)) != nil
			}
			load("[page]\nlisten = \"localhost:18446\"\n") // which the next configuration replaces, as at a reload
			load(c.config)
			for i, place := range allow {
				if want := i < len(c.kept); refused(place) != want {
					t.Errorf("%s is refused: %v", place, !want)
				}
			}
		})
	}
}
