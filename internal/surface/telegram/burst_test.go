package telegram_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/surface/telegram/telegramtest"
	"hob/internal/tools"
)

const burst = 15

// Fifteen messages in one go, while a tool is at work for a minute: at once somebody can be seen typing, and soon what the tool
// does; all are answered, in order and in three turns at most, and nothing but the answers is left.
func TestABurstDuringASlowTurn(t *testing.T) {
	const groupID = -1000000000042
	for _, c := range []struct {
		name   string
		opts   telegramtest.Options
		group  bool
		drafts bool
	}{
		{"where drafts are shown", telegramtest.Options{}, false, true},
		{"where the server knows none", telegramtest.Options{Without: []string{"sendMessageDraft"}}, false, false},
		{"where Telegram counts", telegramtest.Options{Limits: telegramtest.Usual()}, false, true},
		{"in a group", telegramtest.Options{}, true, false},
		{"in a group where Telegram counts", telegramtest.Options{Limits: telegramtest.Usual()}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := burstWorld(t, c.opts)
				ada := l.srv.User(77, "Ada")
				chat, to := l.srv.Private(ada), ""
				l.allow(ada.ID, event.Owner)
				if c.group {
					l.allow(groupID, event.User)
					chat, to = l.srv.Group(groupID, "Home", telegramtest.Member{User: ada}), "@hob_bot "
				}
				l.start()
				defer l.stop()
				said := []int64{chat.Say(ada, to+"please look, q0-0. and say")}
				pass(time.Second)
				if !chat.Typing() {
					t.Error("a second after the first message nobody is seen typing")
				}
				for n := 1; n < burst; n++ {
					said = append(said, chat.Say(ada, fmt.Sprintf("%sand q0-%d. too", to, n)))
				}
				pass(10 * time.Second)
				if seen := whatIsShown(chat); !strings.Contains(seen, "look notes") {
					t.Errorf("while the tool works this is shown: %q", seen)
				}
				pass(5 * time.Minute)
				inspectBurst(t, l, chat, said)
				if drafts := len(chat.Drafts()) > 0; drafts != c.drafts {
					t.Errorf("drafts were shown: %t", drafts)
				}
			})
			goleak.VerifyNone(t)
		})
	}
}

// burstWorld is a hob whose tool takes a minute and whose model takes ten seconds to say what was said to it.
func burstWorld(t *testing.T, opts telegramtest.Options) *live {
	looked := false
	return &live{
		t: t, srv: telegramtest.New(opts), open: failingMemory(),
		bounds: agent.Budget{Steps: 10, Calls: 10, Time: 10 * time.Minute, Output: 10_000},
		tools: []tools.Tool{lookTool(func(ctx context.Context) (tools.Result, error) {
			return tools.Result{Text: "a view"}, spend(ctx, time.Minute)
		})},
		model: played(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if !looked {
				looked = true
				return llm.Do(llm.CallOf(1, "look", map[string]string{"path": "notes"}))(ctx, req, onDelta)
			}
			for range 10 {
				onDelta(llm.Delta{Text: "so it is, "})
				if err := spend(ctx, time.Second); err != nil {
					return nil, err
				}
			}
			return llm.Say("this was said: "+strings.Join(unanswered(req), " "))(ctx, req, func(llm.Delta) {})
		}),
	}
}

// whatIsShown is what can be seen of a turn that runs: a draft, or the message that is there as long as it does.
func whatIsShown(chat *telegramtest.Chat) string {
	if d, shown := chat.Draft(); shown {
		return d.Text
	}
	for _, m := range chat.FromBot() {
		return m.Text
	}
	return ""
}

// inspectBurst looks at what a person sees in the end.
func inspectBurst(t *testing.T, l *live, chat *telegramtest.Chat, said []int64) {
	t.Helper()
	var got, want []string
	for n := range said {
		want = append(want, fmt.Sprintf("q0-%d.", n))
	}
	all := chat.FromBot()
	for _, m := range all {
		found := tokensIn(m.Text)
		if len(found) == 0 {
			t.Errorf("this is left, and answers nothing: %q", m.Text)
			continue
		}
		got = append(got, found...)
		if i := slices.Index(want, found[len(found)-1]); i < 0 || m.ID <= said[i] {
			t.Errorf("message %d answers message %d: %q", m.ID, said[i], m.Text)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what was answered: %s", d)
	}
	if len(all) > 3 {
		t.Errorf("%d answers", len(all))
	}
	if d, shown := chat.Draft(); shown {
		t.Errorf("a draft is left: %q", d.Text)
	}
	if chat.Typing() {
		t.Error("it is typing still")
	}
	if v := l.srv.Violations(); len(v) > 0 {
		t.Errorf("too early: %v", v)
	}
}
