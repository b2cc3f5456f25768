package session_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// short makes the list of a house short: in the order write, run, look, of which look is needed most, then run.
func short(most int, hold ...skills.Skill) func(*session.Config, *session.Settings) {
	return func(cfg *session.Config, set *session.Settings) {
		whole := cfg.Toolset
		cfg.Toolset = func(ctx context.Context) session.Toolset {
			kit := whole(ctx)
			kit.ShortList, kit.ShortSkills = []string{"write", "run", "look"}, hold
			slices.SortFunc(kit.Tools, func(a, b tools.Tool) int { return strings.Compare(need(a), need(b)) })
			return kit
		}
		set.ShortList, set.Profile.MaxTools = true, most
	}
}

// need is a word by which tools sort by need.
func need(t tools.Tool) string {
	return map[string]string{"look": "1", "run": "2", "write": "3"}[t.Name()] + t.Name()
}

// A short list has no tools that find others, and is never longer than the profile says: the tools of the newest skill take
// the place of those that are needed least. What was left out comes back with its skill.
func TestShortList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		hold := skills.Skill{Name: "rest", Description: "the other tools", Keywords: []string{"rarely"}, Tools: []tools.Tool{does("rare", tools.Reads, did)}}
		script := llm.NewScript(llm.Say("well"), llm.Do(plain(1, "rare")), llm.Say("well"), llm.Say("well"), llm.Say("well"),
			llm.Do(llm.CallOf(2, "use_skill", map[string]any{"name": "music"})), llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(did), weather(did)},
			[]tools.Tool{does("rare", tools.Reads, did)}, short(4, hold))
		for i, words := range []string{"hello", "a song, please", "will it rain", "and what is done rarely", "now the other"} {
			h.watch(h.submit(string(rune('1'+i)), words), false)
		}
		var got [][]string
		for _, r := range script.Requests() {
			got = append(got, listed(r))
		}
		want := [][]string{
			{"write", "run", "look", "use_skill"},
			{"look", "use_skill", "play_song", "song_text"},
			{"look", "use_skill", "play_song", "song_text"}, // rare is in no list, and can be called
			{"look", "use_skill", "play_song", "forecast"},
			{"look", "use_skill", "forecast", "rare"},
			{"look", "use_skill", "forecast", "rare"},
			{"look", "use_skill", "play_song", "song_text"}, // opened anew, it is the newest
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if did["rare"] != 1 {
			t.Errorf("did %v", did)
		}
		var schema struct {
			Properties struct{ Name struct{ Enum []string } }
		}
		r := script.Requests()[0]
		if err := json.Unmarshal(r.Tools[3].Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"music", "weather", "rest"}, schema.Properties.Name.Enum); diff != "" {
			t.Errorf("use_skill takes other names: %s", diff)
		}
		if !strings.Contains(r.System, "- rest: the other tools\n") {
			t.Error(r.System)
		}
	})
}

// The tools of a short list are the most needed ones where the profile allows fewer.
func TestShortListIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(map[string]int{})}, nil, short(3))
		h.watch(h.submit("1", "hello"), false)
		if diff := cmp.Diff([]string{"run", "look", "use_skill"}, listed(script.Requests()[0])); diff != "" {
			t.Error(diff)
		}
	})
}

// A skill that holds what a short list leaves out is none of a longer list, which finds these tools itself.
func TestLongListHasNoShortSkills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		hold := skills.Skill{Name: "rest", Description: "the other tools", Keywords: []string{"rarely"}, Tools: []tools.Tool{does("rare", tools.Reads, did)}}
		script := llm.NewScript(llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(did)}, nil, func(cfg *session.Config, set *session.Settings) {
			short(0, hold)(cfg, set)
			set.ShortList = false
		})
		h.watch(h.submit("1", "this is done rarely"), false)
		r := script.Requests()[0]
		if diff := cmp.Diff(usual, listed(r)); diff != "" || strings.Contains(r.System, "rest") {
			t.Errorf("%s %s", diff, r.System)
		}
	})
}

// Of skills that one message is about, the one that it is most about has its tools in the list. Where the list has no room for
// all, the others do not come back with each such message, to be pushed out again.
func TestShortListOfSkillsForOneMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		talk := skills.Skill{Name: "talk", Description: "what was said", Keywords: []string{"said", "before"}, Tools: []tools.Tool{does("find_talk", tools.Reads, did), does("keep_talk", tools.Reads, did)}}
		clock := skills.Skill{Name: "clock", Description: "times", Keywords: []string{"hour"}, Tools: []tools.Tool{does("hour_now", tools.Reads, did), does("hour_there", tools.Reads, did)}}
		script := llm.NewScript(llm.Say("well"), llm.Say("well"), llm.Say("well"), llm.Say("well"))
		journal := storetest.NewMemory(time.Now)
		h := skilledWith(t, journal, script, []skills.Skill{clock, talk}, nil, short(4))
		for i, words := range []string{"what was said an hour before", "and what was said the hour before", "what was said in the hour before that", "which hour is it"} {
			h.watch(h.submit(string(rune('1'+i)), words), false)
		}
		var got [][]string
		for _, r := range script.Requests() {
			got = append(got, listed(r))
		}
		want := [][]string{
			{"look", "use_skill", "find_talk", "keep_talk"},
			{"look", "use_skill", "find_talk", "keep_talk"},
			{"look", "use_skill", "find_talk", "keep_talk"},
			{"look", "use_skill", "hour_now", "hour_there"}, // this is about the clock alone
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		var opened []string
		for e, err := range journal.Since(t.Context(), "", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if o, ok := e.Body.(event.Opened); ok {
				opened = append(opened, o.Skill)
			}
		}
		if diff := cmp.Diff([]string{"clock", "talk", "clock"}, opened); diff != "" {
			t.Errorf("opened %s", diff)
		}
	})
}
