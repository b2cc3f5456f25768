package gamemaster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/parser"
	"hob/internal/game/show"
	"hob/internal/tools"
)

// asMarkdown is a plain text whose lines stay lines, and whose signs stay signs, where it is read as Markdown.
func asMarkdown(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`, "_", `\_`, "~", `\~`, "&", `\&`).Replace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "+") {
			line = `\` + line
		}
		if i+1 < len(lines) && line != "" && lines[i+1] != "" {
			line += "  "
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// notUnderstood is what is said where words cannot be understood without a model, or its model does not answer.
func (camp *campaign) notUnderstood(actor string) string {
	return camp.say("unheard") + "\n" + camp.hint(actor)
}

// lost is unheard for whoever may have heard that a moment ago: every other time it says what is still to be done.
func (camp *campaign) lost(s *turnState) string {
	if s.lost++; s.lost%2 == 1 {
		return camp.notUnderstood(s.actor)
	}
	return camp.say("unheard.again") + "\n" + show.Hints(camp.World(), camp.lang(), s.actor)
}

// direct understands words without a model, if it can.
func (camp *campaign) direct(ctx context.Context, caller tools.Caller, words string) (driver.Plan, bool, error) {
	if camp.stale(ctx, caller) {
		return answer(camp.say("moment_passed")), true, nil
	}
	s := camp.begin(ctx, caller, words)
	if said, aside := parser.Aside(s.words); aside && !isOffered(caller.Pick) {
		s.aside, s.words = true, said
		return answer(camp.say("aside")), !camp.hasNarrator(ctx), nil
	}
	if camp.World().Self().Ended {
		return camp.offer(ctx, caller, answer(camp.describeEnd())), true, nil
	}
	if no := camp.notTheirs(s); no != "" {
		return answer(no), true, nil
	}
	plan, ok, err := camp.understand(ctx, caller, s)
	var bad *tools.Error
	switch {
	case errors.As(err, &bad):
		return driver.Plan{}, false, err
	case err != nil:
		return driver.Plan{}, false, fmt.Errorf("play story %s: %w", camp.id, err)
	case !ok && !camp.hasNarrator(ctx):
		return camp.offer(ctx, caller, answer(camp.lost(s))), true, nil
	case ok:
		s.lost = 0
	}
	return plan, ok, nil
}

// hasNarrator reports whether there is a model that tells the story.
func (camp *campaign) hasNarrator(ctx context.Context) bool {
	return camp.World().Self().Rules[noTeller] == 0 && (camp.m.cfg.Model == nil || camp.m.cfg.Model(ctx))
}

// answer is a plan that is an answer.
func answer(text string) driver.Plan { return driver.Plan{Result: tools.Result{Text: text}} }

// offer adds what can be done next to a plan.
func (camp *campaign) offer(ctx context.Context, caller tools.Caller, p driver.Plan) driver.Plan {
	p.Result.Choices = camp.choices(ctx, caller, camp.nextActor(camp.state(caller.Chat).actor))
	return p
}
