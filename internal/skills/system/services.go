package system

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	maxServices = 40 // that are shown
	maxWords    = 60 // bytes of a description
	maxPattern  = 100
)

type servicesIn struct {
	Pattern string `json:"pattern,omitempty" jsonschema:"part of the name"`
	Failed  bool   `json:"failed,omitempty" jsonschema:"only failed ones"`
}

// unit is a line of systemctl.
type unit struct {
	name, state, about string
	failed             bool
}

func (m machine) services(ctx context.Context, in servicesIn) (tools.Result, error) {
	pattern := strings.ToLower(strings.Trim(strings.TrimSpace(in.Pattern), "*"))
	if len(pattern) > maxPattern {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "pattern: has more than %d bytes", maxPattern).
			Suggest("give a part of the name")
	}
	argv := []string{"systemctl", "list-units", "--type=service", "--all"}
	if in.Failed {
		argv = []string{"systemctl", "list-units", "--failed"} // of all types
	}
	units, err := m.units(ctx, argv)
	if err != nil {
		return tools.Result{}, err
	}
	shown := slices.DeleteFunc(units, func(u unit) bool {
		named := pattern == "" || strings.Contains(strings.ToLower(u.name+" "+u.about), pattern)
		return !named || pattern == "" && !u.failed && strings.HasPrefix(u.state, "inactive") || in.Failed && !u.failed
	})
	sort.SliceStable(shown, func(i, j int) bool { return shown[i].failed && !shown[j].failed })
	label := event.Label{Private: true, Source: "systemd"}
	switch {
	case len(shown) == 0 && in.Failed && pattern == "":
		return tools.Result{Text: "no service has failed", Label: label}, nil
	case len(shown) == 0:
		return tools.Result{Text: "no service has that in its name; try a shorter part, or none for all that run", Label: label}, nil
	}
	var out strings.Builder
	for _, u := range shown[:min(len(shown), maxServices)] {
		fmt.Fprintf(&out, "%s: %s (%s)\n", u.name, u.state, display.TruncateBytes(u.about, maxWords))
	}
	if more := len(shown) - maxServices; more > 0 {
		fmt.Fprintf(&out, "and %d more; give a part of the name\n", more)
	}
	return tools.Result{Text: strings.TrimSpace(out.String()), Label: label}, nil
}

// units runs systemctl with those arguments and reads the table.
func (m machine) units(ctx context.Context, argv []string) ([]unit, error) {
	out, err := m.Run(ctx, append(argv, "--plain", "--no-legend", "--no-pager", "--full"))
	if bad := systemdError(ctx, out, err); bad != nil {
		return nil, bad
	}
	var all []unit
	for line := range strings.Lines(out) {
		fields := strings.Fields(strings.TrimLeft(display.Visible(line), "●○*× "))
		if len(fields) < 4 || !strings.Contains(fields[0], ".") {
			continue
		}
		u := unit{name: display.TruncateBytes(fields[0], 100), state: fields[2] + " " + fields[3], about: strings.Join(fields[4:], " ")}
		u.failed = fields[2] == "failed"
		switch {
		case u.failed:
			u.state = "FAILED"
		case fields[1] == "not-found":
			u.state = "inactive, not installed"
		case fields[1] == "masked":
			u.state = "inactive, masked"
		}
		all = append(all, u)
	}
	return all, nil
}

// failed says in a line which units have failed.
func (m machine) failed(ctx context.Context) string {
	units, err := m.units(ctx, []string{"systemctl", "list-units", "--failed"})
	var names []string
	for _, u := range units {
		if u.failed {
			names = append(names, u.name)
		}
	}
	switch {
	case err != nil:
		return "services: " + err.Error()
	case len(names) == 0:
		return "failed services: none"
	case len(names) > 10:
		return fmt.Sprintf("failed services: %d WARNING: %s and others", len(names), strings.Join(names[:10], ", "))
	}
	return fmt.Sprintf("failed services: %d WARNING: %s", len(names), strings.Join(names, ", "))
}

// systemdError is nil where a program of systemd has answered, and says why it has not.
func systemdError(ctx context.Context, out string, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case errors.Is(err, ErrNoProgram), strings.Contains(out, "not been booted with systemd"):
		return tools.Disabled("this machine does not run systemd, so services and their logs cannot be seen").
			Suggest("the owner can say what runs services here instead")
	case ctx.Err() != nil:
		return fmt.Errorf("ask systemd: %w", err)
	case errors.Is(err, context.DeadlineExceeded):
		return tools.TimedOut("systemd did not answer within %s", runTime).Suggest("ask for less: a unit, a time, fewer lines").Retry()
	case strings.Contains(out, "Failed to connect to bus"):
		return tools.Disabled("hob cannot reach systemd from where it runs").
			Suggest("the owner lets hob's service reach /run/dbus and /run/systemd")
	}
	why := display.TruncateBytes(display.Visible(out), 200)
	if why == "" {
		why = err.Error()
	}
	return tools.Failed("systemd refused: %s", why)
}
