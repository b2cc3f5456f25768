package app

import (
	"context"
	"encoding/json"

	"hob/internal/llm"
	"hob/internal/tools/fetch"
	"hob/internal/untrusted"
)

// pageReaderTokens limits the answer about one page.
const pageReaderTokens = 600

// pageReader returns a function that asks the model about a page, outside of any chat: without
// tools and without history. The page's control tokens are removed.
func pageReader(model llm.Model) fetch.Asker {
	return func(ctx context.Context, q fetch.PageQuestion) (json.RawMessage, error) {
		text, _ := untrusted.Plain(q.Text)
		answer, _, err := askModel(ctx, model, q.System, text, q.Schema, llm.Options{NumPredict: pageReaderTokens})
		return json.RawMessage(answer), err
	}
}

// askModel has the model answer a text outside of any chat, without thinking. schema is the form of
// the answer, nil for any. It also returns the name of the model that answered.
func askModel(ctx context.Context, model llm.Model, system, text string, schema json.RawMessage, options llm.Options) (answer, name string, err error) {
	options.Think = llm.ThinkOff
	reply, err := model.Chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{{Role: llm.UserRole, Text: text}}, Options: options, Format: schema,
	}, func(llm.Delta) {})
	if err != nil {
		return "", "", err
	}
	return reply.Message.Text, reply.Usage.Model, nil
}
