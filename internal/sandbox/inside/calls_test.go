//go:build linux

package inside_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
)

func TestEverySystemCallThatIsRefused(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "calls")
		s.Tier = tier
		r := run(t, s)
		var want strings.Builder
		for _, c := range append(refusals(), allowances()...) {
			fmt.Fprintf(&want, "%s: %d\n", c.name, c.want)
		}
		if diff := cmp.Diff(want.String(), r.Out); diff != "" {
			t.Errorf("answers (-want +got):\n%s%s", diff, r.Err)
		}
	})
}

// A group bounds all memory, so that programs may have all kinds of it.
func TestMemfdIsAllowedWhereAGroupCountsIt(t *testing.T) {
	s := program(t, "calls")
	s.Group = true
	r := run(t, s)
	for _, line := range []string{"memfd_create: 0\n", "shmget: 0\n"} {
		if !strings.Contains(r.Out, line) {
			t.Errorf("no %q in:\n%s", line, r.Out)
		}
	}
}

func TestACallOfAnotherArchitectureKills(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has two ways in")
	}
	each(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "foreign")
		s.Tier = tier
		if r := run(t, s); r.Signal != int(syscall.SIGSYS) {
			t.Errorf("%+v", r)
		}
	})
}

func TestSockets(t *testing.T) {
	const no, mptcp = int(unix.EAFNOSUPPORT), int(unix.EPROTONOSUPPORT)
	kinds := []string{"1:1:0", "2:1:0", "2:2:0", "10:1:0", "10:2:0", "2:1:262", "16:3:0", "17:3:0", "38:5:0", "40:1:0", "31:3:0", "29:3:1"}
	want := func(answers ...int) string {
		var b strings.Builder
		for i, k := range kinds {
			fmt.Fprintln(&b, k, answers[i])
		}
		return b.String() + fmt.Sprintf("pair 1 0\npair 5 0\npair 2 %d\n", answers[len(kinds)])
	}
	for name, test := range map[string]struct {
		tier    inside.Tier
		network bool
		want    string
	}{
		"T1":              {inside.T1, false, want(0, no, no, no, no, mptcp, no, no, no, no, no, no, 0)},
		"T1 with network": {inside.T1, true, want(0, 0, 0, 0, 0, mptcp, no, no, no, no, no, no, 0)},
		"T2":              {inside.T2, false, want(0, no, no, no, no, mptcp, no, no, no, no, no, no, 0)},
		"T3":              {inside.T3, false, want(no, no, no, no, no, mptcp, no, no, no, no, no, no, no)},
	} {
		t.Run(name, func(t *testing.T) {
			s := program(t, "sockets", kinds...)
			s.Tier, s.Network = test.tier, test.network
			r := run(t, s)
			if diff := cmp.Diff(test.want, r.Out); diff != "" {
				t.Errorf("family:kind:protocol errno (-want +got):\n%s%s", diff, r.Err)
			}
		})
	}
}

func TestNoCapabilityAndNoWayToGetOne(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | grep -v CapBnd; grep CapBnd /proc/self/status >&2`)
		s.Tier = tier
		r := run(t, s)
		const none = "0000000000000000"
		want := "CapInh:\t" + none + "\nCapPrm:\t" + none + "\nCapEff:\t" + none + "\nCapAmb:\t" + none + "\nNoNewPrivs:\t1\nSeccomp:\t2\n"
		if diff := cmp.Diff(want, r.Out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		// An ordinary user may not empty its bounding set.
		if bounding := "CapBnd:\t" + none + "\n"; tier == inside.T1 && r.Err != bounding {
			t.Errorf("%q, want %q", r.Err, bounding)
		}
	})
}

func TestNoDescriptorComesIn(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "fds")
		s.Tier, s.Network = tier, tier != inside.T3
		if r := run(t, s); r.Out != "0\n1\n2\n" {
			t.Errorf("%q", r.Out)
		}
	})
}
