package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
)

// MaxAudio is how many bytes of a recording Ollama takes.
const MaxAudio = 24 << 20

// maxTranscript is how many bytes of words a recording may come to.
const maxTranscript = 1 << 20

// Transcribe returns the words of a recording, by POST /v1/audio/transcriptions (Ollama v0.20 and later). The client's model
// has to be one with the capability "audio"; such models read WAV. The error is an *[llm.Error].
func (c *Client) Transcribe(ctx context.Context, name string, audio []byte) (string, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	err := errors.Join(w.WriteField("model", c.cfg.Model), w.WriteField("response_format", "json"))
	part, failed := w.CreateFormFile("file", name)
	if err = errors.Join(err, failed); err == nil {
		_, err = part.Write(audio)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", &llm.Error{Kind: llm.Failed, Message: "the recording could not be put into a request", Err: err}
	}
	words := ""
	err = c.withHost(ctx, func(h *host) error {
		if _, err := c.modelOn(ctx, h); err != nil { // or it runs on somebody else's machine
			return err
		}
		if words, err = c.transcribeOn(ctx, h, w.FormDataContentType(), form.Bytes()); err != nil {
			return c.callError(ctx, h, c.cfg.Model, err)
		}
		return nil
	})
	return words, err
}

func (c *Client) transcribeOn(ctx context.Context, h *host, kind string, form []byte) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.FirstByte)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base.JoinPath("/v1/audio/transcriptions").String(), bytes.NewReader(form))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", kind)
	resp, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxTranscript))
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", api.StatusError{StatusCode: resp.StatusCode, ErrorMessage: openAIError(raw)}
	}
	var out struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return "", err
	}
	return strings.TrimSpace(out.Text), nil
}

// openAIError is what an error in the form of OpenAI's API says, which this endpoint uses.
func openAIError(raw []byte) string {
	var body struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &body) == nil && body.Error.Message != "" {
		return body.Error.Message
	}
	return string(raw)
}
