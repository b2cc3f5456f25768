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
		reply, err := model.Chat(ctx, llm.Request{
			System:   q.System,
			Messages: []llm.Message{{Role: llm.UserRole, Text: text}},
			Options:  llm.Options{NumPredict: pageReaderTokens, Think: llm.ThinkOff},
			Format:   q.Schema,
		}, func(llm.Delta) {})
		if err != nil {
			return nil, err
		}
		return json.RawMessage(reply.Message.Text), nil
	}
}
