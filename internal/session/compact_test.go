package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// What the model is told does not depend on how often hob was started: a conversation that is made
// shorter again and again reads the same whether one process lives through it or every turn has its
// own.
func TestRestartsChangeNothingOfAShortenedConversation(t *testing.T) {
	told := func(t *testing.T, restart bool) (requests []llm.Request, compacted int) {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			reader := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				requests = append(requests, r)
				if last := r.Messages[len(r.Messages)-1]; last.Role == llm.UserRole {
					return llm.Do(llm.CallOf(len(requests), "tell", map[string]int{"about": len(requests)}))(ctx, r, d)
				}
				return llm.Say("It says much.")(ctx, r, d)
			})
			tell := tools.New(tools.Def{Name: "tell", Description: "tells", Capabilities: tools.Reads}, func(_ context.Context, in struct {
				About int `json:"about"`
			}) (tools.Result, error) {
				return tools.Result{Text: fmt.Sprintf("story %d\n", in.About) + strings.Repeat("and so on, and so on\n", 150)}, nil
			})
			h := openWith(t, memory, reader, tell)
			for i := range 12 {
				h.watch(h.submit(fmt.Sprint(i), fmt.Sprintf("question %d", i)), false)
				if restart {
					h.Close()
					h = openWith(t, memory, reader, tell)
				}
			}
			for e, err := range memory.Chat(t.Context(), "main", 0) {
				if err != nil {
					t.Fatal(err)
				}
				if _, short := e.Body.(event.Compacted); short {
					compacted++
				}
			}
		})
		return requests, compacted
	}
	once, n := told(t, false)
	again, m := told(t, true)
	if n < 2 || n != m {
		t.Errorf("made shorter %d times in one process and %d times in many; it should be several and as often", n, m)
	}
	if diff := cmp.Diff(messages(once), messages(again)); diff != "" {
		t.Errorf("a restart changed what the model is told (-one process +many):\n%s", diff)
	}
	legal(t, once)
}

func messages(requests []llm.Request) (all [][]llm.Message) {
	for _, r := range requests {
		all = append(all, r.Messages)
	}
	return all
}

// An input that arrives while the model sums up what was said is not lost in the summary: it is the
// next turn's.
func TestAnInputDuringASummaryIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		summing, goOn := make(chan struct{}), make(chan struct{})
		var last llm.Request
		summed := false
		h := open(t, storetest.NewMemory(time.Now), model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			last = r
			if newest := r.Messages[len(r.Messages)-1]; strings.HasPrefix(newest.Text, "[hob: The conversation above") {
				if !summed {
					summed = true
					close(summing)
					<-goOn
				}
				return llm.Say("Goal: many questions. Facts: all were long.")(ctx, r, d)
			}
			return llm.Say("yes")(ctx, r, d)
		}))
		begun := func() bool {
			select {
			case <-summing:
				return true
			default:
				return false
			}
		}
		few := strings.Repeat("a few words ", 15)
		for i := 0; !begun(); i++ {
			if i == 400 {
				t.Fatal("no summary was ever asked for")
			}
			h.submit(fmt.Sprint(i), fmt.Sprintf("question %d %s", i, few))
			synctest.Wait() // the turn has ended, or the model sums up
		}
		late := h.submit("late", "and what about the cat?")
		close(goOn)
		h.watch(late, false)
		if newest := last.Messages[len(last.Messages)-1]; llm.Words(newest.Text) != "and what about the cat?" {
			t.Errorf("the last that the model was told is %q", newest.Text)
		}
		if told := fmt.Sprint(last.Messages); !strings.Contains(told, "Goal: many questions.") {
			t.Errorf("the summary is not in what the model is told: %.500s", told)
		}
	})
}
