// Package author has a model write a tale.
//
// The model never writes a file. It fills a tale part by part: the frame of the story, its places, people, locks and goals, and then
// what each person says. Each part is one [Question] with the JSON Schema of its answer, small enough for a model of 3 to 8 billion
// parameters with a context of 8,192 tokens. What is certain is code: ids, the map, numbers, and where the lines of a file stand. So a
// model chooses what a tale is about, who is in it, what is locked and what is to be done, and can get no form wrong.
//
// What comes back is mended where there is one way to mend it: blanks and marks that a tale must not have, a text that is too long and
// can end with a sentence, a name that is meant though a letter of it differs, items too many. Everything else is a problem: a text
// that is missing or in another language, a name that is nobody's, two things of one name, a key that lies behind its own door. Then
// the part is asked for again with the problem named, [MostQuestions] times in all, and after that the tale is refused ([Refusal]); but
// a key that lies behind its own door in the last answer, too, is laid where the tale begins.
// A whole tale is proven before it is returned, so one that nobody can win is refused, too.
//
// The package knows no model and no disk. Somebody who asks ([Asker]) and somebody who proves ([tales.Prover]) come from outside.
package author

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/lists"
)

// MostQuestions is how often a part is asked for at most.
const MostQuestions = 3

// Question asks a model for one part of a tale.
type Question struct {
	System, Text string
	Schema       json.RawMessage // that the answer has to fit
}

// Asker asks a model one question, and returns its answer as it came and the name of the model. It is given no reason to trust: each
// answer is checked.
type Asker func(ctx context.Context, q Question) (answer, model string, err error)

// Order says which tale is to be written.
type Order struct {
	ID      string // of the tale
	Lang    string
	Size    string // one of [Sizes]
	Premise string // what it is about
}

// Asked is how often a part was asked for.
type Asked struct {
	Part      string `json:"part"`
	Questions int    `json:"questions"`
}

// Progress is told of a question before it is asked. problem is what was wrong with the last answer, "" at the first question.
type Progress func(part string, question int, problem string)

// Refusal is the error for a tale that was not written. Part is the one that failed.
type Refusal struct {
	Part, Problem string
	Questions     int
}

func (r *Refusal) Error() string {
	if r.Questions == 0 {
		return fmt.Sprintf("the tale was not written, because as a whole it has a fault: %s", r.Problem)
	}
	return fmt.Sprintf("the tale was not written, because the model failed at its %s in %d questions: %s", r.Part, r.Questions, r.Problem)
}

// size is how much there is of each thing in a tale.
type size struct {
	name                         string
	places, people, locks, goals int
	minutes                      int64 // of each segment of its clock
}

func sizes() []size {
	return []size{{"short", 4, 2, 1, 2, 20}, {"medium", 6, 3, 2, 3, 30}, {"long", 9, 5, 3, 4, 45}}
}

// Sizes returns the sizes that a tale can have, the smallest first.
func Sizes() []string { return lists.Map(sizes(), func(s size) string { return s.name }) }

// Check returns what is wrong with an order, nil if nothing is.
func (o Order) Check() error {
	switch {
	case !letters(o.Premise):
		return fmt.Errorf(`say what the tale is about, such as "a lighthouse keeper's divorce"`)
	case len([]rune(o.Premise)) > mostPremise:
		return fmt.Errorf("say what the tale is about in at most %d characters", mostPremise)
	}
	if _, ok := languages()[o.Lang]; !ok {
		return fmt.Errorf("no tale can be written in %.40q: use %s", o.Lang, strings.Join(rules.Langs(), ", "))
	}
	for _, s := range sizes() {
		if s.name == o.Size {
			return nil
		}
	}
	return fmt.Errorf("there is no size %.40q: use %s", o.Size, strings.Join(Sizes(), ", "))
}

// mostPremise is the most characters of what a tale is about.
const mostPremise = 300

// Write has a tale written. It returns its files, which nobody has put anywhere yet, and how often each part was asked for, also of a
// tale that was refused.
func Write(ctx context.Context, o Order, ask Asker, prove tales.Prover, tell Progress) ([]tales.File, []Asked, error) {
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	w := &writer{ask: ask, progress: tell, draft: newDraft(o)}
	for _, next := range []func() part{w.story, w.places, w.people, w.locks, w.goals} {
		if err := w.write(ctx, next()); err != nil {
			return nil, w.asked, err
		}
	}
	for i := range w.draft.people {
		if err := w.write(ctx, w.beats(i)); err != nil {
			return nil, w.asked, err
		}
	}
	files := w.draft.files()
	if wrong := tales.FromFiles(o.ID, files).WithProver(prove).Problems(); len(wrong) > 0 {
		return nil, w.asked, &Refusal{Part: "whole", Problem: wrong[0].String()}
	}
	return files, w.asked, nil
}

// writer asks for the parts of a tale, one after the other.
type writer struct {
	ask      Asker
	progress Progress
	asked    []Asked
	draft    *draft
}

// part is a part of a tale that one question asks for.
type part struct {
	name   string // for people
	text   string // of the question
	schema string
	take   func(answer string, last bool) (problems []string) // keeps the answer if there are none
}

// write asks for a part until it can be used.
func (w *writer) write(ctx context.Context, p part) error {
	problem := ""
	w.asked = append(w.asked, Asked{Part: p.name})
	for n := 1; n <= MostQuestions; n++ {
		w.asked[len(w.asked)-1].Questions = n
		w.progress(p.name, n, problem)
		text := p.text
		if problem != "" {
			text += "\n\n" + fill("again", map[string]string{"problem": problem})
		}
		answer, model, err := w.ask(ctx, Question{System: w.draft.system(), Text: text, Schema: json.RawMessage(p.schema)})
		if err != nil {
			return fmt.Errorf("write the tale's %s: %w", p.name, err)
		}
		problems := p.take(answer, n == MostQuestions)
		if len(problems) == 0 {
			w.draft.model = model
			return nil
		}
		problem = strings.Join(problems[:min(len(problems), mostNamed)], "; ")
	}
	return &Refusal{p.name, problem, MostQuestions}
}

// mostNamed is how many problems of an answer are named at once.
const mostNamed = 4

//go:embed ask.md
var prompts string

// fill returns a section of the prompts with its gaps filled.
func fill(section string, gaps map[string]string) string {
	_, text, _ := strings.Cut(prompts, "## "+section+"\n\n")
	text, _, _ = strings.Cut(text, "\n\n## ")
	pairs := make([]string, 0, 2*len(gaps))
	for name, value := range gaps {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(text))
}
