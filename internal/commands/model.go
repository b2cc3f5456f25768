package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/display"
)

// Models is the installed models.
type Models interface {
	Models(ctx context.Context) ([]Model, error)
	// UseModel writes a model into the configuration.
	UseModel(ctx context.Context, name string) error
}

// Model is an installed model: `hob model list --json` prints it.
type Model struct {
	Name         string `json:"name"`
	Size         int64  `json:"size"` // bytes
	Family       string `json:"family,omitempty"`
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Remote       string `json:"remote,omitempty"` // the machine it really runs on
	Used         bool   `json:"used"`

	TokensPerSecond float64 `json:"tokens_per_second,omitempty"` // that it wrote here of late; 0: it was never measured
}

// model lists the models, or selects one.
func (d Deps) model(ctx context.Context, by Request) (Answer, error) {
	words := strings.Fields(by.Args)
	if len(words) > 1 {
		return Answer{}, errors.New("/model lists the models, /model NAME makes one of them that which is used")
	}
	if len(words) == 1 {
		if err := d.Models.UseModel(ctx, words[0]); err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("The configuration has the model `%s` now. A hob that runs uses it when it is reloaded.", inlineCode(words[0]))}, nil
	}
	all, err := d.Models.Models(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Text: "Ollama has no models yet.", Data: append([]Model{}, all...)}
	var lines []string
	for _, m := range all {
		line := "- `" + inlineCode(m.Name) + "` " + escape(strings.Join(strings.Fields(display.Bytes(m.Size)+" "+m.Parameters+" "+m.Quantization), " "))
		if m.Remote != "" {
			line += ", runs on " + escape(m.Remote)
		}
		if m.Used {
			line += " **is used**"
		} else {
			a.Choices = append(a.Choices, []Choice{{"Use " + OneLine(m.Name), "/model " + m.Name}})
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		a.Text = "**Models**\n" + truncateLines(lines, maxLines, ", which hob model lists")
	}
	return a, nil
}
