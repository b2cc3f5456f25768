package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"hob/internal/llm"
)

// Render returns the prompt that the server makes of req, to the letter, without asking the model. It posts the body
// that Chat would, with _debug_render_only set; the server loads the model for it. Its errors are those of Chat, and
// Silent after FirstByte.
//
// This is a debugging aid of Ollama's, from v0.11.5 on, that its documentation does not promise to keep. A server that
// does not know it is an error of kind Failed, and only after it began to answer: Render is for tests and for looking at
// a model, and nothing may depend on it.
func (c *Client) Render(ctx context.Context, req llm.Request) (string, error) {
	if err := c.checkName(c.cfg.Model); err != nil {
		return "", err
	}
	var prompt string
	err := c.withHost(ctx, func(h *host) error {
		facts, err := c.modelOn(ctx, h)
		if err != nil {
			return err
		}
		body, err := newRequest(c.cfg, facts.Thinking, req)
		if err != nil {
			return unsendableError(err)
		}
		body.RenderOnly = true
		sent, err := body.marshal()
		if err != nil {
			return unsendableError(err)
		}
		prompt, err = exchange{client: c, host: h, body: sent, req: req}.readPrompt(ctx)
		return err
	})
	return prompt, err
}

// readPrompt makes the exchange and returns the prompt in its answer.
func (x exchange) readPrompt(ctx context.Context) (string, error) {
	limited, done := context.WithTimeout(ctx, x.client.cfg.FirstByte)
	defer done()
	resp, err := x.send(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return "", x.client.callError(ctx, x.host, x.client.cfg.Model, limited.Err())
	}
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct {
		RemoteHost string          `json:"remote_host"`
		Error      json.RawMessage `json:"error"`
		Debug      *struct {
			Rendered string `json:"rendered_template"`
		} `json:"_debug_info"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&answer)
	switch {
	case err != nil:
		return "", x.client.callError(ctx, x.host, x.client.cfg.Model, err)
	case answer.RemoteHost != "" && !x.client.cfg.AllowRemote:
		return "", remoteError(x.client.cfg.Model, answer.RemoteHost)
	case errorText(answer.Error) != "":
		return "", classify(x.host.base.String(), x.client.cfg.Model, serverFailure{text: errorText(answer.Error), late: true})
	case answer.Debug == nil:
		return "", &llm.Error{Kind: llm.Failed, Message: fmt.Sprintf(
			"Ollama at %s does not show the prompts that it makes: that is an aid for debugging, which v0.11.5 was the first to have", x.host.base)}
	}
	return answer.Debug.Rendered, nil
}
