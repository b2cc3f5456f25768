//go:build !linux

package doctor

import (
	"context"

	"hob/internal/app"
)

func checkSandbox(ctx context.Context, s *app.Environment) (found []Check) {
	for _, r := range s.NewShell().Sandbox.Report(ctx).Refused {
		found = append(found, warn(r.Tier.String()+" refused", r.Advice, "%s", r.Reason))
	}
	return found
}
