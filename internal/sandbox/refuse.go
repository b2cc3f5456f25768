//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

var (
	errNoBwrap  = errors.New("bubblewrap is not installed")
	errRootBomb = errors.New("hob runs as root, whose processes no limit counts: a fork bomb would take the machine") // it did
)

// What the owner could do.
const (
	adviseApparmor = "install bubblewrap, or load an AppArmor profile for hob with the rule \"userns,\""
	adviseLandlock = "use a kernel with Landlock, and name landlock in lsm= on its command line"
	adviseUnit     = "allow namespaces: without RestrictNamespaces= in hob's unit, or with a container's filter that lets unshare and clone pass"
)

// sysctl returns a kernel setting, "" where there is none.
func sysctl(name string) string {
	text, _ := os.ReadFile(filepath.Join("/proc/sys", strings.ReplaceAll(name, ".", "/"))) // empty then
	return strings.TrimSpace(string(text))
}

// refuse says why a tier is not in force, and what could be done about it. setting reads kernel settings.
func refuse(tier Tier, err error, setting func(name string) string) Refusal {
	r := Refusal{Tier: tier, Reason: err.Error()}
	broken, f := errBroken{}, (*failure)(nil)
	switch {
	case errors.As(err, &broken):
		r.Reason = "it did not stop an attack of the self-test: " + broken.Error()
	case errors.Is(err, errRootBomb):
		r.Advice = "run hob as an ordinary user, or as a systemd service with Delegate=yes"
	case errors.Is(err, errNoBwrap):
		r.Advice = "install bubblewrap"
	case errors.As(err, &f):
		f.explain(&r, setting)
	}
	return r
}

// explain says why the walls could not be built, and what could be done about it.
func (f *failure) explain(r *Refusal, setting func(name string) string) {
	denied := f.denied()
	switch {
	case f.stage == "landlock":
		r.Reason, r.Advice = f.err.Error(), adviseLandlock
	case r.Tier == T3:
	case denied && setting("kernel.apparmor_restrict_unprivileged_userns") == "1":
		r.Reason = "AppArmor lets only named programs use new user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)"
		r.Advice = adviseApparmor
	case setting("user.max_user_namespaces") == "0":
		r.Reason, r.Advice = "user namespaces are switched off (user.max_user_namespaces=0)", "sysctl user.max_user_namespaces=15000"
	case denied && setting("kernel.unprivileged_userns_clone") == "0":
		r.Reason = "user namespaces are for root alone (kernel.unprivileged_userns_clone=0)"
		r.Advice = "sysctl kernel.unprivileged_userns_clone=1, or install bubblewrap"
	case errors.Is(f.err, syscall.ENOSPC):
		r.Reason = fmt.Sprintf("there are too many user namespaces already (user.max_user_namespaces=%s)", setting("user.max_user_namespaces"))
		r.Advice = "raise that setting, or nest fewer of them"
	case errors.Is(f.err, syscall.EINVAL), errors.Is(f.err, syscall.ENOSYS):
		r.Reason = "this kernel was built without one of the namespaces, or a filter hides them: " + f.err.Error()
		r.Advice = adviseUnit
	case f.stage == "start" && denied:
		r.Reason, r.Advice = "new namespaces are forbidden here: "+f.err.Error(), adviseUnit
	}
}

// denied reports whether somebody forbade it. A helper's error comes as text.
func (f *failure) denied() bool {
	text := strings.ToLower(f.err.Error() + f.stderr)
	return slices.ContainsFunc([]error{syscall.EPERM, syscall.EACCES}, func(e error) bool {
		return errors.Is(f.err, e) || strings.Contains(text, e.Error())
	})
}
