package app

import (
	"context"
	"encoding/json"

	"hob/internal/llm"
	"hob/internal/tools/fetch"
	"hob/internal/untrusted"
)

// readerTokens is how much a model may write about one page.
const pageReaderTokens = 600

// reader asks the model about a page, apart from any conversation: it has no tools and no past. What strangers wrote has no
// control tokens there either.
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
