package session_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// Every call has its record, whatever came of it, and a new conversation is another session.
func TestEveryCallIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		script := llm.NewScript(
			llm.Do(call(1, "look", "a")), llm.Do(call(2, "run", "b")),
			llm.Do(llm.CallOf(3, "nothing", struct{}{})), llm.Do(call(4, "look", "a")), llm.Say("well"),
			llm.Do(call(5, "run", "c")), llm.Say("well"))
		h := open(t, memory, script)
		first := h.submit("1", "do")
		h.watch(first, false)
		if err := h.Reset(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		second := h.submit("2", "stop")
		synctest.Wait()
		if _, err := h.Halt(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		var got []string
		all, err := memory.Audits(t.Context(), store.AuditFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			got = append(got, fmt.Sprintf("%s %s %s %s %s by %s on %s from %q, %d digits", a.Session, a.Tool,
				a.Status, a.Rule, a.Error, a.User, a.Platform, a.Source, len(a.ArgsHash)))
		}
		want := []string{
			fmt.Sprintf(`main/%d run stopped  cancelled by ana on cli from "built-in", 64 digits`, second),
			fmt.Sprintf(`main/%d look ok   by ana on cli from "built-in", 64 digits`, first),
			fmt.Sprintf(`main/%d nothing refused  tool_not_found by ana on cli from "", 64 digits`, first),
			fmt.Sprintf(`main/%d run denied unconfined permission_denied by ana on cli from "built-in", 64 digits`, first),
			fmt.Sprintf(`main/%d look ok   by ana on cli from "built-in", 64 digits`, first),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// What a person allows once and for all is in force with their yes.
func TestAGrantComesWithTheYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, did := storetest.NewMemory(time.Now), map[string]int{}
		h := openWith(t, memory, llm.NewScript(llm.Do(plain(1, "diary")), llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well")), world(&did)...)
		seq := h.submit("1", "go")
		synctest.Wait()
		q := h.asked()
		if diff := cmp.Diff([]event.Grant{{Tool: "fetch", Host: "b.example"}}, q.Grants); diff != "" {
			t.Fatal(diff)
		}
		a := yes(q, true, "ana")
		a.Grants = q.Grants
		if err := h.Decide(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		h.watch(seq, false)
		kept, err := memory.Grants(t.Context())
		if err != nil || len(kept) != 1 || kept[0].Host != "b.example" || kept[0].By == "" ||
			did["fetch https://b.example/?q=1"] != 1 {
			t.Errorf("%+v %v, did %v", kept, err, did)
		}
	})
}
