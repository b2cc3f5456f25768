package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/skills"
	"hob/internal/store"
	"hob/internal/tools"
)

// skill writes a skill of the owner's own, with a script, and returns its folder.
func (h *house) skill(name, head, body string) string {
	h.t.Helper()
	dir := filepath.Join(filepath.Dir(h.config), "skills", name)
	for path, text := range map[string]string{
		"SKILL.md":         fmt.Sprintf("---\nname: %s\ndescription: About %s, which a test has written.\n%s---\n%s\n", name, name, head, body),
		"scripts/hello.sh": "echo \"hello from the script, $1\"\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	return dir
}

// A folder with a SKILL.md is all that it takes: what it says is before the model when a message is about it, at a terminal and on
// Telegram, its script runs, and nothing can change it.
func TestServe_ASkillWithAScript(t *testing.T) {
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newTownhouse(t, fake.URL, 1)
	dir := h.skill("greet-people", "metadata:\n  keywords: greeting, salut\n",
		"Run `sh {baseDir}/scripts/hello.sh NAME`. Words of the skill.")
	run := "run sh " + dir + "/scripts/hello.sh Ada # a greeting"
	h.good("That is all.", "ask", run) // without a daemon
	h.wantReturned("main", "run_command true skill:greet-people: ")
	s := h.serve()
	for chat, ask := range map[event.Chat]func(){
		"two":          func() { h.good("That is all.", "ask", "--chat", "two", run) },
		"telegram/100": func() { h.ask(0, run) },
	} {
		fake.forget()
		ask()
		if all := strings.Join(h.returned(chat), "\n"); !strings.Contains(all, "hello from the script, Ada") {
			t.Errorf("%s: the script said\n%s", chat, all)
		}
		first := fake.requests[0]
		if !strings.Contains(first, "Words of the skill.") || !strings.Contains(first, "sh "+dir+"/scripts/hello.sh NAME") {
			t.Errorf("%s: the model was told\n%s", chat, first)
		}
	}
	h.good("That is all.", "ask", "--chat", "two", "run echo bad > "+dir+"/SKILL.md; touch "+dir+"/more; ls "+dir+"; echo tried")
	if _, err := os.Stat(filepath.Join(dir, "more")); err == nil {
		t.Error("a command made a file in the folder of a skill")
	}
	if all := h.returned("two"); !strings.Contains(all[len(all)-1], "scripts") || !strings.Contains(all[len(all)-1], "tried") {
		t.Errorf("the command said %s", all[len(all)-1])
	}
	h.good("Words of the skill.", "skill", "show", "greet-people")

	// What is edited while hob runs holds from the next message on.
	h.skill("greet-people", "metadata:\n  keywords: bonjour\n", "Other words.")
	fake.forget()
	h.good("Good evening.", "ask", "--chat", "three", "bonjour")
	if first := fake.requests[0]; !strings.Contains(first, "Other words.") || strings.Contains(first, "Words of the skill.") {
		t.Errorf("after the change the model was told\n%s", first)
	}
	h.skill("greet-people", "metadata: [\n", "Broken words.")
	out := h.good("greet-people/SKILL.md", "skill", "list") // and what is wrong with it
	if h.good("Other words.", "skill", "show", "greet-people"); !strings.Contains(out, "greet-people  open") {
		t.Errorf("a skill at which somebody is at work is no skill any more:\n%s", out)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	h.skill("come-later", "metadata:\n  keywords: tomorrow\n", "Came later.")
	if out := h.good("come-later", "skill", "list"); strings.Contains(out, "greet-people") {
		t.Errorf("a skill that is gone is there:\n%s", out)
	}
	h.good("The skill come-later is open in main", "skill", "open", "come-later")
	h.good("come-later  open (by owner)", "skill", "list")
	h.good("The skill come-later is closed in main.", "skill", "close", "come-later")
	s.stop()
}

// Of several skills of one name one is there, and it is said which is not. One that the owner has switched off is none.
func TestSkillsOfOneName(t *testing.T) {
	h := newHouse(t, nowhereToAsk)
	h.configure("[skills]\noff = [\"system\"]\n[mcp.web]\ncommand = [\"/nothing/here\"]\n")
	dir := h.skill("notes", "", "Other notes.")
	out := h.good("! the skill notes of "+dir+" is left out, because there is one of that name (built-in): give it another\n", "skill", "list")
	if strings.Count(out, "\nnotes ") != 1 || strings.Contains(out, "\nsystem ") ||
		!strings.Contains(out, "! the skill web of mcp:web is left out, because there is one of that name (built-in): give it another\n") {
		t.Errorf("the skills are\n%s", out)
	}
	if out := h.good("note_add", "tool"); strings.Contains(out, "service_list") {
		t.Errorf("the tools are\n%s", out)
	}
}

// newSearch is a SearXNG server that finds a page of another server.
func newSearch(t testing.TB, page string) (address string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"results": []any{ // nobody waits for an answer that cannot be written
			map[string]any{"url": page + "?of=" + url.QueryEscape(r.FormValue("q")), "title": "Ferries", "content": "When the <b>ferry</b> goes"},
		}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A search goes to the owner's server; of what it found, links can be followed, others not, and none once the conversation holds
// what is private.
func TestSearchingTheWeb(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	at := strings.TrimPrefix(fake.URL, "http://")
	h.configure(fmt.Sprintf("[web]\nsearch = %q\n[fetch]\nallow = [%q]\n", newSearch(t, fake.URL+"/page"), at))
	h.good("1. Ferries — "+at, "tool", "web_search", "texel")
	h.good("", "tool", "write_file", "path=a.txt", "content=mine")
	done := func(words string) { h.good("That is all.", "ask", "--chat", "trip", words) }
	asks := func(rule, words string) { h.bad(exit.Denied, "rule "+rule, "ask", "--chat", "trip", words) }
	done(`call web_search {"query":"texel"} and search the web`)
	done("wander /page?of=texel") // the address is in no words of the owner's: the model has it from the search
	asks("constructed-address", "wander /page?of=mine")
	done(`call web_search {"query":"ferry"}`) // that server is the owner's own choice
	done("peruse a.txt")
	asks("rule-of-two", "wander /page?of=texel")
	asks("rule-of-two", `call web_search {"query":"mine"}`)
	want := []string{
		"owner web_search ok ", "owner fetch ok ", "owner fetch denied constructed-address", "owner web_search ok ",
		"owner read_file ok ", "owner fetch denied rule-of-two", "owner web_search denied rule-of-two",
	}
	if diff := cmp.Diff(want, h.audited("trip")); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(strings.Join(h.returned("trip"), "\n"), "What a stranger wrote.") {
		t.Error("the page was not read")
	}
}

// mostPrompt is how many bytes stand before a conversation, whatever hob can do: 1,500 tokens at four bytes each.
const mostPrompt = 6000

// Two hundred tools in thirty skills do not drown a small model: it is told of few, these stand still, and what a message is
// about is found at once.
func TestManySkills(t *testing.T) {
	notShort(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	const servers, each = 20, 10
	config := ""
	for n := range servers {
		more := fmt.Sprintf("reads = true\nworkspace = true\nkeywords = [\"topic%d\"]", n)
		config += h.server(fmt.Sprint("house-", n), "many", fmt.Sprint(each-4), more)
	}
	h.configure(config)
	for n := range 30 - servers {
		h.skill(fmt.Sprint("chore-", n), "", "How the chore is done.")
	}
	h.good("The skill house-0 is open", "skill", "open", "house-0", "--chat", "other")
	h.look(func(db *store.DB) { // the others have the same tools, and were asked for them once
		known, err := db.Settings().Get(t.Context(), app.ServerKey("house-0"))
		for n := 1; n < servers && err == nil; n++ {
			err = db.Settings().Set(t.Context(), app.ServerKey(fmt.Sprint("house-", n)), known)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if n := strings.Count(h.good("", "tool"), " from mcp:house-"); n != servers*each {
		t.Fatalf("there are %d tools of servers", n)
	}
	s := h.serve()
	for _, words := range []string{"hello", "and how are you?", "run nothing", "look after topic7", "and again"} {
		h.good("", "ask", words)
	}
	s.stop()
	lists := listsOf(t, fake.requests)
	n := len(lists)
	for i := 1; i < n-2; i++ {
		if lists[i] != lists[0] {
			t.Errorf("request %d has another list of tools", i+1)
		}
	}
	opened, again := lists[n-2], lists[n-1]
	want := []string{
		"fetch", "read_file", "run_command", "write_file", "call_tool", "find_tool", "use_skill", // what is needed least made room
		"house_7_environment", "house_7_look", "house_7_part_0", "house_7_part_1", "house_7_part_2",
	}
	if diff := cmp.Diff(want, toolNames(t, opened)); diff != "" {
		t.Errorf("the list of a small model that has opened a skill (-want +got):\n%s", diff)
	}
	told := fake.requests[n-2]
	if !strings.Contains(told, "It also has the tools house_7_part_3, ") {
		t.Errorf("of a small model's list nothing is left out, or it is not told of:\n%s", told)
	}
	if opened != again {
		t.Errorf("the list changed though nothing was opened:\n%s", again)
	}
}

// toolNames returns the names of a list of tools as it was sent.
func toolNames(t *testing.T, list string) (names []string) {
	t.Helper()
	var all []struct{ Function struct{ Name string } }
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatal(err)
	}
	for _, tool := range all {
		names = append(names, tool.Function.Name)
	}
	return names
}

// listsOf returns the tools of requests, as they were sent, and looks at the rest of what stands before a conversation: it is
// short, and never changes.
func listsOf(t *testing.T, requests []string) (lists []string) {
	t.Helper()
	system := ""
	for i, request := range requests {
		var req struct {
			Tools    json.RawMessage
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal([]byte(request), &req); err != nil || req.Messages[0].Role != "system" {
			t.Fatal(err, request)
		}
		lists = append(lists, string(req.Tools))
		if i > 0 && req.Messages[0].Content != system {
			t.Errorf("request %d has another system text:\n%s", i+1, req.Messages[0].Content)
		}
		if system = req.Messages[0].Content; i == 0 {
			total := len(req.Tools) + len(system)
			figure(t, "prompt with 200 tools in 30 skills", "%d bytes, about %d tokens (aim 6000 and 1500)", total, total/4)
			if total > mostPrompt {
				t.Errorf("the prompt has %d bytes", total)
			}
		}
	}
	return lists
}

// What a message is about is found in a millisecond.
func TestMatchingTime(t *testing.T) {
	var all []skills.Skill
	for n := range 30 {
		s := skills.Skill{Name: fmt.Sprint("chore-", n), Description: "Looks after a part of the house, as its manual says."}
		s.Keywords = []string{fmt.Sprint("topic", n), "天气"}
		for k := range 7 {
			if n*7+k < 200 {
				def := tools.Def{Name: fmt.Sprintf("part_%d_%d", n, k), Description: "Does a part of the topic.", Capabilities: tools.Reads}
				s.Tools = append(s.Tools, tools.New(def,
					func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil }))
			}
		}
		all = append(all, s)
	}
	var took []float64
	for range 101 {
		began := time.Now()
		if found := skills.Match(all, "please look after topic7 in the garden, and tell me what it is good for"); len(found) != 1 {
			t.Fatalf("found %d skills", len(found))
		}
		took = append(took, ms(time.Since(began)))
	}
	figure(t, "matching a message against 30 skills with 200 tools", "%.3f ms (aim 1 ms)", median(took))
}
