package doctor

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

	"hob/internal/app"
	"hob/internal/egress"
)

// The proofs can fail: a client that uses the proxy variables reaches the canary. The test runs in
// a process of its own, because the test program starts itself again.
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
	canary, err := egress.RestartWithCanary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer canary.Close()
	p := &prover{env: &app.Environment{Egress: newTestEgress(t)}, canary: canary}
	believer := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	if resp, err := believer.Get("http://" + unusedAddress + "/"); err == nil {
		resp.Body.Close()
	}
	if err := p.addProof(t.Context(), "a proxy", nil, "nothing came"); err != nil {
		t.Fatal(err)
	}
	want := []Proof{{"a proxy", false, "the canary was reached"}}
	if diff := cmp.Diff(want, p.proofs); diff != "" {
		t.Errorf("proofs (-want +got):\n%s", diff)
	}
	t.Log(arrived)
}

// A dialer that allows too much is reported.
func TestADialThatWasNotRefused(t *testing.T) {
	var hits atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	w := newTestEgress(t)
	at := srv.Listener.Addr().String()
	free, err := w.Only("privacy check", at, "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if how := tryDial(t.Context(), free, at); how != "a connection was made" {
		t.Errorf("%q", how)
	}
	if how := tryDial(t.Context(), free, "127.0.0.1:1"); !strings.HasPrefix(how, "it was tried: ") {
		t.Errorf("%q", how)
	}
	if how := tryDial(context.WithoutCancel(t.Context()), free, "127.0.0.1:2"); how != "" {
		t.Errorf("%q", how)
	}
}

// newTestEgress is an Egress with a journal of its own.
func newTestEgress(t *testing.T) *app.Egress {
	t.Helper()
	w := app.NewEgress(filepath.Join(t.TempDir(), "state", "journal.db"), egress.GateConfig{})
	t.Cleanup(func() {
		if err := w.End(); err != nil {
			t.Error(err)
		}
	})
	return w
}
