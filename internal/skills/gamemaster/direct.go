package gamemaster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/parser"
	"hob/internal/game/show"
	"hob/internal/tools"
)

// asMarkdown escapes plain text so that it looks the same where it is rendered as Markdown.
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

// notUnderstood is the answer to words that need a model when there is none or it does not answer.
func (camp *campaign) notUnderstood(actor string) string {
	return camp.say("unheard") + "\n" + camp.hint(actor)
}

// missTexts are the sentences for words that nobody understood. They take turns.
func missTexts() []string { return []string{"unheard", "unheard.2", "unheard.3"} }

// answerLost answers words that nobody understood. Every second time in a row it lists the open goals instead of a
// hint.
func (tn turn) answerLost() string {
	if len(tn.party()) == 0 {
		return tn.say("join_first")
	}
	if tn.state.lost++; tn.state.lost%2 == 1 {
		tn.state.misses++
		return tn.say(missTexts()[(tn.state.misses-1)%len(missTexts())]) + "\n" + tn.hint(tn.state.actor)
	}
	return tn.say("unheard.again") + "\n" + show.Hints(tn.World(), tn.lang(), tn.state.actor)
}

// direct answers words without a model, if it can.
func (tn turn) direct(ctx context.Context, words string) (driver.Plan, bool, error) {
	if tn.stale(ctx) {
		return tn.reply("moment_passed")
	}
	tn.begin(ctx, words)
	if said, aside := parser.Aside(tn.state.words); aside && !isOffered(tn.caller.Pick) {
		tn.state.aside, tn.state.words = true, said
		return answer(tn.say("aside")), !tn.hasNarrator(ctx), nil
	}
	if tn.World().Self().Ended {
		return tn.lookBack(ctx)
	}
	if no := tn.notTheirs(); no != "" {
		return answer(no), true, nil
	}
	if tn.m.leaves(tn.state.words) {
		return tn.pause(ctx)
	}
	plan, ok, err := tn.understand(ctx)
	var bad *tools.Error
	switch {
	case errors.As(err, &bad):
		return driver.Plan{}, false, err
	case err != nil:
		return driver.Plan{}, false, fmt.Errorf("play story %s: %w", tn.id, err)
	case !ok && !tn.hasNarrator(ctx):
		if command, name := spokenMoment(tn.state.words); command != "" {
			tn.args = name
			return commands()[command](tn, ctx)
		}
		return tn.offer(ctx, tn.answerLost())
	case ok:
		tn.state.lost = 0
	}
	return plan, ok, nil
}

// lookBack answers words after the end of the story: a player can look at it and have it summed up, but it does not go
// on.
func (tn turn) lookBack(ctx context.Context) (driver.Plan, bool, error) {
	m, _ := tn.readPlain(tn.state.actor, tn.state.words)
	switch m.Show {
	case "", parser.ShowChoices, parser.ShowHelp:
		if tn.state.lost++; tn.state.lost > 1 { // the whole page is shown only once
			return tn.offer(ctx, tn.say("past."+strconv.Itoa(1+tn.state.lost%6)))
		}
		return tn.offer(ctx, tn.closing(ctx))
	}
	p, err := tn.showing(ctx, m.Show)
	return p, true, err
}

// hasNarrator reports whether a model narrates the story.
func (camp *campaign) hasNarrator(ctx context.Context) bool {
	return camp.World().Self().Rules[noTeller] == 0 && (camp.m.cfg.Model == nil || camp.m.cfg.Model(ctx))
}

// answer returns a plan with a text alone.
func answer(text string) driver.Plan { return driver.Plan{Result: tools.Result{Text: text}} }

// withChoices adds the next choices to a plan.
func (tn turn) withChoices(ctx context.Context, p driver.Plan) driver.Plan {
	p.Result.Choices = tn.choices(ctx, tn.nextActor(tn.state.actor))
	return p
}
