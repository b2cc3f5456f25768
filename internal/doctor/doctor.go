// Package doctor checks on this machine what hob needs and what it promises.
//
// [Diagnose] runs all checks, a [Group] for each subject: the model, the daemon, the sandbox, the
// file tools, the skills and the network. The checks attack a scratch workspace and a gate of their
// own, and touch nothing of the owner's. [Prove] shows that this process, as configured, reaches no
// host that it must not.
package doctor

import (
	"context"
	"fmt"
	"sync"

	"hob/internal/app"
	"hob/internal/egress"
)

// State is the result of a check.
type State string

const (
	OK     State = "ok"   // as it should be
	Weak   State = "weak" // hob works, but a protection is missing or weaker than it could be
	Broken State = "fail" // hob does not work, or breaks a promise
)

// Check is one result.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do"` // advice for a person, or ""
}

// Group is the checks of one subject.
type Group struct {
	Name   string  `json:"name"`
	Checks []Check `json:"checks"`
}

// Diagnosis is what `hob doctor --json` prints.
type Diagnosis struct {
	OK     bool    `json:"ok"` // no check failed; some may be weak
	Groups []Group `json:"groups"`
}

// Diagnose runs all checks, the subjects in parallel. canary is one of [egress.RestartWithCanary], made before
// any connection was open; noCanary is the error if there is none.
func Diagnose(ctx context.Context, l *app.Loader, canary *egress.Canary, noCanary error) Diagnosis {
	checkWays := func(ctx context.Context, s *app.Environment) []Check {
		if noCanary != nil {
			return []Check{fail("web", "", "nothing could be tried: %v", noCanary)}
		}
		return checkEgress(ctx, s, canary)
	}
	s, found := checkEnvironment(ctx, l)
	d := Diagnosis{OK: true, Groups: []Group{{"hob", found}}}
	if s != nil {
		subjects := []struct {
			name string
			look func(context.Context, *app.Environment) []Check
		}{{"model", checkModel}, {"serve", checkServe}, {"sandbox", checkSandbox}, {"files", checkFiles}, {"skills", checkSkills}, {"egress", checkWays}}
		groups := make([]Group, len(subjects))
		var all sync.WaitGroup
		for i, one := range subjects {
			all.Go(func() { groups[i] = Group{one.name, one.look(ctx, s)} })
		}
		all.Wait()
		d.Groups = append(d.Groups, groups...)
	}
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			d.OK = d.OK && c.State != Broken
		}
	}
	return d
}

// attack is something that must not succeed, or must end well. try returns what a person reads of it.
type attack struct {
	name string
	try  func(context.Context) (string, error)
}

// runAttacks makes a check of each attack, after which unharmed must return no error.
func runAttacks(ctx context.Context, attacks []attack, unharmed func(context.Context) error, advice string) []Check {
	found := make([]Check, 0, len(attacks))
	for _, one := range attacks {
		text, err := one.try(ctx)
		if err == nil {
			err = unharmed(ctx)
		}
		if err != nil {
			found = append(found, fail(one.name, advice, "%v", err))
			continue
		}
		found = append(found, pass(one.name, "%s", text))
	}
	return found
}

// pass, warn and fail make checks.
func pass(name, format string, args ...any) Check {
	return Check{Name: name, State: OK, Found: fmt.Sprintf(format, args...)}
}

func warn(name, do, format string, args ...any) Check {
	return Check{Name: name, State: Weak, Do: do, Found: fmt.Sprintf(format, args...)}
}

func fail(name, do, format string, args ...any) Check {
	return Check{Name: name, State: Broken, Do: do, Found: fmt.Sprintf(format, args...)}
}
