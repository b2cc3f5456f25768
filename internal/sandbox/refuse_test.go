//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Why a tier is not in force, and what to do, for what is known of the machines that refuse.
func TestRefuse(t *testing.T) {
	start := func(err error) error {
		return &failure{stage: "start", err: &os.PathError{Op: "fork/exec", Path: "/proc/self/exe", Err: err}}
	}
	for _, c := range []struct {
		name     string
		tier     Tier
		err      error
		settings map[string]string
		want     Refusal
	}{
		{
			"Ubuntu's AppArmor", T1, &failure{stage: "mount", err: errors.New("make / private: permission denied")},
			map[string]string{"kernel.apparmor_restrict_unprivileged_userns": "1", "user.max_user_namespaces": "127000"},
			Refusal{T1, "AppArmor lets only named programs use new user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)", adviseApparmor},
		},
		{
			"a copied bwrap there", T2, &failure{stage: "start", err: errors.New("the helper ended before they stood: exit status 1"), stderr: "bwrap: setting up uid map: Permission denied"},
			map[string]string{"kernel.apparmor_restrict_unprivileged_userns": "1"},
			Refusal{T2, "AppArmor lets only named programs use new user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)", adviseApparmor},
		},
		{
			"none allowed", T1, start(syscall.ENOSPC), map[string]string{"user.max_user_namespaces": "0"},
			Refusal{T1, "user namespaces are switched off (user.max_user_namespaces=0)", "sysctl user.max_user_namespaces=15000"},
		},
		{
			"too many", T1, start(syscall.ENOSPC), map[string]string{"user.max_user_namespaces": "7"},
			Refusal{T1, "there are too many user namespaces already (user.max_user_namespaces=7)", "raise that setting, or nest fewer of them"},
		},
		{
			"root's alone", T1, start(syscall.EPERM), map[string]string{"kernel.unprivileged_userns_clone": "0"},
			Refusal{T1, "user namespaces are for root alone (kernel.unprivileged_userns_clone=0)", "sysctl kernel.unprivileged_userns_clone=1, or install bubblewrap"},
		},
		{
			"RestrictNamespaces or a container", T1, start(syscall.EPERM), nil,
			Refusal{T1, "new namespaces are forbidden here: fork/exec /proc/self/exe: operation not permitted", adviseUnit},
		},
		{
			"a kernel without", T1, start(syscall.EINVAL), nil,
			Refusal{T1, "this kernel was built without one of the namespaces, or a filter hides them: fork/exec /proc/self/exe: invalid argument", adviseUnit},
		},
		{
			"no Landlock", T3, &failure{stage: "landlock", err: errors.New("this kernel has no Landlock")}, nil,
			Refusal{T3, "this kernel has no Landlock", adviseLandlock},
		},
		{
			"a failed attack", T1, errBroken{[]string{"network: udp: sent", "read secrets: open: got it"}}, nil,
			Refusal{T1, "it did not stop an attack of the self-test: network: udp: sent; read secrets: open: got it", ""},
		},
		{
			"anything else", T3, &failure{stage: "temp", err: syscall.ENOSPC}, nil,
			Refusal{T3, "build the sandbox's walls (temp): no space left on device", ""},
		},
		{"no canaries", T1, fmt.Errorf("lay out: %w", syscall.EROFS), nil, Refusal{T1, "lay out: read-only file system", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := refuse(c.tier, c.err, func(name string) string { return c.settings[name] })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOutput_String(t *testing.T) {
	for _, c := range []struct {
		name, in string
		keep     int
		want     string
	}{
		{"nothing", "", 4, ""},
		{"all of it", "abcdefgh", 4, "abcdefgh"},
		{"the middle is left out", "abcdefghij", 4, "abcd\n[... 2 bytes left out; send the output to a file to see all of it ...]\nghij"},
		{"cut at lines", "one\ntwo\nthree\nfour\n", 7, "one\n[... 10 bytes left out; send the output to a file to see all of it ...]\nfour\n"},
		{"cut between letters", "ééééééé", 5, "éé\n[... 6 bytes left out; send the output to a file to see all of it ...]\néé"},
		{"not text", "caf\351", 10, "caf\uFFFD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size := 1; size <= 5; size++ { // however it comes
				e := ends{keep: c.keep}
				for rest := []byte(c.in); len(rest) > 0; rest = rest[min(size, len(rest)):] {
					e.add(rest[:min(size, len(rest))])
				}
				if got := e.output().String(); got != c.want {
					t.Errorf("%q; want %q", got, c.want)
				}
			}
		})
	}
}
