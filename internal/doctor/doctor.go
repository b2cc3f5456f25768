// Package doctor tries out what hob needs and what it promises on this machine: each check is a function from the environment to what it
// found. Nothing of the owner's is touched.
package doctor

import (
	"context"
	"fmt"
	"sync"

	"hob/internal/app"
	"hob/internal/egress"
)

// State is how a check came out.
type State string

const (
	OK     State = "ok"   // as it should be
	Weak   State = "weak" // hob works, and something is not enforced or not as good as it could be
	Broken State = "fail" // hob does not work, or does not keep a promise
)

// Check is one thing that was tried out.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do"` // what a person can do about it; "" where there is nothing
}

// Group is the checks of one subject.
type Group struct {
	Name   string  `json:"name"`
	Checks []Check `json:"checks"`
}

// Diagnosis is what `hob doctor --json` prints.
type Diagnosis struct {
	OK     bool    `json:"ok"` // nothing failed; something may be weak
	Groups []Group `json:"groups"`
}

// Diagnose makes all checks, the subjects side by side. canary is one of [egress.Baited], made before anything was open; noCanary says
// why there is none.
func Diagnose(ctx context.Context, l *app.Loader, canary *egress.Canary, noCanary error) Diagnosis {
	checkWays := func(ctx context.Context, s *app.Environment) []Check {
		if noCanary != nil {
			return []Check{bad("web", "", "nothing could be tried: %v", noCanary)}
		}
		return checkEgress(ctx, s, canary)
	}
	s, found := checkSetting(ctx, l)
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

// good, poor and bad make checks.
func good(name, format string, args ...any) Check {
	return Check{Name: name, State: OK, Found: fmt.Sprintf(format, args...)}
}

func poor(name, do, format string, args ...any) Check {
	return Check{Name: name, State: Weak, Do: do, Found: fmt.Sprintf(format, args...)}
}

func bad(name, do, format string, args ...any) Check {
	return Check{Name: name, State: Broken, Do: do, Found: fmt.Sprintf(format, args...)}
}
