package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// What a receipt says of a file is what became of it, and no turn waits for that for long.
func TestAReceiptOfAFile(t *testing.T) {
	send := tools.New(tools.Def{Name: "send_file", Description: "Sends.", Capabilities: tools.Reads}, func(context.Context, struct{}) (tools.Result, error) {
		return tools.Result{Text: "ok", Files: []event.File{{Name: "a.txt", Path: "a.txt", Bytes: 4}},
			Effects: []event.Effect{{Kind: "sent", Target: "a.txt", Bytes: 4},
				{Kind: "wrote", Target: "b.txt", Bytes: 4}}}, nil
	})
	for name, c := range map[string]struct {
		delivered func(ctx context.Context) event.SendState // nil: nobody delivers
		want      string
		takes     time.Duration
	}{
		"sent":    {func(context.Context) event.SendState { return event.SendSent }, "sent a.txt", 0},
		"refused": {func(context.Context) event.SendState { return event.SendRefused }, "failed: delivery of a.txt", 0},
		"nobody":  {nil, "handed over a.txt", 0},
		"unknown": {func(ctx context.Context) event.SendState { <-ctx.Done(); return "" }, "handed over a.txt", 20 * time.Second},
		"at last": {func(context.Context) event.SendState { <-time.After(9 * time.Second); return event.SendSent }, "sent a.txt", 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := llm.NewScript(llm.Do(plain(1, "send_file")), llm.Say("Here it is."))
				var of func(context.Context, event.Chat, int64, int) event.SendState
				var asked []int64
				if c.delivered != nil {
					of = func(ctx context.Context, _ event.Chat, seq int64, n int) event.SendState {
						asked = append(asked, seq, int64(n))
						return c.delivered(ctx)
					}
				}
				began := time.Now()
				h := openAs(t, storetest.NewMemory(time.Now), model,
					func(cfg *session.Config) { cfg.Delivered = of }, send)
				receipt, returned := "", int64(0)
				seq := h.submit("1", "send it")
				for e, err := range h.Follow(t.Context(), "main", seq-1) {
					if err != nil {
						t.Fatal(err)
					}
					switch b := e.Body.(type) {
					case event.Returned:
						returned = e.Seq
					case event.Replied:
						receipt = b.Receipt
					case event.Ended:
						if took := time.Since(began); took != c.takes {
							t.Errorf("it took %v", took)
						}
						if parts := strings.Split(receipt, " · "); len(parts) != 2 || parts[0] != c.want ||
							!strings.HasPrefix(parts[1], "wrote b.txt") {
							t.Errorf("the receipt is %q", receipt)
						}
						if of != nil && (len(asked) != 2 || asked[0] != returned || asked[1] != 0) {
							t.Errorf("asked for %v, and the result is %d", asked, returned)
						}
						return
					}
				}
			})
		})
	}
}
