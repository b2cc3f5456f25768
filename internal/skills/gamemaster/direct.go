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

// unheard is what is said where words cannot be understood without a model, or its model does not answer.
func (tb *table) unheard(actor string) string { return tb.say("unheard") + "\n" + tb.hint(actor) }

// lost is unheard for whoever may have heard that a moment ago: every other time it says what is still to be done.
func (tb *table) lost(s *seat) string {
	if s.lost++; s.lost%2 == 1 {
		return tb.unheard(s.actor)
	}
	return tb.say("unheard.again") + "\n" + show.Hints(tb.World(), tb.lang(), s.actor)
}

// direct understands words without a model, if it can.
func (tb *table) direct(ctx context.Context, caller tools.Caller, words string) (driver.Plan, bool, error) {
	if tb.stale(ctx, caller) {
		return answer(tb.say("moment_passed")), true, nil
	}
	s := tb.begin(ctx, caller, words)
	if said, aside := parser.Aside(s.words); aside && !isOffered(caller.Pick) {
		s.aside, s.words = true, said
		return answer(tb.say("aside")), !tb.told(ctx), nil
	}
	if tb.World().Self().Ended {
		return tb.offer(ctx, caller, answer(tb.over())), true, nil
	}
	if no := tb.notTheirs(s); no != "" {
		return answer(no), true, nil
	}
	plan, ok, err := tb.understand(ctx, caller, s)
	var bad *tools.Error
	switch {
	case errors.As(err, &bad):
		return driver.Plan{}, false, err
	case err != nil:
		return driver.Plan{}, false, fmt.Errorf("play story %s: %w", tb.id, err)
	case !ok && !tb.told(ctx):
		return tb.offer(ctx, caller, answer(tb.lost(s))), true, nil
	case ok:
		s.lost = 0
	}
	return plan, ok, nil
}

// told reports whether there is a model that tells the story.
func (tb *table) told(ctx context.Context) bool {
	return tb.World().Self().Rules[noTeller] == 0 && (tb.m.cfg.Model == nil || tb.m.cfg.Model(ctx))
}

// answer is a plan that is an answer.
func answer(text string) driver.Plan { return driver.Plan{Result: tools.Result{Text: text}} }

// offer adds what can be done next to a plan.
func (tb *table) offer(ctx context.Context, caller tools.Caller, p driver.Plan) driver.Plan {
	p.Result.Choices = tb.choices(ctx, caller, tb.nextActor(tb.seat(caller.Chat).actor))
	return p
}
