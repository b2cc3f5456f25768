package ollama

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
)

// Facts is what a server says of itself and of the model.
type Facts struct {
	Host    string // the address in use
	Version string // of the server
	Model   string

	Tools, Thinking, Vision bool
	TrainedContext          int    // tokens, from the model's file; 0 if it does not say
	Remote                  string // the machine that the model really runs on; empty means the host
	Parser, Renderer        string // Ollama's own code for this model; both empty means a template
	Template                bool   // the server has a template for it, and renders with that where there is no Renderer
	Family                  string
	Parameters              string // such as "4.0B"
	Quantization            string // such as "Q4_K_M"

	// Prints is what the template prints of a conversation; nil where the server does not render with one that can be
	// read: see package chattemplate.
	Prints *chattemplate.Facts
}

// KeepsTools reports whether the model takes tools and sees them, its calls and their results in every request of a turn.
func (f Facts) KeepsTools() bool {
	return f.Tools && (f.Prints == nil || f.Prints.HasToolTurns())
}

// Preflight finds the host in use and asks it about the model, without loading it. The errors are Unreachable,
// ModelMissing, ModelRefused (with the facts) and what else may fail on the way. A model that cannot use tools is no
// error here: Facts says so.
func (c *Client) Preflight(ctx context.Context) (Facts, error) {
	var facts Facts
	err := c.withHost(ctx, func(h *host) error {
		version, err := c.versionOf(ctx, h)
		if err != nil {
			return err
		}
		facts = Facts{Host: h.base.String(), Version: version, Model: c.cfg.Model}
		if err := c.checkName(c.cfg.Model); err != nil {
			return err
		}
		h.remember(nil)
		shown, err := c.show(ctx, h)
		if err != nil {
			return err
		}
		shown.Host, shown.Version = facts.Host, facts.Version
		facts = shown
		if err := c.checkLocal(shown); err != nil {
			return err
		}
		h.remember(&shown)
		return nil
	})
	return facts, err
}

// versionFor is how long the version of a host that was found healthy need not be asked again.
const versionFor = time.Second

// versionOf returns the version of h, quickly.
func (c *Client) versionOf(ctx context.Context, h *host) (string, error) {
	h.mu.Lock()
	found := h.found
	h.mu.Unlock()
	if since := time.Since(found.at); since >= 0 && since < versionFor {
		return found.version, nil
	}
	return c.health(ctx, h)
}

// modelOn returns what is known of the model on h, asking once. Where the server cannot say, it is a model that does
// not think.
func (c *Client) modelOn(ctx context.Context, h *host) (Facts, error) {
	h.mu.Lock()
	known := h.model
	h.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	facts, err := c.show(ctx, h)
	switch llm.KindOf(err) {
	case llm.Unreachable, llm.Cancelled, llm.ModelMissing, llm.ModelRefused:
		return Facts{}, err
	}
	if err != nil {
		return Facts{Model: c.cfg.Model}, nil
	}
	if err := c.checkLocal(facts); err != nil {
		return Facts{}, err
	}
	h.remember(&facts)
	return facts, nil
}

func (h *host) remember(facts *Facts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.model = facts
}

// show asks h about the model.
func (c *Client) show(ctx context.Context, h *host) (Facts, error) {
	limited, done := context.WithTimeout(ctx, askTimeout)
	defer done()
	resp, err := h.api.Show(limited, &api.ShowRequest{Model: c.cfg.Model})
	if err != nil {
		return Facts{}, c.callError(ctx, h, c.cfg.Model, err)
	}
	var can []string
	for _, capability := range resp.Capabilities {
		can = append(can, string(capability))
	}
	return Facts{
		Model: c.cfg.Model,
		Tools: slices.Contains(can, "tools"), Thinking: slices.Contains(can, "thinking"), Vision: slices.Contains(can, "vision"),
		TrainedContext: trainedContext(resp.ModelInfo), Remote: resp.RemoteHost,
		Parser: resp.Parser, Renderer: resp.Renderer, Template: hasTemplate(resp.Template), Family: resp.Details.Family,
		Parameters: resp.Details.ParameterSize, Quantization: resp.Details.QuantizationLevel,
		Prints: prints(resp, slices.Contains(can, "tools")),
	}, nil
}

// prints returns what the template of a model prints, or nil where code of Ollama's own renders, or no template that hob
// can read: with one in Jinja, of the model's file, llama.cpp does. Some servers show another template than that one:
// it has no tools where the server says that the model takes some.
func prints(shown *api.ShowResponse, tools bool) *chattemplate.Facts {
	if shown.Renderer != "" || !hasTemplate(shown.Template) {
		return nil
	}
	facts, err := chattemplate.Read(shown.Template)
	if err != nil || tools && !facts.NamesTools {
		return nil
	}
	return &facts
}

// hasTemplate reports whether /api/show's template is one. Ollama shows its default for a model that has none.
func hasTemplate(shown string) bool {
	shown = strings.TrimSpace(shown)
	return shown != "" && shown != "{{ .Prompt }}"
}

// trainedContext reads <architecture>.context_length of a model's file.
func trainedContext(info map[string]any) int {
	arch, _ := info["general.architecture"].(string)
	tokens, _ := info[arch+".context_length"].(float64)
	if tokens < 0 || tokens > 1<<40 {
		return 0
	}
	return int(tokens)
}

// checkName refuses, before anybody is asked, to use no model and a model whose name says that it runs in the cloud.
func (c *Client) checkName(model string) error {
	if model == "" {
		return &llm.Error{Kind: llm.ModelMissing, Message: "no model is chosen: choose one with `hob model use NAME`"}
	}
	tag := strings.ToLower(model[strings.LastIndex(model, ":")+1:])
	if strings.Contains(model, ":") && (tag == "cloud" || strings.HasSuffix(tag, "-cloud")) && !c.cfg.AllowRemote {
		return remoteError(model, "Ollama's cloud")
	}
	return nil
}

// checkLocal refuses a model that the host only passes on to another machine.
func (c *Client) checkLocal(facts Facts) error {
	if facts.Remote != "" && !c.cfg.AllowRemote {
		return remoteError(c.cfg.Model, facts.Remote)
	}
	return nil
}

func remoteError(model, where string) *llm.Error {
	return &llm.Error{Kind: llm.ModelRefused, Message: fmt.Sprintf(
		"%s runs at %s, and what you say would leave this machine: choose a model that runs here, or set [ollama] allow_remote",
		model, clean(where))}
}
