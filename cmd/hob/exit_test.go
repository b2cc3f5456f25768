package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/store"
)

// exitOf is a way out with a journal of its own.
func exitOf(t *testing.T) *wayOut {
	t.Helper()
	w := newWayOut(filepath.Join(t.TempDir(), "state", "journal.db"))
	t.Cleanup(func() {
		if err := w.end(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// The journal is opened when somebody is contacted, and not before.
func TestTheLedgerOpensTheJournalWhenItIsNeeded(t *testing.T) {
	fake := newFakeOllama(t)
	w := exitOf(t)
	d, err := w.ollama([]string{fake.URL})
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
	db, err := w.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if w.mine {
		t.Error("the ledger still has a journal of its own")
	}
	visit(t, d, fake.URL)
	w.leave()
	if diff := cmp.Diff(map[string]int64{"ollama": 2}, connections(t, db)); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// What comes later is recorded, too.
	visit(t, d, fake.URL)
	if err := w.end(); err != nil {
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
	all, err := db.Contacts(t.Context(), none.First)
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int64{}
	for _, c := range all {
		sum[c.Reason] += c.Connections
	}
	return sum
}

// The proofs can fail: with a proxy that is believed and a dialer that is too free, the canary is reached.
// The test runs in a process of its own, for that starts itself again.
func TestTheCanaryIsReachedByWhoBelievesTheEnvironment(t *testing.T) {
	const variable, arrived = "HOB_TEST_BELIEVER", "the believer came to the canary"
	if os.Getenv(variable) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), variable+"=1", "NO_PROXY=*", "REQUEST_METHOD=GET", "TMPDIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), arrived) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	canary, err := egress.Baited(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer canary.Close()
	p := &prover{set: &setting{exit: exitOf(t)}, canary: canary}
	believer := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	if resp, err := believer.Get("http://" + nobody + "/"); err == nil {
		resp.Body.Close()
	}
	if err := p.add(t.Context(), "a proxy", nil, "nothing came"); err != nil {
		t.Fatal(err)
	}
	want := []proof{{"a proxy", false, "the canary was reached"}}
	if diff := cmp.Diff(want, p.proofs); diff != "" {
		t.Errorf("proofs (-want +got):\n%s", diff)
	}
	t.Log(arrived)
}

// A dialer that lets one through is told of.
func TestADialThatWasNotRefused(t *testing.T) {
	var hits atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	w := exitOf(t)
	at := srv.Listener.Addr().String()
	free, err := w.Only("privacy check", at, "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if how := dialed(t.Context(), free, at); how != "a connection was made" {
		t.Errorf("%q", how)
	}
	if how := dialed(t.Context(), free, "127.0.0.1:1"); !strings.HasPrefix(how, "it was tried: ") {
		t.Errorf("%q", how)
	}
	if how := dialed(context.WithoutCancel(t.Context()), free, "127.0.0.1:2"); how != "" {
		t.Errorf("%q", how)
	}
}
